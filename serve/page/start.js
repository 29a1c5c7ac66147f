// The start page: a small board of every game with its value.

import { refusalOf } from "./api.js";
import { h } from "./view.js";

/** @import { Game } from "./types.d.ts" */

/**
 * Shows the page with these games. Returns a function that adds others.
 * @type {(root: HTMLElement, games: Game<*>[]) => (games: Game<*>[]) => void}
 */
export function start(root, games) {
  document.title = "tabletop";
  const cards = h("div", { class: "games" }, games.map(card));
  root.append(
    h("div", { class: "head" },
      h("h1", {}, "Every move with its value"),
      h("p", {}, "Games with exact answers. Analyse any position, or play against the solver.")),
    cards);
  return (others) => cards.append(...others.map(card));
}

/** @param {Game<*>} game */
function card(game) {
  const spot = { input: game.sample };
  const small = h("div", { class: "small" });
  const value = h("p", { class: "note", "data-live": "" }, "…");
  const draw = (/** @type {unknown} */ answer) => {
    small.replaceChildren(game.board(spot, answer));
    for (const cell of small.querySelectorAll("button")) cell.setAttribute("disabled", "");
  };
  const fill = async () => {
    try {
      const answer = await game.ask(spot, new AbortController().signal, () => null);
      const { number, unit } = game.read(answer, spot);
      draw(answer);
      value.textContent = `${number} ${unit}`;
    } catch (error) {
      value.textContent = refusalOf(error)?.message ?? "";
    }
  };
  if (!game.isDrawnByAnswer) draw(null);
  fill();
  return h("section", { class: "panel card-of-game" },
    h("a", { class: "picture", href: `/${game.name}`, tabindex: -1, "aria-hidden": "true" }, small),
    h("h2", {}, h("a", { href: `/${game.name}` }, game.title)),
    h("p", {}, game.line),
    value,
    h("div", { class: "row" },
      h("a", { class: "button main", href: `/${game.name}#as=0` }, "Play"),
      h("a", { class: "button", href: `/${game.name}` }, "Analyse")));
}

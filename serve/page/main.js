// Shows the page of the current path.

import { about } from "./about.js";
import { programs } from "./any.js";
import { balda } from "./balda.js";
import { codenames } from "./codenames.js";
import { dice } from "./dice.js";
import { hopchess } from "./hopchess.js";
import { jenga } from "./jenga.js";
import { play } from "./play.js";
import { start } from "./start.js";
import { ROOT, below, find, h } from "./view.js";

/** @import { Game } from "./types.d.ts" */

/**
 * Our games. `dist/site` makes a page for each of these names.
 * @type {Game<*>[]}
 */
const GAMES = [dice, jenga, hopchess, codenames, balda];

async function show() {
  const main = find("#main");
  const nav = find("nav");
  const linkTo = (/** @type {Game<*>} */ game) => h("a", { href: `/${game.name}` }, game.short ?? game.title);
  // A jump to `#main` would replace the game in the address.
  find(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  const name = location.pathname.slice(ROOT.length).replaceAll("/", "");
  // The links of the document. Those that are made here know where the site is.
  for (const link of document.querySelectorAll("a[href^='/']")) {
    link.setAttribute("href", below(link.getAttribute("href") ?? "/"));
  }
  nav.append(...GAMES.map(linkTo));
  main.replaceChildren();
  const ours = GAMES.find((game) => game.name === name);
  // Our own games do not wait for the list of programs.
  if (ours) begin(main, ours);
  const add = name === "" ? start(main, GAMES) : null;
  const others = await programs();
  nav.append(...others.map(linkTo));
  for (const link of document.querySelectorAll("nav a, .bottom a")) {
    const isHere = link instanceof HTMLAnchorElement && link.pathname === location.pathname;
    if (!isHere) continue;
    link.setAttribute("aria-current", "page");
    // A telephone shows only some of the games.
    const bar = find(".top");
    bar.scrollLeft += link.getBoundingClientRect().x - (bar.clientWidth - link.offsetWidth) / 2;
  }
  const theirs = others.find((game) => game.name === name);
  if (theirs) begin(main, theirs);
  else if (name === "about") await about(main);
  else if (add) add(others);
  else if (!ours) {
    document.title = "Not found · tabletop";
    main.append(h("div", { class: "head" }, h("h1", {}, "Nothing is here"),
      h("p", {}, "No game has this address. ", h("a", { href: "/" }, "See all games"), ".")));
  }
}

/** @type {(main: HTMLElement, game: Game<*>) => void} */
function begin(main, game) {
  document.title = `${game.title} · tabletop`;
  main.append(h("div", { class: "head" }, h("h1", {}, game.title),
    game.rules === "" ? h("p", {}, game.line)
      : h("details", {}, h("summary", {}, h("span", {}, game.line), " ", h("u", {}, "more")), h("p", {}, game.rules))));
  play(game, main);
}

show();

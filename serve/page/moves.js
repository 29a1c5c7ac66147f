// The value of a position, its moves, and the game so far with its graph.

import { lossClass } from "./touch.js";
import { bar, h, isRepeated, panel, svg } from "./view.js";

/** @import { Game, Line, Move, Reading, Result } from "./types.d.ts" */

/** @typedef {NonNullable<Reading["chance"]>} Chances */

/// Maximum number of moves in the list before "all moves" is pressed.
const SHOWN = 60;

/**
 * The value: short first, exactly on demand. While it is hidden, who is to move.
 * @type {(reading: Reading, players: string[], isHidden: boolean) => Node}
 */
export function valuePanel(reading, players, isHidden) {
  const isShown = !isHidden || Boolean(reading.over);
  const turn = players.length > 1 ? `${players[reading.mover]} to move` : "Your turn";
  const words = [
    h("strong", { class: !isShown && "turn", "data-value": isHidden ? "" : reading.raw },
      isShown ? reading.number : turn),
    isShown && [" ", h("span", {}, reading.unit)],
  ];
  return h("section", { class: "panel value-panel" },
    reading.exact && !isHidden
      ? h("details", { class: "exact" },
        h("summary", { class: "value" }, words, " ", h("u", {}, "exactly")), h("code", {}, reading.exact))
      : h("p", { class: "value" }, words),
    reading.over && h("p", { class: "over", "data-over": "" }, reading.over),
    reading.note && h("p", { class: "note" }, reading.note));
}

/**
 * @typedef {{
 *   reading: Reading, isHidden: boolean, mayChoose: boolean, mistake: number,
 *   play: (move: Move) => void, take: (result: Result) => void, light: (move: Move | null) => void,
 * }} Listed
 */

/**
 * An outcome as a move: a touch of its cell chooses it.
 * @type {(result: Result) => Move}
 */
export const moveOf = ({ name, number = "", loss = 0, cell }) =>
  ({ name, number, loss, share: 0, ways: cell === undefined ? [] : [{ touch: [[cell]] }] });

/**
 * The moves, best first. Moves of the same value are one row.
 * @type {(listed: Listed) => HTMLElement | null}
 */
export function movesPanel({ reading, isHidden, mayChoose, mistake, play, take, light }) {
  if (reading.chance) return chancePanel(reading.chance, isHidden, light, mayChoose ? take : null);
  if (reading.moves.length === 0 || (isHidden && reading.isSearch)) return null;
  const list = h("ol", { class: "moves" });
  /** @param {Move[]} rows */
  const fill = (rows) => {
    /** @type {Move[][]} */
    const groups = [];
    for (const move of rows) {
      const last = groups[groups.length - 1];
      if (last && (isHidden || (last[0].number === move.number && last[0].loss === move.loss))) last.push(move);
      else groups.push([move]);
    }
    list.replaceChildren(...groups.map((group) => h("li", {
      class: isHidden ? "" : `loss-${lossClass(group[0].loss, mistake)}`,
    },
      !isHidden && bar(group[0].share),
      h("div", { class: "chips" }, group.map((move) => h("button", {
        "data-move": move.name,
        "data-key": `move ${move.name}`,
        onclick: (event) => !isRepeated(event) && play(move),
        ...pointing(light, move),
      }, move.name, move.ways.length > 1 && h("small", {}, ` ×${move.ways.length}`)))),
      !isHidden && h("span", { class: "number" }, group[0].number))));
  };
  // A player must not learn from the order.
  const moves = isHidden ? reading.moves.toSorted((one, other) => one.name.localeCompare(other.name)) : reading.moves;
  fill(moves.slice(0, SHOWN));
  const more = moves.length > SHOWN && h("button", {
    class: "more",
    onclick: (event) => {
      fill(moves);
      if (event.target instanceof HTMLElement) event.target.remove();
      list.querySelectorAll("button")[SHOWN]?.focus();
    },
  }, `all ${moves.length} moves`);
  const title = reading.title ?? (isHidden ? "Your moves" : "Moves");
  const order = isHidden || moves.length < 2 ? "" : `, ${reading.most ?? "best"} first`;
  const column = !isHidden && reading.column && [" ", h("small", {}, reading.column)];
  const shown = panel([title + order, column], list, more);
  shown.classList.add("moves-panel");
  return shown;
}

/**
 * The handlers that show a move on the board while it is pointed at, or has the focus of a keyboard.
 * @type {(light: Listed["light"], move: Move) => Record<`on${string}`, (event: Event) => void>}
 */
function pointing(light, move) {
  const [on, off] = [() => light(move), () => light(null)];
  /** @param {Event} event */
  const onfocus = ({ target }) => target instanceof Element && target.matches(":focus-visible") && on();
  return { onpointerenter: on, onpointerleave: off, onfocus, onblur: off };
}

/**
 * What chance can bring. A player may not choose it, an analyst may.
 * @type {(chance: Chances, isHidden: boolean, light: Listed["light"], take: Listed["take"] | null) => HTMLElement}
 */
function chancePanel({ name, results }, isHidden, light, take) {
  const total = results.reduce((sum, result) => sum + result.weight, 0);
  const most = Math.max(...results.map((result) => result.weight));
  return panel(`${name}: what can come`, h("ol", { class: "moves results" }, results.map((result) => h("li", {},
    bar(result.weight / most),
    h("div", { class: "chips" }, h(take ? "button" : "span", {
      "data-result": result.name,
      "data-key": `result ${result.name}`,
      onclick: (event) => !isRepeated(event) && take?.(result),
      ...pointing(light, moveOf(result)),
    }, result.look && h("i", { class: `dot ${result.look}` }), result.name,
    h("small", {}, ` ${result.weight} of ${total}`))),
    !isHidden && h("span", { class: "number" }, result.number ?? "")))));
}

/**
 * @typedef {{ line: Line, readings: (Reading | null)[], isHidden: boolean, go: (at: number) => void }} Shown
 */

/**
 * The moves of the game by name, and the graph of the value.
 * @type {(game: Game<*>, shown: Shown) => HTMLElement | null}
 */
export function gamePanel(game, { line, readings, isHidden, go }) {
  if (line.names.length === 0) return null;
  const items = line.names.map((name, place) => {
    const before = readings[place];
    const move = before?.moves.find((other) => other.name === name);
    const loss = before && move && !isHidden ? lossClass(move.loss, before.mistake ?? game.mistake) : 0;
    const who = before && game.players.length > 1 && !before.chance ? `${game.players[before.mover]} ` : "";
    return h("li", { class: loss > 0 && `loss-${loss}` }, h("button", {
      "data-at": place + 1,
      "data-key": `at ${place + 1}`,
      "aria-current": line.at === place + 1 && "step",
      onclick: () => go(place + 1),
    }, `${place + 1}. ${who}${name}`, loss > 1 && h("small", {}, ` −${game.lossText(move?.loss ?? 0)}`)));
  });
  const start = h("li", {}, h("button", {
    "data-key": "at 0", "aria-current": line.at === 0 && "step", onclick: () => go(0),
  }, "Start"));
  return panel("The game", !isHidden && graph(game, line, readings, go), h("ol", { class: "steps" }, start, items));
}

/** @type {(game: Game<*>, line: Line, readings: (Reading | null)[], go: (at: number) => void) => Node} */
function graph(game, line, readings, go) {
  const [wide, high] = [320, 72];
  const values = readings.map((reading) => reading?.value ?? null);
  const known = values.filter((value) => value !== null);
  const [low, top] = game.range ?? [Math.min(0, ...known), Math.max(...known, 1e-9)];
  const x = (/** @type {number} */ at) => 6 + (at * (wide - 12)) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ value) => high - 6 - ((value - low) / (top - low || 1)) * (high - 12);
  const points = values.flatMap((value, at) => (value === null ? [] : [`${x(at)},${y(value)}`]));
  return h("figure", { class: "graph" },
    svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": `${game.graph} after each move` },
      svg("line", { class: "middle", x1: 0, x2: wide, y1: high / 2, y2: high / 2 }),
      svg("polyline", { points: points.join(" ") }),
      values.map((value, at) => value !== null && svg("circle", {
        class: at === line.at && "now", cx: x(at), cy: y(value), r: at === line.at ? 5 : 3.5, onclick: () => go(at),
      }))),
    h("figcaption", { class: "note" }, game.graph));
}

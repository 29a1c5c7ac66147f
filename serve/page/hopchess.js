import { ask, refusalOf } from "./api.js";
import { h, moverField, panel, percent, points, svg } from "./view.js";

/** @import { Answers, Cell, Game, View } from "./types.d.ts" */

/** @typedef {{ board: string[], turn: string | null, factors: number[] }} Position */

/** @type {Record<string, string>} */
const NAMES = { J: "Justin", D: "Donald", ".": "empty" };
/** @type {Record<string, string>} */
const OTHER = { J: "D", D: "J" };

/**
 * The parts of a judge's text.
 * @type {(input: string) => Position}
 */
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  const [rows] = (lines[0] ?? "").split(/\s+/).map(Number);
  const turn = lines[rows + 1]?.toLowerCase().startsWith("to move") ? lines[rows + 1].slice(-1).toUpperCase() : null;
  const board = lines.slice(1, rows + 1);
  if (board.length === 0 || board.some((row) => !/^[JD.]+$/.test(row))) throw new Error("no board");
  return { board, turn, factors: lines[lines.length - 1].split(/\s+/).map(Number) };
}

/** @type {(position: Position) => string} */
const write = ({ board, turn, factors }) =>
  `${board.length} ${board[0].length}\n${board.join("\n")}\n${turn ? `to move: ${turn}\n` : ""}${factors.join(" ")}\n`;

/**
 * The player to move: as the text says, or by the number of captured pieces.
 * @type {(position: Position) => string}
 */
const moverOf = ({ board, turn }) =>
  turn ?? ([...board.join("")].filter((cell) => cell === ".").length % 2 === 0 ? "J" : "D");

/** @type {(text: string) => string} */
const mirror = (text) => {
  const position = parse(text);
  return write({ ...position, board: position.board.map((row) => [...row].reverse().join("")) });
};

/** @type {(text: string) => string} */
const exchange = (text) => {
  const position = parse(text);
  return write({
    board: position.board.map((row) => [...row].map((cell) => OTHER[cell] ?? cell).join("")),
    turn: OTHER[moverOf(position)],
    factors: position.factors.toReversed(),
  });
};

/** @type {(row: number, column: number) => string} */
const label = (row, column) => `${String.fromCharCode(97 + column)}${row + 1}`;
/** @param {Cell} cell */
const named = ({ row, column }) => label(row - 1, column - 1);

/** @type {Game<Answers["hopchess"]>} */
export const hopchess = {
  name: "hopchess",
  title: "Hop chess",
  line: "Capture a neighbour, your own too. Who cannot move loses.",
  rules: "A move captures a neighbouring piece, one’s own too; who cannot move loses. Justin (J) begins. A player "
    + "picks at random among his best moves, as many as his error factor says, and both know that of each other.",
  sample: "3 3\nJDJ\nDJD\nJDJ\n2 3\n",
  players: ["Justin", "Donald"],
  graph: "The chance that Justin wins",
  range: [0, 1],
  mistake: 0.1,
  lossText: points,
  examples: [
    ["The best 3 x 4 board for a Justin who errs like Donald", "3 4\nJJJJ\nJJDJ\nJJJJ\n13 13\n"],
    ["The worst 3 x 3 board for him: alone in the middle", "3 3\nDDD\nDJD\nDDD\n13 13\n"],
    ["A chessboard of twelve", "3 4\nJDJD\nDJDJ\nJDJD\n2 2\n"],
  ],
  transforms: [{ name: "Mirror", change: mirror }, { name: "Swap players", change: exchange }],

  ask: ({ input }, signal) => ask("hopchess", { input }, signal),

  read(answer) {
    const isJustin = answer.mover === "J";
    const best = answer.moves[0]?.probability ?? answer.probability;
    const count = answer.moves.length;
    const mover = NAMES[answer.mover];
    return {
      value: answer.probability,
      raw: answer.answer,
      number: percent(answer.probability),
      unit: answer.over ? "that Justin wins" : `that Justin wins, ${mover} to move`,
      exact: answer.fraction ? `${answer.fraction} = ${answer.probability}` : String(answer.probability),
      note: !answer.over && answer.proposal_size > 1
        ? `Chance picks among ${mover}’s best ${answer.proposal_size} of ${count} moves.` : null,
      column: "Justin wins",
      mover: isJustin ? 0 : 1,
      over: answer.over && `The game is over: ${answer.over}.`,
      moves: answer.moves.map((move) => ({
        name: `${named(move.from)}×${named(move.to)}`,
        number: percent(move.probability),
        loss: Math.abs(best - move.probability),
        share: isJustin ? move.probability : 1 - move.probability,
        proposed: move.proposed,
        ways: [{ touch: [[named(move.from)], [named(move.to)]], next: { input: move.next } }],
      })),
    };
  },

  board({ input }) {
    const { board } = parse(input);
    const columns = board[0].length;
    // A tall board gets narrow, so that all of it is on the screen.
    const style = { "--columns": String(columns), maxWidth: `${Math.min(460, (560 * columns) / board.length)}px` };
    return h("div", { class: "grid", style }, board.flatMap((row, y) => [...row].map((cell, x) => h("button", {
      class: `cell${(x + y) % 2 ? " dark" : ""}`,
      "data-cell": label(y, x),
    },
      h("small", { class: "place" }, label(y, x)), " ",
      cell === "." ? h("span", { class: "visually-hidden" }, "empty") : h("span", { class: `piece ${cell}` }, cell)))));
  },

  edit: {
    palette: [..."JD."].map((glyph) => ({ glyph, name: NAMES[glyph], look: glyph === "." ? "none" : glyph })),
    put(input, cell, glyph) {
      const position = parse(input);
      const [x, y] = [cell.charCodeAt(0) - 97, Number(cell.slice(1)) - 1];
      const row = position.board[y];
      const board = position.board.with(y, row.slice(0, x) + glyph + row.slice(x + 1));
      return write({ ...position, board, turn: moverOf(position) });
    },
    fields(input, set) {
      const position = parse(input);
      const { board } = position;
      /** @param {string[]} changed */
      const resize = (changed) => changed.length > 0 && changed[0].length > 0
        && set(write({ ...position, turn: moverOf(position), board: changed }));
      return [
        moverField(["Justin", "Donald"], NAMES[moverOf(position)], (name) =>
          set(write({ ...position, turn: name[0] }))),
        h("div", { class: "row" },
          h("button", { onclick: () => resize([...board, "J".repeat(board[0].length)]) }, "Row +"),
          h("button", { onclick: () => resize(board.slice(0, -1)) }, "Row −"),
          h("button", { onclick: () => resize(board.map((row) => `${row}J`)) }, "Column +"),
          h("button", { onclick: () => resize(board.map((row) => row.slice(0, -1))) }, "Column −")),
      ];
    },
  },

  extra(view) {
    const position = parse(view.spot.input);
    const cells = position.board.length * position.board[0].length;
    const set = (/** @type {number[]} */ factors) => view.set(write({ ...position, factors }));
    /** @type {(name: string, id: string, place: number) => Node[]} */
    const slider = (name, id, place) => {
      const shown = h("output", { for: id }, String(position.factors[place]));
      /** @type {HTMLInputElement} */
      const input = h("input", {
        id, type: "range", min: 1, max: 13, value: Math.min(13, position.factors[place]),
        oninput: () => { shown.textContent = input.value; },
        onchange: () => set(position.factors.with(place, Number(input.value))),
      });
      return [h("label", { for: id }, name), input, shown];
    };
    const heat = h("div", {}, h("p", { class: "note" }, "…"));
    if (cells <= 13) fillHeat(heat, view, position, set);
    else heat.replaceChildren(h("p", { class: "note" }, "Boards of more than 13 cells have no map."));
    return [panel("Error factors",
      h("div", { class: "sliders" }, slider("Justin", "justin", 0), slider("Donald", "donald", 1)), heat)];
  },
};

/** @type {(place: Element, view: View<*>, position: Position, set: (factors: number[]) => void) => Promise<void>} */
async function fillHeat(place, view, position, set) {
  let map;
  try {
    map = await ask("hopchess/factors", { input: view.spot.input }, view.signal);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) place.replaceChildren(h("p", { class: "note" }, refusal.message));
    return;
  }
  const size = 28;
  const left = 28;
  /** @type {(event: Event) => void} */
  const pick = (event) => {
    const pair = event.target instanceof Element ? event.target.getAttribute("data-pair") : null;
    if (pair) set(pair.split(" ").map(Number));
  };
  const [justin, donald] = position.factors.map((factor) => Math.min(13, factor));
  const squares = map.probabilities.flatMap((line, y) => line.map((share, x) =>
    svg("rect", {
      class: "square", x: left + x * size, y: left + y * size, width: size, height: size, fill: colour(share),
      "data-pair": `${y + 1} ${x + 1}`,
    }, svg("title", {}, `Justin ${y + 1}, Donald ${x + 1}: ${percent(share)}`))));
  const marks = map.justin.flatMap((factor, at) => [
    svg("text", { x: left / 2, y: left + (at + 0.5) * size }, String(factor)),
    svg("text", { x: left + (at + 0.5) * size, y: left / 2 }, String(factor)),
  ]);
  const values = map.probabilities.flat();
  const range = `from ${percent(Math.min(...values))} to ${percent(Math.max(...values))}`;
  place.replaceChildren(
    svg("svg", {
      class: "heat", onclick: pick, viewBox: `0 0 ${left + 13 * size + 2} ${left + 13 * size + 2}`, role: "img",
      "aria-label": `Justin’s chance ${range} over all pairs of factors; the sliders choose a pair`,
    },
      squares, marks,
      svg("rect", {
        class: "chosen", x: left + (donald - 1) * size, y: left + (justin - 1) * size, width: size, height: size,
      })),
    h("p", { class: "note" },
      "Lines: Justin’s factor, columns: Donald’s. Blue is 0 %, green 100 %. A click sets both."));
}

/**
 * A colour scale from Donald's blue to Justin's green.
 * @param {number} share
 */
function colour(share) {
  const ends = [[47, 95, 158], [240, 235, 221], [29, 107, 87]];
  const [from, to] = share < 0.5 ? [ends[0], ends[1]] : [ends[1], ends[2]];
  const part = share < 0.5 ? share * 2 : share * 2 - 1;
  return `rgb(${from.map((value, at) => Math.round(value + (to[at] - value) * part)).join(" ")})`;
}

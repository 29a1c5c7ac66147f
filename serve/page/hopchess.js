import { ask } from "./api.js";
import { costOf } from "./play.js";
import { h, panel, percent, svg } from "./view.js";

const CELL = 80;

/// The parts of a judge's text.
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  const [rows] = lines[0].split(/\s+/).map(Number);
  const turn = lines[rows + 1]?.toLowerCase().startsWith("to move") ? lines[rows + 1].trim().at(-1).toUpperCase() : null;
  return { board: lines.slice(1, rows + 1), turn, factors: lines.at(-1).split(/\s+/).map(Number) };
}

const write = ({ board, turn, factors }) =>
  `${board.length} ${board[0].length}\n${board.join("\n")}\n${turn ? `to move: ${turn}\n` : ""}${factors.join(" ")}\n`;
const other = { J: "D", D: "J" };

/// The player to move: as the text says, or by the number of captured pieces.
const mover = ({ board, turn }) =>
  turn ?? ([...board.join("")].filter((cell) => cell === ".").length % 2 === 0 ? "J" : "D");

const exchange = (text) => {
  const position = parse(text);
  return write({
    board: position.board.map((row) => [...row].map((cell) => other[cell] ?? cell).join("")),
    turn: other[mover(position)],
    factors: position.factors.toReversed(),
  });
};

export const hopchess = {
  name: "hopchess",
  title: "Hop chess",
  rules: "A move captures a neighbouring piece, one’s own too; who cannot move loses. Justin (J) begins. A player picks at random among his best moves, as many as his error factor says, and both know that of each other.",
  sample: "3 3\nJDJ\nDJD\nJDJ\n2 3\n",
  transforms: [
    { name: "Mirror", change: (text) => { const position = parse(text); return write({ ...position, board: position.board.map((row) => [...row].reverse().join("")) }); } },
    { name: "Swap players", change: exchange },
  ],

  read(answer) {
    const sign = answer.mover === "J" ? 1 : -1;
    const best = answer.moves[0]?.probability ?? answer.probability;
    return {
      value: answer.answer,
      unit: "the chance that Justin wins",
      note: `${answer.mover} to move; proposes ${answer.proposal_size} of ${answer.moves.length} moves${answer.fraction ? `; exactly ${answer.fraction}` : ""}`,
      over: answer.over && `The game is over: ${answer.over}.`,
      groups: [{
        moves: answer.moves.map((move, place) => ({
          name: `${move.from.row},${move.from.column} takes ${move.captured} on ${move.to.row},${move.to.column}${move.proposed ? ", proposed" : ""}`,
          number: move.answer,
          share: sign > 0 ? move.probability : 1 - move.probability,
          cost: costOf(best, move.probability),
          best: place === 0,
          next: move.next,
        })),
      }],
    };
  },

  picture(view) {
    const { answer } = view;
    const position = parse(view.input);
    const columns = answer.board[0].length;
    const centre = ({ row, column }) => [(column - 0.5) * CELL, (row - 0.5) * CELL];
    const cells = answer.board.flatMap((row, y) => [...row].map((cell, x) => svg("g", {},
      svg("rect", { class: "cell", x: x * CELL, y: y * CELL, width: CELL, height: CELL }),
      cell !== "." && svg("circle", { class: cell, cx: (x + 0.5) * CELL, cy: (y + 0.5) * CELL, r: CELL * 0.36 }),
      cell !== "." && svg("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL }, cell))));
    const arrows = answer.moves.filter((move) => move.proposed).map((move, place) => {
      const [x, y] = centre(move.from);
      const [toX, toY] = centre(move.to);
      const part = (from, to, share) => from + (to - from) * share;
      return svg("line", {
        class: `arrow${place === 0 ? " first" : ""}`,
        x1: part(x, toX, 0.25), y1: part(y, toY, 0.25), x2: part(x, toX, 0.68), y2: part(y, toY, 0.68),
      });
    });
    const board = svg("svg", {
      class: "board", viewBox: `-1 -1 ${columns * CELL + 2} ${answer.board.length * CELL + 2}`, role: "img",
      "aria-label": `The board: ${answer.board.join(", ")}`,
    },
      svg("defs", {}, svg("marker", { id: "tip", viewBox: "0 0 10 10", refX: 6, refY: 5, markerWidth: 3.2, markerHeight: 3.2, orient: "auto" },
        svg("path", { d: "M0 0 L10 5 L0 10 z" }))),
      cells, arrows);

    const set = (factors) => view.turn({ input: write({ ...position, factors }) });
    const slider = (name, id, place) => {
      const value = Math.min(13, position.factors[place]);
      const shown = h("output", { for: id }, String(position.factors[place]));
      return [
        h("label", { for: id }, name),
        h("input", {
          id, type: "range", min: 1, max: 13, value,
          oninput: (event) => { shown.textContent = event.target.value; },
          onchange: (event) => set(position.factors.with(place, Number(event.target.value))),
        }),
        shown,
      ];
    };
    const heat = h("div", {}, h("p", { class: "note" }, "…"));
    if (answer.board.length * columns <= 13) fillHeat(heat, view, position, set);
    else heat.replaceChildren(h("p", { class: "note" }, "Boards of more than 13 cells have no map."));
    return [
      panel("The board", board, h("p", { class: "note" }, "Arrows are the proposal set of the player to move; the strong one is the best.")),
      panel("Error factors",
        h("div", { class: "sliders" }, slider("Justin", "justin", 0), slider("Donald", "donald", 1))),
      panel("Justin’s chance for all pairs of factors", heat),
    ];
  },
};

async function fillHeat(place, view, position, set) {
  let map;
  try {
    map = await ask("hopchess/factors", { input: view.input }, view.signal);
  } catch (error) {
    if (error.name !== "AbortError") place.replaceChildren(h("p", { class: "note" }, error.message));
    return;
  }
  const size = 28;
  const left = 28;
  const [justin, donald] = position.factors.map((factor) => Math.min(13, factor));
  const squares = map.probabilities.flatMap((line, y) => line.map((share, x) =>
    svg("rect", {
      class: "square", x: left + x * size, y: left + y * size, width: size, height: size, fill: colour(share),
      "data-pair": `${y + 1} ${x + 1}`, onclick: () => set([y + 1, x + 1]),
    }, svg("title", {}, `Justin ${y + 1}, Donald ${x + 1}: ${percent(share)}`))));
  const marks = map.justin.flatMap((factor, at) => [
    svg("text", { x: left / 2, y: left + (at + 0.5) * size }, String(factor)),
    svg("text", { x: left + (at + 0.5) * size, y: left / 2 }, String(factor)),
  ]);
  const values = map.probabilities.flat();
  place.replaceChildren(
    svg("svg", {
      class: "heat", viewBox: `0 0 ${left + 13 * size + 2} ${left + 13 * size + 2}`, role: "img",
      "aria-label": `Justin’s chance from ${percent(Math.min(...values))} to ${percent(Math.max(...values))} over all pairs of factors; the sliders choose a pair`,
    },
      squares, marks,
      svg("rect", { class: "chosen", x: left + (donald - 1) * size, y: left + (justin - 1) * size, width: size, height: size })),
    h("p", { class: "note" }, "Lines: Justin’s factor, columns: Donald’s. Blue is 0 %, green 100 %. A click sets both."));
}

/// A colour scale from Donald's blue to Justin's green.
function colour(share) {
  const ends = [[47, 95, 158], [240, 235, 221], [29, 107, 87]];
  const [from, to] = share < 0.5 ? [ends[0], ends[1]] : [ends[1], ends[2]];
  const part = share < 0.5 ? share * 2 : share * 2 - 1;
  return `rgb(${from.map((value, at) => Math.round(value + (to[at] - value) * part)).join(" ")})`;
}

import { Refusal, ask } from "./api.js";
import { h, moverField, percent, plot, points, svg } from "./view.js";

/** @import { Answers, DiceCase, DiceMove, Game, Move, Player, Spot } from "./types.d.ts" */

/** @type {Record<number, [number, number][]>} */
const PIPS = {
  1: [[2, 2]], 2: [[1, 1], [3, 3]], 3: [[1, 1], [2, 2], [3, 3]], 4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]], 6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/** @typedef {{ mover: string | null, hands: number[][] }} Position */

/** @type {(input: string) => Position} */
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean).slice(1);
  const turn = /^to move:\s*(\S+)/i.exec(lines[0] ?? "");
  const hands = lines.slice(turn ? 1 : 0).slice(0, 2).map((line) => line.split(/\s+/).map(Number));
  if (hands.length < 2 || hands.flat().some((number) => !PIPS[number])) throw new Error("no two hands");
  return { mover: turn ? turn[1] : null, hands };
}

/** @type {(position: Position) => string} */
const write = ({ mover, hands }) =>
  `1\n${mover && mover !== "A" ? `to move: ${mover}\n` : ""}${hands.map((hand) => `${hand.join(" ")}\n`).join("")}`;
const roll = () => 1 + Math.floor(Math.random() * 6);

/** @type {(move: DiceMove) => string} */
const nameOf = ({ reroll, keep }) =>
  (reroll.length ? `Roll ${reroll.join(" ")}, keep ${keep.join(" ") || "none"}` : "Keep all");

/**
 * The position after the mover has kept these dice and rolled the others.
 * @type {(found: DiceCase, keep: number[]) => Spot}
 */
function after(found, keep) {
  const thrown = [...keep, ...Array.from({ length: 5 - keep.length }, roll)].sort((one, other) => one - other);
  const { a, b, mover } = found;
  const next = mover === "A" ? { mover: "B", hands: [thrown, b.dice] } : { mover: "nobody", hands: [a.dice, thrown] };
  const spot = { input: write(next) };
  if (mover) rolled.set(spot, { who: mover, kept: kept(mover, thrown, keep) });
  return spot;
}

/** Whose dice have just been rolled, and which ones stayed. @type {WeakMap<Spot, { who: Player, kept: string[] }>} */
const rolled = new WeakMap();

/**
 * The dice of a hand that are kept: one die for each face in `keep`.
 * @type {(who: Player, hand: number[], keep: number[]) => string[]}
 */
function kept(who, hand, keep) {
  const left = [...keep];
  return hand.flatMap((number, place) => {
    const found = left.indexOf(number);
    if (found < 0) return [];
    left.splice(found, 1);
    return [`${who}${place}`];
  });
}

/** The outcomes of each move, for the plot. @type {WeakMap<Move, DiceMove>} */
const plots = new WeakMap();

/** @type {Game<Answers["dice"]>} */
export const dice = {
  name: "dice",
  title: "Dice poker",
  short: "Dice",
  line: "A rerolls any dice once, then B. The heavier hand wins.",
  rules: "Two players, five dice each. A rerolls any of his dice once; B sees the result and rerolls any of hers. "
    + "The heavier hand wins; equal hands are no win for A. From five of a kind down to nothing, as in poker.",
  sample: "1\n1 2 3 1 1\n1 2 3 4 5\n",
  players: ["A", "B"],
  graph: "The chance that A wins",
  range: [0, 1],
  mistake: 0.08,
  lossText: points,
  examples: [
    ["The pair best for A: five sixes against five fives", "1\n6 6 6 6 6\n5 5 5 5 5\n"],
    ["The pair best for B that is not decided", "1\n1 1 1 1 1\n5 5 5 5 5\n"],
    ["Five ones: rerolling nothing is best", "1\n1 1 1 1 1\n1 1 1 1 2\n"],
  ],

  async ask({ input }, signal) {
    const answer = await ask("dice", { input }, signal);
    if (answer.cases.length > 0) return answer;
    throw new Refusal({ what: "the input has no case", remedy: "write the number 1 and a pair of hands" });
  },

  read(answer, { input }) {
    const found = answer.cases[0];
    const best = found.moves[0]?.probability ?? found.probability;
    const { mover } = found;
    const hand = parse(input).hands[mover === "B" ? 1 : 0];
    return {
      value: found.probability,
      raw: found.answer,
      number: percent(found.probability),
      unit: "that A wins",
      exact: `${found.fraction} = ${found.answer}`,
      note: answer.cases.length > 1 ? `the first of ${answer.cases.length} cases` : null,
      mover: mover === "B" ? 1 : 0,
      over: found.over && `The game is over: ${found.over}.`,
      title: `What ${mover} can roll`,
      column: "A wins",
      confirm: true,
      selected: mover && found.moves[0] ? kept(mover, hand, found.moves[0].keep) : [],
      moves: found.moves.map((move) => {
        const listed = {
          name: nameOf(move),
          number: percent(move.probability),
          loss: Math.abs(best - move.probability),
          share: mover === "B" ? 1 - move.probability : move.probability,
          ways: [{ touch: [move.keep.map((number) => `${mover} ${number}`)] }],
          next: () => after(found, move.keep),
        };
        if (move.keep.length === 0) listed.ways = [{ touch: [[]] }];
        plots.set(listed, move);
        return listed;
      }),
    };
  },

  chosen(move) {
    const found = plots.get(move);
    if (!found || found.outcomes.length === 0) return [];
    return [plot(found.outcomes.map(({ arrangement, probability }) => ({ name: arrangement, share: probability })))];
  },

  board(spot, answer) {
    const { hands, mover } = parse(spot.input);
    const last = rolled.get(spot);
    const found = answer?.cases[0];
    const decides = found ? found.mover : mover ?? "A";
    const rows = hands.map((hand, player) => {
      const who = player === 0 ? "A" : "B";
      return h("div", { class: `hand-row${decides === who ? " moves-now" : ""}` },
        h("span", { class: "who" }, who),
        h("div", { class: "hand" }, hand.map((number, place) => h("button", {
          class: `die${last?.who === who && !last.kept.includes(`${who}${place}`) ? " rolled" : ""}`,
          "data-cell": `${who}${place}`,
          "data-label": `${who} ${number}`,
          "aria-label": `${who}: ${number}`,
        }, svg("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" },
          svg("rect", { x: 2, y: 2, width: 60, height: 60, rx: 12 }),
          PIPS[number].map(([x, y]) => svg("circle", { cx: x * 16, cy: y * 16, r: 6 })))))),
        found && h("span", { class: "note" }, (who === "A" ? found.a : found.b).arrangement));
    });
    return h("div", { class: "hands" }, rows,
      h("p", { class: "note" }, decides === "A" || decides === "B" ? `${decides} decides: framed dice are kept.` : ""));
  },

  edit: {
    palette: [1, 2, 3, 4, 5, 6].map((number) => ({ glyph: String(number), name: String(number), look: "" })),
    put(input, cell, glyph) {
      const { mover, hands } = parse(input);
      const player = cell[0] === "A" ? 0 : 1;
      return write({ mover, hands: hands.with(player, hands[player].with(Number(cell.slice(1)), Number(glyph))) });
    },
    fields(input, set) {
      const position = parse(input);
      return [moverField(["A", "B", "nobody"], position.mover ?? "A", (mover) => set(write({ ...position, mover })))];
    },
  },
};

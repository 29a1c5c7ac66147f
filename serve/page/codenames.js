import { ask, follow } from "./api.js";
import { h, moverField, panel, percent, points } from "./view.js";

/** @import { Answers, Game, Identity, Move, Spot, Team } from "./types.d.ts" */

/**
 * The parts of a judge's text. `guessing` is its line in the middle of a turn.
 * @typedef {{
 *   team: Team,
 *   cards: { word: string, identity: Identity }[],
 *   guessing: string | null,
 *   hints: string[][],
 * }} Board
 */

/** @type {Record<Identity, string>} */
const NAMES = { R: "red agent", B: "blue agent", I: "bystander", A: "assassin", ".": "revealed" };
const TEAMS = { R: "Red", B: "Blue" };
/// Boards with more unrevealed cards may take long, so their progress is shown.
const SMALL = 12;
/** @type {(input: string) => Board} */
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  // In the middle of a turn, the fourth line names the hint that the team follows.
  const isGuessing = lines[3]?.toLowerCase().startsWith("guessing:");
  const [words = [], names = []] = lines.slice(1, 3).map((line) => line.split(/\s+/));
  const identities = /** @type {Identity[]} */ (names);
  if (words.length === 0 || words.length !== identities.length) throw new Error("no board");
  return {
    team: /** @type {Team} */ (lines[0].split(/\s+/)[1]),
    cards: words.map((word, place) => ({ word, identity: identities[place] })),
    guessing: isGuessing ? lines[3] : null,
    hints: lines.slice(isGuessing ? 5 : 4).map((line) => line.split(/\s+/).slice(1)),
  };
}

/** @type {(board: Board) => string} */
function write({ team, cards, hints, guessing }) {
  const lines = [
    `${cards.length} ${team}`,
    cards.map((card) => card.word).join(" "),
    cards.map((card) => card.identity).join(" "),
    ...(guessing ? [guessing] : []),
    String(hints.length),
    ...hints.map((hint) => `${hint.length} ${hint.join(" ")}`),
  ];
  return `${lines.join("\n")}\n`;
}

/**
 * The hint that the team follows: its unrevealed words and the number.
 * @param {string} input
 */
function hintOf(input) {
  const { cards, guessing, hints } = parse(input);
  const [hint, number] = (guessing ?? "").match(/\d+/g) ?? [];
  const open = new Set(cards.filter(({ identity }) => identity !== ".").map(({ word }) => word));
  return `${(hints[Number(hint) - 1] ?? []).filter((word) => open.has(word)).join(" ")}: ${number}`;
}

/** @type {Record<Team, Team>} */
const OTHER = { R: "B", B: "R" };

/** @type {(input: string) => string} */
function swapTeams(input) {
  const board = parse(input);
  const cards = board.cards.map(({ word, identity }) =>
    ({ word, identity: identity === "R" || identity === "B" ? OTHER[identity] : identity }));
  return write({ ...board, team: OTHER[board.team], cards });
}

/** The card that a guess has just turned. @type {WeakMap<Spot, string>} */
const turned = new WeakMap();

/** @type {Game<Answers["codenames"]>} */
export const codenames = {
  name: "codenames",
  title: "Codenames",
  line: "A hint, a number, and players who point at random. Avoid the assassin.",
  rules: "The team to move gets a hint and a number; its players point at random at words of the hint until they have "
    + "that many hits, or miss. Who finds all own agents first wins, who finds an assassin loses. Both spymasters "
    + "share the hints.",
  sample: "9 R\nplate screen novel robin iron server table lemon eagle\nR I A B R B R B I\n7\n3 robin server plate\n"
    + "3 server screen plate\n2 screen server\n3 iron table lemon\n2 robin novel\n3 iron screen table\n"
    + "3 eagle lemon robin\n",
  players: ["Red", "Blue"],
  graph: "The chance that Red wins",
  range: [0, 1],
  mistake: 0.1,
  lossText: points,
  examples: [
    ["The contest’s board", "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n"],
    ["A certain hint: red wins at once", "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n"],
  ],

  ask({ input }, signal, progress) {
    const identities = input.trim().split("\n")[2]?.trim().split(/\s+/) ?? [];
    if (identities.filter((identity) => identity !== ".").length <= SMALL) return ask("codenames", { input }, signal);
    return follow("codenames/stream", { body: input, signal }, ({ done, total }) => progress(done / total));
  },

  read(answer, { input, chance }) {
    const team = TEAMS[answer.mover];
    const best = answer.moves[0]?.probability ?? 0;
    const isRed = answer.mover === "R";
    // Nobody may win a board that is blocked, so the other team's chance is not the rest.
    const redChance = isRed ? answer.probability : answer.blocked_by?.length ? null : 1 - answer.probability;
    const common = {
      value: redChance,
      raw: answer.answer,
      number: percent(answer.probability),
      unit: `that ${team}, to move, wins`,
      exact: String(answer.probability),
      note: answer.blocked_by?.length ? `${team} cannot win: no hint mentions ${answer.blocked_by.join(" ")}` : null,
      mover: isRed ? 0 : 1,
      moves: /** @type {Move[]} */ ([]),
    };
    if (chance) {
      const winner = TEAMS[OTHER[answer.mover]];
      const over = `The game is over: ‘${chance}’ is the assassin, ${winner} has won.`;
      return { ...common, value: isRed ? 0 : 1, number: percent(0), raw: "0", exact: null, over };
    }
    if (answer.over) return { ...common, over: `The game is over: ${answer.over}.` };
    if (answer.guessing) {
      const most = Math.max(...answer.first_guesses.map((guess) => guess.probability));
      const results = answer.first_guesses.map((guess) => {
        const next = guess.next === undefined ? { input, chance: guess.word } : { input: guess.next };
        turned.set(next, guess.word);
        return {
          name: guess.word,
          weight: 1,
          loss: most - guess.probability,
          number: percent(guess.probability),
          look: guess.identity,
          cell: guess.word,
          next,
        };
      });
      const note = `${team} follows the hint ${hintOf(input)}`;
      return { ...common, note, chance: { name: "Point at a word", results } };
    }
    const board = parse(input);
    return {
      ...common,
      title: `Hints for ${team}`,
      column: `${team} wins`,
      confirm: true,
      moves: answer.moves.map((move) => ({
        name: `${move.words.join(" ")}: ${move.number}`,
        number: percent(move.probability),
        loss: best - move.probability,
        share: move.probability,
        ways: [{
          touch: [move.words],
          next: { input: write({ ...board, guessing: `guessing: hint ${move.hint} with number ${move.number}` }) },
        }],
      })),
    };
  },

  board(spot, answer) {
    const { input, chance } = spot;
    const now = turned.get(spot);
    const pointed = answer?.guessing && !chance ? new Set(answer.first_guesses.map(({ word }) => word)) : null;
    const { cards } = parse(input);
    const style = { "--columns": String(Math.min(5, Math.ceil(Math.sqrt(cards.length)))) };
    return h("div", { class: "cards", style }, cards.map(({ word, identity }) => h("button", {
      class: `card ${identity === "." ? "over" : identity}${word === chance ? " found" : ""}`
        + (word === now ? " turned" : "") + (pointed && !pointed.has(word) ? " aside" : ""),
      "data-cell": word,
    }, h("span", { class: "word" }, word), h("small", {}, word === chance ? "found" : NAMES[identity]))));
  },

  edit: {
    palette: /** @type {Identity[]} */ (["R", "B", "I", "A", "."]).map((glyph) =>
      ({ glyph, name: NAMES[glyph], look: glyph === "." ? "none" : glyph })),
    put(input, cell, glyph) {
      const board = parse(input);
      const cards = board.cards.map((card) =>
        (card.word === cell ? { ...card, identity: /** @type {Identity} */ (glyph) } : card));
      // A changed card ends the turn: its hint may have no words left.
      return write({ ...board, guessing: null, cards });
    },
    fields(input, set) {
      const board = parse(input);
      return [
        moverField(["Red", "Blue"], TEAMS[board.team], (name) =>
          set(write({ ...board, guessing: null, team: name === "Red" ? "R" : "B" }))),
        h("div", { class: "row" }, h("button", { onclick: () => set(swapTeams(input)) }, "Swap teams")),
      ];
    },
  },

  extra({ answer }) {
    const best = answer.moves[0];
    if (answer.numbers.length < 2 || !best) return [];
    const numbers = answer.numbers.map(({ number, probability }) => `${number}: ${percent(probability)}`).join("  ·  ");
    return [panel(`The best hint, ${best.words.join(" ")}, by number`, h("p", { class: "note" }, numbers))];
  },
};

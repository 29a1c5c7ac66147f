import { ask } from "./api.js";
import { atLeast, h } from "./view.js";

/** @import { Answers, Face, Game, Jenga, JengaMove, Move, Place, Result, Way } from "./types.d.ts" */

/** @type {Place[]} */
const PLACES = ["left", "middle", "right"];
/** @type {Record<string, string>} */
const LETTERS = { red: "R", green: "G", blue: "B" };
/** @type {Record<string, string>} */
const NAMES = { R: "red", G: "green", B: "blue", ".": "empty" };

/** @param {string[]} levels */
const write = (levels) => `${levels.length}\n${levels.join("\n")}\n`;
/** @param {string} input */
function levelsOf(input) {
  const levels = input.trim().split(/\s+/).slice(1);
  if (levels.length === 0 || levels.some((level) => !/^[RGB.]{3}$/.test(level))) throw new Error("no tower");
  return levels;
}
/** @param {string} level */
const mirror = (level) => [...level].reverse().join("");
/** @param {string} level */
const swapColours = (level) => level.replaceAll("G", "#").replaceAll("B", "G").replaceAll("#", "B");
/** @type {(level: string, place: number, letter: string) => string} */
const put = (level, place, letter) => level.slice(0, place) + letter + level.slice(place + 1);

/** @typedef {{ from: [number, number], to: [number, number], levels: string[], kind: string }} Taking */

/**
 * Everything that can be done with blocks of a colour. Moves of the same kind have the same value: the order of the
 * levels and the side of a level do not matter.
 * @type {(levels: string[], letter: string) => Taking[]}
 */
function takings(levels, letter) {
  /** @type {Taking[]} */
  const found = [];
  const top = levels[levels.length - 1];
  const base = top.includes(".") ? levels : [...levels, "..."];
  const goal = base.length - 1;
  /** @param {string[]} pair */
  const either = (pair) => [pair.join(), pair.map(mirror).join()].sort()[0];
  for (let level = 0; level < levels.length - 1; level += 1) {
    for (let place = 0; place < 3; place += 1) {
      if (levels[level][place] !== letter) continue;
      const left = put(levels[level], place, ".");
      if (left[1] === "." && (left[0] === "." || left[2] === ".")) continue;
      for (let at = 0; at < 3; at += 1) {
        if (base[goal][at] !== ".") continue;
        const full = put(base[goal], at, letter);
        const kind = `${either([levels[level], left])} ${either([base[goal], full])}`;
        found.push({ from: [level, place], to: [goal, at], levels: base.with(level, left).with(goal, full), kind });
      }
    }
  }
  return found;
}

/** @param {number} minutes */
const shown = (minutes) => `${minutes.toFixed(3)} min`;

/**
 * The moves after a face, each with all its ways. Before the throw their names say the face.
 * @type {(answer: Jenga, face: Face, isThrown: boolean) => Move[]}
 */
function movesOf(answer, face, isThrown) {
  const { moves } = answer.faces.find((other) => other.face === face) ?? { moves: [] };
  const all = takings(answer.levels, LETTERS[face] ?? "");
  const least = moves[0]?.minutes ?? 0;
  /** @type {(move: JengaMove) => Way[]} */
  const waysOf = ({ take, put: goal }) => {
    const own = all.find(({ from, to }) => from[0] === take.level - 1 && PLACES[from[1]] === take.place
      && to[0] === goal.level - 1 && PLACES[to[1]] === goal.place);
    return all.filter((other) => other.kind === own?.kind)
      .sort((one, other) => Number(other === own) - Number(one === own))
      .map(({ from, to, levels }) => ({ touch: [[from.join()], [to.join()]], next: { input: write(levels) } }));
  };
  return moves.map((move) => ({
    group: face,
    name: `${isThrown ? "" : `${face}: `}${move.take.level} ${move.take.place} → ${move.put.level} ${move.put.place}`,
    number: shown(move.minutes),
    loss: Math.max(0, move.minutes - least),
    share: least / (move.minutes || 1),
    ways: waysOf(move),
  }));
}

/** @type {Game<Answers["jenga"]>} */
export const jenga = {
  name: "jenga",
  title: "Coloured Jenga",
  short: "Jenga",
  line: "A die names a colour; move such a block to the top. Finish soon.",
  rules: "Every minute a die with two green, two blue, one red and one black side names a colour. Take a block of it "
    + "from below the top and put it on the top; wait where that is impossible. The game ends when no block can be "
    + "taken, and the player wants it to end soon.",
  sample: "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n",
  players: ["Player"],
  graph: "Expected minutes to the end",
  mistake: 1,
  lossText: (minutes) => `${atLeast(minutes, 3)} min`,
  examples: [
    ["The contest’s tower of six levels", "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n"],
    ["Nothing but red: one side of six helps", "6\nRRR\nRRR\nRRR\nRRR\nRRR\nRRR\n"],
    ["The middle of a game", "3\nRGR\n.RG\nG..\n"],
  ],
  transforms: [{ name: "Mirror", change: (input) => write(levelsOf(input).map(mirror)) }],

  ask: ({ input }, signal) => ask("jenga", { input }, signal),

  read(answer, { input, chance }) {
    const common = {
      value: answer.minutes,
      raw: answer.answer,
      number: shown(answer.minutes),
      unit: "to the end, expected",
      exact: `${answer.answer} minutes`,
      mover: 0,
      over: answer.over && `The game is over: ${answer.over}.`,
      moves: /** @type {Move[]} */ ([]),
    };
    if (answer.over) return common;
    if (!chance) {
      /** @type {Result[]} */
      const results = answer.faces.map(({ face, sides, moves: after }) => ({
        name: face, weight: sides, look: face, number: shown(after[0]?.minutes ?? answer.minutes),
        next: { input, chance: face },
      }));
      if (!results.some(({ name }) => name === "black")) {
        const next = { input, chance: "black" };
        results.push({ name: "black", weight: 1, look: "black", number: common.number, next });
      }
      const all = answer.faces.flatMap(({ face }) => movesOf(answer, face, false));
      return { ...common, moves: all, chance: { name: "Throw the die", results } };
    }
    const moves = movesOf(answer, /** @type {Face} */ (chance), true);
    const came = { name: chance, look: chance };
    if (moves.length === 0) {
      const name = chance === "black" ? "Wait a minute" : `Wait: no ${chance} block can be taken`;
      moves.push({ name, number: common.number, loss: 0, share: 1, ways: [{ touch: [], next: { input } }] });
      return { ...common, came, title: `The die shows ${chance}`, moves };
    }
    const best = answer.faces.find(({ face }) => face === chance)?.moves[0];
    const minutes = best?.minutes ?? answer.minutes;
    return {
      ...common, came, value: minutes, number: shown(minutes), raw: String(minutes), exact: `${minutes} minutes`,
      unit: `to the end with ${chance}`, title: `The die shows ${chance}: moves`, moves,
    };
  },

  board({ input, chance }) {
    const levels = levelsOf(input);
    const shownLevels = levels[levels.length - 1].includes(".") ? levels : [...levels, "..."];
    const rows = shownLevels.map((blocks, level) => h("div", { class: "level" },
      h("span", { class: "note" }, String(level + 1)),
      [...blocks].map((block, place) => h("button", {
        class: `block ${block === "." ? "empty" : block}`,
        "data-cell": `${level},${place}`,
        "aria-label": `level ${level + 1} ${PLACES[place]}: ${NAMES[block]}`,
      }, block === "." ? "" : block))));
    return h("div", { class: `tower${chance ? " choosing" : ""}` }, rows.reverse());
  },

  edit: {
    palette: [..."RGB."].map((glyph) => ({ glyph, name: NAMES[glyph], look: NAMES[glyph] })),
    put(input, cell, glyph) {
      const levels = levelsOf(input);
      const [level, place] = cell.split(",").map(Number);
      const all = level < levels.length ? levels : [...levels, "..."];
      const changed = all.with(level, put(all[level], place, glyph));
      return write(changed[changed.length - 1] === "..." ? changed.slice(0, -1) : changed);
    },
    fields(input, set) {
      const swap = () => set(write(levelsOf(input).map(swapColours)));
      return [h("div", { class: "row" },
        h("button", { onclick: () => set(write([...levelsOf(input), "RGB"])) }, "Add a level"),
        h("button", { onclick: () => set(write(levelsOf(input).slice(0, -1))) }, "Remove a level"),
        h("button", { onclick: swap }, "Swap green and blue"))];
    },
  },
};


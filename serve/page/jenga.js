import { ask } from "./api.js";
import { h, panel } from "./view.js";

const PLACES = ["left", "middle", "right"];
const LETTERS = { red: "R", green: "G", blue: "B" };
/// The six sides of the die.
const SIDES = ["red", "green", "green", "blue", "blue", "black"];

const write = (levels) => `${levels.length}\n${levels.join("\n")}\n`;
const levelsOf = (input) => input.trim().split(/\s+/).slice(1);
const swapLetters = (text, one, other) => text.replaceAll(one, "#").replaceAll(other, one).replaceAll("#", other);
const count = (level) => [...level].filter((letter) => letter !== ".").length;
const put = (level, place, letter) => level.slice(0, place) + letter + level.slice(place + 1);

/// Whether a block may be taken: it is below the top, and the rest of its level stays stable.
function isTakable(levels, level, place) {
  if (level >= levels.length - 1 || levels[level][place] === ".") return false;
  const left = put(levels[level], place, ".");
  return left[1] !== "." || (left[0] !== "." && left[2] !== ".");
}

/// Every possible tower after this block is taken and put on top.
function towersAfter(levels, level, place) {
  const letter = levels[level][place];
  const left = levels.with(level, put(levels[level], place, "."));
  const top = left.at(-1);
  if (count(top) === 3) return PLACES.map((_, at) => write([...left, put("...", at, letter)]));
  return PLACES.flatMap((_, at) => (top[at] === "." ? [write(left.with(-1, put(top, at, letter)))] : []));
}

export const jenga = {
  name: "jenga",
  title: "Coloured Jenga",
  rules: "Every minute a die with two green, two blue, one red and one black side names a colour. Take a block of it from below the top and put it on the top; wait where that is impossible. The game ends when no block can be taken, and the player wants it to end soon.",
  sample: "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n",
  transforms: [
    { name: "Mirror", change: (input) => write(levelsOf(input).map((level) => [...level].reverse().join(""))) },
    { name: "Swap green and blue", change: (input) => write(levelsOf(input).map((level) => swapLetters(level, "G", "B"))) },
  ],

  read(answer, view) {
    const thrown = view.parameters.get("face");
    const faces = answer.faces.filter((face) => !thrown || face.face === thrown);
    const most = Math.max(...answer.faces.flatMap((face) => face.moves.map((move) => move.minutes)), answer.minutes, 1e-9);
    const groups = faces.map((face) => {
      const least = face.moves[0]?.minutes ?? 0;
      return {
        title: thrown ? null : `${face.face}, ${face.sides} of 6 sides`,
        moves: face.moves.map((move, place) => ({
          name: `${thrown ? "" : `${face.face}: `}level ${move.take.level} ${move.take.place} → level ${move.put.level} ${move.put.place}${move.ways > 1 ? ` (${move.ways} alike)` : ""}`,
          number: `${move.minutes.toFixed(4)} min`,
          share: move.minutes / most,
          cost: move.minutes - least < 5e-7 ? "" : (move.minutes - least).toFixed(3),
          best: place === 0 && Boolean(thrown),
          minutes: move.minutes,
          take: move.take,
          put: move.put,
          next: move.next,
        })),
      };
    });
    if (thrown && !answer.over && groups.every((group) => group.moves.length === 0)) {
      groups.push({ moves: [{ name: thrown === "black" ? "wait" : `wait: no ${thrown} block can be taken`, number: "", share: 0, cost: "", best: true, next: view.input }] });
    }
    if (!thrown && !answer.over) groups.unshift({ moves: [{ name: "throw the die", number: "", share: 0, cost: "", best: true, play: () => throwDie(view) }] });
    return {
      value: answer.answer,
      unit: "expected minutes to the end",
      over: answer.over && `The game is over: ${answer.over}.`,
      moves: thrown ? `Moves after ${thrown}, best first` : "Moves by colour, best first",
      groups,
    };
  },

  picture(view) {
    const { answer } = view;
    const thrown = view.parameters.get("face");
    const letter = LETTERS[thrown];
    const { levels } = answer;
    const moves = view.read.groups.flatMap((group) => group.moves).filter((move) => move.take);
    const best = thrown ? moves[0] : null;
    const isSpot = (spot, level, place) => spot && spot.level === level + 1 && spot.place === PLACES[place];

    const take = async (level, place) => {
      const listed = moves.find((move) => isSpot(move.take, level, place));
      if (listed) return view.play(listed);
      let towers;
      try {
        towers = await Promise.all(towersAfter(levels, level, place).map(async (next) => ({ next, minutes: (await ask("jenga", { input: next }, view.signal)).minutes })));
      } catch (error) {
        // Aborted: the page shows another tower by now.
        if (error.name !== "AbortError") view.status.textContent = error.message;
        return null;
      }
      const found = towers.reduce((one, other) => (other.minutes < one.minutes ? other : one));
      const cost = found.minutes - moves[0].minutes;
      const share = (moves[0].share * found.minutes) / moves[0].minutes;
      return view.play({ name: `level ${level + 1} ${PLACES[place]}`, number: found.minutes.toFixed(4), share, cost: cost < 5e-7 ? "" : cost.toFixed(3), next: found.next });
    };

    const shown = best && best.put.level > levels.length ? [...levels, "..."] : levels;
    const rows = shown.map((blocks, level) => h("div", { class: "level" },
      h("span", { class: "note" }, String(level + 1)),
      [...blocks].map((block, place) => {
        const isPut = best && isSpot(best.put, level, place);
        if (block === ".") return h("div", { class: `block empty${isPut ? " put" : ""}`, role: "img", "aria-label": isPut ? "put it here" : "empty" });
        const lit = block === letter && isTakable(levels, level, place);
        const isBest = best && isSpot(best.take, level, place);
        return h("button", {
          class: `block ${block}${lit ? " take" : ""}${lit && isBest ? " best" : ""}`,
          disabled: !lit,
          "aria-label": `${block}, level ${level + 1} ${PLACES[place]}${isBest ? ", the best to take" : ""}`,
          onclick: () => take(level, place),
        }, block);
      })));
    const faces = ["red", "green", "blue", "black"].map((face) =>
      h("button", { class: "face", "data-face": face, "aria-pressed": String(face === thrown), onclick: () => view.turn({ input: view.input, face }) },
        h("i", { class: face }), face));
    return [panel("The tower",
      h("div", { class: `tower${thrown ? " choosing" : ""}` }, rows.reverse()),
      h("div", { class: "row" },
        h("button", { class: "main", onclick: () => throwDie(view) }, "Throw the die"),
        faces),
      h("p", { class: "note" }, thrown
        ? "Blocks with a frame can be taken; the green frame is the best one, the outlined place is where it goes."
        : "Throw the die or choose what it shows."))];
  },
};

function throwDie(view) {
  const face = SIDES[Math.floor(Math.random() * SIDES.length)];
  view.turn({ input: view.input, face });
  return null;
}

import { Refusal } from "./api.js";
import { costOf } from "./play.js";
import { h, panel, plot, svg } from "./view.js";

const PIPS = {
  1: [[2, 2]], 2: [[1, 1], [3, 3]], 3: [[1, 1], [2, 2], [3, 3]], 4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]], 6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/// A die face.
function face(number) {
  return svg("svg", { viewBox: "0 0 64 64", "aria-hidden": "true" },
    svg("rect", { x: 2, y: 2, width: 60, height: 60, rx: 12 }),
    PIPS[number].map(([x, y]) => svg("circle", { cx: x * 16, cy: y * 16, r: 6 })));
}

const text = (mover, a, b) => `1\n${mover ? `to move: ${mover}\n` : ""}${a.join(" ")}\n${b.join(" ")}\n`;
const roll = () => 1 + Math.floor(Math.random() * 6);

/// Marks the dice of a hand that are kept: one die for each face in `kept`.
function marks(hand, kept) {
  const left = [...kept];
  return hand.map((number) => {
    const place = left.indexOf(number);
    if (place < 0) return false;
    left.splice(place, 1);
    return true;
  });
}

export const dice = {
  name: "dice",
  title: "Dice poker",
  rules: "Two players, five dice each. A rerolls any of his dice once; B sees the result and rerolls any of hers. The heavier hand wins; equal hands are no win for A. From five of a kind down to nothing, as in poker.",
  sample: "1\n1 2 3 1 1\n1 2 3 4 5\n",

  read(answer) {
    const found = answer.cases[0];
    if (!found) throw new Refusal({ what: "the input has no case", remedy: "write the number 1 and a pair of hands" });
    const best = found.moves[0]?.probability ?? found.probability;
    return {
      value: found.answer,
      unit: "the chance that A wins",
      note: `exactly ${found.fraction}${answer.cases.length > 1 ? `; the first of ${answer.cases.length} cases` : ""}`,
      over: found.over,
      moves: found.mover && `What ${found.mover} rerolls, best first`,
      groups: [{
        moves: found.moves.map((move, place) => ({
          name: move.reroll.length ? `reroll ${move.reroll.join(" ")}, keep ${move.keep.join(" ") || "nothing"}` : "keep all",
          number: move.answer,
          share: found.mover === "B" ? 1 - move.probability : move.probability,
          cost: costOf(best, move.probability),
          best: place === 0,
          play: () => ({ input: after(found, move.keep) }),
        })),
      }],
    };
  },

  picture(view) {
    const found = view.answer.cases[0];
    const chosen = view.parameters.get("keep");
    const edit = view.parameters.get("edit") === "1";
    const kept = chosen === null ? found.moves[0]?.keep ?? [] : chosen.split("").map(Number).filter(Boolean);
    const parameters = (changes) => Object.fromEntries(Object.entries({ input: view.input, edit: edit ? "1" : null, ...changes }).filter(([, value]) => value !== null));

    const row = (who, hand) => {
      const decides = found.mover === who && !edit;
      const marked = decides ? marks(hand.dice, kept) : hand.dice.map(() => false);
      const click = (place) => {
        if (edit) {
          const changed = hand.dice.with(place, (hand.dice[place] % 6) + 1);
          const mover = found.mover === "B" ? "B" : found.mover ? null : "nobody";
          return view.turn(parameters({ input: text(mover, who === "A" ? changed : found.a.dice, who === "B" ? changed : found.b.dice) }));
        }
        const keep = hand.dice.filter((_, other) => (other === place ? !marked[other] : marked[other]));
        return view.turn(parameters({ keep: keep.join("") || "0" }));
      };
      return h("div", { class: "hand-row" },
        h("span", { class: "who" }, who),
        h("div", {},
          h("div", { class: "hand" }, hand.dice.map((number, place) =>
            h("button", {
              class: `die${marked[place] ? " kept" : ""}`,
              disabled: !decides && !edit,
              "aria-pressed": decides ? String(marked[place]) : undefined,
              "aria-label": decides ? `${number}, ${marked[place] ? "kept" : "rerolled"}` : `${number}`,
              onclick: () => click(place),
            }, face(number)))),
          h("p", { class: "note" }, hand.arrangement)));
    };

    const same = (move) => [...move.keep].sort().join("") === [...kept].sort().join("");
    const choice = found.moves.find(same);
    const parts = [panel("The dice",
      row("A", found.a),
      row("B", found.b),
      h("div", { class: "row" },
        choice && h("button", { class: "main", id: "roll", onclick: () => view.play(view.read.groups[0].moves[found.moves.indexOf(choice)]) },
          choice.reroll.length ? `Roll ${choice.reroll.length}` : "Keep all"),
        h("button", { "aria-pressed": String(edit), onclick: () => view.turn(parameters({ edit: edit ? null : "1" })) }, "Change dice")),
      found.mover && h("p", { class: "note" }, edit
        ? "A click turns a die to its next face."
        : `${found.mover} decides. Framed dice are kept; a click changes that. At first the best choice is framed.`))];
    if (choice && choice.outcomes.length > 0) {
      const title = choice.reroll.length ? `What ${found.mover} gets after rerolling ${choice.reroll.join(" ")}` : `What ${found.mover} has`;
      parts.push(panel(title, plot(choice.outcomes.map((outcome) => ({ name: outcome.arrangement, share: outcome.probability })))));
    }
    return parts;
  },
};

/// The position after the mover has kept these dice and rerolled the others.
function after(found, keep) {
  const thrown = (hand) => [...keep, ...Array.from({ length: 5 - keep.length }, roll)].sort((one, other) => one - other);
  return found.mover === "A"
    ? text("B", thrown(found.a.dice), found.b.dice)
    : text("nobody", found.a.dice, thrown(found.b.dice));
}

import { ask, follow } from "./api.js";
import { costOf } from "./play.js";
import { h, panel, percent } from "./view.js";

const NAMES = { R: "red agent", B: "blue agent", I: "bystander", A: "assassin", ".": "revealed" };
const TEAMS = { R: "Red", B: "Blue" };
/// Boards with more unrevealed cards may take long, so their progress is shown.
const SMALL = 12;
const CYCLE = ["R", "B", "I", "A", "."];

/// The parts of a judge's text.
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  const words = lines[1].split(/\s+/);
  return {
    team: lines[0].split(/\s+/)[1],
    cards: words.map((word, place) => ({ word, identity: lines[2].split(/\s+/)[place] })),
    hints: lines.slice(4).map((line) => line.split(/\s+/).slice(1)),
  };
}

function write({ team, cards, hints }) {
  const lines = [`${cards.length} ${team}`, cards.map((card) => card.word).join(" "), cards.map((card) => card.identity).join(" "), String(hints.length)];
  return `${[...lines, ...hints.map((hint) => `${hint.length} ${hint.join(" ")}`)].join("\n")}\n`;
}

const swapTeams = { R: "B", B: "R" };

export const codenames = {
  name: "codenames",
  title: "Codenames",
  rules: "The team to move gets a hint and a number; its players point at random at words of the hint until they have that many hits, or miss. Who finds all own agents first wins, who finds an assassin loses. Both spymasters share the hints.",
  sample: "9 R\nplate screen novel robin iron server table lemon eagle\nR I A B R B R B I\n7\n3 robin server plate\n3 server screen plate\n2 screen server\n3 iron table lemon\n2 robin novel\n3 iron screen table\n3 eagle lemon robin\n",
  kind: "ordinary",
  transforms: [
    {
      name: "Swap teams",
      change: (input) => {
        const board = parse(input);
        return write({ ...board, team: swapTeams[board.team], cards: board.cards.map((card) => ({ ...card, identity: swapTeams[card.identity] ?? card.identity })) });
      },
    },
  ],

  /// Shows the progress of large boards.
  async ask(view, show) {
    const identities = view.input.trim().split("\n")[2]?.trim().split(/\s+/) ?? [];
    if (identities.filter((identity) => identity !== ".").length <= SMALL) return ask("codenames", { input: view.input }, view.signal);
    const bar = h("progress", { max: 1, "aria-label": "How far the board is solved" });
    const wait = setTimeout(() => show(panel("The board is being solved", bar)), 300);
    try {
      return await follow("codenames/stream", { body: view.input, signal: view.signal }, (_, { done, total }) => {
        bar.value = done / total;
      });
    } finally {
      clearTimeout(wait);
    }
  },

  read(answer, view) {
    const team = TEAMS[answer.mover];
    const won = view.parameters.get("won");
    const best = answer.moves[0]?.probability ?? 0;
    return {
      value: won ? (won === team ? "1" : "0") : answer.answer,
      unit: `the chance that ${team}, to move, wins`,
      note: answer.blocked_by?.length ? `${team} cannot win: no hint mentions ${answer.blocked_by.join(" ")}` : null,
      over: won ? `The game is over: an assassin was found, ${won} has won.` : answer.over && `The game is over: ${answer.over}.`,
      moves: `Hints for ${team}, best first`,
      groups: [{
        moves: won ? [] : answer.moves.map((move, place) => ({
          name: `hint ${move.hint}, number ${move.number}: ${move.words.join(" ")}`,
          number: move.answer,
          share: move.probability,
          cost: costOf(best, move.probability, 4),
          best: place === 0,
          play: () => guess(view, move),
        })),
      }],
    };
  },

  picture(view) {
    return cards(view);
  },

  edit(view) {
    const lines = view.input.trim().split("\n");
    const [words, identities] = [1, 2].map((line) => lines[line]?.trim().split(/\s+/).length);
    return words && words === identities ? cards(view) : [];
  },

  extra(view) {
    const { answer } = view;
    if (view.parameters.get("won") || answer.first_guesses.length === 0) return [];
    const best = answer.moves[0];
    const rows = answer.first_guesses.map((guessed) => {
      const next = guessed.next;
      const content = [h("span", { class: "bar", style: { width: percent(guessed.probability) } }),
        h("span", { class: "name" }, `${guessed.word} (${NAMES[guessed.identity]}): ${guessed.outcome}`),
        h("span", { class: "number" }, guessed.answer)];
      return h("li", {}, h("button", {
        disabled: !next,
        onclick: () => view.play({ name: `${guessed.word}: ${guessed.outcome}`, share: guessed.probability, cost: "", number: guessed.answer, next }),
      }, content));
    });
    return [
      panel(`What each first guess after hint ${best.hint} leads to`, h("ol", { class: "moves" }, rows)),
      answer.numbers.length > 1 && panel(`Hint ${best.hint} by number`, h("p", { class: "note" },
        answer.numbers.map((number) => `${number.number}: ${number.answer}`).join("  ·  "))),
    ].filter(Boolean);
  },
};

/// The cards as buttons. A click turns the identity of a card, or reveals it.
function cards(view) {
  const board = parse(view.input);
  const reveals = view.parameters.get("click") === "reveal";
  const mode = (value) => (value ? { click: "reveal" } : {});
  const turn = (place) => {
    const card = board.cards[place];
    const identity = reveals ? "." : CYCLE[(CYCLE.indexOf(card.identity) + 1) % CYCLE.length];
    return view.turn({ input: write({ ...board, cards: board.cards.with(place, { ...card, identity }) }), ...mode(reveals) });
  };
  return [panel("The cards",
    h("div", { class: "cards" }, board.cards.map((card, place) =>
      h("button", { class: `card ${card.identity === "." ? "over" : card.identity}`, id: `card-${place}`, onclick: () => turn(place), "data-card": card.word },
        card.word, h("small", {}, NAMES[card.identity])))),
    h("div", { class: "row" },
      h("button", { id: "reveal", "aria-pressed": String(reveals), onclick: () => view.turn({ input: view.input, ...mode(!reveals) }) }, "Reveal cards")),
    h("p", { class: "note" }, reveals
      ? "A click reveals a card."
      : "A click turns a card’s identity: red, blue, bystander, assassin, revealed. Words and hints are edited below. A click on a hint lets chance point at its words."))];
}

/// Guesses random words of a hint by the rules, until the turn ends.
function guess(view, move) {
  const board = parse(view.input);
  const words = [...move.words];
  for (let hits = 0; hits < move.number && words.length > 0;) {
    const [word] = words.splice(Math.floor(Math.random() * words.length), 1);
    const card = board.cards.find((found) => found.word === word);
    const { identity } = card;
    if (identity === "A") return { input: view.input, won: TEAMS[swapTeams[board.team]] };
    card.identity = ".";
    const left = (team) => board.cards.some((other) => other.identity === team);
    if (identity !== board.team || !left(board.team)) break;
    hits += 1;
  }
  return { input: write({ ...board, team: swapTeams[board.team] }) };
}

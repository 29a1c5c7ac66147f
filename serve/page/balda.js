import { ask, follow, refusalOf } from "./api.js";
import { h, panel } from "./view.js";

/** @import { Answers, BaldaGame, BaldaMove, Game, Line, Spot } from "./types.d.ts" */

/** @typedef {[number, number]} Cell */
/** @typedef {{ language: string, rows: string[][], used: string[] }} Board */

/** @type {Record<string, Cell>} */
const STEPS = { l: [0, -1], r: [0, 1], u: [-1, 0], d: [1, 0] };
/** @type {Record<string, string>} */
const WORDS = { en: "kenaf", ru: "сыщик", tr: "havuc" };
/** The letters of the word lists. @type {Record<string, string>} */
const LETTERS = { ru: "абвгдежзийклмнопрстуфхцчшщъыьэюя" };
const PLAIN = { spellcheck: "false", autocomplete: "off", autocapitalize: "off" };
const LANGUAGES = [["en", "English"], ["ru", "Russian"], ["tr", "Turkish"]];
/// A board of a game with a dictionary of the user's own: the server does not know its words.
const OWN = "own words";

/**
 * The cells of a move's word.
 * @param {BaldaMove} move
 */
function path(move) {
  let [row, column] = [move.first_row - 1, move.first_column - 1];
  /** @type {Cell[]} */
  const cells = [[row, column]];
  for (const step of move.steps) {
    const [down, right] = STEPS[step] ?? [0, 0];
    [row, column] = [row + down, column + right];
    cells.push([row, column]);
  }
  return cells;
}

/** @type {(input: string) => Board} */
function parse(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  const side = [...(lines[1] ?? "")].length;
  const rows = lines.slice(1, side + 1).map((row) => [...row]);
  if (side === 0 || rows.length !== side || rows.some((row) => row.length !== side)) throw new Error("no board");
  return { language: lines[0], rows, used: lines.slice(side + 1) };
}

/** @type {(board: Board) => string} */
const write = ({ language, rows, used }) =>
  `${language}\n${rows.map((row) => row.join("")).join("\n")}\n${used.join("\n")}\n`;

/** @type {(language: string, word: string) => string} */
function startOf(language, word) {
  const letters = [...word];
  const rows = letters.map((_, row) => (row === Math.floor(letters.length / 2) ? letters : letters.map(() => ".")));
  return write({ language, rows, used: [word] });
}

/** @type {(spot: Spot, move: Pick<BaldaMove, "row" | "column" | "letter" | "word">) => Spot} */
function after({ input, chance }, { row, column, letter, word }) {
  const board = parse(input);
  const rows = board.rows.with(row - 1, board.rows[row - 1].with(column - 1, letter));
  const next = { input: write({ ...board, rows, used: [...board.used, word] }) };
  return chance ? { ...next, chance } : next;
}

/** @type {(language: string) => string[]} */
const lettersIn = (language) => [...(LETTERS[language] ?? "abcdefghijklmnopqrstuvwxyz")];

/** @param {string} id */
const languageField = (id) =>
  h("select", { id }, LANGUAGES.map(([code, name]) => h("option", { value: code }, name)));

/** The lengths of the words made so far. @param {string[]} used */
const lettersOf = (used) => used.slice(1).map((word) => [...word].length);
/** @param {number[]} lengths */
const sum = (lengths) => lengths.reduce((total, length) => total + length, 0);

/** How a word is read, for the address. @type {WeakMap<Spot, BaldaMove>} */
const read = new WeakMap();

/**
 * A Russian or Latin text in CP866, the encoding of a judge's input.
 * @param {string} text
 */
const encode = (text) => Uint8Array.from([...text].map((letter) => {
  const code = letter.codePointAt(0) ?? 0;
  if (code < 0x80) return code;
  if (code >= 0x430 && code <= 0x43f) return code - 0x430 + 0xa0;
  if (code >= 0x440 && code <= 0x44f) return code - 0x440 + 0xe0;
  // No word list has this byte, so the server refuses the line.
  return letter === "ё" ? 0xf1 : 0xff;
}));

/**
 * The judge's input for a file: the file itself if its first line is a language, else a list of words.
 * The list is in UTF-8 or CP866.
 * @type {(bytes: Uint8Array<ArrayBuffer>, language: string, word: string) => Uint8Array<ArrayBuffer>}
 */
function judgeInput(bytes, language, word) {
  const first = new TextDecoder("ascii").decode(bytes.slice(0, 80)).split("\n")[0].trim();
  if (Object.hasOwn(WORDS, first)) return bytes;
  const head = encode(`${language}\n${word}\n\n`);
  let words = bytes;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    words = encode([...new Set(text.split(/\s+/).filter(Boolean))].map((listed) => `${listed}\n`).join(""));
  } catch {
    // Not UTF-8: the words are in CP866 already.
  }
  const input = new Uint8Array(head.length + words.length);
  input.set(head);
  input.set(words, head.length);
  return input;
}

/**
 * A found game as a line of positions.
 * @type {(found: BaldaGame, isOwn: boolean) => Line}
 */
function lineOf(found, isOwn) {
  const input = startOf(found.language, found.start);
  /** @type {Spot[]} */
  const spots = [isOwn ? { input, chance: OWN } : { input }];
  for (const move of found.moves) {
    const spot = after(spots[spots.length - 1], move);
    read.set(spot, move);
    spots.push(spot);
  }
  return { spots, names: found.moves.map((move) => move.word), at: found.moves.length };
}

/** @type {(count: number, name: string) => string} */
const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

/** @type {Game<Answers["balda/next"]>} */
export const balda = {
  name: "balda",
  title: "Balda",
  line: "Add a letter, read a new word through it. Long words score.",
  rules: "A word stands in the middle row. Each move puts a letter beside the filled cells and reads a new word "
    + "through it, along neighbouring cells. A word scores its letters; points are 1000 times the letters per cell.",
  sample: startOf("en", "kenaf"),
  players: ["First", "Second"],
  graph: "Points",
  // A short word may be the better one.
  mistake: Number.POSITIVE_INFINITY,
  lossText: (loss) => counted(loss, "letter"),
  examples: Object.entries({ English: "en", Russian: "ru", Turkish: "tr" }).map(([name, code]) =>
    [`${name}: ${WORDS[code]}`, startOf(code, WORDS[code])]),
  drag: true,
  hasNoSamples: true,

  ask: ({ input, chance }, signal) =>
    (chance === OWN ? Promise.resolve({ moves: [] }) : ask("balda/next", { input }, signal)),

  read(answer, spot) {
    const { rows, used } = parse(spot.input);
    const lengths = lettersOf(used);
    const points = Math.round((1000 * sum(lengths)) / (rows.length * rows.length));
    const most = [...(answer.moves[0]?.word ?? "a")].length;
    const [first, second] = [0, 1].map((player) => sum(lengths.filter((_, place) => place % 2 === player)));
    return {
      value: points,
      raw: String(points),
      number: String(points),
      unit: `points: ${counted(sum(lengths), "letter")} in ${counted(lengths.length, "word")}`,
      note: lengths.length > 0 ? `In turns: first ${first}, second ${second} letters.`
        : "Touch an empty cell, choose its letter, then touch or drag the word.",
      mover: lengths.length % 2,
      over: answer.moves.length > 0 || spot.chance ? undefined : "No word can be made: the game is over.",
      title: "Words",
      isSearch: true,
      most: "longest",
      moves: answer.moves.map((move) => {
        const size = [...move.word].length;
        const next = { input: move.next };
        read.set(next, move);
        return {
          name: move.word,
          number: `+${size}`,
          loss: most - size,
          share: size / most,
          ways: [{
            touch: [
              [`${move.row - 1},${move.column - 1}`],
              [`key ${move.letter}`],
              ...path(move).map((cell) => [cell.join()]),
            ],
            next,
          }],
        };
      }),
    };
  },

  board(spot) {
    const { rows, used } = parse(spot.input);
    const move = read.get(spot);
    const inWord = new Set(move ? path(move).map(String) : []);
    const middle = (rows.length - 1) / 2;
    const style = { "--columns": String(rows.length), maxWidth: `${Math.min(600, rows.length * 64)}px` };
    return h("div", { class: `grid letters${rows.length > 9 ? " many" : ""}`, style },
      rows.flatMap((row, y) => row.map((letter, x) => h("button", {
        class: `cell${y === middle ? " start" : ""}${inWord.has(`${y},${x}`) ? " word" : ""}`
          + (move && move.row - 1 === y && move.column - 1 === x ? " new" : ""),
        "data-cell": `${y},${x}`,
        "aria-label": `row ${y + 1}, column ${x + 1}: ${letter === "." ? "empty" : letter}`,
      }, letter === "." ? "" : letter))),
      h("p", { class: "visually-hidden" }, `Words: ${used.join(", ")}`));
  },

  edit: {
    palette: ({ input }) => [".", ...lettersIn(parse(input).language)].map((glyph) =>
      ({ glyph, name: glyph === "." ? "empty" : glyph.toUpperCase() })),
    put(input, cell, glyph) {
      const board = parse(input);
      const [row, column] = cell.split(",").map(Number);
      const rows = board.rows.with(row, board.rows[row].with(column, glyph));
      const isStart = row === (rows.length - 1) / 2;
      return write({ ...board, rows, used: isStart ? [rows[row].join(""), ...board.used.slice(1)] : board.used });
    },
    fields(input, set) {
      const board = parse(input);
      const language = languageField("edit-language");
      language.value = board.language;
      language.addEventListener("change", () => set(startOf(language.value, WORDS[language.value])));
      const word = h("input", { type: "text", id: "edit-word", size: 10, ...PLAIN });
      word.value = board.used[0];
      word.addEventListener("change", () => {
        const typed = word.value.trim().toLowerCase();
        if (typed) set(startOf(board.language, typed));
      });
      const made = h("input", { type: "text", id: "edit-made", size: 24, ...PLAIN });
      made.value = board.used.slice(1).join(" ");
      made.addEventListener("change", () =>
        set(write({ ...board, used: [board.used[0], ...made.value.toLowerCase().split(/\s+/).filter(Boolean)] })));
      return [
        h("div", { class: "row" }, h("label", { for: "edit-language" }, "Language"), language),
        h("div", { class: "row" }, h("label", { for: "edit-word" }, "Start word; its length is the size"), word),
        h("div", { class: "row" }, h("label", { for: "edit-made" }, "Words made, one for each letter"), made),
      ];
    },
    isLive: true,
  },

  tools(load) {
    const language = languageField("language");
    const word = h("input", { type: "text", id: "word", size: 12, ...PLAIN });
    word.value = WORDS.en;
    language.addEventListener("change", () => { word.value = WORDS[language.value]; });
    const seconds = h("select", { id: "seconds" },
      ["1", "3", "8", "20"].map((time) => h("option", { value: time }, `${time} s`)));
    seconds.value = "3";
    const file = h("input", { type: "file", id: "file" });
    const note = h("p", { class: "note", role: "status", id: "search" });
    /** @type {AbortController | null} */
    let running = null;
    const stop = h("button", { id: "stop", hidden: true, onclick: () => running?.abort() }, "Stop");
    const typed = () => word.value.trim().toLowerCase();

    async function another() {
      const letters = [...typed()].length;
      const seed = String(Math.floor(Math.random() * 2 ** 31));
      try {
        const parameters = { lang: language.value, letters: String(letters % 2 === 1 ? letters : 5), seed };
        word.value = (await ask("balda/start", parameters)).word;
      } catch (error) {
        note.textContent = refusalOf(error)?.message ?? "";
      }
    }

    async function search() {
      running?.abort();
      const control = new AbortController();
      running = control;
      stop.hidden = false;
      note.textContent = "Searching …";
      const chosen = file.files?.[0];
      const bytes = chosen && new Uint8Array(await chosen.arrayBuffer());
      const start = { lang: language.value, word: typed() };
      const body = bytes ? judgeInput(bytes, start.lang, start.word) : undefined;
      const parameters = { ...(bytes ? {} : start), seconds: seconds.value };
      /** @type {string | null} */
      let shown = null;
      /** @param {BaldaGame} game */
      const show = (game) => {
        // The person has gone on to another board.
        if (shown !== null && shown !== location.href) control.abort();
        if (control.signal.aborted) return;
        load(lineOf(game, Boolean(bytes)), shown !== null);
        shown = location.href;
        note.textContent = `${game.points} points so far`;
      };
      try {
        const game = await follow("balda/stream", { parameters, body, signal: control.signal }, show);
        show(game);
        if (!control.signal.aborted) {
          note.textContent = `${game.points} points, ${game.letters} letters in ${counted(game.moves.length, "word")}`;
        }
      } catch (error) {
        const refusal = refusalOf(error);
        if (running === control) note.textContent = refusal ? `${refusal.what}: ${refusal.remedy}` : "Stopped.";
      } finally {
        if (running === control) stop.hidden = true;
      }
    }
    addEventListener("popstate", () => running?.abort());

    const begin = () => load({ spots: [{ input: startOf(language.value, typed()) }], names: [], at: 0 }, false);
    return panel("A game from a start word", h("div", { class: "stack" },
      h("div", { class: "row" },
        h("label", { for: "language" }, "Words"), language, h("label", { for: "word" }, "Start"), word,
        h("button", { onclick: another }, "Another")),
      h("div", { class: "row" },
        h("button", { class: "main", id: "own", onclick: begin }, "Play it yourself"),
        h("button", { id: "find", onclick: search }, "Find a strong game"),
        h("label", { for: "seconds" }, "in"), seconds, stop),
      h("details", {}, h("summary", {}, "A dictionary of your own"),
        h("label", { for: "file" }, "A list of words, or a judge’s whole input"), file),
      note));
  },

  /// The cell and letter that are new, the first cell and the steps: the word follows from the board.
  pack(before, next) {
    const move = read.get(next);
    if (!move) throw new Error("a word that was not read on the board");
    const side = parse(before.input).rows.length;
    /** @type {(row: number, column: number) => string} */
    const cell = (row, column) => ((row - 1) * side + column - 1).toString(36);
    const letter = (move.letter.codePointAt(0) ?? 0).toString(36);
    return [cell(move.row, move.column), letter, cell(move.first_row, move.first_column), move.steps].join(".");
  },

  unpack(before, step) {
    const { rows } = parse(before.input);
    const [at, code, first, steps] = step.split(".");
    const side = rows.length;
    const [place, from] = [at, first].map((cell) => Number.parseInt(cell, 36));
    const letter = String.fromCodePoint(Number.parseInt(code, 36));
    const move = {
      row: Math.floor(place / side) + 1, column: (place % side) + 1, letter, word: "",
      first_row: Math.floor(from / side) + 1, first_column: (from % side) + 1, steps: steps ?? "",
    };
    if (!(place < side * side) || !/^[lrud]*$/.test(move.steps)) throw new Error("the step does not fit");
    const filled = rows.with(move.row - 1, rows[move.row - 1].with(move.column - 1, letter));
    move.word = path(move).map(([row, column]) => filled[row]?.[column] ?? "").join("");
    if ([...move.word].length !== move.steps.length + 1) throw new Error("the step leaves the board");
    const spot = after(before, move);
    read.set(spot, move);
    return { name: move.word, spot };
  },
};

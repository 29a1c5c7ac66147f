import { Refusal, ask, follow } from "./api.js";
import { fault, h, panel, svg } from "./view.js";

const CELL = 40;
/// Maximum number of next words on the page.
const SHOWN = 100;
const STEPS = { l: [0, -1], r: [0, 1], u: [-1, 0], d: [1, 0] };
const WORDS = { en: "kenaf", ru: "сыщик", tr: "havuc" };

/// The cells of a move's word.
function path(move) {
  const cells = [[move.first_row - 1, move.first_column - 1]];
  for (const step of move.steps) {
    const [row, column] = cells.at(-1);
    const [down, right] = STEPS[step];
    cells.push([row + down, column + right]);
  }
  return cells;
}

/// The letters after `count` moves, row by row.
function letters(game, count) {
  const side = [...game.start].length;
  const rows = Array.from({ length: side }, () => Array(side).fill("."));
  rows[(side - 1) / 2] = [...game.start];
  for (const move of game.moves.slice(0, count)) rows[move.row - 1][move.column - 1] = move.letter;
  return rows;
}

/// A board in mid-game as text, and back.
const boardText = (code, rows, used) => `${code}\n${rows.map((row) => row.join("")).join("\n")}\n${used.join("\n")}\n`;
function parseBoard(input) {
  const lines = input.split("\n").map((line) => line.trim()).filter(Boolean);
  const side = [...lines[1]].length;
  return { code: lines[0], rows: lines.slice(1, side + 1).map((row) => [...row]), used: lines.slice(side + 1) };
}

/// Moves in the judge's notation, for the address, and back. `unpack` may return moves that are not on the board.
const pack = (moves) => moves.map((move) => [move.row, move.column, move.letter, move.word, move.first_row, move.first_column, move.steps].join(" ")).join(";");
function unpack(text) {
  return (text ? text.split(";") : []).map((line) => {
    const [row, column, letter, word, firstRow, firstColumn, steps] = line.split(" ");
    return { row: Number(row), column: Number(column), letter, word, first_row: Number(firstRow), first_column: Number(firstColumn), steps };
  });
}

/// What is wrong with a game in the address, or `null`.
function wrong(game) {
  const side = [...game.start].length;
  if (side % 2 === 0 || side < 3 || side > 15) return new Refusal({ what: `'${game.start}' cannot start a game`, remedy: "choose a word of 3, 5, 7, 9, 11, 13 or 15 letters" });
  const isCell = ([row, column]) => [row, column].every((place) => Number.isInteger(place) && place >= 0 && place < side);
  const isMove = (move) => [...(move.letter ?? "")].length === 1 && move.word && /^[lrud]+$/.test(move.steps ?? "")
    && isCell([move.row - 1, move.column - 1]) && path(move).every(isCell);
  return game.moves.every(isMove) ? null : new Refusal({ what: "the address holds a move that is not on the board", remedy: "copy the whole address" });
}

/// A Russian or Latin text in CP866, the encoding of a judge's input.
const encode = (text) => Uint8Array.from([...text].map((letter) => {
  const code = letter.codePointAt(0);
  if (code < 0x80) return code;
  if (code >= 0x430 && code <= 0x43f) return code - 0x430 + 0xa0;
  if (code >= 0x440 && code <= 0x44f) return code - 0x440 + 0xe0;
  // No word list has this byte, so the server refuses the line.
  return letter === "ё" ? 0xf1 : 0xff;
}));

/// The judge's input for a file: the file itself if its first line is a language, else a list of words in UTF-8 or CP866.
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

export const balda = {
  title: "Balda",
  rules: "A word stands in the middle row. Each move puts a letter beside the filled cells and reads a new word through it, along neighbouring cells. A word scores its letters; points are 1000 times the letters per cell.",

  start(root) {
    let running = null;
    /// Counts what was shown, so that a late answer does not replace something newer.
    let shows = 0;
    let dictionary = null;

    const shownAddress = () => new URLSearchParams(location.hash.slice(1));
    const language = h("select", { id: "language" }, [["en", "English"], ["ru", "Russian"], ["tr", "Turkish"]].map(([code, name]) => h("option", { value: code }, name)));
    const word = h("input", { type: "text", id: "word", size: 14, spellcheck: "false", autocomplete: "off", autocapitalize: "off" });
    const seconds = h("select", { id: "seconds" }, ["1", "3", "8", "20"].map((time) => h("option", { value: time }, `${time} s`)));
    seconds.value = "3";
    const file = h("input", { type: "file", id: "file", onchange: async () => { dictionary = file.files[0] ? new Uint8Array(await file.files[0].arrayBuffer()) : null; } });
    const find = h("button", { class: "main", id: "find", onclick: search }, "Find a game");
    const stop = h("button", { id: "stop", hidden: true, onclick: () => running?.abort() }, "Stop");
    const text = h("textarea", { id: "text", rows: 8, spellcheck: "false", value: "en\n...\ncat\n...\ncat\n" });
    const note = h("p", { class: "note", role: "status" });
    const board = h("div", { class: "column" });
    // The slider stays the same element while it is dragged.
    const moveNumber = h("output", { for: "at" });
    const slider = h("input", { id: "at", type: "range", min: 0, "aria-label": "Move", oninput: () => goTo(Number(slider.value)) });
    const drawn = h("div", {});
    const boardPanel = panel("The board", drawn, h("div", { class: "row" }, slider, moveNumber));
    const side = h("div", { class: "column" });
    language.addEventListener("change", () => { word.value = WORDS[language.value]; });

    root.append(h("div", { class: "table" },
      h("div", { class: "column" }, panel("Start",
        h("div", { class: "row" },
          h("label", { for: "language" }, "Language"), language,
          h("label", { for: "word" }, "Start word"), word,
          h("button", { onclick: another }, "Another word")),
        h("div", { class: "row" },
          h("label", { for: "seconds" }, "Time"), seconds, find, stop,
          h("button", { id: "own", onclick: () => put({ lang: language.value, word: word.value.trim(), game: "", at: "0" }) }, "Play it yourself")),
        h("div", { class: "row" }, h("label", { for: "file" }, "Or a dictionary of your own: a list of words, or a judge’s whole input"), file),
        note), board,
      h("details", { class: "panel", id: "own-board" }, h("summary", {}, "A board in mid-game"),
        h("div", { class: "stack" },
          h("label", { for: "text" }, "The language, the rows with . for an empty cell, then the words used so far"),
          text,
          h("button", { class: "main", id: "list", onclick: () => put({ board: text.value }) }, "Next words")))),
      side));

    async function another() {
      const letters = [...word.value].length % 2 === 1 ? [...word.value].length : 5;
      try {
        word.value = (await ask("balda/start", { lang: language.value, letters, seed: Math.floor(Math.random() * 2 ** 31) })).word;
      } catch (error) {
        refuse(error);
      }
    }

    function refuse(error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      note.textContent = "";
      side.replaceChildren(fault(error));
    }

    async function search() {
      running?.abort();
      const own = new AbortController();
      running = own;
      const { signal } = own;
      stop.hidden = false;
      note.textContent = "Searching …";
      const parameters = dictionary ? { seconds: seconds.value } : { lang: language.value, word: word.value.trim(), seconds: seconds.value };
      const body = dictionary ? judgeInput(dictionary, language.value, word.value.trim()) : undefined;
      let isFirst = true;
      const shown = (game) => {
        // A search adds one entry to the browser history, even if it finds several better games.
        setAddress({ lang: game.language, word: game.start, game: pack(game.moves), at: String(game.moves.length) }, !isFirst);
        isFirst = false;
        note.textContent = `${game.points} points so far`;
      };
      try {
        const game = await follow("balda/stream", { parameters, body, signal }, (_, found) => shown(found));
        shown(game);
        note.textContent = `${game.points} points, ${game.letters} letters in ${game.moves.length} words`;
      } catch (error) {
        // A later search has stopped this one and uses the page now.
        if (running !== own) return;
        if (error.name === "AbortError") note.textContent = "Stopped.";
        refuse(error);
      } finally {
        if (running === own) stop.hidden = true;
      }
    }

    /// Shows what the user has chosen. A search that still runs would replace it, so it ends.
    function put(parameters, replace = false) {
      running?.abort();
      setAddress(parameters, replace);
    }

    function setAddress(parameters, replace) {
      const url = `${location.pathname}#${new URLSearchParams(parameters)}`;
      if (replace) history.replaceState({ depth: history.state?.depth ?? 0 }, "", url);
      else history.pushState({ depth: (history.state?.depth ?? 0) + 1 }, "", url);
      show();
    }

    function show() {
      shows += 1;
      const parameters = shownAddress();
      if (parameters.has("board")) return showBoard(parameters.get("board"));
      const code = parameters.get("lang") ?? "en";
      language.value = code;
      word.value = parameters.get("word") ?? WORDS[code] ?? "";
      if (!parameters.has("word")) {
        board.replaceChildren();
        side.replaceChildren(panel(null, h("p", {}, "Choose a start word and find a game, or play it yourself.")));
        return;
      }
      const game = { start: word.value, moves: unpack(parameters.get("game")) };
      const error = wrong(game);
      if (error) {
        board.replaceChildren();
        return refuse(error);
      }
      const at = Math.min(game.moves.length, Math.max(0, Number(parameters.get("at") ?? game.moves.length) || 0));
      draw(game, at, code);
    }

    function draw(game, count, code) {
      const rows = letters(game, count);
      const move = game.moves[count - 1];
      const sum = game.moves.slice(0, count).reduce((total, other) => total + [...other.word].length, 0);
      const size = rows.length;
      const points = Math.round((1000 * sum) / (size * size));
      drawn.replaceChildren(picture(rows, move));
      slider.max = game.moves.length;
      slider.value = count;
      moveNumber.textContent = `move ${count} of ${game.moves.length}`;
      if (!boardPanel.isConnected) board.replaceChildren(boardPanel);
      const list = h("ol", { class: "moves", id: "words" }, game.moves.map((made, place) => h("li", {},
        h("button", { class: place === count - 1 ? "best" : "", onclick: () => goTo(place + 1) },
          h("span", { class: "bar", style: { width: `${(100 * [...made.word].length) / Math.max(...game.moves.map((other) => [...other.word].length))}%` } }),
          h("span", { class: "name" }, `${place + 1}. ${made.word}`),
          h("span", { class: "number" }, `+${[...made.word].length}`)))));
      const next = h("div", {}, h("button", { id: "next", onclick: () => listNext(game, count, code, rows, next) }, "Words that can be made next"));
      side.replaceChildren(
        panel(null, h("p", { class: "value" }, h("strong", { "data-value": "" }, String(points)), h("span", {}, `points, ${sum} letters after ${count} moves`))),
        panel("Next words", next),
        game.moves.length > 0 && panel("Words", list));
    }

    function goTo(at) {
      const parameters = shownAddress();
      parameters.set("at", String(at));
      put(Object.fromEntries(parameters), true);
      document.getElementById("at")?.focus();
    }

    function listNext(game, at, code, rows, place) {
      const used = [game.start, ...game.moves.slice(0, at).map((move) => move.word)];
      const input = boardText(code, rows, used);
      return fillNext(input, place, (move) => put({ lang: code, word: game.start, game: pack([...game.moves.slice(0, at), move]), at: String(at + 1) }));
    }

    /// Shows a board given as text, with its next words. Choosing a word leads to the next board.
    async function showBoard(input) {
      text.value = input;
      document.getElementById("own-board").open = true;
      const next = h("div", {});
      const own = shows;
      const found = await fillNext(input, next, (move) => {
        const { code, rows, used } = parseBoard(input);
        rows[move.row - 1][move.column - 1] = move.letter;
        put({ board: boardText(code, rows, [...used, move.word]) });
      });
      if (own !== shows) return;
      board.replaceChildren(...(found ? [panel("The board", picture(parseBoard(input).rows))] : []));
      side.replaceChildren(panel("Next words", next));
    }

    /// Lists the next words. Returns `false` if the server refuses the board.
    async function fillNext(input, place, choose) {
      try {
        const found = await ask("balda/next", { input });
        const most = [...(found.moves[0]?.word ?? "a")].length;
        place.replaceChildren(
          h("p", { class: "note" }, found.moves.length ? `${found.moves.length} words, longest first${found.moves.length > SHOWN ? `, the first ${SHOWN} of them listed` : ""}; a click plays one` : "No word can be made: the game is over."),
          h("ol", { class: "moves", id: "next-words" }, found.moves.slice(0, SHOWN).map((move) => h("li", {},
            h("button", { onclick: () => choose(move) },
              h("span", { class: "bar", style: { width: `${(100 * [...move.word].length) / most}%` } }),
              h("span", { class: "name" }, `${move.word} (${move.letter} at ${move.row},${move.column})`),
              h("span", { class: "number" }, `+${[...move.word].length}`))))));
        return true;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        place.replaceChildren(fault(error));
        return false;
      }
    }

    addEventListener("popstate", () => {
      running?.abort();
      show();
    });
    addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.target.closest("input, textarea, select, button, a, summary")) return;
      const parameters = shownAddress();
      const at = Number(parameters.get("at") ?? 0);
      if (event.key === "ArrowLeft" && at > 0) goTo(at - 1);
      if (event.key === "ArrowRight" && at < unpack(parameters.get("game")).length) goTo(at + 1);
      if (event.key === " ") {
        event.preventDefault();
        (document.querySelector("#next-words button") ?? document.getElementById("next"))?.click();
      }
    });
    show();
  },
};

function picture(rows, move) {
  const side = rows.length;
  const cells = move ? path(move) : [];
  const inWord = new Set(cells.map(String));
  const centre = ([row, column]) => `${(column + 0.5) * CELL},${(row + 0.5) * CELL}`;
  const squares = rows.flatMap((row, y) => row.map((letter, x) => {
    const isNew = move && move.row - 1 === y && move.column - 1 === x;
    const kind = [inWord.has(String([y, x])) ? "word" : y === (side - 1) / 2 ? "start" : "", isNew ? "new" : ""].join(" ").trim();
    return svg("rect", { class: kind, x: x * CELL + 1, y: y * CELL + 1, width: CELL - 2, height: CELL - 2, rx: 4 });
  }));
  const glyphs = rows.flatMap((row, y) => row.map((letter, x) =>
    letter !== "." && svg("text", { x: (x + 0.5) * CELL, y: (y + 0.5) * CELL }, letter)));
  return svg("svg", { class: "letters", style: { maxWidth: `${Math.min(620, side * 64)}px` }, viewBox: `0 0 ${side * CELL} ${side * CELL}`, role: "img", "aria-label": `The board${move ? ` after ${move.word}` : ""}: ${rows.map((row) => row.join("")).join(", ")}` },
    squares,
    cells.length > 0 && svg("polyline", { points: cells.map(centre).join(" ") }),
    cells.length > 0 && svg("circle", { class: "from", cx: (cells[0][1] + 0.5) * CELL, cy: (cells[0][0] + 0.5) * CELL, r: 8 }),
    glyphs);
}

// The page of a game: board, toolbar, value, moves, the game so far, the edit mode, and play against the solver.
//
// `types.d.ts` says what a game has. A game says only how its board looks and what a touch means.

import { ask, refusalOf } from "./api.js";
import { addressOf, readAddress, textOf } from "./line.js";
import { gamePanel, moveOf, movesPanel, valuePanel } from "./moves.js";
import { attach, lossClass, walk } from "./touch.js";
import { fault, h, isCalm, isRepeated, panel, svg } from "./view.js";

/** @import { Game, Line, Move, Piece, Reading, Result, Spot, View, Way } from "./types.d.ts" */

/// A wait is shown after this time, in milliseconds.
const PATIENCE = 150;
/** The signs of the ways to change a position. @type {Record<string, string>} */
const SIGNS = {
  Mirror: "M12 4v16M9 8l-5 4 5 4M15 8l5 4-5 4",
  "Swap players": "M8 19V5M8 5 4 9M8 5l4 4M16 5v14M16 19l-4-4M16 19l4-4",
};
/// The solver moves after this time, in milliseconds.
const PAUSE = 600;
/// A change of the edit mode is asked about after this time, in milliseconds.
const TYPING = 200;

/** @type {(game: Game<*>, root: HTMLElement) => void} */
export function play(game, root) {
  const board = h("div", { class: "board" });
  const thrown = h("div", { class: "thrown" });
  const chosen = h("div", { class: "chosen" });
  const verdict = h("p", { class: "verdict", role: "status" });
  const value = h("div", {});
  const moves = h("div", {});
  const record = h("div", {});
  const extra = h("div", { class: "column" });
  const bench = h("section", { class: "panel bench", "aria-label": "Edit", hidden: true });
  const sides = h("div", { class: "row sides", role: "group", "aria-label": "Play against the solver" });
  const text = positionPanel();

  let { line, as } = readAddress(game);
  let isPeeking = false;
  /** What is edited. @type {Spot | null} */
  let draft = null;
  let glyph = "";
  /** What has the focus after the next drawing. @type {ReturnType<typeof focused>} */
  let focus = null;
  let checking = new AbortController();
  let request = new AbortController();
  /** @type {ReturnType<typeof attach> | null} */
  let input = null;
  /** @type {View<*> | null} */
  let view = null;
  /** The answers that this page has got. @type {Map<string, unknown>} */
  const known = new Map();

  const spot = () => line.spots[line.at];
  // Who has finished a game sees what it was worth.
  const isHidden = () => as !== null && !isPeeking && !readingOf(line.spots[line.names.length])?.over;
  /** @type {(at: Spot) => Reading | null} */
  const readingOf = (at) => {
    const answer = known.get(at.input);
    return answer === undefined ? null : game.read(answer, at);
  };

  const tools = toolbar();
  const side = h("div", { class: "column side" }, value, moves, record);
  root.append(h("div", { class: "game" },
    h("section", { class: "panel table", "aria-label": "Board" }, board, thrown, chosen, verdict, tools.bar),
    side, bench,
    h("div", { class: "column under" },
      panel("Play", sides), game.tools?.(load) ?? "", extra, text.panel)));

  /** @type {(replace?: boolean) => void} */
  function save(replace = false) {
    const url = addressOf(game, line, as);
    if (replace) history.replaceState(null, "", url);
    else history.pushState(null, "", url);
  }

  /** @type {(next: Line, replace?: boolean) => void} */
  function load(next, replace = false) {
    // It is about a move to another position.
    verdict.replaceChildren();
    turnTo(next, replace);
  }

  /** @type {(next: Line, replace?: boolean) => void} */
  function turnTo(next, replace = false) {
    line = next;
    draft = null;
    save(replace);
    show();
  }

  /** @param {string} position */
  const set = (position) => load({ spots: [{ input: position }], names: [], at: 0 });

  /** @type {(next: Spot, name: string) => void} */
  function step(next, name) {
    const { spots, names, at } = line;
    turnTo({ spots: [...spots.slice(0, at + 1), next], names: [...names.slice(0, at), name], at: at + 1 });
  }

  /** @param {number} at */
  function go(at) {
    if (at < 0 || at > line.names.length || at === line.at) return;
    line = { ...line, at };
    verdict.replaceChildren();
    save(true);
    show();
  }

  /** @type {(move: Move, way?: Way) => void} */
  function make(move, way) {
    if (!view) return;
    const next = way?.next ?? move.ways[0]?.next ?? move.next?.();
    if (!next) return;
    if (as === null || view.reading.mover === as) judge(move, view.reading.moves);
    else verdict.append(" ", h("span", { class: "reply" }, `${game.players[view.reading.mover]}: ${move.name}`));
    step(next, move.name);
  }

  /** @type {(reading?: Reading) => number} */
  const mistakeOf = (reading) => reading?.mistake ?? game.mistake;

  /** @type {(move: Move, all: Move[]) => void} */
  function judge(move, all) {
    const first = all.find((other) => other.loss <= 1e-9 && other.group === move.group);
    const shown = lossClass(move.loss, mistakeOf(view?.reading));
    const most = view?.reading.most ?? "best";
    verdict.replaceChildren(h("span", { class: `loss-${shown}` }, shown === 0 || !first ? `${move.name}: the ${most}.`
      : `${move.name} loses ${game.lossText(move.loss)}; ${most} was ${first.name}.`));
  }

  /** @param {Result} result */
  const take = (result) => { if (view) step(result.next, result.name); };

  function throwDice() {
    const results = view?.reading.chance?.results ?? [];
    let left = Math.random() * results.reduce((sum, { weight }) => sum + weight, 0);
    const found = results.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
    if (found) take(found);
  }

  function best() {
    if (!view) return;
    if (view.reading.chance) throwDice();
    else if (view.reading.moves.length > 0) make(view.reading.moves[0]);
  }

  async function show() {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const here = spot();
    // An earlier drawing may not have got to give the focus back.
    focus = focused() ?? (isLost() ? focus : null);
    view = null;
    root.setAttribute("aria-busy", "true");
    sidesRow();
    tools.draw();
    text.draw();
    const waiting = setTimeout(() => wait(0), PATIENCE);
    /** @param {number} share */
    const wait = (share) => {
      const bar = h("progress", { max: 1, "aria-label": "How far the answer has got" });
      if (share > 0) bar.value = share;
      const note = h("p", { class: "note" }, "Working out the value …");
      value.replaceChildren(h("section", { class: "panel" }, note, bar));
      moves.replaceChildren();
    };
    try {
      if (!known.has(here.input)) {
        if (!game.isDrawnByAnswer || !board.hasChildNodes()) draw(null);
        else retire();
        const asked = performance.now();
        const progress = (/** @type {number} */ share) => performance.now() - asked > PATIENCE && wait(share);
        known.set(here.input, await game.ask(here, signal, progress));
      }
      if (signal.aborted) return;
      const answer = known.get(here.input);
      view = { spot: here, answer, reading: game.read(answer, here), signal, set, load };
      draw(answer);
      sideOf(view);
    } catch (error) {
      const refusal = refusalOf(error);
      if (!refusal || signal.aborted) return;
      // The board of a game of the kit comes with the answer. The last one is better than none.
      if (game.isDrawnByAnswer && line.names.length > 0 && board.querySelector("[data-cell]")) retire();
      else draw(null);
      value.replaceChildren(fault(refusal, show));
      moves.replaceChildren();
      extra.replaceChildren();
      drawRecord();
    } finally {
      clearTimeout(waiting);
    }
    refocus();
    root.removeAttribute("aria-busy");
    root.dataset.shown = textOf(here);
    if (view) goOn(signal);
  }

  /**
   * What goes on by itself: the solver's moves, and the graph.
   * @param {AbortSignal} signal
   */
  function goOn(signal) {
    const { reading } = /** @type {View<*>} */ (view);
    if (as !== null && !reading.over && reading.mover !== as && line.at === line.names.length) {
      setTimeout(() => {
        if (signal.aborted || !view || draft !== null) return;
        const proposed = reading.moves.filter((move) => move.proposed);
        if (reading.chance || proposed.length === 0) best();
        else make(proposed[Math.floor(Math.random() * proposed.length)]);
      }, isCalm() ? 0 : PAUSE);
    }
    complete(signal);
  }

  /**
   * Asks for the values of a shared game that this page has not seen.
   * @param {AbortSignal} signal
   */
  async function complete(signal) {
    for (const other of line.spots) {
      if (known.has(other.input)) continue;
      try {
        known.set(other.input, await game.ask(other, signal, () => null));
      } catch (error) {
        // The graph has a gap; the position itself shows why.
        refusalOf(error);
      }
      if (signal.aborted) return;
      drawRecord();
    }
  }

  /// Leaves the last board on the page as a picture: its values are those of another position.
  function retire() {
    input = null;
    frame();
    board.querySelector(".holder")?.classList.remove("editing");
    for (const cell of board.querySelectorAll("[data-cell]")) {
      cell.setAttribute("disabled", "");
      cell.classList.remove("lit", "on", "can");
    }
    for (const old of board.querySelectorAll(".badge, .preview, .arrows > *")) old.remove();
  }

  /** @param {unknown} answer */
  function draw(answer) {
    const holder = drawBoard(answer);
    frame();
    if (draft !== null) return;
    if (view) attachInput(view.reading, holder);
    else for (const cell of holder.querySelectorAll("[data-cell]")) cell.setAttribute("disabled", "");
  }

  /// What stands around a board, for a new one.
  function frame() {
    thrown.replaceChildren();
    chosen.replaceChildren();
    // They are about the position before the changes.
    for (const element of [side, extra]) element.hidden = draft !== null;
    editor();
  }

  /// Draws the board of the position, or of what is edited.
  function drawBoard(/** @type {unknown} */ answer) {
    input = null;
    let drawn;
    try {
      if (draft === null) drawn = game.board(spot(), answer);
      else drawn = game.edit?.board?.(draft) ?? game.board(draft, known.get(draft.input) ?? null);
    } catch (error) {
      // The position is refused, and the message stands beside the board.
      if (!(error instanceof Error)) throw error;
      drawn = h("p", { class: "note" }, "This position cannot be drawn.");
    }
    const holder = h("div", { class: `holder${draft === null ? "" : " editing"}${game.drag ? " drag" : ""}` }, drawn);
    board.replaceChildren(holder);
    if (draft !== null) {
      const cells = /** @type {HTMLElement[]} */ ([...holder.querySelectorAll("[data-cell]")]);
      cells.forEach((cell, place) => { cell.tabIndex = place === 0 ? 0 : -1; });
      holder.addEventListener("click", (event) => put(event.target, glyph));
      holder.addEventListener("keydown", (event) => walk(event, cells));
    }
    return holder;
  }

  /** @type {(reading: Reading, holder: HTMLElement) => void} */
  function attachInput(reading, holder) {
    const isOver = Boolean(reading.over);
    const mine = as === null || reading.mover === as;
    // A player throws; an analyst may choose what chance brings.
    const canChoose = !isOver && mine && (as === null || !reading.chance);
    /** @type {Map<Move, Result>} */
    const results = new Map((reading.chance?.results ?? []).map((result) => [moveOf(result), result]));
    const throwing = reading.chance && mine ? [h("button", {
      class: "main", id: "throw", onclick: (event) => !isRepeated(event) && throwDice(),
    }, reading.chance.name)] : [];
    const { came } = reading;
    if (came) thrown.replaceChildren(h("span", { class: `came ${came.look ?? ""}` }, came.name));
    input = attach(holder, {
      moves: canChoose ? [...reading.moves, ...results.keys()] : [],
      advice: isHidden() || isOver || reading.chance ? null : reading.moves[0]?.ways[0] ?? null,
      confirm: Boolean(reading.confirm),
      selected: isHidden() ? [] : reading.selected ?? [],
      showsValues: !isHidden(),
      mistake: mistakeOf(reading),
      drag: Boolean(game.drag),
      play: (move, way) => {
        const result = results.get(move);
        if (result) take(result);
        else make(move, way);
      },
      choose: (found, open) => {
        const keys = open.filter((label) => label.startsWith("key ")).sort((one, other) => one.localeCompare(other));
        chosen.replaceChildren(
          ...throwing,
          ...keys.map((key) => h("button", { class: "key", onclick: () => input?.press(key) }, key.slice(4))),
          ...(found ? [
            h("button", {
              class: "main", id: "roll", onclick: (event) => !isRepeated(event) && make(found.move, found.way),
            }, found.move.name, !isHidden() && h("span", {
              class: `worth loss-${lossClass(found.move.loss, mistakeOf(reading))}`,
            }, found.move.number)),
            ...(isHidden() ? [] : game.chosen?.(found.move) ?? []),
          ] : []));
      },
      light: (lit) => {
        const names = new Set([...(lit ?? [])].flatMap((move) => [move.name, move.group]));
        for (const chip of /** @type {NodeListOf<HTMLElement>} */ (moves.querySelectorAll(".chips > *"))) {
          chip.classList.toggle("lit", names.has(chip.dataset.move ?? chip.dataset.result));
        }
      },
    });
  }

  /** @param {View<*>} shown */
  function sideOf(shown) {
    const { reading } = shown;
    const mayMove = as === null || reading.mover === as;
    // The list of an earlier position may still report that the pointer leaves it.
    const light = input?.light ?? (() => undefined);
    value.replaceChildren(valuePanel(reading, game.players, isHidden()));
    const mistake = mistakeOf(reading);
    const list = reading.over || !mayMove ? null
      : movesPanel({ reading, isHidden: isHidden(), mayChoose: as === null, mistake, play: make, take, light });
    moves.replaceChildren(...(list ? [list] : []));
    input?.mark();
    list?.addEventListener("keydown", (event) =>
      ["ArrowUp", "ArrowDown"].includes(event.key) && walk(event, [...list.querySelectorAll("button")]));
    extra.replaceChildren(...(isHidden() ? [] : game.extra?.(shown) ?? []));
    drawRecord();
  }

  function drawRecord() {
    const readings = line.spots.map(readingOf);
    const shown = gamePanel(game, { line, readings, isHidden: isHidden(), go });
    record.replaceChildren(...(shown ? [shown] : []));
    tools.draw();
  }

  function sidesRow() {
    const choose = (/** @type {number | null} */ who) => {
      as = who;
      isPeeking = false;
      save(true);
      show();
    };
    const names = game.players.length > 1 ? game.players.map((name) => `Play ${name}`) : ["Practise"];
    sides.replaceChildren(
      h("button", {
        "aria-pressed": String(as === null), "data-key": "analyse", onclick: () => choose(null),
      }, "Analyse"),
      ...names.map((name, who) => h("button", {
        "aria-pressed": String(as === who), "data-key": `as ${who}`, "data-as": who, onclick: () => choose(who),
      }, name)),
      ...(as === null ? [] : [h("label", {}, h("input", {
        type: "checkbox", id: "peek", checked: isPeeking, onchange: () => { isPeeking = !isPeeking; show(); },
      }), " show the values")]));
  }

  /// The buttons under the board. They stay the same elements, so that they keep the focus.
  function toolbar() {
    /**
     * @type {(name: string, sign: string, act: () => void, isOff?: () => boolean) =>
     *   { button: HTMLButtonElement, isOff: () => boolean }}
     */
    const tool = (name, sign, act, isOff = () => false) => ({
      button: h("button", { title: name, "aria-label": name, "data-tool": name, onclick: act },
        svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: sign }))),
      isOff,
    });
    const atStart = () => line.at === 0;
    const atEnd = () => line.at === line.names.length;
    /// Against the solver, the last position where the person could choose; -1 if there is none.
    const undone = () => {
      if (as === null) return line.at - 1;
      return line.spots.slice(0, line.at).findLastIndex((at) => {
        const reading = readingOf(at);
        return reading !== null && reading.mover === as && !reading.chance;
      });
    };
    const undo = () => {
      const at = undone();
      load({ spots: line.spots.slice(0, at + 1), names: line.names.slice(0, at), at });
    };
    const all = [
      tool("First position", "M6 5v14M18 5 9 12l9 7z", () => go(0), atStart),
      tool("Back", "M16 5 7 12l9 7z", () => go(line.at - 1), atStart),
      tool("Forward", "M8 5l9 7-9 7z", () => go(line.at + 1), atEnd),
      tool("Last position", "M18 5v14M6 5l9 7-9 7z", () => go(line.names.length), atEnd),
      tool("Undo", "M4 9h10a5 5 0 0 1 0 10H8M4 9l4-4M4 9l4 4", undo, () => undone() < 0),
      tool("New game", "M12 5v14M5 12h14", () => load({ spots: [line.spots[0]], names: [], at: 0 })),
      ...(game.edit ? [tool("Edit", "M5 19l1-4L16 5l3 3L9 18z", beginEdit)] : []),
      ...(game.transforms ?? []).map(({ name, change }) =>
        tool(name, SIGNS[name] ?? SIGNS.Mirror, () => transform(change))),
      tool("Copy link", "M10 14l4-4M8 12l-2 2a3 3 0 0 0 4 4l2-2M12 8l2-2a3 3 0 0 1 4 4l-2 2", copy),
    ];
    const bar = h("div", { class: "toolbar", role: "toolbar", "aria-label": "Game" }, all.map(({ button }) => button));
    bar.addEventListener("keydown", (event) => walk(event, all.map(({ button }) => button)));
    const paint = () => {
      for (const { button, isOff } of all) button.toggleAttribute("disabled", draft !== null || isOff());
      const usable = all.filter(({ button }) => !button.hasAttribute("disabled") && button.offsetParent !== null);
      const current = usable.find(({ button }) => button === document.activeElement) ?? usable[0];
      for (const { button } of all) button.tabIndex = button === current?.button ? 0 : -1;
    };
    return { bar, draw: paint };
  }

  /// Whether the page can read a position; one that is refused may be anything.
  function isReadable(/** @type {Spot} */ at) {
    try {
      game.board(at, null);
      game.edit?.fields?.(at.input, () => undefined);
      return true;
    } catch (error) {
      if (error instanceof Error) return false;
      throw error;
    }
  }

  async function beginEdit() {
    const { edit } = game;
    const here = spot();
    const { signal } = request;
    try {
      await edit?.begin?.(here, known.get(here.input));
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal) verdict.textContent = `${refusal.what}: ${refusal.remedy}`;
      return;
    }
    if (signal.aborted || !edit) return;
    if (!isReadable(here)) {
      verdict.textContent = "This position cannot be edited like this: correct its text.";
      return;
    }
    draft = edit.turn?.set({ input: here.input }, edit.turn.of(here)) ?? { input: here.input };
    verdict.replaceChildren();
    draw(null);
    tools.draw();
    const first = bench.querySelector("[aria-pressed=true], textarea");
    if (first instanceof HTMLElement) first.focus({ preventScroll: true });
  }

  /** @param {(input: string) => string} change */
  function transform(change) {
    try {
      set(change(spot().input));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      verdict.textContent = "This position cannot be changed like this.";
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      verdict.textContent = "The link is copied.";
    } catch {
      verdict.textContent = "The browser does not allow copying: copy the address of this page.";
    }
  }

  /** @type {(target: EventTarget | null, piece: string) => void} */
  function put(target, piece) {
    const cell = target instanceof Element ? target.closest("[data-cell]") : null;
    if (!(cell instanceof HTMLElement) || draft === null || !game.edit) return;
    const key = cell.dataset.cell ?? "";
    draft = { ...draft, input: game.edit.put(draft.input, key, piece) };
    draw(null);
    const again = board.querySelector(`[data-cell="${CSS.escape(key)}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @type {(at: Spot) => Piece[]} */
  const paletteOf = (at) => {
    const palette = game.edit?.palette ?? [];
    return typeof palette === "function" ? palette(at) : palette;
  };

  /// The palette of the edit mode, and the button that applies all changes at once.
  function editor() {
    const { edit } = game;
    bench.hidden = draft === null;
    checking.abort();
    if (draft === null || !edit) {
      bench.replaceChildren();
      return;
    }
    const palette = paletteOf(draft);
    if (!palette.some((item) => item.glyph === glyph)) {
      glyph = (palette.find((item) => item.glyph !== ".") ?? palette[0])?.glyph ?? "";
    }
    const begun = draft;
    const change = (/** @type {string} */ changed) => { draft = { ...begun, input: changed }; draw(null); };
    const controls = () => [...bench.querySelectorAll("button, select, input")];
    const place = document.activeElement ? controls().indexOf(document.activeElement) : -1;
    const done = h("button", { class: "main", id: "done", onclick: applyDraft }, "Apply");
    const note = h("p", { class: "note", id: "draft", role: "status" });
    bench.replaceChildren(
      palette.length > 0 && h("div", {
        class: `row palette${palette.length > 20 ? " keys" : ""}`, role: "group", "aria-label": "What a touch puts",
      }, palette.map((item) =>
        h("button", {
          "aria-pressed": String(item.glyph === glyph), "data-glyph": item.glyph,
          onclick: () => { glyph = item.glyph; editor(); },
        }, item.look !== undefined && h("i", { class: `dot ${item.look}` }), item.name))) || "",
      edit.turn && game.players.length > 1 ? turnField(edit.turn) : "",
      ...(edit.fields?.(draft.input, change) ?? []),
      edit.hasText ? textField(() => check(note, done)) : "",
      edit.isLive ? note : "",
      h("div", { class: "row" }, done,
        h("button", { id: "cancel", onclick: () => { draft = null; show(); } }, "Cancel")));
    const same = controls()[place];
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    check(note, done);
  }

  function applyDraft() {
    if (draft !== null) load({ spots: [draft], names: [], at: 0 });
  }

  /** @param {NonNullable<import("./types.d.ts").Edit["turn"]>} turn */
  function turnField(turn) {
    const choice = h("select", { id: "mover" }, game.players.map((name, who) => h("option", { value: who }, name)));
    choice.value = String(draft ? turn.of(draft) : 0);
    choice.addEventListener("change", () => {
      if (draft !== null) draft = turn.set(draft, Number(choice.value));
      draw(null);
    });
    return h("div", { class: "row" }, h("label", { for: "mover" }, "To move"), choice);
  }

  /// The text of the edited position. The rest of the bench stays as it is while somebody types.
  function textField(/** @type {() => void} */ changed) {
    const area = h("textarea", { id: "draft-text", rows: 2, spellcheck: "false" });
    area.value = draft?.input ?? "";
    area.addEventListener("input", () => {
      if (draft !== null) draft = { ...draft, input: area.value.trim() };
      drawBoard(null);
      changed();
    });
    return h("div", {}, h("label", { for: "draft-text" }, "The position as text"), area);
  }

  /**
   * Says what the edited position is worth, or what is wrong with it.
   * @type {(note: HTMLElement, done: HTMLElement) => Promise<void>}
   */
  async function check(note, done) {
    checking.abort();
    checking = new AbortController();
    const { signal } = checking;
    const asked = draft;
    if (asked === null || !game.edit?.isLive) return;
    const says = (/** @type {string} */ message, /** @type {boolean} */ isWrong) => {
      note.textContent = message;
      note.classList.toggle("wrong", isWrong);
      done.toggleAttribute("disabled", isWrong);
    };
    await new Promise((resolve) => { setTimeout(resolve, TYPING); });
    if (signal.aborted) return;
    try {
      if (!known.has(asked.input)) known.set(asked.input, await game.ask(asked, signal, () => null));
      const { number, unit } = game.read(known.get(asked.input), asked);
      if (signal.aborted) return;
      says(`${number} ${unit}`, false);
      if (game.isDrawnByAnswer) {
        const at = document.activeElement;
        const key = at instanceof HTMLElement && board.contains(at) ? at.dataset.cell : undefined;
        drawBoard(null);
        const same = key === undefined ? null : board.querySelector(`[data-cell="${CSS.escape(key)}"]`);
        if (same instanceof HTMLElement) same.focus({ preventScroll: true });
      }
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal && !signal.aborted) says(`${refusal.what}: ${refusal.remedy}`, true);
    }
  }

  function positionPanel() {
    const area = h("textarea", { id: "position", rows: 5, spellcheck: "false" });
    const apply = () => set(area.value.endsWith("\n") ? area.value : `${area.value}\n`);
    const another = async () => {
      try {
        const seed = String(Math.floor(Math.random() * 2 ** 31));
        set((await ask(`${game.name}/sample`, { kind: "ordinary", seed })).input);
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal) value.replaceChildren(fault(refusal, another));
      }
    };
    const examples = game.examples.map(([name, position]) => h("li", {},
      h("a", { href: `?${new URLSearchParams({ input: position })}` }, name)));
    const box = panel("Position", h("div", { class: "stack" },
      h("label", { for: "position" }, "The position as text; edit it, or paste one"),
      area,
      h("div", { class: "row" },
        h("button", { class: "main", onclick: apply, id: "apply" }, "Apply"),
        !game.hasNoSamples && h("button", { id: "another", onclick: another }, "Another position")),
      examples.length > 0 && h("ul", { class: "examples" }, examples)));
    return { panel: box, draw: () => { area.value = spot().input; } };
  }

  /// What has the focus, if it is about to be drawn again.
  function focused() {
    const active = document.activeElement;
    if (!(active instanceof HTMLElement) || !root.contains(active)) return null;
    const { cell, move, result, key, tool } = active.dataset;
    const usable = "[data-cell]:not([disabled])";
    if (tool !== undefined) return { selector: `[data-tool="${tool}"]`, other: "[data-tool]" };
    if (bench.contains(active)) return { selector: "[data-tool=Edit]", other: usable };
    if (cell !== undefined) return { selector: `[data-cell="${CSS.escape(cell)}"]`, other: usable };
    if (move !== undefined || result !== undefined) return { selector: ".moves button", other: "#throw" };
    if (active.id === "roll" || active.id === "throw") return { selector: "#throw, #roll", other: usable };
    if (key) return { selector: `[data-key="${CSS.escape(key)}"]`, other: "[data-at]" };
    if (active.id) return { selector: `#${active.id}`, other: usable };
    return null;
  }

  /// Whether what had the focus has gone, or can no longer be used.
  function isLost() {
    const active = document.activeElement;
    return active === null || active === document.body || active.hasAttribute("disabled");
  }

  function refocus() {
    const wanted = focus;
    focus = null;
    if (!wanted || !isLost()) return;
    for (const selector of [wanted.selector, wanted.other, ".toolbar button"]) {
      const all = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector));
      const found = [...all].find((element) => !element.hasAttribute("disabled") && element.checkVisibility());
      if (found) {
        found.focus({ preventScroll: true });
        // The one in the tab order is the one with the focus.
        tools.draw();
        return;
      }
    }
  }

  addEventListener("popstate", () => {
    ({ line, as } = readAddress(game));
    draft = null;
    verdict.replaceChildren();
    show();
  });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target instanceof Element ? event.target : root;
    if (target.closest("textarea, select, input:not([type=checkbox])")) return;
    if (draft !== null) {
      const palette = paletteOf(draft);
      const keys = event.key === "Delete" || event.key === "Backspace" ? ["."]
        : [event.key, event.key.toLowerCase(), event.key.toUpperCase()];
      const piece = keys.find((key) => palette.some((item) => item.glyph === key));
      if (piece !== undefined) put(target, piece);
      return;
    }
    if (event.shiftKey) return;
    if (event.key === "ArrowLeft") go(line.at - 1);
    else if (event.key === "ArrowRight") go(line.at + 1);
    else if (event.key === " " && !target.closest("button, a, summary, input")) {
      event.preventDefault();
      if (!isHidden()) best();
    } else if (input && /^\p{Letter}$/u.test(event.key)) input.press(`key ${event.key.toLowerCase()}`);
  });
  if (!new URLSearchParams(location.search).has("input")) save(true);
  show();
}

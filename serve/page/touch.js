// The board as the input: touched cells make a move, and pointing at cells and moves shows them on either side.
//
// A cell is an element with `data-cell`; its `data-label` is what moves name it by, the cell itself if left out.

import { h, isRepeated, svg } from "./view.js";

/** @import { Move, Way } from "./types.d.ts" */

/** @typedef {{ move: Move, way: Way, open: string[], left: number }} Candidate */

/**
 * The labels that may be touched after these, and how many are left; `null` if the way does not go on like this.
 * @type {(groups: string[][], labels: string[]) => { open: string[], left: number } | null}
 */
function openAfter(groups, labels) {
  let place = 0;
  let open = [...(groups[0] ?? [])];
  for (const label of labels) {
    const found = open.indexOf(label);
    if (found < 0) return null;
    open.splice(found, 1);
    while (open.length === 0 && place + 1 < groups.length) {
      place += 1;
      open = [...groups[place]];
    }
  }
  return { open, left: open.length + groups.slice(place + 1).flat().length };
}

/** @type {(moves: Move[], labels: string[]) => Candidate[]} */
const candidates = (moves, labels) => moves.flatMap((move) => move.ways.flatMap((way) => {
  const after = way.touch.length > 0 ? openAfter(way.touch, labels) : null;
  return after ? [{ move, way, ...after }] : [];
}));

/** How much a move loses, in four classes. @type {(loss: number, mistake: number) => number} */
export function lossClass(loss, mistake) {
  if (loss <= 1e-9) return 0;
  if (loss < mistake / 5) return 1;
  return loss < mistake ? 2 : 3;
}

/**
 * @typedef {{
 *   moves: Move[], advice: Way | null, confirm: boolean, selected: string[], showsValues: boolean, mistake: number,
 *   drag: boolean,
 *   play: (move: Move, way: Way) => void,
 *   choose: (found: { move: Move, way: Way } | null, open: string[], touched: string[]) => void,
 *   light: (moves: Set<Move> | null) => void,
 * }} Input
 */

/**
 * Makes the cells of a board an input.
 * @param {HTMLElement} board
 * @param {Input} input
 * @returns {{ light: (move: Move | null) => void, press: (label: string) => void, mark: () => void }}
 */
export function attach(board, input) {
  /** @type {Map<string, HTMLElement>} */
  const cells = new Map();
  for (const cell of board.querySelectorAll("[data-cell]")) {
    if (cell instanceof HTMLElement) cells.set(cell.dataset.cell ?? "", cell);
  }
  /// What the cells are called for those who do not see them.
  const names = new Map([...cells].map(([id, cell]) => [id, cell.getAttribute("aria-label")]));
  const labelOf = (/** @type {string} */ id) => cells.get(id)?.dataset.label ?? id;
  let touched = input.selected;
  const arrows = svg("svg", { class: "arrows", "aria-hidden": "true" });
  board.append(arrows);

  const found = () => candidates(input.moves, touched.map(labelOf));
  /// The moves that go on from what has been touched, or the one that a button now makes.
  const stillOpen = () => {
    const open = input.confirm ? found().filter(({ left }) => left === 0) : found();
    return touched.length === 0 && !input.confirm ? null : new Set(open.map(({ move }) => move));
  };

  function draw() {
    const open = found();
    for (const [id, cell] of cells) {
      const label = labelOf(id);
      const isOn = touched.includes(id);
      const here = open.filter((candidate) => candidate.open.includes(label) && !(input.confirm && isOn));
      const ends = here.filter((candidate) => candidate.left === 1 && !input.confirm);
      const best = ends.reduce((/** @type {Candidate | null} */ one, other) =>
        (one && one.move.loss <= other.move.loss ? one : other), null);
      cell.classList.toggle("can", here.length > 0);
      cell.classList.toggle("on", isOn);
      cell.toggleAttribute("disabled", here.length === 0 && !isOn && candidates(input.moves, [label]).length === 0);
      if (input.confirm && !cell.hasAttribute("disabled")) cell.setAttribute("aria-pressed", String(isOn));
      cell.querySelector(".badge")?.remove();
      if (best && input.showsValues) {
        const shown = lossClass(best.move.loss, input.mistake);
        const badge = h("span", { class: `badge loss-${shown}` }, best.move.number);
        cell.append(badge);
        if (best.move.short && badge.scrollWidth > badge.clientWidth) badge.textContent = best.move.short;
      }
      const worth = cell.querySelector(".badge")?.textContent;
      if (names.get(id)) cell.setAttribute("aria-label", [names.get(id), worth].filter(Boolean).join(", "));
    }
    const complete = open.find((candidate) => candidate.left === 0);
    input.choose(complete ?? null, [...new Set(open.flatMap((candidate) => candidate.open))], touched);
    input.light(stillOpen());
    light(null);
    rove();
  }

  /// One cell is in the tab order; arrow keys reach the others.
  function rove() {
    const usable = [...cells.values()].filter((cell) => !cell.hasAttribute("disabled"));
    const current = usable.find((cell) => cell === document.activeElement) ?? usable[0];
    for (const cell of cells.values()) cell.tabIndex = cell === current ? 0 : -1;
  }

  /** @param {string} id */
  function press(id) {
    const isOn = touched.includes(id);
    /** @type {(ids: string[]) => boolean} */
    const leadsOn = (ids) => candidates(input.moves, ids.map(labelOf)).length > 0;
    const longer = [...touched, id];
    // The keyboard has all letters.
    if (id.startsWith("key ") && !isOn && !leadsOn(longer)) return;
    if (!(input.confirm && isOn) && leadsOn(longer)) touched = longer;
    else if (isOn) {
      const without = touched.filter((other) => other !== id);
      touched = leadsOn(without) ? without : touched.slice(0, touched.indexOf(id));
    } else touched = leadsOn([id]) ? [id] : [];
    const open = found();
    const only = new Set(open.map((candidate) => candidate.move));
    if (!input.confirm && only.size === 1 && open[0].left === 0) {
      // The end of a drag must not make it again.
      touched = [];
      input.play(open[0].move, open[0].way);
    } else draw();
  }

  /// Where the moves begin that an outcome of chance, which has no place of its own, makes possible.
  const beginnings = (/** @type {Move | null} */ outcome) => input.moves
    .filter(({ group }) => outcome && group === outcome.name)
    .flatMap(({ ways }) => ways.flatMap(({ touch }) => touch[0] ?? []));

  /**
   * Shows a move; without one, the advice, unless something is touched.
   * @param {Move | null} move
   */
  function light(move) {
    const way = move?.ways[0] ?? (touched.length === 0 ? input.advice : null);
    // The cells of an advice that needs a button are touched already.
    const left = move === null && input.confirm ? [] : way?.touch.flat() ?? beginnings(move);
    for (const [id, cell] of cells) {
      const place = left.indexOf(labelOf(id));
      cell.classList.toggle("lit", place >= 0);
      // Of dice with the same face, only those that are kept are lit.
      if (place >= 0) left.splice(place, 1);
    }
    const trail = trailOf(way?.touch ?? []).flatMap((label) => labelled(label) ?? []);
    arrows.replaceChildren(...(trail.length > 1 ? [arrow(board, trail)] : []));
    preview(way ? way.touch.map(([first]) => first) : touched.map(labelOf));
  }

  /** @param {string} label */
  const labelled = (label) => [...cells].find(([id]) => labelOf(id) === label)?.[1];

  /**
   * Shows the letter that a move puts into a cell.
   * @param {string[]} labels
   */
  function preview(labels) {
    for (const old of board.querySelectorAll(".preview")) old.remove();
    const place = labels.findIndex((label) => label?.startsWith("key "));
    if (place > 0) labelled(labels[place - 1])?.append(h("span", { class: "preview" }, labels[place].slice(4)));
  }

  /** @param {Event} event */
  const cellOf = (event) => event.target instanceof Element ? event.target.closest("[data-cell]") : null;
  board.addEventListener("click", (event) => {
    const cell = cellOf(event);
    if (!(cell instanceof HTMLElement) || isRepeated(event) || cell.hasAttribute("disabled")) return;
    if (dragged) dragged = false;
    else press(cell.dataset.cell ?? "");
  });
  board.addEventListener("pointerover", (event) => {
    const cell = cellOf(event);
    const label = cell instanceof HTMLElement ? labelOf(cell.dataset.cell ?? "") : null;
    input.light(label === null ? stillOpen()
      : new Set(found().filter(({ way }) => way.touch.flat().includes(label)).map(({ move }) => move)));
  });
  board.addEventListener("pointerleave", () => input.light(stillOpen()));

  let dragged = false;
  /** Where the pointer is down. @type {HTMLElement | null} */
  let from = null;
  board.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event);
    if (!(cell instanceof HTMLElement) || !input.drag) return;
    // A touch would send all later events to the first cell.
    if (cell.hasPointerCapture(event.pointerId)) cell.releasePointerCapture(event.pointerId);
    from = cell;
    dragged = false;
    const over = new AbortController();
    /** @param {Event} end */
    const finish = (end) => {
      over.abort();
      from = null;
      const complete = end.type === "pointerup" && dragged && found().find((candidate) => candidate.left === 0);
      if (complete) input.play(complete.move, complete.way);
    };
    // The system may take a touch away, for a gesture of its own.
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, finish, { signal: over.signal });
  });
  board.addEventListener("pointermove", (event) => {
    const cell = from && document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]");
    if (!(cell instanceof HTMLElement)) return;
    // A finger has often left the first cell before it counts as moved.
    for (const passed of new Set(dragged || !from ? [cell] : [from, cell])) {
      const id = passed.dataset.cell ?? "";
      const leadsOn = candidates(input.moves, [...touched, id].map(labelOf)).length > 0;
      if (!leadsOn || touched[touched.length - 1] === id) continue;
      dragged = true;
      press(id);
    }
  });
  board.addEventListener("keydown", (event) => walk(event, [...cells.values()]));
  draw();
  return { light, press, mark: () => input.light(stillOpen()) };
}

/** @type {Record<string, [number, number]>} */
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Moves the keyboard's focus to the next cell in a direction. After a click the arrow keys belong to the page.
 * @type {(event: KeyboardEvent, cells: HTMLElement[]) => void}
 */
export function walk(event, cells) {
  const direction = DIRECTIONS[event.key];
  const from = document.activeElement;
  if (!direction || !(from instanceof HTMLElement) || !from.matches(":focus-visible")) return;
  const box = from.getBoundingClientRect();
  /** @type {{ cell: HTMLElement, far: number } | null} */
  let nearest = null;
  for (const cell of cells) {
    if (cell === from || cell.hasAttribute("disabled")) continue;
    const other = cell.getBoundingClientRect();
    const right = other.x + other.width / 2 - box.x - box.width / 2;
    const down = other.y + other.height / 2 - box.y - box.height / 2;
    const along = right * direction[0] + down * direction[1];
    const aside = Math.abs(right * direction[1]) + Math.abs(down * direction[0]);
    if (along <= 1) continue;
    const far = along + 3 * aside;
    if (!nearest || far < nearest.far) nearest = { cell, far };
  }
  event.preventDefault();
  event.stopPropagation();
  if (!nearest) return;
  from.tabIndex = -1;
  nearest.cell.tabIndex = 0;
  nearest.cell.focus();
}

/**
 * The labels that are touched one after the other at the end of a way. A key or a group of several cells is no part.
 * @type {(groups: string[][]) => string[]}
 */
function trailOf(groups) {
  const last = groups.findLastIndex((group) => group.length !== 1 || group[0].startsWith("key "));
  return groups.slice(last + 1).flat();
}

/** An arrow through these cells. @type {(board: HTMLElement, trail: HTMLElement[]) => Node} */
function arrow(board, trail) {
  const frame = board.getBoundingClientRect();
  const points = trail.map((cell) => {
    const box = cell.getBoundingClientRect();
    return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y };
  });
  /** @typedef {{ x: number, y: number }} Point */
  /** @type {(from: Point, to: Point) => Point} */
  const direction = (from, to) => {
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    return { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  };
  /** @type {(from: Point, along: Point, far: number) => Point} */
  const go = (from, along, far) => ({ x: from.x + along.x * far, y: from.y + along.y * far });
  const [before, end] = points.slice(-2);
  const [first, last] = [direction(points[0], points[1]), direction(before, end)];
  // What stands in the middle of the first and the last cell stays free.
  const size = Math.min(trail[0].clientWidth, trail[0].clientHeight);
  const tip = go(end, last, -size * 0.24);
  const base = go(tip, last, -16);
  const line = [go(points[0], first, size * 0.32), ...points.slice(1, -1), base];
  const aside = { x: -last.y, y: last.x };
  const head = [tip, go(base, aside, 10), go(base, aside, -10)];
  const text = (/** @type {Point[]} */ list) => list.map(({ x, y }) => `${x},${y}`).join(" ");
  return svg("g", { class: trail.length > 2 && "path" },
    svg("polyline", { points: text(line) }),
    svg("polygon", { points: text(head) }));
}

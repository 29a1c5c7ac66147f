// The page of a game with exact answers: the position in the address, values, moves, the strip of moves so far, keys.
//
// A game has name, title, rules, sample, read(answer) -> { value, unit, note, groups, over } and picture(view).
// Optional are ask(view), extra(view), edit(view), kind and transforms. `edit` shows a position that the server refuses, so
// that it can be changed further. A group is { title, moves }. A move is { name, number, share, cost, best, next | play }.

import { Refusal, ask } from "./api.js";
import { fault, h, panel } from "./view.js";

export function play(game, root) {
  const picture = h("div", { class: "column picture" });
  const side = h("div", { class: "column side" });
  const text = h("div", { class: "column text" });
  root.append(h("div", { class: "table three" }, picture, side, text), h("p", { class: "visually-hidden", role: "status" }));
  const status = root.querySelector("[role=status]");
  let request = new AbortController();
  let best = null;

  const address = () => new URLSearchParams(location.search);
  const strip = () => history.state?.strip ?? [];

  /// Goes to another position. `played` is the move that leads there. Without it a new game begins.
  function go(parameters, played, replace = false) {
    const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
    const state = { strip: played ? [...strip(), { ...played, depth }] : [], depth };
    const url = `${location.pathname}?${new URLSearchParams(parameters)}`;
    if (replace) history.replaceState(state, "", url);
    else history.pushState(state, "", url);
    return show();
  }

  /// Changes the view or edits the position, for example with another die face. The strip stays.
  function turn(parameters) {
    const state = { strip: strip(), depth: (history.state?.depth ?? 0) + 1 };
    history.pushState(state, "", `${location.pathname}?${new URLSearchParams(parameters)}`);
    return show();
  }

  async function show() {
    const parameters = address();
    const input = parameters.get("input");
    if (input === null) return go({ input: game.sample }, null, true);
    request.abort();
    request = new AbortController();
    best = null;
    root.setAttribute("aria-busy", "true");
    const view = { input, parameters, go, turn, status, refresh: show, signal: request.signal };
    try {
      const answer = game.ask ? await game.ask(view, (node) => side.replaceChildren(node)) : await ask(game.name, { input }, request.signal);
      Object.assign(view, { answer, read: game.read(answer, view) });
      view.play = make;
      const focus = focused();
      picture.replaceChildren(...game.picture(view));
      text.replaceChildren(position(view));
      side.replaceChildren(...sides(view));
      if (focus) root.querySelector(focus)?.focus();
      const first = view.read.groups.flatMap((group) => group.moves).find((move) => move.best);
      best = first ? () => make(first) : null;
      status.textContent = `${view.read.unit}: ${view.read.value}`;
      root.removeAttribute("aria-busy");
      root.dataset.shown = input;
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refusal)) throw error;
      picture.replaceChildren(fault(error), ...(game.edit?.(view) ?? []));
      side.replaceChildren();
      text.replaceChildren(position(view));
      root.removeAttribute("aria-busy");
      root.dataset.shown = input;
    }
  }

  /// A selector for what has the focus and is about to be drawn again, so that the keyboard can go on from there.
  function focused() {
    const element = document.activeElement;
    if (!root.contains(element) || element === root) return null;
    if (element.id) return `#${element.id}`;
    return element.hasAttribute("data-move") ? "[data-move]" : null;
  }

  async function make(move) {
    const parameters = move.next !== undefined ? { input: move.next } : await move.play();
    if (!parameters) return;
    await go(parameters, { name: move.name, share: move.share, cost: move.cost });
  }

  function sides(view) {
    const { read } = view;
    const parts = [panel(null,
      h("p", { class: "value" }, h("strong", { "data-value": "" }, read.value), h("span", {}, read.unit)),
      read.note && h("p", { class: "note" }, read.note),
      read.over && h("p", {}, h("strong", { "data-over": "" }, read.over)))];
    const groups = read.groups.filter((group) => group.moves.length > 0);
    if (groups.length > 0) {
      const list = h("ol", { class: "moves" });
      for (const group of groups) {
        if (group.title) list.append(h("li", {}, h("h3", {}, group.title)));
        list.append(...group.moves.map((move) => h("li", {}, button(move))));
      }
      parts.push(panel(read.moves ?? "Moves, best first", list));
    }
    if (strip().length > 0) parts.push(panel("Moves so far", stripOf(strip())));
    return [...parts, ...(game.extra?.(view) ?? [])];
  }

  function button(move) {
    return h("button", { class: move.best ? "best" : "", "data-move": "", onclick: () => make(move) },
      h("span", { class: "bar", style: { width: `${Math.max(0, Math.min(1, move.share)) * 100}%` } }),
      h("span", { class: "name" }, move.name),
      h("span", { class: "number" }, move.number));
  }

  function stripOf(moves) {
    return h("div", { class: "strip", tabindex: "0", role: "group", "aria-label": "What each move cost" }, moves.map((move, place) =>
      h("button", { title: move.name, onclick: () => move.depth !== history.state.depth && history.go(move.depth - history.state.depth) },
        h("span", { class: "column-bar" }, h("i", { style: { height: `${Math.max(0, Math.min(1, move.share)) * 100}%` } })),
        h("span", { class: move.cost ? "cost" : "free" }, move.cost ? `−${move.cost}` : "best"),
        h("span", { class: "visually-hidden" }, `move ${place + 1}: ${move.name}`))));
  }

  function position(view) {
    const area = h("textarea", { id: "position", rows: Math.min(12, view.input.split("\n").length + 1), spellcheck: "false", value: view.input });
    const apply = () => go({ input: area.value.endsWith("\n") ? area.value : `${area.value}\n` });
    const another = async () => {
      try {
        const sample = await ask(`${game.name}/sample`, { kind: game.kind ?? "ordinary", seed: Math.floor(Math.random() * 2 ** 31) });
        await go({ input: sample.input });
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        side.replaceChildren(fault(error));
      }
    };
    return panel("Position",
      h("div", { class: "stack" },
        h("label", { for: "position" }, "The judge’s text; edit it and apply, or paste one"),
        area,
        h("div", { class: "row" },
          h("button", { class: "main", onclick: apply, id: "apply" }, "Apply"),
          h("button", { onclick: another }, "Another position"),
          (view.read ? game.transforms ?? [] : []).map(({ name, change }) =>
            h("button", { onclick: () => go({ input: change(view.input) }) }, name)))));
  }

  addEventListener("popstate", show);
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, button, a, summary, [tabindex='0']")) return;
    if (event.key === " ") {
      event.preventDefault();
      best?.();
    } else if (event.key === "ArrowLeft" && (history.state?.depth ?? 0) > 0) {
      history.back();
    } else if (event.key === "ArrowRight") {
      history.forward();
    }
  });
  show();
}

/// The difference between a probability and the best one, as text; empty if there is none.
export function costOf(best, chosen, digits = 3) {
  const cost = Math.abs(best - chosen);
  return cost < 0.5 * 10 ** -digits ? "" : cost.toFixed(digits);
}

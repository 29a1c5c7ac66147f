// Creates elements. Text from inputs and answers becomes text nodes, never markup.

/** @import { Child, Failure, Properties } from "./types.d.ts" */

/// The path of the page: a host may have other pages beside it.
export const ROOT = new URL("..", import.meta.url).pathname;
/** An address on this page, which begins with `/`. @param {string} path */
export const below = (path) => `${ROOT}${path.slice(1)}`;

/**
 * @template {HTMLElement | SVGElement} Made
 * @param {Made} element
 * @param {Properties} properties
 * @param {Child[]} children
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (typeof value === "object") style(element, value);
    else if (name === "value") Object.assign(element, { value });
    else if (name === "href" && String(value).startsWith("/")) element.setAttribute(name, below(String(value)));
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** @type {(element: HTMLElement | SVGElement, values: Record<string, unknown>) => void} */
function style(element, values) {
  for (const [name, value] of Object.entries(values)) {
    if (name.startsWith("--")) element.style.setProperty(name, String(value));
    else Object.assign(element.style, { [name]: value });
  }
}

/** @type {(element: Element, children: Child[]) => void} */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== undefined && child !== null && child !== false) element.append(child);
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...Child} children
 */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} properties
 * @param {...Child} children
 */
export function svg(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

/**
 * An element that the page has.
 * @param {string} selector
 * @returns {HTMLElement}
 */
export function find(selector) {
  const found = document.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** @type {(title: Child, ...children: Child[]) => HTMLElement} */
export function panel(title, ...children) {
  return h("section", { class: "panel" }, title && h("h2", {}, title), ...children);
}

/** @param {number} share */
export function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/**
 * A difference in few decimals, which is never shown as nothing.
 * @type {(difference: number, decimals: number) => string}
 */
export function atLeast(difference, decimals) {
  const least = 10 ** -decimals;
  return difference < least / 2 ? `less than ${least}` : difference.toFixed(decimals);
}

/** A difference of two shares. @param {number} loss */
export const points = (loss) => `${atLeast(100 * loss, 1)} % points`;

/** @param {number} share */
const width = (share) => ({ width: `${100 * Math.max(0, Math.min(1, share))}%` });

/** @type {(share: number, ...children: Child[]) => Node} */
export const bar = (share, ...children) => h("span", { class: "bar", style: width(share) }, ...children);

/**
 * A bar chart of outcomes with their probabilities.
 * @param {{ name: string, share: number }[]} rows
 */
export function plot(rows) {
  const most = Math.max(...rows.map((row) => row.share), 1e-9);
  return h("dl", { class: "plot" }, rows.flatMap((row) => [
    h("dt", {}, row.name),
    h("dd", { class: "track" }, h("i", { style: width(row.share / most) })),
    h("dd", { class: "number" }, percent(row.share)),
  ]));
}

/**
 * An error message: the line, what is wrong, and the remedy.
 * @type {(error: Failure, retry?: () => void) => HTMLElement}
 */
export function fault(error, retry) {
  return h("section", { class: "panel fault", role: "alert" },
    h("p", {}, h("strong", {}, error.line ? `Line ${error.line}: ` : "", error.what)),
    h("p", {}, error.remedy),
    retry && h("div", { class: "row" }, h("button", { id: "retry", onclick: retry }, "Try again")));
}

/**
 * A choice of the side to move.
 * @type {(names: string[], current: string, set: (name: string) => void) => Node}
 */
export function moverField(names, current, set) {
  const choice = h("select", { id: "mover" }, names.map((name) => h("option", { value: name }, name)));
  choice.addEventListener("change", () => set(choice.value));
  choice.value = current;
  return h("div", { class: "row" }, h("label", { for: "mover" }, "To move"), choice);
}

/** Whether this is the second click of a double click, which must not act again. @param {Event} event */
export const isRepeated = (event) => event instanceof UIEvent && event.detail > 1;

/**
 * Whether the system asks for less motion.
 */
export const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

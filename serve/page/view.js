// Creates elements. Text from inputs and answers becomes text nodes, never markup.

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((child) => child !== undefined && child !== null && child !== false));
  return element;
}

export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

export function panel(title, ...children) {
  return h("section", { class: "panel" }, title && h("h2", {}, title), ...children);
}

export function percent(share) {
  return `${(100 * share).toFixed(1)}%`;
}

/// A bar chart of outcomes with their probabilities.
export function plot(rows) {
  const most = Math.max(...rows.map((row) => row.share), 1e-9);
  return h("dl", { class: "plot" }, rows.flatMap((row) => [
    h("dt", {}, row.name),
    h("dd", { class: "track" }, h("i", { style: { width: percent(row.share / most) } })),
    h("dd", { class: "number" }, percent(row.share)),
  ]));
}

/// An error message: the line, what is wrong, and the remedy.
export function fault(error) {
  return h("section", { class: "panel fault", role: "alert" },
    h("p", {}, h("strong", {}, error.line ? `Line ${error.line}: ` : "", error.what)),
    h("p", {}, error.remedy));
}

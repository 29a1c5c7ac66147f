// The page about the tables, the documents and the API.

import { ask, refusalOf } from "./api.js";
import { fault, h, panel } from "./view.js";

const DOCUMENTS = [
  ["games.md", "the games"], ["json.md", "JSON"], ["serve.md", "this server"], ["format.md", "the table format"],
  ["generator.md", "the generator"], ["stress.md", "the tester"], ["your-own-game.md", "a game of your own"],
  ["game-programs.md", "games that are programs"],
  ["cluster.md", "Balda’s boards"],
];

// A static site answers in the browser.
const HAS_API = document.documentElement.dataset.static === undefined;

/** @param {HTMLElement} root */
export async function about(root) {
  document.title = "About · tabletop";
  const tables = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tables" },
    h("p", { class: "note" }, "…"));
  root.append(
    h("div", { class: "head" },
      h("h1", {}, "About"),
      h("p", {}, "Answers are looked up in tables or worked out on request. They are exact; only Balda is played as "
        + "well as a search can.")),
    panel("Tables", tables),
    h("p", { class: "note after" },
      HAS_API && ["Programs ask at ", h("a", { href: "/api" }, "/api"), ", which describes itself (OpenAPI 3.1). "],
      "Documents: ",
      DOCUMENTS.flatMap(([file, name], place) => [place > 0 && ", ", h("a", { href: `/docs/${file}` }, name)]), "."));
  try {
    const listing = await ask("tables");
    const numeric = ["Positions", "Bytes"];
    const columns = ["Table", "Game", ...numeric, "State", "SHA-256"].map((name) =>
      h("th", { class: numeric.includes(name) && "number", scope: "col" }, name));
    tables.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, columns)),
      h("tbody", {}, listing.tables.map((table) => h("tr", {},
        h("td", {}, table.table),
        h("td", {}, table.game),
        h("td", { class: "number" }, table.positions?.toLocaleString("en") ?? ""),
        h("td", { class: "number" }, table.bytes?.toLocaleString("en") ?? ""),
        h("td", {}, table.shipped ? "as shipped" : table.state),
        h("td", {}, h("code", { title: table.sha256 }, table.sha256?.slice(0, 16) ?? "")))))));
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal) tables.replaceChildren(fault(refusal));
  }
}

import { ask } from "./api.js";
import { balda } from "./balda.js";
import { codenames } from "./codenames.js";
import { dice } from "./dice.js";
import { hopchess } from "./hopchess.js";
import { jenga } from "./jenga.js";
import { fault, h, panel } from "./view.js";

/// Three interesting positions for each game. The extremes are from `tabletop-gen GAME --stats`.
const GAMES = [
  [dice, [
    ["The pair best for A: five sixes against five fives", "1\n6 6 6 6 6\n5 5 5 5 5\n"],
    ["The pair best for B that is not decided", "1\n1 1 1 1 1\n5 5 5 5 5\n"],
    ["Five ones: rerolling nothing is best", "1\n1 1 1 1 1\n1 1 1 1 2\n"],
  ]],
  [jenga, [
    ["The contest’s tower of six levels", "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n"],
    ["Nothing but red: one side of six helps", "6\nRRR\nRRR\nRRR\nRRR\nRRR\nRRR\n"],
    ["The middle of a game", "3\nRGR\n.RG\nG..\n"],
  ]],
  [hopchess, [
    ["The best 3 x 4 board for a Justin who errs like Donald", "3 4\nJJJJ\nJJDJ\nJJJJ\n13 13\n"],
    ["The worst 3 x 3 board for him: alone in the middle", "3 3\nDDD\nDJD\nDDD\n13 13\n"],
    ["A chessboard of twelve", "3 4\nJDJD\nDJDJ\nJDJD\n2 2\n"],
  ]],
  [codenames, [
    ["The contest’s board", "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n"],
    ["A certain hint: red wins at once", "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n"],
    ["Nine cards and an assassin", codenames.sample],
  ]],
];

const WORDS = [["English: kenaf", "en", "kenaf"], ["Russian: сыщик", "ru", "сыщик"], ["Turkish: havuc", "tr", "havuc"]];

const DOCUMENTS = [["games.md", "the games"], ["json.md", "JSON"], ["serve.md", "this server"], ["format.md", "the table format"], ["generator.md", "the generator"], ["stress.md", "the tester"], ["your-own-game.md", "a game of your own"], ["cluster.md", "Balda’s boards"]];

/// The start page.
export async function about(root) {
  document.title = "tabletop";
  const link = (path, name) => h("li", {}, h("a", { href: path }, name));
  const cards = GAMES.map(([game, positions]) => h("section", { class: "panel" },
    h("h2", {}, h("a", { href: `/${game.name}` }, game.title)),
    h("p", {}, game.rules),
    h("ul", {}, positions.map(([name, input]) => link(`/${game.name}?${new URLSearchParams({ input })}`, name)))));
  const last = h("section", { class: "panel" },
    h("h2", {}, h("a", { href: "/balda" }, balda.title)),
    h("p", {}, balda.rules),
    h("ul", {}, WORDS.map(([name, lang, word]) => link(`/balda#${new URLSearchParams({ lang, word, game: "", at: "0" })}`, name))));
  const tables = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Tables" }, h("p", { class: "note" }, "…"));
  root.append(
    h("div", { class: "head" },
      h("h1", {}, "Every move with its value"),
      h("p", {}, "Five games, four of them solved: their answers are looked up in tables or worked out, and they are exact. The fifth is played as well as anyone can.")),
    h("div", { class: "games" }, cards, last),
    panel("Tables", tables),
    h("p", { class: "note after" }, "Programs ask at ", h("a", { href: "/api" }, "/api"), ", which describes itself (OpenAPI 3.1). Documents: ",
      DOCUMENTS.flatMap(([file, name], place) => [place > 0 && ", ", h("a", { href: `/docs/${file}` }, name)]), "."));
  try {
    const listing = await ask("tables");
    tables.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, ["Table", "Game"].map((name) => h("th", { scope: "col" }, name)), ["Positions", "Bytes"].map((name) => h("th", { class: "number", scope: "col" }, name)), ["State", "SHA-256"].map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, listing.tables.map((table) => h("tr", {},
        h("td", {}, table.table),
        h("td", {}, table.game),
        h("td", { class: "number" }, table.positions?.toLocaleString("en") ?? ""),
        h("td", { class: "number" }, table.bytes?.toLocaleString("en") ?? ""),
        h("td", {}, table.shipped ? "as shipped" : table.state),
        h("td", {}, h("code", { title: table.sha256 }, table.sha256?.slice(0, 16) ?? "")))))));
  } catch (error) {
    tables.replaceChildren(fault(error));
  }
}

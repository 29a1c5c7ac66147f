// Shows the page of the current path.

import { h } from "./view.js";
import { about } from "./about.js";
import { balda } from "./balda.js";
import { codenames } from "./codenames.js";
import { dice } from "./dice.js";
import { hopchess } from "./hopchess.js";
import { jenga } from "./jenga.js";
import { play } from "./play.js";

const main = document.getElementById("main");
const exact = { dice, jenga, hopchess, codenames };
const name = location.pathname.replaceAll("/", "");

for (const link of document.querySelectorAll("nav a")) {
  if (link.pathname === location.pathname) link.setAttribute("aria-current", "page");
}
// A jump to `#main` would replace the position in the address.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
main.replaceChildren();
const game = exact[name];
if (game) {
  document.title = `${game.title} · tabletop`;
  main.append(heading(game));
  play(game, main);
} else if (name === "balda") {
  document.title = "Balda · tabletop";
  main.append(heading(balda));
  balda.start(main);
} else {
  about(main);
}

function heading({ title, rules }) {
  return h("div", { class: "head" }, h("h1", {}, title), h("p", {}, rules));
}

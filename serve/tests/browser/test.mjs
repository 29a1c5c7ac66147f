// Uses every page as a person does: enters a position, compares the values with the command line, plays, goes back,
// reloads and shares.
//
// usage: node test.mjs REPOSITORY [--site=DIR] [--shots] [PART OF A NAME]
// Without --site it tests the server, with it the static site in DIR.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { editTests } from "./edit.mjs";
import { FLAGS, host, serve } from "./host.mjs";

/** @import { Page } from "playwright-core" */
/** @import { Answers } from "../../page/types.d.ts" */

/** @typedef {"dice" | "jenga" | "hopchess" | "codenames"} Exact */

const [repository, ...options] = process.argv.slice(2);
const programs = process.env.TABLETOP_BIN ?? join(repository, "target/release");
const tables = join(repository, "tables");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/**
 * The JSON that the command line prints for an input.
 * @template {Exact} Name
 * @param {Name} game
 * @param {string} input
 * @returns {Answers[Name]}
 */
function cli(game, input) {
  const command = [game, "--json", "--tables", tables];
  return JSON.parse(execFileSync(join(programs, "tabletop"), command, { input, encoding: "utf8" }));
}

const scratch = mkdtempSync(join(tmpdir(), "tabletop-browser-"));
const examples = join(repository, "target/debug");
const MARKUP = "<img src=x onerror=alert(1)>";

/** Programs that lie, and the field of their answers that is wrong. @type {Record<string, string>} */
const LIES = {
  "lie-list": "moves", "lie-value": "moves: value", "lie-touch": "moves: touch", "lie-weight": "outcomes: weight",
  "lie-board": "board",
};
/// Games made with the kit, which the server and the site have.
const KIT = ["tic-tac-toe", "shut-the-box", "l-game"];

const kit = KIT.map((name) => join(examples, name));
for (const game of kit) execFileSync(game, ["solve", "--out", scratch], { stdio: "ignore" });

/// Games that are programs: some of the kit, the example of the documents with markup for words, and one that dies.
function gamePrograms() {
  const documents = readFileSync(join(repository, "docs/game-programs.md"), "utf8");
  const nim = /```python\n([^`]*)```/.exec(documents)?.[1] ?? assert.fail("the document has no example");
  const marked = nim.replace("Nim: 1 if", `Nim ${MARKUP}: 1 if`)
    .replace('{"move": str(n)', `{"move": "${MARKUP}" + str(n)`);
  const dying = nim.replace('"name": "nim"', '"name": "dying"').replace("left = int(position)", "sys.exit()");
  /** @type {(name: string, from: string, to: string) => string} */
  const lying = (name, from, to) => nim.replace('"name": "nim"', `"name": "${name}"`).replace(from, to);
  const liars = {
    "lie-list": lying("lie-list", '"moves": moves', '"moves": "x"'),
    "lie-value": lying("lie-value", '"value": -value(left - n)', '"value": "high"'),
    "lie-touch": lying("lie-touch", '"turn": True', '"touch": [[5]]'),
    "lie-board": lying("lie-board", '"moves": moves', '"board": ["x" * 1000] * 1000, "moves": moves'),
    "lie-weight": lying("lie-weight", '"moves": moves', '"outcomes": moves'),
  };
  const slow = nim.replace('"name": "nim"', '"name": "slow"')
    .replace("left = int(position)", "import time; time.sleep(1); left = int(position)");
  const bounded = nim.replace('"name": "nim"', '"name": "bounded", "decimals": 2, "unit": "points"')
    .replace('"players": 2', '"players": 1')
    .replace('"starts": ["12"]', '"starts": [str(n) for n in range(12, 40)], "examples": [longest]')
    .replace("import json", 'longest = {"name": "longest", "position": "99"}\nimport json')
    .replace('"value": -value(left - n)', '"value": n, "lower": n - 0.004, "upper": n + 0.004')
    .replace('return {"value": value(left)', 'return {"value": 1.5, "lower": 1.25, "upper": 1.75');
  const points = lying("points", '"value": -value(left - n)', '"value": [100, 99, 95][n - 1]')
    .replace('"players": 2', '"players": 1')
    .replace('return {"value": value(left)', 'return {"value": 100');
  const files = Object.entries({ nim: marked, dying, bounded, points, slow, ...liars }).map(([name, text]) => {
    const file = join(scratch, `${name}.py`);
    writeFileSync(file, text);
    return file;
  });
  return [...kit, ...files];
}

const startServer = (/** @type {string[]} */ games) => serve(programs, tables, games, { TABLETOP_TABLES: scratch });

const site = options.find((option) => option.startsWith("--site="))?.slice("--site=".length);
const { address, close } = site === undefined ? await startServer(gamePrograms()) : await host(site);
const viewport = { width: 1280, height: 900 };
const launch = { executablePath: "/usr/bin/chromium", args: FLAGS, viewport };
const context = await chromium.launchPersistentContext(join(scratch, "profile"), launch);
/** @type {string[]} */
const problems = [];
const watch = (/** @type {Page} */ opened) => {
  opened.on("console", (message) => {
    // The browser also logs bad inputs, pages that are not there, and requests that a test aborts.
    const isExpected = /status of (40[04]|502)|ERR_FAILED/.test(message.text());
    if (message.type() === "error" && !isExpected) problems.push(message.text());
  });
  opened.on("pageerror", (error) => problems.push(String(error)));
  opened.on("request", (request) => {
    if (!request.url().startsWith(address)) problems.push(`a request to ${request.url()}`);
  });
  return opened;
};
let page = watch(await context.newPage());
page.setDefaultTimeout(30_000);

/** @type {(game: Exact, input: string) => string} */
const link = (game, input) => `${address}/${game}?${new URLSearchParams({ input })}`;
const shown = () => page.evaluate(() => document.getElementById("main")?.dataset.shown ?? "");
const shownInput = async () => (await shown()).split("\t")[0];
const value = () => page.locator("[data-value]").first().getAttribute("data-value");
const textOf = async (/** @type {string} */ selector) => (await page.locator(selector).first().textContent()) ?? "";
/// Waits until Balda's search says this.
const searchSays = (/** @type {string} */ text) =>
  page.waitForFunction((wanted) => document.querySelector("#search")?.textContent.includes(wanted), text);
/// Waits until the page shows the position in its address.
const settle = (timeout = 30_000) => page.waitForFunction(() => {
  const main = document.getElementById("main");
  return main?.dataset.shown !== undefined && !main.hasAttribute("aria-busy");
}, undefined, { timeout });
/// Opens a page anew.
async function open(/** @type {string} */ url) {
  await page.goto("about:blank");
  await page.goto(url);
  await settle();
}
/// Does something that leads to another position, and waits for it.
async function moved(/** @type {() => Promise<unknown>} */ act) {
  const before = page.url();
  await act();
  await page.waitForFunction((url) => location.href !== url, before);
  await settle();
}
const tool = (/** @type {string} */ name) => page.click(`[data-tool="${name}"]`);
const width = () => page.evaluate(() => document.documentElement.scrollWidth);

/** @param {string} input */
async function enter(input) {
  await page.fill("#position", input);
  await moved(() => page.click("#apply"));
}

/** @param {Answers[Exact]} found */
const answerOf = (found) => ("cases" in found ? found.cases[0] : found).answer;

/** @type {Record<Exact, string[]>} */
const POSITIONS = {
  dice: ["1\n1 3 1 2 2\n2 2 3 4 6\n", "1\nto move: B\n1 1 1 4 4\n1 2 3 4 5\n"],
  jenga: ["2\nRGB\nGRG\n", "3\nRGR\n.RG\nG..\n"],
  hopchess: ["1 3\nJJD\n3 1\n", "2 3\nJ.D\nDJJ\nto move: J\n2 2\n"],
  codenames: [
    "4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n",
    "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n",
    "4 R\nbat cave wing bell\n. B R R\nguessing: hint 1 with number 2\n2\n3 bat wing bell\n1 cave\n",
  ],
};
/// In the middle of a turn.
const GUESSING = POSITIONS.codenames[2];

/** @type {Record<Exact, string>} */
const BAD = {
  dice: "1\n7 1 1 1 1\n",
  jenga: "1\nRGX\n",
  hopchess: "1 3\nJXD\n1 1\n",
  codenames: "2 Q\na b\nR B\n1\n1 a\n",
};
const GAMES = /** @type {Exact[]} */ (Object.keys(POSITIONS));
const CHESSBOARD = "3 3\nJDJ\nDJD\nJDJ\n2 3\n";
const BALDA = "en\n...\ncat\n...\ncat\n";

/// Plays the first move or outcome of the list.
const playFirst = () => moved(() => page.locator(".moves button").first().click());
const isOver = async () => (await page.locator("[data-over]").count()) > 0;

/**
 * Makes a move on the board alone: touches cells until the position changes.
 * @param {(cell: import("playwright-core").Locator) => Promise<void>} touch
 */
async function playOnBoard(touch) {
  const before = page.url();
  for (let touches = 0; page.url() === before; touches += 1) {
    assert.ok(touches < 12, "the board makes no move");
    const press = page.locator("#throw, #roll, .key");
    const next = page.locator("[data-cell].can:not([disabled]):not(.on)");
    if ((await page.locator("#roll, .key").count()) > 0) await touch(press.last());
    else if ((await next.count()) > 0) await touch(next.first());
    // Nothing can be taken: the player waits.
    else await touch(page.locator("#throw, .moves button").first());
    await settle();
  }
}

/** @type {(touch: (cell: import("playwright-core").Locator) => Promise<void>) => Promise<void>} */
async function playWholeGames(touch) {
  const links = GAMES.flatMap((game) => POSITIONS[game].map((input) => link(game, input)));
  const others = [`balda?${new URLSearchParams({ input: BALDA })}`, "tic-tac-toe", "shut-the-box"];
  for (const url of [...links, ...others.map((path) => `${address}/${path}`)]) {
    await open(url);
    for (let moves = 0; !(await isOver()); moves += 1) {
      assert.ok(moves < 90, `${url} does not end`);
      await playOnBoard(touch);
    }
  }
}

/** @typedef {import("../../page/types.d.ts").BaldaMove & { next: string }} Word */

/// The words that can be made on the board of the tests, as the command line lists them.
function wordsOfBalda() {
  const command = ["balda", "--board", "--json", "--tables", tables];
  const listed = execFileSync(join(programs, "tabletop"), command, { input: BALDA, encoding: "utf8" });
  return /** @type {Word[]} */ (JSON.parse(listed).moves);
}

/**
 * The middles of the cells along which a word is read.
 * @param {Word} word
 */
async function wayOf({ first_row, first_column, steps }) {
  let [row, column] = [first_row - 1, first_column - 1];
  /** @type {[number, number][]} */
  const middles = [];
  for (const step of ["", ...steps]) {
    row += Number(step === "d") - Number(step === "u");
    column += Number(step === "r") - Number(step === "l");
    const box = await page.locator(`[data-cell='${row},${column}']`).boundingBox() ?? assert.fail("no cell");
    middles.push([box.x + box.width / 2, box.y + box.height / 2]);
  }
  return middles;
}

/**
 * Does something with a telephone's page in place of the page.
 * @param {(phone: import("playwright-core").BrowserContext) => Promise<void>} act
 */
async function onPhone(act) {
  const mouse = page;
  const phone = await context.browser()?.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
    ?? assert.fail("no browser");
  page = watch(await phone.newPage());
  try {
    await act(phone);
  } finally {
    page = mouse;
    await phone.close();
  }
}

/** @type {Record<string, () => Promise<void>>} */
const tests = {
  async "every game shows the command line's values, plays, goes back, reloads and shares"() {
    for (const game of GAMES) {
      await open(`${address}/${game}`);
      for (const position of POSITIONS[game]) {
        await enter(position);
        assert.equal(await value(), answerOf(cli(game, position)), `${game} ${position}`);
      }
      const input = await shownInput();
      const before = await value();
      await playFirst();
      const [url, now] = [page.url(), await value()];
      await page.reload();
      await settle();
      assert.equal(page.url(), url);
      assert.equal(await page.locator("[data-at]").count(), 1, `${game}: the game after a reload`);
      const other = watch(await context.newPage());
      await other.goto(url);
      await other.waitForSelector("[data-value]");
      const shared = await other.locator("[data-value]").first().getAttribute("data-value");
      assert.equal(shared, now, `${game}: a shared link`);
      await other.close();
      await moved(() => page.goBack());
      assert.equal(await shownInput(), input);
      assert.equal(await value(), before, `${game}: back`);
    }
  },

  async "a bad input shows the message with its line, and a good one clears it"() {
    for (const game of GAMES) {
      await open(`${address}/${game}`);
      await enter(BAD[game]);
      assert.match(await textOf("[role=alert]"), /^Line \d+: /, game);
      await enter(POSITIONS[game][0]);
      assert.equal(await page.locator("[role=alert]").count(), 0);
    }
    await open(link("dice", "0\n"));
    assert.match(await textOf("[role=alert]"), /no case/);
    for (const game of ["dice", "jenga", "hopchess"]) {
      await open(link(/** @type {Exact} */ (game), "1\nx\n"));
      await tool("Edit");
      assert.equal(await textOf(".verdict"), "This position cannot be edited like this: correct its text.", game);
    }
  },

  async "whole games are played on the board by clicks"() {
    await playWholeGames((cell) => cell.click());
  },

  async "whole games are played on the board by keys"() {
    await playWholeGames(async (cell) => {
      await cell.focus();
      await page.keyboard.press("Enter");
    });
  },

  async "whole games are played on the board by touch"() {
    await onPhone(() => playWholeGames((cell) => cell.tap()));
  },

  async "the moves are those of the command line, in the same order, and the best has the longest bar"() {
    /** @type {(found: Answers[Exact]) => string[]} */
    const listed = (found) => {
      if ("cases" in found) return found.cases[0].moves.map((move) => `${(100 * move.probability).toFixed(1)} %`);
      if ("moves" in found) return found.moves.map((move) => `${(100 * move.probability).toFixed(1)} %`);
      return found.faces.filter(({ face }) => face === "green")
        .flatMap((face) => face.moves.map((move) => `${move.minutes.toFixed(3)} min`));
    };
    for (const game of GAMES) {
      for (const input of POSITIONS[game].slice(0, 2)) {
        await open(`${link(game, input)}${game === "jenga" ? "&chance=green" : ""}`);
        const rows = await page.locator(".moves li").evaluateAll((items) => items.map((item) => ({
          number: item.querySelector(".number")?.textContent ?? "",
          moves: item.querySelectorAll("[data-move]").length,
          bar: Number.parseFloat(item.querySelector(".bar") instanceof HTMLElement
            ? /** @type {HTMLElement} */ (item.querySelector(".bar")).style.width : "0"),
        })));
        const numbers = rows.flatMap(({ number, moves }) => new Array(moves).fill(number));
        assert.deepEqual(numbers, listed(cli(game, input)), `${game} ${input}`);
        if (game !== "jenga") assert.match(await textOf(".moves-panel h2"), /, best first (A|Justin|Red|Blue) wins$/);
        assert.equal(rows[0].bar, Math.max(...rows.map(({ bar }) => bar)), `${game} ${input}: the longest bar`);
      }
    }
  },

  async "every way to take a block is on the board, with the value of its kind"() {
    const input = "4\nRGB\nGRG\nBGG\nGGR\n";
    await open(`${link("jenga", input)}&chance=green`);
    const face = cli("jenga", input).faces.find((other) => other.face === "green");
    const listed = await page.locator("[data-move]").allTextContents();
    const ways = listed.map((name) => Number(/×(\d+)$/.exec(name)?.[1] ?? 1));
    assert.deepEqual(ways, face?.moves.map((move) => move.ways));
    // The block of a mirrored level leads to a tower of the same value.
    await page.click("[data-cell='2,2']");
    const badge = await textOf("[data-cell='4,1'] .badge");
    await moved(() => page.click("[data-cell='4,1']"));
    assert.equal(`${cli("jenga", await shownInput()).minutes.toFixed(3)} min`, badge);
  },

  async "a move in the list is shown on the board, and a cell lights its moves"() {
    await open(link("hopchess", CHESSBOARD));
    await page.hover("[data-move='b2×c2']");
    assert.ok(await page.locator("[data-cell=c2].lit").count());
    await page.hover("[data-cell=a3]");
    assert.deepEqual((await page.locator(".chips .lit").allTextContents()).sort(), ["a3×a2", "a3×b3"]);
    await page.mouse.move(0, 0);
    assert.ok((await page.locator("[data-cell].lit").count()) > 0, "the best move is shown");
    await page.click("[data-cell=b2]");
    assert.equal(await page.locator(".badge").count(), 4);
    assert.equal(await page.locator("[data-cell].lit, .arrows polyline").count(), 0, "a selection replaces the advice");
    const frameOf = (/** @type {string} */ cell) => page.locator(cell).first().evaluate((found) =>
      getComputedStyle(found, "::after").boxShadow);
    const colour = await frameOf("[data-cell=b2]");
    await page.click("[data-cell=b2]");
    assert.ok((await page.locator("[data-cell].lit").count()) > 0);
    assert.notEqual(colour, await frameOf("[data-cell].lit"), "a selection and an advice have different colours");
    await open(`${link("jenga", POSITIONS.jenga[0])}&chance=green`);
    await page.locator("[data-move]").first().hover();
    assert.equal(await page.locator(".arrows polyline").count(), 1);
    await moved(() => page.locator("[data-move]").first().click());
    await page.mouse.move(0, 0);
    assert.equal(await page.locator(".arrows polyline, [data-cell].lit").count(), 0, "no arrow before the throw");
  },

  async "editing changes the touched die, applies once, and begins a new game"() {
    await open(link("dice", "1\n1 2 3 4 5\n1 2 3 4 5\n"));
    await playFirst();
    await moved(() => tool("Back"));
    await tool("Edit");
    const url = page.url();
    await page.click("[data-glyph='6']");
    await page.click("[data-cell=A0]");
    await page.click("[data-glyph='5']");
    await page.click("[data-cell=A0]");
    assert.equal(page.url(), url, "nothing is applied yet");
    await moved(() => page.click("#done"));
    assert.equal(await shownInput(), "1\n5 2 3 4 5\n1 2 3 4 5\n");
    assert.equal(await page.locator("[data-at]").count(), 0, "the old game is gone");
    assert.equal(await value(), cli("dice", await shownInput()).cases[0].answer);
    await open(link("hopchess", CHESSBOARD));
    await tool("Edit");
    await page.click("[data-glyph=D]");
    await page.click("[data-cell=a1]");
    await page.selectOption("#mover", "Donald");
    await page.click("text=Column −");
    const focus = () => page.evaluate(() => document.activeElement?.textContent);
    assert.equal(await focus(), "Column −");
    await page.click("[data-glyph=J]");
    assert.equal(await focus(), "Justin");
    assert.ok(!(await page.locator(".side").isVisible()), "the value of the old position is not shown");
    const done = await page.locator("#done").boundingBox();
    assert.ok(done && done.y + done.height <= viewport.height, "the edit mode needs no scrolling");
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowLeft");
    await moved(() => page.click("#done"));
    assert.equal(await shownInput(), "3 2\nDD\nDJ\nJD\nto move: D\n2 3\n");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-tool")), "Edit");
    assert.ok(await page.locator(".side").isVisible());
  },

  async "a click on a card edits nothing, and the assassin is shown"() {
    await open(link("codenames", POSITIONS.codenames[0]));
    const before = page.url();
    await page.click("[data-cell=dog]");
    await page.click("[data-cell=apple]");
    assert.equal(page.url(), before);
    await moved(() => page.click("#roll"));
    const cards = await page.locator("[data-cell]:not([disabled])").allTextContents();
    assert.deepEqual(cards, ["appleblue agent100.0 %", "dogassassin0.0 %"]);
    assert.equal(await textOf(".value-panel .note"), "Blue follows the hint apple dog: 1");
    assert.deepEqual(await page.locator(".card.aside .word").allTextContents(), ["sleep", "java"]);
    assert.equal(await page.locator("[data-cell=apple] .badge.loss-0").count(), 1);
    assert.equal(await page.locator("[data-cell=dog] .badge.loss-3").count(), 1, "a bad guess is no good one");
    const covers = await page.locator("[data-cell=apple]").evaluate((card) => {
      const [badge, ...words] = [".badge", ".word", "small"].map((part) =>
        card.querySelector(part)?.getBoundingClientRect() ?? { top: 0, bottom: 0 });
      return words.some((word) => word.bottom > badge.top);
    });
    assert.ok(!covers, "the value covers the word");
    await moved(() => page.click("[data-cell=dog]"));
    assert.match(await textOf("[data-over]"), /‘dog’ is the assassin, Red has won/);
    assert.ok(await page.locator("[data-cell=dog].found").count());
    await tool("Edit");
    await page.click("[data-glyph=I]");
    await page.click("[data-cell=dog]");
    await moved(() => page.click("#done"));
    assert.equal((await shownInput()).split("\n")[2], "B R I I");
  },

  async "a double click makes one move, with latency too"() {
    const places = [
      { url: link("hopchess", CHESSBOARD), target: "[data-move]" },
      { url: link("codenames", GUESSING), target: "[data-result=wing]" },
      { url: link("codenames", GUESSING), target: "[data-cell=wing]" },
      { url: link("codenames", GUESSING), target: "#throw" },
      { url: link("dice", POSITIONS.dice[0]), target: "#roll" },
    ];
    for (const delay of [0, 400]) {
      await page.route(/\/api\/(hopchess|codenames|dice)\?/, async (route) => {
        await new Promise((resolve) => { setTimeout(resolve, delay); });
        await route.continue();
      });
      for (const { url, target } of places) {
        await open(url);
        await moved(() => page.locator(target).first().dblclick());
        assert.equal(await page.locator("[data-at]").count(), 1, `${url} ${target} ${delay}`);
      }
      await page.unroute(/\/api\/(hopchess|codenames|dice)\?/);
    }
  },

  async "the board is drawn at once, a wait is shown, and a failure keeps the board and can be retried"() {
    const opening = new EventEmitter();
    const held = once(opening, "release");
    await page.route("**/api/jenga?*", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(link("jenga", POSITIONS.jenga[0]));
    await page.waitForSelector("progress");
    assert.equal(await page.locator(".block").count(), 9);
    opening.emit("release");
    await settle();
    await page.unroute("**/api/jenga?*");
    await page.route("**/api/**", (route) => route.abort());
    await moved(() => page.locator("[data-result=green]").click());
    await playFirst();
    assert.match(await textOf("[role=alert]"), /does not answer/);
    assert.ok((await page.locator(".block").count()) >= 9);
    await page.unroute("**/api/**");
    await page.click("#retry");
    await page.waitForSelector("[data-value]");
    assert.equal(await value(), cli("jenga", await shownInput()).answer);
    await settle();
    assert.ok(await page.evaluate(() => document.activeElement?.closest(".table")), "the focus is at the board again");
  },

  async "keys work after clicks, the focus stays on the board, and the first move is near"() {
    await open(link("hopchess", CHESSBOARD));
    await playFirst();
    const next = await shown();
    await moved(() => page.keyboard.press("ArrowLeft"));
    assert.equal(await shown(), CHESSBOARD);
    await moved(() => page.keyboard.press("ArrowRight"));
    assert.equal(await shown(), next);
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement).blur());
    await moved(() => page.keyboard.press("Space"));
    await open(link("dice", POSITIONS.dice[0]));
    await page.click("[data-cell=A0]");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-cell")), "A0");
    await open(link("jenga", POSITIONS.jenga[0]));
    await moved(() => page.click("#throw"));
    assert.ok(await page.evaluate(() => document.activeElement !== document.body), "the focus is lost");
    const links = GAMES.map((game) => link(game, POSITIONS[game][0]));
    for (const url of [...links, ...["balda", ...KIT].map((game) => `${address}/${game}`)]) {
      await open(url);
      await page.locator("main").focus();
      let tabs = 0;
      while (!(await page.evaluate(() => document.activeElement?.matches("[data-move], [data-result]")))) {
        await page.keyboard.press("Tab");
        tabs += 1;
        assert.ok(tabs <= 6, `${url}: the first move is far`);
      }
    }
  },

  async "arrow keys walk over the board"() {
    await open(link("hopchess", CHESSBOARD));
    await page.locator("main").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    const active = () => page.evaluate(() => document.activeElement?.getAttribute("data-cell"));
    assert.equal(await active(), "a1");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    assert.equal(await active(), "a2");
    await moved(() => page.keyboard.press("Enter"));
    assert.equal(await textOf("[data-at]"), "1. Justin a1×a2");
  },

  async "undo, new game, first and last position, and the link work"() {
    await open(link("hopchess", CHESSBOARD));
    await playFirst();
    const first = await shown();
    await playFirst();
    const [second, url] = [await shown(), page.url()];
    await moved(() => tool("First position"));
    assert.equal(await shown(), CHESSBOARD);
    await moved(() => tool("Last position"));
    assert.equal(await shown(), second);
    await moved(() => page.locator("[data-at='1']").click());
    assert.equal(await shown(), first);
    await moved(() => page.keyboard.press("ArrowRight"));
    assert.equal(page.url(), url);
    await moved(() => tool("Undo"));
    assert.equal(await page.locator("[data-at]").count(), 1);
    assert.equal(await shown(), first);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await tool("Copy link");
    await page.waitForFunction(() => document.querySelector(".verdict")?.textContent.includes("copied"));
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
    await moved(() => tool("New game"));
    assert.equal(await page.locator("[data-at]").count(), 0);
    const mirrored = "2 3\nDJD\nJJD\n2 2\n";
    await open(link("hopchess", mirrored));
    const shownValue = await value();
    await playFirst();
    await moved(() => tool("New game"));
    assert.equal(await shown(), mirrored, "a new game begins where this one did");
    await moved(() => tool("Mirror"));
    assert.equal(await shownInput(), "2 3\nDJD\nDJJ\n2 2\n");
    assert.equal(await value(), shownValue);
  },

  async "a shared game has its graph, and a forged step is left out"() {
    await open(link("hopchess", CHESSBOARD));
    for (let moves = 0; moves < 4; moves += 1) await playFirst();
    const url = page.url();
    await open(url);
    await page.waitForFunction(() => document.querySelectorAll(".graph circle").length === 5);
    assert.equal(await page.locator("[data-at]").count(), 4);
    await open(`${url.slice(0, -3)}%`);
    assert.equal(await page.locator("[data-at]").count(), 3);
  },

  async "the solver plays its side, values are hidden, and every move gets a verdict"() {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(link("hopchess", "2 3\nJDJ\nDJD\n1 1\n"));
    await page.click("[data-as='0']");
    await page.waitForFunction(() => document.querySelector("[data-value]")?.textContent === "Justin to move");
    assert.equal(await textOf(".moves-panel h2"), "Your moves");
    assert.equal(await page.locator(".moves .number, .badge, .graph").count(), 0);
    const moves = cli("hopchess", await shownInput()).moves;
    const worst = moves[moves.length - 1];
    const name = (/** @type {{ row: number, column: number }} */ { row, column }) => `${"abc"[column - 1]}${row}`;
    await page.click(`[data-cell=${name(worst.from)}]`);
    await page.click(`[data-cell=${name(worst.to)}]`);
    await page.waitForFunction(() => document.querySelectorAll("[data-at]").length >= 2);
    assert.match(page.url(), /as=0/);
    await page.waitForSelector("[data-move]");
    await tool("Undo");
    await page.waitForFunction(() => document.querySelectorAll("[data-at]").length === 0);
    await settle();
    assert.equal(await shown(), "2 3\nJDJ\nDJD\n1 1\n", "undo goes back to the person’s own choice");
    assert.ok(await page.locator("[data-tool=Undo]").isDisabled());
    for (let turns = 0; !(await isOver()); turns += 1) {
      assert.ok(turns < 9, "the game does not end");
      await page.waitForSelector("[data-move], [data-over]");
      if (await isOver()) break;
      await page.locator("[data-move]").first().click();
      await page.waitForFunction(() => document.querySelector("[data-over]")
        || /(: the best|best was .*)\. Donald: /.test(document.querySelector(".verdict")?.textContent ?? ""));
    }
    assert.equal(await page.locator(".graph").count(), 1, "a finished game shows its values");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await open(link("hopchess", POSITIONS.hopchess[1]));
    await moved(() => page.locator("[data-move]").last().click());
    assert.match(await textOf(".verdict"), /loses \d+\.\d % points; best was /);
  },

  async "a block that is moved before the throw is compared with the moves after its own face"() {
    const input = "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n";
    const faces = cli("jenga", input).faces.filter(({ moves }) => moves.length > 1);
    assert.ok(faces.length > 1);
    const cell = (/** @type {{ level: number, place: string }} */ { level, place }) =>
      `[data-cell='${level - 1},${["left", "middle", "right"].indexOf(place)}']`;
    for (const { face, moves } of faces) {
      await open(link("jenga", input));
      await page.click(cell(moves[moves.length - 1].take));
      await moved(() => page.click(cell(moves[moves.length - 1].put)));
      assert.match(await textOf(".verdict"), new RegExp(`^${face}: .* loses .*; best was ${face}: `));
    }
  },

  async "the verdict on a move goes when another position is chosen"() {
    const ways = [
      () => tool("Mirror"), () => tool("Swap players"), () => page.click("#another"), () => page.click("#apply"),
      () => page.locator("[data-pair='5 7']").click(),
    ];
    for (const way of ways) {
      await open(link("hopchess", POSITIONS.hopchess[1]));
      await moved(() => page.locator("[data-move]").last().click());
      assert.match(await textOf(".verdict"), /loses/);
      await moved(way);
      assert.equal(await textOf(".verdict"), "", String(way));
    }
  },

  async "a letter that leads nowhere keeps what is chosen"() {
    await open(link("dice", POSITIONS.dice[0]));
    const kept = () => page.locator(".die.on").count();
    const [before, press] = [await kept(), await textOf("#roll")];
    assert.ok(before > 0);
    await page.keyboard.press("c");
    assert.equal(await kept(), before);
    assert.equal(await textOf("#roll"), press);
    await open(`${address}/balda?${new URLSearchParams({ input: BALDA })}`);
    await page.locator("[data-cell].can").first().click();
    const keys = await page.locator(".key").allTextContents();
    await page.keyboard.press([..."qxjzvw"].find((letter) => !keys.includes(letter)) ?? assert.fail("all letters"));
    assert.deepEqual(await page.locator(".key").allTextContents(), keys);
    assert.equal(await page.locator("[data-cell].on").count(), 1);
  },

  async "the focus is not lost: tools that switch themselves off, all moves, quick steps"() {
    const active = (/** @type {string} */ selector) =>
      page.evaluate((wanted) => document.activeElement?.matches(wanted), selector);
    await open(link("hopchess", CHESSBOARD));
    for (const name of ["Back", "Undo"]) {
      await playFirst();
      await page.focus(`[data-tool=${name}]`);
      await moved(() => page.keyboard.press("Enter"));
      assert.ok(await active("[data-tool]:not([disabled])"), name);
    }
    await open(`${address}/balda`);
    await page.focus(".more");
    await page.keyboard.press("Enter");
    assert.ok(await active(".moves button"), "all moves");
    const chips = await page.locator(".moves button").evaluateAll((all) => all.indexOf(
      /** @type {HTMLElement} */ (document.activeElement)));
    assert.equal(chips, 60, "the first new word");
    await open(link("hopchess", CHESSBOARD));
    await page.click("[data-cell=a1]");
    await moved(() => page.evaluate(() => {
      const cell = /** @type {HTMLElement} */ (document.querySelector("[data-cell=a2]"));
      cell.focus();
      cell.click();
      // The answer has not arrived.
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    }));
    assert.ok(await active("[data-cell]"), "two quick steps");
  },

  async "pointing at a hint, a throw or a guess shows it on the board, and pointing at the board its row"() {
    const lit = (/** @type {string} */ part) => page.locator(`${part}.lit`).allTextContents();
    await open(link("dice", "1\n1 1 1 2 3\n1 2 3 4 5\n"));
    const dice = () => page.locator(".die.lit").evaluateAll((all) => all.map((die) => die.getAttribute("data-label")));
    await page.hover("[data-move='Roll 1 2 3, keep 1 1']");
    assert.deepEqual(await dice(), ["A 1", "A 1"], "two of three ones are kept");
    await page.hover("h1");
    assert.deepEqual(await dice(), []);
    await open(link("codenames", POSITIONS.codenames[0]));
    await page.hover("[data-move^='apple java']");
    assert.deepEqual(await lit(".card"), ["appleblue agent", "javabystander"]);
    await open(link("codenames", GUESSING));
    await page.hover("[data-result=wing]");
    assert.deepEqual(await page.locator(".card.lit .word").allTextContents(), ["wing"]);
    await page.hover("[data-cell=bell]");
    assert.deepEqual((await lit("[data-result]")).map((text) => text.split(" ")[0]), ["bell"]);
    await page.focus("[data-result=wing]");
    await page.mouse.move(0, 0);
    assert.deepEqual(await page.locator(".card.lit .word").allTextContents(), ["wing"], "by key");
    await open(link("jenga", POSITIONS.jenga[0]));
    await page.hover(".block.G.can");
    assert.equal(await page.locator("[data-result=green].lit").count(), 1, "a block lights its face");
    await page.hover("[data-result=green]");
    const blocks = await page.locator(".block.lit").allTextContents();
    assert.ok(blocks.length > 0 && blocks.every((block) => block === "G"), "a face lights its blocks");
  },

  async "what a button will make has its value there, and its row in the list"() {
    const rows = () => page.locator(".chips .lit").allTextContents();
    await open(link("dice", POSITIONS.dice[0]));
    const best = await page.locator("[data-move]").first().textContent();
    assert.deepEqual(await rows(), [best]);
    assert.equal(await textOf("#roll .worth.loss-0"), await textOf(".moves .number"));
    while ((await page.locator(".die.on").count()) > 0) await page.locator(".die.on").first().click();
    const [rolled] = await rows();
    assert.match(rolled, /^Roll 1 1 2 2 3, keep none$/);
    const worst = cli("dice", POSITIONS.dice[0]).cases[0].moves.find(({ keep }) => keep.length === 0);
    assert.equal(await textOf("#roll .worth"), `${(100 * (worst?.probability ?? 0)).toFixed(1)} %`);
    await open(link("codenames", POSITIONS.codenames[0]));
    assert.deepEqual(await rows(), []);
    await page.click("[data-cell=java]");
    await page.click("[data-cell=apple]");
    assert.deepEqual(await rows(), ["apple java: 1"]);
    assert.match(await textOf("#roll"), /^apple java: 1\d+\.\d %$/);
    await page.click("[data-as='1']");
    await settle();
    await page.click("[data-cell=java]");
    await page.click("[data-cell=apple]");
    assert.equal(await page.locator("#roll .worth").count(), 0, "hidden values");
  },

  async "a small loss is not shown as none"() {
    const input = "1\n2 4 4 6 6\n1 1 1 1 2\n";
    const [best, second] = cli("dice", input).cases[0].moves;
    assert.ok(best.probability - second.probability < 1e-5);
    await open(link("dice", input));
    const move = `Roll ${second.reroll.join(" ")}, keep ${second.keep.join(" ")}`;
    await moved(() => page.click(`[data-move="${move}"]`));
    assert.match(await textOf(".verdict"), /loses less than 0\.1 % points; best was Roll/);
  },

  async "a forged place or side in the address is left out"() {
    const start = link("hopchess", CHESSBOARD);
    await open(start);
    for (let moves = 0; moves < 2; moves += 1) await playFirst();
    const steps = new URL(page.url()).hash.slice(1).split("&")[1];
    /** @type {[string, number][]} */
    const places = [["0.5", 0], ["1.9", 1], ["-1", 0], ["x", 0], ["99", 2], ["Infinity", 2]];
    for (const [at, expected] of places) {
      await open(`${start}#at=${at}&${steps}`);
      const current = await page.locator(".steps li").evaluateAll((all) =>
        all.findIndex((step) => step.querySelector("[aria-current]")));
      assert.equal(current, expected, at);
    }
    for (const as of ["-1", "0.5", "2", "", "x"]) {
      await open(`${start}#as=${as}`);
      assert.equal(await page.locator("#peek").count(), 0, as);
    }
  },

  async "the list of games does not scroll the page when it arrives"() {
    const opening = new EventEmitter();
    const held = once(opening, "release");
    const list = site === undefined ? "**/api/games" : "**/games.json";
    await page.setViewportSize({ width: 390, height: 600 });
    await page.route(list, async (route) => {
      await held;
      await route.continue();
    });
    await open(`${address}/balda`);
    await page.evaluate(() => scrollTo(0, 300));
    opening.emit("release");
    await page.waitForFunction(() => document.querySelector("nav [aria-current]"));
    assert.equal(await page.evaluate(() => scrollY), 300);
    const place = await page.locator("nav [aria-current]").boundingBox();
    assert.ok(place && place.x >= 0 && place.x + place.width <= 390, "the link is in sight");
    await page.unroute(list);
    await page.setViewportSize(viewport);
  },

  async "a refused position in the middle of a shared game leaves the rest of its graph"() {
    const other = (/** @type {string} */ input) => `x~0~0~${encodeURIComponent(input)}`;
    const steps = [BAD.hopchess, POSITIONS.hopchess[0], POSITIONS.hopchess[1], CHESSBOARD].map(other);
    await open(`${link("hopchess", CHESSBOARD)}#at=4&game=${steps.join("!")}`);
    await page.waitForFunction(() => document.querySelectorAll(".graph circle").length === 4);
    assert.equal(await page.locator("[data-at]").count(), 4);
  },

  async "pieces are put by their letters without Shift"() {
    await open(link("hopchess", CHESSBOARD));
    await tool("Edit");
    await page.focus("[data-cell=a1]");
    await page.keyboard.press("d");
    assert.equal(await textOf("[data-cell=a1] .piece"), "D");
  },

  async "the start page shows our games before the list of the others arrives, and a picture leads to its game"() {
    const opening = new EventEmitter();
    const held = once(opening, "release");
    const list = site === undefined ? "**/api/games" : "**/games.json";
    await page.route(list, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(address);
    await page.waitForSelector(".card-of-game .tower");
    assert.equal(await page.locator(".card-of-game").count(), 5);
    opening.emit("release");
    await page.waitForSelector(".card-of-game [href='/tic-tac-toe']");
    await page.unroute(list);
    await page.click(".card-of-game .tower");
    await page.waitForURL(`${address}/jenga`);
  },

  async "the list of moves stays in its place on a screen, and the exact value is shown on demand"() {
    for (const url of [link("hopchess", CHESSBOARD), link("dice", POSITIONS.dice[0]), `${address}/tic-tac-toe`]) {
      await open(url);
      const top = async () => Math.round((await page.locator(".moves-panel").boundingBox())?.y ?? 0);
      const before = await top();
      for (let moves = 0; moves < 2 && !(await isOver()); moves += 1) {
        await playFirst();
        if (!(await isOver())) assert.equal(await top(), before, url);
      }
    }
    /** @type {(game: Exact, chance: string, exact: RegExp) => Promise<void>} */
    const says = async (game, chance, exact) => {
      await open(`${link(game, POSITIONS[game][0])}${chance}`);
      assert.ok(!(await page.locator(".exact code").isVisible()));
      await page.click(".exact summary");
      assert.ok(await page.locator(".exact code").isVisible());
      assert.match(await textOf(".exact code"), exact, game);
    };
    await says("dice", "", /^\d+\/\d+ = 0\.\d{4,}$/);
    await says("hopchess", "", /\d/);
    await says("jenga", "", new RegExp(`^${cli("jenga", POSITIONS.jenga[0]).answer} minutes$`));
    await says("jenga", "&chance=green", /^\d+(\.\d+)? minutes$/);
  },

  async "rolled dice and turned cards move, unless the system asks for less motion"() {
    const names = () => page.evaluate(() => document.getAnimations().flatMap((animation) =>
      (animation instanceof CSSAnimation ? [animation.animationName] : [])));
    for (const reducedMotion of /** @type {const} */ (["no-preference", "reduce"])) {
      await page.emulateMedia({ reducedMotion });
      const isCalm = reducedMotion === "reduce";
      await open(link("dice", POSITIONS.dice[0]));
      await moved(() => page.locator("[data-move^='Roll']").first().click());
      const dice = await page.locator(".die.rolled").count();
      assert.ok(dice > 0);
      assert.deepEqual(await names(), isCalm ? [] : new Array(dice).fill("roll"));
      await open(link("codenames", GUESSING));
      await moved(() => page.click("[data-cell=wing]"));
      assert.deepEqual(await names(), isCalm ? [] : ["turn"]);
      await open(link("jenga", POSITIONS.jenga[0]));
      await moved(() => page.click("[data-result=green]"));
      assert.equal(await textOf(".table .came.green"), "green");
      assert.deepEqual(await names(), isCalm ? [] : ["roll"]);
    }
    await page.emulateMedia({ reducedMotion: "no-preference" });
  },

  async "a player cannot choose the luck: only the throw acts"() {
    for (const url of [link("codenames", GUESSING), link("jenga", POSITIONS.jenga[0])]) {
      await open(`${url}#as=0`);
      assert.ok((await page.locator("[data-result]").count()) > 1);
      assert.equal(await page.locator(".moves button, [data-cell]:not([disabled])").count(), 0, url);
      await page.click("#peek");
      await settle();
      assert.equal(await page.locator(".moves button, [data-cell]:not([disabled])").count(), 0, url);
      await moved(() => page.click("#throw"));
      assert.ok((await page.locator("[data-at]").count()) >= 1);
    }
  },

  async "the map of factors shows the table's probabilities, and sets the factors"() {
    await open(link("hopchess", CHESSBOARD));
    await moved(() => page.locator("[data-pair='5 7']").click());
    const input = "3 3\nJDJ\nDJD\nJDJ\n5 7\n";
    assert.equal(await shownInput(), input);
    assert.equal(await value(), cli("hopchess", input).answer);
    const share = cli("hopchess", input).probability;
    assert.ok((await textOf("[data-pair='5 7'] title")).endsWith(`${(100 * share).toFixed(1)} %`));
    await page.locator("#justin").focus();
    for (const factors of ["6 7", "7 7"]) {
      await moved(() => page.keyboard.press("ArrowRight"));
      assert.equal(await shownInput(), `3 3\nJDJ\nDJD\nJDJ\n${factors}\n`);
    }
  },

  async "words are text and never markup"() {
    const word = "<img/src=x/onerror=alert(1)>";
    await open(link("codenames", `2 R\n${word} b\nR B\n1\n2 ${word} b\n`));
    assert.equal(await page.locator("main img").count(), 0);
    assert.ok((await page.locator(".card").first().textContent())?.includes(word));
  },

  async "the skip link keeps the game"() {
    await open(link("hopchess", CHESSBOARD));
    await playFirst();
    const url = page.url();
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "main");
    assert.equal(page.url(), url);
  },

  async "a large board shows its progress, then the command line's value"() {
    const words = Array.from({ length: 21 }, (_, place) => `w${place}`);
    /** @type {(hint: number, step: number) => string} */
    const pick = (hint, step) => words[(hint * 7 + step * (1 + (hint % 5)) + (step >> 1) * hint) % 21];
    const steps = [0, 1, 2, 3, 4, 5];
    const hints = Array.from({ length: 40 }, (_, hint) => [...new Set(steps.map((step) => pick(hint, step)))]);
    const lines = hints.map((hint) => `${hint.length} ${hint.join(" ")}`);
    const input = `21 R\n${words.join(" ")}\n${[..."RRBRBBBRBRRBBRBBRRBBR"].join(" ")}\n40\n${lines.join("\n")}\n`;
    await page.goto(link("codenames", input));
    await page.waitForSelector("progress");
    assert.equal(await page.locator(".card").count(), 21, "the board is drawn at once");
    await settle(180_000);
    assert.equal(await value(), cli("codenames", input).answer);
  },

  async "Balda: a letter and a dragged word make a move, and any board goes on"() {
    await open(`${address}/balda?${new URLSearchParams({ input: BALDA })}`);
    const listed = wordsOfBalda();
    const [wanted] = listed;
    const cell = `[data-cell='${wanted.row - 1},${wanted.column - 1}']`;
    await page.locator(`[data-move='${wanted.word}']`).hover();
    assert.equal(await textOf(`${cell} .preview`), wanted.letter, "pointing at a word shows its letter");
    assert.equal(await page.locator(".arrows .path").count(), 1, "and how it is read");
    await page.mouse.move(0, 0);
    await page.click(cell);
    const keys = await page.locator(".key").allTextContents();
    assert.deepEqual(keys, keys.toSorted(), "the letters are in order");
    await page.keyboard.press(wanted.letter);
    assert.equal(await textOf(`${cell} .preview`), wanted.letter, "the chosen letter is on the board");
    const lit = await page.locator(".chips .lit").allTextContents();
    assert.ok(lit.includes(wanted.word) && lit.length < listed.length, "the list lights what can still be made");
    const [first, ...others] = await wayOf(wanted);
    const before = page.url();
    await page.mouse.move(...first);
    await page.mouse.down();
    await page.mouse.move(...first, { steps: 2 });
    for (const next of others) await page.mouse.move(...next, { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction((url) => location.href !== url, before);
    await settle();
    assert.equal(await shownInput(), wanted.next);
    assert.match(await textOf(".value"), /letters in 1 word$/);
    await moved(() => page.locator("[data-move]").first().click());
    await enter("en\n...\ndog\n...\ndog\n");
    assert.ok((await page.locator("[data-move]").count()) > 3);
    await enter("en\n...\ncat\n.x.\ncat\n");
    assert.match(await textOf("[role=alert]"), /^Line \d+: /);
    await open(`${address}/balda?${new URLSearchParams({ input: BALDA })}#as=0`);
    assert.equal(await page.locator("[data-move]").count(), 0, "who plays looks for the words");
    assert.ok((await page.locator("[data-cell].can").count()) > 0);
  },

  async "Balda: a word is dragged by touch, and a touch that the system takes away makes no move"() {
    await onPhone(async (phone) => {
      await open(`${address}/balda?${new URLSearchParams({ input: BALDA })}`);
      const [wanted] = wordsOfBalda();
      const finger = await phone.newCDPSession(page);
      /** @typedef {"touchStart" | "touchMove" | "touchEnd" | "touchCancel"} Type */
      const touch = (/** @type {Type} */ type, /** @type {[number, number][]} */ ...at) =>
        finger.send("Input.dispatchTouchEvent", { type, touchPoints: at.map(([x, y]) => ({ x, y })) });
      const before = page.url();
      for (const isTaken of [true, false]) {
        await page.tap(`[data-cell='${wanted.row - 1},${wanted.column - 1}']`);
        await page.locator(".key", { hasText: wanted.letter }).tap();
        const [first, ...others] = await wayOf(wanted);
        await touch("touchStart", first);
        const last = others.pop() ?? first;
        for (const next of others) await touch("touchMove", next);
        if (isTaken) {
          await touch("touchCancel");
          await page.mouse.move(...last);
          assert.equal(page.url(), before, "the drag has ended");
          await page.reload();
          await settle();
        } else {
          await touch("touchMove", last);
          await page.waitForFunction((url) => location.href !== url, before);
          await settle();
          await touch("touchEnd");
        }
      }
      assert.equal(await shownInput(), wanted.next);
      assert.equal(await page.locator("[data-at]").count(), 1, "the end of the touch makes no second move");
    });
  },

  async "Balda finds a game with a short address, in capitals too, and refuses no word of its list"() {
    await open(`${address}/balda`);
    await page.selectOption("#seconds", "1");
    await page.fill("#word", "KENAF");
    await page.click("#find");
    await searchSays("points, ");
    await settle();
    const found = await value();
    assert.ok(Number(found) > 1000, `${found}`);
    assert.ok(page.url().length < 1500, `an address of ${page.url().length} characters`);
    await open(page.url());
    assert.equal(await value(), found);
    const words = await page.locator("[data-at]").count();
    await moved(() => page.keyboard.press("ArrowLeft"));
    assert.equal(await page.locator("[data-at]").count(), words);
    assert.ok((await page.locator(".cell.word").count()) > 1, "the word is shown on the board");
    assert.equal(await page.locator(".steps small, .steps .loss-2, .steps .loss-3").count(), 0, "no word is a mistake");
    await page.fill("#word", "qqq");
    await page.click("#find");
    await searchSays("choose a word of the en list");
    for (const wrong of ["word=cat", "at=9&game=x", "at=1&game=zz.2r.0.rr"]) {
      await open(`${address}/balda#${wrong}`);
      assert.equal(await page.locator("[data-at]").count(), 0, wrong);
    }
  },

  async "Balda's search is stopped by a button, by another search and by another board"() {
    await open(`${address}/balda`);
    await page.selectOption("#seconds", "20");
    await page.click("#find");
    await searchSays("so far");
    await page.click("#find");
    await searchSays("so far");
    await page.click("#stop");
    await searchSays("Stopped.");
    await page.click("#find");
    await searchSays("so far");
    await moved(() => page.click("#own"));
    await page.waitForFunction(() => document.getElementById("stop")?.hidden);
    assert.equal(await page.locator("[data-at]").count(), 0);
  },

  async "a dictionary of one's own is used: a judge's input, and a list in UTF-8"() {
    const lists = [
      { language: "en", word: "cat", list: "en\ncat\n\nact\ncar\ncat\ntar\n", expected: /^\d+\. (act|car|tar)$/ },
      { language: "ru", word: "кот", list: "ток\nкто\nрот\nкот", expected: /^\d+\. (ток|кто|рот)$/ },
    ];
    for (const { language, word, list, expected } of lists) {
      await open(`${address}/balda`);
      await page.selectOption("#seconds", "1");
      await page.selectOption("#language", language);
      await page.fill("#word", word);
      await page.click("text=A dictionary of your own");
      await page.setInputFiles("#file", { name: "words.txt", mimeType: "text/plain", buffer: Buffer.from(list) });
      await page.click("#find");
      await searchSays("points, ");
      await settle();
      const made = await page.locator("[data-at]").allTextContents();
      const words = made.map((name) => name.replace(/(First|Second) /, ""));
      assert.ok(words.length > 0 && words.every((name) => expected.test(name)), words.join());
    }
  },

  async "an error of another position is shown, and a late answer does not replace a newer board"() {
    await open(`${address}/dice`);
    const error = { what: "no position", remedy: "for the test" };
    await page.route("**/api/dice/sample?*", (route) => route.fulfill({ status: 400, json: { error } }));
    await page.click("#another");
    assert.match(await textOf("[role=alert]"), /no position/);
    await page.unroute("**/api/dice/sample?*");
    await moved(() => page.click("#another"));
    assert.equal(await page.locator("[role=alert]").count(), 0);
    const opening = new EventEmitter();
    const held = once(opening, "release");
    await page.route("**/api/dice?*", async (route) => {
      if (route.request().url().includes("6+6+6+6+6")) await held;
      await route.continue();
    });
    await page.fill("#position", "1\n6 6 6 6 6\n1 1 1 1 1\n");
    await page.click("#apply");
    await page.fill("#position", POSITIONS.dice[0]);
    await page.click("#apply");
    await page.waitForFunction((wanted) =>
      document.getElementById("main")?.dataset.shown === wanted, POSITIONS.dice[0]);
    opening.emit("release");
    // The page handles the late answer before this request.
    await page.evaluate(() => fetch("/healthz").then((response) => response.text()));
    await page.unroute("**/api/dice?*");
    assert.equal(await value(), cli("dice", POSITIONS.dice[0]).cases[0].answer);
  },

  async "the start page has live boards, and wrong addresses have a page"() {
    await page.goto(address);
    await page.waitForFunction(() =>
      [...document.querySelectorAll("[data-live]")].every((line) => (line.textContent?.length ?? 0) > 3));
    assert.ok((await page.locator(".card-of-game").count()) >= 5);
    assert.ok((await page.locator(".card-of-game .grid, .card-of-game .tower, .card-of-game .cards").count()) >= 4);
    await page.goto(`${address}/dice/?input=x`);
    assert.equal(page.url().slice(address.length), "/dice?input=x");
    const response = await page.goto(`${address}/nowhere`);
    assert.equal(response?.status(), 404);
    assert.match(await textOf("h1"), /Nothing is here/);
    await page.goto(`${address}/about`);
    await page.waitForSelector("table");
    const preview = await page.locator("meta[property^='og:']").evaluateAll((all) =>
      all.map((part) => part.getAttribute("content")));
    assert.ok(preview.length === 2 && preview.every(Boolean), "a link to the page has a preview");
  },

  async "nothing is cut off or covered: dice and cards of the start page, frames, letters, labels"() {
    await page.goto(address);
    await page.waitForSelector(".small .die");
    for (const size of [viewport, { width: 390, height: 844 }]) {
      await page.setViewportSize(size);
      const parts = page.locator(".small :is(.die, .card, .block, .cell)");
      const cut = await parts.evaluateAll((all) => all.filter((part) => {
        const [inner, outer] = [part, part.closest(".picture") ?? part].map((found) => found.getBoundingClientRect());
        return inner.right > outer.right || inner.left < outer.left || inner.bottom > outer.bottom;
      }).length);
      assert.equal(cut, 0, `${size.width} pixels wide`);
    }
    await page.setViewportSize(viewport);
    await open(`${address}/codenames`);
    const tops = await page.locator(".card").evaluateAll((cards) =>
      cards.map((card) => card.getBoundingClientRect().top));
    assert.equal(new Set(tops).size, 3, "nine cards are a square");
    await open(link("jenga", POSITIONS.jenga[0]));
    const middles = await page.evaluate(() => ["#throw", ".toolbar", ".tower"].map((part) => {
      const box = document.querySelector(part)?.getBoundingClientRect();
      return box ? Math.round(box.x + box.width / 2) : 0;
    }));
    assert.deepEqual(new Set(middles).size, 1, `the middles of button, toolbar and tower: ${middles}`);
    await open(link("hopchess", CHESSBOARD));
    await page.setViewportSize({ width: 390, height: 844 });
    const sizes = await page.evaluate(() => [".piece", ".cell", ".cell .place"].map((part) => {
      const found = document.querySelector(part) ?? document.body;
      return { letter: Number.parseFloat(getComputedStyle(found).fontSize), box: found.getBoundingClientRect() };
    }));
    assert.ok(sizes[0].letter > sizes[0].box.width / 3, `a letter of ${sizes[0].letter} pixels`);
    assert.ok(sizes[2].box.top - sizes[1].box.top >= 4, "a frame covers the label");
    const rows = await page.locator(".toolbar button:visible").evaluateAll((tools) =>
      tools.map((button) => button.getBoundingClientRect().top));
    assert.equal(new Set(rows).size, 1, "the toolbar is one row");
    await page.setViewportSize(viewport);
  },

  async "no page says false, undefined or NaN"() {
    for (const path of ["/", "/about", "/balda", "/dice", "/jenga", "/hopchess", "/codenames"]) {
      await page.goto(address + path);
      if (path.length > 6) await settle();
      if (path === "/balda") {
        await page.fill("#word", "cat");
        await moved(() => page.click("#own"));
        await playFirst();
      }
      assert.doesNotMatch((await page.locator("body").innerText()), /\b(false|undefined|NaN|null)\b/, path);
    }
  },

  async "on a telephone the value and three moves are under the board, targets are large, nothing overflows"() {
    const phone = await context.browser()?.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
      ?? assert.fail("no browser");
    const small = watch(await phone.newPage());
    const showsMoves = async (/** @type {string} */ name) => {
      await small.waitForSelector(".moves li");
      const bottom = await small.evaluate(() => {
        const chips = [...document.querySelectorAll(".moves li button")].slice(0, 3);
        return Math.max(...chips.map((chip) => chip.getBoundingClientRect().bottom)) + scrollY;
      });
      assert.ok(bottom <= 844, `${name}: the third move ends at ${bottom}`);
    };
    const hasLargeTargets = async (/** @type {string} */ name) => {
      const tiny = await small.evaluate(() => {
        const targets = "button, a:not(.skip), summary, select, textarea, input[type=range], label:has(input)";
        return [...document.querySelectorAll(targets)].flatMap((target) => {
          const box = target.getBoundingClientRect();
          const isTiny = box.width > 0 && (box.width < 44 || box.height < 43.9);
          return isTiny ? [`${target.textContent} ${box.width} ${box.height}`] : [];
        });
      });
      assert.deepEqual(tiny, [], name);
    };
    for (const path of ["/hopchess", "/dice", "/codenames", "/balda", "/jenga", "/", "/about"]) {
      await small.goto(address + path);
      await small.waitForSelector("[data-value], [data-live], table");
      if (path.length > 4 && path !== "/about") {
        await showsMoves(path);
        if (path === "/hopchess") await small.waitForSelector(".heat");
        await small.click("[data-as='0']");
        await small.waitForSelector("#peek");
        await hasLargeTargets(path);
      }
      const current = small.locator("nav [aria-current]");
      if ((await current.count()) > 0) {
        const place = await current.boundingBox();
        assert.ok(place && place.x >= 0 && place.x + place.width <= 390, `${path}: its link is out of sight`);
      }
      for (const size of [390, 320]) {
        await small.setViewportSize({ width: size, height: 844 });
        const wide = await small.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= size, `${path} is ${wide} pixels wide at ${size}`);
      }
      await small.setViewportSize({ width: 390, height: 844 });
    }
    const words = Array.from({ length: 25 }, (_, place) => `word${place}`);
    const team = `25 R\n${words.join(" ")}\n${"R B I A . ".repeat(5).trim()}\n3\n`;
    await small.goto(link("codenames", `${team}2 word0 word1\n2 word5 word10\n3 word15 word20 word2\n`));
    await showsMoves("25 cards");
    await small.goto(link("jenga", "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n"));
    for (let moves = 0; moves < 4; moves += 1) {
      for (const next of ["[data-result=green]", "[data-move]"]) {
        await small.locator(next).first().tap();
        await small.waitForFunction((count) => document.querySelectorAll("[data-at]").length === count,
          2 * moves + (next === "[data-move]" ? 2 : 1));
        await small.waitForFunction(() => !document.querySelector("[aria-busy]"));
        await showsMoves(`Jenga after ${moves} moves`);
      }
    }
    await small.goto(link("hopchess", "2 3\nJDJ\nDJD\n1 1\n"));
    await small.tap("[data-cell=a1]");
    await small.tap("[data-cell=b1]");
    await small.waitForSelector("[data-at]");
    await small.waitForSelector(".moves button");
    const board = await small.locator(".grid").boundingBox();
    assert.ok(board && board.y >= 0 && board.y + board.height <= 844, "the board stays on the screen after a tap");
    await phone.close();
  },

  async "long games and large text do not scroll sideways, and a tall board stays on the screen"() {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(link("jenga", "6\nRRR\nRRR\nRRR\nRRR\nRRR\nRRR\n"));
    for (let moves = 0; moves < 14; moves += 1) {
      await moved(() => page.locator((moves % 2) === 0 ? "[data-result=black]" : "[data-move]").first().click());
    }
    assert.ok((await width()) <= 390, `after 14 moves the page is ${await width()} pixels wide`);
    await page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
    assert.ok((await width()) <= 390, `with large text the page is ${await width()} pixels wide`);
    await open(`${address}/balda`);
    await tool("Edit");
    await page.waitForSelector("#done");
    await page.evaluate(() => { document.documentElement.style.fontSize = "200%"; });
    assert.ok((await width()) <= 390, `with large text the edit mode is ${await width()} pixels wide`);
    await page.setViewportSize({ width: 1280, height: 900 });
    await open(link("hopchess", `13 1\n${"J\nD\n".repeat(6)}J\n2 2\n`));
    const box = await page.locator(".grid").boundingBox();
    assert.ok(box && box.height <= 700, `a board of ${box?.height} pixels`);
    await open(link("hopchess", CHESSBOARD));
    assert.equal(await page.locator(".moves li").count(), 1, "twelve equal moves are one row");
    assert.equal(await page.locator("[data-cell=b2] .place").textContent(), "b2");
    await open(`${link("jenga", POSITIONS.jenga[0])}&chance=green`);
    const green = cli("jenga", POSITIONS.jenga[0]).faces.find(({ face }) => face === "green")?.moves[0];
    assert.equal(await page.locator("[data-value]").textContent(), `${green?.minutes.toFixed(3)} min`);
  },

  async "a game made with the kit has a page: throws, a board that is touched, whole games"() {
    const asked = (/** @type {string} */ position) => JSON.parse(execFileSync(join(examples, "shut-the-box"),
      ["ask", position, "--json", "--tables", scratch], { encoding: "utf8" }));
    await open(`${address}/shut-the-box`);
    assert.equal(await value(), String(asked("123456789").value));
    assert.equal(await page.locator("[data-result]").count(), 11);
    const isWhole = await page.locator(".results").evaluate((list) => list.scrollHeight <= list.clientHeight);
    assert.ok(isWhole, "a row is cut");
    assert.equal(await page.locator(".head details").count(), 0, "the line about the game is not repeated");
    await moved(() => page.click("[data-result='7']"));
    assert.equal(await textOf(".moves-panel h2"), "Thrown: 7. Moves, best first");
    assert.equal(await textOf(".table .came"), "7");
    const covers = await page.locator("[data-cell='0,6']").evaluate((cell) => {
      const digit = document.createRange();
      digit.selectNodeContents(cell.querySelector(".shape")?.firstChild ?? cell);
      const badge = cell.querySelector(".badge")?.getBoundingClientRect();
      return !badge || digit.getBoundingClientRect().bottom - 4 > badge.top;
    });
    assert.ok(!covers, "the value covers the tile’s number");
    await page.click("[data-cell='0,0']");
    await moved(() => page.click("[data-cell='0,5']"));
    assert.equal(await shownInput(), "2345789");
    assert.equal(await value(), String(asked("2345789").value));
    const url = page.url();
    await open(url);
    assert.equal(page.url(), url);
    await page.waitForFunction(() => document.querySelectorAll(".graph circle").length === 3);
    for (let moves = 0; !(await isOver()); moves += 1) {
      assert.ok(moves < 30, "shut the box does not end");
      await moved(() => page.locator("#throw, [data-move]").first().click());
    }
    await enter("12x");
    assert.match(await textOf("[role=alert]"), /12x/);
    await open(`${address}/tic-tac-toe`);
    assert.equal(await textOf(".head summary span"), "Each player marks an empty cell in turn.");
    assert.match(await textOf(".head details p"), /Three marks in a line win\. Tic-tac-toe: 1 is a win/);
    assert.equal(await page.locator(".badge").count(), 9);
    assert.equal(await textOf("[data-value]"), "Draw in 9");
    await page.setViewportSize({ width: 170, height: 900 });
    await page.reload();
    await settle();
    assert.equal(await textOf(".badge"), "D8", "a small cell has a short value");
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`${address}/shut-the-box`);
    const named = await page.locator(".examples").textContent();
    assert.match(named ?? "", /^Start: 123456789Least: -Median: .*Greatest: /);
    await moved(() => page.click("[data-result='9']"));
    assert.equal(await textOf(".badge"), "7.6");
    assert.ok(await page.locator(".badge").evaluate((badge) => badge.scrollWidth <= badge.clientWidth), "it is cut");
    await open(`${address}/tic-tac-toe`);
    await page.setViewportSize(viewport);
    while (!(await isOver())) {
      const first = page.locator("[data-cell]:has(.badge.loss-0)").first();
      await moved(() => first.click());
    }
    assert.equal(await page.locator("[data-at]").count(), 9, "best play fills the board");
    assert.equal(await value(), "0");
    await open(`${address}/tic-tac-toe?${new URLSearchParams({ input: "xo./.x./...", chance: "second" })}`);
    assert.equal(await page.locator(".badge.loss-0").count(), 1, "one move loses late");
    await page.click("[data-cell='0,2']");
    await page.waitForFunction(() => document.querySelector(".verdict")?.textContent === "c3 loses time; best was c1.");
    await settle();
    await open(`${address}/l-game`);
    const red = () => page.locator("[data-cell]:has(.red)").evaluateAll((found) =>
      found.map((cell) => cell.getAttribute("data-cell")));
    const cells = await red();
    await moved(() => page.locator("[data-move]").first().click());
    assert.deepEqual(await red(), cells, "each player keeps the colour");
    assert.equal(await textOf("[data-cell]:has(.red)"), " Second’s L");
  },

  async "a late answer about a game made with the kit keeps the board, and not its values"() {
    await open(`${address}/tic-tac-toe`);
    const opening = new EventEmitter();
    const held = once(opening, "release");
    await page.route(/\/api\/tic-tac-toe\?/, async (route) => {
      await held;
      await route.continue();
    });
    assert.equal(await page.locator(".badge").count(), 9);
    await page.click("[data-cell='1,1']");
    await page.waitForSelector("progress");
    assert.equal(await page.locator("[data-cell]").count(), 9, "the board stays while the answer is late");
    assert.equal(await page.locator(".badge, [data-cell]:not([disabled])").count(), 0, "its values do not");
    opening.emit("release");
    await settle();
    await page.unroute(/\/api\/tic-tac-toe\?/);
    await page.route("**/api/**", (route) => route.abort());
    await moved(() => page.click("[data-cell='0,0']"));
    assert.match(await textOf("[role=alert]"), /does not answer/);
    assert.equal(await page.locator("[data-cell]:disabled").count(), 9, "the board stays without a connection");
    assert.equal(await page.locator(".badge, .editing").count(), 0);
    await page.unroute("**/api/**");
    await page.click("#retry");
    await page.waitForSelector("[data-value]");
    assert.equal(await page.locator("[data-cell] .shape").count(), 2);
    assert.equal(await page.locator(".badge").count(), 7);
  },

  async "a game of any language has a page, its words are text, and one that dies spoils only its own"() {
    await open(`${address}/nim`);
    assert.equal(await page.locator("main img").count(), 0);
    assert.ok((await textOf(".head")).includes(MARKUP));
    assert.equal(await textOf(".position"), "12");
    await enter("7");
    await moved(() => page.locator("[data-move]").first().click());
    assert.ok((await textOf("[data-at]")).includes(`First ${MARKUP}`));
    assert.match(await textOf(".value"), /for Second, to move/);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await open(`${address}/nim?input=7#as=1`);
    await page.waitForSelector("[data-move]");
    assert.equal(await page.locator("[data-at]").count(), 1, "the solver begins");
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await open(`${address}/bounded`);
    assert.equal(await textOf(".value"), "1.25 to 1.75 points exactly");
    const worth = await page.locator(".examples li").allTextContents();
    assert.deepEqual([worth.length, worth[0], worth[7]], [8, "Start: 12", "Longest: 99"]);
    assert.deepEqual(await page.locator(".moves .number").allTextContents(), ["1.00", "2.00", "3.00"]);
    await open(`${address}/points`);
    const colours = await page.locator(".moves li").evaluateAll((rows) => rows.map((row) => row.className));
    assert.deepEqual(colours, ["loss-0", "loss-2", "loss-3"], "a mistake is measured by the values of the moves");
    for (const [name, field] of Object.entries(LIES)) {
      await open(`${address}/${name}`);
      assert.match(await textOf("[role=alert]"), new RegExp(`${name} answered without a right ‘${field}’`));
    }
    await page.goto(address);
    await page.waitForSelector(".card-of-game [href='/nim']");
    await page.waitForFunction(() =>
      [...document.querySelectorAll("[data-live]")].every((line) => line.textContent !== "…"));
    const live = await page.locator("[data-live]").allTextContents();
    assert.equal(live.filter((text) => text.includes("answered without")).length, Object.keys(LIES).length);
    await open(`${address}/dying`);
    assert.match(await textOf("[role=alert]"), /dying.py: ended without an answer/);
    await page.goto("about:blank");
    await page.goto(`${address}/slow?input=7`);
    await page.waitForSelector("progress");
    assert.equal(await textOf(".position"), "7", "the position of a slow program is drawn at once");
    await settle();
    assert.equal(await textOf("[data-value]"), "Win");
    await open(`${address}/tic-tac-toe`);
    assert.equal(await page.locator("[role=alert]").count(), 0);
  },

  async "axe finds no problem on any page"() {
    const find = async (/** @type {string} */ where) => {
      // A die that still rolls is pale.
      await page.waitForFunction(() => document.getAnimations().every((moving) => moving.playState === "finished"));
      // Injected by the debugger, because the page's content security policy would block it.
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() =>
        /** @type {typeof globalThis & { axe: typeof import("axe-core") }} */ (globalThis).axe.run(document));
      const found = violations.map(({ id, nodes }) =>
        `${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`);
      assert.deepEqual(found, [], where);
    };
    const links = [
      link("dice", BAD.dice),
      `${link("jenga", POSITIONS.jenga[0])}&chance=red`,
      `${link("hopchess", POSITIONS.hopchess[1])}#as=0`,
      `${link("codenames", POSITIONS.codenames[0])}#as=1`,
      link("codenames", GUESSING),
      `${address}/balda#as=0`,
      ...GAMES.map((game) => link(game, POSITIONS[game][0])),
      ...["balda", ...KIT, ...(site === undefined ? ["nim"] : [])].map((game) => `${address}/${game}`),
    ];
    for (const path of ["/", "/about", ...links.map((url) => url.slice(address.length))]) {
      for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
        await page.emulateMedia({ colorScheme });
        await page.goto("about:blank");
        await page.goto(address + path);
        await page.waitForSelector("[data-value], [role=alert], table, [data-live]");
        if (path.includes("?")) await settle();
        await find(`${path} ${colorScheme}`);
        const cell = page.locator("[data-cell].can:not(.on)").first();
        if ((await cell.count()) > 0) {
          await cell.click();
          await settle();
          await find(`${path} ${colorScheme} with a selection`);
        }
        if ((await page.locator("[data-tool=Edit]").count()) > 0) {
          await tool("Edit");
          await page.waitForSelector("#done, .verdict:not(:empty)");
          await find(`${path} ${colorScheme} edited`);
        }
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
  },
};

/** @type {Record<string, () => Promise<void>>} */
const siteTests = {
  async "a static site shows a wait, and a lost connection can be retried"() {
    await page.goto(`${address}/about`);
    await page.evaluate(() => caches.delete("tabletop-tables"));
    const opening = new EventEmitter();
    const held = once(opening, "release");
    await context.route("**/tables/jenga.tbl?*", async (route) => {
      await held;
      await route.abort();
    });
    await page.goto(link("jenga", POSITIONS.jenga[0]));
    await page.waitForSelector("progress");
    assert.equal(await page.locator(".block").count(), 9);
    opening.emit("release");
    assert.match(await textOf("[role=alert]"), /jenga\.tbl does not arrive/);
    await context.unroute("**/tables/jenga.tbl?*");
    await page.click("#retry");
    await settle();
    assert.equal(await value(), cli("jenga", POSITIONS.jenga[0]).answer);
  },

  async "a static site gets over a damaged part in the cache, and over one that does not arrive whole"() {
    const input = "5\nRGB\nGRG\nBBB\nGGR\nBRG\n";
    const fetched = () => page.evaluate(async () => {
      const cache = await caches.open("tabletop-tables");
      const parts = (await cache.keys()).filter(({ url }) => /jenga.*range=[1-9]/.test(url));
      for (const part of parts) {
        const bytes = new Uint8Array(await (await cache.match(part))?.arrayBuffer() ?? []);
        await cache.put(part, new Response(bytes.map((byte) => byte ^ 0xff)));
      }
      return parts.length;
    });
    await open(link("jenga", input));
    assert.ok((await fetched()) > 0);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      await open(link("jenga", input));
      assert.equal(await value(), cli("jenga", input).answer);
    }
    await page.evaluate(() => caches.delete("tabletop-tables"));
    const cut = (/** @type {import("playwright-core").Route} */ route) =>
      route.fulfill({ status: 206, body: Buffer.alloc(9), contentType: "application/octet-stream" });
    await context.route("**/tables/jenga.tbl?*", cut);
    await open(link("jenga", input));
    assert.match(await textOf("[role=alert]"), /jenga\.tbl: /);
    await context.unroute("**/tables/jenga.tbl?*", cut);
    await page.click("#retry");
    await page.waitForSelector("[data-value]");
    assert.equal(await value(), cli("jenga", input).answer);
  },

  async "a static site works below a path of a host"() {
    const other = await host(site ?? assert.fail("no site"), { prefix: "/some/path" });
    const fresh = await context.browser()?.newContext() ?? assert.fail("no browser");
    const tab = await fresh.newPage();
    /** @type {string[]} */
    const lost = [];
    tab.on("response", (response) => {
      if (response.status() >= 400 || !response.url().startsWith(other.address)) lost.push(response.url());
    });
    const isShown = (/** @type {string} */ path) => tab.waitForURL(`${other.address}${path}?input=*`);
    await tab.goto(`${other.address}/`);
    await tab.click(".card-of-game .tower");
    await isShown("/jenga");
    await tab.waitForSelector("[data-value]");
    await tab.click("nav a[href$='/tic-tac-toe']");
    await isShown("/tic-tac-toe");
    await tab.waitForSelector("[data-value]");
    // A host may deliver the page of a directory.
    await tab.goto(`${other.address}/dice/`);
    await isShown("/dice");
    await tab.waitForSelector("[data-value]");
    await tab.click("nav a[href$='/balda']");
    await isShown("/balda");
    await tab.click(".bottom a[href$='/about']");
    await tab.waitForSelector("table");
    await tab.click(".brand");
    await tab.waitForURL(`${other.address}/`);
    assert.deepEqual(lost, []);
    await tab.goto(`${other.address}/nowhere`);
    await tab.waitForSelector("text=Nothing is here");
    await fresh.close();
    other.close();
    await page.goto(`${address}/no/such/address`);
    await page.waitForSelector("text=Nothing is here");
  },

  async "a static site loads the program of the games made with the kit only for them"() {
    for (const [path, wasm] of [["/dice", "tabletop.wasm"], ["/l-game", "kit.wasm"]]) {
      const other = await host(site ?? assert.fail("no site"));
      const fresh = await context.browser()?.newContext() ?? assert.fail("no browser");
      const tab = await fresh.newPage();
      await tab.goto(other.address + path);
      await tab.waitForSelector("[data-value]");
      await tab.waitForFunction(() => document.querySelector("nav a[href='/tic-tac-toe']"));
      const sent = other.sent.filter((file) => file.path.endsWith(".wasm")).map((file) => file.path.split("/").pop());
      assert.deepEqual(sent, [wasm], path);
      await fresh.close();
      other.close();
    }
  },

  async "a static site has Pig, whose table comes in parts"() {
    const other = await host(site ?? assert.fail("no site"));
    const fresh = await context.browser()?.newContext() ?? assert.fail("no browser");
    const tab = await fresh.newPage();
    await tab.goto(`${other.address}/pig`);
    await tab.waitForSelector("[data-value]");
    assert.equal(await tab.locator("[data-value]").first().textContent(), "53.1 %");
    await tab.click("[data-move=roll]");
    await tab.waitForFunction(() => document.querySelectorAll("[data-result]").length === 6);
    const parts = other.sent.filter(({ path }) => path === "/tables/pig.tbl");
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    assert.ok(bytes > 0 && bytes < 200_000, `${bytes} bytes`);
    await fresh.close();
    other.close();
  },

  async "a static site fetches parts of tables once, and whole ones from a host without ranges"() {
    for (const ranges of [true, false]) {
      const other = await host(site ?? assert.fail("no site"), { ranges });
      const fresh = await context.browser()?.newContext() ?? assert.fail("no browser");
      const tab = await fresh.newPage();
      for (const round of ["first", "second"]) {
        other.sent.length = 0;
        await tab.goto(other.address + link("jenga", POSITIONS.jenga[0]).slice(address.length));
        await tab.waitForSelector("[data-value]");
        const shownValue = await tab.locator("[data-value]").first().getAttribute("data-value");
        assert.equal(shownValue, cli("jenga", POSITIONS.jenga[0]).answer, `${round}, ranges ${ranges}`);
        const fetched = other.sent.filter(({ path }) => path === "/tables/jenga.tbl");
        const bytes = fetched.reduce((sum, part) => sum + part.bytes, 0);
        if (ranges && round === "first") assert.ok(bytes > 0 && bytes < 100_000, `${bytes} bytes`);
        if (ranges && round === "second") assert.equal(bytes, 0);
        if (!ranges) assert.ok(fetched.length <= 1, `${fetched.length} requests`);
      }
      await fresh.close();
      other.close();
    }
  },
};

/// The edit mode of Balda and of games that are programs.
const editing = editTests({ address, page: () => page, open, moved, value, shownInput, settle });

/// They hold back or change what the server sends, or need programs.
const SERVER_ONLY = [
  "the board is drawn at once, a wait is shown, and a failure keeps the board and can be retried",
  "an error of another position is shown, and a late answer does not replace a newer board",
  "a late answer about a game made with the kit keeps the board, and not its values",
  "a game of any language has a page, its words are text, and one that dies spoils only its own",
  "a position without a board is edited as text, and its program says nothing about looks",
];
const shared = Object.entries({ ...tests, ...editing });
assert.ok(SERVER_ONLY.every((name) => shared.some(([test]) => test === name)));
const chosen = site === undefined
  ? shared
  : [...shared.filter(([name]) => !SERVER_ONLY.includes(name)), ...Object.entries(siteTests)];

let failed = 0;
const only = options.find((option) => !option.startsWith("--"));
for (const [name, test] of chosen) {
  if (only && !name.includes(only)) continue;
  problems.length = 0;
  try {
    await test();
    assert.deepEqual(problems, [], "errors of the page");
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`failed  ${name}\n${error instanceof Error ? error.stack : error}\n        at ${page.url()}`);
  }
}

if (options.includes("--shots")) {
  const pictured = await startServer([join(examples, "tic-tac-toe")]);
  await (await import("./shots.mjs")).shots({ page, address: pictured.address, repository });
  pictured.close();
}

await context.close();
close();
rmSync(scratch, { recursive: true, force: true });
console.log(failed === 0 ? "all pages work" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

// Uses every page as a person does: enters a position, compares the values with the command line, plays, goes back,
// reloads and shares.
//
// usage: node test.mjs REPOSITORY [--shots]

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

const [repository, ...options] = process.argv.slice(2);
const programs = process.env.TABLETOP_BIN ?? join(repository, "target/release");
const tables = join(repository, "tables");
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/// The JSON that the command line prints for an input.
const cli = (game, input) => JSON.parse(execFileSync(join(programs, "tabletop"), [game, "--json", "--tables", tables], { input }));

async function startServer() {
  const server = spawn(join(programs, "tabletop-serve"), ["--bind", "127.0.0.1:0", "--tables", tables], { stdio: ["ignore", "pipe", "inherit"] });
  const address = await new Promise((resolve, reject) => {
    server.stdout.once("data", (line) => resolve(String(line).trim()));
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { server, address: address.replace(/\/$/, "") };
}

const { server, address } = await startServer();
const profile = mkdtempSync(join(tmpdir(), "tabletop-browser-"));
const context = await chromium.launchPersistentContext(profile, { executablePath: "/usr/bin/chromium", args: FLAGS, viewport: { width: 1280, height: 900 } });
const problems = [];
const watch = (page) => {
  page.on("console", (message) => {
    // The browser also logs the status 400 of a bad input, which the page handles.
    if (message.type() === "error" && !/status of 400/.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address)) problems.push(`a request to ${request.url()}`);
  });
  return page;
};
const page = watch(await context.newPage());
page.setDefaultTimeout(30_000);

const link = (game, input) => `${address}/${game}?${new URLSearchParams({ input })}`;
const shownInput = () => page.evaluate(() => new URLSearchParams(location.search).get("input"));
const value = () => page.locator("[data-value]").first().textContent();
/// Waits until the page shows the position in its address.
const settle = (timeout = 30_000) => page.waitForFunction(() => {
  const main = document.getElementById("main");
  return main.dataset.shown === new URLSearchParams(location.search).get("input") && !main.hasAttribute("aria-busy");
}, undefined, { timeout });

async function enter(input) {
  await page.fill("#position", input);
  await page.click("#apply");
  await page.waitForFunction((text) => new URLSearchParams(location.search).get("input") === text, input);
  await settle();
}

const answers = {
  dice: (found) => found.cases[0].answer,
  jenga: (found) => found.answer,
  hopchess: (found) => found.answer,
  codenames: (found) => found.answer,
};

const POSITIONS = {
  dice: ["1\n1 3 1 2 2\n2 2 3 4 6\n", "1\nto move: B\n1 1 1 4 4\n1 2 3 4 5\n"],
  jenga: ["2\nRGB\nGRG\n", "3\nRGR\n.RG\nG..\n"],
  hopchess: ["1 3\nJJD\n3 1\n", "2 3\nJ.D\nDJJ\nto move: J\n2 2\n"],
  codenames: ["4 B\napple sleep java dog\nB R I A\n3\n2 apple java\n2 apple dog\n2 sleep java\n", "3 R\nbat cave wing\nR B R\n2\n2 bat wing\n1 cave\n"],
};

const BAD = { dice: "1\n7 1 1 1 1\n", jenga: "1\nRGX\n", hopchess: "1 3\nJXD\n1 1\n", codenames: "2 Q\na b\nR B\n1\n1 a\n" };

/// Plays the best move once. In Jenga a die face is chosen first.
async function playBest(game) {
  const before = page.url();
  if (game === "jenga" && !new URL(before).searchParams.has("face")) {
    const face = await page.evaluate(async () => {
      const found = await (await fetch(`/api/jenga?${new URLSearchParams({ input: new URLSearchParams(location.search).get("input") })}`)).json();
      return found.faces.find((other) => other.moves.length > 0)?.face;
    });
    await page.click(`[data-face=${face}]`);
    await page.waitForURL(/face=/);
    await settle();
  }
  const last = page.url();
  await page.locator(".moves .best").first().click();
  await page.waitForFunction((url) => location.href !== url, last);
  await settle();
}

const tests = {
  async "every game shows the command line's values, plays, goes back, reloads and shares"() {
    for (const [game, inputs] of Object.entries(POSITIONS)) {
      await page.goto(`${address}/${game}`);
      await settle();
      for (const input of inputs) {
        await enter(input);
        assert.equal(await value(), answers[game](cli(game, input)), `${game} ${input}`);
      }
      const input = await shownInput();
      const shown = await value();
      await playBest(game);
      const next = await shownInput();
      const url = page.url();
      if (!url.includes("won=")) assert.equal(await value(), answers[game](cli(game, next)), `${game} after a move`);
      await page.reload();
      await settle();
      assert.equal(page.url(), url);
      assert.ok((await page.locator(".strip button").count()) === 1, `${game}: the strip after a reload`);
      const other = watch(await context.newPage());
      await other.goto(url);
      await other.waitForSelector("[data-value]");
      assert.equal(await other.locator("[data-value]").first().textContent(), await value(), `${game}: a shared link`);
      await other.close();
      for (let steps = 0; steps < 5 && (await shownInput()) !== input; steps += 1) {
        const here = page.url();
        await page.goBack();
        await page.waitForFunction((last) => location.href !== last, here);
        await settle();
      }
      assert.equal(await value(), shown, `${game}: back`);
      await page.goForward();
      await settle();
    }
  },

  async "a bad input shows the message with its line, and a good one clears it"() {
    for (const [game, input] of Object.entries(BAD)) {
      await page.goto(`${address}/${game}`);
      await settle();
      await page.fill("#position", input);
      await page.click("#apply");
      const message = await page.locator("[role=alert]").textContent();
      assert.match(message, /^Line \d+: /, game);
      await enter(POSITIONS[game][0]);
      assert.equal(await page.locator("[role=alert]").count(), 0);
    }
  },

  async "a whole game of best moves ends as the command line says"() {
    // The last board of Codenames has no assassin, so its end is always one that the command line knows.
    for (const [game, input] of Object.entries(POSITIONS).flatMap(([game, inputs]) => inputs.map((input) => [game, input]))) {
      await page.goto(link(game, input));
      await settle();
      for (let moves = 0; (await page.locator("[data-over]").count()) === 0; moves += 1) {
        assert.ok(moves < 60, `${game} does not end`);
        await playBest(game);
      }
      const over = await page.locator("[data-over]").textContent();
      const end = cli(game, await shownInput());
      const expected = game === "dice" ? end.cases[0].over : end.over;
      if (!page.url().includes("won=")) assert.ok(over.includes(expected), `${game}: ${over} is not ${expected}`);
    }
  },

  async "the space bar plays the best move, and arrow keys go back and forward"() {
    await page.goto(link("hopchess", POSITIONS.hopchess[0]));
    await settle();
    const best = await page.evaluate(async () => (await (await fetch(`/api/hopchess${location.search}`)).json()).moves[0].next);
    await page.keyboard.press("Space");
    await page.waitForFunction((next) => new URLSearchParams(location.search).get("input") === next, best);
    await settle();
    await page.keyboard.press("ArrowLeft");
    await page.waitForFunction((input) => new URLSearchParams(location.search).get("input") === input, POSITIONS.hopchess[0]);
    await settle();
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction((next) => new URLSearchParams(location.search).get("input") === next, best);
  },

  async "a click chooses the dice to keep and changes a die"() {
    await page.goto(link("dice", "1\n1 2 3 1 1\n1 2 3 4 5\n"));
    await settle();
    assert.equal(await page.locator(".die.kept").count(), 3);
    await page.locator(".die.kept").first().click();
    await page.waitForFunction(() => document.querySelectorAll(".die.kept").length === 2);
    assert.equal(await page.locator("#roll").textContent(), "Roll 3");
    await page.click("text=Change dice");
    await page.waitForFunction(() => location.search.includes("edit=1"));
    await page.locator(".die").first().click();
    await page.waitForFunction(() => new URLSearchParams(location.search).get("input") === "1\n2 1 1 2 3\n1 2 3 4 5\n");
  },

  async "the map of factors shows the table's probabilities, and a click sets the factors"() {
    await page.goto(link("hopchess", "3 3\nJDJ\nDJD\nJDJ\n2 3\n"));
    await settle();
    await page.locator("[data-pair='5 7']").click();
    await page.waitForFunction(() => new URLSearchParams(location.search).get("input").endsWith("\n5 7\n"));
    await settle();
    assert.equal(await value(), cli("hopchess", "3 3\nJDJ\nDJD\nJDJ\n5 7\n").answer);
    const title = await page.locator("[data-pair='5 7'] title").textContent();
    const share = Number(cli("hopchess", "3 3\nJDJ\nDJD\nJDJ\n5 7\n").probability);
    assert.ok(title.endsWith(`${(100 * share).toFixed(1)}%`), title);
    await page.locator("#justin").focus();
    for (const factors of ["6 7", "7 7"]) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((wanted) => new URLSearchParams(location.search).get("input").endsWith(`\n${wanted}\n`), factors);
      await settle();
    }
  },

  async "a highlighted block can be taken, and mirror and swap keep the value"() {
    await page.goto(link("jenga", "3\nRGR\n.RG\nG..\n"));
    await settle();
    const shown = await value();
    await page.click("text=Mirror");
    await page.waitForFunction(() => location.search.includes("GR."));
    await settle();
    assert.equal(await value(), shown);
    await page.click("text=Swap green and blue");
    await page.waitForFunction(() => location.search.includes("RBR"));
    await settle();
    assert.equal(await value(), shown);
    await page.click("[data-face=blue]");
    await page.waitForURL(/face=blue/);
    await settle();
    assert.ok((await page.locator(".block.take").count()) >= 1);
    await page.locator(".block.take.best").first().click();
    await page.waitForFunction(() => !location.search.includes("face="));
    await settle();
    assert.equal(await value(), cli("jenga", await shownInput()).answer);
  },

  async "words are text and never markup"() {
    const word = "<img/src=x/onerror=alert(1)>";
    await page.goto(link("codenames", `2 R\n${word} b\nR B\n1\n2 ${word} b\n`));
    await settle();
    assert.equal(await page.locator("main img").count(), 0);
    assert.ok((await page.locator(".card").first().textContent()).includes(word));
    await page.locator(".card").first().click();
    await page.waitForFunction(() => new URLSearchParams(location.search).get("input").includes("\nB B\n"));
  },

  async "the moves of every game are those of the command line, with their values and in the same order"() {
    const listed = {
      dice: (found) => found.cases[0].moves.map((move) => move.answer),
      jenga: (found) => found.faces.flatMap((face) => face.moves.map((move) => `${move.minutes.toFixed(4)} min`)),
      hopchess: (found) => found.moves.map((move) => move.answer),
      codenames: (found) => found.moves.map((move) => move.answer),
    };
    for (const [game, inputs] of Object.entries(POSITIONS)) {
      for (const input of inputs) {
        await page.goto(link(game, input));
        await settle();
        const shown = (await page.locator("[data-move] .number").allTextContents()).filter(Boolean);
        assert.deepEqual(shown, listed[game](cli(game, input)), `${game} ${input}`);
        const width = await page.locator("[data-move] .bar").evaluateAll((bars) => bars.map((bar) => Number.parseFloat(bar.style.width)));
        if (game !== "jenga") assert.equal(width[0], Math.max(...width), `${game} ${input}: the best move has the longest bar`);
      }
    }
  },

  async "a card is revealed by clicks, and a refused board can still be changed"() {
    const identities = (wanted) => page.waitForFunction((line) => new URLSearchParams(location.search).get("input").split("\n")[2] === line, wanted);
    await page.goto(link("codenames", "2 R\na b\nR B\n1\n2 a b\n"));
    await settle();
    for (const wanted of ["B B", "I B", "A B", ". B"]) {
      await page.locator(".card").first().click();
      await identities(wanted);
      await settle();
    }
    await page.goto(link("codenames", POSITIONS.codenames[0]));
    await settle();
    await page.click("#reveal");
    await page.waitForURL(/click=reveal/);
    await settle();
    await page.locator("[data-card=java]").click();
    await identities("B R . A");
    await settle();
    assert.equal(await value(), cli("codenames", await shownInput()).answer);
  },

  async "an input without a case, and transforms of a bad input, are handled"() {
    await page.goto(link("dice", "0\n"));
    await settle();
    assert.match(await page.locator("[role=alert]").textContent(), /no case/);
    await page.goto(link("hopchess", "x\n"));
    await settle();
    assert.equal(await page.locator("text=Mirror").count(), 0);
  },

  async "the skip link keeps the position"() {
    await page.goto(`${address}/balda#lang=en&word=cat&game=&at=0`);
    await page.waitForSelector(".letters");
    const url = page.url();
    await page.locator(".skip").focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "main");
    assert.equal(page.url(), url);
  },

  async "a large board shows its progress, then the command line's value"() {
    const words = Array.from({ length: 21 }, (_, place) => `w${place}`);
    const pick = (hint, step) => words[(hint * 7 + step * (1 + (hint % 5)) + (step >> 1) * hint) % 21];
    const hints = Array.from({ length: 40 }, (_, hint) => [...new Set(Array.from({ length: 6 }, (_, step) => pick(hint, step)))]);
    const lines = hints.map((hint) => `${hint.length} ${hint.join(" ")}`);
    const input = `21 R\n${words.join(" ")}\n${[..."RRBRBBBRBRRBBRBBRRBBR"].join(" ")}\n40\n${lines.join("\n")}\n`;
    await page.goto(link("codenames", input));
    await page.waitForSelector("progress");
    await settle(180_000);
    assert.equal(await value(), cli("codenames", input).answer);
  },

  async "an uploaded dictionary is used"() {
    await page.goto(`${address}/balda`);
    await page.selectOption("#seconds", "1");
    await page.setInputFiles("#file", { name: "input.txt", mimeType: "text/plain", buffer: Buffer.from("en\ncat\n\nact\ncar\ncat\ntar\n") });
    await page.click("#find");
    await page.waitForFunction(() => /points, /.test(document.querySelector("[role=status]").textContent));
    const words = await page.locator("#words .name").allTextContents();
    assert.ok(words.length > 0 && words.every((word) => /^\d+\. (act|car|tar)$/.test(word)), words.join());
  },

  async "a list of words is a dictionary, in UTF-8 too"() {
    const lists = [["en", "cat", "act car tar cat", /^\d+\. (act|car|tar)$/], ["ru", "кот", "ток кто рот кот", /^\d+\. (ток|кто|рот)$/]];
    for (const [language, word, list, expected] of lists) {
      await page.goto("about:blank");
      await page.goto(`${address}/balda`);
      await page.selectOption("#seconds", "1");
      await page.selectOption("#language", language);
      await page.fill("#word", word);
      await page.setInputFiles("#file", { name: "words.txt", mimeType: "text/plain", buffer: Buffer.from(list.replaceAll(" ", "\n")) });
      await page.click("#find");
      await page.waitForFunction(() => /points, /.test(document.querySelector("[role=status]").textContent));
      const words = await page.locator("#words .name").allTextContents();
      assert.ok(words.length > 0 && words.every((made) => expected.test(made)), words.join());
    }
  },

  async "Balda's slider can be dragged through a game, and a wrong address shows a message"() {
    await page.goto("about:blank");
    await page.goto(`${address}/balda#${new URLSearchParams({ lang: "en", word: "cat", game: "", at: "0" })}`);
    await page.waitForSelector(".letters");
    await page.click("#find");
    await page.waitForFunction(() => /points, /.test(document.querySelector("[role=status]").textContent));
    const moves = await page.locator("#words button").count();
    const box = await page.locator("#at").boundingBox();
    const middle = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width - 8, middle);
    await page.mouse.down();
    for (const part of [0.8, 0.6, 0.4, 0.2, 0]) await page.mouse.move(box.x + 2 + part * (box.width - 10), middle);
    await page.mouse.up();
    assert.equal(await page.locator("#at").inputValue(), "0", `of ${moves}`);
    assert.match(page.url(), /at=0$/);
    for (const wrong of ["lang=en&word=cats&game=&at=0", "lang=en&word=&game=&at=0", "lang=en&word=cat&game=x&at=1", "lang=en&word=cat&game=9 9 a act 1 1 dr&at=1"]) {
      await page.goto("about:blank");
      await page.goto(`${address}/balda#${wrong}`);
      assert.ok((await page.locator("[role=alert]").textContent()).length > 10, wrong);
    }
  },

  async "a board that the user asks for ends a running search"() {
    await page.goto("about:blank");
    await page.goto(`${address}/balda`);
    await page.selectOption("#seconds", "20");
    await page.click("#find");
    await page.waitForFunction(() => document.querySelector("[role=status]").textContent.includes("so far"));
    await page.click("#own-board summary");
    await page.fill("#text", "en\n...\ndog\n...\ndog\n");
    await page.click("#list");
    await page.waitForSelector(".letters[aria-label*=dog]");
    await page.waitForFunction(() => document.getElementById("stop").hidden);
    assert.match(page.url(), /#board=/);
  },

  async "a Balda board in mid-game can be played, and a wrong one is refused"() {
    await page.goto(`${address}/balda`);
    await page.click("#own-board summary");
    await page.fill("#text", "en\n...\ncat\n.x.\ncat\n");
    await page.click("#list");
    assert.match(await page.locator("[role=alert]").textContent(), /^Line \d+: /);
    await page.fill("#text", "en\n...\ncat\n...\ncat\n");
    await page.click("#list");
    const word = (await page.locator("#next-words .name").first().textContent()).split(" ")[0];
    await page.locator("#next-words button").first().click();
    await page.waitForFunction((made) => document.getElementById("text").value.trim().endsWith(made), word);
    const url = page.url();
    await page.waitForSelector(".letters");
    const words = await page.locator("#next-words .name").allTextContents();
    await page.goto("about:blank");
    await page.goto(url);
    await page.waitForSelector(".letters");
    assert.deepEqual(await page.locator("#next-words .name").allTextContents(), words);
    assert.ok(!words.some((made) => made.startsWith(`${word} `)));
  },

  async "a click in the strip goes back to that move"() {
    await page.goto(link("jenga", POSITIONS.jenga[0]));
    await settle();
    await playBest("jenga");
    const first = page.url();
    const shown = await value();
    await playBest("jenga");
    assert.equal(await page.locator(".strip button").count(), 2);
    await page.locator(".strip button").first().click();
    await page.waitForURL(first);
    await settle();
    assert.equal(await value(), shown);
  },

  async "Balda finds a game, shows it word by word, and plays next words"() {
    await page.goto(`${address}/balda`);
    await page.selectOption("#seconds", "1");
    await page.click("#find");
    await page.waitForFunction(() => /points, /.test(document.querySelector("[role=status]").textContent));
    const url = page.url();
    const found = await value();
    assert.ok(Number(found) > 1000, found);
    await page.reload();
    assert.equal(await value(), found);
    assert.ok((await page.locator("#words button").count()) > 10);
    await page.locator("#words button").nth(2).click();
    assert.equal(await page.locator(".letters polyline").count(), 1);
    await page.goto("about:blank");
    await page.goto(url);
    assert.equal(await value(), found);
    await page.goto(`${address}/balda#lang=en&word=cat&game=&at=0`);
    for (let moves = 0; ; moves += 1) {
      assert.ok(moves < 7, "Balda does not end");
      await page.click("#next");
      await page.waitForFunction(() => document.querySelector("#next-words"));
      const words = page.locator("#next-words button");
      if ((await words.count()) === 0) break;
      const last = page.url();
      await words.first().click();
      await page.waitForFunction((before) => location.href !== before, last);
    }
    await page.goBack();
    await page.fill("#word", "qqq");
    await page.click("#find");
    assert.match(await page.locator("[role=alert]").textContent(), /choose a word of the en list/);
  },

  async "a second search of Balda replaces the first, and can be stopped"() {
    await page.goto(`${address}/balda`);
    await page.selectOption("#seconds", "20");
    const status = (text) => page.waitForFunction((wanted) => document.querySelector("[role=status]").textContent.includes(wanted), text);
    await page.click("#find");
    await status("so far");
    await page.click("#find");
    await status("so far");
    assert.ok(await page.locator("#stop").isVisible(), "Stop is hidden while a search runs");
    await page.click("#stop");
    await status("Stopped.");
    assert.ok(!(await page.locator("#stop").isVisible()));
  },

  async "a late answer does not replace a newer board"() {
    await page.goto(`${address}/balda`);
    await page.click("#own-board summary");
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    const late = "en\n...\ncat\n...\ncat\n";
    await page.route("**/api/balda/next?*", async (route) => {
      if (new URL(route.request().url()).searchParams.get("input") === late) await held;
      await route.continue();
    });
    const answered = page.waitForResponse((response) => new URL(response.url()).searchParams.get("input") === late);
    await page.fill("#text", late);
    await page.click("#list");
    await page.fill("#text", "en\n...\ndog\n...\ndog\n");
    await page.click("#list");
    await page.waitForSelector(".letters[aria-label*=dog]");
    release();
    await (await answered).finished();
    // The page handles the late answer before this request.
    await page.evaluate(() => fetch("/healthz").then((response) => response.text()));
    await page.unroute("**/api/balda/next?*");
    assert.equal(await page.locator(".letters[aria-label*=dog]").count(), 1);
  },

  async "an error of the next position is shown"() {
    await page.goto(`${address}/dice`);
    await settle();
    const error = { what: "no position", remedy: "for the test" };
    await page.route("**/api/dice/sample?*", (route) => route.fulfill({ status: 400, json: { error } }));
    await page.click("text=Another position");
    assert.match(await page.locator("[role=alert]").textContent(), /no position/);
    await page.unroute("**/api/dice/sample?*");
    await page.click("text=Another position");
    await page.waitForFunction(() => document.querySelectorAll("[role=alert]").length === 0);
  },

  async "axe finds no serious problem on any page"() {
    const others = [link("dice", BAD.dice), `${link("dice", POSITIONS.dice[0])}&edit=1`, `${link("jenga", POSITIONS.jenga[0])}&face=red`];
    const paths = ["/", "/balda#lang=en&word=cat&game=&at=0", "/balda#lang=en&word=cats&game=&at=0", ...others.map((url) => url.slice(address.length)), ...Object.entries(POSITIONS).map(([game, [input]]) => link(game, input).slice(address.length))];
    for (const path of paths) {
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await page.goto("about:blank");
        await page.goto(address + path);
        await page.waitForSelector(path === "/" ? "table" : "[data-value], [role=alert]");
        // Injected by the debugger, because the page's content security policy would block it.
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document));
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        assert.deepEqual(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).slice(0, 3).join(" ")}`), [], `${path} ${colorScheme}`);
      }
    }
    await page.emulateMedia({ colorScheme: "light" });
  },

  async "no page is wider than a phone screen"() {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/", "/balda", "/dice", "/jenga", "/hopchess", "/codenames"]) {
      await page.goto(address + path);
      if (["/", "/balda"].includes(path)) await page.waitForSelector(path === "/" ? "table" : "main section");
      else await settle();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 390, `${path} is ${width} pixels wide`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  },
};

let failed = 0;
const only = options.find((option) => !option.startsWith("--"));
for (const [name, test] of Object.entries(tests)) {
  if (only && !name.includes(only)) continue;
  problems.length = 0;
  try {
    await test();
    assert.deepEqual(problems, [], "errors of the page");
    console.log(`ok      ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`failed  ${name}\n${error.stack}\n        at ${page.url()}`);
  }
}

if (options.includes("--shots")) await (await import("./shots.mjs")).shots({ page, address, link, repository, settle });

await context.close();
server.kill("SIGTERM");
rmSync(profile, { recursive: true, force: true });
console.log(failed === 0 ? "all pages work" : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

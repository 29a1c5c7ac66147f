// The program of the static site writes byte for byte what the native program writes, on seeded samples of every game.
// The program of the games made with the kit answers as their native programs do. The site sends little: at most 1 MB
// before the first answer about dice, tables aside.
//
// usage: node equal.mjs SITE PROGRAMS KIT [--times]
// KIT is the program `tabletop-web-kit`.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** @import { Program } from "../../page/static/program.js" */

const [site, programs, kit, ...options] = process.argv.slice(2);
const tables = join(site, "tables");
/** @type {{ Program: typeof Program }} */
const library = await import(pathToFileURL(resolve(site, "page/static/program.js")).href);
const failed = (/** @type {string} */ text) => { throw new Error(text); };
/** @type {(name: string) => Promise<Program>} */
const start = (name) => library.Program.start(readFileSync(join(site, "page/static", name)),
  { progress: () => undefined, panicked: failed });
const [ours, theirs] = [await start("tabletop.wasm"), await start("kit.wasm")];

/** @type {(path: string, parameters: Record<string, string>, program?: Program) => string} */
function ask(path, parameters, program = ours) {
  for (;;) {
    const reply = program.ask({ path, parameters }, new Uint8Array());
    if (reply.kind !== "needs") return reply.text;
    for (const { file, offset, bytes } of reply.ranges) {
      const found = new Uint8Array(bytes);
      readSync(openSync(join(tables, file), "r"), found, 0, bytes, offset);
      assert.ok(program.put(file, offset, found.buffer), `${file} at ${offset}`);
    }
  }
}

/** @type {(game: string, input: string) => string} */
const native = (game, input) =>
  execFileSync(join(programs, "tabletop"), [game, "--json", "--tables", tables], { input, encoding: "utf8" });

/** @type {(lang: string, word: string, nodes: string, seed: string) => string} */
function playBalda(lang, word, nodes, seed) {
  const command = ["balda", "--json", "--lang", lang, "--word", word, "--nodes", nodes, "--seed", seed];
  return execFileSync(join(programs, "tabletop"), [...command, "--tables", tables], { encoding: "utf8" });
}

let compared = 0;
for (const game of ["dice", "jenga", "hopchess", "codenames"]) {
  for (const kind of ["tiny", "edge", "ordinary"]) {
    for (let seed = 1; seed <= 25; seed += 1) {
      const { input } = JSON.parse(ask(`${game}/sample`, { kind, seed: `${seed}` }));
      assert.equal(ask(game, { input }), native(game, input), `${game} ${kind} ${seed}`);
      compared += 1;
    }
  }
}
for (const [lang, letters] of [["en", "5"], ["en", "9"], ["ru", "7"], ["tr", "5"]]) {
  for (let seed = 1; seed <= 5; seed += 1) {
    const { word } = JSON.parse(ask("balda/start", { lang, letters, seed: `${seed}` }));
    const nodes = "3000";
    const expected = playBalda(lang, word, nodes, `${seed}`);
    assert.equal(ask("balda", { lang, word, nodes, seed: `${seed}` }), expected, `balda ${lang} ${word} ${seed}`);
    compared += 1;
  }
}
/** @type {(game: string, input: string) => unknown} */
const solved = (game, input) => JSON.parse(execFileSync(kit, [game, "ask", input, "--json", "--tables", tables],
  { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }));
/** @type {{ games: { name: string, starts: string[], examples: { position: string }[] }[] }} */
const { games } = JSON.parse(readFileSync(join(site, "page/static/games.json"), "utf8"));
assert.ok(games.length >= 5, `${games.length} games made with the kit`);
for (const { name, starts, examples } of games) {
  /** @type {(kind: string, seed: number) => string} */
  const sample = (kind, seed) => JSON.parse(ask(`${name}/sample`, { kind, seed: `${seed}` }, theirs)).input.trim();
  const samples = ["tiny", "edge", "ordinary"].flatMap((kind) => [1, 2, 3].map((seed) => sample(kind, seed)));
  for (const input of new Set([starts[0], ...examples.map(({ position }) => position), ...samples])) {
    assert.deepEqual(JSON.parse(ask(name, { input }, theirs)), solved(name, input), `${name} ${input}`);
    compared += 1;
  }
  const refused = JSON.parse(ask(name, { input: "no position" }, theirs));
  assert.match(refused.error.what, /no position/);
}
console.log(`${compared} answers equal`);

if (options.includes("--times")) {
  const worst = [["codenames", "worst"], ["hopchess", "worst"], ["jenga", "ordinary"], ["dice", "ordinary"]];
  for (const [game, kind] of worst) {
    const { input } = JSON.parse(ask(`${game}/sample`, { kind, seed: "3" }));
    const began = performance.now();
    ask(game, { input });
    const middle = performance.now();
    native(game, input);
    const times = [middle - began, performance.now() - middle].map((time) => `${time.toFixed(0)} ms`);
    console.log(`${game} ${kind}: ${times[0]} here, ${times[1]} by the native program`);
  }
  const began = performance.now();
  ask("balda", { lang: "en", word: "kenaf", nodes: "200000", seed: "1" });
  const middle = performance.now();
  playBalda("en", "kenaf", "200000", "1");
  const times = [middle - began, performance.now() - middle].map((time) => `${time.toFixed(0)} ms`);
  console.log(`balda, 200,000 proposals: ${times[0]} here, ${times[1]} by the native program`);
}

// The pages of the five games do not load the program of the others; `test.mjs` looks.
const page = readdirSync(join(site, "page"), { withFileTypes: true, recursive: true })
  .filter((file) => file.isFile() && file.name !== "kit.wasm");
const bytes = page.map(({ path, name }) => statSync(join(path, name)).size).reduce((sum, size) => sum + size, 0);
assert.ok(bytes + statSync(join(site, "dice.html")).size <= 1_000_000, `the page has ${bytes} bytes`);
console.log(`${bytes} bytes before the first answer, tables aside`);
console.log(`${statSync(join(site, "page/static/kit.wasm")).size} bytes more for the games made with the kit`);

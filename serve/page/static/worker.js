// Answers requests with the program, and fetches the parts of the tables that it needs.

import { Program } from "./program.js";

/** @import { Range } from "./program.js" */

const CACHE = "tabletop-tables";
let panic = "";
const program = load();

/** @type {(kind: "answer" | "refusal" | "progress" | "panic", text: string) => void} */
const post = (kind, text) => globalThis.postMessage({ kind, text });

class Unavailable extends Error {
  /** @param {string} what @param {string} remedy */
  constructor(what, remedy) {
    super(what);
    this.text = JSON.stringify({ error: { what, remedy } });
  }
}

async function load() {
  // The page names the program in the address of the worker.
  const file = `${new URL(import.meta.url).search.slice(1)}.wasm`;
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: status ${response.status}`);
  // Not every host sends the media type that compiling while it arrives needs.
  return Program.start(await response.arrayBuffer(), {
    progress: (text) => post("progress", text),
    panicked: (text) => { panic = text; },
  });
}

/** @type {(range: Range) => string} */
const tableOf = ({ file, version }) => `${new URL(`../../tables/${file}`, import.meta.url)}?v=${version}`;
/** @type {(range: Range) => string} */
const keyOf = (range) => `${tableOf(range)}&range=${range.offset}-${range.bytes}`;
// Only pages of a secure origin have a cache.
const openCache = async () => globalThis.caches?.open(CACHE).catch(() => undefined);

/**
 * Gets a range of a table and gives it to the program. A host without ranges sends the whole file.
 * @param {Program} to
 * @param {Range} range
 */
async function get(to, range) {
  const { file, offset, bytes } = range;
  const key = keyOf(range);
  const cache = await openCache();
  const kept = await (await cache?.match(key))?.arrayBuffer();
  if (kept?.byteLength === bytes && to.put(file, offset, kept)) return;
  const { status, found } = await download(file, tableOf(range), `bytes=${offset}-${offset + bytes - 1}`);
  const isRange = status === 206;
  // The program would ask for the rest for ever.
  if (isRange && found.byteLength !== bytes) {
    throw new Unavailable(`${file}: a part does not arrive whole`, "try again");
  }
  if (!to.put(file, isRange ? offset : 0, found)) {
    throw new Unavailable(`${file}: not the table of this page`, "load the page again");
  }
  if (isRange) await cache?.put(key, new Response(found)).catch(() => undefined);
}

/** @type {(file: string, table: string, range: string) => Promise<{ status: number, found: ArrayBuffer }>} */
async function download(file, table, range) {
  const lost = () => { throw new Unavailable(`${file} does not arrive`, "check the connection and try again"); };
  const response = await fetch(table, { headers: { Range: range } }).catch(lost);
  if (!response.ok) throw new Unavailable(`${file}: status ${response.status}`, "try again");
  return { status: response.status, found: await response.arrayBuffer().catch(lost) };
}

/** @param {{ path: string, parameters: Record<string, string>, body?: string | Uint8Array }} request */
async function answer({ path, parameters, body = "" }) {
  const loaded = await program;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  /** @type {Range[]} */
  const used = [];
  let isAgain = false;
  for (;;) {
    const reply = loaded.ask({ path, parameters }, bytes);
    if (reply.kind === "needs") {
      used.push(...reply.ranges);
      await Promise.all(reply.ranges.map((range) => get(loaded, range)));
    } else if (reply.kind === "refusal" && used.length > 0 && !isAgain) {
      // A block may be damaged in the cache, and would be so after every reload. The program has forgotten it.
      isAgain = true;
      const cache = await openCache();
      for (const range of used) await cache?.delete(keyOf(range));
    } else return post(reply.kind, reply.text);
  }
}

globalThis.addEventListener("message", async ({ data }) => {
  try {
    await answer(data);
  } catch (error) {
    if (error instanceof Unavailable) return post("refusal", error.text);
    if (panic) console.warn(panic);
    const what = panic ? "The program failed on this question" : "The program does not start";
    const remedy = panic ? "report it with the input" : "use a browser with WebAssembly, or load the page again";
    post("panic", JSON.stringify({ error: { what, remedy } }));
  }
});

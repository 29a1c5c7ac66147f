// Requests without a server: a worker answers them. The static site has this file in place of the other `api.js`.

import { Refusal } from "../refusal.js";
import { ROOT } from "../view.js";

/** @import { Answers, Parameters, Streams } from "../types.d.ts" */

export { Refusal, refusalOf } from "../refusal.js";

/**
 * @typedef {object} Job
 * @property {{ path: string, parameters: Parameters, body?: string | Uint8Array }} request
 * @property {(data: any) => void} on
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

// Some hosts deliver a page under its name with a slash.
if (location.pathname.endsWith("/") && location.pathname !== ROOT) {
  // What is loaded later is still beside the page.
  for (const icon of document.querySelectorAll("link[rel=icon]")) {
    if (icon instanceof HTMLLinkElement) icon.setAttribute("href", icon.href);
  }
  for (const image of document.images) image.setAttribute("src", image.src);
  history.replaceState(history.state, "", location.pathname.slice(0, -1) + location.search + location.hash);
}

/** A worker with one program, and its jobs. The first one is being answered; the others wait. */
class Queue {
  /** @param {"tabletop" | "kit"} program */
  constructor(program) {
    this.program = program;
    /** @type {Job[]} */
    this.jobs = [];
    this.worker = this.#start();
  }

  #start() {
    const started = new Worker(new URL(`worker.js?${this.program}`, import.meta.url), { type: "module" });
    started.addEventListener("message", ({ data: { kind, text } }) => {
      if (kind === "progress") this.jobs[0]?.on(JSON.parse(text));
      else if (kind === "answer") this.#finish((job) => job.resolve(JSON.parse(text)));
      else this.#finish((job) => job.reject(new Refusal(JSON.parse(text).error)));
      // After a panic the memory of the program may be in any state.
      if (kind === "panic") this.#restart();
    });
    started.addEventListener("error", () => {
      const remedy = "use a browser with WebAssembly, or load the page again";
      this.#finish((job) => job.reject(new Refusal({ what: "The program does not start", remedy })));
      this.#restart();
    });
    return started;
  }

  #restart() {
    this.worker.terminate();
    this.worker = this.#start();
  }

  /** @param {(job: Job) => void} settle */
  #finish(settle) {
    const job = this.jobs.shift();
    if (!job) return;
    settle(job);
    if (this.jobs.length > 0) this.worker.postMessage(this.jobs[0].request);
  }

  /**
   * @param {Job["request"]} request
   * @param {AbortSignal | undefined} signal
   * @param {Job["on"]} on
   */
  send(request, signal, on) {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const job = { request, on, resolve, reject };
      // A search cannot be interrupted, so its worker ends. What it has fetched is in the cache of the browser.
      signal?.addEventListener("abort", () => {
        const place = this.jobs.indexOf(job);
        if (place < 0) return;
        reject(signal.reason);
        if (place > 0) this.jobs.splice(place, 1);
        else {
          this.#restart();
          this.#finish(() => undefined);
        }
      });
      this.jobs.push(job);
      if (this.jobs.length === 1) this.worker.postMessage(request);
    });
  }
}

/** Started when they are first asked. @type {Partial<Record<"tabletop" | "kit", Queue>>} */
const queues = {};
/** The names of the games made with the kit. Another program answers about them. @type {Set<string>} */
const others = new Set();

/** @returns {Promise<Answers["games"]>} */
async function describe() {
  const response = await fetch(new URL("games.json", import.meta.url)).catch(() => undefined);
  if (!response?.ok) throw new Refusal({ what: "The list of games does not arrive", remedy: "load the page again" });
  const found = await response.json();
  for (const { name } of found.games) others.add(name);
  return found;
}

/**
 * @param {Job["request"]} request
 * @param {AbortSignal | undefined} signal
 * @param {Job["on"]} on
 */
function send(request, signal, on) {
  const program = others.has(request.path.split("/")[0]) ? "kit" : "tabletop";
  queues[program] ??= new Queue(program);
  return queues[program].send(request, signal, on);
}

/**
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {Parameters} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answers[Path]>}
 */
export function ask(path, parameters = {}, signal) {
  if (path === "games") return /** @type {Promise<*>} */ (describe());
  return send({ path, parameters }, signal, () => undefined);
}

/**
 * Calls `on(data)` for the progress of a request, and returns its answer.
 * @template {keyof Streams} Path
 * @param {Path} path
 * @param {{ parameters?: Parameters, body?: string | Uint8Array<ArrayBuffer>, signal: AbortSignal }} question
 * @param {(data: Streams[Path]["event"]) => void} on
 * @returns {Promise<Streams[Path]["final"]>}
 */
export function follow(path, { parameters = {}, body, signal }, on) {
  return send({ path, parameters, body }, signal, on);
}

// Requests without a server: a worker answers them. The static site has this file in place of the other `api.js`.

import { Refusal } from "../refusal.js";

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
if (/.\/$/.test(location.pathname)) {
  history.replaceState(history.state, "", location.pathname.slice(0, -1) + location.search + location.hash);
}

/** The first job is being answered; the others wait. @type {Job[]} */
const jobs = [];
let worker = start();

function start() {
  const started = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data: { kind, text } }) => {
    if (kind === "progress") jobs[0]?.on(JSON.parse(text));
    else if (kind === "answer") finish((job) => job.resolve(JSON.parse(text)));
    else finish((job) => job.reject(new Refusal(JSON.parse(text).error)));
    // After a panic the memory of the program may be in any state.
    if (kind === "panic") restart();
  });
  started.addEventListener("error", () => {
    const remedy = "use a browser with WebAssembly, or load the page again";
    finish((job) => job.reject(new Refusal({ what: "The program does not start", remedy })));
    restart();
  });
  return started;
}

function restart() {
  worker.terminate();
  worker = start();
}

/** @param {(job: Job) => void} settle */
function finish(settle) {
  const job = jobs.shift();
  if (!job) return;
  settle(job);
  if (jobs.length > 0) worker.postMessage(jobs[0].request);
}

/**
 * @param {Job["request"]} request
 * @param {AbortSignal | undefined} signal
 * @param {Job["on"]} on
 */
function send(request, signal, on) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const job = { request, on, resolve, reject };
    // A search cannot be interrupted, so its worker ends. What it has fetched is in the cache of the browser.
    signal?.addEventListener("abort", () => {
      const place = jobs.indexOf(job);
      if (place < 0) return;
      reject(signal.reason);
      if (place > 0) jobs.splice(place, 1);
      else {
        restart();
        finish(() => undefined);
      }
    });
    jobs.push(job);
    if (jobs.length === 1) worker.postMessage(request);
  });
}

/**
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {Parameters} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answers[Path]>}
 */
export function ask(path, parameters = {}, signal) {
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

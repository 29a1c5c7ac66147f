// Requests to the server.

import { isAborted, Refusal } from "./refusal.js";

/** @import { Answers, Parameters, Streams } from "./types.d.ts" */

export { Refusal, refusalOf } from "./refusal.js";

/** @param {Response} response */
async function refusal(response) {
  try {
    return new Refusal((await response.json()).error);
  } catch {
    return new Refusal({ what: `The server answered with status ${response.status}`, remedy: "try again" });
  }
}

/** @type {(path: string, options: RequestInit) => Promise<Response>} */
async function request(path, options) {
  let response;
  try {
    response = await fetch(path, options);
  } catch (error) {
    if (isAborted(error)) throw error;
    throw new Refusal({ what: "The server does not answer", remedy: "start it with `tabletop serve` and try again" });
  }
  if (!response.ok) throw await refusal(response);
  return response;
}

/** @type {(path: string, parameters: Parameters) => string} */
function address(path, parameters) {
  const query = new URLSearchParams(parameters).toString();
  return `/api/${path}${query && "?"}${query}`;
}

/**
 * @template {keyof Answers} Path
 * @param {Path} path
 * @param {Parameters} [parameters]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Answers[Path]>}
 */
export async function ask(path, parameters = {}, signal) {
  const response = await request(address(path, parameters), { signal });
  return response.json();
}

/**
 * Reads the events of a stream. Calls `on(data)` for each, and returns the data of the last one.
 * @template {keyof Streams} Path
 * @param {Path} path
 * @param {{ parameters?: Parameters, body?: string | Uint8Array<ArrayBuffer>, signal: AbortSignal }} question
 * @param {(data: Streams[Path]["event"]) => void} on
 * @returns {Promise<Streams[Path]["final"]>}
 */
export async function follow(path, { parameters = {}, body, signal }, on) {
  const options = body === undefined ? { signal } : { signal, method: "POST", body };
  const response = await request(address(path, parameters), options);
  if (!response.body) throw new Refusal({ what: "The answer is empty", remedy: "ask again" });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Refusal({ what: "The answer breaks off", remedy: "ask again" });
    text += value;
    const messages = text.split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const event = /^event: ?(.*)$/m.exec(message)?.[1];
      const data = [...message.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]).join("\n");
      if (!event) continue;
      if (event === "failed") throw new Refusal(JSON.parse(data).error);
      if (event === "final") return JSON.parse(data);
      on(JSON.parse(data));
    }
  }
}

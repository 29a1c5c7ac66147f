// The library as a WebAssembly program.

/** @typedef {{ file: string, offset: number, bytes: number, version: string }} Range */
/** @typedef {(text: string) => void} Take */
/**
 * What `web/src/exports.rs` exports.
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(bytes: number) => number} reserve
 * @property {() => number} ask
 * @property {() => number} reply_address
 * @property {() => number} reply_bytes
 * @property {(offset: number) => number} put
 */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Program {
  /** @param {Exports} exports */
  constructor(exports) {
    this.exports = exports;
  }

  /**
   * Starts the program. `progress` gets JSON before an answer, `panicked` the message of a defect.
   * @param {ArrayBuffer | Uint8Array<ArrayBuffer>} wasm
   * @param {{ progress: Take, panicked: Take }} calls
   */
  static async start(wasm, { progress, panicked }) {
    /** @type {(take: Take) => (address: number, bytes: number) => void} */
    const from = (take) => (address, bytes) => take(started.#text(address, bytes));
    const env = { now: () => performance.now(), progress: from(progress), panicked: from(panicked) };
    const { instance } = await WebAssembly.instantiate(wasm, { env });
    const started = new Program(/** @type {Exports} */ (/** @type {unknown} */ (instance.exports)));
    return started;
  }

  /**
   * Answers a request with JSON, or lists the ranges of tables that it needs first.
   * @param {{ path: string, parameters: Record<string, string> }} request
   * @param {Uint8Array} body
   * @returns {{ kind: "answer" | "refusal", text: string } | { kind: "needs", ranges: Range[] }}
   */
  ask(request, body) {
    this.#write(`${request.path}?${new URLSearchParams(request.parameters)}`, body);
    const kind = this.exports.ask();
    const text = this.#text(this.exports.reply_address(), this.exports.reply_bytes());
    if (kind === 2) return { kind: "needs", ranges: JSON.parse(text) };
    return { kind: kind === 0 ? "answer" : "refusal", text };
  }

  /**
   * Gives bytes of a table to the program. Returns whether they are those of the shipped table.
   * @param {string} file
   * @param {number} offset
   * @param {ArrayBuffer} bytes
   */
  put(file, offset, bytes) {
    this.#write(file, new Uint8Array(bytes));
    return this.exports.put(offset) === 1;
  }

  /** @type {(line: string, bytes: Uint8Array) => void} */
  #write(line, bytes) {
    const head = encoder.encode(`${line}\n`);
    // This may move the memory.
    const address = this.exports.reserve(head.length + bytes.length);
    const memory = new Uint8Array(this.exports.memory.buffer);
    memory.set(head, address);
    memory.set(bytes, address + head.length);
  }

  /** @type {(address: number, bytes: number) => string} */
  #text(address, bytes) {
    return decoder.decode(new Uint8Array(this.exports.memory.buffer, address, bytes));
  }
}

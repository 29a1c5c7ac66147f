// What the tests start: the server, a web host for files, and the browser's flags.

import { spawn } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

export const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];

/** @type {Record<string, string>} */
const MEDIA = {
  ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".json": "application/json",
  ".md": "text/plain; charset=utf-8", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** @type {(path: string) => number | undefined} */
function sizeOf(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() ? found.size : undefined;
}

/**
 * Starts the server on a free port of this machine.
 * @type {(programs: string, tables: string, games: string[], variables: Record<string, string>) =>
 *   Promise<{ address: string, close: () => void }>}
 */
export async function serve(programs, tables, games, variables) {
  const command = ["--bind", "127.0.0.1:0", "--tables", tables, ...games.flatMap((game) => ["--game", game])];
  const env = { ...process.env, ...variables };
  const child = spawn(join(programs, "tabletop-serve"), command, { stdio: ["ignore", "pipe", "inherit"], env });
  /** @type {string} */
  const line = await new Promise((resolve, reject) => {
    child.stdout.once("data", (data) => resolve(String(data).trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return { address: line.replace(/\/$/, ""), close: () => child.kill("SIGTERM") };
}

/**
 * A host that knows ranges unless told otherwise, and nothing else.
 * Serves the files in `directory` on a free port of this machine, below `prefix`.
 * @param {string} directory
 * @param {{ ranges?: boolean, prefix?: string }} [options]
 * @returns {Promise<{ address: string, sent: { path: string, bytes: number }[], close: () => void }>}
 */
export function host(directory, { ranges = true, prefix = "" } = {}) {
  /** @type {{ path: string, bytes: number }[]} */
  const sent = [];
  const server = createServer((request, response) => {
    const asked = decodeURIComponent(new URL(request.url ?? "/", "http://host").pathname);
    const path = asked.startsWith(`${prefix}/`) ? asked.slice(prefix.length) : "/outside";
    const base = join(directory, normalize(path));
    const file = [base, `${base}.html`, join(base, "index.html")].find((found) => sizeOf(found) !== undefined);
    if (file === undefined) {
      response.writeHead(404, { "Content-Type": MEDIA[".html"] });
      return createReadStream(join(directory, "404.html")).pipe(response);
    }
    const size = sizeOf(file) ?? 0;
    const range = ranges ? /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") : null;
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
    response.setHeader("Content-Type", MEDIA[extname(file)] ?? "application/octet-stream");
    response.setHeader("Content-Length", end - start + 1);
    if (range) response.setHeader("Content-Range", `bytes ${start}-${end}/${size}`);
    response.writeHead(range ? 206 : 200);
    sent.push({ path, bytes: end - start + 1 });
    return createReadStream(file, { start, end }).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : 0;
      const close = () => { server.closeAllConnections(); server.close(); };
      resolve({ address: `http://127.0.0.1:${port}${prefix}`, sent, close });
    });
  });
}

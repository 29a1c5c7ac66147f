// Measures honest lookups while hostile clients attack the server.
//
// usage: node serve/bench/attack.mjs [PROGRAM]     (default target/release/tabletop-serve)

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import net from "node:net";
import { performance } from "node:perf_hooks";

const program = process.argv[2] ?? "target/release/tabletop-serve";
// The attackers stand for many clients, so the limit of one address must not stop them.
const options = ["--bind", "127.0.0.1:0", "--tables", "tables", "--per-address", "65535"];
const server = spawn(program, options, { stdio: ["ignore", "pipe", "inherit"] });
/** @type {URL} */
const address = await new Promise((resolve) => {
  server.stdout.once("data", (line) => resolve(new URL(String(line).trim())));
});
/** @type {{ code: number | null, signal: string | null } | null} */
let ended = null;
server.once("exit", (code, signal) => { ended = { code, signal }; });

/** @param {number} time */
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))?.[1]) / 1024;
const connect = () => net.connect(Number(address.port), address.hostname);

/** @param {string} [text] */
function open(text) {
  const socket = connect();
  socket.on("error", () => {
    // The server may close the connection of an attacker.
  });
  if (text) socket.on("connect", () => socket.write(text));
  return socket;
}

/// The time in milliseconds of one honest lookup over its own connection.
async function lookup() {
  const began = performance.now();
  /** @type {string} */
  const answer = await new Promise((resolve, reject) => {
    const socket = connect();
    let text = "";
    socket.setTimeout(20_000, () => reject(new Error("no answer in 20 seconds")));
    socket.on("data", (data) => { text += data; });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    const input = "1%0A6%206%206%206%206%0A1%202%203%204%205";
    socket.write(`GET /api/dice?input=${input} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  });
  if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`answered with ${answer.slice(0, 40)}`);
  return performance.now() - began;
}

/**
 * Repeats lookups during an attack, and prints their times.
 * @type {(name: string, sockets: net.Socket[], time?: number) => Promise<boolean>}
 */
async function under(name, sockets, time = 5000) {
  /** @type {number[]} */
  const times = [];
  let failures = 0;
  let most = 0;
  const end = performance.now() + time;
  while (performance.now() < end) {
    try {
      times.push(await lookup());
    } catch {
      failures += 1;
    }
    most = Math.max(most, resident());
    await sleep(20);
  }
  times.sort((one, other) => one - other);
  const at = (/** @type {number} */ share) =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(1);
  const counts = `${String(times.length).padStart(4)} answered ${String(failures).padStart(3)} failed`;
  const latency = `median ${at(0.5).padStart(6)} ms   p99 ${at(0.99).padStart(7)} ms`;
  console.log(`${name.padEnd(44)} ${counts}   ${latency}   ${most.toFixed(0)} MiB`);
  for (const socket of sockets) socket.destroy();
  await sleep(300);
  return failures === 0 && ended === null;
}

/** @type {(count: number, text?: string) => net.Socket[]} */
const many = (count, text) => Array.from({ length: count }, () => open(text));
let held = true;
/** @type {(name: string, sockets: net.Socket[], time?: number) => Promise<void>} */
const attack = async (name, sockets, time) => { held = (await under(name, sockets, time)) && held; };
/** @type {(sockets: net.Socket[], text: string) => void} */
const writeAll = (sockets, text) => {
  for (const socket of sockets) if (socket.writable) socket.write(text);
};

await attack("nothing", []);
const slow = many(500, "GET /api/dice HTTP/1.1\r\nHost: localhost\r\nX: ");
const drip = setInterval(() => writeAll(slow, "a"), 500);
await attack("500 heads, a byte every half second", slow, 25_000);
clearInterval(drip);
const bodies = many(500, "POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n");
const trickle = setInterval(() => writeAll(bodies, "1 "), 500);
await attack("500 bodies, two bytes every half second", bodies, 12_000);
clearInterval(trickle);
await attack("2000 half requests", many(2000, "GET /api/di"));
await attack("2000 that are not HTTP", many(2000, "\x16\x03\x01\x02\x00\x01"));
const crowd = [];
for (let batch = 0; batch < 20; batch += 1) {
  crowd.push(...many(500));
  await sleep(50);
}
await attack("10000 open connections", crowd, 10_000);
const content = Buffer.alloc(1 << 20, "1");
const chunk = Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n")]);
const flood = many(20, "POST /api/codenames HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
for (const socket of flood) {
  let sent = 0;
  const push = () => {
    while (sent < 100 && socket.writable) {
      sent += 1;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on("connect", push);
  socket.on("drain", push);
}
await attack("20 bodies of 100 MB in chunks", flood);
const said = "POST /api/balda HTTP/1.1\r\nHost: localhost\r\nContent-Length: 104857600\r\n\r\n";
await attack("20 bodies that say 100 MB", many(20, said));
const cases = `100\n${"1 2 3 4 6\n".repeat(200)}`;
const long = `POST /api/dice HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${cases.length}\r\n\r\n${cases}`;
await attack("500 that take no answer", many(500, long).map((socket) => socket.pause()), 8000);
const odds = ["%", "%zz", "%00", "%FF%FE", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "\x01"];
/** @param {string} path */
const get = (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
await attack("odd encodings and paths",
  odds.flatMap((odd) => many(50, get(`/api/dice?input=${odd}`) + get(`/page/${odd}`))));
await attack("nothing any more", []);

console.log(ended ? `the server ended: ${JSON.stringify(ended)}` : "the server still runs");
server.kill("SIGTERM");
process.exit(held ? 0 : 1);

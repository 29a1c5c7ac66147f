// Measures honest lookups while hostile clients attack the server.
//
// usage: node serve/bench/attack.mjs [PROGRAM]     (default target/release/tabletop-serve)

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import net from "node:net";
import { performance } from "node:perf_hooks";

const program = process.argv[2] ?? "target/release/tabletop-serve";
// The attackers stand for many clients, so the limit of one address must not stop them.
const server = spawn(program, ["--bind", "127.0.0.1:0", "--tables", "tables", "--per-address", "65535"], { stdio: ["ignore", "pipe", "inherit"] });
const address = await new Promise((resolve) => server.stdout.once("data", (line) => resolve(new URL(String(line).trim()))));
let ended = null;
server.once("exit", (code, signal) => { ended = { code, signal }; });

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const resident = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]) / 1024;

function open(text) {
  const socket = net.connect(address.port, address.hostname);
  socket.on("error", () => {});
  if (text) socket.on("connect", () => socket.write(text));
  return socket;
}

/// The time in milliseconds of one honest lookup over its own connection.
async function lookup() {
  const began = performance.now();
  const answer = await new Promise((resolve, reject) => {
    const socket = net.connect(address.port, address.hostname);
    let text = "";
    socket.setTimeout(20_000, () => reject(new Error("no answer in 20 seconds")));
    socket.on("data", (data) => { text += data; });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    socket.write("GET /api/dice?input=1%0A6%206%206%206%206%0A1%202%203%204%205 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  });
  if (!answer.startsWith("HTTP/1.1 200")) throw new Error(`answered with ${answer.slice(0, 40)}`);
  return performance.now() - began;
}

/// Repeats lookups during an attack, and prints their times.
async function under(name, sockets, time = 5000) {
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
  const at = (share) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN).toFixed(1);
  console.log(`${name.padEnd(44)} ${String(times.length).padStart(4)} answered ${String(failures).padStart(3)} failed   median ${at(0.5).padStart(6)} ms   p99 ${at(0.99).padStart(7)} ms   ${most.toFixed(0)} MiB`);
  for (const socket of sockets) socket.destroy();
  await sleep(300);
  return failures === 0 && ended === null;
}

const many = (count, text) => Array.from({ length: count }, () => open(text));
let held = true;
const attack = async (name, sockets, time) => { held = (await under(name, sockets, time)) && held; };

await attack("nothing", []);
const slow = many(500, "GET /api/dice HTTP/1.1\r\nHost: x\r\nX: ");
const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write("a")), 500);
await attack("500 heads, a byte every half second", slow, 25_000);
clearInterval(drip);
const bodies = many(500, "POST /api/dice HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n");
const trickle = setInterval(() => bodies.forEach((socket) => socket.writable && socket.write("1 ")), 500);
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
const chunk = Buffer.alloc(1 << 20, "1");
const flood = many(20, "POST /api/codenames HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
for (const socket of flood) {
  let sent = 0;
  const push = () => { while (sent < 100 && socket.writable) { sent += 1; if (!socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]))) return; } };
  socket.on("connect", push);
  socket.on("drain", push);
}
await attack("20 bodies of 100 MB in chunks", flood);
await attack("20 bodies that say 100 MB", many(20, "POST /api/balda HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n"));
const cases = `100\n${"1 2 3 4 6\n".repeat(200)}`;
await attack("500 that take no answer", many(500, `POST /api/dice HTTP/1.1\r\nHost: x\r\nContent-Length: ${cases.length}\r\n\r\n${cases}`).map((socket) => socket.pause()), 8000);
await attack("odd encodings and paths", ["%", "%zz", "%00", "%FF%FE", "../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "\x01"].flatMap((odd) =>
  many(50, `GET /api/dice?input=${odd} HTTP/1.1\r\nHost: x\r\n\r\nGET /page/${odd} HTTP/1.1\r\nHost: x\r\n\r\n`)));
await attack("nothing any more", []);

console.log(ended ? `the server ended: ${JSON.stringify(ended)}` : "the server still runs");
server.kill("SIGTERM");
process.exit(held ? 0 : 1);

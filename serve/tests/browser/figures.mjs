// Measures the page with a server and as a static site: what arrives before the first answer, how long that takes, and
// the time from a click to the next position. Writes benches/page.tsv, which benches/report shows.
//
// usage: node figures.mjs REPOSITORY SITE

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { FLAGS, host, serve } from "./host.mjs";

const [repository, site] = process.argv.slice(2);
/// Number of times that a cold start is measured, and of games that are clicked.
const ROUNDS = 7;
const FIRST = `/dice?${new URLSearchParams({ input: "1\n1 3 1 2 2\n2 2 3 4 6\n" })}`;
const CLICKED = `/hopchess?${new URLSearchParams({ input: "3 3\nJDJ\nDJD\nJDJ\n2 3\n" })}`;

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });

/** @param {number[]} numbers */
const median = (numbers) => numbers.sort((one, other) => one - other)[Math.floor(numbers.length / 2)];

/**
 * The seconds and the bytes to the first answer about dice, with nothing in the cache.
 * @type {(address: string) => Promise<{ seconds: number, bytes: number }>}
 */
async function cold(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  let bytes = 0;
  /** @type {Promise<void>[]} */
  const sizes = [];
  page.on("response", (response) => {
    if (response.url().includes("/tables/")) return;
    sizes.push(response.body().then((body) => { bytes += body.length; }, () => undefined));
  });
  const began = performance.now();
  await page.goto(address + FIRST);
  await page.waitForSelector("[data-value]");
  const seconds = (performance.now() - began) / 1000;
  await page.waitForLoadState("networkidle");
  await Promise.all(sizes);
  await context.close();
  return { seconds, bytes };
}

/**
 * The milliseconds from each of three clicks on a move to the next position.
 * @type {(address: string) => Promise<number[]>}
 */
async function clicks(address) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(address + CLICKED);
  await page.waitForSelector(".moves button");
  /** @type {number[]} */
  const times = [];
  for (let click = 0; click < 3; click += 1) {
    times.push(await page.evaluate(async () => {
      const main = document.querySelector("#main");
      const before = main?.getAttribute("data-shown");
      const began = performance.now();
      document.querySelector(".moves button")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      while (main?.getAttribute("data-shown") === before || main?.hasAttribute("aria-busy")) {
        await new Promise((resolve) => { setTimeout(resolve); });
      }
      return performance.now() - began;
    }));
  }
  await context.close();
  return times;
}

const server = await serve(join(repository, "target/release"), join(repository, "tables"), [], {});
const files = await host(site);
/** @type {string[]} */
const rows = [];
for (const [kind, address] of [["server", server.address], ["static site", files.address]]) {
  const starts = [];
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    starts.push(await cold(address));
    times.push(...await clicks(address));
  }
  const [bytes, seconds] = [median(starts.map((start) => start.bytes)), median(starts.map((start) => start.seconds))];
  rows.push([kind, bytes, seconds.toFixed(3), median(times).toFixed(1)].join("\t"));
}
await browser.close();
server.close();
files.close();
writeFileSync(join(repository, "benches/page.tsv"), `${rows.join("\n")}\n`);
console.log(rows.join("\n"));

// Takes screenshots of every page, for the documents: a telephone and a screen, light and dark.

import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** @import { Page } from "playwright-core" */

/** @type {(path: string, parameters: Record<string, string>) => string} */
const link = (path, parameters) => `${path}?${new URLSearchParams(parameters)}`;
const PAGES = {
  start: "/",
  dice: "/dice",
  jenga: link("/jenga", { input: "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n", chance: "green" }),
  hopchess: link("/hopchess", { input: "3 4\nJDJD\nDJDJ\nJDJD\n2 3\n" }),
  codenames: "/codenames",
  balda: "/balda",
  "tic-tac-toe": link("/tic-tac-toe", { input: ".../.x./...", chance: "second" }),
};
const VIEWS = /** @type {const} */ ([
  { name: "390", width: 390, height: 844, colorScheme: "light" },
  { name: "390-dark", width: 390, height: 844, colorScheme: "dark" },
  { name: "1280", width: 1280, height: 900, colorScheme: "light" },
  { name: "1280-dark", width: 1280, height: 900, colorScheme: "dark" },
]);

/** @param {{ page: Page, address: string, repository: string }} where */
export async function shots({ page, address, repository }) {
  const directory = join(repository, "docs/serve");
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  for (const { name: view, width, height, colorScheme } of VIEWS) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto("about:blank");
      await page.goto(address + path);
      await page.waitForFunction(() => document.querySelector("[data-value], [data-live]"));
      if (name === "hopchess") {
        for (const cell of ["b2", "b1", "c2", "c1"]) await page.click(`[data-cell=${cell}]`);
        await page.mouse.move(0, 0);
        await page.waitForSelector(".heat");
      }
      await page.waitForFunction(() => !document.querySelector("[aria-busy]") && document.getAnimations().length === 0
        && document.querySelector("nav [href='/tic-tac-toe']")
        && [...document.querySelectorAll("[data-live]")].every((line) => line.textContent !== "…"));
      await page.screenshot({ path: join(directory, `${name}-${view}.jpeg`), type: "jpeg", quality: 34 });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
}

// Takes screenshots of every page at two widths, for the documents.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

const PAGES = {
  about: "/",
  dice: `/dice?${new URLSearchParams({ input: "1\n1 2 3 1 1\n1 2 3 4 5\n" })}`,
  jenga: `/jenga?${new URLSearchParams({ input: "6\nRGB\nGRG\nBBB\nGGR\nBRG\nBRB\n", face: "green" })}`,
  hopchess: `/hopchess?${new URLSearchParams({ input: "3 4\nJDJD\nDJDJ\nJDJD\n2 3\n" })}`,
  codenames: "/codenames",
  balda: "/balda",
};

export async function shots({ page, address, repository }, directory = join(repository, "docs/serve"), type = "jpeg") {
  mkdirSync(directory, { recursive: true });
  for (const [width, height] of [[390, 844], [1280, 900]]) {
    await page.setViewportSize({ width, height });
    for (const [name, path] of Object.entries(PAGES)) {
      await page.goto("about:blank");
      await page.goto(address + path);
      if (name === "balda") {
        await page.selectOption("#seconds", "1");
        await page.click("#find");
        await page.waitForFunction(() => /points, /.test(document.querySelector("[role=status]").textContent));
      }
      await page.waitForSelector(name === "about" ? "table" : "[data-value]");
      await page.waitForFunction(() => !document.querySelector("[aria-busy]") && document.getAnimations().length === 0);
      await page.screenshot({ path: join(directory, `${name}-${width}.${type}`), type, quality: type === "jpeg" ? 50 : undefined });
    }
  }
}

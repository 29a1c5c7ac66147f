// Tests of the edit mode in which every change is asked about: Balda, and games that are programs.

import assert from "node:assert/strict";

/** @import { Page } from "playwright-core" */

/**
 * @typedef {{
 *   address: string, page: () => Page, open: (url: string) => Promise<void>, settle: () => Promise<unknown>,
 *   moved: (act: () => Promise<unknown>) => Promise<void>, value: () => Promise<string | null>,
 *   shownInput: () => Promise<string>,
 * }} Where
 */

/**
 * @param {Where} where
 * @returns {Record<string, () => Promise<void>>}
 */
export function editTests({ address, page: current, open, settle, moved, value, shownInput }) {
  const click = (/** @type {string} */ selector) => current().click(selector);
  /// Waits until the line under the palette says this.
  const says = (/** @type {string} */ text) => current().waitForFunction(
    (wanted) => document.querySelector("#draft")?.textContent.includes(wanted), text);
  const edit = async (/** @type {string} */ path) => {
    await open(address + path);
    await click("[data-tool=Edit]");
    await current().waitForSelector("#done");
  };
  const canApply = () => current().isEnabled("#done");
  /** @type {(selector: string, text: string) => Promise<void>} */
  const type = async (selector, text) => {
    await current().fill(selector, text);
    await current().press(selector, "Tab");
  };

  return {
    async "games of the kit are edited on the board and as text, and the program says at once what is wrong"() {
      await edit("/tic-tac-toe");
      assert.deepEqual(await current().locator("[data-glyph]").allTextContents(), ["empty", "o nought", "x cross"]);
      const before = current().url();
      await click("[data-glyph=x]");
      await click("[data-cell='0,0']");
      await says("Draw in 8 for Crosses");
      assert.equal(await current().inputValue("#draft-text"), "x../.../...");
      await current().selectOption("#mover", "1");
      await says("Draw in 8 for Noughts");
      await current().keyboard.press("Tab");
      await current().focus("[data-cell='0,0']");
      await current().keyboard.press("ArrowRight");
      await current().keyboard.press("o");
      await says("Win in");
      await current().selectOption("#mover", "0");
      await says("for Crosses");
      assert.equal(await current().locator("[data-cell='0,1'] .shape").count(), 1);
      await current().fill("#draft-text", "x./..");
      await says("write three rows of three");
      assert.ok(!(await canApply()), "a refused position cannot be applied");
      await current().fill("#draft-text", "xxx/ooo/xxx");
      await says("is not reached from the start");
      assert.equal(await current().locator("[data-cell]").count(), 9, "the board is drawn from the text");
      await current().fill("#draft-text", "x../.o./...");
      await says("Draw in 7");
      assert.equal(current().url(), before, "nothing is applied before the button");
      await moved(() => click("#done"));
      assert.equal(await shownInput(), "x../.o./...");
      assert.equal(await value(), "0");
      await click("[data-tool=Edit]");
      await current().waitForSelector("#done");
      await click("[data-glyph='.']");
      await click("[data-cell='1,1']");
      await click("#cancel");
      await settle();
      assert.equal(await shownInput(), "x../.o./...");
      // The text of this game is not its board, though it is equal at the start.
      await edit("/shut-the-box");
      assert.equal(await current().locator("[data-glyph]").count(), 0);
      await current().fill("#draft-text", "19");
      // The program draws the board.
      await current().waitForFunction(() => document.querySelectorAll("[data-cell] .tile").length === 2);
      await moved(() => click("#done"));
      assert.equal(await shownInput(), "19");
    },

    async "a position without a board is edited as text, and its program says nothing about looks"() {
      await edit("/nim");
      await current().fill("#draft-text", "3");
      await says("for First");
      await moved(() => click("#done"));
      assert.equal(await shownInput(), "3");
    },

    async "a board of Balda is edited: letters into cells, start word, size, language, words made"() {
      await edit("/balda");
      await click("[data-glyph=b]");
      await click("[data-cell='1,3']");
      await says("write every word that was made");
      assert.ok(!(await canApply()));
      await type("#edit-made", "bane");
      await says("4 letters in 1 word");
      await current().focus("[data-cell='1,3']");
      await current().keyboard.press("v");
      await says("bane: the word cannot be read on the board");
      await type("#edit-made", "VANE");
      await says("4 letters in 1 word");
      await moved(() => click("#done"));
      assert.equal(await shownInput(), "en\n.....\n...v.\nkenaf\n.....\n.....\nkenaf\nvane\n");
      assert.equal(await value(), "160");
      await click("[data-tool=Edit]");
      await type("#edit-word", "cat");
      await says("0 points");
      assert.equal(await current().locator("[data-cell]").count(), 9);
      await click("[data-glyph=d]");
      await click("[data-cell='1,0']");
      await says("dat is not a word");
      await current().selectOption("#edit-language", "ru");
      await says("0 points");
      assert.equal(await current().locator("[data-glyph]").count(), 33);
      await moved(() => click("#done"));
      assert.match(await shownInput(), /^ru\n.*сыщик\n$/s);
    },
  };
}

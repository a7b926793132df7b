// What a reviewer does at the desk, by keyboard alone or without a script, and how much of it.

import { strict as assert } from 'node:assert';

/** A draft that follows a decision can be decided about a moment after it appears. */
export const inSight = (page) =>
  page.waitForFunction(() => !document.querySelector('form.verdict[data-fresh]'));

/** Hands on the keyboard: counts the presses, and sees to it that the focus is always in sight. */
export class Keyboard {
  presses = 0;

  constructor(page) {
    this.page = page;
  }

  async press(key) {
    this.presses += 1;
    await this.page.keyboard.press(key);
  }

  /** Presses a key that leads to another page, after a look at this one with its picture. */
  async go(key) {
    await this.page.waitForLoadState();
    await inSight(this.page);
    const address = this.page.url();
    await this.press(key);
    await this.page.waitForURL((url) => url.href !== address);
  }

  async type(text) {
    this.presses += text.length;
    await this.page.keyboard.type(text);
  }

  /** The name of the field that has the focus; nothing lies over it. */
  async focused() {
    return this.page.evaluate(() => {
      const { activeElement } = document;
      const { left, top, width, height } = activeElement.getBoundingClientRect();
      const over = document.elementFromPoint(left + width / 2, top + height / 2);
      return activeElement.contains(over) ? activeElement.name : `covered: ${activeElement.name}`;
    });
  }

  /** Goes to a field by Tab, past fields that are all in sight, and types over what it has, or ticks
   *  it. */
  async fill(name, text) {
    for (let stop = 0; stop < 20; stop += 1) {
      const now = await this.focused();
      assert.doesNotMatch(now, /^covered/);
      if (now === name) break;
      await this.press('Tab');
    }
    assert.equal(await this.focused(), name);
    if (text === true) return this.press('Space');
    const isSelect = await this.page.evaluate(() => document.activeElement.matches('select'));
    if (!isSelect) await this.press('Control+A');
    await this.type(text);
  }

  async openRow(row) {
    const rows = this.page.locator('.reading tbody tr');
    for (let down = 0; down < row; down += 1) await this.press('j');
    assert.equal((await rows.count()) >= row, true);
    await this.go('Enter');
    await this.page.waitForFunction(() => document.activeElement.name === 'assetName');
  }

  async saveRow(row, values) {
    await this.openRow(row);
    for (const [name, text] of values) await this.fill(name, text);
    await this.go('Control+Enter');
  }

  async saveFiling(values) {
    await this.page.waitForLoadState();
    await this.press('f');
    for (const [name, text] of values) await this.fill(name, text);
    const shown = this.page.waitForNavigation();
    await this.press('Enter');
    await shown;
  }

  /** Chooses the files on the page for uploads, and waits for what becomes of them. */
  async upload(files) {
    const { page } = this;
    const chooser = page.waitForEvent('filechooser');
    await this.go('f');
    await page.waitForLoadState();
    for (let stop = 0; stop < 30 && (await this.focused()) !== 'files'; stop += 1)
      await this.press('Tab');
    assert.equal(await this.focused(), 'files');
    await this.press('Enter');
    await (await chooser).setFiles(files);
    await page.waitForFunction(
      (count) => document.querySelectorAll('.uploads .badge:is(.good, .wait)').length === count,
      files.length,
    );
    await page.waitForFunction(() => document.activeElement.matches('.uploads a'));
    await this.go('q');
  }

  start = () => this.go('n');
  publish = () => this.go('p');
}

/** The same with links, fields and buttons. */
export class Plain {
  presses = 0;

  constructor(page) {
    this.page = page;
  }

  /** After a look at the page with its picture. */
  async #click(target) {
    await this.page.waitForLoadState();
    this.presses += 1;
    await target.click();
  }

  async #fill(form, values) {
    for (const [name, text] of values) {
      const field = form.locator(`[name="${name}"]`);
      this.presses += 1;
      if (text === true) await field.check();
      else if (!(await field.evaluate((one) => one.matches('select')))) await field.fill(text);
      else {
        const options = await field.locator('option').allTextContents();
        await field.selectOption({ label: options.find((label) => label.startsWith(text)) });
      }
    }
  }

  async saveRow(row, values) {
    await this.#click(
      this.page
        .locator('.reading tbody tr')
        .nth(row - 1)
        .getByRole('link'),
    );
    const form = this.page.locator('.rowform form').last();
    await this.#fill(form, values);
    await this.#click(form.getByRole('button', { name: 'Save the row' }));
  }

  async upload(files) {
    const { page } = this;
    await this.#click(page.getByRole('link', { name: 'Upload documents' }));
    await page.locator('input[name="files"]').setInputFiles(files);
    await this.#click(page.getByRole('button', { name: 'Import' }));
    assert.equal(await page.locator('.uploads .badge:is(.good, .wait)').count(), files.length);
    await this.#click(page.locator('.crumbs').getByRole('link', { name: 'Desk' }));
  }

  async saveFiling(values) {
    const form = this.page.locator('details form').first();
    await this.#fill(form, values);
    await this.#click(form.getByRole('button', { name: 'Save the filing' }));
  }

  start = () => this.#click(this.page.getByRole('link', { name: 'Start with the first' }));
  publish = () => this.#click(this.page.getByRole('button', { name: /^Accept and publish/ }));
}

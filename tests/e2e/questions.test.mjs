// Three questions of journalists, answered by clicking only: from the front page, without typing
// anything, with script and without. Each counts what the reader does. A search leads there too.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { noChromium, recordOf, useBrowser } from './lib/browser.mjs';
import { parseCsv } from './lib/csv.mjs';
import { NEWSROOM_CLOCK, RENAMED, furnishNewsroom } from './lib/newsroom.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const DAY = 24 * 3_600_000;

/** A reader on the front page, who only clicks, chooses and searches. */
class Reader {
  steps = 0;

  static async open(browser, t, server, options) {
    const reader = new Reader();
    reader.page = await browser.open(t, server, '/', options);
    return reader;
  }

  async click(locator) {
    this.steps++;
    await locator.click();
    await this.page.waitForLoadState();
  }

  async choose(label, option) {
    await this.page.getByLabel(label, { exact: true }).selectOption(option);
  }

  /** Clicks the page with that name in the navigation. */
  async go(name) {
    const navigation = this.page.getByRole('navigation', { name: 'Site' });
    await this.click(navigation.getByRole('link', { name, exact: true }));
  }

  async search(text) {
    this.steps++;
    await this.page.getByRole('searchbox').fill(text);
    await this.page.getByRole('searchbox').press('Enter');
    await this.page.waitForURL('**/search?**');
  }

  link(name) {
    return this.page.getByRole('link', { name, exact: typeof name === 'string' });
  }

  text(selector) {
    return this.page.locator(selector).innerText();
  }

  /** What the page says below a label: "Flagged" -> "1 what this means". */
  async figure(label) {
    const cell = this.page.locator('.stats > div', { has: this.page.getByText(label) }).first();
    return (await cell.locator('dd').innerText()).replace(/\s+/g, ' ');
  }

  /** Waits for the picture and returns its width in dots. */
  async picture(locator) {
    await locator.scrollIntoViewIfNeeded();
    return until('the picture is there', () =>
      locator.evaluate((image) => (image.complete ? image.naturalWidth : 0)),
    );
  }
}

describe('questions of journalists', { skip: noChromium }, () => {
  const the = useSite({ clock: NEWSROOM_CLOCK }, async (site) => {
    await furnishNewsroom(site);
    await site.clock.advance(3 * DAY);
    return { server: await site.serve(), wolf: await makeOwner(site, { plan: 'wolf' }) };
  });
  const browser = useBrowser();

  for (const script of [true, false]) {
    const how = script ? 'with script' : 'without script';
    const begin = (t, options) => Reader.open(browser, t, the.server, { script, ...options });
    const end = (t, reader, steps) => {
      assert.ok(reader.steps <= steps, `${reader.steps} steps; at most ${steps}`);
      assert.deepEqual(recordOf(reader.page).faults, []);
      t.diagnostic(`${reader.steps} steps`);
    };

    test(`a reader finds that a member oversaw the company they bought, that the report was late, and its row, ${how}`, async (t) => {
      const reader = await begin(t);
      await reader.go('Politicians');
      await reader.click(reader.link('Robin Vale'));
      assert.match(await reader.figure('Flagged'), /^1 /);
      const row = reader.page.locator('[aria-label="Table of trades"] tbody tr', {
        hasText: 'Alder Bank',
      });
      assert.match(await row.innerText(), /2025-02-03[^]*bought[^]*\$15,001 – \$50,000/);
      assert.match(await row.innerText(), /after 45 days[^]*15 days late[^]*flagged/);
      const key = await row.locator('a.key').innerText();
      const seat = reader.page.locator('.seats tr', { hasText: 'Financial Services' });
      assert.match(await seat.innerText(), new RegExp(`^${key} `));
      await reader.click(row.getByRole('link', { name: '2025-02-03' }));
      assert.match(await reader.text('#signal ~ .table'), /Financial Services/);
      assert.match(await reader.figure('On time'), /^15 days late/);
      assert.match(await reader.figure('Filed'), /2025-03-20 due by 2025-03-05/);
      const strip = reader.page.locator('.paper img');
      assert.match(await strip.getAttribute('alt'), /^Row 2 as printed; .*Alder Bank/);
      assert.ok((await reader.picture(strip)) > 600);
      await reader.click(strip);
      assert.ok((await reader.picture(reader.page.locator('.sheets img').first())) > 600);
      assert.match(reader.page.url(), /\/filings\/house-20990001#pages$/);
      end(t, reader, 4);
    });

    test(`a reader finds who traded a company since its symbol changed, and its corrections, ${how}`, async (t) => {
      const reader = await begin(t);
      await reader.go('Tickers');
      await reader.click(reader.link(RENAMED.symbol));
      assert.match(await reader.text('.lead'), new RegExp(RENAMED.former));
      assert.equal(await reader.figure('Trades'), '5');
      await reader.click(reader.link(`Since ${RENAMED.day}, formerly ${RENAMED.former}`));
      assert.deepEqual(
        await Promise.all(
          ['Trades', 'Bought', 'Sold', 'Members'].map((name) => reader.figure(name)),
        ),
        ['3', '1', '2', '1'],
      );
      // of its only year, by month: bought, sold, exchanged
      const months = await reader.page.locator('.chart tbody tr').allTextContents();
      assert.deepEqual(months.map((text) => text.trim()).slice(0, 3), [
        '2018-01110',
        '2018-02010',
        '2018-03000',
      ]);
      assert.equal(months.length, 12);
      const members = reader.page.locator('[aria-label="Members with trades"] tbody tr');
      assert.match(await members.innerText(), /Robin Vale[^]*3[^]*1[^]*2/);
      await reader.click(reader.link('Its corrections'));
      const change = reader.page.locator('[aria-label="Corrections"] tbody tr');
      assert.equal(await change.count(), 1);
      assert.match(await change.innerText(), /bought[^]*sold[^]*the letter was misread/);
      end(t, reader, 4);
    });

    test(`a reader finds what the Senate published this week above a range, as CSV and as a feed, ${how}`, async (t) => {
      const visitor = await signInOnPage(the.server, the.wolf);
      const reader = await begin(t, { visitor });
      await reader.click(reader.link('Trades of the last 7 days'));
      await reader.choose('Chamber', 'Senate');
      await reader.choose('At least', '$50,001');
      await reader.click(reader.page.getByRole('button', { name: 'Filter' }));
      assert.equal(await reader.text('.choices [aria-current]'), '7 days');
      const rows = await reader.page.locator('[aria-label="Trades"] tbody tr').allInnerTexts();
      assert.equal(rows.length, 2);
      assert.ok(rows.every((text) => /Dana Hollis[^]*2026-03-08/.test(text)));
      const feed = await reader.link('Atom feed').getAttribute('href');
      const alternate = reader.page.locator('link[type="application/atom+xml"]');
      assert.equal(await alternate.getAttribute('href'), feed);
      const download = reader.page.waitForEvent('download');
      await reader.click(reader.link('CSV'));
      const csv = parseCsv(readFileSync(await (await download).path(), 'utf8'));
      const names = csv.slice(1).map((cells) => cells.find((cell) => /Alder|Harbor/.test(cell)));
      assert.deepEqual(names.sort(), ['Alder Bank', 'Harbor Tools']);
      const atom = await the.server.get(feed);
      assert.equal(atom.text.match(/<entry>/g).length, 2);
      assert.match(atom.text, /Dana Hollis[^]*Alder Bank/);
      end(t, reader, 3);
    });

    test(`a reader finds the same member and symbol by searching, ${how}`, async (t) => {
      const reader = await begin(t);
      await reader.search('vale robin');
      await reader.click(reader.link('Robin Vale'));
      assert.match(await reader.figure('Flagged'), /^1 /);
      await reader.search(RENAMED.symbol.toLowerCase());
      await reader.click(reader.link(new RegExp(`^${RENAMED.symbol}`)).first());
      assert.match(await reader.text('.lead'), new RegExp(RENAMED.former));
      end(t, reader, 4);
    });
  }
});

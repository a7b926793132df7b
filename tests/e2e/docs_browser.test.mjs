// The documentation in Chromium: search, links of the time when it was one page, examples in several
// languages, the contents on a phone, and nothing that moves. With script and without.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { Halves } from './lib/halves.mjs';
import { attribute } from './lib/html.mjs';
import { newVisitor } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

// Of a layout shift. The columns of a long table may become wider by a few dots when its last rows
// arrive late (0.003).
const STILL = 0.005;

describe('documentation in a browser', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, async (site) => ({ server: await site.serve() }));
  const open = (t, target, options) => browser.open(t, shared.server, target, options);
  const docs = (page) => page.getByRole('searchbox', { name: 'Search the documentation' });
  const place = (page) => page.evaluate(() => location.pathname + location.hash);

  /** How far the parts of a page have moved since it began to load. */
  const shiftOf = (page) =>
    page.evaluate(
      () =>
        new Promise((resolve) => {
          let sum = 0;
          const add = (list) => list.getEntries().forEach((entry) => (sum += entry.value));
          new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true });
          requestAnimationFrame(() => setTimeout(() => resolve(sum), 0));
        }),
    );

  async function everyGuide() {
    const page = await newVisitor(shared.server).open('/docs');
    return page.all('#contents a[href^="/docs"]').map((link) => attribute(link, 'href'));
  }

  test('the search is a form that the server answers', async (t) => {
    const page = await open(t, '/docs/webhooks', { script: false });
    await docs(page).fill('rate_limited');
    await docs(page).press('Enter');
    assert.equal(new URL(page.url()).search, '?q=rate_limited');
    const first = page.locator('.results a').first();
    assert.equal(await first.textContent(), 'rate_limited');
    await first.click();
    assert.equal(await place(page), '/docs/errors#errors.rate_limited');
    assert.match(await page.locator(':target').textContent(), /429/);
  });

  test('a search escapes the query, and says if nothing matches', async (t) => {
    const typed = '<b>"x"</b> \u202e';
    const page = await open(t, `/docs/search?q=${encodeURIComponent(typed)}`, { script: false });
    assert.equal(await page.locator('main b').count(), 0);
    assert.match(await page.locator('.results').textContent(), /Nothing matches <b>"x"<\/b>/);
    await page.goto('/docs/search');
    assert.equal(await page.locator('.results').count(), 0);
  });

  test('the script shows results while the reader types', async (t) => {
    const page = await open(t, '/docs');
    await page.keyboard.press('/');
    await page.keyboard.type('amount_min');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.found').waitFor({ state: 'hidden' });
    await docs(page).fill('amount_min');
    await page.locator('.found a').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/trades#trades.amount_min');
  });

  test('results that come after Escape stay hidden', async (t) => {
    const page = await browser.page(t, shared.server);
    await page.addInitScript(() => {
      const { text } = Response.prototype;
      Response.prototype.text = function () {
        return (globalThis.lastText = text.call(this));
      };
    });
    await page.clock.install();
    await page.goto('/docs');
    await page.clock.pauseAt(Date.now() + 60_000); // Chromium empties the field: no search for that
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await page.route('**/docs/search?*', (route) => held.then(() => route.continue()));
    const asked = page.waitForRequest('**/docs/search?*');
    await docs(page).fill('amount_min');
    await page.clock.runFor(1000);
    await asked;
    await page.keyboard.press('Escape');
    release();
    await page.waitForFunction(() => globalThis.lastText); // which the page's script has first
    assert.equal(await page.locator('.found').isVisible(), false);
  });

  test('a link to a section that moved arrives', async (t) => {
    const page = await open(t, '/docs#rate-limits');
    await page.waitForURL('**/docs/access#rate-limits');
    for (const [from, to] of [
      ['/docs#errors', '/docs/errors'],
      ['/docs#TradeDetail', '/docs/objects#TradeDetail'],
      ['/docs/endpoints#corrections', '/docs/corrections'],
      ['/docs/webhooks#python', '/docs/verifiers#python'],
      ['/docs#versions', '/docs#versions'],
    ]) {
      await page.goto('about:blank');
      await page.goto(from);
      await page.waitForURL(`**${to}`);
    }
  });

  test('without script it arrives at a link to the section', async (t) => {
    const page = await open(t, '/docs/endpoints#corrections', { script: false });
    assert.equal(await place(page), '/docs#corrections');
    const target = page.locator(':target a');
    assert.equal(await target.getAttribute('href'), '/docs/corrections');
    assert.ok(await target.isVisible());
  });

  test('a language is chosen once', async (t) => {
    const page = await open(t, '/docs/trades');
    await page.getByRole('radio', { name: 'Python' }).check();
    assert.match(await page.locator('.tabs .code:visible').innerText(), /urlopen/);
    await page.goto('/docs/politicians');
    const shown = await page.locator('.tabs .code:visible').all();
    for (const code of shown) assert.match(await code.innerText(), /urlopen/);
    assert.equal(shown.length, 2);
  });

  test('a language is chosen without script', async (t) => {
    const page = await open(t, '/docs/trades', { script: false });
    assert.match(await page.locator('.tabs .code:visible').innerText(), /^curl/);
    await page.getByRole('radio', { name: 'Go' }).check();
    assert.match(await page.locator('.tabs .code:visible').innerText(), /http\.Get/);
  });

  for (const script of [true, false]) {
    test(`the contents open on a phone, ${script ? 'with' : 'without'} script`, async (t) => {
      const page = await open(t, '/docs/webhooks', { script, narrow: true });
      const link = page.locator('#contents').getByRole('link', { name: 'Errors' });
      assert.equal(await link.isVisible(), false);
      await page.getByRole('button', { name: 'Contents' }).click();
      await link.click();
      assert.equal(await place(page), '/docs/errors');
    });

    test(`the contents are there on a wide screen, ${script ? 'with' : 'without'} script`, async (t) => {
      const page = await open(t, '/docs/webhooks', { script });
      const current = page.locator('#contents [aria-current="page"]');
      assert.equal(await current.textContent(), 'Webhooks');
      assert.ok(await page.locator('#contents a[href="#how-to-verify"]').isVisible());
      assert.ok(await page.locator('#contents a[href="/docs/errors"]').isVisible());
    });
  }

  test('nothing moves while a page loads, and no table scrolls on a phone', async (t) => {
    const guides = await everyGuide();
    assert.ok(guides.length > 25);
    const page = await open(t, '/docs/trades');
    await page.getByRole('radio', { name: 'Python' }).check();
    for (const narrow of [false, true]) {
      await page.setViewportSize(
        narrow ? { width: 390, height: 844 } : { width: 1440, height: 900 },
      );
      for (const guide of guides) {
        await page.goto(guide);
        const moved = await shiftOf(page);
        assert.ok(moved < STILL, `${guide}: ${moved}`);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll('.table')]
            .filter((table) => table.scrollWidth > table.clientWidth + 1)
            .map((table) => table.innerText.slice(0, 80)),
        );
        if (narrow) assert.deepEqual(wide, [], guide);
      }
    }
  });

  test('nothing moves when the examples arrive later than the text', async (t) => {
    const halves = await Halves.start(t, shared.server, '<div class="examples">');
    const page = await browser.page(t, halves);
    await page.goto('/docs/trades', { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
    assert.equal(await page.locator('.examples').count(), 0);
    halves.release();
    await page.locator('.examples').first().waitFor();
    await page.waitForLoadState();
    assert.equal(await shiftOf(page), 0);
  });
});

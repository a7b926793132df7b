// The desk in Chromium: by keyboard alone, and words that were typed and not saved.

import { strict as assert } from 'node:assert';
import { readFileSync, readdirSync } from 'node:fs';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { CLEAN, DOUBTFUL, FAILED, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { inSight } from './lib/desk_story.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

describe('the desk by keyboard', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({ clock: '2025-02-01T12:00:00Z' }, async (site) => {
    await fillDesk(site);
    const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const ben = await makeOwner(site, { email: 'ben@example.org', role: 'reviewer' });
    const server = await site.serve();
    return {
      site,
      server,
      ann: await signInOnPage(server, ann),
      ben: await signInOnPage(server, ben),
    };
  });

  const open = (t, rest) => browser.open(t, shared.server, `/desk${rest}`, { visitor: shared.ann });
  const published = async (document) => {
    const { data } = await shared.server.json('/api/v1/trades?limit=50');
    return data.filter(({ id }) => id.startsWith(idOf(document)));
  };
  /** Presses a key that leads to another page. */
  const go = async (page, key, address) => {
    await inSight(page);
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.href !== address && url.pathname.match(/^\/desk/));
  };

  test('a clean draft is one screen and one key, and two presses decide about one', async (t) => {
    const page = await open(t, '');
    await go(page, 'n', page.url());
    const [first, second, third] = CLEAN;
    assert.equal(new URL(page.url()).pathname, `/desk/${idOf(first)}`);
    await page.addInitScript(() => {
      window.timers = [];
      window.setTimeout = (run) => window.timers.push(run);
    });
    await go(page, 'p', page.url());
    const address = page.url();
    assert.equal(new URL(address).pathname, `/desk/${idOf(second)}`);
    assert.equal(await page.locator('.flash a').getAttribute('href'), `/desk/${idOf(first)}`);
    await page.waitForLoadState();
    await page.keyboard.press('p');
    await page.locator('.verdict button', { hasText: 'Accept and publish' }).click();
    await page.keyboard.press('n');
    await page.waitForURL((url) => url.pathname.endsWith(third));
    assert.equal((await published(first)).length, 1);
    assert.equal((await published(second)).length, 0);
    await page.goto(address);
    await go(page, 'p', address);
    assert.equal((await published(second)).length, 1);
    await page.waitForLoadState();
    await page.evaluate(() => window.timers.forEach((run) => run()));
    await inSight(page);
  });

  test('a row is corrected and a scan entered without a mouse', async (t) => {
    const page = await open(t, `/${idOf(DOUBTFUL)}`);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.locator('.original img[src$="/rows/2/pages/1.png"]').waitFor();
    await go(page, 'Enter', page.url());
    await page.locator('#f-tradeDate').focus();
    await page.keyboard.press('Escape');
    await go(page, 'Escape', page.url());
    assert.equal(new URL(page.url()).pathname, `/desk/${idOf(DOUBTFUL)}`);
    await page.keyboard.press('j');
    await go(page, 'Enter', page.url());
    await page.waitForFunction(() => document.activeElement.id === 'f-assetName');
    await go(page, 'Control+Shift+Enter', page.url());
    assert.match(page.url(), /rows\/2#row$/);
    await page.locator('#f-tradeDate').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('2025-01-02');
    await go(page, 'Control+Enter', page.url());
    assert.equal(await page.locator('tr.look').count(), 0);
    await go(page, 'p', page.url());
    assert.equal((await published(DOUBTFUL)).length, 2);

    await page.goto(`${shared.server.url}/desk/${idOf(SCAN)}`);
    await go(page, '+', page.url());
    await page.waitForFunction(() => document.activeElement.id === 'f-assetName');
    await page.keyboard.type('Garden Mills');
    for (const text of ['', 'Bought', '$15,001', '2025-01-10']) {
      await page.keyboard.press('Tab');
      if (text) await page.keyboard.type(text);
    }
    await go(page, 'Control+Enter', page.url());
    await go(page, 'p', page.url());
    const [trade] = await published(SCAN);
    assert.deepEqual(
      [trade.side, trade.amountBucket, trade.tradeDate],
      [...['buy', '15k_50k', '2025-01-10']],
    );
  });

  test('the box for a page without a trade date has a key, and is kept', async (t) => {
    const address = `/${idOf(SCAN)}/rows`;
    const page = await open(t, address);
    const box = (one) => one.getByLabel('The page states no trade date');
    await page.waitForFunction(() => document.activeElement.id === 'f-assetName');
    await page.keyboard.press('Escape');
    await page.keyboard.press('0');
    assert.equal(await box(page).isChecked(), true);
    const kept = async () => (await shared.ann.json(`/desk${address}`)).typed;
    await until('the tick on the server', kept);
    await page.close();
    const again = await open(t, address);
    assert.equal(await box(again).isChecked(), true);
    await again.locator('form.note button').click();
    await again.waitForFunction(() => !document.querySelector('form.note'));
    assert.equal(await box(again).isChecked(), false);
    const electronic = await open(t, `/${idOf(CLEAN[3])}/rows`);
    assert.equal(await box(electronic).count(), 0);
  });

  test('the keys are listed, and one can be changed', async (t) => {
    const page = await open(t, `/${idOf(CLEAN[2])}`);
    await page.keyboard.press('?');
    const key = page.locator('dialog label', { hasText: 'Accept, next' }).locator('input');
    assert.equal(await key.inputValue(), 'a');
    await key.fill('y');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.keyboard.press('a');
    await go(page, 'y', page.url());
    assert.match(await page.locator('.flash').textContent(), /accepted/);
  });

  test('no key does two things', async (t) => {
    const page = await open(t, `/${idOf(CLEAN[3])}`);
    await page.keyboard.press('?');
    const field = (label) => page.locator('dialog label', { hasText: label }).locator('input');
    await field('Skip to the next').fill('c');
    assert.equal(await field('Claim').inputValue(), 'n');
    await field('Claim').fill('j');
    assert.equal(await field('Claim').inputValue(), 'n', 'j goes down the rows');
  });

  test('a page is turned beside a row that is typed', async (t) => {
    const page = await open(t, `/${idOf(SCAN)}/rows`);
    assert.equal(await page.locator('#f-page').inputValue(), '1');
    await page.locator('#f-assetName').fill('Garden Mills');
    const next = page.locator('.turns a', { hasText: 'next page' });
    assert.match(await next.getAttribute('href'), /\/rows\?page=2$/);
    await next.click();
    const turnedTo = (number) =>
      page.waitForFunction(
        (end) => document.querySelector('.original img').src.endsWith(end),
        `/${number}.png`,
      );
    await turnedTo(2);
    await page.locator('#f-assetName').press('Escape');
    await page.keyboard.press('[');
    await turnedTo(1);
    await page.keyboard.press(']');
    await turnedTo(2);
    assert.equal(await page.locator('#f-assetName').inputValue(), 'Garden Mills');
    await page.locator('.turns a', { hasText: 'previous page' }).click();
    await page.waitForFunction(() =>
      document.querySelector('.original img').src.endsWith('/1.png'),
    );
    assert.equal(await page.locator('.rowform').count(), 1);
  });

  test('a key enlarges the page, and makes it small again', async (t) => {
    const page = await open(t, `/${idOf(CLEAN[3])}`);
    await page.waitForLoadState();
    const width = () => page.evaluate(() => document.querySelector('.original img').offsetWidth);
    const before = await width();
    await page.keyboard.press('z');
    assert.ok((await width()) > 2 * before, `${await width()} of ${before}`);
    await page.keyboard.press('z');
    assert.equal(await width(), before);
  });

  test('the guide has every key', () => {
    const web = new URL('../../web/', import.meta.url);
    const templates = readdirSync(web).filter((name) => /^(desk.*|flash)\.mustache$/.test(name));
    const keys = templates.flatMap((name) =>
      [...readFileSync(new URL(name, web), 'utf8').matchAll(/data-key="(.)"/g)].map(
        ([, key]) => key,
      ),
    );
    const guide = readFileSync(new URL('../../docs/review.md', import.meta.url), 'utf8');
    const table = guide.split('| key | does |')[1].split('\n\n')[0];
    const told = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell.matchAll(/`(.)`/g)].map(([, key]) => key),
    );
    const fixed = ['j', 'k', 'z', '?'];
    assert.deepEqual([...new Set(told)].sort(), [...new Set([...keys, ...fixed])].sort());
  });

  test('input is restored after the window was closed', async (t) => {
    const address = `/${idOf(CLEAN[3])}/rows/1`;
    const page = await open(t, address);
    await page.locator('#f-assetName').fill('Garden <Mills> & Sons');
    const kept = () => shared.ann.json(`/desk${address}`);
    await until('the words on the server', async () => (await kept()).typed);
    await page.close();
    const draft = await shared.ann.open(`/desk/${idOf(CLEAN[3])}`);
    assert.match(draft.text('form.verdict'), /You typed into row 1 and have not saved it/);
    const other = await shared.ben.open(`/desk/${idOf(CLEAN[3])}`);
    assert.doesNotMatch(other.text('form.verdict'), /You typed/);
    const again = await open(t, address);
    assert.equal(await again.locator('#f-assetName').inputValue(), 'Garden <Mills> & Sons');
    assert.match(await again.locator('form.note').textContent(), /and have not saved it/);
    await go(again, 'Control+Enter', again.url());
    assert.equal((await kept()).typed, undefined);
    const { rows } = await shared.ann.json(`/desk/${idOf(CLEAN[3])}`);
    assert.equal(rows.rows[0].assetName, 'Garden <Mills> & Sons');
  });

  test('input that a busy server did not take is sent again', async (t) => {
    const address = `/${idOf(CLEAN[3])}/rows/1`;
    const page = await browser.page(t, shared.server, { visitor: shared.ann });
    await page.clock.install();
    await page.goto(`/desk${address}`);
    let refused = 0;
    const refuse = (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      refused += 1;
      return route.fulfill({ status: 503, body: '{"error":"service_unavailable"}' });
    };
    await page.route('**/rows/1', refuse);
    await page.locator('#f-ticker').fill('BUSY');
    await until('the words are sent', async () => {
      await page.clock.runFor(2000);
      return refused > 0;
    });
    await page.unroute('**/rows/1', refuse);
    const typed = async () => (await shared.ann.json(`/desk${address}`)).typed;
    assert.equal(await typed(), undefined);
    await until('the words on the server', async () => {
      await page.clock.runFor(5000);
      return typed();
    });
    const again = await shared.ann.open(`/desk${address}`);
    await shared.ann.submit(again.form('Discard it'), {}, { button: 'Discard it', status: 200 });
  });

  test('input from before a change of the row is shown beside its current values', async (t) => {
    const id = idOf(CLEAN[3]);
    const page = await open(t, `/${id}/rows/1`);
    await page.locator('#f-ticker').fill('GRDN');
    await until('the words', async () => (await shared.ann.json(`/desk/${id}/rows/1`)).typed);
    const row = await shared.ben.open(`/desk/${id}/rows/1`);
    assert.equal(row.form('Save the row').value('ticker'), 'HRBR', 'only Ann sees her words');
    await shared.site.clock.advance(31 * 60 * 1000);
    await shared.ben.submit(
      row.form('Save the row'),
      { ticker: 'MILL', amountBucket: '15k_50k' },
      { button: 'Save the row', status: 200 },
    );
    const again = await open(t, `/${id}/rows/1`);
    assert.match(await again.locator('form.note').textContent(), /The row has changed since/);
    assert.equal(await again.locator('#f-ticker').inputValue(), 'GRDN');
    assert.match(await again.locator('#f-ticker-said').textContent(), /The row now says: MILL/);
    assert.match(
      await again.locator('#f-amountBucket-said').textContent(),
      /The row now says: \$15,001 – \$50,000/,
    );
    assert.equal(await again.locator('#f-side-said').count(), 0);
  });

  test('discarded input does not come back', async (t) => {
    const address = `/${idOf(CLEAN[3])}/rows/1`;
    const typed = async () => (await shared.ann.json(`/desk${address}`)).typed;
    const page = await open(t, `${address}?sort=oldest`);
    const sent = [];
    page.on('request', (request) => sent.push(request.postData() ?? ''));
    const once = await page.locator('form[data-keep] input[name="once"]').inputValue();
    await page.locator('#f-ticker').fill('NEVER');
    await page.locator('form.note button').click();
    await page.waitForFunction(() => !document.querySelector('form.note'));
    assert.equal(new URL(page.url()).search, '?sort=oldest', 'the list stays the same');
    assert.equal(await page.locator('#f-ticker').inputValue(), 'MILL');
    assert.deepEqual(
      sent.filter((body) => body.includes('do=keep')),
      [],
    );

    // The page's script had sent them before, and the request arrives late.
    const form = (await shared.ann.open(`/desk${address}`)).form('Save the row');
    const late = async (of) => {
      const body = { do: 'keep', of, ticker: 'NEVER' };
      const reply = await shared.ann.postJson(`/desk${address}`, body, {
        csrf: form.value('csrf'),
      });
      assert.equal(reply.status, 200, reply.text);
    };
    await late(once);
    assert.equal(await typed(), undefined);
    await late(form.value('once'));
    assert.ok(await typed(), 'words of a page that was not sent are kept');
    const again = await shared.ann.open(`/desk${address}`);
    await shared.ann.submit(again.form('Discard it'), {}, { button: 'Discard it', status: 200 });
  });

  test('input that was sent without a response is restored', async (t) => {
    const id = idOf(CLEAN[3]);
    await shared.site.clock.advance(31 * 60 * 1000);
    const page = await open(t, `/${id}/rows/1`);
    await page.waitForFunction(() => document.activeElement.id === 'f-assetName');
    await page.locator('#f-ticker').fill('SENT');
    await page.context().setOffline(true);
    await page.keyboard.press('Control+Enter');
    assert.match(await page.locator('.offline').textContent(), /no connection: nothing was sent/);
    await page.context().setOffline(false);

    const post = (route) =>
      route.request().method() === 'POST' ? route.abort('connectionrefused') : route.fallback();
    await page.route('**/rows/1', post);
    await page.locator('#f-ticker').fill('SENTAGAIN');
    await page.keyboard.press('Control+Enter');
    await until('an error page', () => page.url().startsWith('chrome-error://'));
    await page.unroute('**/rows/1', post);
    await page.goto(`${shared.server.url}/desk/${id}/rows/1`);
    await page.waitForFunction(() => document.querySelector('#f-ticker')?.value === 'SENTAGAIN');
    await page.locator('#f-ticker').fill('MILLS');
    await go(page, 'Control+Enter', page.url());
    assert.equal((await shared.ann.json(`/desk/${id}`)).rows.rows[0].ticker, 'MILLS');
  });

  test('a key that is held down acts on one page', async (t) => {
    const page = await open(t, `/${idOf(CLEAN[3])}`);
    await page.keyboard.down('n');
    await page.waitForURL((url) => url.pathname === `/desk/${idOf(FAILED)}`);
    const next = page.url();
    await page.waitForLoadState();
    await page.keyboard.down('n');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    assert.equal(page.url(), next);
    await page.keyboard.up('n');
  });

  test('input of a deleted row is deleted, and input of a new row is not outdated', async (t) => {
    const id = idOf(CLEAN[3]);
    const page = await open(t, `/${id}/rows`);
    await page.locator('#f-assetName').fill('Garden Mills');
    await until('the words', async () => (await shared.ann.json(`/desk/${id}/rows`)).typed);
    const again = await open(t, `/${id}/rows`);
    assert.equal(await again.locator('#f-assetName').inputValue(), 'Garden Mills');
    assert.doesNotMatch(await again.locator('form.note').textContent(), /has changed/);

    await shared.site.clock.advance(31 * 60 * 1000);
    const row = await shared.ann.open(`/desk/${id}/rows/1`);
    const form = row.form('Delete the row');
    const words = { do: 'keep', of: form.value('once'), ticker: 'NEVER' };
    await shared.ann.postJson(`/desk/${id}/rows/1`, words, { csrf: form.value('csrf') });
    assert.ok((await shared.ann.json(`/desk/${id}/rows/1`)).typed);
    await shared.ann.submit(
      row.form('Delete the row'),
      {},
      { button: 'Delete the row', status: 200 },
    );
    assert.equal((await shared.ann.json(`/desk/${id}/rows/1`)).typed, undefined);
  });

  test('Enter in the reason for a failed check accepts, and Ctrl and Enter does nothing', async (t) => {
    const id = idOf(FAILED);
    const page = await open(t, `/${id}`);
    await page.locator('input[name="despite"]').check();
    await page.locator('#f-why').fill('as the clerk filed it');
    await page.keyboard.press('Control+Enter');
    assert.equal((await shared.ann.json(`/desk/${id}`)).draft.isWaiting, true);
    await go(page, 'Enter', page.url());
    assert.match(await page.locator('.flash').textContent(), /The draft is accepted/);
    assert.deepEqual(await published(FAILED), []);
  });

  test('Ctrl, Shift and Enter sends a form that has no next row', async (t) => {
    await shared.site.clock.set('2025-02-02T05:00:30Z');
    await until('a draw', async () => (await shared.site.stockact('review', 'sample')).length > 0);
    const visitor = shared.ben;
    const page = await browser.open(t, shared.server, '/desk/sample', { visitor });
    await go(page, 'n', page.url());
    await page.locator('#f-assetName').fill('Another asset');
    await page.keyboard.press('Control+Shift+Enter');
    await page.waitForFunction(() => /What is wrong\?/.test(document.body.textContent));
    await page.waitForLoadState();
  });
});

// /filings, /filings/{id} and the front page: what is new, and the rows of a report.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const ROWS = '.table tbody tr';
const links = (page, selector) => page.all(selector).map(({ attribs }) => attribs.href);

describe('filings on pages', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', '2026-02-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const open = (target, options) => newVisitor(the.server).open(target, options);

  test('the list has the filings of the API, page after page', async () => {
    let target = '/filings?chamber=house';
    const seen = [];
    while (target) {
      const page = await open(target);
      seen.push(...links(page, `${ROWS} td:first-child a`));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    const expected = [];
    for (let next = 'filings?chamber=house&limit=100'; next;) {
      const { data, nextCursor } = await api(next);
      expected.push(...data.map(({ id }) => `/filings/${id}`));
      next = nextCursor && `filings?chamber=house&limit=100&cursor=${nextCursor}`;
    }
    assert.ok(expected.length > 25);
    assert.deepEqual(seen, expected);
    const faulty = await open('/filings?chamber=lords&x=1', { status: 400 });
    assert.match(faulty.text('#f-chamber-error'), /house or senate/);
    assert.match(faulty.text('main'), /There is no filter "x"/);
    await open('/filings?cursor=damaged', { status: 400 });
  });

  test('a filing has its trades, its document and its numbers', async () => {
    const { data } = await api('filings?limit=30');
    for (const { id, url } of data) {
      const page = await open(`/filings/${id}`);
      const trades = await api(`trades?filing=${id}&limit=100`);
      assert.deepEqual(
        links(page, `${ROWS} td:first-child a`),
        trades.data.map((trade) => `/trades/${trade.id}`).reverse(), // as in the document
      );
      assert.ok(links(page, 'main a').includes(url));
      assert.equal(page.text('.stats dd'), String(trades.data.length));
    }
    await open('/filings/house-1', { status: 404 });
  });

  test('the front page has the newest filings by day, and the numbers of trades', async () => {
    const page = await open('/');
    const { data } = await api('filings?limit=12');
    assert.deepEqual(
      links(page, '.publications li > a'),
      data.map(({ id }) => `/filings/${id}`),
    );
    assert.equal(page.all('.total strong').length, 3);
    assert.equal(page.text('.total strong'), '400');
  });

  test('a withdrawn filing is 410', async () => {
    const { data } = await api('filings?limit=1');
    await the.site.stockact('withdraw', data[0].id, ...because('filed twice'));
    const gone = async () =>
      (await newVisitor(the.server).request('GET', `/filings/${data[0].id}`)).status === 410;
    await until('the filing is gone', gone);
  });
});

test('a new filing is on the front page at once with a plan, and 48 hours later without', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  const server = await site.serve();
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const nobody = newVisitor(server);
  const first = async (visitor) => links(await visitor.open('/'), '.publications li > a')[0];
  const old = await first(nobody);
  await site.stockact('demo', '--publish', 1, '--rows', 3);
  await until('the filing is served', async () => (await first(wolf)) !== old);
  assert.equal(await first(nobody), old);
  const target = await first(wolf);
  const early = await nobody.open(target, { status: 404 });
  assert.match(early.text('main'), /appears here on 2026-03-12 08:00 EDT/);
  await site.clock.advance(48 * 3_600_000);
  assert.equal(await first(nobody), target);
  await nobody.open(target);
});

test('with STOCKACT_PUBLIC_PAGES=off the front page shows visitors no data', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_PUBLIC_PAGES: 'off' } });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const page = await newVisitor(server).open('/');
  assert.equal(page.all('.publications, .total').length, 0);
  assert.equal(page.all('nav a[href="/trades"]').length, 0);
});

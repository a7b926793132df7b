// /trades: the filters of the API as a form that works without script.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const TRADES = '.table tbody tr';
const NOT_FILTERS = ['limit', 'cursor', 'format', 'fields', 'politician']; // an alias

const shown = (page) => page.all(`${TRADES} td:first-child a`).map(({ attribs }) => attribs.href);
const addresses = ({ data }) => data.map(({ id }) => `/trades/${id}`);

describe('the list of trades', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', '2026-02-01');
    const server = await site.serve();
    const { data } = await server.json('/api/v1/trades?limit=1');
    return {
      server,
      slug: data[0].politician.slug,
      key: await site.key({ plan: 'den' }),
      wolf: await makeOwner(site, { plan: 'wolf' }),
      scout: await makeOwner(site, { plan: 'scout' }),
    };
  });
  const open = (target, options) => newVisitor(the.server).open(target, options);
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });

  test('each filter of the API has a field, and shows the same trades as the API', async () => {
    const page = await open('/trades');
    const { paths } = await api('openapi.json');
    const filters = paths['/api/v1/trades'].get.parameters
      .map(({ name }) => name)
      .filter((name) => !NOT_FILTERS.includes(name));
    assert.ok(filters.length > 10);
    const names = page.form('/trades').controls.map(({ attribs }) => attribs.name);
    assert.deepEqual(
      filters.filter((name) => !names.includes(name)),
      [],
    );
    const query = 'trades?side=sell&chamber=house';
    assert.deepEqual(shown(await open(`/${query}`)), addresses(await api(query)));
  });

  test('pages lead from the newest trade to the oldest, and keep the filters', async () => {
    let target = '/trades?chamber=senate';
    const seen = [];
    for (let pages = 0; target; pages++) {
      assert.ok(pages < 20);
      const page = await open(target);
      seen.push(...shown(page));
      target = page.all('a[rel=next]')[0]?.attribs.href;
      assert.match(target ?? 'chamber=senate&cursor=', /chamber=senate&cursor=/);
    }
    assert.equal(new Set(seen).size, seen.length);
    const newest = addresses(await api('trades?chamber=senate&limit=100'));
    assert.deepEqual(seen.slice(0, 100), newest);
  });

  test('the CSV is the whole filtered list, for plans that have it', async () => {
    const wolf = await signInOnPage(the.server, the.wolf);
    const page = await wolf.open('/trades?chamber=house');
    const link = page.all('a[download]')[0].attribs.href;
    assert.equal(link, '/trades.csv?chamber=house');
    const response = await wolf.request('GET', link);
    assert.equal(response.status, 200);
    assert.match(response.header('content-disposition'), /stockact-trades-2026-03-10\.csv/);
    const [header, ...rows] = parseCsv(response.text);
    const expected = [];
    for (let target = 'trades?chamber=house&limit=100'; target;) {
      const { data, nextCursor } = await api(target);
      expected.push(...data.map(({ id }) => id));
      target = nextCursor && `trades?chamber=house&limit=100&cursor=${nextCursor}`;
    }
    assert.ok(expected.length > 100);
    assert.equal(header[0], 'id');
    assert.deepEqual(
      rows.map(([id]) => id),
      expected,
    );
    const nobody = newVisitor(the.server);
    assert.equal((await nobody.open('/trades')).all('a[download]').length, 0);
    assert.equal((await nobody.request('GET', link)).status, 303);
    const scout = await signInOnPage(the.server, the.scout);
    assert.equal((await scout.request('GET', link)).status, 403);
    assert.equal((await wolf.request('GET', '/trades.csv?side=x')).status, 400);
  });

  test('an empty field and marks of other sites lead to the address without them', async () => {
    const visitor = newVisitor(the.server);
    for (const [from, to] of [
      ['/trades?ticker=&side=buy&chamber=', '/trades?side=buy'],
      ['/trades?politician=ada', '/trades?politician_slug=ada'],
      ['/politicians?q=&utm_source=mail', '/politicians'],
      [`/politicians/${the.slug}?utm_source=mail`, `/politicians/${the.slug}`],
      ['/filings?chamber=', '/filings'],
      ['/corrections?politician=ada&kind=', '/corrections?politician_slug=ada'],
      ['/tickers?q=', '/tickers'],
      ['/trades?utm_source=mail&fbclid=1', '/trades'],
    ]) {
      const response = await visitor.request('GET', from);
      assert.equal(response.status, 303, from);
      assert.equal(response.header('location'), to);
    }
  });

  test('what is wrong stands beside its field, with what was typed', async () => {
    const page = await open('/trades?amount_min=lots&side=buy', { status: 400 });
    assert.equal(page.one('#f-amount_min').attribs.value, 'lots');
    assert.match(page.text('#f-amount_min-error'), /^This must be an integer/);
    assert.equal(page.all(TRADES).length, 0);
    for (const [query, reason] of [
      ['tikcer=NWTB', /There is no filter "tikcer"/],
      [`utm_source=x&ticker=${'A'.repeat(5000)}`, /The address of this page is too long/],
      ['party=Whig', /No trade has this party\. Trades have: .*Democrat/],
      ['cursor=nonsense', /The address of this page is damaged/],
      ['side=buy&side=sell', /given more than once/],
    ]) {
      const faulty = await open(`/trades?${query}`, { status: 400 });
      assert.match(faulty.text('main'), reason);
    }
  });
});

// What visitors see of the published data, and when (decisions 38 and 42): without an account and on
// the Scout plan 48 hours late, on the other plans at once.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { text } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const HOUR = 3_600_000;
const TRADES = '.table tbody tr';

async function openSite(t, env = {}) {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z', env });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  return site;
}

const shown = (page) => page.all(`${TRADES} th a`).map(({ attribs }) => attribs.href);

test('a publication appears 48 hours later for visitors and Scout, and at once for other plans', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const as = async (options) => signInOnPage(server, await makeOwner(site, options));
  const visitors = {
    nobody: newVisitor(server),
    scout: await as({ plan: 'scout' }),
    wolf: await as({ plan: 'wolf' }),
    reviewer: await as({ plan: 'scout', role: 'reviewer' }),
  };
  const before = shown(await visitors.wolf.open('/trades'));
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const newest = async (kind) => shown(await visitors[kind].open('/trades'))[0];
  await until('the trade is served', async () => (await newest('wolf')) !== before[0]);
  const trade = await newest('wolf');
  assert.equal(await newest('reviewer'), trade);
  assert.equal(await newest('nobody'), before[0]);
  assert.equal(await newest('scout'), before[0]);
  const delay = async (kind) => (await visitors[kind].open('/trades')).all('.delay').length;
  assert.match(
    (await visitors.nobody.open('/trades')).text('.delay'),
    /^1 trade is not shown yet\. It appears on 2026-03-12 08:00 EDT\..* 48 hours late/,
  );
  assert.match((await visitors.scout.open('/trades')).text('.delay'), /On the Scout plan/);
  assert.equal(await delay('wolf'), 0);
  const newestCounted = async (kind) =>
    (await visitors[kind].open('/coverage')).all('.stats dd').map((node) => text(node))[4];
  assert.match(await newestCounted('nobody'), /appears here 48 hours later/);
  assert.match(await newestCounted('scout'), /appears here 48 hours later/);
  assert.doesNotMatch(await newestCounted('wolf'), /later/);

  await site.clock.advance(48 * HOUR - 1000);
  assert.equal(await newest('nobody'), before[0]);
  await site.clock.advance(1000);
  assert.equal(await newest('nobody'), trade);
  assert.equal(await newest('scout'), trade);
});

test('a filing that is withdrawn within 48 hours says why to those who saw it only', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const nobody = newVisitor(server);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const [before] = shown(await wolf.open('/trades'));
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const newest = async () => shown(await wolf.open('/trades'))[0];
  await until('the trade is served', async () => (await newest()) !== before);
  const id = (await newest()).replace(/^\/trades\/|-\d+$/g, '');
  await site.stockact('withdraw', id, ...because('a duplicate'));
  await until('the trade is gone', async () => (await newest()) === before);
  const answer = async (visitor) => visitor.request('GET', `/filings/${id}`);
  assert.equal((await answer(nobody)).status, 404);
  assert.doesNotMatch((await answer(nobody)).body.toString(), /a duplicate/);
  assert.match((await answer(wolf)).body.toString(), /a duplicate/);
  await site.clock.advance(48 * HOUR);
  assert.match((await answer(nobody)).body.toString(), /a duplicate/);
});

test('a symbol that only new trades have is unknown to a visitor', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const nobody = newVisitor(server);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const [before] = shown(await wolf.open('/trades'));
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const newest = async () => shown(await wolf.open('/trades'))[0];
  await until('the trade is served', async () => (await newest()) !== before);
  const id = (await newest()).replace('/trades/', '');
  await site.stockact('correct', id, 'ticker', 'ZZNEW', ...because('misread'));
  const status = async (visitor) => (await visitor.request('GET', '/tickers/ZZNEW')).status;
  await until('the symbol is served', async () => (await status(wolf)) === 200);
  const pages = ['/search?q=ZZNEW', '/tickers?q=ZZNEW'];
  const linked = async (visitor, page) =>
    (await visitor.request('GET', page)).body.toString().includes('"/tickers/ZZNEW');
  assert.equal(await status(nobody), 404);
  for (const page of pages) assert.equal(await linked(nobody, page), false, page);
  assert.equal(await linked(wolf, pages[0]), true);
  await site.clock.advance(48 * HOUR);
  assert.equal(await status(nobody), 200);
  assert.equal(await linked(nobody, pages[0]), true);
});

test('a search by number leads to a filing that is not shown yet, which says when it appears', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const nobody = newVisitor(server);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const [before] = shown(await wolf.open('/trades'));
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const newest = async () => shown(await wolf.open('/trades'))[0];
  await until('the trade is served', async () => (await newest()) !== before);
  const id = (await newest()).replace(/^\/trades\/|-\d+$/g, '');
  const found = await nobody.request('GET', `/search?q=${id}`);
  assert.equal(found.status, 303);
  assert.equal(found.header('location'), `/filings/${id}`);
  const page = await nobody.open(`/filings/${id}`, { status: 404 });
  assert.match(page.text('main'), /It appears here on \d{4}-\d\d-\d\d \d\d:\d\d E[SD]T/);
  await site.clock.advance(48 * HOUR);
  await nobody.open(`/filings/${id}`);
});

test('an empty list says how much is not shown yet and when it appears', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const nobody = newVisitor(server);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const lists = {
    trades: '/trades?since=2026-03-01T00:00:00Z',
    corrections: '/corrections?kind=field',
  };
  const empty = async (visitor, list) => (await visitor.open(lists[list])).text('.empty');
  assert.match(await empty(nobody, 'trades'), /No trade matches/);
  assert.match(await empty(nobody, 'corrections'), /No correction matches/);
  await site.stockact('demo', '--publish', 1, '--rows', 2);
  const newest = async () => shown(await wolf.open(lists.trades))[0];
  await until('the trades are served', newest);
  await site.stockact(
    'correct',
    (await newest()).slice(8),
    'ticker',
    'ZZNEW',
    ...because('misread'),
  );
  assert.match(
    await empty(nobody, 'trades'),
    /2 trades were published in the last 48 hours: the first appears here on 2026-03-12 08:00 EDT/,
  );
  assert.match(await empty(nobody, 'corrections'), /1 change is .* in the last 48 hours/);
  await site.clock.advance(48 * HOUR);
  assert.equal((await nobody.open(lists.trades)).all(TRADES).length, 2);
  assert.equal((await nobody.open(lists.corrections)).all('.empty').length, 0);
});

test('the delay is named where it hides something, and nowhere else', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const nobody = newVisitor(server);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const named = async (path) => (await nobody.open(path)).all('.delay').length;
  const [before] = shown(await wolf.open('/trades'));
  const links = (await wolf.open('/trades')).all(`${TRADES} a`).map(({ attribs }) => attribs.href);
  const members = [...new Set(links.filter((href) => href.startsWith('/politicians/')))];
  const lists = ['/', '/trades', '/filings', '/corrections', '/politicians', '/tickers'];
  for (const path of lists) assert.equal(await named(path), 0, path);
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const newest = async () => shown(await wolf.open('/trades'))[0];
  await until('the trade is served', async () => (await newest()) !== before);
  const filer = (await wolf.open(await newest())).all('a').map(({ attribs }) => attribs.href);
  for (const path of lists) assert.equal(await named(path), 1, path);
  for (const path of members) assert.equal(await named(path), filer.includes(path) ? 1 : 0, path);
  for (const path of [before, '/coverage']) assert.equal(await named(path), 0, path);
  const boxes = async (path) => (await nobody.open(path)).all('.withheld').length;
  const [did] = (await wolf.open(await newest())).text('h1').split(/[ :]/);
  const side = { Bought: 'buy', Sold: 'sell', Exchanged: 'exchange' }[did];
  const other = side === 'buy' ? 'sell' : 'buy';
  assert.equal(await boxes('/trades'), 1);
  assert.equal(await boxes('/tickers'), 0, 'a line is enough where no trade is listed');
  assert.equal((await boxes(`/trades?side=${side}`)) + (await boxes(`/trades?side=${other}`)), 1);
  await site.clock.advance(48 * HOUR);
  for (const path of lists) assert.equal(await named(path), 0, path);
});

test('STOCKACT_VISITOR_DELAY shortens the delay of visitors and Scout', async (t) => {
  for (const hours of [6, 0]) {
    const site = await openSite(t, { STOCKACT_VISITOR_DELAY: String(hours) });
    const server = await site.serve();
    const nobody = newVisitor(server);
    const scout = await signInOnPage(server, await makeOwner(site, { plan: 'scout' }));
    const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
    const newest = async (visitor) => shown(await visitor.open('/trades'))[0];
    const before = await newest(wolf);
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    await until('the trade is served', async () => (await newest(wolf)) !== before);
    const trade = await newest(wolf);
    for (const visitor of [nobody, scout])
      assert.equal(await newest(visitor), hours ? before : trade);
    const box = (await nobody.open('/trades')).all('.delay').map((node) => text(node));
    assert.equal(box.length, hours ? 1 : 0);
    if (hours) assert.match(box[0], /6 hours late/);
    const plans = (await scout.open('/account')).text('main');
    assert.match(plans, hours ? /Delay of pages6 hoursnone/ : /Delay of pagesnonenone/);
    await site.clock.advance(hours * HOUR);
    assert.equal(await newest(nobody), trade);
  }
});

test('an until in the query does not reach into the delay', async (t) => {
  const site = await openSite(t);
  const server = await site.serve();
  const key = await site.key({ plan: 'pack' });
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const served = async () => (await server.json('/api/v1/trades?limit=100', { key })).data.length;
  await until('the trade is served', async () => (await served()) === 21);
  const page = await newVisitor(server).open('/trades?until=2030-01-01T00:00:00Z');
  assert.equal(page.all(TRADES).length, 20);
});

test('with STOCKACT_PUBLIC_PAGES=off a visitor is sent to sign in and back', async (t) => {
  const site = await openSite(t, { STOCKACT_PUBLIC_PAGES: 'off' });
  const server = await site.serve();
  const visitor = newVisitor(server);
  const response = await visitor.request('GET', '/trades?side=buy');
  assert.equal(response.status, 303);
  assert.equal(response.header('location'), '/sign-in?next=%2Ftrades%3Fside%3Dbuy');
  const owner = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  assert.ok((await owner.open('/trades')).all(TRADES).length > 0);
  assert.equal((await server.get('/api/v1/trades')).status, 200);
});

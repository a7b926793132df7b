// A database that stops and comes back while a server runs (docs/reliability.md, "Full disk and
// lost database"): the server serves from memory, and recovers within 5 s without a restart.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { openSqlite } from './lib/database.mjs';
import { Cluster } from './lib/postgres.mjs';
import { makeSite } from './lib/site.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { assertPromise } from './lib/measured.mjs';
import { metric } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const HEAL_MS = 5000;
const FIRST_MS = 6000;
const OTHERS_MS = 1000;
const HTML = { headers: { Accept: 'text/html' } };
const FROM_MEMORY = [
  ...['/', '/trades', '/tickers', '/filings', '/politicians', '/docs', '/sitemap.xml'],
  ...['/trades?side=buy&late=true', '/filings?chamber=house'],
];
const SENTENCE = /not answered since|as it was for visitors at/;
/** What readers open: the addresses of each kind, and whether a part needs the database. */
const kinds = (trade) => {
  const filing = trade.id.replace(/-\d{4}$/, '');
  const member = `/politicians/${trade.politician.slug}`;
  const name = encodeURIComponent(trade.politician.name);
  const lists = ['trades', 'conflicts', 'tickers', 'filings', 'politicians', 'corrections'];
  return {
    whole: [...FROM_MEMORY, `/tickers/${trade.ticker}`, `/search?q=${name}`],
    parts: [
      ...[`/trades/${trade.id}`, `/filings/${filing}`, member, `${member}/filings`],
      ...['/conflicts', '/coverage', '/corrections', '/corrections?kind=withdrawn'],
      `/search?q=${filing.replace(/\d/g, '9')}`,
    ],
    feeds: lists.flatMap((list) => [`/${list}.atom`, `/${list}.json`]),
  };
};

/** Opens all of them without the database. Returns the longest wait. */
async function walk(server, { whole, parts, feeds }) {
  let longest = 0;
  for (const page of [...whole, ...parts, ...feeds]) {
    const began = performance.now();
    const answer = await server.get(page, HTML);
    longest = Math.max(longest, performance.now() - began);
    assert.equal(answer.status, 200, `${page}: ${answer.text}`);
    if (parts.includes(page)) {
      assert.match(answer.text, SENTENCE, page);
      assert.equal(answer.header('cache-control'), 'no-store', page);
    } else if (whole.includes(page)) {
      assert.doesNotMatch(answer.text, SENTENCE, page);
    }
  }
  return longest;
}

const FILINGS = '/api/v1/filings';
const count = (text, pattern) => text.match(pattern)?.length ?? 0;

/** When the server last counted in its database. */
const countedAt = async (server) =>
  Date.now() - (await metric(server, 'counts_age_seconds')) * 1000;

test('the server survives an outage of PostgreSQL', async (t) => {
  const cluster = await Cluster.start();
  t.after(() => cluster.stop());
  const site = await makeSite(t, {
    clock: '2026-03-15T12:00:30Z', // all requests are in one minute
    env: { STOCKACT_DATABASE: cluster.url('postgres') },
  });
  writeFileSync(path.join(site.folder, 'secret.key'), randomBytes(32), { mode: 0o600 });
  await site.stockact('demo', '--trades', 100);
  const server = await site.serve();
  const { key, email } = await site.mint({ plan: 'pack' });
  assert.equal((await server.get(FILINGS, { key })).status, 200);
  const reader = await signInOnPage(server, await makeOwner(site));
  const { data } = (await server.get('/api/v1/trades?conflict=true', { key })).json;
  const trade = data.find(({ ticker, disclosedAt }) => ticker && disclosedAt < '2026-03-13');
  const pages = kinds(trade);
  for (const page of [...pages.whole, ...pages.parts, ...pages.feeds]) {
    const whole = await server.get(page, HTML);
    assert.equal(whole.status, 200, page);
    assert.doesNotMatch(whole.text, SENTENCE, page);
  }

  await cluster.halt();
  await until('the server notices', () => /store does not answer/.test(server.log));
  assert.equal((await server.get('/api/v1/trades', { key })).json.data.length, 25);
  assert.equal((await server.get('/readyz')).status, 200);
  assert.equal(await metric(server, 'database_up'), 0);
  assert.ok((await metric(server, 'store_errors_total')) > 0);
  const counted = await countedAt(server);
  const without = await server.get('/api/v1/corrections', { key });
  assert.deepEqual([without.status, without.header('retry-after')], [503, '1']);
  const left = Number(without.header('x-ratelimit-remaining'));
  const again = await server.get('/api/v1/trades', { key });
  assert.equal(Number(again.header('x-ratelimit-remaining')), left - 1, 'a 503 is not counted');
  await walk(server, pages);
  for (const page of [...pages.whole, ...pages.parts]) {
    const shown = await reader.open(page); // its session cannot be read
    assert.equal(shown.status, 200, page);
    if (!page.includes('.')) assert.ok(shown.all('aside.banner').length === 2, page);
  }
  const drawn = await server.get(`/trades/${trade.id}/row.png`);
  assert.deepEqual([drawn.status, drawn.header('retry-after')], [503, '1']);
  const refused = await site.run(['keys', 'list', '--email', email, '--json']);
  assert.equal(refused.code, 1);
  assert.equal(JSON.parse(refused.stdout).error, 'service_unavailable');

  await cluster.resume();
  const resumed = performance.now();
  await until('the server has healed', () => /store answers again/.test(server.log));
  assertPromise(t, 'healed', performance.now() - resumed, HEAL_MS);
  assert.equal(await metric(server, 'database_up'), 1);
  await until('it counts again', async () => (await countedAt(server)) > counted + 500);
  const later = await site.mint({ email });
  assert.equal((await server.get(FILINGS, { key: later.key })).status, 200);
  assert.equal((await server.get('/api/v1/coverage', { key })).status, 200);
  assert.doesNotMatch((await server.get('/coverage', HTML)).text, SENTENCE);

  cluster.freeze();
  t.after(() => cluster.thaw());
  const first = performance.now();
  assert.match((await server.get(`/trades/${trade.id}`, HTML)).text, SENTENCE);
  assertPromise(t, 'the first reader of a frozen database', performance.now() - first, FIRST_MS);
  assertPromise(t, 'the others', await walk(server, pages), OTHERS_MS);
  cluster.thaw();
  await until('parts are whole again', async () => {
    return !SENTENCE.test((await server.get(`/trades/${trade.id}`, HTML)).text);
  });
  await server.stop();
});

test('the server survives a lock on its database file', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-15T12:00:30Z' });
  const server = await site.serve();
  const { key } = await site.mint({ plan: 'pack' });
  const holder = openSqlite(site.database.file);
  holder.exec('BEGIN IMMEDIATE');
  for (let i = 0; i < 5; i++) assert.equal((await server.get(FILINGS, { key })).status, 200);
  await until('the server notices', () => /cannot write counts/.test(server.log));
  holder.exec('ROLLBACK');
  holder.close();
  const freed = performance.now();
  await until('the server has healed', () => /counts are written again/.test(server.log));
  assertPromise(t, 'healed', performance.now() - freed, HEAL_MS);
  await server.stop();
  const [{ used }] = await site.database.query('SELECT used FROM month_count');
  assert.equal(Number(used), 5);
});

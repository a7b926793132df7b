// Every error that the OpenAPI document lists for an operation is provoked on a real server, and
// every operation answers each provocation with an error that it documents. A documented error that
// nothing provokes fails here, and so does an answered one that is not documented.

import { strict as assert } from 'node:assert';
import { closeSync, openSync, writeSync } from 'node:fs';
import test, { after, describe } from 'node:test';
import { requestText } from './lib/client.mjs';
import { reseal } from './lib/digests.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { checkResponse } from './lib/response_rules.mjs';
import { Site } from './lib/site.mjs';
import { BY, REVIEWER } from './lib/reviewer.mjs';

const NOON = '2026-03-15T12:00:30.000Z';
const OVERSIZE = 1_000_000; // bytes; a reply has at most 16 MiB

/** A new local address for each call: callers without a key are told apart by it. */
const addresses = (function* () {
  for (let i = 0; ; i++) yield `127.9.${i >> 8}.${i & 255}`;
})();
const newAddress = () => addresses.next().value;

/** Sends bytes on a connection of their own, as a client would not. */
async function raw(server, bytes) {
  const connection = await server.connect({ from: newAddress() });
  connection.send(bytes);
  const response = await connection.read();
  connection.destroy();
  checkResponse(response, 'GET');
  return response;
}

/** Requests to one operation of a healthy server. `fill(value)` is its path with the value in place
 *  of its parameter, `target` its path with the value of something that exists. */
const PROVOCATIONS = {
  'an unknown parameter': ({ server, key, target }) => server.get(`${target}?nope=1`, { key }),
  'a damaged cursor': ({ server, key, target }) => server.get(`${target}?cursor=AAAA`, { key }),
  'a damaged Last-Event-ID': ({ server, key, target }) =>
    server.get(target, { key, headers: { 'Last-Event-ID': 'x' } }),
  'a cursor of a replaced history': ({ server, key, target, replaced }) =>
    server.get(`${target}?cursor=${replaced}`, { key }),
  'CSV without a key': ({ server, target }) =>
    server.get(`${target}?format=csv`, { from: newAddress() }),
  'an unknown key': ({ server, target }) =>
    server.get(target, { key: 'svc_no', from: newAddress() }),
  'a key of a plan without API access': ({ server, wolf, target }) =>
    server.get(target, { key: wolf, from: newAddress() }),
  'a name that nothing has': ({ server, key, fill }) => server.get(fill('none'), { key }),
  'the id of a withdrawn trade': ({ server, key, fill, withdrawn }) =>
    server.get(fill(withdrawn), { key }),
  'the id of a withdrawn filing': ({ server, key, fill, withdrawnFiling }) =>
    server.get(fill(withdrawnFiling), { key }),
  'a window that is used up': ({ server, target, exhausted }) =>
    server.get(target, { from: exhausted }),
  'a method that only writes': ({ server, key, target }) => server.request('POST', target, { key }),
  'an unknown method': ({ server, key, target }) => server.request('BREW', target, { key }),
  'two Host headers': ({ server, target }) =>
    raw(server, `GET ${target} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`),
  'a body of more than 8 KiB': ({ server, target }) =>
    raw(server, requestText('GET', target, { host: 'a', body: 'x'.repeat(8193) })),
  'a target of more than 8,192 bytes': ({ server, target }) =>
    raw(server, requestText('GET', `${target}?`.padEnd(8193, 'x'), { host: 'a' })),
  'more than 16 KiB of headers': ({ server, target }) =>
    raw(server, requestText('GET', target, { host: 'a', headers: { X: 'x'.repeat(17_000) } })),
  'a head that does not end': ({ server, target }) =>
    raw(server, `GET ${target} HTTP/1.1\r\nHost: a\r\n`),
};

/** What a stream answers with a response that does not end, or that has any size. */
const ENDLESS = [
  'a name that nothing has',
  'the id of a withdrawn trade',
  'the id of a withdrawn filing',
  'oversized',
  'damaged',
];
const STREAMED = ['/api/v1/trades/stream', '/api/v1/export'];
const answersAt = (path, name) => !STREAMED.includes(path) || !ENDLESS.includes(name);

const opened = [];

async function openSite(options) {
  const site = await Site.open(options);
  opened.push(site);
  return site;
}

async function openHealthy() {
  const site = await openSite({ clock: NOON });
  await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
  const wolf = await site.mint({ plan: 'pack' });
  await site.stockact('accounts', 'set-plan', '--email', wolf.email, '--plan', 'wolf');
  const key = await site.key({ plan: 'den' });
  const server = await site.serve();
  const exhausted = newAddress();
  const { data } = await server.json('/api/v1/trades?limit=100', { key });
  const [{ id: withdrawn }, trade] = data.filter(({ ticker }) => ticker !== null);
  const filingOf = ({ id }) => id.slice(0, -5);
  const others = data.filter(
    (one) => ![withdrawn, trade.id].map((id) => id.slice(0, -5)).includes(filingOf(one)),
  );
  const withdrawnFiling = filingOf(others[0]);
  for (const id of [withdrawn, withdrawnFiling]) {
    await site.stockact('withdraw', id, '--by', REVIEWER, '--reason', 'Entered twice.');
  }
  for (let i = 0; i < 10; i++) await server.get('/api/v1/filings', { from: exhausted });
  const names = namesOf(trade);
  return { site, server, key, wolf: wolf.key, withdrawn, withdrawnFiling, exhausted, ...names };
}

/** The codes with which commands refuse to pass a cap of the plan. */
async function codesOfCommands(site) {
  const email = await site.account({ plan: 'pack' });
  const free = await site.account({ plan: 'scout' });
  const codes = [];
  const env = { STOCKACT_WEBHOOK_NAME_SERVERS: '127.0.0.1:9' }; // no waiting for an answer
  for (const command of [
    ['keys', 'mint', '--email', email, '--name', 'one'],
    ['webhooks', 'add', '--email', email, '--url', 'https://hooks.example.org/'],
    ['alerts', 'add', '--email', free, '--ticker', 'NVDA'],
  ]) {
    let done;
    do {
      done = await site.run([...command, '--json'], { env });
    } while (done.code === 0);
    codes.push(JSON.parse(done.stdout).error);
  }
  return codes;
}

/** Values of the parameters in paths. */
function namesOf(trade) {
  const { id, ticker, politician } = trade;
  return { names: { id, slug: politician.slug, symbol: ticker } };
}

/** The value of the parameter in a path. */
function nameAt(path, names) {
  if (path.startsWith('/api/v1/filings/')) return names.id.replace(/-\d{4}$/, '');
  if (path.startsWith('/api/v1/committees/')) return 'SSEG';
  const [parameter] = /(?<=\{)[^}]*/.exec(path) ?? [];
  return { ...names, code: 'electric_power' }[parameter];
}

/** The store has texts that make every page larger than a reply may be. */
async function openOversized() {
  const site = await openSite();
  await site.stockact('demo', '--trades', 10, '--as-of', '2026-03-01');
  await site.stockact('demo', '--publish', 25, '--rows', 1);
  const text = (n) => `'${'x'.repeat(n)}'`;
  await site.database.execute(
    `UPDATE filing SET url = ${text(OVERSIZE)}, member_no = (SELECT min(no) FROM member)`,
  );
  await site.database.execute(`UPDATE trade SET ticker = 'BIG'`);
  await site.database.execute(`UPDATE ticker SET company = ${text(OVERSIZE / 5)}`);
  await reseal(site.database);
  await site.database.execute(`UPDATE member_term SET party = ${text(OVERSIZE / 5)}`);
  const [{ slug }] = await site.database.query('SELECT slug FROM member ORDER BY no LIMIT 1');
  const key = await site.key();
  const server = await site.serve();
  return { site, server, key, names: { id: 'none', slug, symbol: 'BIG' } };
}

/** These tables are damaged in the database's file, under the running server. */
async function openDamaged(...tables) {
  const site = await openSite();
  await site.stockact('demo', '--trades', 100, '--as-of', '2026-03-01');
  const key = await site.key();
  const server = await site.serve();
  const { data } = await server.json('/api/v1/trades?limit=1');
  const roots = await site.database.query(
    `SELECT rootpage FROM sqlite_master
     WHERE tbl_name IN (${tables.map((name) => `'${name}'`).join()})`,
  );
  const [{ page_size: size }] = await site.database.query('PRAGMA page_size');
  const file = openSync(site.database.file, 'r+');
  for (const { rootpage } of roots) {
    writeSync(file, Buffer.alloc(size, 0xff), 0, size, (rootpage - 1) * size);
  }
  closeSync(file);
  return { site, server, key, ...namesOf(data[0]) };
}

/** Redis counts, and is gone. */
async function openWithoutRedis() {
  const site = await openSite({ redis: true });
  await site.stockact('demo', '--trades', 10, '--as-of', '2026-03-01');
  const key = await site.key();
  const server = await site.serve();
  const { lastCursor } = await server.json('/api/v1/changes');
  await site.redis.stop();
  return { site, server, key, lastCursor, names: { id: 'none', slug: 'none', symbol: 'NONE' } };
}

describe('errors', () => {
  const sites = {};
  let api;
  /** path -> code -> what provoked it */
  const answered = new Map();

  const fill = (path, value) => path.replace(/\{[^}]*\}/, value);

  /** The codes that an operation documents, by its examples and by its schemas. */
  function documented(path) {
    const codes = new Set();
    for (const [status, { content }] of Object.entries(api.document.paths[path].get.responses)) {
      if (status < '400') continue;
      for (const code of Object.keys(content['application/json'].examples)) codes.add(code);
    }
    return codes;
  }

  /** A request for the largest answer of an operation. */
  function largestPage(path) {
    const { parameters, security } = api.document.paths[path].get;
    const has = (name) => parameters.some(({ $ref }) => $ref?.endsWith(`/${name}`));
    const query = has('group_by') ? '?group_by=politician,month' : has('limit') ? '?limit=100' : '';
    return ({ server, target, key }) =>
      server.get(`${target}${query}`, {
        from: newAddress(),
        key: security ? key : undefined,
      });
  }

  function note(path, target, name, response) {
    api.check('GET', target, response);
    if (response.status < 400) return;
    const { error } = response.json;
    const { headers } = api.document.paths[path].get.responses[response.status];
    for (const header of Object.keys(headers)) {
      assert.notEqual(response.header(header), null, `${header} of ${error} at ${path}`);
    }
    answered.get(path).set(error, name);
  }

  async function provoke(name, site, path, ask) {
    if (!answersAt(path, name)) return;
    const target = fill(path, nameAt(path, site.names));
    // a key may ask about itself once a second, and the clock stands still
    const about = path === '/api/v1/usage' && site === sites.healthy;
    const key = about ? await site.site.key({ plan: 'den' }) : site.key;
    const response = await ask({ ...site, key, target, fill: (value) => fill(path, value) });
    note(path, target, `${name}: ${response.status}`, response);
  }

  after(() => Promise.all(opened.map((site) => site.close())));

  test('all requests are answered as described', async () => {
    // A server stops if it cannot write its counts, so errors of keys are damaged where none occur.
    [sites.healthy, sites.oversized, sites.damaged, sites.withoutErrors, sites.withoutRedis] =
      await Promise.all([
        openHealthy(),
        openOversized(),
        openDamaged('trade', 'correction', 'document', 'event'),
        openDamaged('key_error'),
        openWithoutRedis(),
      ]);
    const damagedFor = (path) => (path === '/api/v1/usage' ? 'withoutErrors' : 'damaged');
    sites.healthy.replaced = sites.withoutRedis.lastCursor; // another database: another history
    api = await OpenApi.load(sites.healthy.server);
    const paths = Object.keys(api.document.paths);
    for (const path of paths) answered.set(path, new Map());
    await Promise.all(
      paths.flatMap((path) => [
        ...Object.entries(PROVOCATIONS).map(([name, ask]) =>
          provoke(name, sites.healthy, path, ask),
        ),
        ...['oversized', damagedFor(path), 'withoutRedis'].map((name) =>
          provoke(name, sites[name], path, largestPage(path)),
        ),
      ]),
    );
  });

  test('every operation documents the errors it answers, and no others', () => {
    assert.ok(answered.size > 0);
    for (const [path, codes] of answered) {
      assert.deepEqual([...documented(path)].sort(), [...codes.keys()].sort(), path);
    }
  });

  test('the reference lists the errors that are answered or printed, and no others', async () => {
    const { text } = await sites.healthy.server.get('/llms-full.txt');
    const [table] = /(?<=\n## Errors\n)[^]*?(?=\n## )/.exec(text);
    const listed = [...table.matchAll(/^\| `(\w+)` \| \d{3} \|/gm)].map(([, code]) => code);
    const provoked = new Set(await codesOfCommands(sites.healthy.site));
    for (const codes of answered.values()) for (const code of codes.keys()) provoked.add(code);
    assert.deepEqual(listed.sort(), [...provoked].sort());
  });
});

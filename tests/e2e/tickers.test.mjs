// Symbol lists, imported while a server runs: names and industries of companies. The curated map
// takes precedence.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const SP500 = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location
QQAA,Alder Power (Class A),Utilities,Electric Utilities,"Larkspur Hollow, Maine"
AAPL,Orchard of Alder,Consumer Staples,Packaged Foods & Meats,Nowhere
`;
const SEC = JSON.stringify({
  fields: ['cik', 'name', 'ticker', 'exchange'],
  data: [
    [1, 'ALDER POWER CO', 'QQAA', 'NYSE'],
    [2, 'BIRCH WORKS INC', 'QQB-B', null],
  ],
});
const NASDAQ = `Symbol,Security Name
QQCC,Cedar Municipal Income Fund
QQDD,Dogwood Inc. - Common Stock
Made on 2026-01-02,
`;

function write(site, name, text) {
  writeFileSync(path.join(site.folder, name), text);
  return path.join(site.folder, name);
}

async function company(server, symbol) {
  const { data } = await server.json(`/api/v1/tickers/${symbol}`);
  return [data.ticker, data.companyName, data.industry];
}

onEachDatabase('tickers import', (kind) => {
  test('a running server has names and industries when the command returns', async (t) => {
    const site = await makeSite(t, { database: kind });
    await site.stockact('migrate');
    const server = await site.serve();
    assert.equal((await server.get('/api/v1/tickers/QQAA')).status, 404);
    const files = [
      write(site, 'a.txt', NASDAQ),
      write(site, 'b.txt', SEC),
      write(site, 'c.txt', SP500),
    ];
    const [refusal, report] = await site.stockact('tickers', 'import', ...files);
    assert.deepEqual(refusal, {
      file: files[0],
      line: 4,
      symbol: 'Made on 2026-01-02',
      refused: 'not a symbol',
    });
    const counts = { lines: 7, linesRefused: 1, symbols: 5, added: 5, changed: 0, unchanged: 0 };
    assert.deepEqual(report, counts);
    assert.deepEqual(await company(server, 'QQAA'), [
      'QQAA',
      'Alder Power',
      'Electric and gas utilities',
    ]);
    for (const spelling of ['QQB.B', 'qqb-b', 'QQB%2FB'])
      assert.deepEqual(await company(server, spelling), ['QQB.B', 'BIRCH WORKS INC', null]);
    assert.deepEqual(await company(server, 'QQCC'), [
      'QQCC',
      'Cedar Municipal Income Fund',
      'Funds and trusts',
    ]);
    assert.deepEqual(await company(server, 'QQDD'), ['QQDD', 'Dogwood Inc.', null]);
    assert.equal((await server.get('/api/v1/tickers/QQEE')).status, 404);
    assert.deepEqual(
      await company(server, 'AAPL'),
      ['AAPL', 'Apple Inc.', 'Computers and electronics'],
      'the curated map wins',
    );

    const again = await site.stockact('tickers', 'import', ...files.toReversed());
    assert.deepEqual(again.at(-1), { ...counts, added: 0, unchanged: 5 });
    const notices = await site.database.query(
      "SELECT count(*) AS n FROM change WHERE noun = 'ticker'",
    );
    assert.equal(Number(notices[0].n), 1);
  });

  test('an invalid list changes nothing, and the error names the line', async (t) => {
    const site = await makeSite(t, { database: kind });
    const good = write(site, 'good.csv', NASDAQ);
    const bad = write(site, 'bad.csv', `${SP500}QQEE,Elm\n`);
    const done = await site.run(['tickers', 'import', good, bad]);
    assert.equal(done.code, 1);
    assert.match(
      done.stderr,
      /^stockact: .*bad\.csv: line 4: the number of fields differs from the header\n$/,
    );
    const rows = await site.database.query('SELECT count(*) AS n FROM ticker');
    assert.equal(Number(rows[0].n), 0);
  });

  test('a demonstration database rejects symbol lists', async (t) => {
    const site = await makeSite(t, { database: kind });
    await site.stockact('demo', '--trades', 20);
    const done = await site.run(['tickers', 'import', write(site, 'a.csv', NASDAQ)]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /invented/);
  });
});

const LISTS = [
  'other-listed.csv',
  'sec-company-tickers-exchange.json',
  'nasdaq-listed.csv',
  'sp500-constituents.csv',
  'sec-cik-mapper.csv',
].map((name) => sharedData('tickers', name));

test('the real lists', { skip: LISTS.every(Boolean) ? false : noSharedData }, async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  const server = await site.serve();
  const report = (await site.stockact('tickers', 'import', ...LISTS)).at(-1);
  assert.deepEqual(report, {
    lines: 33731,
    linesRefused: 0,
    symbols: 18594,
    added: 18594,
    changed: 0,
    unchanged: 0,
  });
  for (const spelling of ['BRK.B', 'BRK-B', 'brk%2Fb'])
    assert.equal((await company(server, spelling))[2], 'Conglomerates');
  assert.deepEqual(await company(server, 'NVDA'), ['NVDA', 'NVIDIA Corporation', 'Semiconductors']);
  assert.equal((await server.get('/api/v1/tickers/NOSUCH')).status, 404);
  assert.equal((await site.stockact('tickers', 'import', ...LISTS)).at(-1).unchanged, 18594);
});

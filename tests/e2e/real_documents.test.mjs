// Every real document on the machine but scans (real_scans.test.mjs), imported with `ingest`: its
// result, and the sums of the ledger. tests/unit/test_ingest_real_documents.c compares each cell of their rows.

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import test from 'node:test';
import { instrumented, noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const house = sharedData('house');
const senate = sharedData('senate');
const members = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);
const whole = house && senate && members.every(Boolean);
// A sanitizer's build needs minutes for all documents, and the unit test has read them with it.
const skip = !whole ? noSharedData : instrumented ? 'read by the unit test in this build' : false;

/** The expected results of a folder's files: the status of each, and its reason. */
const EXPECTED = [
  [house, 'ptr-pdf', /\.pdf$/, 'draft', null],
  [house, 'not-a-ptr', /\.pdf$/, 'refused', /another form|not a periodic transaction report/],
  [house, 'forms', /\.pdf$/, 'refused', /another form/],
  [house, 'index', /./, 'indexed', /gone/],
  [senate, 'ptr-html', /\.html$/, 'draft', null],
  [senate, 'not-a-ptr', /\.html$/, 'refused', /not a periodic transaction report/],
  [senate, 'paper', /\.html$/, 'needs_manual', /pictures/],
];

/** A page takes a second: real_scans.test.mjs imports a few. */
const SCANS = ['scanned-pdf', 'scanned-pdf-more', 'paper-pdf'];

/** Symbols printed in names of assets, and symbols of other companies. */
async function checkSymbols(site) {
  const [draft] = await site.stockact(
    'review',
    'show',
    'senate-4f809324-f54d-48b7-af27-46f6657857f3',
  );
  const row = draft.rows.find(({ number }) => number === 3) ?? draft.rows[2];
  assert.equal(row.read.ticker, 'AAPL', 'the page prints "aapl" as the name of the asset');
  const other = await site.database.query(
    "SELECT ticker, doubts FROM draft_row WHERE doubts LIKE '%ticker_of_other_company%'",
  );
  assert.ok(
    other.some(({ ticker }) => ticker === 'EXE'),
    'Crexendo has the symbol of another',
  );
  const exchanges = await site.database.query(
    "SELECT ticker FROM draft_row WHERE ticker IN ('NYSE', 'NASDAQ', 'AMEX') OR ticker LIKE '%.SW'",
  );
  assert.deepEqual(exchanges, []);
}

test('every real document has its expected result, and coverage adds up', { skip }, async (t) => {
  const site = await makeSite(t);
  await site.stockact('members', 'import', ...members);
  const folders = [house, senate].flatMap((top) =>
    readdirSync(top)
      .filter((name) => !SCANS.includes(name))
      .sort()
      .map((name) => `${top}/${name}`),
  );
  const lines = await site.stockact('ingest', ...folders);
  for (const [top, folder, ending, status, reason] of EXPECTED) {
    const names = readdirSync(`${top}/${folder}`).filter((name) => ending.test(name));
    assert.ok(names.length > 0, folder);
    for (const name of names) {
      const told = lines.filter((line) => line.document === name);
      assert.ok(told.length > 0, `${folder}/${name} is told of`);
      for (const line of told) {
        assert.equal(line.status, status, `${folder}/${name}: ${line.reason}`);
        if (reason) assert.match(line.reason, reason, `${folder}/${name}`);
        if (status === 'draft') assert.ok(line.rows > 0, `${folder}/${name}`);
      }
    }
  }
  await checkSymbols(site);
  const coverage = await site.stockact('coverage');
  const [{ entries }] = await site.database.query(
    "SELECT count(*) AS entries FROM document WHERE kind <> 'house-index'",
  );
  assert.equal(
    coverage.reduce((sum, line) => sum + line.count, 0),
    Number(entries),
  );
});

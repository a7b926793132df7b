// A few real scans of each chamber, imported with `ingest`, against the rows that two people found on
// the pages of the House (tests/data/scans).

import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { instrumented, noSharedData, root, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const house = sharedData('house', 'scanned-pdf');
const papers = sharedData('senate', 'paper-pdf');
const members = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);
const whole = house && papers && members.every(Boolean);
const skip = !whole ? noSharedData : instrumented ? 'a sanitizer reads a page for a minute' : false;

/** Two typed rows of a page that lies, two by hand, and an empty form. */
const HOUSE = ['8217764', '8219905', '8216974'];
const SENATE = '06e76929-595c-4663-a1a9-3154a8d71b69';
const SENATE_ROWS = 6;

const SIDES = { purchase: 'buy', sale: 'sell_full', 'partial sale': 'sell_partial' };
const BRACKETS = { A: '1k_15k', B: '15k_50k', C: '50k_100k', D: '100k_250k' };

/** The pages of a document of tests/data/scans/README.md. */
function truth(id) {
  const text = readFileSync(path.join(root, 'tests/data/scans/house-scans.json'), 'utf8');
  const all = JSON.parse(text);
  return (all.documents ?? all).find((document) => document.id === id).pages;
}

async function checkHouse(site, id) {
  const [draft] = await site.stockact('review', 'show', `house-${id}`);
  const [page] = truth(id);
  assert.equal(draft.state, 'needs_manual');
  assert.equal(draft.rows.length, page.rows.length, id);
  draft.rows.forEach((row, i) => {
    const [, , , side, bracket] = page.rows[i];
    assert.deepEqual([row.sources.side.how, row.read.side], ['box', SIDES[side]], id);
    const amount = [row.sources.amountBucket.how, row.read.amountBucket];
    assert.deepEqual(amount, ['box', BRACKETS[bracket]], id);
    assert.ok(row.place.top + row.place.height <= 10_000);
  });
  const [stored] = await site.database.query(
    `SELECT turn FROM document_page JOIN document_version v ON v.no = version_no
     JOIN document d ON d.no = v.document_no WHERE d.source_id = '${id}' AND page = 1`,
  );
  assert.equal(Number(stored.turn), page.turn, id);
}

test('rows of real scans become drafts that a person must check', { skip }, async (t) => {
  const site = await makeSite(t);
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  for (const id of HOUSE) copyFileSync(`${house}/${id}.pdf`, `${inbox}/${id}.pdf`);
  copyFileSync(`${papers}/${SENATE}.pdf`, `${inbox}/${SENATE}.pdf`);
  await site.stockact('members', 'import', ...members);
  const lines = await site.stockact('ingest', inbox);
  assert.deepEqual([...new Set(lines.map(({ status }) => status))], ['needs_manual']);
  for (const id of HOUSE) await checkHouse(site, id);
  const [paper] = await site.stockact('review', 'show', `senate-${SENATE}`);
  assert.equal(paper.rows.length, SENATE_ROWS);
  assert.match(paper.url, /\/paper\//);
  assert.match(paper.reason, /^a scan: 6 rows were read from its pages, check every field/);
});

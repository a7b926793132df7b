// What imports print: on a terminal a line for each file, a tally, the next commands and a bar; in
// a pipe columns; with --json every report.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { indexXml } from './lib/house_index.mjs';
import { housePdf, otherFormPdf, scanPdf } from './lib/house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { makeSite } from './lib/site.mjs';
import { fillHouse, makeSites, scan } from './lib/syncing.mjs';
import { onTerminal, startOnTerminal } from './lib/terminal.mjs';

async function start(t) {
  const site = await makeSite(t);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE]));
  await site.stockact('members', 'import', members);
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  const files = {
    '2025FD.xml': indexXml(
      ['20990001', '20990002', '20990003', '9000004'].map((DocID) => ({ DocID })),
    ),
    '20990001.pdf': housePdf({ id: '20990001', rows: [HOUSE_ROW] }),
    '9000004.pdf': scanPdf({ pages: 1 }),
    'other.pdf': otherFormPdf(),
  };
  for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(inbox, name), bytes);
  return { site, inbox };
}

const widest = (lines) => Math.max(...lines.map((line) => [...line].length));

for (const columns of [80, 160])
  test(`on a terminal of ${columns} columns files have lines, a tally and next steps`, async (t) => {
    const { site, inbox } = await start(t);
    const { code, text, lines } = await onTerminal(site, ['ingest', inbox], { columns });
    assert.equal(code, 0, text);
    assert.ok(widest(lines) <= columns, text);
    const shown = lines.filter((line) => /^ {2}[✓?✗] (house-|other|2025FD)/.test(line));
    assert.equal(shown.length, 4, text);
    assert.match(text, /✓ 2025FD\.xml +index of 4 filings/);
    assert.match(text, /✓ house-20990001 +1 row\n/);
    assert.match(text, /\? house-9000004 +a person must complete it: the\s+pages\s+are\s+pictures/);
    assert.match(text, /✗ other\.pdf +refused: this is another form/);
    assert.match(text, /\n4 files\n {2}✓ 1 draft to review\n {2}\? 1 for a person to complete\n/);
    assert.match(text, /\? 2 reports named by an index are not imported yet\n/);
    assert.match(
      text,
      /\nNext\n {2}stockact review show house-20990001 +look at the first draft\n/,
    );
    const next = [...text.matchAll(/^ {2}(stockact review .*?)(?: {2,}.*)?$/gm)];
    for (const [, command] of next) {
      const done = await site.run(command.split(' ').slice(1));
      assert.equal(done.code, 0, `${command}: ${done.stderr}`);
    }
    assert.ok(next.length >= 2, text);
  });

test('the next steps name the desk where the address of the server is set', async (t) => {
  const { site, inbox } = await start(t);
  const env = { STOCKACT_BASE_URL: 'https://trades.example.org' };
  const { text } = await onTerminal(site, ['ingest', inbox], { env });
  assert.match(text, /\n {2}https:\/\/trades\.example\.org\/desk +review in the browser\n/);
});

test('in a pipe files are columns, and the reports an index names need --json', async (t) => {
  const { site, inbox } = await start(t);
  const plain = await site.run(['ingest', inbox]);
  assert.equal(plain.code, 0, plain.stderr);
  assert.equal(plain.stderr, '');
  const lines = plain.stdout.split('\n');
  assert.equal(lines[0], 'document\tstatus\tfilingId\trows\treason');
  assert.deepEqual(
    lines.slice(1, 5).map((line) => line.split('\t').slice(0, 2).join(' ')),
    ['2025FD.xml indexed', '20990001.pdf draft', '9000004.pdf needs_manual', 'other.pdf refused'],
  );
  assert.deepEqual(lines.slice(5), [
    '4 files: 1 draft, 1 needs_manual, 1 refused, 1 index, 2 awaiting_document.',
    'Next: stockact review show house-20990001',
    '',
  ]);
  const again = await start(t);
  const json = await again.site.stockact('ingest', again.inbox);
  assert.equal(json.filter((line) => line.status === 'awaiting_document').length, 4);
});

test('unchanged files of a large folder are counted, not listed', async (t) => {
  const { site, inbox } = await start(t);
  for (let i = 0; i < 20; i++) writeFileSync(path.join(inbox, `9000${100 + i}.pdf`), scan(i));
  await site.stockact('ingest', inbox);
  const { text } = await onTerminal(site, ['ingest', inbox]);
  assert.match(text, /^\n?24 files\n/);
  assert.match(text, /· 2\d unchanged\n/);
});

test('a bar shows amount, rate and time left while a slow site answers', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001', '9000002', '9000003']);
  sites.indexes.delete(2025);
  let answer;
  sites.fault(/9000002\.pdf/, (request, response) => {
    answer = () => response.end(scan('9000002'));
  });
  const child = startOnTerminal(site, ['sync', 'house', '--year', '2026', '--base-url', sites.url]);
  await child.waitFor(/Fetching {2}[█░]+ {2}1 of 3 reports {2}33% {2}[\d.]+\/\w+ {2}\d.* left/);
  answer();
  await child.exited;
  const shown = child.stdout.split('\r');
  assert.ok(
    shown.every((line) => line.length <= 90),
    'no line wraps',
  );
  assert.match(child.stdout, /\r\u001b\[K[^█]*house: 3 documents fetched[^█]*$/, 'it is erased');
  assert.match(child.stdout, /4 files\r\n {2}\? 3 for a person to complete\r\n {2}✓ 1 index\r\n/);
});

test('imports name their counts on a terminal', async (t) => {
  const { site } = await start(t);
  const file = path.join(site.folder, 'members.json');
  writeFileSync(file, membersJson([VALE, HOLLIS]));
  const { text } = await onTerminal(site, ['members', 'import', file]);
  assert.match(text, /^Members\n {2}· 2 people in the files\n {2}✓ 1 added\n\nNext\n {2}stockact /);
  const again = await onTerminal(site, ['members', 'import', file]);
  assert.match(again.text, /\n {2}· the database has them already\n/);
  const plain = await site.run(['members', 'import', file]);
  assert.match(plain.stdout, /^people +2\nadded +0\nchanged +0\n$/);
  const sweep = await onTerminal(site, ['sweep']);
  assert.match(sweep.text, /· 0 public trades judged\n {2}· no signal has changed\n/);
});

// What a page of data does not show is told in a sentence, and its figures count all of it.

import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { HOLLIS } from './lib/invented_members.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { root } from './lib/settings.mjs';
import { makeSignalling } from './lib/signal_site.mjs';
import { makeSite } from './lib/site.mjs';

const CLOCK = '2026-03-10T12:00:00Z';
const ROWS = [6700, 6700, 6701];

test('a member with more trades and seats than a page reads has whole figures', async (t) => {
  const site = await makeSignalling(t, ROWS, { clock: CLOCK });
  const names = path.join(root, 'data/committees.csv');
  const seats = path.join(site.folder, 'seats.csv');
  const committees = new Set(readFileSync(names, 'utf8').match(/^SS\w+(?=,)/gm));
  assert.ok(committees.size > 64);
  const spans = [...committees].map((id) => `${id},${HOLLIS.id},2019-01-03,2019-06-01,`);
  writeFileSync(seats, `committee,bioguide,seen_from,seen_to,title\n${spans.join('\n')}\n`);
  await site.stockact('committees', 'import', '--names', names, '--spans', seats);
  const server = await site.serve();
  const key = await site.key({ plan: 'den' });
  const { data } = await server.json('/api/v1/politicians/dana-hollis', { key });
  const page = await newVisitor(server).open('/politicians/dana-hollis');
  const figures = page.all('.stats dd').map((node) => node.children[0].data);
  assert.deepEqual(figures.slice(0, 4), [
    '20,101',
    '0',
    data.counts.late.toLocaleString('en-US'),
    '$301M – $1.1B',
  ]);
  assert.match(page.text('.note'), /cover the last 20,000 trades published/);
  assert.equal(page.all('.seats tbody tr').length, 64);
  assert.match(page.text('main'), /Only 64 seats are listed/);
  const other = await newVisitor(server).open('/politicians/kim-marlow');
  assert.deepEqual(other.all('.note'), []);
  assert.doesNotMatch(other.text('main'), /seats are listed/);
});

test('open data: a list of more than 100,000 trades is refused, and a filter is named', async (t) => {
  const site = await makeSite(t, { clock: CLOCK, env: { STOCKACT_OPEN_DATA: 'on' } });
  await site.stockact('demo', '--trades', 100_500, '--as-of', '2026-02-01');
  const server = await site.serve();
  const open = (who, query) => who.request('GET', `/trades.csv${query}`);
  const visitor = newVisitor(server);
  const refused = await open(visitor, '');
  assert.equal(refused.status, 403);
  assert.match(
    refused.text,
    /The list has 100,500 trades, and files for everybody have at most 100,000/,
  );
  assert.equal((await open(visitor, '?side=buy')).status, 200);
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const whole = await open(wolf, '');
  assert.deepEqual([whole.status, parseCsv(whole.text).length], [200, 100_501]);
});

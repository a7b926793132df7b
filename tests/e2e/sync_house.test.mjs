// `stockact sync house` against a stub of the Clerk's site.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { Child } from './lib/child.mjs';
import { hanging, page, slowly, status, truncated } from './lib/official_sites.mjs';
import { otherFormPdf } from './lib/house_pdf.mjs';
import { VALE, membersJson } from './lib/invented_members.mjs';
import { binary } from './lib/settings.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { entry, fillHouse, index, makeSites, report, scan, states, sync } from './lib/syncing.mjs';
import { until } from './lib/until.mjs';

onEachDatabase('the House', (kind) => {
  test('the index and its documents are fetched once; later requests are conditional', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind });
    fillHouse(sites);
    const members = path.join(site.folder, 'members.json');
    writeFileSync(members, membersJson([VALE]));
    await site.stockact('members', 'import', members);
    const first = await sync(site, sites, 'house');
    assert.equal(first.code, 0, first.said);
    assert.deepEqual(first.asked, [
      index(2025),
      index(2026),
      ...['20990001', '9000002', '9000003'].map((id) => report(id)),
      report('8000009', 2025),
    ]);
    assert.deepEqual(await states(site, 'house'), {
      20990001: 'draft',
      8000009: 'needs_manual',
      9000002: 'needs_manual',
      9000003: 'needs_manual',
    });
    const { requests, indexes, documents, missing, failed } = first.tally;
    assert.deepEqual([requests, indexes, documents, missing, failed], [6, 2, 4, 0, 0]);

    await sync(site, sites, 'house', '--year', '2026');
    await site.run(['sync', 'house', '--base-url', sites.url]);
    const conditions = sites.requests.map(({ headers }) => [
      headers['if-none-match'],
      headers['if-modified-since'],
    ]);
    assert.deepEqual(sites.asked(), [index(2025), index(2026)]);
    assert.deepEqual(conditions, [
      ['"of-2025"', 'Wed, 31 Dec 2025 23:00:00 GMT'],
      ['"of-2026-a"', 'Mon, 09 Mar 2026 23:00:00 GMT'],
    ]);
  });

  test('a changed index adds new documents; a removed row is not requested', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind });
    fillHouse(sites);
    sites.reports.delete('2026/9000002');
    assert.equal((await sync(site, sites, 'house')).code, 0);

    await site.clock.advance(86_400_000);
    const rows = sites.indexes.get(2026).rows;
    sites.indexes.get(2026).rows = [rows[0], entry('9000004', '3/9/2026')];
    sites.indexes.get(2026).etag = '"of-2026-b"';
    sites.reports.set('2026/9000004', scan('9000004'));
    const second = await sync(site, sites, 'house');
    assert.equal(second.code, 0, second.said);
    assert.deepEqual(second.asked, [index(2025), index(2026), report('9000004')]);
    const after = await states(site, 'house');
    assert.equal(after['9000002'], 'awaiting_document', 'it stays in the ledger');
    assert.equal(after['9000003'], 'needs_manual', 'what came stays');
    const gone = await site.database.query(
      'select source_id from document where index_gone_at is not null order by source_id',
    );
    assert.deepEqual(gone, [{ source_id: '9000002' }, { source_id: '9000003' }]);
  });
});

test('a missing index of the new year in January is not an error', async (t) => {
  const { sites, site } = await makeSites(t, { clock: '2027-01-02T12:00:00Z' });
  fillHouse(sites, ['9000001']);
  const done = await sync(site, sites, 'house');
  assert.equal(done.code, 0, done.said);
  assert.deepEqual(done.asked, [index(2026), index(2027), report('9000001')]);
  const none = await sync(site, sites, 'house', '--year', '2027');
  assert.equal(none.code, 1);
  assert.match(none.said, /has no index of 2027/);
});

test('redirects are followed within the site only', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001']);
  const moved = (location) => status(302, { location });
  const there = '/public_disc/ptr-pdfs/2026/9000001.pdf';
  sites.fault(/2026FD.zip$/, moved('/public_disc/financial-pdfs/2026FD.zip?again'));
  sites.fault(/9000001.pdf$/, moved(`${sites.url}${there}`));
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 0, done.said);
  const twice = [report('9000001'), report('9000001')];
  assert.deepEqual(done.asked, [index(2026), `${index(2026)}?again`, ...twice]);

  sites.fault(/2026FD.zip$/, moved('http://127.0.0.1:1/elsewhere.zip'));
  const away = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(away.code, 1);
  assert.match(away.said, /redirects to http:\/\/127.0.0.1:1\/elsewhere.zip/);
  assert.deepEqual(away.asked, [index(2026)]);

  sites.fault(/2026FD.zip$/, moved('/public_disc/financial-pdfs/2026FD.zip'), { times: 9 });
  const round = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(round.code, 1);
  assert.equal(round.asked.length, 4, 'a ring of redirects ends');
});

test('a refusal ends the run at once, and a later run continues', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites);
  for (const code of [401, 403, 429, 451]) {
    sites.fault(/2025FD.zip$/, status(code));
    const done = await sync(site, sites, 'house');
    assert.equal(done.code, 1);
    assert.deepEqual(done.asked, [index(2025)]);
    assert.match(done.said, new RegExp(`refuses this machine \\(status ${code}\\)`));
    assert.match(done.said, /Save the documents from https:.* `stockact ingest FOLDER`/);
  }
  sites.fault(/9000002.pdf$/, status(403));
  const middle = await sync(site, sites, 'house');
  assert.equal(middle.code, 1);
  assert.equal(middle.asked.at(-1), report('9000002'));
  assert.equal(middle.tally.documents, 1);
  const rest = await sync(site, sites, 'house');
  assert.equal(rest.code, 0, rest.said);
  assert.deepEqual(rest.asked.slice(2), [
    report('9000002'),
    report('9000003'),
    report('8000009', 2025),
  ]);
});

test('a missing or failed document does not block the others', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001', '9000002', '9000003', '9000004', '9000005']);
  const late = sites.reports.get('2026/9000001');
  sites.reports.delete('2026/9000001');
  sites.fault(/9000002/, status(500));
  sites.fault(/9000003/, truncated(sites.reports.get('2026/9000003')));
  sites.fault(/9000004/, slowly(sites.reports.get('2026/9000004')));
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 1);
  assert.match(done.said, /2 documents could not be fetched; run the same command again/);
  assert.equal(done.tally.missing, 1);
  assert.deepEqual(await states(site, 'house'), {
    9000001: 'awaiting_document',
    9000002: 'awaiting_document',
    9000003: 'awaiting_document',
    9000004: 'needs_manual',
    9000005: 'needs_manual',
  });
  const reasons = done.lines.filter((line) => line.reason && line.status === 'awaiting_document');
  assert.deepEqual(
    reasons.map(({ document }) => document),
    ['9000001', '9000002', '9000003'],
  );
  assert.match(reasons[1].reason, /9000002.pdf: status 500/);

  sites.reports.set('2026/9000001', late);
  const again = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(again.code, 0, again.said);
  const left = ['9000001', '9000002', '9000003'].map((id) => report(id));
  assert.deepEqual(again.asked, [index(2026), ...left]);
});

test('three failures in a row end the run', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001', '9000002', '9000003', '9000004']);
  sites.fault(/ptr-pdfs/, status(503), { times: 9 });
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 1);
  assert.equal(done.asked.length, 4);
  assert.match(done.said, /3 documents could not be fetched, so sync stopped/);
});

test('an HTML page instead of a PDF or index ends the run, and is not stored', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001', '9000002']);
  sites.fault(/2026FD.zip/, page('<html><body>closed for today</body></html>'));
  const closed = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(closed.code, 1);
  assert.match(closed.said, /sent something other than a zip/);
  sites.fault(/9000001/, page('<html><body>closed</body></html>', 'application/pdf'));
  const half = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(half.code, 1);
  assert.match(half.said, /sent an HTML page instead of 9000001.pdf/);
  assert.deepEqual(half.asked, [index(2026), report('9000001')]);
  assert.deepEqual(await site.database.query("select no from document where kind = 'file'"), []);
});

test('a damaged or partial index is requested again in full', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001']);
  const damaged = Buffer.from('PK\x03\x04 and no more');
  const give = (request, response) => response.writeHead(200, { etag: '"of-2026-a"' }).end(damaged);
  sites.fault(/2026FD.zip/, give, { times: 2 });
  sites.fault(/2026FD.zip/, truncated(damaged));
  for (const says of [/zip without an index/, /zip without an index/, /2026FD.zip: /]) {
    const failed = await sync(site, sites, 'house', '--year', '2026');
    assert.equal(failed.code, 1);
    assert.match(failed.said, says);
  }
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 0, done.said);
  assert.equal(done.tally.documents, 1);
});

test('a PDF that is not a report is refused in the ledger, and not requested every day', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites, ['9000001']);
  sites.reports.set('2026/9000001', otherFormPdf({ id: '9000001' }));
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 0, done.said);
  assert.deepEqual(await states(site, 'house'), { 9000001: 'refused' });
  const after = await sync(site, sites, 'house', '--year', '2026');
  assert.deepEqual(after.asked, [index(2026)]);

  const file = path.join(site.folder, '9000001.pdf');
  writeFileSync(file, scan('the right one'));
  await site.stockact('ingest', file);
  assert.deepEqual(await states(site, 'house'), { 9000001: 'needs_manual' });
});

test('documents fetched before a kill -9 are kept, and the next run fetches the rest', async (t) => {
  const { sites, site } = await makeSites(t);
  fillHouse(sites);
  sites.fault(/9000002/, hanging);
  const args = ['sync', 'house', '--base-url', sites.url, '--year', '2026'];
  const child = new Child(binary, args, { cwd: site.folder, env: site.env });
  await until('the second report is asked for', () =>
    sites.requests.some((one) => one.path.includes('9000002')),
  );
  await child.stop('SIGKILL');
  sites.asked();
  assert.equal((await states(site, 'house'))['20990001'], 'needs_manual', 'no such member');
  const done = await sync(site, sites, 'house', '--year', '2026');
  assert.equal(done.code, 0, done.said);
  assert.deepEqual(done.asked, [index(2026), report('9000002'), report('9000003')]);
});

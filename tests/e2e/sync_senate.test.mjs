// `stockact sync senate` against a stub of the Senate's site.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { agreementPage, page, status } from './lib/official_sites.mjs';
import { senateId, senatePaperPage } from './lib/senate_page.mjs';
import { onEachDatabase } from './lib/site.mjs';
import {
  SEARCH,
  WAY_IN,
  fillSenate,
  makeSites,
  senateReport,
  states,
  sync,
  view,
} from './lib/syncing.mjs';

onEachDatabase('the Senate', (kind) => {
  test('the search is read to its end, and its pages are fetched once', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind });
    fillSenate(sites, 103);
    sites.rows.push({ id: senateId(900), first: 'Ada', last: 'Old', filed: '12/31/2020' });
    Object.assign(sites.rows[0], { paper: true, filed: '02/03/2026' });
    sites.pages.set(senateId(1), senatePaperPage());
    const first = await sync(site, sites, 'senate');
    assert.equal(first.code, 0, first.said);
    assert.deepEqual(first.asked.slice(0, 4), [...WAY_IN, SEARCH, SEARCH]);
    assert.equal(first.asked[4], view(1, 'paper'), 'the newest first');
    assert.equal(first.tally.documents, 103);
    assert.equal(new Set(first.asked.slice(4)).size, 103);
    assert.equal(sites.atOnce, 1);
    const indexes = await site.database.query(
      `select source_id from document where kind = 'senate-index' order by source_id`,
    );
    assert.deepEqual(
      indexes.map((one) => one.source_id),
      ['2025', '2026'],
      'its results are an index of the years that it covered',
    );
    const [draft] = await site.database.query(
      `select filer, filed_at from draft where source_doc_id = '${senateId(1)}'`,
    );
    assert.equal(draft.filer, 'Quince, Robin', 'who filed a paper is known from the search');
    assert.equal(new Date(Number(draft.filed_at)).toISOString(), '2026-02-03T05:00:00.000Z');
    const [printed] = await site.database.query(
      `select filer, filed_at from draft where source_doc_id = '${senateId(2)}'`,
    );
    assert.equal(printed.filer, 'The Honorable Robin Harrow');
    assert.equal(new Date(Number(printed.filed_at)).toISOString(), '2026-01-03T16:15:00.000Z');

    const row = { id: senateId(500), first: 'Robin', last: 'Vale', filed: '03/09/2026' };
    sites.rows.unshift(row);
    sites.pages.set(row.id, senateReport(row));
    const second = await sync(site, sites, 'senate');
    assert.deepEqual(second.asked, [...WAY_IN, SEARCH, SEARCH, view(500)]);
    const old = await sync(site, sites, 'senate', '--year', '2020');
    assert.deepEqual(old.asked, [...WAY_IN, SEARCH, view(900)]);
    assert.equal(old.tally.missing, 1);
  });
});

test('an expired session is restarted, in the search and between pages', async (t) => {
  const { sites, site } = await makeSites(t);
  fillSenate(sites, 3);
  for (const how of ['redirect', 'page']) {
    sites.endsWith = how;
    const end = (request, response) => {
      sites.endSessions();
      if (how === 'redirect') status(302, { location: '/search/home/' })(request, response);
      else page(agreementPage('abc'))(request, response);
    };
    const row = { id: senateId(how.length + 50), first: 'Ada', last: 'Vale', filed: '02/02/2026' };
    sites.rows.push(row);
    sites.pages.set(row.id, senateReport(row));
    sites.fault(/report\/data/, end);
    sites.fault(/view\/ptr/, end);
    const done = await sync(site, sites, 'senate');
    assert.equal(done.code, 0, done.said);
    const first = done.asked[6];
    assert.deepEqual(done.asked.slice(0, 6), [...WAY_IN, SEARCH, ...WAY_IN, SEARCH]);
    assert.deepEqual(done.asked.slice(6, 10), [first, ...WAY_IN, first]);
    assert.match(first, /view/);
    assert.equal(done.tally.missing + done.tally.failed, 0);
  }
});

test('a session that expires twice ends the run', async (t) => {
  const { sites, site } = await makeSites(t);
  fillSenate(sites, 2);
  sites.fault(/report\/data/, status(302, { location: '/search/home/' }), { times: 2 });
  const search = await sync(site, sites, 'senate');
  assert.equal(search.code, 1);
  assert.deepEqual(search.asked, [...WAY_IN, SEARCH, ...WAY_IN, SEARCH]);
  assert.match(search.said, /keeps asking for the agreement; .* `stockact ingest FOLDER`/);
  sites.fault(/report\/data/, page(agreementPage('abc')), { times: 2 });
  assert.match((await sync(site, sites, 'senate')).said, /keeps asking for the agreement/);
  sites.fault(/view/, page(agreementPage('abc')), { times: 2 });
  const pages = await sync(site, sites, 'senate');
  assert.equal(pages.code, 1);
  assert.equal(pages.tally.documents, 0);
  assert.deepEqual(await states(site, 'senate'), {
    [senateId(1)]: 'awaiting_document',
    [senateId(2)]: 'awaiting_document',
  });
});

test("every refusal of the Senate's site ends the run and says what to do", async (t) => {
  const { sites, site } = await makeSites(t);
  fillSenate(sites, 1);
  const json = (text) => page(text, 'application/json');
  for (const [match, answer, says] of [
    [/home/, status(403), /refuses this machine \(status 403\)/],
    [/home/, status(404), /did not return its home page \(status 404\)/],
    [/home/, page('<html>sorry</html>'), /has an unknown agreement page/],
    [/data/, status(403), /refuses this machine \(status 403\)/],
    [/data/, status(404), /answers the search with status 404/],
    [/data/, json('{"data": [['), /answered the search in an unknown format \(line 1/],
    [/data/, json('{"data": 7, "recordsFiltered": 1}'), /no `data` and `recordsFiltered`/],
    [/data/, json('{"data": [["a","b"]], "recordsFiltered": 1}'), /row 1 has an unknown format/],
    [/view/, status(403), /refuses this machine \(status 403\)/],
    [/view/, status(302, { location: '/search/other/' }), /redirects to .*\/search\/other\//],
  ]) {
    sites.fault(match, answer);
    const done = await sync(site, sites, 'senate');
    assert.equal(done.code, 1, String(says));
    assert.match(done.said, says);
    assert.match(done.said, /efdsearch.senate.gov.* `stockact ingest FOLDER`/);
  }
  for (const [match, says] of [
    [/home/, /status 500: try again later/],
    [/data/, /search with status 500: try again later/],
  ]) {
    sites.fault(match, status(500));
    assert.match((await sync(site, sites, 'senate')).said, says);
  }
  const done = await sync(site, sites, 'senate');
  assert.equal(done.code, 0, done.said);
});

test('a notice instead of a page leaves the report awaiting its document', async (t) => {
  const { sites, site } = await makeSites(t);
  fillSenate(sites, 1);
  const notice = page('<!doctype html><html><body><h1>Closed</h1></body></html>');
  sites.fault(/view/, notice, { times: 2 });
  for (let i = 0; i < 2; i++) {
    const closed = await sync(site, sites, 'senate');
    assert.equal(closed.code, 1);
    assert.equal(closed.tally.failed, 1);
    assert.deepEqual(await states(site, 'senate'), { [senateId(1)]: 'awaiting_document' });
  }
  const done = await sync(site, sites, 'senate');
  assert.equal(done.code, 0, done.said);
  assert.equal(done.tally.documents, 1);
});

test('a page saved by hand is not fetched', async (t) => {
  const { sites, site } = await makeSites(t);
  fillSenate(sites, 2);
  const file = path.join(site.folder, `${senateId(1)}.html`);
  writeFileSync(file, sites.pages.get(senateId(1)));
  await site.stockact('ingest', file);
  const done = await sync(site, sites, 'senate');
  assert.equal(done.code, 0, done.said);
  assert.deepEqual(done.asked, [...WAY_IN, SEARCH, view(2)]);
});

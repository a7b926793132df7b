// The review desk by requests, without a browser or a script: the queue, one draft beside its
// document, and everything a reviewer does with it.

import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { CLEAN, DOUBTFUL, FAILED, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { text as textOf } from './lib/html.mjs';
import { SENATE_ROW } from './lib/invented_rows.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { uuid } from './lib/undoing.mjs';

const ANN = 'ann@example.org';
const BEN = 'ben@example.org';
onEachDatabase('the review desk', (kind) => {
  const shared = useSite({ database: kind, clock: '2025-02-05T12:00:00Z' }, async (site) => {
    await fillDesk(site);
    const ann = await makeOwner(site, { email: ANN, role: 'reviewer' });
    const ben = await makeOwner(site, { email: BEN, role: 'reviewer' });
    const member = await makeOwner(site, { email: 'reader@example.org' });
    const server = await site.serve();
    return {
      server,
      ann: await signInOnPage(server, ann),
      ben: await signInOnPage(server, ben),
      reader: await signInOnPage(server, member),
    };
  });

  const open = (who, rest = '') => shared[who].open(`/desk${rest}`);
  const trades = async (document) => {
    const { data } = await shared.server.json('/api/v1/trades?limit=50');
    return data.filter(({ id }) => id.startsWith(idOf(document)));
  };
  const queued = (page) => page.all('tbody td:first-child a').map(textOf);

  /** The form with that button, sent by it. */
  const press = (who, page, button, fill = {}, options = { status: 200 }) =>
    shared[who].submit(page.form(button), fill, { button, ...options });

  test('only reviewers see it', async () => {
    const { reader, server } = shared;
    assert.equal((await reader.request('GET', '/desk')).status, 403);
    assert.equal((await newVisitor(server).request('GET', '/desk')).status, 303);
  });

  test('the queue counts rows, doubts and failed checks, and sorts by them', async () => {
    const page = await open('ann');
    assert.match(page.text('.lead'), /^7 drafts wait, 4 of them clean and 1 on paper/);
    assert.deepEqual(queued(page).slice(0, 4), CLEAN.map(idOf));
    assert.match(page.text('tbody tr'), /2025-01-16\s*20 days\s*2025-/, 'filed, its age, and due');
    assert.equal(queued(await open('ann', '?sort=doubts'))[0], idOf(DOUBTFUL));
    assert.equal(queued(await open('ann', '?sort=checks'))[0], idOf(FAILED));
    assert.deepEqual(queued(await open('ann', '?kind=paper')), [idOf(SCAN)]);
    assert.deepEqual(queued(await open('ann', '?q=20990004')), [idOf(DOUBTFUL)]);
    const wrong = await shared.ann.request('GET', '/desk?sort=size');
    assert.equal(wrong.status, 400);
  });

  test('a clean draft is published with one form, which goes on to the next', async () => {
    const [first, second] = CLEAN;
    const page = await open('ann', `/${idOf(first)}?chamber=house`);
    assert.equal(page.heading, 'Robin Vale');
    assert.equal(page.all('a[data-key="]"]').length, 0, 'the document has one page');
    assert.match(page.text('tbody'), /HRBR Harbor Tools.*bought.*2025-01-02.*\$1,001 – \$15,000/s);
    const next = await press('ann', page, 'Accept and publish');
    assert.match(next.text('.flash'), /public/);
    assert.equal(next.target, `/desk/${idOf(second)}?chamber=house`);
    const [trade] = await trades(first);
    assert.equal(trade.ticker, 'HRBR');
    assert.equal(queued(await open('ann')).includes(idOf(first)), false);
  });

  test('a draft can be accepted now and published later', async () => {
    const [, second] = CLEAN;
    await press('ann', await open('ann', `/${idOf(second)}`), 'Accept, next');
    assert.deepEqual(await trades(second), []);
    assert.deepEqual(queued(await open('ann', '?stage=accepted')), [idOf(second)]);
    await press('ben', await open('ben', `/${idOf(second)}`), 'Publish');
    assert.equal((await trades(second)).length, 1);
  });

  test('a stale page decides nothing', async () => {
    const [, , third] = CLEAN;
    const stale = await open('ann', `/${idOf(third)}`);
    const row = await open('ann', `/${idOf(third)}/rows/1`);
    const staleRow = await open('ann', `/${idOf(third)}/rows/1`);
    await press('ann', row, 'Save the row', { amountBucket: '15k_50k', reason: 'as on page 1' });
    const answer = await press('ann', stale, 'Accept and publish', {}, { status: 422 });
    assert.match(answer.text('.faults'), /this draft changed since you opened this page/i);
    assert.match(answer.text('tbody'), /\$15,001 – \$50,000/);
    assert.deepEqual(await trades(third), []);
    const again = await press(
      'ann',
      staleRow,
      'Save the row',
      { side: 'sell_full' },
      { status: 422 },
    );
    assert.match(again.text('.faults'), /this row changed since you opened this page/i);
    assert.equal(again.form('Save the row').value('side'), 'sell_full', 'what was typed is kept');
    const [{ history }] = [await shared.ann.json(`/desk/${idOf(third)}`)];
    const { by, field, old, new: now, reason } = history.at(-1);
    assert.deepEqual(
      [by, field, old, now, reason],
      [...[ANN, 'amountBucket', '1k_15k', '15k_50k', 'as on page 1']],
    );
    const shown = (await open('ann', `/${idOf(third)}`)).text('.history');
    const said = 'changed row 1, Amount: “$1,001 – $15,000” → “$15,001 – $50,000” (as on page 1)';
    assert.ok(shown.includes(`${ANN}: ${said}`), shown);
  });

  test('a form that is sent twice acts once', async () => {
    const id = idOf(CLEAN[3]);
    const row = await open('ann', `/${id}/rows`);
    const typed = { assetName: 'Garden Mills', side: 'buy', amountBucket: '1k_15k' };
    await press('ann', row, 'Add the row', typed);
    const twice = await press('ann', row, 'Add the row', typed, {});
    assert.equal(twice.status, 409);
    const { rows } = await shared.ann.json(`/desk/${id}`);
    assert.equal(rows.rows.length, 2);
    await press('ann', await open('ann', `/${id}/rows/2`), 'Delete the row', {
      reason: 'not a row',
    });
    const after = await shared.ann.json(`/desk/${id}`);
    assert.equal(after.rows.rows[1].removed, true);
  });

  test('a draft that another reviewer claimed keeps the input', async () => {
    const id = idOf(DOUBTFUL);
    await press('ben', await open('ben', `/${id}`), 'Claim');
    const page = await open('ann', `/${id}/rows/2`);
    assert.match(page.text(), /ben@example\.org holds this draft until/);
    const answer = await press(
      ...['ann', page, 'Save the row', { tradeDate: '2025-01-12' }, { status: 422 }],
    );
    assert.match(answer.text('.faults'), /held by ben@example\.org until \S+ \S+ E[SD]T/);
    assert.equal(answer.form('Save the row').value('tradeDate'), '2025-01-12');
  });

  test('each doubt is shown beside its field until the field is right', async () => {
    const id = idOf(DOUBTFUL);
    const page = await open('ben', `/${id}/rows/2`);
    const form = page.form('Save the row');
    assert.equal(form.value('tradeDate'), '2025-02-02');
    assert.match(page.text('.line.doubted'), /02\/02\/2025.*is after the report was filed/s);
    const saved = await press('ben', page, 'Save the row', { tradeDate: '1/2/25' });
    assert.equal(saved.all('tr.look').length, 0);
    const wrong = await press(
      ...['ben', await open('ben', `/${id}/rows/2`), 'Save the row'],
      ...[{ tradeDate: 'yesterday', assetName: '' }, { status: 422 }],
    );
    assert.ok(wrong.form('Save the row').fault('tradeDate'));
    assert.match(wrong.text('.faults'), /Asset: accepted is 1 to 2,000 bytes/);
    assert.equal(wrong.form('Save the row').value('tradeDate'), 'yesterday');
    assert.equal((await shared.ben.json(`/desk/${id}`)).rows.rows[1].tradeDate, '2025-01-02');
  });

  test('a failed check is waived by name with a reason', async () => {
    const page = await open('ann', `/${idOf(FAILED)}`);
    assert.match(page.text('.checks'), /it was signed on the filing date in the index/);
    const refused = await press('ann', page, 'Accept and publish', {}, { status: 422 });
    assert.match(
      refused.text('.faults'),
      /The check "it was signed on the filing date in the index" failed: verify the document/,
    );
    const form = refused.form('Accept and publish');
    await shared.ann.submit(
      form,
      { despite: true, reason: 'the clerk filed it two days later' },
      { button: 'Accept and publish', status: 200 },
    );
    assert.equal((await trades(FAILED)).length, 1);
  });

  test('a scan is entered beside its pages and published', async () => {
    const id = idOf(SCAN);
    const picture = await shared.ann.request('GET', `/desk/${id}/pages/2.png`);
    assert.equal(picture.header('content-type'), 'image/png');
    assert.equal((await shared.ann.request('GET', `/desk/${id}/pages/3.png`)).status, 404);
    const page = await open('ann', `/${id}`);
    assert.match(page.text('.obstacles'), /No row can be published/);
    const typed = {
      ...{ assetName: 'Garden Mills', side: 'buy', amountBucket: '15k_50k', page: '2' },
      ...{ tradeDate: '2025-01-10', ownerType: 'spouse' },
    };
    await press('ann', await open('ann', `/${id}/rows`), 'Add the row', typed);
    await press('ann', await open('ann', `/${id}`), 'Accept and publish');
    const [trade] = await trades(SCAN);
    assert.equal(trade.assetName, 'Garden Mills');
    assert.equal(trade.ownerType, 'spouse');
  });

  test('members and symbols are looked up', async () => {
    const { members, symbols } = await shared.ann.json('/desk/find?member=Vale%2C+R.&symbol=h');
    assert.deepEqual(
      members.map(({ label }) => label),
      ['Robin Vale, CA-7, until 2031'],
    );
    assert.deepEqual(symbols, []);
  });

  test('a draft is rejected with a reason', async () => {
    const id = idOf(CLEAN[3]);
    const page = await open('ann', `/${id}`);
    await press('ann', page, 'Reject the draft', { reason: 'a copy of another report' });
    assert.deepEqual(queued(await open('ann', '?stage=rejected')), [id]);
  });

  test('a report of nothing is closed with one key, and is no rejected draft', async () => {
    const [number, button] = ['9000008', 'Nothing to report, next'];
    const id = idOf(number);
    const url = `https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/${number}.pdf`;
    const more = ['--filer', 'robin-vale', '--filed', '2025-01-20', '--url', url, '--by', ANN];
    await shared.site.stockact('review', 'new', 'house', number, ...more);
    const page = await open('ann', `/${id}`);
    assert.equal(page.all('[value="nothing"][data-key="0"]').length, 1);
    const next = await press('ann', page, button);
    assert.match(next.text('.flash'), /nothing to report/);
    assert.deepEqual(queued(await open('ann', '?stage=nothing_reported')), [id]);
    assert.equal(queued(await open('ann', '?stage=rejected')).includes(id), false);
    assert.equal(queued(await open('ann')).includes(id), false);
    const [draft] = await shared.site.stockact('review', 'show', id);
    assert.equal(draft.state, 'nothing_reported');
    assert.equal(draft.history.at(-1).action, 'nothing_reported');
    assert.deepEqual(await trades(number), []);
    const withRows = await open('ann', `/${idOf(CLEAN[2])}`);
    assert.equal(withRows.all('[value="nothing"]').length, 0, 'a draft with rows has no such key');
  });
});

const SENATE = `senate-${uuid('a')}`;

/** Fills the desk, and adds an electronic report of the Senate with two rows. */
async function fillBoth(site) {
  await fillDesk(site);
  const hollis = path.join(site.folder, 'hollis.json');
  const page = path.join(site.folder, `${uuid('a')}.html`);
  writeFileSync(hollis, membersJson([HOLLIS]));
  writeFileSync(page, senatePage({ rows: [SENATE_ROW, { ...SENATE_ROW, asset: 'Bellows' }] }));
  await site.stockact('members', 'import', hollis);
  await site.stockact('ingest', page);
}

onEachDatabase('evidence of looking', (kind) => {
  const shared = useSite({ database: kind, clock: '2025-02-05T12:00:00Z' }, async (site) => {
    await fillBoth(site);
    const ann = await makeOwner(site, { email: ANN, role: 'reviewer' });
    const server = await site.serve();
    return { site, server, ann: await signInOnPage(server, ann) };
  });
  const by = ['--by', ANN];
  const review = (...words) => shared.site.stockact('review', ...words);

  const sourceOf = async (id) => (await shared.server.json(`/api/v1/filings/${id}`)).data.source;
  const accept = async (id, { script = false, fill = {} } = {}) => {
    const form = (await shared.ann.open(`/desk/${id}`)).form('Accept and publish');
    if (script) form.control('script').attribs.value = '1'; // as the script of the desk does
    await shared.ann.submit(form, fill, { button: 'Accept and publish' });
    return sourceOf(id);
  };
  const get = async (target) => {
    const { status } = await shared.ann.request('GET', target);
    assert.equal(status, 200, target);
  };

  test('a loop of show and accept leaves every filing unseen', async () => {
    for (const id of CLEAN.slice(0, 2).map(idOf)) {
      await review('show', id);
      await review('accept', id, ...by);
      await shared.site.stockact('publish', id, ...by);
      const { review: how, reviewSeconds, reviewers } = await sourceOf(id);
      assert.deepEqual([how, reviewSeconds, reviewers.length], ['unseen', 0, 1]);
    }
    const [{ history }] = await review('show', idOf(CLEAN[0]));
    const { new: said } = history.find(({ action }) => action === 'accept');
    assert.equal(said, 'unseen: pages none of 1 shown, 0 of 1 rows opened, 0 s, by command');
  });

  test('a command that has written the picture of each page leaves page', async () => {
    const id = idOf(CLEAN[2]);
    const output = path.join(shared.site.folder, 'page.png');
    await review('picture', id, 1, '--output', output);
    assert.equal(readFileSync(output).subarray(1, 4).toString(), 'PNG');
    await shared.site.clock.advance(20_000);
    await review('accept', id, ...by);
    await shared.site.stockact('publish', id, ...by);
    const { review: how, reviewSeconds } = await sourceOf(id);
    assert.deepEqual([how, reviewSeconds], ['page', 20]);
  });

  test('the desk without its script leaves page at most', async () => {
    const id = idOf(DOUBTFUL);
    const page = await shared.ann.open(`/desk/${id}`);
    await get(page.one('.original img').attribs.src);
    for (const row of [1, 2]) await get(`/desk/${id}/rows/${row}`);
    await shared.site.clock.advance(400_000);
    const { review: how, reviewSeconds } = await accept(id);
    assert.deepEqual([how, reviewSeconds], ['page', 300], 'a gap counts as five minutes at most');
    const { json } = await shared.server.get('/api/v1/coverage');
    assert.equal(json.data.review.row, 0);
    assert.equal(json.data.review.page, 2);
    assert.equal(json.data.review.unseen, 2);
    assert.equal(json.data.review.unseenSeconds, 0);
  });

  test('a page that was not shown leaves unseen', async () => {
    const id = idOf(SCAN);
    const rows = await shared.ann.open(`/desk/${id}/rows`);
    const typed = { assetName: 'Mills', side: 'buy', amountBucket: '15k_50k', page: '2' };
    await shared.ann.submit(rows.form('Add the row'), { ...typed, tradeDate: '2025-01-10' });
    await get(`/desk/${id}/pages/1.png`);
    const { status } = await shared.ann.request('HEAD', `/desk/${id}/pages/2.png`);
    assert.equal(status, 200);
    const source = await accept(id, { script: true });
    assert.equal(source.review, 'unseen', 'HEAD has shown nothing');
    const [{ history }] = await review('show', id);
    const { new: said } = history.findLast(({ action }) => action === 'accept');
    assert.match(said, /^unseen: pages none of 2 shown, 1 of 1 rows opened, /, 'it was typed');
  });

  test('stepping through all rows with all pages in sight leaves row', async () => {
    const id = SENATE;
    await shared.ann.open(`/desk/${id}`);
    await get(`/desk/${id}/rows/2`);
    await shared.site.clock.advance(3000);
    await get(`/desk/${id}/rows/1`);
    await shared.site.clock.advance(5000);
    const { review: how, reviewSeconds } = await accept(id, { script: true });
    assert.deepEqual([how, reviewSeconds], ['row', 8]);
    const { data } = await shared.server.json(`/api/v1/coverage`);
    assert.deepEqual([data.review.row, data.review.rowSeconds], [1, 4]);
    const told = await shared.site.stockact('coverage', '--review');
    const unseen = { review: 'unseen', filings: 3, unrecorded: 0, secondsPerRow: 0 };
    assert.deepEqual(
      told.slice(0, 3).map((line) => line.filings),
      [1, 2, 3],
    );
    assert.deepEqual(told[2], unseen);
    const trade = await shared.ann.open(`/trades/${id}-0001`);
    assert.match(
      trade.text('main'),
      /a person compared each row with the document; the report was shown for 8\.0 s/,
    );
    const filing = await shared.ann.open(`/filings/${id}`);
    assert.match(filing.text('main'), /a person compared each row with the document/);
    const coverage = await shared.ann.open('/coverage');
    const rows = coverage.all('section[aria-labelledby=review] tbody tr').map(textOf);
    assert.match(rows[0], /^Row by row\s*1\s*4\.0\s*a person compared each row/);
    assert.match(rows[1], /^Page by page\s*2\s*\d/);
    assert.match(rows[2], /^Unseen\s*3\s*0\.0/);
    assert.equal(rows.filter((row) => /compared each row/.test(row)).length, 1);
  });

  test('a change by another person takes the opened rows back', async () => {
    const id = idOf(FAILED);
    await get(`/desk/${id}/pages/1.png`);
    await get(`/desk/${id}/rows/1`);
    await review('set', id, 1, 'side', 'sell_full', '--by', BEN, '--reason', 'the page says so');
    await shared.site.clock.advance(31 * 60_000);
    const fill = { despite: true, reason: 'as on page 1' };
    assert.equal((await accept(id, { script: true, fill })).review, 'page');
  });
});

// Batches of clean drafts on the pages of the desk, without scripts.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLEAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { makeSite, useSite } from './lib/site.mjs';

const ANN = 'ann@example.org';

async function openDesk(site) {
  await fillDesk(site);
  const owner = await makeOwner(site, { email: ANN, role: 'reviewer' });
  const server = await site.serve();
  return { server, ann: await signInOnPage(server, owner) };
}

test.describe('batches on the desk', () => {
  const shared = useSite({ env: { STOCKACT_BATCH_REVIEW: 'on' } }, openDesk);
  const open = (rest) => shared.ann.open(`/desk${rest}`);
  const press = (page, button, fill = {}) =>
    shared.ann.submit(page.form(button), fill, { button, status: 200 });
  const states = async () =>
    (await shared.site.stockact('review', 'list')).filter(({ state }) => state === 'accepted');

  test('a batch is started, checked and accepted', async () => {
    assert.ok((await open('')).all('a[href="/desk/batches"]').length);
    const started = await press(await open('/batches'), 'Start a batch', {
      size: '3',
      sample: '2',
    });
    assert.match(started.text('.lead'), /3 filings.*2 left/s);
    assert.equal(started.all('tbody tr').length, 2);
    assert.equal(started.all('button[value="accept"]').length, 0);
    assert.equal((await states()).length, 0);
    assert.equal(started.all('button[value="right"]').length, 0, 'only beside the document');
    const [first] = started.all('a[data-key="n"]').map(({ attribs }) => attribs.href);
    const second = await press(await shared.ann.open(first), 'It is right, next');
    const looked = await press(second, 'It is right, next');
    assert.match(looked.text('.lead'), /All drawn filings are right/);
    const accepted = await press(looked, 'Accept the batch');
    assert.match(accepted.text('.lead'), /3 were accepted \S.* by ann@example\.org, 0 left it/);
    assert.equal((await states()).length, 3);
  });

  test('a fault returns the batch with its reason', async () => {
    const started = await press(await open('/batches'), 'Start a batch', {
      size: '500',
      sample: '200',
    });
    assert.match(started.text('.lead'), /1 filing,/);
    const returned = await press(started, 'Return the batch', { reason: 'another amount' });
    assert.match(returned.text('.lead'), /The batch was returned.*another amount/s);
    assert.equal((await states()).length, 3);
    const none = await shared.ann.submit(
      (await open('/batches')).form('Start a batch'),
      {},
      { button: 'Start a batch', status: 422 },
    );
    assert.match(none.text('main'), /No clean draft is waiting/);
  });

  test('programs get the same as JSON', async () => {
    const { body } = await shared.ann.request('GET', '/desk/batches/1', {
      headers: { accept: 'application/json' },
    });
    const batch = JSON.parse(body);
    assert.deepEqual([batch.size, batch.accepted, batch.state], [3, 3, 'accepted']);
    assert.ok(CLEAN.map(idOf).includes(batch.drawn.rows[0].id));
  });

  test('another batch, or another action, does not exist', async () => {
    assert.equal((await shared.ann.request('GET', '/desk/batches/9')).status, 404);
    assert.equal((await shared.ann.request('GET', '/desk/batches/x')).status, 404);
  });
});

test('a drawn draft is judged on its own page, which leads to the next one', async (t) => {
  const site = await makeSite(t, { env: { STOCKACT_BATCH_REVIEW: 'on' } });
  const { ann } = await openDesk(site);
  const start = (page, sample) =>
    ann.submit(
      page.form('Start a batch'),
      { size: '3', sample },
      { button: 'Start a batch', status: 200 },
    );
  const press = (page, button, fill = {}) =>
    ann.submit(page.form(button), fill, { button, status: 200 });
  const shown = (page) => page.text('.crumbs').replace(/^Desk/, '');

  const batch = await start(await ann.open('/desk/batches'), '2');
  const [first, second] = batch.all('a[data-row]').map(({ attribs }) => attribs.href);
  const page = await ann.open(batch.all('a[data-key="n"]')[0].attribs.href);
  assert.match(page.text('form.verdict'), /Drawn for batch 1.*2 drawn drafts to look at/s);
  assert.equal(page.all('button[value="accept"]').length, 0);
  assert.equal(page.all('a[data-key="n"]')[0].attribs.href, second);
  const next = await press(page, 'It is right, next');
  assert.equal(`/desk/${shown(next)}`, second);
  assert.match(next.text('form.verdict'), /1 drawn draft to look at/);
  assert.match(
    (await ann.open(first)).text('.reading'),
    /ann@example.org found this draft right for batch 1/,
  );
  const done = await press(next, 'It is right, next');
  assert.match(done.text('.lead'), /All drawn filings are right/);
  const drawn = [first, second].map((href) => href.slice('/desk/'.length));
  const parts = (await site.database.query('SELECT filing_id FROM draft WHERE clean = 1'))
    .map(({ filing_id: id }) => id)
    .filter((id) => !drawn.includes(id));
  const notes = await Promise.all(
    parts.map(async (id) => (await ann.open(`/desk/${id}`)).text('.reading')),
  );
  assert.equal(notes.filter((note) => /Part of batch 1, not drawn/.test(note)).length, 1);

  const confirm = 'Return the batch';
  await press(done, confirm, { reason: 'another sample' });
  const again = await start(await ann.open('/desk/batches'), '1');
  const faulty = await ann.open(again.all('a[data-row]')[0].attribs.href);
  const refused = await ann.submit(
    faulty.form('Return the batch'),
    {},
    { button: 'Return the batch', status: 422 },
  );
  assert.match(refused.text('main'), /reason/);
  const returned = await press(faulty, 'Return the batch', { reason: 'another amount' });
  assert.match(returned.text('.lead'), /was returned.*another amount/s);
});

test('without the setting a clean draft is one form, and its time is counted', async (t) => {
  const site = await makeSite(t);
  const { ann } = await openDesk(site);
  const page = await ann.open('/desk/batches');
  assert.match(page.text('.lead'), /Batches are off/);
  assert.equal(page.all('form.filters').length, 0);

  const [first] = CLEAN;
  assert.doesNotMatch((await ann.open('/desk')).text('.lead'), /median/);
  const began = Date.now();
  const draft = await ann.open(`/desk/${idOf(first)}`);
  const button = 'Accept, next';
  await ann.submit(draft.form(button), {}, { button, status: 200 });
  const { median } = await ann.json('/desk');
  assert.equal(median.count, 1);
  assert.ok(median.tookMs >= 0 && median.tookMs <= Date.now() - began, String(median.tookMs));
  assert.match((await ann.open('/desk')).text('.lead'), /takes \d+\.\d seconds \(median of 1/);
});

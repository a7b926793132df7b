// Two people type a paper filing, and a third decides: by requests, without a browser or a script.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { DOUBLE_ENTRY, commandsOfSection, runCommands } from './lib/guide.mjs';
import { text as textOf } from './lib/html.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';

const ID = idOf(SCAN);
const PEOPLE = ['ann', 'ben', 'cid', 'dee'];
const emailOf = (name) => `${name}@example.org`;
const by = (name) => ['--by', emailOf(name)];
const FIRST = { assetName: 'Garden Mills', side: 'buy', amountBucket: '15k_50k' };
const ROW = { ...FIRST, ownerType: 'spouse', tradeDate: '2025-01-10', notifiedDate: '2025-01-12' };
const OTHER = { ...ROW, assetName: 'Harbor Tools, Inc.', ticker: 'HRBR' };

onEachDatabase('two people type paper', (kind) => {
  const options = { database: kind, env: { STOCKACT_DOUBLE_ENTRY: 'paper' } };
  const shared = useSite(options, async (site) => {
    await fillDesk(site);
    const people = {};
    for (const name of PEOPLE)
      people[name] = await makeOwner(site, { email: emailOf(name), role: 'reviewer' });
    const server = await site.serve();
    for (const name of PEOPLE) people[name] = await signInOnPage(server, people[name]);
    return { server, site, ...people };
  });

  const open = (who, rest = '') => shared[who].open(`/desk/${ID}${rest}`);
  const press = (who, page, button, fill = {}, status = 200) =>
    shared[who].submit(page.form(button), fill, { button, status });
  const entry = () => shared.site.stockact('review', 'show', ID).then(([{ entry: now }]) => now);
  /** Nothing of the draft is on the page, nor in its JSON. */
  const isBlind = async (who, rest) => {
    const page = await open(who, rest);
    const json = JSON.stringify(await shared[who].json(`/desk/${ID}${rest}`));
    for (const text of [page.html, json])
      assert.doesNotMatch(text, /Garden|Harbor|HRBR|2025-01-10/);
    return page;
  };

  test('the first acceptance leaves the draft for a second person', async () => {
    for (const row of [ROW, OTHER])
      await press('ann', await open('ann', '/rows'), 'Add the row', { ...row, page: '1' });
    const page = await open('ann');
    assert.doesNotMatch(page.html, /accept-publish/);
    const next = await press('ann', page, 'Accept, next');
    assert.match(next.text('.flash'), /Another person types it from the page/);
    assert.equal(await entry(), 'second');
    const queue = await shared.ben.open('/desk?kind=paper');
    for (const told of ['Rows', 'Doubts', 'Due'])
      assert.match(queue.text(`tbody [data-label=${told}]`), /^–$/, told);
    const { drafts } = await shared.ben.json('/desk?kind=paper');
    assert.deepEqual(
      drafts.rows.map(({ rows, doubts, dueDay }) => [rows, doubts, dueDay]),
      [[undefined, undefined, null]],
    );
    assert.match(queue.text('tbody'), /second entry/);
    const refused = await shared.site.run(['publish', ID, ...by('ann')]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /typed by two people and not accepted yet/);
    const again = await shared.site.run(['review', 'accept', ID, ...by('ben')]);
    assert.match(again.stderr, /second entry is missing/);
  });

  test('the second person sees nothing of the draft', async () => {
    for (const rest of ['', '/rows/1', '/rows', '/entry', '/entry/1']) {
      const page = await isBlind('ben', rest);
      assert.ok(page.path.startsWith(`/desk/${ID}/entry`), page.path);
    }
    const mine = await open('ann');
    assert.match(mine.text('main'), /Garden Mills/);
    assert.match((await open('ann', '/entry')).text('main'), /You have worked on this filing/);
  });

  test('the pages of the file can be turned, and no others', async () => {
    const first = await open('ben', '/entry');
    assert.deepEqual(first.all('.turns a').map(textOf), ['next page']);
    const last = await open('ben', '/entry?page=2');
    assert.deepEqual(last.all('.turns a').map(textOf), ['previous page']);
  });

  test('rows are typed one after the other, and faults keep the input', async () => {
    const unread = await isBlind('ben', '/entry/1');
    assert.doesNotMatch(unread.html, /Type row|Row 1/, 'the rows are counted first');
    const address = (row) => `/desk/${ID}/entry/${row}`;
    const [csrf, once] = ['csrf', 'once'].map((name) => unread.form('Save the number').value(name));
    for (const row of ['1', '2', '3', '99']) {
      assert.equal((await open('ben', `/entry/${row}`)).path, `/desk/${ID}/entry`);
      for (const picture of [`strips/${row}.png`, `rows/${row}/pages/1.png`]) {
        const { status } = await shared.ben.request('GET', `/desk/${ID}/${picture}`);
        assert.equal(status, 404, 'whether the row exists or not');
      }
      const early = await shared.ben.postJson(address(row), { ...ROW, do: 'type', once }, { csrf });
      assert.equal(early.status, 422);
      assert.match(early.text, /Count the rows of all pages first/);
    }
    const page = await press('ben', unread, 'Save the number', { rows: '2' });
    const first = await shared.ben.open(page.link('Type row 1'));
    const wrong = { ...ROW, tradeDate: '13/40/25', assetName: 'GARDEN MILLS CO' };
    const again = await press('ben', first, 'Save, next row', wrong, 422);
    assert.match(again.text('.faults'), /Trade date: "13\/40\/25" is not a date: use month/);
    const form = again.form('Save, next row');
    assert.deepEqual([form.value('assetName'), form.value('side')], ['GARDEN MILLS CO', 'buy']);
    // The script sends what is typed; it comes back, and to this person only.
    const blank = (await open('ben', '/entry/2')).form('Save, next row');
    const kept = { do: 'keep', of: blank.value('once'), assetName: 'Acorn W' };
    const sent = await shared.ben.postJson(address(2), kept, { csrf: blank.value('csrf') });
    assert.equal(sent.status, 200, sent.text);
    const waits = await open('ben', '/entry/2');
    assert.equal(waits.form('Save, next row').value('assetName'), 'Acorn W');
    await isBlind('cid', '/entry/2');
    await press('ben', waits, 'Discard it');
    const empty = await press('ben', await open('ben', '/entry/1'), 'Save, next row', {}, 422);
    assert.match(empty.text('.faults'), /Type what the page shows/);
    const fill = { tradeDate: '1/10/25', notifiedDate: '011225' };
    const second = await press('ben', again, 'Save, next row', fill);
    assert.equal(second.path, `/desk/${ID}/entry/2`);
    assert.equal(second.form('Save, next row').value('assetName'), '');
    const held = await press('cid', await open('cid', '/entry/2'), 'Save, next row', ROW, 422);
    assert.match(held.text('.faults'), /ben@example.org/);
    const typed = { ...OTHER, assetName: 'Harbor Tools', ticker: '', side: 'sell_full' };
    const last = await press('ben', second, 'Save, next row', typed);
    const done = await press('ben', last, 'Compare the entries');
    assert.match(done.text('.flash'), /a third person decides/);
    assert.equal(await entry(), 'third');
    assert.match(done.text('main'), /Row 2: Transaction/);
    await isBlind('ben', '/entry');
  });

  test('the third person sees both texts without names, and decides', async () => {
    const page = await open('cid', '/entry');
    assert.match(page.text('main'), /1 field differs/);
    assert.doesNotMatch(page.text('main'), /ann@|ben@/);
    const texts = page.all('details.which');
    assert.equal(texts.length, 1);
    assert.ok(!('open' in texts[0].attribs), 'the page of the document comes first');
    const stale = await open('cid', '/entry');
    const none = await press('cid', page, 'Decide', {}, 422);
    assert.match(none.text('.faults'), /choose one of the two/i);
    const decision = ['review', 'decide', ID, 2, 'side'];
    assert.match((await shared.site.run([...decision, 'sold', ...by('cid')])).stderr, /sell_full/);
    for (const who of ['ann', 'ben']) {
      const { stderr } = await shared.site.run([
        'review',
        'decide',
        ID,
        2,
        'side',
        'buy',
        ...by(who),
      ]);
      assert.match(stderr, /another person must|must decide/);
    }
    const done = await press('cid', page, 'Decide', { value: 'sell_full' });
    assert.match(done.text('.flash'), /Both entries agree now/);
    const late = await press('cid', stale, 'Decide', { value: 'buy' }, 422);
    assert.match(late.text('.faults'), /this difference changed/i);
    assert.equal(await entry(), 'twice');
  });

  test('the published trade says that it was entered twice', async () => {
    await shared.site.stockact('publish', ID, ...by('ann'));
    const { data } = await shared.server.json(`/api/v1/trades/${ID}-0002`);
    assert.equal(data.trade.side, 'sell_full');
    assert.equal(data.source.entry, 'double');
    assert.equal(data.source.reviewers.length, 2);
    const page = await shared.ann.open(`/trades/${ID}-0002`);
    assert.match(page.text('main'), /entered twice, by two people/);
    assert.match(page.text('main'), /no record that each page was seen/, 'no picture was loaded');
  });

  test('agreement is counted field by field', async () => {
    const fields = await shared.site.stockact('review', 'agreement');
    const of = (name) => fields.find(({ field }) => field === name);
    assert.deepEqual([of('side').agreed, of('side').differed, of('side').asSecond], [1, 1, 1]);
    assert.deepEqual([of('assetName').agreed, of('ticker').agreed, of('rows').agreed], [2, 1, 1]);
    const desk = await shared.dee.open('/desk');
    const page = await shared.dee.open(desk.link('Agreement of two entries'));
    assert.match(page.text('tbody'), /Transaction\s*1\s*1/);
  });

  test('a person who opens the draft becomes its first person', async () => {
    const paper = ['house', '9000099', '--filer', 'robin-vale', '--filed', '2025-02-01'];
    const url = ['--url', 'https://example.org/9000099.pdf'];
    const [{ filingId: id }] = await shared.site.stockact(
      'review',
      'new',
      ...paper,
      ...url,
      ...by('ann'),
    );
    const fields = Object.entries(ROW).map(([name, value]) => `${name}=${value}`);
    await shared.site.stockact('review', 'add-row', id, ...fields, ...by('ann'));
    await shared.site.stockact('review', 'accept', id, ...by('ann'));
    const page = await shared.ben.open(`/desk/${id}`);
    const csrf = page.form('Open the draft').value('csrf');
    for (const [rest, fill] of [
      ['/rows', { do: 'add', ...FIRST }],
      ['/rows/1', { do: 'above', above: 'assetName', assetName: '' }],
      ['', { do: 'claim' }],
    ]) {
      const refused = await shared.ben.postJson(`/desk/${id}${rest}`, fill, { csrf });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.text, /another person is entering this filing/i);
      assert.doesNotMatch(refused.text, /Garden/);
    }
    const draft = await press('ben', page, 'Open the draft');
    assert.match(draft.text('main'), /Garden Mills/);
    const begun = await shared.cid.open(`/desk/${id}`);
    assert.equal(begun.text('h1'), 'The first entry is not finished');
    assert.match(begun.text('main'), /Another person is entering this filing/);
    assert.doesNotMatch(begun.html, /Garden/);
    await press('ben', draft, 'Accept, next');
    const row = ['review', 'enter', id, '1', ...fields];
    const seen = await shared.site.run([...row, ...by('ann')]);
    assert.match(seen.stderr, /another person must do this/);
    await shared.site.stockact(...row, ...by('cid'));
    const [done] = await shared.site.stockact('review', 'enter', id, '--rows', '1', ...by('cid'));
    assert.deepEqual([done.state, done.entry], ['accepted', 'twice']);
  });

  test('a draft that was sent back tells only its first person how many rows there are', async () => {
    const paper = ['house', '9000097', '--filer', 'robin-vale', '--filed', '2025-02-01'];
    const url = ['--url', 'https://example.org/9000097.pdf'];
    const run = (who, action, ...args) =>
      shared.site.stockact('review', action, ...args, ...by(who));
    const [{ filingId: id }] = await run('ann', 'new', ...paper, ...url);
    const fields = Object.entries(ROW).map(([name, value]) => `${name}=${value}`);
    await run('ann', 'add-row', id, ...fields);
    await run('ann', 'accept', id);
    await run('ben', 'enter', id, '--rows', 2);
    await run('ben', 'enter', id, 1, ...fields);
    await run('ben', 'enter', id, '--rows', 2);
    await run('cid', 'decide', id, 0, 'rows', 2);
    const reason = /the pages have 2 rows, and the draft 1: correct it/;
    assert.match((await shared.ann.open(`/desk/${id}`)).text('.note.why'), reason);
    const queue = await shared.dee.open(`/desk?q=${id}`);
    assert.match(queue.text('tbody'), /its page says why it waits/);
    const json = JSON.stringify(await shared.dee.json(`/desk?q=${id}`));
    for (const text of [queue.html, json]) assert.doesNotMatch(text, /the pages have|2 rows/);
  });

  test('a rejected draft stays hidden, because it can be claimed again', async () => {
    const paper = ['house', '9000098', '--filer', 'robin-vale', '--filed', '2025-02-01'];
    const url = ['--url', 'https://example.org/9000098.pdf'];
    const of = (action, ...args) => shared.site.stockact('review', action, ...args, ...by('ann'));
    const [{ filingId: id }] = await of('new', ...paper, ...url);
    const fields = Object.entries(ROW).map(([name, value]) => `${name}=${value}`);
    await of('add-row', id, ...fields);
    await of('reject', id, '--reason', 'not a report of trades');
    const page = await shared.cid.open(`/desk/${id}`);
    assert.equal(page.text('h1'), 'This draft was rejected');
    const json = JSON.stringify(await shared.cid.json(`/desk/${id}/entry`));
    for (const text of [page.html, json]) assert.doesNotMatch(text, /Garden/);
    const { drafts } = await shared.cid.json('/desk?stage=rejected');
    assert.deepEqual(
      drafts.rows.map((row) => [row.id, 'rows' in row]),
      [[id, false]],
    );
    const csrf = page.form('Open the draft').value('csrf');
    const claim = await shared.cid.postJson(`/desk/${id}`, { do: 'claim' }, { csrf });
    assert.equal(claim.status, 422, claim.text);
    await of('claim', id);
    await of('accept', id);
    const second = await shared.cid.open(`/desk/${id}`);
    assert.equal(second.text('h1'), 'Second entry');
  });

  test('the commands of docs/review.md do what they say', async () => {
    const paper = ['house', '8220001', '--filer', 'robin-vale', '--filed', '2025-02-01'];
    const url = ['--url', 'https://example.org/8220001.pdf'];
    await shared.site.stockact('review', 'new', ...paper, ...url, ...by('ben'));
    const fields = [
      'ownerType=self',
      'side=sell_partial',
      'amountBucket=15k_50k',
      'tradeDate=2025-01-20',
    ];
    await shared.site.stockact(
      ...['review', 'add-row', 'house-8220001', 'assetName=Garden Mills', ...fields, ...by('ben')],
    );
    await shared.site.stockact('review', 'accept', 'house-8220001', ...by('ben'));
    await runCommands(shared.site, commandsOfSection(DOUBLE_ENTRY));
    const [{ state, entry: now }] = await shared.site.stockact('review', 'show', 'house-8220001');
    assert.deepEqual([state, now], ['accepted', 'twice']);
  });
});

// The review desk's help with rows and names: splitting, copying from the row above, undoing a
// deletion, members and symbols by any spelling, and a paper without a file.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { CLEAN, DOUBTFUL, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { text as textOf } from './lib/html.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { drawPage, readPng, wordsOf } from './lib/png.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const VALES = [
  VALE,
  HOLLIS,
  { ...VALE, id: 'V000902', first: 'Rosé', last: 'Valentine', district: 9 },
  { ...VALE, id: 'V000903', first: 'Ada', last: 'Vale', district: 11 },
];
const SYMBOLS = [
  'Symbol,Security Name',
  'HRBR,Harbor Tools Corp - Common Stock',
  'HRTX,Hartex Inc',
  'BRK.B,Berkshire Hathaway Inc Class B',
  'META,Meta Platforms Inc',
  'ZQHT,Hartex Marine Inc',
  'ZQHB,Bellows Corp',
  '',
].join('\n');
const PAGE_DPI = 110;
const PAPER = '99999999-2222-4333-8444-555555555555';

/** Suggested, of which two are named like the company; the last one is as filed, and not known. */
const SUGGESTED = ['ZQHT - Hartex Motors', 'ZQHT-Hartex Engines', 'ZQHB - Bramble Foods'];
const ASSETS = [...SUGGESTED, 'Alpine Dairy Sweden ADR (ZQADY)'];

describe('rows and names on the desk', () => {
  const shared = useSite({}, async (site) => {
    await fillDesk(site);
    const file = (name, text) => {
      writeFileSync(path.join(site.folder, name), text);
      return path.join(site.folder, name);
    };
    await site.stockact('members', 'import', file('more.json', membersJson(VALES)));
    await site.stockact('tickers', 'import', file('nasdaq.csv', SYMBOLS));
    const server = await site.serve();
    const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    return { site, server, ann: await signInOnPage(server, ann) };
  });
  const open = (rest) => shared.ann.open(`/desk${rest}`);
  const press = (page, button, fill = {}, status = 200) =>
    shared.ann.submit(page.form(button), fill, { button, status });
  const rowsOf = async (id) => (await shared.ann.json(`/desk/${id}`)).rows.rows;

  /** A report of these assets, imported. */
  const addReport = async (id) => {
    const rows = ASSETS.map((asset) => ({ ...HOUSE_ROW, asset: `${asset} [ST]` }));
    const name = path.join(shared.site.folder, `${id}.pdf`);
    writeFileSync(name, housePdf({ id, rows }));
    await shared.site.stockact('ingest', name);
    return idOf(id);
  };
  const symbolsOf = async (id) => (await rowsOf(id)).map(({ ticker }) => ticker);

  test('suggested symbols that are named like the company are taken with one key', async () => {
    const id = await addReport('20990021');
    assert.deepEqual(await symbolsOf(id), [null, null, null, 'ZQADY']);
    const page = await open(`/${id}`);
    const button = 'Take 2 suggested symbols';
    assert.equal(page.all('button[value="symbols"][data-key="y"]').length, 1);
    const after = await press(page, button);
    assert.equal(after.all('button[value="symbols"]').length, 0);
    assert.deepEqual(await symbolsOf(id), ['ZQHT', 'ZQHT', null, 'ZQADY']);
    assert.equal((await rowsOf(id))[0].doubts.length, 0);
  });

  test('the company of a row without a symbol is taken on its form', async () => {
    const id = '20990023';
    const rows = [{ ...HOUSE_ROW, asset: 'Apple Inc. [ST]' }]; // a name of the program's lists
    const name = path.join(shared.site.folder, `${id}.pdf`);
    writeFileSync(name, housePdf({ id, rows }));
    await shared.site.stockact('ingest', name);
    const page = await open(`/${idOf(id)}/rows/1`);
    assert.match(page.text('#f-company-said'), /^AAPL, Apple Inc\., by the lists of the day$/);
    const input = page.all('#f-company')[0];
    assert.equal(input.attribs['aria-describedby'], 'f-company-said');
    const [first] = page.all('.rowform form[data-keep] button');
    assert.equal(first.attribs.value, 'save', 'what Enter does');
    const taken = await press(page, 'Take the suggested company');
    assert.equal(taken.form('Save the row').value('company'), 'AAPL');
    const [row] = await rowsOf(idOf(id));
    assert.deepEqual([row.ticker, row.company, row.suggestion], [null, 'AAPL', null]);
  });

  test('one command takes them too, and counts what it left', async () => {
    const id = await addReport('20990022');
    const by = ['--by', 'ben@example.org'];
    const take = () => shared.site.stockact('review', 'take-symbols', id, ...by);
    assert.deepEqual(await take(), [{ filingId: id, taken: 2, confirmed: 0, left: 1 }]);
    assert.deepEqual(await take(), [{ filingId: id, taken: 0, confirmed: 0, left: 1 }]);
    const [{ rows }] = await shared.site.stockact('review', 'show', id);
    assert.deepEqual(rows[2].doubts, ['ticker_suggested: ZQHB is Bellows Corp']);
    assert.deepEqual(rows[3].doubts, ['ticker_unknown: ZQADY']);
  });

  test('a row is split into two, and the copy is opened', async () => {
    const id = idOf(CLEAN[0]);
    const copy = await press(await open(`/${id}/rows/1`), 'Split in two', {
      amountBucket: '15k_50k',
    });
    assert.equal(copy.target.replace(/[?#].*/, ''), `/desk/${id}/rows/2`);
    assert.equal(copy.form('Save the row').value('assetName'), 'Harbor Tools');
    await press(copy, 'Save the row', { amountBucket: '50k_100k' });
    const amounts = (await rowsOf(id)).map(({ amountText }) => amountText);
    assert.deepEqual(amounts, ['$15,001 – $50,000', '$50,001 – $100,000']);
    const { history } = await shared.ann.json(`/desk/${id}`);
    assert.ok(history.some(({ action, new: now }) => action === 'split_row' && now === 'row 2'));
  });

  test('a row is saved and the next one opened, in the same list', async () => {
    const id = idOf(DOUBTFUL);
    const draft = await open(`/${id}?sort=oldest&chamber=house`);
    const [first] = draft.all('tbody td:first-child a').map(({ attribs }) => attribs.href);
    assert.equal(first, `/desk/${id}/rows/1?sort=oldest&chamber=house#row`);
    const row = await shared.ann.open(first.split('#')[0]);
    assert.equal(row.all('form.verdict').length, 0, 'no decision beside words that are not saved');
    const second = await press(row, 'Save, next row', { ownerType: 'joint' });
    assert.match(second.target, /rows\/2\?sort=oldest&chamber=house/);
    assert.match(second.text('.flash'), /The row is saved/);
    const end = await press(second, 'Save, next row');
    assert.equal(end.target, `/desk/${id}?sort=oldest&chamber=house`);
    assert.equal((await rowsOf(id))[0].ownerText, 'joint');
    const added = { assetName: 'Garden Mills', side: 'buy', amountBucket: '1k_15k' };
    const another = await press(await open(`/${id}/rows`), 'Add, another', added);
    assert.match(another.target, /\/rows(#|$)/);
    assert.equal(another.form('Add the row').value('assetName'), '');
    assert.equal((await rowsOf(id)).length, 3);
  });

  test('a deleted row comes back', async () => {
    const id = idOf(CLEAN[0]);
    await press(await open(`/${id}/rows/2`), 'Delete the row');
    const page = await open(`/${id}/rows/2`);
    assert.equal(
      page.forms.filter((form) => form.buttons.some((b) => textOf(b) === 'Split in two')).length,
      0,
    );
    await press(page, 'Undo the deletion');
    assert.equal((await rowsOf(id))[1].removed, false);
  });

  test('a field is copied from the row above without saving', async () => {
    const id = idOf(DOUBTFUL);
    const page = await open(`/${id}/rows/2`);
    const typed = await press(page, 'Copy', { above: 'tradeDate', assetName: 'Garden Mills' });
    const form = typed.form('Save the row');
    assert.equal(form.value('tradeDate'), '2025-01-02');
    assert.equal(form.value('assetName'), 'Garden Mills');
    assert.match(typed.text('form.note'), /have not saved it/);
    assert.equal((await rowsOf(id))[1].tradeDate, '2025-02-02');
    const none = await press(page, 'Copy', {}, 409);
    assert.ok(none);
    const unchosen = await press(await open(`/${id}/rows/2`), 'Copy', {}, 422);
    assert.match(unchosen.text('.faults'), /Choose a field of the row above/);
  });

  test('the row stands above its form as the document shows it', async () => {
    const id = idOf(DOUBTFUL);
    const [image] = (await open(`/${id}/rows/2`)).all('.place img');
    assert.equal(image.attribs.src, `/desk/${id}/strips/2.png`);
    const strip = await shared.ann.request('GET', image.attribs.src);
    assert.equal(strip.header('content-type'), 'image/png');
    assert.equal((await shared.ann.request('GET', `/desk/${id}/strips/x.png`)).status, 404);
    assert.equal((await open(`/${idOf(CLEAN[0])}/rows/2`)).all('.place').length, 0, 'a copy');
  });

  test('an open row is marked on its page', async () => {
    const id = idOf(DOUBTFUL);
    const file = path.join(shared.site.folder, 'inbox', `${DOUBTFUL}.pdf`);
    const tops = wordsOf(file).filter(({ text }) => text === 'Harbor');
    assert.equal(tops.length, 2);
    for (const [i, word] of tops.entries()) {
      const [image] = (await open(`/${id}/rows/${i + 1}`)).all('.original img');
      assert.equal(image.attribs.src, `/desk/${id}/rows/${i + 1}/pages/1.png`);
      const { body } = await shared.ann.request('GET', image.attribs.src);
      const { marked, lines } = readPng(body);
      const plain = drawPage(file, 1, PAGE_DPI);
      assert.ok(lines.every((line, y) => line.equals(plain.lines[y])));
      const points = ({ top }) => (top * PAGE_DPI) / 72;
      assert.ok(marked.includes(Math.round(points(word))), `row ${i + 1}`);
      assert.ok(!marked.includes(Math.round(points(tops[1 - i]))), `row ${i + 1} alone`);
      assert.equal(marked.at(-1) - marked[0] + 1, marked.length, 'one strip of the page');
    }
    const [whole] = (await open(`/${id}`)).all('.original img');
    assert.equal(whole.attribs.src, `/desk/${id}/pages/1.png`);
    const added = await open(`/${idOf(CLEAN[0])}/rows/2`);
    const [unmarked] = added.all('.original img');
    assert.equal(unmarked.attribs.src, `/desk/${idOf(CLEAN[0])}/pages/1.png`, 'a copy');
    for (const wrong of ['rows/0/pages/1.png', 'rows/x/pages/1.png', 'rows/1/pages/0.png'])
      assert.equal((await shared.ann.request('GET', `/desk/${id}/${wrong}`)).status, 404, wrong);
  });

  test('a member is named in any spelling, and chosen if several have the name', async () => {
    const id = idOf(SCAN);
    const several = await press(await open(`/${id}`), 'Save the filing', { member: 'vale' }, 422);
    assert.match(several.text('.faults'), /several members match this name: choose one/i);
    assert.equal(several.all('.faults li').length, 1);
    const labels = several.all('fieldset.field label').map(textOf);
    assert.ok(labels.includes('Ada Vale, CA-11, until 2031'), labels);
    assert.equal(
      labels.some((label) => label.includes('Hollis')),
      false,
      'senators file elsewhere',
    );
    await press(several, 'Save the filing', { choice: 'ada-vale' });
    const { draft } = await shared.ann.json(`/desk/${id}`);
    assert.equal(draft.slug, 'ada-vale');
    await press(await open(`/${id}`), 'Save the filing', { member: 'VALENTINE, Hon. Rose' });
    assert.equal((await shared.ann.json(`/desk/${id}`)).draft.slug, 'rose-valentine');
    const nobody = await press(await open(`/${id}`), 'Save the filing', { member: 'Quentin' }, 422);
    assert.match(nobody.text('.faults'), /No member of the House matches this name/);
  });

  test('symbols are found by company', async () => {
    const page = await open('/find?symbol=harbor');
    assert.match(page.text('.found'), /^HRBR Harbor Tools/);
    const { symbols } = await shared.ann.json('/desk/find?symbol=hr');
    assert.deepEqual(
      symbols.map(({ symbol }) => symbol),
      ['HRBR', 'HRTX'],
    );
    assert.match((await open('/find?member=100%25')).text(), /No member matches this name/);
  });

  test('symbols are found in any spelling, and by a former symbol', async () => {
    const found = async (text) =>
      (await shared.ann.json(`/desk/find?symbol=${encodeURIComponent(text)}`)).symbols;
    for (const text of ['BRK-B', 'BRK/B', 'brk.b', 'brk b', 'Brk-'])
      assert.deepEqual(
        (await found(text)).map(({ symbol }) => symbol),
        ['BRK.B'],
        text,
      );
    const [later] = await found('fb');
    assert.equal(later.symbol, 'META');
    assert.match(later.company, /^Meta Platforms.*, FB before 2022-06-09$/);
    const chain = (await found('VIAB')).map(({ symbol }) => symbol);
    assert.deepEqual(chain.slice(0, 2), ['VIAC', 'PARA']);
    assert.deepEqual(await found('-'), []);
    assert.match((await open('/find?symbol=FB')).text('.found'), /^META Meta Platforms/);
  });

  test('a paper without a file begins a draft', async () => {
    const page = await open('/new');
    const typed = { chamber: 'senate', document: '123', member: 'hollis', filed: 'May' };
    const wrong = await press(page, 'Begin the draft', typed, 422);
    const form = wrong.form('Begin the draft');
    assert.ok(form.fault('document'));
    assert.ok(form.fault('filed'));
    assert.equal(form.value('member'), 'hollis');
    const begun = await press(wrong, 'Begin the draft', {
      document: PAPER,
      filed: '2024-05-06',
      url: `https://efdsearch.senate.gov/search/view/paper/${PAPER}/`,
    });
    assert.equal(begun.target, `/desk/senate-${PAPER}`);
    assert.equal(begun.heading, 'Dana Hollis');
    const twice = await press(
      await open('/new'),
      'Begin the draft',
      typed && { ...typed, document: PAPER, filed: '' },
      422,
    );
    assert.match(twice.text('.faults'), /already has a draft/);
  });

  test('the official address is proposed from the date and the number, and confirmed', async () => {
    const draft = { chamber: 'house', document: '8220099', member: 'robin-vale' };
    const begun = await press(await open('/new'), 'Begin the draft', draft);
    assert.equal(begun.all('input[name="proposed"]').length, 0);
    const dated = await press(begun, 'Save the filing', { filed: '2024-12-30' });
    const url = 'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2024/8220099.pdf';
    assert.match(dated.text('.obstacles'), /not known: open the proposed one, and confirm it/);
    assert.ok(dated.all(`a[href="${url}"]`).length);
    const known = async () => (await shared.ann.json('/desk/house-8220099')).draft.url;
    await press(dated, 'Save the filing');
    assert.equal(await known(), null);
    const told = await shared.site.run([
      'review',
      'accept',
      'house-8220099',
      '--by',
      'ann@example.org',
    ]);
    assert.match(told.stderr, new RegExp(`review set house-8220099 0 url ${url} `));
    const boxed = await open('/house-8220099');
    await press(boxed, 'Save the filing', { proposed: url });
    assert.equal(await known(), url);
  });

  describe('in a browser', { skip: noChromium }, () => {
    const browser = useBrowser();
    test('names are offered, and a field is filled down by key', async (t) => {
      const at = (rest) => browser.open(t, shared.server, `/desk${rest}`, { visitor: shared.ann });
      const page = await at(`/${idOf(CLEAN[0])}/rows/2`);
      await page.locator('#f-ticker').fill('harb');
      const offered = () =>
        page.locator('#f-ticker-found option').evaluateAll((all) => all.map((one) => one.value));
      await until('the symbol', async () => (await offered()).includes('HRBR'));
      await page.locator('#f-ticker').fill('BRK-B');
      await until('the other spelling', async () => (await offered()).includes('BRK.B'));
      const label = await page.locator('#f-ticker-found option').first().textContent();
      assert.match(label, /BRK-B/, 'a browser offers only what contains the typed text');
      await page.locator('#f-ticker').fill('');
      await page.locator('#f-tradeDate').fill('');
      await page.locator('#f-tradeDate').press('Control+d');
      assert.equal(await page.locator('#f-tradeDate').inputValue(), '2025-01-02');
      await page.locator('#f-amountBucket').press('Control+d');
      assert.equal(await page.locator('#f-amountBucket').inputValue(), '15k_50k');
      const draft = await at(`/${idOf(SCAN)}`);
      await draft.locator('#f-member').fill('vale');
      await until(
        'the members',
        async () => (await draft.locator('#f-member-found option').count()) > 1,
      );
    });
  });
});

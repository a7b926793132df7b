// The stored page of an electronic Senate report, as text beside its draft: what the file has, also
// where the reader of rows or an editor says something else, and nothing that runs.

import { strict as assert } from 'node:assert';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { text as textOf } from './lib/html.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { sharedData } from './lib/settings.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { uuid } from './lib/undoing.mjs';

const ID = `senate-${uuid('a')}`;
const HOSTILE =
  '<script>steal()</script><img src=x onerror="steal()"><iframe src="//evil.example"></iframe>' +
  '<style>body { display: none }</style><form action="//evil.example"><p>Typed &amp; signed</form>';

onEachDatabase('the stored page of a Senate report', (kind) => {
  const shared = useSite({ database: kind }, async (site) => {
    const inbox = path.join(site.folder, 'inbox');
    const page = senatePage({
      rows: [SENATE_ROW, { ...SENATE_ROW, ticker: null, asset: '<b>Bellows</b> & Sons' }],
    });
    mkdirSync(inbox);
    writeFileSync(path.join(site.folder, 'members.json'), membersJson([HOLLIS]));
    writeFileSync(
      path.join(inbox, `${uuid('a')}.html`),
      page.replace('</body>', `${HOSTILE}</body>`),
    );
    await site.stockact('members', 'import', path.join(site.folder, 'members.json'));
    await site.stockact('ingest', inbox);
    const owner = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const server = await site.serve();
    return { site, server, ann: await signInOnPage(server, owner) };
  });
  const open = (rest = '') => shared.ann.open(`/desk/${ID}${rest}`);

  test('it has the texts and rows of the file in their order', async () => {
    const { stored } = await shared.ann.json(`/desk/${ID}/rows/2`);
    const lines = stored.blocks.filter(({ line }) => line).map(({ line }) => line);
    assert.ok(lines.includes('Periodic Transaction Report for 01/29/2024'), lines.join('; '));
    assert.ok(lines.includes('(2 transactions total)'));
    const { rows } = stored.blocks.find(({ table }) => table).table;
    assert.deepEqual(
      rows.map(({ isTitle, isOpen, cells }) => [isTitle, isOpen, cells[0].text, cells[4].text]),
      [
        [true, false, '#', 'Asset Name'],
        [false, true, '2', '<b>Bellows</b> & Sons'],
        [false, false, '1', 'Harbor Tools'],
      ],
    );
    assert.equal(rows[1].cells[4].label, 'Asset Name');
  });

  test('an edit of the row leaves it as it is, with the place marked', async () => {
    const page = await open('/rows/1');
    assert.match(textOf(page.one('.original tr[aria-current]')), /^1.*Harbor Tools/);
    await shared.ann.submit(page.form('Save the row'), { assetName: 'Another' });
    const saved = await open('/rows/1');
    assert.equal(saved.form('Save the row').value('assetName'), 'Another');
    assert.match(textOf(saved.one('.original tr[aria-current]')), /^1.*Harbor Tools/);
    const review = (...words) =>
      shared.site.stockact('review', ...words, '--by', 'ann@example.org');
    await review('add-row', ID, 'assetName=Cinder', 'side=buy', 'amountBucket=1k_15k');
    const added = await open('/rows/3');
    assert.match(added.text('.original'), /No row of the page has this number/);
  });

  test('nothing of it runs or is loaded', async () => {
    const { html } = await open();
    const original = html.split('aria-label="Original"')[1].split('</section>')[0];
    assert.doesNotMatch(original, /<(script|img|iframe|style|form|b)\b|steal|evil/i);
    assert.match(original, /&lt;b&gt;Bellows&lt;\/b&gt; &amp; Sons/);
    assert.match(original, /Typed &amp; signed/);
  });
});

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
];
const EVERY = 10; // of the real pages
const REAL = sharedData('senate', 'ptr-html');
const MEMBERS = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);

/** Invented pages with few and many rows, as long as real ones, and real ones where they are. */
async function fill(site) {
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  const members = [path.join(site.folder, 'members.json')];
  writeFileSync(members[0], membersJson([HOLLIS]));
  for (const [i, count] of [1, 3, 20, 127].entries()) {
    const rows = Array.from({ length: count }, (_, row) => ({ ...SENATE_ROW, asset: `A ${row}` }));
    writeFileSync(path.join(inbox, `${uuid('bcde'[i])}.html`), senatePage({ rows }));
  }
  if (REAL) {
    members.push(...MEMBERS);
    for (const name of readdirSync(REAL).filter((_, i) => i % EVERY === 0))
      copyFileSync(path.join(REAL, name), path.join(inbox, name));
  }
  for (const file of members) await site.stockact('members', 'import', file);
  await site.stockact('ingest', inbox);
  const drafts = await site.stockact('review', 'list');
  return drafts.map(({ filingId }) => filingId);
}

/** Of the page that is open: is the first row of the document all in sight, and not covered? */
const firstRowInSight = () => {
  const row = document.querySelector('.original tr:has(td)');
  const box = row.getBoundingClientRect();
  const at = document.elementFromPoint(box.left + 5, box.bottom - 3);
  return row.contains(at) && box.bottom <= window.innerHeight;
};

describe('the layout of an electronic Senate report', { skip: noChromium }, () => {
  const browser = useBrowser();

  test('its first row is in sight, and the rows stand in its order', async (t) => {
    const site = await makeSite(t);
    const ids = await fill(site);
    const owner = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const server = await site.serve();
    const visitor = await signInOnPage(server, owner);
    const page = await browser.open(t, server, '/desk', { visitor });
    assert.ok(ids.length >= 4);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      const hidden = [];
      for (const id of ids) {
        await page.goto(`${server.url}/desk/${id}`);
        if (!(await page.evaluate(firstRowInSight))) hidden.push(id);
        const numbers = (place) =>
          page.locator(`${place} tbody tr td:first-child`).allTextContents();
        const read = (await numbers('.reading .table >> nth=-1')).map(Number);
        const printed = (await numbers('.original .table')).map(Number);
        assert.deepEqual(
          read.filter((row) => printed.includes(row)),
          printed.filter((row) => read.includes(row)),
          id,
        );
      }
      assert.ok(hidden.length <= ids.length / 100, `${size.width}: ${hidden} of ${ids.length}`);
    }
  });

  test('the document follows the row that has the focus', async (t) => {
    const site = await makeSite(t);
    await fill(site);
    const owner = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
    const server = await site.serve();
    const visitor = await signInOnPage(server, owner);
    const id = `senate-${uuid('e')}`;
    const page = await browser.open(t, server, `/desk/${id}`, { visitor });
    await page.setViewportSize(SIZES[1]);
    const last = page.locator('.reading tbody tr').last().getByRole('link');
    const number = await last.textContent();
    await last.focus();
    const marked = page.locator('.original tr[aria-current]');
    await marked.waitFor();
    assert.equal((await marked.locator('td').first().textContent()).trim(), number.trim());
    assert.equal(
      await marked.evaluate((row) => {
        const box = row.getBoundingClientRect();
        return row.contains(document.elementFromPoint(box.left + 5, box.top + box.height / 2));
      }),
      true,
      'and it is in sight',
    );
  });
});

// The stored page of an electronic Senate report, as text beside its draft: what the file has, also
// where the reader of rows or an editor says something else, and nothing that runs.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { text as textOf } from './lib/html.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
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
    assert.match(added.text('.original'), /No row in it has this number/);
  });

  test('nothing of it runs or is loaded', async () => {
    const { html } = await open();
    const original = html.split('aria-label="Original"')[1].split('</section>')[0];
    assert.doesNotMatch(original, /<(script|img|iframe|style|form|b)\b|steal|evil/i);
    assert.match(original, /&lt;b&gt;Bellows&lt;\/b&gt; &amp; Sons/);
    assert.match(original, /Typed &amp; signed/);
  });
});

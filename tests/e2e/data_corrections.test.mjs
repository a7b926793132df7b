// /corrections, and the corrections on the page of a trade: what changed after publication, and why.

import { strict as assert } from 'node:assert';
import { text } from './lib/html.mjs';
import test from 'node:test';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const ROWS = '.table tbody tr';
const rows = (page) => page.all(ROWS).map((row) => text(row).replace(/\s+/g, ' '));

onEachDatabase('corrections on pages', (kind) => {
  test('a change, a withdrawal and its end are on the list, the trade and its feed', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    await site.stockact('demo', '--trades', 60, '--as-of', '2026-02-01');
    const server = await site.serve();
    const visitor = newVisitor(server);
    const { data } = await server.json('/api/v1/trades?limit=5');
    const [changed, withdrawn] = data;
    await site.stockact('correct', changed.id, 'ownerType', 'child', ...because('the box says DC'));
    await site.stockact('withdraw', withdrawn.id, ...because('<i>printed twice</i>'));
    await site.stockact('reinstate', withdrawn.id, ...because('not twice'));
    const shown = rows(await visitor.open('/corrections'));
    assert.match(shown[0], new RegExp(`${withdrawn.id} ?reinstated.*not twice`));
    assert.match(shown[1], /withdrawn.*<i>printed twice<\/i>/);
    assert.match(shown[2], new RegExp(`${changed.id} ?corrected.*owner: .*child.*the box says DC`));
    assert.ok(shown[2].includes(`${changed.politician.name}: ${changed.assetName}`), shown[2]);
    assert.match(shown[3], /history imported.*60 trades/);
    assert.equal(rows(await visitor.open('/corrections?kind=field')).length, 1);
    const of = `/corrections?politician_slug=${changed.politician.slug}`;
    assert.ok(rows(await visitor.open(of)).some((row) => row.includes(changed.id)));
    const page = await visitor.open(`/trades/${changed.id}`);
    assert.match(
      page.text('section[aria-labelledby=corrected]'),
      /owner: .*child.*the box says DC/,
    );
    for (const query of ['kind=x', 'cursor=x', 'politician_slug=%2F%2F']) {
      await visitor.open(`/corrections?${query}`, { status: 400 });
    }
  });

  test('pages lead to the oldest correction, each once', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    await site.stockact('demo', '--trades', 60, '--as-of', '2026-02-01');
    const server = await site.serve();
    const { data } = await server.json('/api/v1/trades?limit=1');
    for (let i = 0; i < 30; i++) {
      const owner = i % 2 ? 'spouse' : 'joint';
      await site.stockact('correct', data[0].id, 'ownerType', owner, ...because(`reason ${i}`));
    }
    const seen = [];
    for (let target = '/corrections?kind=field'; target;) {
      const page = await newVisitor(server).open(target);
      seen.push(...page.all(`${ROWS} td:last-child`).map((node) => text(node)));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    const expected = Array.from({ length: 30 }, (_, i) => `reason ${29 - i}`);
    assert.deepEqual(seen.slice(0, 29), expected.slice(0, 29));
  });
});

test('a correction of a publication that a visitor does not see yet is not on the list', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-02-01');
  const server = await site.serve();
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const newestTrade = async () => (await server.json('/api/v1/trades?limit=1')).data[0];
  const newest = async () => (await newestTrade()).id;
  const before = await newest();
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  await until('the trade is served', async () => (await newest()) !== before);
  const owner = (await newestTrade()).ownerType === 'child' ? 'self' : 'child';
  await site.stockact('correct', await newest(), 'ownerType', owner, ...because('misread'));
  const count = async (visitor) => rows(await visitor.open('/corrections?kind=field')).length;
  assert.equal(await count(wolf), 1);
  assert.equal(await count(newVisitor(server)), 0);
  await site.clock.advance(48 * 3_600_000);
  assert.equal(await count(newVisitor(server)), 1);
});

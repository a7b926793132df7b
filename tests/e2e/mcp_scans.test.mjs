// The two tools that scan the feed, with a long feed, an interrupted one, and one full of matches:
// nothing is missing, nothing is repeated, and a gap is reported.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { FakeApi, page, rateLimited, reply, trades } from './lib/fake_api.mjs';
import { Peer } from './lib/mcp_peer.mjs';

/** The feed, with another response to the request with this number. */
const feedWith = (all, number, answer) => {
  let asked = 0;
  return (socket, { line }) => (++asked === number ? answer : page(all, line.split(' ')[1]));
};

const CUTS = [
  ['429', rateLimited(41), /wait 41 seconds/],
  ['500', reply(500), /status 500/],
  ['something else than JSON', reply(200, 'x'), /does not have the form/],
];

for (const [what, answer, why] of CUTS) {
  test(`a scan whose second page is ${what} tells what there is, and goes on`, async (t) => {
    const all = trades(450, { conflictEvery: 3 });
    const wanted = all.filter(({ conflictSignal }) => conflictSignal).map(({ id }) => id);
    const api = await FakeApi.start(t, feedWith(all, 2, answer));
    const peer = await Peer.start(t, { url: api.url });
    const seen = [];
    let cut = await peer.found('get_conflicted_trades');
    assert.match(cut.cutShort, why);
    assert.equal(cut.nextCursor, 'c100');
    for (;;) {
      seen.push(...cut.data.map(({ id }) => id));
      if (cut.nextCursor === null) break;
      cut = await peer.found('get_conflicted_trades', { cursor: cut.nextCursor, max_pages: 2 });
      assert.equal(cut.cutShort, undefined);
    }
    assert.deepEqual(seen, wanted, 'none missing, none twice, in order');

    api.play = feedWith(all, 2, answer);
    const { data, scan } = await peer.found('find_politician', { name: 'Ada Vale' });
    assert.equal(data[0].slug, 'ada-vale');
    assert.equal(data[0].trades, 20);
    assert.deepEqual([scan.trades, scan.politicians, scan.complete], [100, 5, false]);
    assert.match(scan.cutShort, why);

    api.play = answer;
    assert.match(await peer.refused('find_politician', { name: 'Ada Vale' }), why);
    assert.match(await peer.refused('get_conflicted_trades'), why);
  });
}

test('a scan continues over a page that needed a retry', async (t) => {
  const all = trades(150, { conflictEvery: 1 });
  const api = await FakeApi.start(t, feedWith(all, 2, reply(503)));
  const peer = await Peer.start(t, { url: api.url });
  const { scan } = await peer.found('find_politician', { name: 'Ada Vale' });
  assert.deepEqual([scan.trades, scan.complete, scan.cutShort], [150, true, null]);
  assert.equal(api.requests.length, 3);
});

test('scans read at most max_pages pages of 100 trades', async (t) => {
  const all = trades(2000);
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const peer = await Peer.start(t, { url: api.url });
  for (const [tool, args, pages] of [
    ['find_politician', { name: 'Vale' }, 3],
    ['find_politician', { name: 'Vale', max_pages: 8 }, 8],
    ['find_politician', { name: 'Vale', max_pages: 1 }, 1],
    ['get_conflicted_trades', {}, 3],
    ['get_conflicted_trades', { max_pages: 5 }, 5],
    ['get_conflicted_trades', { max_pages: null, cursor: '' }, 3],
  ]) {
    const before = api.requests.length;
    const { scan, nextCursor } = await peer.found(tool, args);
    const targets = api.targets.slice(before).filter((one) => one.startsWith('/api/v1/trades?'));
    assert.equal(targets.length, pages);
    assert.ok(targets.every((target) => target.includes('limit=100')));
    if (scan) assert.deepEqual([scan.trades, scan.complete], [100 * pages, false]);
    else assert.equal(nextCursor, `c${100 * pages}`);
  }
  for (const [tool, args] of [
    ['find_politician', { name: 'Vale', max_pages: 9 }],
    ['get_conflicted_trades', { max_pages: 6 }],
  ])
    assert.match(await peer.refused(tool, args), /max_pages must be an integer from 1 to [58]\.$/);
});

test('a scan for conflicts stops at 100, and its cursor continues after them', async (t) => {
  const all = trades(400, { conflictEvery: 1 });
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const peer = await Peer.start(t, { url: api.url });
  const first = await peer.found('get_conflicted_trades', { max_pages: 5 });
  assert.equal(first.data.length, 100);
  assert.equal(first.nextCursor, 'c100');
  assert.equal(api.requests.length, 1);
  const next = await peer.found('get_conflicted_trades', { cursor: 'c350', max_pages: 5 });
  assert.deepEqual([next.data.length, next.nextCursor], [50, null]);
});

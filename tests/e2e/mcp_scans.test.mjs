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
    const all = trades(450, { conflictEvery: 30 });
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

/** A feed of `all`, and a search that finds by the words of `q` what `found` has for them. */
const withSearch =
  (all, found) =>
  (socket, { line }) => {
    const target = line.split(' ')[1];
    if (!target.startsWith('/api/v1/politicians?')) return page(all, target);
    return page(found(new URL(target, 'http://x').searchParams.get('q')), target);
  };

const searched = (api) =>
  api.targets
    .filter((target) => target.startsWith('/api/v1/politicians?'))
    .map((target) => new URL(target, 'http://x').searchParams.get('q'));

const profile = (name, inOffice = true) => ({
  id: name,
  slug: name.toLowerCase().replaceAll(' ', '-'),
  name,
  chamber: 'house',
  party: 'Independent',
  state: 'VT',
  district: 1,
  inOffice,
  committees: [],
  counts: { trades: 0, indexed: 7, waiting: name.length },
});

test('a name that the scan does not surely have is searched among all members', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  for (const [name, people, words, slugs] of [
    ['Ada Vale', ['Ada Vale'], [], ['ada-vale']],
    ['Fay Quill', ['Fay Quill'], ['fay quill'], ['fay-quill']],
    ['Quill, Fay', ['Fay Quill'], ['fay quill'], ['fay-quill']],
    ['Bob Quill', ['Robert Quill'], ['bob quill', 'quill'], ['robert-quill']],
    ['Fay Quillmn', ['Fay Quillman'], ['fay quillmn', 'quillmn', 'quil'], ['fay-quillman']],
    ['Fay Quill', [], ['fay quill', 'quill', 'quil'], []],
    ['Vale', ['Zoe Vale'], ['vale'], ['ada-vale', 'zoe-vale']],
  ]) {
    api.play = withSearch(trades(100), (q) =>
      people
        .filter((one) => q.split(' ').every((word) => one.toLowerCase().includes(word)))
        .map((one) => profile(one)),
    );
    const before = searched(api).length;
    const { data, scan, note } = await peer.found('find_politician', { name });
    assert.deepEqual(searched(api).slice(before), words, name);
    assert.deepEqual(
      data.map(({ slug }) => slug),
      slugs,
      name,
    );
    assert.deepEqual([scan.searched, scan.politicians], [words.length > 0, 5]);
    for (const one of data)
      assert.equal(
        one.waiting,
        people.includes(one.name) && scan.searched ? one.name.length : null,
      );
    if (words.length > 0) assert.match(note, /all members were searched too/);
    else assert.equal(note, undefined);
    if (slugs.length === 0) assert.match(note, /no name matches\. Try/);
  }
});

test('the search reads three pages at most, and members of today come first', async (t) => {
  const many = Array.from({ length: 450 }, (_, n) => profile(`Member${n} Quill`, n === 250));
  const api = await FakeApi.start(
    t,
    withSearch(trades(5), () => many),
  );
  const peer = await Peer.start(t, { url: api.url });
  const { data } = await peer.found('find_politician', { name: 'Quill' });
  assert.deepEqual(searched(api), ['quill', 'quill', 'quill']);
  assert.deepEqual([data.length, data[0].slug, data[0].inOffice], [10, 'member250-quill', true]);
  assert.ok(data.slice(1).every(({ inOffice }) => inOffice === false));
});

test('a name that is too long to be searched is not, and a failed search tells why', async (t) => {
  const api = await FakeApi.start(
    t,
    withSearch(trades(5), () => []),
  );
  const peer = await Peer.start(t, { url: api.url });
  const name = `${'Abcdefgh '.repeat(11)}${'x'.repeat(99)}`;
  await peer.found('find_politician', { name });
  assert.deepEqual(searched(api), ['x'.repeat(99), 'xxxx']);
  for (const [answer, why] of [
    [rateLimited(41), /wait 41 seconds/],
    [reply(404, '{"error":"not_found"}'), /does not have this address/],
  ]) {
    api.play = (socket, { line }) =>
      line.includes('/politicians?') ? answer : page(trades(5), line.split(' ')[1]);
    const { data, scan } = await peer.found('find_politician', { name: 'Vale' });
    assert.equal(data[0].slug, 'ada-vale');
    assert.match(scan.cutShort, why);
  }
});

test('filters, words or everywhere ask the index of trades with a signal', async (t) => {
  const all = trades(450, { conflictEvery: 1 });
  for (const [n, trade] of all.entries())
    if (n % 150 === 149) trade.conflictReason = 'The “Ärmed” Services Committee oversees it.';
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const peer = await Peer.start(t, { url: api.url });
  for (const [args, asked] of [
    [{ everywhere: true }, ['limit=25&conflict=true']],
    [{ everywhere: false, limit: 5, max_pages: 1 }, ['limit=100', 'limit=33']],
    [{ side: 'buy', limit: 7, max_pages: 5 }, ['limit=7&conflict=true&side=buy']],
    [
      { ticker: 'A B', since: '2020-03-01', until: '2020-03-31', cursor: 'c9', fields: 'details' },
      [
        'limit=25&conflict=true&ticker=A%20B&since=2020-03-01T00:00:00.000Z' +
          '&until=2020-04-01T00:00:00.000Z&fields=details&cursor=c9',
      ],
    ],
    [
      { about: 'armed services', max_pages: 2 },
      ['limit=100&conflict=true', 'limit=100&conflict=true&cursor=c100'],
    ],
    [{ about: 'invented', limit: 3 }, ['limit=100&conflict=true', 'limit=3&conflict=true']],
  ]) {
    const before = api.requests.length;
    await peer.found('get_conflicted_trades', args);
    const targets = api.targets
      .slice(before)
      .map((target) =>
        decodeURI(target.split('?')[1]).replaceAll('%3A', ':').replaceAll(' ', '%20'),
      );
    assert.deepEqual(targets, asked, JSON.stringify(args));
  }
  const about = { about: '  ARMED-services! ', max_pages: 4 };
  const { data, nextCursor, note } = await peer.found('get_conflicted_trades', about);
  assert.deepEqual(
    [data.map(({ id }) => id), nextCursor, note],
    [['trade-00149', 'trade-00299'], 'c400', undefined],
  );
  const none = await peer.found('get_conflicted_trades', { about: 'navy', max_pages: 1 });
  assert.deepEqual([none.data, none.nextCursor], [[], 'c100']);
  assert.match(none.note, /^None of 100 trades with a signal fits .*nextCursor continues\./);
  assert.match(none.note, /nearest words that are known: .+, .+, .+\.$/);
});

test('a search for words returns at most limit trades and continues right behind them', async (t) => {
  const all = trades(450, { conflictEvery: 1 });
  for (const [n, trade] of all.entries())
    if (n % 30 === 29) trade.conflictReason = 'The Navy Committee oversees it.';
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const peer = await Peer.start(t, { url: api.url });
  const found = [];
  let cursor = null;
  do {
    const args = { about: 'navy', limit: 2, max_pages: 2, ...(cursor && { cursor }) };
    const { data, nextCursor } = await peer.found('get_conflicted_trades', args);
    assert.ok(data.length <= 2);
    found.push(...data.map(({ id }) => id));
    cursor = nextCursor;
  } while (cursor);
  const expected = all.filter(({ conflictReason }) => conflictReason.includes('Navy'));
  assert.deepEqual(
    found,
    expected.map(({ id }) => id),
  );
  // A server that ignores the limit is asked once more, and not again and again.
  api.play = (socket, { line }) => page(all, line.split(' ')[1].replace(/limit=\d+/, 'limit=100'));
  const before = api.requests.length;
  const { data } = await peer.found('get_conflicted_trades', { about: 'navy', limit: 2 });
  assert.deepEqual([data.length, api.requests.length - before], [3, 2]);
});

test('a scan for conflicts stops when its result is full, and continues after it', async (t) => {
  const all = trades(400, { conflictEvery: 1 });
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  const peer = await Peer.start(t, { url: api.url });
  const first = await peer.found('get_conflicted_trades', { max_pages: 5 });
  const count = first.data.length;
  assert.ok(count > 10 && count < 100, `${count}`);
  assert.equal(first.nextCursor, `c${count}`);
  assert.equal(api.requests.length, 2, 'the page, and the page cut');
  const next = await peer.found('get_conflicted_trades', { cursor: 'c390', max_pages: 5 });
  assert.deepEqual([next.data.length, next.nextCursor], [10, null]);
});

// No output has a hidden character as it is (decision 50), and no person publishes one. Each test
// looks at what the real program wrote; hidden_fields.test.mjs has the fields of every format.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { FakeApi, inTurn, json, page, refusal, reply, trades } from './lib/fake_api.mjs';
import { HIDDEN, assertNothingHidden, codeOf, hiddenIn, shown } from './lib/hidden.mjs';
import { FULL_SENATE_ROW, within } from './lib/hidden_documents.mjs';
import { Peer } from './lib/mcp_peer.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { Receiver, answer } from './lib/receivers.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { Watched } from './lib/hidden_site.mjs';

const CHARACTERS = Object.values(HIDDEN);
const ALL = CHARACTERS.join('');
const BY = ['--by', 'ann@example.org'];
const UUID = '5aa4f067-861b-466a-95e5-000000000001';
const FILING = `senate-${UUID}`;

/** A text of JSON, parsed, has the original characters. */
function stringsIn(value) {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...stringsIn(member)]);
}

onEachDatabase('a hidden character', (kind) => {
  test('is not published before a person has typed the field again', async (t) => {
    const watched = await Watched.open(t, { database: kind });
    const rows = [
      FULL_SENATE_ROW,
      { ...FULL_SENATE_ROW, asset: 'Harbor \u202eTools', comment: 'a\u200bb' },
    ];
    const { [`${UUID}.html`]: line } = await watched.ingest({
      [`${UUID}.html`]: senatePage({ rows }),
    });
    assert.equal(line.status, 'needs_manual');
    assert.match(
      line.reason,
      /row 2 asset: U\+202E \(bidirectional control\), row 2 comment: U\+200B/,
    );

    const table = await watched.run('review', 'show', FILING);
    assert.ok(table.stdout.includes('Harbor \\u{202E}Tools'), table.stdout);
    const [view] = await watched.json('review', 'show', FILING);
    assert.equal(view.rows[1].read.assetName, 'Harbor \u202eTools', 'a parser gets the original');

    // Neither by waiving the check nor by an edit that keeps it.
    const despite = ['--despite', 'no_hidden_characters', '--reason', 'looks right'];
    const refused = await watched.fails('review', 'accept', FILING, ...despite, ...BY);
    assert.match(
      refused,
      /assetName of row 2 has U\+202E \(bidirectional control\): type what the/,
    );
    assert.ok(refused.includes(`stockact review set ${FILING} 2 assetName VALUE`), refused);
    for (const character of CHARACTERS.filter((_, index) => index % 6 === 0)) {
      const value = within('Harbor Tools', character);
      const told = await watched.fails('review', 'set', FILING, 2, 'assetName', value, ...BY);
      assert.ok(told.includes(codeOf(character)), told);
      const reason = ['--reason', value];
      await watched.fails('review', 'set', FILING, 2, 'assetName', 'Harbor', ...reason, ...BY);
      await watched.fails('review', 'set', FILING, 2, 'details', `description "${value}"`, ...BY);
    }
    await watched.fails('review', 'add-row', FILING, 'assetName=Har\u200bbor', ...BY);
    await watched.fails('review', 'set', FILING, 0, 'url', 'https://example.org/\u200b', ...BY);
    await watched.fails('review', 'delete-row', FILING, 2, '--reason', 'a\u200bb', ...BY);
    await watched.fails('review', 'reject', FILING, '--reason', 'a\u200bb', ...BY);
    await watched.fails('review', 'claim', FILING, '--by', 'a\u200b@example.org');

    await watched.json('review', 'set', FILING, 2, 'assetName', 'Harbor Tools', ...BY);
    assert.match(await watched.fails('review', 'accept', FILING, ...BY), /no_hidden_characters/);
    await watched.json('review', 'accept', FILING, ...despite, ...BY);
    await watched.json('publish', FILING, ...BY);
    await watched.fails(
      'correct',
      `${FILING}-0002`,
      'assetName',
      'Har\u00adbor',
      '--reason',
      'x',
      ...BY,
    );
    await watched.fails(
      'correct',
      `${FILING}-0002`,
      'assetName',
      'Harbor',
      '--reason',
      '\u{e0041}',
      ...BY,
    );
    for (const command of ['withdraw', 'reinstate'])
      await watched.fails(command, FILING, '--reason', 'a\u202e', ...BY);

    // The cells are evidence: they stay as printed, as escapes of JSON.
    const server = await watched.site.serve();
    const { text } = await server.get(`/api/v1/trades/${FILING}-0002`);
    assertNothingHidden(text, 'the trade');
    const source = JSON.parse(text).data.source;
    assert.deepEqual(source.printed.asset, 'Harbor \u202eTools');
    const reader = await signInOnPage(server, await makeOwner(watched.site, { plan: 'wolf' }));
    const page = await reader.open(`/trades/${FILING}-0002`);
    assertNothingHidden(page.html, 'the page of the trade');
    assert.ok(page.text('.printed').length > 0);
    assert.ok(page.text('main').includes('Harbor \\u{202E}Tools'), 'the printed cell');
  });

  test('that an earlier version published is escaped in every response, and audit names it', async (t) => {
    const watched = await Watched.open(t, { database: kind });
    const { site } = watched;
    const name = `Dana ${ALL.replace('\u0000', '')}Hollis`;
    await site.database.execute(`UPDATE member SET name = '${name}' WHERE id = 'H000902'`);
    await watched.ingest({ [`${UUID}.html`]: senatePage({ rows: [FULL_SENATE_ROW] }) });
    await watched.json('review', 'accept', FILING, ...BY);
    await watched.json('publish', FILING, ...BY);

    const audited = await watched.run('audit', '--kind', 'text', '--json');
    assert.equal(audited.code, 1);
    const found = audited.stdout.split('\n').filter(Boolean).map(JSON.parse);
    assert.equal(found[0].what, 'hidden_character');
    assert.equal(found[0].subject, FILING);
    assert.equal(found[0].other, "the filer's name has U+001B (control character)");
    await watched.run('audit');

    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    for (const target of [
      '/api/v1/trades',
      `/api/v1/trades/${FILING}-0001`,
      '/api/v1/filings',
      '/api/v1/politicians',
      '/api/v1/politicians/dana-hollis',
      '/api/v1/tickers/HRBR',
      '/api/v1/changes',
      '/api/v1/events?limit=100',
      '/api/v1/corrections',
      '/docs',
      '/llms.txt',
      '/llms-full.txt',
      '/openapi.json',
      '/metrics',
    ]) {
      const response = await server.get(target, { key });
      assertNothingHidden(response.text, target);
      if (target.endsWith('trades')) assert.equal(response.json.data[0].politician.name, name);
    }
    const reader = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
    const lists = ['trades', 'politicians', 'tickers', 'filings', 'corrections', 'conflicts'];
    for (const target of [
      ...['/', '/coverage', '/search?q=hollis', `/trades/${FILING}-0001`, `/filings/${FILING}`],
      ...['/politicians/dana-hollis', '/politicians/dana-hollis/filings', '/tickers/HRBR'],
      ...lists.flatMap((list) => [list, `${list}.atom`, `${list}.json`, `${list}.csv`]),
    ]) {
      const response = await reader.request('GET', target.replace(/^[/]?/, '/'));
      assert.equal(response.status, 200, target);
      assertNothingHidden(response.text, target);
    }
    const csv = await server.get('/api/v1/trades?format=csv', { key });
    assertNothingHidden(csv.text, 'CSV');
    for (const character of CHARACTERS.filter((c) => c !== '\n'))
      assert.ok(csv.text.includes(shown(character)), codeOf(character));
    assertNothingHidden(server.log, 'the log');

    const peer = await Peer.start(t, { url: server.url, key });
    for (const tool of ['list_trades', 'find_politician', 'get_trade']) {
      const args =
        tool === 'find_politician'
          ? { name: 'Hollis' }
          : tool === 'get_trade'
            ? { id: `${FILING}-0001` }
            : {};
      const id = peer.beginCall(tool, args);
      for (const text of stringsIn(await peer.answer(id)))
        assert.deepEqual(hiddenIn(text), [], tool);
    }
    assertNothingHidden(Buffer.from(peer.child.stdout, 'latin1').toString(), 'stockact-mcp');
  });
});

describe('hidden characters', () => {
  test('of arguments, file names and settings are shown in errors', async (t) => {
    const watched = await Watched.open(t);
    for (const odd of [within('odd', ALL), 'odd\u202e', 'odd\u{e0041}\u009b']) {
      for (const args of [
        [odd],
        ['review', odd],
        ['review', 'show', odd],
        ['review', 'show', FILING, `--${odd}`],
        ['review', 'list', '--state', odd],
        ['review', 'list', '--config', odd],
        ['ingest', `${odd}/${odd}`],
        ['members', 'import', odd],
        ['withdraw', odd, '--reason', 'x', ...BY],
        ['audit', '--kind', odd],
        ['keys', 'mint', '--email', 'a@example.org', '--name', odd],
        ['accounts', 'create', '--email', `${odd}@example.org`, '--plan', 'pack'],
        ['webhooks', 'add', '--email', 'a@example.org', '--url', `https://${odd}.example.org/`],
        ['sync', odd],
      ]) {
        await watched.run(...args);
        await watched.run(...args, '--json');
      }
    }
    const file = watched.file('a.conf', `data${ALL}base = 1\n`);
    await watched.fails('review', 'list', '--config', file);
    await watched.ingest({ [`odd \u202e\u{e0041}\u009b.pdf`]: 'no document \u202e' });
    const logged = await watched.run('coverage', '--database', `sqlite:/nowhere/${ALL}`);
    assert.notEqual(logged.code, 0);
  });

  test('of a request are escaped in its response and in the log', async (t) => {
    const watched = await Watched.open(t);
    const server = await watched.site.serve({ env: { STOCKACT_LOG_FORMAT: 'logfmt' } });
    const key = await watched.site.key({ plan: 'den' });
    const encoded = encodeURIComponent(ALL);
    for (const target of [
      `/api/v1/trades?${encoded}=1`,
      `/api/v1/trades?ticker=${encoded}`,
      `/api/v1/trades?asset=${encoded}`,
      `/api/v1/politicians?q=${encoded}`,
      `/api/v1/trades?cursor=${encoded}`,
      `/api/v1/trades/${encoded}`,
      `/api/v1/politicians/${encoded}`,
      `/${encoded}`,
    ]) {
      const response = await server.get(target, { key });
      assert.ok(response.status >= 400, `${target}: ${response.status}`);
      assertNothingHidden(response.text, target);
      assertNothingHidden(JSON.stringify(response.headers), target);
    }
    for (const character of CHARACTERS.filter((c) => c !== '\u0000')) {
      const target = `/api/v1/politicians?q=${encodeURIComponent(`a${character}b`)}`;
      assert.equal((await server.get(target, { key })).status, 400, codeOf(character));
    }
    assertNothingHidden(server.log, 'the log');
  });

  test('of a receiver are shown in what its owner sees', async (t) => {
    const body = `no ${ALL} more`;
    const receiver = await Receiver.start(t, () =>
      answer(500, 'Retry-After: \u009b31m\r\nX-Odd: \u202e\r\n', body),
    );
    const watched = await Watched.open(t, { env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' } });
    const server = await watched.site.serve();
    const email = await watched.site.account({ plan: 'den' });
    const [added] = await watched.json(
      'webhooks',
      'add',
      '--email',
      email,
      '--url',
      receiver.url(),
    );
    await watched.run('webhooks', 'test', '--id', added.id);
    const tested = await watched.run('webhooks', 'test', '--id', added.id, '--json');
    assert.ok(JSON.parse(tested.stdout.split('\n')[0]).answer.includes('\u202e'), tested.stdout);

    await watched.ingest({ [`${UUID}.html`]: senatePage({ rows: [FULL_SENATE_ROW] }) });
    await watched.json('review', 'accept', FILING, ...BY);
    await watched.json('publish', FILING, ...BY);
    const attempts = () =>
      watched.site.database.query(
        'SELECT d.id FROM attempt a JOIN delivery d ON d.no = a.delivery_no',
      );
    await until('an attempt', async () => (await attempts()).length > 0);
    const [{ id }] = await attempts();
    const table = await watched.run('webhooks', 'deliveries', '--attempts', id);
    assert.ok(table.stdout.includes('\\u{202E}'), table.stdout);
    await watched.run('webhooks', 'deliveries', '--attempts', id, '--json');
    await watched.run('webhooks', 'deliveries');
    assertNothingHidden(server.log, 'the log');
  });

  test('of an API are shown to a model, also in errors, and of its own requests', async (t) => {
    const odd = trades(2).map((trade) => ({
      ...trade,
      assetName: within('Acme', ALL),
      [`extra${ALL}`]: ALL,
      politician: { ...trade.politician, name: within(trade.politician.name, ALL) },
    }));
    const raw = (text) => reply(200, text.replace('@', ALL.replace(/[\u0000-\u001f]/gu, '')));
    const api = await FakeApi.start(
      t,
      inTurn(
        page(odd, '/api/v1/trades?limit=25'),
        raw(JSON.stringify({ data: [{ ...odd[0], assetName: '@' }], nextCursor: null })),
        refusal(400, 'invalid_parameter', { hint: `not ${ALL} this` }),
        refusal(403, 'plan', { hint: ALL }),
        reply(301, '', { headers: { Location: 'http://example.org/\u009b31m' } }),
        json({ data: { odd: ALL } }),
      ),
    );
    const peer = await Peer.start(t, { url: api.url });
    for (let i = 0; i < 5; i += 1) {
      const got = await peer.answer(peer.beginCall('list_trades', {}));
      for (const text of stringsIn(got)) assert.deepEqual(hiddenIn(text), [], `request ${i}`);
      for (const { text } of got.result.content) {
        if (!text.startsWith('{')) continue;
        for (const inner of stringsIn(JSON.parse(text))) assert.deepEqual(hiddenIn(inner), []);
        assert.ok(text.includes('\\\\u{E0041}'), text);
      }
    }
    for (const args of [{ [`a${ALL}`]: 1 }, { ticker: ALL }, { cursor: ALL }])
      for (const text of stringsIn(await peer.answer(peer.beginCall('list_trades', args))))
        assert.deepEqual(hiddenIn(text), [], JSON.stringify(args));
    for (const text of stringsIn(await peer.answer(peer.beginCall(`list${ALL}`, {}))))
      assert.deepEqual(hiddenIn(text), []);
    const echoed = await peer.request(`odd${ALL}`, {}, { id: `id ${ALL}` });
    assert.equal(echoed.id, `id ${ALL}`, 'the id of a request is repeated unchanged, as an escape');
    assertNothingHidden(Buffer.from(peer.child.stdout, 'latin1').toString(), 'stockact-mcp');
  });
});

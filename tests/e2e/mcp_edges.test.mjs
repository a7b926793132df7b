// Edge cases of the tool server's protocol, with raw lines: invalid messages, messages of the wrong
// generation or order, oversized messages, and cancelled calls. lib/mcp_peer.mjs checks every line.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { FakeApi, coverage, page, reply, trades } from './lib/fake_api.mjs';
import {
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  Peer,
  UNSUPPORTED_VERSION,
  meta,
} from './lib/mcp_peer.mjs';
import { SESSION_VERSIONS as SESSIONS, STATELESS_VERSION } from './lib/mcp_protocol.mjs';
import { instrumented } from './lib/settings.mjs';

const MIB = 1024 * 1024;
const NOBODY = 'http://127.0.0.1:1';

const rpc = (more) => JSON.stringify({ jsonrpc: '2.0', ...more });
const call = (id, name, params = {}) =>
  rpc({ id, method: 'tools/call', params: { name, ...params } });

/** The maximum memory of the process so far. */
const peakBytes = (peer) =>
  1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${peer.pid}/status`, 'utf8'))[1]);

/** [name, line, error code, id in the response]; the same in both generations. */
const WRONG_LINES = [
  ['no JSON', 'hello', PARSE_ERROR],
  ['JSON that breaks off', '{"jsonrpc":"2.0","id":1,"method":"pi', PARSE_ERROR],
  ['two values on a line', `${rpc({ id: 1, method: 'ping' })}{}`, PARSE_ERROR],
  ['a byte order mark', `\ufeff${rpc({ id: 1, method: 'ping' })}`, PARSE_ERROR],
  ['a member twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', PARSE_ERROR],
  ['half a surrogate pair', '{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', PARSE_ERROR],
  ['an integer beyond 64 bits', '{"jsonrpc":"2.0","id":18446744073709551616}', PARSE_ERROR],
  ['a number alone', '7', INVALID_REQUEST],
  ['a text alone', '"ping"', INVALID_REQUEST],
  ['null', 'null', INVALID_REQUEST],
  ['an empty object', '{}', INVALID_REQUEST],
  ['a null id', rpc({ id: null, method: 'ping' }), INVALID_REQUEST],
  ['a fractional id', rpc({ id: 1.5, method: 'ping' }), INVALID_REQUEST],
  ['an id of true', rpc({ id: true, method: 'ping' }), INVALID_REQUEST],
  ['an id that is an array', rpc({ id: [1], method: 'ping' }), INVALID_REQUEST],
  ['no jsonrpc', '{"id":3,"method":"ping"}', INVALID_REQUEST, 3],
  ['jsonrpc 1.0', '{"jsonrpc":"1.0","id":3,"method":"ping"}', INVALID_REQUEST, 3],
  ['jsonrpc as a number', '{"jsonrpc":2.0,"id":"x","method":"ping"}', INVALID_REQUEST, 'x'],
  ['no method', rpc({ id: 3 }), INVALID_REQUEST, 3],
  ['a method that is a number', rpc({ id: 3, method: 4 }), INVALID_REQUEST, 3],
  ['params that are an array', rpc({ id: 3, method: 'ping', params: [] }), INVALID_PARAMS, 3],
  ['params that are null', rpc({ id: 3, method: 'ping', params: null }), INVALID_PARAMS, 3],
  ['an unknown method', rpc({ id: 0, method: 'no/such' }), METHOD_NOT_FOUND, 0],
  ['an empty method', rpc({ id: -1, method: '' }), METHOD_NOT_FOUND, -1],
  ['a method with a NUL', rpc({ id: '', method: 'ping\u0000' }), METHOD_NOT_FOUND, ''],
];

/** The same for calls, which need a session or metadata. */
const WRONG_CALLS = [
  ['no name', {}, INVALID_PARAMS],
  ['a name that is a number', { name: 1 }, INVALID_PARAMS],
  ['an unknown tool', { name: 'no_such' }, INVALID_PARAMS],
  ['a tool in other letter case', { name: 'Get_Coverage' }, INVALID_PARAMS],
  ['a tool with a NUL', { name: 'get_coverage\u0000' }, INVALID_PARAMS],
  ['arguments that are an array', { name: 'get_coverage', arguments: [] }, INVALID_PARAMS],
  ['arguments that are a text', { name: 'get_coverage', arguments: '{}' }, INVALID_PARAMS],
];

for (const session of [null, ...SESSIONS]) {
  const era = session ?? `${STATELESS_VERSION}, before any session`;

  test(`lines that are not requests (${era})`, async (t) => {
    const peer = await Peer.start(t, { url: NOBODY, session });
    for (const [what, line, code, id] of WRONG_LINES) {
      peer.write(`${line}\n`);
      const answer = await peer.next();
      assert.equal(answer.error?.code, code, what);
      assert.equal(answer.id, id, what);
    }
    await peer.pong();
    assert.deepEqual(peer.waiting, [], 'one answer each');
  });

  test(`calls of the wrong shape (${era})`, async (t) => {
    const peer = await Peer.start(t, { url: NOBODY, session });
    for (const [what, params, code] of WRONG_CALLS) {
      const { error } = await peer.request('tools/call', params);
      assert.equal(error?.code, code, what);
    }
  });
}

test('messages that are not requests get no response', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  const quiet = [
    '',
    ' \t ',
    '\r',
    rpc({ method: 'notifications/initialized' }),
    rpc({ method: 'no/such', params: { a: 1 } }),
    rpc({ method: 'tools/call', params: { name: 'get_coverage' } }),
    rpc({ method: 'notifications/cancelled' }),
    rpc({ method: 'notifications/cancelled', params: { requestId: null } }),
    rpc({ method: 'notifications/cancelled', params: { requestId: 'nobody' } }),
    rpc({ id: 1, result: {} }),
    rpc({ id: 1, error: { code: 1, message: 'x' } }),
    rpc({ id: null, error: { code: PARSE_ERROR, message: 'from a peer that could not read' } }),
  ];
  peer.write(quiet.map((line) => `${line}\n`).join(''));
  await peer.pong();
  assert.deepEqual(peer.waiting, []);
});

test('input arrives in any pieces, with or without carriage returns', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  for (const byte of Buffer.from(`${rpc({ id: 'ünit', method: 'ping' })}\r\n`))
    peer.write(Buffer.from([byte]));
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 'ünit', result: {} });
  const three = [1, 2, 3].map((id) => rpc({ id, method: 'ping' }));
  peer.write(`\n${three.join('\r\n\n')}\n`);
  for (const id of [1, 2, 3]) assert.equal((await peer.next()).id, id);
});

test('ids keep their type and every digit', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  const ids = [
    '"1"',
    '1',
    '0',
    '-9223372036854775808',
    '9223372036854775807',
    '"a\\u0000\\"\\\\é"',
  ];
  for (const id of ids) peer.write(`{"jsonrpc":"2.0","id":${id},"method":"ping"}\n`);
  await peer.pong();
  const printed = peer.child.stdout.split('\n').slice(0, ids.length);
  assert.deepEqual(
    printed.map((line) => JSON.parse(Buffer.from(line, 'latin1')).id),
    ids.map((id) => JSON.parse(id)),
  );
  assert.ok(printed[3].includes(ids[3]) && printed[4].includes(ids[4]));
});

test('bytes that are not UTF-8 are rejected at any position', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  for (const bytes of [
    [0xff],
    [0xc3],
    [0xc0, 0x80],
    [0xed, 0xa0, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
  ]) {
    for (const [before, after] of [
      ['{"jsonrpc":"2.0","id":"', '","method":"ping"}'],
      ['{"jsonrpc":"2.0","id":1,"method":"', '"}'],
      ['', ''],
    ]) {
      peer.write(
        Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(`${after}\n`)]),
      );
      assert.equal((await peer.next()).error.code, PARSE_ERROR);
    }
  }
});

test('deep nesting is rejected, and a line of the maximum length is read', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  for (const open of ['[', '{"a":']) {
    peer.write(`${open.repeat(100_000)}\n`);
    assert.equal((await peer.next()).error.code, PARSE_ERROR);
    const deep = `${open.repeat(100_000)}1${(open === '[' ? ']' : '}').repeat(100_000)}`;
    peer.write(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${deep}}}\n`);
    assert.equal((await peer.next()).error.code, PARSE_ERROR);
  }
  const bare = rpc({ id: 1, method: 'ping', params: { x: '' } });
  peer.write(`${bare.replace('""', `"${'x'.repeat(MIB - bare.length)}"`)}\n`);
  assert.deepEqual(await peer.next(), { jsonrpc: '2.0', id: 1, result: {} });
  peer.write(`${bare.replace('""', `"${'x'.repeat(MIB - bare.length + 1)}"`)}\n`);
  assert.equal((await peer.next()).error.code, INVALID_REQUEST);
});

test('a line of 10 MB gets one response and costs little memory', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  await peer.pong();
  const before = peakBytes(peer);
  const chunk = Buffer.alloc(MIB, 'x');
  for (let i = 0; i < 10; i++)
    if (!peer.child.stdin.write(chunk)) await once(peer.child.stdin, 'drain');
  peer.write(`\n${rpc({ id: 2, method: 'ping' })}\n`);
  const refused = await peer.next();
  assert.deepEqual([refused.id, refused.error.code], [undefined, INVALID_REQUEST]);
  assert.equal((await peer.next()).id, 2);
  const more = peakBytes(peer) - before;
  assert.ok(more < (instrumented ? 16 : 4) * MIB, `${more} bytes more at its peak`);
});

test('a batch over the limit is rejected as a whole', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY, session: '2025-03-26' });
  const batch = (count) =>
    `[${Array(count)
      .fill(rpc({ id: 1, method: 'ping' }))
      .join()}]\n`;
  peer.write(batch(1000));
  assert.equal((await peer.next()).length, 1000);
  for (const line of [batch(1001), `[${'0,'.repeat(MIB / 2 - 2)}0]\n`]) {
    peer.write(line);
    const refused = await peer.next();
    assert.deepEqual([refused.id, refused.error.code], [undefined, INVALID_REQUEST]);
  }
});

test('batches are accepted in 2025-03-26 and rejected in every other version', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY });
  const batch = `[${rpc({ id: 1, method: 'ping' })},${rpc({ method: 'x' })},${rpc({ id: 'b', method: 'ping' })}]\n`;
  const stateless = rpc({ id: 1, method: 'tools/list', params: { _meta: meta() } });
  const refused = async () => {
    for (const line of [batch, `[${stateless}]\n`, '[]\n', '[1]\n']) {
      peer.write(line);
      const answer = await peer.next();
      assert.ok(!Array.isArray(answer));
      assert.deepEqual([answer.id, answer.error.code], [undefined, INVALID_REQUEST]);
    }
  };
  await refused();
  for (const version of SESSIONS.filter((one) => one !== '2025-03-26')) {
    await peer.initialize(version);
    await refused();
  }
  await peer.initialize('2025-03-26');
  peer.write(batch);
  assert.deepEqual(
    (await peer.next()).map(({ id, result }) => [id, result]),
    [
      [1, {}],
      ['b', {}],
    ],
  );
  peer.write('[]\n');
  assert.equal((await peer.next()).error.code, INVALID_REQUEST);
  peer.write(`[1,${rpc({ id: null, method: 'ping' })},[]]\n`);
  assert.deepEqual(
    (await peer.next()).map(({ id, error }) => [id, error.code]),
    Array(3).fill([undefined, INVALID_REQUEST]),
  );
  peer.write(`[${rpc({ method: 'x' })}]\n`);
  await peer.pong();
  assert.deepEqual(peer.waiting, [], 'nothing is said to a batch of notifications');
});

test('a batch is answered with its last call, without cancelled calls', async (t) => {
  const held = new Map();
  const api = await FakeApi.start(t, (socket, { line }) => {
    held.set(line.split(' ')[1], () => socket.write(coverage()));
    return null;
  });
  const peer = await Peer.start(t, { url: api.url, session: '2025-03-26' });
  const calls = [call('a', 'list_filings'), call('b', 'get_coverage')];
  peer.write(`[${calls.join()},${rpc({ id: 'c', method: 'ping' })}]\n`);
  await api.asked(2);
  await peer.pong();
  assert.deepEqual(peer.waiting, []);
  peer.cancel('a');
  await peer.pong();
  held.get('/api/v1/coverage')();
  const answers = await peer.next();
  assert.deepEqual(answers.map(({ id }) => id).sort(), ['b', 'c']);
});

test('initialize is rejected in a batch', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY, session: '2025-03-26' });
  const params = { protocolVersion: '2025-11-25', capabilities: {} };
  peer.write(`[${rpc({ id: 1, method: 'initialize', params })}]\n`);
  const [answer] = await peer.next();
  assert.deepEqual([answer.id, answer.error?.code], [1, INVALID_REQUEST]);
  peer.write(`[${rpc({ id: 2, method: 'ping' })}]\n`);
  assert.deepEqual(await peer.next(), [{ jsonrpc: '2.0', id: 2, result: {} }]);
});

test('before initialize only ping is served without metadata', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  await peer.pong();
  for (const method of ['tools/list', 'tools/call', 'server/discover']) {
    peer.send({ jsonrpc: '2.0', id: method, method, params: { name: 'get_coverage' } });
    const { error } = await peer.answer(method);
    assert.equal(error.code, INVALID_PARAMS);
    assert.match(error.message, /initialize/);
  }
  assert.equal(api.requests.length, 0);
  assert.equal((await peer.initialize('2025-06-18')).protocolVersion, '2025-06-18');
  await peer.found('get_coverage');
});

test('a second initialize starts a new session, even with running calls', async (t) => {
  const held = [];
  const api = await FakeApi.start(t, (socket) => {
    held.push(socket);
    return null;
  });
  const peer = await Peer.start(t, { url: api.url, session: '2025-03-26' });
  const first = peer.beginCall('get_coverage');
  await api.asked(1);
  assert.equal((await peer.initialize('2025-06-18')).protocolVersion, '2025-06-18');
  peer.write(`[${rpc({ id: 1, method: 'ping' })}]\n`);
  assert.equal((await peer.next()).error.code, INVALID_REQUEST, 'batches ended with that session');
  assert.equal((await peer.initialize('2026-07-28')).protocolVersion, '2025-11-25');
  held[0].write(coverage());
  assert.equal((await peer.result('get_coverage', first)).isError, false);
});

test('requests of both protocol generations are served together, each in its own form', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url });
  const stateless = (id, method, params) => ({
    jsonrpc: '2.0',
    id,
    method,
    params: { ...params, _meta: meta() },
  });
  const check = async () => {
    peer.send(stateless('new', 'tools/call', { name: 'get_coverage' }));
    const { result } = await peer.answer('new');
    assert.equal(result.resultType, 'complete');
    peer.send(stateless('ping', 'ping'));
    assert.equal((await peer.answer('ping')).error.code, METHOD_NOT_FOUND);
    peer.send(stateless('init', 'initialize', { protocolVersion: '2025-11-25' }));
    assert.equal((await peer.answer('init')).error.code, METHOD_NOT_FOUND);
  };
  await check();
  for (const version of SESSIONS) {
    await peer.initialize(version);
    await check();
    peer.write(`${call('old', 'get_coverage')}\n`);
    const { result } = await peer.answer('old');
    assert.deepEqual(Object.keys(result).sort(), ['content', 'isError', 'structuredContent']);
  }
});

test('an unsupported version gets the list of versions, and metadata must be complete', async (t) => {
  const peer = await Peer.start(t, { url: NOBODY, session: '2025-11-25' });
  const ask = async (metadata, method = 'tools/list') => {
    peer.send({ jsonrpc: '2.0', id: 1, method, params: { _meta: metadata } });
    return peer.answer(1);
  };
  const PREFIX = 'io.modelcontextprotocol/';
  const { result } = await ask(meta(), 'server/discover');
  for (const version of ['2026-07-29', '2025-11-25', '', 'x'.repeat(1000)]) {
    const { error } = await ask(meta({ [`${PREFIX}protocolVersion`]: version }));
    assert.equal(error.code, UNSUPPORTED_VERSION);
    assert.deepEqual(error.data, { supported: result.supportedVersions, requested: version });
  }
  for (const wrong of [
    meta({ [`${PREFIX}protocolVersion`]: 20260728 }),
    meta({ [`${PREFIX}protocolVersion`]: undefined }),
    meta({ [`${PREFIX}clientCapabilities`]: undefined }),
    meta({ [`${PREFIX}clientCapabilities`]: [] }),
  ])
    assert.equal((await ask(wrong)).error.code, INVALID_PARAMS);
});

test('a cancelled call is never answered, its connection closes, and its id is free', async (t) => {
  for (const session of [undefined, '2025-11-25']) {
    const api = await FakeApi.start(t, () => null);
    const peer = await Peer.start(t, { url: api.url, session });
    for (const id of ['text', 7]) {
      const begun = api.requests.length;
      peer.beginCall('get_coverage', {}, { id });
      const socket = await api.asked(begun + 1);
      const closed = once(socket, 'close');
      peer.beginCall('get_coverage', {}, { id });
      assert.equal((await peer.answer(id)).error.code, INVALID_REQUEST, 'the id is in use');
      peer.cancel(typeof id === 'string' ? 0 : String(id));
      await peer.pong();
      assert.equal(socket.destroyed, false, 'that was another id');
      peer.cancel(id);
      await closed;
      peer.cancel(id);
      await peer.pong();
      assert.deepEqual(peer.waiting, []);
      api.play = coverage();
      assert.equal((await peer.call('get_coverage', {}, { id })).isError, false);
      api.play = () => null;
    }
  }
});

test('a cancelled scan requests no further page', async (t) => {
  const all = trades(500);
  const api = await FakeApi.start(t, (socket, { line }) =>
    line.includes('cursor=') ? null : page(all, line.split(' ')[1]),
  );
  const peer = await Peer.start(t, { url: api.url });
  const id = peer.beginCall('find_politician', { name: 'Vale' }, { progressToken: 't' });
  const socket = await api.asked(2);
  const closed = once(socket, 'close');
  peer.cancel(id);
  await closed;
  api.play = coverage();
  await peer.found('get_coverage');
  assert.equal(api.requests.length, 3);
  assert.deepEqual(
    peer.waiting.map(({ params }) => params.progress),
    [1],
  );
});

test('a call that waits for its retry can be cancelled', async (t) => {
  const api = await FakeApi.start(t, reply(503));
  const peer = await Peer.start(t, { url: api.url });
  const id = peer.beginCall('get_coverage');
  await api.asked(1);
  peer.cancel(id);
  await peer.pong();
  const { code } = await peer.end();
  assert.equal(code, 0);
  assert.deepEqual(peer.waiting, []);
  assert.ok(api.requests.length <= 2);
});

test('a scan reports progress for its token, page by page', async (t) => {
  const all = trades(350, { conflictEvery: 50 });
  const api = await FakeApi.start(t, (socket, { line }) => page(all, line.split(' ')[1]));
  for (const session of [undefined, '2025-06-18']) {
    const peer = await Peer.start(t, { url: api.url, session });
    for (const [tool, args] of [
      ['find_politician', { name: 'Vale', max_pages: 3 }],
      ['get_conflicted_trades', { max_pages: 3 }],
    ]) {
      for (const progressToken of ['a "token"', '', 0, -7, Number.MAX_SAFE_INTEGER]) {
        await peer.found(tool, args, { progressToken });
        const told = peer.waiting.splice(0);
        assert.deepEqual(
          told.map(({ params }) => [params.progressToken, params.progress, params.total]),
          [1, 2, 3].map((n) => [progressToken, n, 3]),
        );
        assert.match(told[2].params.message, /\b300\b/);
      }
      for (const progressToken of [undefined, null, 1.5, {}, true]) {
        await peer.found(tool, args, { progressToken });
        assert.deepEqual(peer.waiting, []);
      }
    }
  }
});

test('500 requests written at once all get responses', async (t) => {
  const api = await FakeApi.start(t);
  const peer = await Peer.start(t, { url: api.url, session: '2025-11-25' });
  const lines = [];
  for (let id = 0; id < 500; id++) {
    const some = [
      rpc({ id, method: 'ping' }),
      rpc({ id, method: 'tools/list' }),
      call(id, 'get_coverage'),
    ];
    lines.push(some[id % 3]);
  }
  peer.write(`${lines.join('\n')}\n`);
  const ids = [];
  for (let i = 0; i < 500; i++) ids.push((await peer.next()).id);
  assert.deepEqual(
    ids.sort((a, b) => a - b),
    Array.from({ length: 500 }, (_, id) => id),
  );
});

test('256 calls run concurrently, and one more is told to wait', async (t) => {
  const held = [];
  const api = await FakeApi.start(t, (socket) => {
    held.push(socket);
    return null;
  });
  const peer = await Peer.start(t, { url: api.url });
  const ids = Array.from({ length: 256 }, () => peer.beginCall('get_coverage'));
  assert.match(await peer.refused('get_coverage'), /256 calls/);
  await api.asked(8);
  await peer.pong();
  assert.deepEqual(peer.waiting, []);
  assert.equal(api.connections, 8);
  api.play = coverage();
  for (const socket of held.splice(0)) socket.write(coverage());
  for (const id of ids) assert.equal((await peer.result('get_coverage', id)).isError, false);
  assert.equal(api.connections, 8);
  await peer.found('get_coverage');
});

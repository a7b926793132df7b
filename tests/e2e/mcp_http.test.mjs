// POST /mcp: the tools over HTTP, under the official clients of both generations, compared with
// stockact-mcp; and everything that is refused, with the status and the error of the protocol.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import Ajv from 'ajv';
import { McpHost, mcpAddress, mcpCommand, oneOfEach } from './lib/mcp.mjs';
import { STATELESS_VERSION } from './lib/mcp_protocol.mjs';
import { useSite } from './lib/site.mjs';

const UNLIMITED = { STOCKACT_BENCH_UNLIMITED: '1' };
const META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const STATELESS = { 'MCP-Protocol-Version': STATELESS_VERSION };

const message = (method, params = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params });
const stateless = (method, params = {}, id = 1) => message(method, { ...params, _meta: META }, id);
const list = { ...STATELESS, 'Mcp-Method': 'tools/list' };
const call = { ...STATELESS, 'Mcp-Method': 'tools/call' };
const coverage = stateless('tools/call', { name: 'get_coverage', arguments: {} });

/** Sends a body to /mcp. Its errors are those of the protocol, not of the API. */
const post = (server, body, headers = {}) =>
  server.request('POST', '/mcp', {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
    unchecked: true,
  });

/** Each way in which a request is refused: [why, body, headers, status, code]. */
const REFUSED = [
  ['a page of another site', coverage, { ...call, Origin: 'https://other.example' }, 403, -32600],
  ['a page without an address', coverage, { ...call, Origin: 'null' }, 403, -32600],
  ['a name that leads here', coverage, { ...call, Host: 'other.example' }, 403, -32600],
  ['a body that is no JSON', '{"jsonrpc":', {}, 400, -32700],
  ['an empty body', '', {}, 400, -32700],
  ['a body that is no message', '7', {}, 400, -32600],
  ['a batch of today', [stateless('tools/list')], list, 400, -32600],
  [
    'a batch of 2025-11-25',
    [message('ping')],
    { 'MCP-Protocol-Version': '2025-11-25' },
    400,
    -32600,
  ],
  ['an empty batch', [], {}, 400, -32600],
  [
    'a batch too large',
    Array.from({ length: 21 }, (_, id) => message('ping', {}, id)),
    {},
    400,
    -32600,
  ],
  [
    'another version of today',
    coverage,
    { ...call, 'MCP-Protocol-Version': '2026-01-01' },
    400,
    -32020,
  ],
  [
    'another version in both',
    message('tools/list', {
      _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    }),
    { ...list, 'MCP-Protocol-Version': '2099-01-01' },
    400,
    -32022,
  ],
  [
    'an unknown version of a session',
    message('tools/list'),
    { 'MCP-Protocol-Version': '1999-01-01' },
    400,
    -32022,
  ],
  ['no version in the header', coverage, {}, 400, -32020],
  ['no metadata', message('tools/list'), list, 400, -32602],
  [
    'no capabilities',
    message('tools/list', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION },
    }),
    list,
    400,
    -32602,
  ],
  ['another method in the header', coverage, { ...list, 'Mcp-Name': 'get_coverage' }, 400, -32020],
  ['no tool in the header', coverage, call, 400, -32020],
  ['another tool in the header', coverage, { ...call, 'Mcp-Name': 'list_trades' }, 400, -32020],
  ['a broken name in the header', coverage, { ...call, 'Mcp-Name': '=?base64?!?=' }, 400, -32020],
  [
    'a session of the earlier era',
    message('tools/list'),
    { 'Mcp-Session-Id': 'of-yesterday' },
    404,
    -32001,
  ],
  [
    'an unknown method of today',
    stateless('prompts/list'),
    { ...STATELESS, 'Mcp-Method': 'prompts/list' },
    404,
    -32601,
  ],
  ['an unknown method of a session', message('prompts/list'), {}, 200, -32601],
  ['an unknown tool of a session', message('tools/call', { name: 'no_tool' }), {}, 200, -32602],
];

/** A text of the registry's form: its least and greatest length, and its pattern. */
const text = (minLength, maxLength, pattern = '') => ({
  type: 'string',
  ...{ minLength, maxLength, pattern },
});
const INPUT = {
  type: 'object',
  properties: { description: { type: 'string' }, isSecret: { type: 'boolean' } },
};

/** What the registry of MCP servers asks of a server.json of 2025-12-11 with remotes. */
const REGISTRY = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'remotes'],
  additionalProperties: false,
  properties: {
    $schema: {
      const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    },
    name: text(3, 200, '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$'),
    title: text(1, 100),
    description: text(1, 100),
    version: text(1, 255, '^[^\\s^~<>=*]+$'),
    websiteUrl: text(1, 255, '^https?://[^\\s]+$'),
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        properties: {
          type: { const: 'streamable-http' },
          url: text(1, 255, '^https?://[^\\s]+$'),
          headers: {
            type: 'array',
            items: {
              ...INPUT,
              required: ['name'],
              properties: {
                ...INPUT.properties,
                name: text(1, 255),
                value: text(1, 255),
                variables: { type: 'object', additionalProperties: INPUT },
              },
            },
          },
        },
      },
    },
  },
};

describe('the tools over HTTP', () => {
  const shared = useSite({ env: UNLIMITED, clock: '2026-03-31T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400);
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const { data } = await server.json('/api/v1/trades?limit=100', { key });
    const trade = data.find(({ ticker }) => ticker !== null);
    const committees = (await server.json('/api/v1/committees?limit=1', { key })).data;
    return { server, key, trade, committee: committees[0].id };
  });

  for (const face of oneOfEach)
    test(`${face.name}: each tool answers as stockact-mcp does`, async (t) => {
      const { site, server, key, trade, committee } = shared;
      const over = await McpHost.open(t, face, mcpAddress(server, key));
      const beside = await McpHost.open(t, face, mcpCommand(site, server, key));
      const { slug, name } = trade.politician;
      const calls = [
        ['find_politician', { name, max_pages: 4 }],
        ['get_politician', { slug }],
        ['get_committee', { id: committee }],
        ['get_ticker', { symbol: trade.ticker }],
        ['list_trades', { limit: 100, fields: 'details,dates' }],
        ['list_filings', { politician_slug: slug }],
        ['list_corrections', {}],
        ['get_conflicted_trades', { max_pages: 2 }],
        ['get_trade', { id: trade.id }],
        ['get_coverage', {}],
      ];
      for (const [tool, args] of calls)
        assert.deepEqual(await over.ask(tool, args), await beside.ask(tool, args), tool);
      for (const [tool, args] of [
        ['list_trades', { limit: 0 }],
        ['list_trades', { cursor: 'made-up' }],
        ['get_politician', { slug: 'nobody' }],
        ['get_trade', { id: 'stream' }],
      ])
        assert.equal(await over.refusal(tool, args), await beside.refusal(tool, args), tool);
    });

  for (const [why, body, headers, status, code] of REFUSED)
    test(`refuses ${why}`, async () => {
      const { server, key } = shared;
      const answer = await post(server, body, { Authorization: `Bearer ${key}`, ...headers });
      assert.equal(answer.status, status, answer.text);
      assert.equal(answer.json.jsonrpc, '2.0');
      assert.equal(answer.json.error.code, code, answer.text);
    });

  test('a batch of the version that has them is answered as one', async () => {
    const { server } = shared;
    const answer = await post(server, [message('ping', {}, 1), message('tools/list', {}, 2)]);
    assert.equal(answer.status, 200);
    assert.deepEqual(
      answer.json.map(({ id }) => id),
      [1, 2],
    );
  });

  test('a notification is accepted without a body', async () => {
    const { server } = shared;
    const answer = await post(server, { jsonrpc: '2.0', method: 'notifications/initialized' });
    assert.deepEqual([answer.status, answer.text], [202, '']);
  });

  test('server.json is what the registry takes, and leads to the tools', async () => {
    const { server, key } = shared;
    const entry = await server.json('/server.json');
    const fits = new Ajv({ strict: false }).compile(REGISTRY);
    assert.ok(fits(entry), JSON.stringify(fits.errors));
    const [{ url, headers }] = entry.remotes;
    assert.equal(url, `${server.url}/mcp`);
    assert.ok(headers[0].variables.key.isSecret);
    const value = headers[0].value.replace('{key}', key);
    const answer = await post(server, message('initialize', { protocolVersion: '2025-11-25' }), {
      [headers[0].name]: value,
    });
    assert.equal(answer.json.result.serverInfo.version, entry.version);
  });

  test('there is no stream to get and no session to delete', async () => {
    const { server } = shared;
    for (const method of ['GET', 'HEAD', 'DELETE', 'PUT']) {
      const answer = await server.request(method, '/mcp');
      assert.deepEqual([answer.status, answer.header('allow')], [405, 'POST, OPTIONS'], method);
    }
  });

  test('pages of other sites get no permission to post', async () => {
    const { server } = shared;
    const answer = await server.request('OPTIONS', '/mcp');
    assert.equal(answer.status, 204);
    assert.equal(answer.header('allow'), 'POST, OPTIONS');
    assert.equal(answer.header('access-control-allow-methods'), null);
  });

  test('a name in the header may be encoded', async () => {
    const { server } = shared;
    const name = `=?base64?${Buffer.from('get_coverage').toString('base64')}?=`;
    const answer = await post(server, coverage, { ...call, 'Mcp-Name': name });
    assert.equal(answer.json.result.isError, false);
  });

  test('what a page of this site asks is answered', async () => {
    const { server } = shared;
    const answer = await post(server, message('ping'), { Origin: server.url });
    assert.equal(answer.status, 200);
  });
});

describe('the tools over HTTP, within limits', () => {
  const shared = useSite({ clock: '2026-03-31T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 400);
    return { server: await site.serve() };
  });
  const scan = message('tools/call', {
    name: 'get_conflicted_trades',
    arguments: { max_pages: 4 },
  });

  test('a POST draws one, whatever it asks', async () => {
    const { site, server } = shared;
    await site.clock.advance(60_000);
    for (let left = 9; left >= 0; left--) {
      const answer = await post(server, left % 2 ? scan : [scan, message('ping', {}, 2)]);
      assert.equal(answer.status, 200);
      assert.equal(answer.header('x-ratelimit-remaining'), `${left}`);
    }
    const answer = await post(server, scan);
    assert.equal(answer.status, 429);
    assert.equal(answer.json.error, 'rate_limited');
    assert.equal(answer.header('retry-after'), '60');
  });

  test('a key that is none is refused', async () => {
    const { site, server } = shared;
    await site.clock.advance(60_000);
    const answer = await post(server, scan, { Authorization: `Bearer svc_${'A'.repeat(43)}` });
    assert.equal(answer.status, 401);
    assert.equal(answer.header('www-authenticate'), 'Bearer');
  });

  test('a caller without a key is told when few requests are left', async () => {
    const { site, server } = shared;
    await site.clock.advance(60_000);
    const { result } = (await post(server, scan)).json;
    assert.equal(result.structuredContent.rateLimitWarning, undefined);
    for (let i = 0; i < 6; i++) await post(server, message('ping'));
    const late = (await post(server, scan)).json.result.structuredContent;
    assert.match(late.rateLimitWarning, /^Requests left in this minute: 2 of 10/);
  });
});

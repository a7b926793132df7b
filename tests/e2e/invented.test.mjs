// A server with invented data says so wherever a machine reads it; a server with real data never
// does (decision 49).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { mcpCommand } from './lib/mcp.mjs';
import { ask } from './lib/mcp_shell.mjs';
import { Peer } from './lib/mcp_peer.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const SENTENCE = /The data of this server is invented for demonstration/;
/** Anything by which a server says it. */
const SAYS = /"invented"|is invented|are invented|x-data/i;

const TARGETS = [
  ['/api/v1/trades?limit=2', 200],
  ['/api/v1/trades?format=csv', 200],
  ['/api/v1/trades/none', 404],
  ['/api/v1/trades?limit=0', 400],
  ['/api/v1/politicians', 200],
  ['/api/v1/filings', 200],
  ['/api/v1/corrections', 200],
  ['/api/v1/coverage', 200],
  ['/api/v1/openapi.json', 200],
  ['/api/v1/nothing', 404],
  ['/', 200],
  ['/docs', 200],
  ['/docs/conflict', 200],
  ['/docs/webhooks', 200],
  ['/docs/mcp', 200],
  ['/llms.txt', 200],
  ['/llms-full.txt', 200],
  ['/server.json', 200],
  ['/healthz', 200],
  ['/readyz', 200],
];

const TOOLS = [
  ['get_coverage', {}],
  ['list_trades', { limit: 1 }],
  ['find_politician', { name: 'vale' }],
  ['get_conflicted_trades', {}],
];

const introduction = (mcp) => ask(mcp, 'server/discover', {});
const call = (mcp, name, args) => ask(mcp, 'tools/call', { name, arguments: args });

describe('a server with invented data', () => {
  const shared = useSite({}, async (site) => {
    const [filled] = await site.stockact('demo', '--trades', 300);
    return { filled, server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  test('every response has the header, also errors, 304, HEAD and CSV', async () => {
    const { server, key } = shared;
    for (const [target, status] of TARGETS) {
      const response = await server.get(target, { key });
      assert.equal(response.status, status, target);
      assert.equal(response.header('x-data'), 'invented', target);
      const etag = response.header('etag');
      if (!etag) continue;
      const again = await server.get(target, { key, headers: { 'If-None-Match': etag } });
      assert.equal(again.status, 304, target);
      assert.equal(again.header('x-data'), 'invented', target);
    }
    const unkeyed = await server.get('/api/v1/trades', { key: 'svc_wrong' });
    assert.equal(unkeyed.status, 401);
    assert.equal(unkeyed.header('x-data'), 'invented');
    const head = await server.request('HEAD', '/api/v1/trades', { key });
    assert.equal(head.header('x-data'), 'invented');
    const options = await server.request('OPTIONS', '/api/v1/trades');
    assert.equal(options.header('x-data'), 'invented');
  });

  test('the body of CSV has columns and rows alone', async () => {
    const { server, key } = shared;
    const { text } = await server.get('/api/v1/trades?format=csv&limit=3', { key });
    assert.equal(text.trim().split('\r\n').length, 4);
    assert.doesNotMatch(text, SENTENCE);
  });

  test('coverage, OpenAPI, texts and pages say it', async () => {
    const { server, key } = shared;
    const api = await OpenApi.load(server);
    const coverage = await server.get('/api/v1/coverage', { key });
    api.check('GET', '/api/v1/coverage', coverage);
    assert.equal(coverage.json.data.data, 'invented');
    assert.equal(api.document.info['x-data'], 'invented');
    assert.match(api.document.info.description, SENTENCE);
    assert.equal(api.document.components.headers['X-Data'].example, 'invented');
    for (const target of ['/llms.txt', '/llms-full.txt']) {
      const { text } = await server.get(target);
      assert.match(text.split('\n').slice(0, 4).join('\n'), SENTENCE, target);
    }
    for (const target of ['/', '/docs', '/docs/mcp'])
      assert.match((await server.get(target)).text, /class="banner"/, target);
  });

  test('the command that invents it and the log say it', async () => {
    assert.equal(shared.filled.data, 'invented');
    assert.match(shared.server.log, /the data is invented/);
    const help = await shared.site.run(['demo', '--help']);
    assert.match(help.stdout, /invented/);
  });

  test('the tool server says it in its instructions and in every result', async (t) => {
    const mcp = mcpCommand(shared.site, shared.server, shared.key);
    const { instructions } = await introduction(mcp);
    assert.match(instructions, SENTENCE);
    const peer = await Peer.start(t, { url: shared.server.url, key: shared.key });
    assert.match((await peer.initialize('2025-11-25')).instructions, SENTENCE);
    for (const [name, args] of TOOLS) {
      const result = await call(mcp, name, args);
      assert.equal(result.isError, false, name);
      assert.match(result.structuredContent.dataNotice, SENTENCE, name);
      assert.match(result.content[0].text, SENTENCE, name);
    }
    const result = await call(mcp, 'get_ticker', { symbol: 'NOSUCHX' });
    assert.equal(result.isError, true);
    assert.match(result.content[0].text, SENTENCE);
  });
});

describe('a server with real data', () => {
  const shared = useSite({}, async (site) => {
    const members = path.join(site.folder, 'members.json');
    writeFileSync(members, membersJson([VALE, HOLLIS]));
    await site.stockact('members', 'import', members);
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });

  test('no response says that data is invented', async () => {
    const { server, key } = shared;
    for (const [target] of TARGETS) {
      const response = await server.get(target, { key });
      assert.equal(response.header('x-data'), null, target);
      assert.doesNotMatch(response.text, SENTENCE, target);
      if (target !== '/docs' && !target.endsWith('.txt') && !/docs/.test(target))
        if (target !== '/api/v1/openapi.json') assert.doesNotMatch(response.text, SAYS, target);
    }
    const api = await OpenApi.load(server);
    assert.equal(api.document.info['x-data'], undefined);
    assert.equal(api.document.components.headers['X-Data'], undefined);
    assert.equal((await server.json('/api/v1/coverage', { key })).data.data, 'real');
    assert.doesNotMatch(server.log, /the data is invented/);
  });

  test('the tool server does not say it either', async () => {
    const mcp = mcpCommand(shared.site, shared.server, shared.key);
    assert.doesNotMatch((await introduction(mcp)).instructions, /invented/);
    for (const [name, args] of TOOLS) {
      const result = await call(mcp, name, args);
      assert.equal(result.structuredContent.dataNotice, undefined, name);
      assert.doesNotMatch(result.content[0].text, SENTENCE, name);
    }
  });
});

test('an empty server says neither, and says it once it is filled', async (t) => {
  const site = await makeSite(t);
  const server = await site.serve();
  const before = await server.get('/llms.txt');
  assert.equal(before.header('x-data'), null);
  const empty = await server.get('/api/v1/coverage');
  assert.equal(empty.json.data.data, null);
  await site.stockact('demo', '--trades', 50);
  const after = await until('the server to say it', async () => {
    const response = await server.get('/llms.txt', {
      headers: { 'If-None-Match': before.header('etag') },
    });
    return response.header('x-data') && response;
  });
  assert.equal(after.status, 200, 'the text that a client cached is another one');
  assert.match(after.text, SENTENCE);
  const filled = await server.get('/api/v1/coverage', {
    headers: { 'If-None-Match': empty.header('etag') },
  });
  assert.equal(filled.status, 200);
  assert.equal(filled.json.data.data, 'invented');
});

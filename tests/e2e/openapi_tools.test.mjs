// Third-party tools with the API's description: two linters find nothing. Prism answers as the
// service would, and finds no difference between the description and what the program answers.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { useDescribedSite } from './lib/described_site.mjs';
import { startTool, runTool } from './lib/tools.mjs';

describe('the description of the API', () => {
  const shared = useDescribedSite();

  test('Redocly finds no errors and no warnings', async () => {
    const { cwd } = shared;
    const output = await runTool('@redocly/cli', 'redocly', ['lint', 'openapi.json'], { cwd });
    assert.match(output, /is valid/);
    assert.doesNotMatch(output, /warning/i, output);
  });

  test('Spectral finds nothing with its rules for OpenAPI', async () => {
    const { cwd } = shared;
    writeFileSync(path.join(cwd, '.spectral.json'), '{"extends":"spectral:oas"}');
    const lint = ['lint', '--fail-severity=hint', 'openapi.json'];
    const output = await runTool('@stoplight/spectral-cli', 'spectral', lint, { cwd });
    assert.match(output, /No results/);
  });

  test('the document names a contact, the webhooks, and CSV beside JSON', async () => {
    const { info, webhooks, paths } = (await shared.server.get('/api/v1/openapi.json')).json;
    assert.equal(info.contact.url, shared.server.url);
    assert.deepEqual(Object.keys(webhooks), [
      'trade.published',
      'trade.corrected',
      'trade.withdrawn',
      'trade.reinstated',
    ]);
    for (const [event, { post }] of Object.entries(webhooks)) {
      const { schema } = post.requestBody.content['application/json'];
      assert.equal(schema.properties.event.const, event);
      assert.equal(schema.required.includes('changes'), event !== 'trade.published');
    }
    const { content } = paths['/api/v1/trades'].get.responses['200'];
    assert.deepEqual(Object.keys(content), ['application/json', 'text/csv']);
    const served = await shared.server.get('/api/v1/trades?format=csv', { key: shared.key });
    const header = (text) => text.split('\r\n')[0];
    assert.equal(header(content['text/csv'].example), header(served.text));
  });
});

describe('Prism', () => {
  const shared = useDescribedSite();
  const started = [];

  /** Starts Prism, which answers 500 where a response differs from the description. */
  async function prism(...args) {
    const all = [...args, '--errors', '--port', '0'];
    const child = startTool('@stoplight/prism-cli', 'prism', all, { cwd: shared.cwd });
    started.push(child);
    const [, url] = await child.waitFor(/Prism is listening on (\S+)/);
    return url;
  }

  before(async () => {
    [shared.mock, shared.proxy] = await Promise.all([
      prism('mock', 'openapi.json'),
      prism('proxy', 'openapi.json', shared.server.url),
    ]);
  });
  after(() => Promise.all(started.map((child) => child.stop())));

  async function ask(base, target, headers = {}) {
    const all = { Authorization: `Bearer ${shared.key}`, ...headers };
    const response = await fetch(base + target, { headers: all });
    const type = response.headers.get('content-type').split(';')[0];
    return { status: response.status, type, text: await response.text() };
  }

  /** A target for every operation: `{name}` in a path is filled from the lists of the program. */
  async function targets() {
    const { server, key } = shared;
    const { paths } = (await server.get('/api/v1/openapi.json')).json;
    const [trade] = (await server.json('/api/v1/trades?limit=100', { key })).data.filter(
      ({ ticker }) => ticker !== null,
    );
    const values = { id: trade.id, slug: trade.politician.slug, symbol: trade.ticker };
    const ending = Object.keys(paths).filter((one) => one !== '/api/v1/trades/stream');
    return ending.map((one) =>
      one
        .replace('/filings/{id}', `/filings/${trade.id.slice(0, -5)}`)
        .replace(/\{(\w+)\}/g, (_, name) => values[name]),
    );
  }

  for (const kind of ['mock', 'proxy'])
    test(`as a ${kind} answers every operation`, async () => {
      for (const target of await targets()) {
        const { status, type, text } = await ask(shared[kind], target);
        assert.equal(status, 200, `${target}: ${text}`);
        assert.equal(type, 'application/json', target);
      }
    });

  test('as a mock answers CSV to clients that accept it', async () => {
    const { status, type, text } = await ask(shared.mock, '/api/v1/trades', { Accept: 'text/csv' });
    assert.deepEqual([status, type], [200, 'text/csv'], text);
    const real = await ask(shared.server.url, '/api/v1/trades?limit=1&format=csv');
    assert.equal(text.split('\r\n')[0], real.text.split('\r\n')[0]);
  });

  test('as a proxy passes CSV, full pages and errors unchanged', async () => {
    for (const target of [
      '/api/v1/trades?limit=100&format=csv',
      '/api/v1/trades?limit=100&format=csv&fields=details',
      '/api/v1/trades?limit=100&fields=details',
      '/api/v1/changes?limit=100',
      '/api/v1/trades/none',
      '/api/v1/politicians/nobody-at-all',
    ]) {
      const direct = await ask(shared.server.url, target);
      assert.deepEqual(await ask(shared.proxy, target), direct, target);
    }
  });
});

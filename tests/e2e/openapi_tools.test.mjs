// The API's description: a third-party linter finds nothing, also with the rules below that it has
// beside its strict set, and every operation answers as it is described.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { useDescribedSite } from './lib/described_site.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { runTool } from './lib/tools.mjs';

const RULES = {
  extends: ['recommended-strict'],
  rules: {
    'info-contact': 'error',
    'operation-description': 'error',
    'operation-tag-defined': 'error',
    'tag-description': 'error',
    'no-schema-type-mismatch': 'error',
    'rule/info-description': {
      subject: { type: 'Info', property: 'description' },
      assertions: { defined: true },
    },
    'rule/operation-tags': {
      subject: { type: 'Operation', property: 'tags' },
      where: [
        {
          subject: { type: 'Operation', property: 'operationId' },
          assertions: { defined: true },
        },
      ],
      assertions: { defined: true, minLength: 1 },
    },
  },
};

/** Every object in a JSON document. */
function* objectsIn(value) {
  if (value === null || typeof value !== 'object') return;
  yield value;
  for (const member of Object.values(value)) yield* objectsIn(member);
}

describe('the description of the API', () => {
  const shared = useDescribedSite();

  test('Redocly finds no errors and no warnings', async () => {
    const { cwd } = shared;
    writeFileSync(path.join(cwd, 'redocly.yaml'), JSON.stringify(RULES));
    const output = await runTool('@redocly/cli', 'redocly', ['lint', 'openapi.json'], { cwd });
    assert.match(output, /is valid/);
    assert.doesNotMatch(output, /warning/i, output);
  });

  test('every array has items, and every default has the type of its schema', async () => {
    const { json } = await shared.server.get('/api/v1/openapi.json');
    const all = [...objectsIn(json)].filter(({ type }) => typeof type === 'string');
    const arrays = all.filter(({ type }) => type === 'array');
    const defaults = all.filter((one) => 'default' in one);
    assert.ok(arrays.length > 0 && defaults.length > 0);
    for (const one of arrays) assert.ok(one.items, JSON.stringify(one));
    for (const one of defaults) {
      const type = Number.isInteger(one.default) ? 'integer' : typeof one.default;
      assert.equal(type, one.type, JSON.stringify(one));
    }
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

  /** A target for every operation: `{name}` in a path is filled from the lists of the program. */
  async function targets() {
    const { server, key } = shared;
    const { paths } = (await server.get('/api/v1/openapi.json')).json;
    const [trade] = (await server.json('/api/v1/trades?limit=100', { key })).data.filter(
      ({ ticker }) => ticker !== null,
    );
    const first = async (list) => (await server.json(`/api/v1/${list}?limit=1`, { key })).data[0];
    const { id: committee } = await first('committees');
    const { code } = await first('industries');
    const values = { id: trade.id, slug: trade.politician.slug, symbol: trade.ticker, code };
    const ending = Object.keys(paths).filter((one) => one !== '/api/v1/trades/stream');
    return ending.map((one) =>
      one
        .replace('/filings/{id}', `/filings/${trade.id.slice(0, -5)}`)
        .replace('/committees/{id}', `/committees/${committee}`)
        .replace(/\{(\w+)\}/g, (_, name) => values[name]),
    );
  }

  test('every operation, full pages, CSV and errors answer as it says', async () => {
    const { server, key } = shared;
    const api = await OpenApi.load(server);
    const found = (await targets()).map((target) => [target, 200]);
    for (const [target, status] of [
      ...found,
      ['/api/v1/trades?limit=100&format=csv', 200],
      ['/api/v1/trades?limit=100&fields=details', 200],
      ['/api/v1/changes?limit=100', 200],
      ['/api/v1/trades/none', 404],
      ['/api/v1/politicians/nobody-at-all', 404],
    ]) {
      const response = await server.get(target, { key });
      assert.equal(response.status, status, target);
      api.check('GET', target, response);
    }
  });
});

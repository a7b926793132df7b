// Third-party tools with the API's description: the linter finds nothing, and a generated
// TypeScript client compiles under strict settings and reads the feed.

import { strict as assert } from 'node:assert';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { run } from './lib/child.mjs';
import { useSite } from './lib/site.mjs';
import { npmPackages, runTool } from './lib/tools.mjs';

// Walks the feed by cursor through the generated types: a wrong member name does not compile.
const CLIENT = `
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { env: Record<string, string | undefined> };
const client = createClient<paths, 'application/json'>({
  baseUrl: process.env['API_URL']!,
  headers: { Authorization: \`Bearer \${process.env['API_KEY']}\` },
});
let cursor: string | undefined;
let count = 0;
let id = '';
do {
  const { data, error } = await client.GET('/api/v1/trades', {
    params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
  });
  if (error !== undefined) throw new Error(error.error);
  for (const trade of data.data) {
    const side: 'buy' | 'sell_full' | 'sell_partial' | 'exchange' = trade.side;
    const max: number | null = trade.amountRange.max;
    if (side.length > 0 && (max === null || max > 0)) count++;
    id = trade.id;
  }
  cursor = data.nextCursor ?? undefined;
} while (cursor !== undefined);
const { data } = await client.GET('/api/v1/politicians/{slug}', {
  params: { path: { slug: 'nobody-at-all' } },
});
const one = await client.GET('/api/v1/trades/{id}', { params: { path: { id } } });
if (one.error !== undefined) throw new Error(one.error.error);
const { source, conflict } = one.data.data;
const late: number | null = source.daysLate;
const review: 'row' | 'bulk' = source.review;
const oversees: string[] = conflict === null ? [] : conflict.committees.map((seat) => seat.name);
const log = await client.GET('/api/v1/corrections', { params: { query: { limit: 1 } } });
const loaded: (number | undefined)[] | undefined = log.data?.data.map((entry) => entry.backfill?.trades);
const ledger = await client.GET('/api/v1/coverage');
const total: number | undefined = ledger.data?.data.total;
const people = await client.GET('/api/v1/politicians', { params: { query: { q: 'a', limit: 1 } } });
const slug: string | undefined = people.data?.data[0]?.slug;
console.log(
  JSON.stringify({
    count,
    known: data !== undefined,
    whole: late !== undefined && oversees.length === 0 && review === 'bulk',
    loaded,
    total,
    named: slug !== undefined,
  }),
);
`;

const COMPILER = [
  '--strict',
  '--noUncheckedIndexedAccess',
  '--exactOptionalPropertyTypes',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--moduleResolution',
  'nodenext',
  '--lib',
  'es2022,dom',
];

describe('the description of the API', () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 250);
    const server = await site.serve();
    const description = await server.get('/api/v1/openapi.json');
    assert.equal(description.status, 200);
    writeFileSync(path.join(site.folder, 'openapi.json'), description.body);
    writeFileSync(path.join(site.folder, 'package.json'), '{"type":"module"}');
    symlinkSync(npmPackages, path.join(site.folder, 'node_modules'));
    return { server, key: await site.key() };
  });

  test('the linter finds no errors and no warnings', async () => {
    const cwd = shared.site.folder;
    const output = await runTool('@redocly/cli', 'redocly', ['lint', 'openapi.json'], { cwd });
    assert.match(output, /is valid/);
    assert.doesNotMatch(output, /warning/i, output);
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

  test('a generated client compiles and reads the whole feed', async () => {
    const cwd = shared.site.folder;
    const generate = ['openapi.json', '--output', 'api.ts'];
    await runTool('openapi-typescript', 'openapi-typescript', generate, { cwd });
    writeFileSync(path.join(cwd, 'client.ts'), CLIENT);
    await runTool('typescript', 'tsc', [...COMPILER, 'client.ts'], { cwd });
    const env = { PATH: process.env.PATH, API_URL: shared.server.url, API_KEY: shared.key };
    const done = await run(process.execPath, ['client.js'], { cwd, env });
    assert.equal(done.code, 0, done.stderr);
    const { total, ...told } = JSON.parse(done.stdout);
    assert.deepEqual(told, { count: 250, known: false, whole: true, loaded: [250], named: true });
    assert.ok(total > 0);
  });
});

// The table of questions (tests/questions/questions.json): each is answered by at most two calls of
// the tools and 3,000 tokens, over standard streams and over HTTP alike, and equals what SQL says
// about the store. A question is a row: the text, the calls, where its answer is, and the SQL.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { openSqlite } from './lib/database.mjs';
import { checkText, tokens } from './lib/mcp.mjs';
import { Peer } from './lib/mcp_peer.mjs';
import { root } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const { view, given, questions } = JSON.parse(
  readFileSync(path.join(root, 'tests/questions/questions.json'), 'utf8'),
);

const fill = (text, names) => text.replace(/\{(\w+)\}/g, (_, name) => names[name]);
const fillAll = (args, names) =>
  Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      typeof value === 'string' ? fill(value, names) : value,
    ]),
  );

const at = (row, name) => name.split('.').reduce((value, part) => value?.[part], row) ?? null;
const sorted = (rows) => rows.map((row) => JSON.stringify(row)).sort();

/** One call over HTTP: its result. */
async function post(server, key, name, args) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
  });
  const { json } = await server.request('POST', '/mcp', { body, key, unchecked: true });
  return json.result;
}

describe('the table of questions', () => {
  const options = { env: { STOCKACT_BENCH_UNLIMITED: '1' }, clock: '2026-03-31T12:00:00Z' };
  const shared = useSite(options, async (site) => {
    await site.stockact('demo', '--trades', 1500);
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const db = openSqlite(site.database.file);
    db.exec(view);
    const names = {};
    for (const [name, sql] of Object.entries(given))
      names[name] = Object.values(db.prepare(sql).get())[0];
    return { server, key, db, names };
  });

  test('has 60 questions of two calls at most', () => {
    assert.ok(questions.length >= 60, `${questions.length}`);
    for (const { asks, calls } of questions) assert.ok(calls.length <= 2, asks);
  });

  for (const { asks, calls, of, rows, ranked, sql } of questions)
    test(asks, async (t) => {
      const { server, key, db, names } = shared;
      const peer = await Peer.start(t, { url: server.url, key });
      let answer;
      let size = 0;
      for (const [tool, args] of calls) {
        const filled = fillAll(args, names);
        const { content, structuredContent } = await post(server, key, tool, filled);
        assert.deepEqual(await peer.found(tool, filled), structuredContent);
        checkText(content[0].text, structuredContent);
        size += tokens(content[0].text) + tokens(structuredContent);
        answer = structuredContent;
      }
      assert.ok(size <= 3000, `${size} tokens`);
      const used = Object.entries(names).filter(([name]) => sql.includes(`:${name}`));
      const wanted = db
        .prepare(sql)
        .all(Object.fromEntries(used))
        .map((row) => Object.values(row));
      const found = [answer[of]].flat().map((row) => rows.map((name) => at(row, name)));
      if (ranked) assert.deepEqual(found, wanted);
      else assert.deepEqual(sorted(found), sorted(wanted));
      if (wanted.length === 0) assert.match(answer.note, /\.$/, 'an empty answer says why');
    });
});

// `stockact export`: the trades of a filter, with the columns and rows of a snapshot.

import { strict as assert } from 'node:assert';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import { run } from './lib/child.mjs';
import { openSqlite } from './lib/database.mjs';
import { binary } from './lib/settings.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';

const DAY = '2026-03-02';
const FILTERS = ['chamber=house', 'side=buy', 'asset_type=stock'];

onEachDatabase('export', (database) => {
  const shared = useSite({ database, clock: `${DAY}T12:00:00Z` }, async (site) => {
    await site.stockact('demo', '--trades', 400, '--as-of', DAY);
    const server = await site.serve();
    const folder = path.join(site.folder, 'data');
    await site.stockact('snapshot', folder);
    return { server, folder };
  });
  const exported = async (...args) => {
    const done = await shared.site.run(['export', ...args]);
    assert.equal(done.code, 0, done.stderr);
    return done.stdout;
  };
  const written = (name) =>
    gunzipSync(readFileSync(path.join(shared.folder, DAY, name))).toString();

  test('prints the files of a snapshot', async () => {
    assert.equal(await exported('--format', 'csv'), written('trades.csv.gz'));
    assert.equal(await exported('--format', 'jsonl'), written('trades.jsonl.gz'));
    const all = await exported('--format', 'jsonl', '--whole');
    assert.equal(all.split('\n').length, 401);
  });

  test('takes the filters of the API, and leaves out what visitors do not see', async () => {
    const { server, site } = shared;
    const key = await site.key();
    const wanted = [];
    for await (const page of server.pages(`/api/v1/trades?limit=100&${FILTERS.join('&')}`, { key }))
      wanted.push(...page.data.map(({ id }) => id));
    const seen = new Set(
      written('trades.jsonl.gz')
        .split('\n')
        .slice(0, -1)
        .map((row) => JSON.parse(row).id),
    );
    const got = (await exported('--format', 'jsonl', ...FILTERS)).split('\n').slice(0, -1);
    assert.ok(got.length > 5 && got.length < 300, `${got.length} trades`);
    assert.deepEqual(
      got.map((row) => JSON.parse(row).id),
      wanted.filter((id) => seen.has(id)),
    );
    const none = await exported('--format', 'csv', 'ticker=NONESUCH');
    assert.equal(none.split('\r\n').length, 2); // the header
  });

  test('saves the table of a snapshot for SQLite', async () => {
    const file = path.join(shared.site.folder, 'some.sqlite');
    const [said] = await shared.site.stockact('export', '--format', 'sqlite', '--output', file);
    const rowsOf = (from) => {
      const db = openSqlite(from, { readOnly: true });
      const rows = db.prepare('select * from trades').all();
      const types = db.prepare("select name, type from pragma_table_info('trades')").all();
      const found = db.prepare("select count(*) n from trades_fts where trades_fts match 'a*'");
      const { n } = found.get();
      db.close();
      return { rows, types, n };
    };
    const got = rowsOf(file);
    assert.deepEqual(got, rowsOf(path.join(shared.folder, DAY, 'stockact.sqlite')));
    assert.equal(said.rows, got.rows.length);
  });

  test('refuses what it cannot do, and leaves no half of a file', async () => {
    const { site } = shared;
    const file = path.join(site.folder, 'half.sqlite');
    const sqlite = ['--format', 'sqlite', '--output', file];
    for (const [args, hint] of [
      [['--format', 'parquet'], /csv\|jsonl\|sqlite/],
      [['--format', 'csv', '--output', file], /--output FILE goes with --format sqlite/],
      [['--format', 'sqlite'], /--output FILE goes with/],
      [['--format', 'csv', 'chamber=lords'], /"chamber" must be/],
      [['--format', 'csv', 'colour=red'], /"colour" is not a parameter/],
      [['--format', 'csv', 'side=buy', 'side=sell'], /more than once/],
      [['--format', 'csv', 'side=%2'], /escape|%/],
    ]) {
      const done = await site.run(['export', ...args]);
      assert.equal(done.code, 2, done.stdout + done.stderr);
      assert.match(done.stderr, hint);
    }
    const watch = ['-f', '-o', '/dev/null', '-e', 'trace=pwrite64,fsync'];
    const full = ['-P', `${file}.new`, '-e', 'inject=pwrite64:error=ENOSPC:when=3+'];
    const killed = ['-P', `${file}.new`, '-e', 'inject=fsync:signal=KILL:when=1'];
    for (const [how, ends] of [
      [full, {}],
      [killed, { endsBy: 'SIGKILL' }],
    ]) {
      const args = [...watch, ...how, binary, 'export', ...sqlite];
      const done = await run('strace', args, { env: site.env, ...ends });
      if (!ends.endsBy) assert.match(done.stderr, /full/);
      assert.ok(!existsSync(file));
    }
    await site.stockact('export', ...sqlite);
    const again = await site.run(['export', ...sqlite]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /is there already/);
    assert.ok(!readdirSync(site.folder).some((name) => name.endsWith('.new')));
    const device = await run('sh', ['-c', `"${binary}" export --format csv >/dev/full`], {
      env: site.env,
    });
    assert.equal(device.code, 1, device.stderr);
  });
});

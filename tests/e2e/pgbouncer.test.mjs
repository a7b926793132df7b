// PgBouncer between the program and PostgreSQL. It works if each connection keeps its session. If
// sessions move from transaction to transaction, every command refuses the database and says why.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { PgBouncer } from './lib/pgbouncer.mjs';
import { programPath } from './lib/programs.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const REFUSED =
  /a connection pooler gives each transaction another session: set pool_mode = session in PgBouncer, or connect to PostgreSQL without it/;

async function open(t, settings) {
  const site = await makeSite(t, { database: 'postgresql' });
  const pooler = await PgBouncer.start(site.database.url, settings);
  t.after(() => pooler.stop());
  return { site, env: { STOCKACT_DATABASE: pooler.url } };
}

describe('PgBouncer', { skip: programPath('pgbouncer') ? false : 'it is not installed' }, () => {
  for (const [how, settings] of Object.entries({
    'transaction mode': { pool_mode: 'transaction' },
    'statement mode': { pool_mode: 'statement' },
    'transaction mode with sessions in turns': {
      pool_mode: 'transaction',
      server_round_robin: 1,
      min_pool_size: 8,
    },
    'transaction mode with one session': { pool_mode: 'transaction', default_pool_size: 1 },
  })) {
    test(`${how} is refused by commands and by the server`, async (t) => {
      const { site, env } = await open(t, settings);
      for (const command of [['status'], ['migrate'], ['serve', '--listen', '127.0.0.1:0']]) {
        const done = await site.run(command, { env });
        assert.equal(done.code, 1, command[0]);
        assert.match(done.stderr, REFUSED);
      }
      const checked = await site.run(['config', 'check'], { env });
      assert.equal(checked.code, 1);
      assert.match(checked.stdout, REFUSED);
    });
  }

  test('two servers work in session mode, and see what the other one changes', async (t) => {
    const { site, env } = await open(t, { pool_mode: 'session', default_pool_size: 80 });
    await site.stockact('demo', '--trades', 20);
    const servers = [await site.serve({ env }), await site.serve({ env })];
    const key = await site.key({ plan: 'pack' });
    const newest = async (server) =>
      (await server.get('/api/v1/filings?limit=1', { key })).json.data[0].id;
    const before = await newest(servers[0]);
    const done = await site.run(['demo', '--publish', '1'], { env });
    assert.equal(done.code, 0, done.stderr);
    for (const server of servers)
      await until('it serves the new filing', async () => (await newest(server)) !== before);
  });

  test('a pool without a second session is named', async (t) => {
    const { site, env } = await open(t, {
      pool_mode: 'session',
      default_pool_size: 1,
      query_wait_timeout: 1,
    });
    const done = await site.run(['status'], { env });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /the connection pooler has no second session: raise its pool size/);
  });

  test('a second connection that is refused has the reason of the pooler', async (t) => {
    const { site, env } = await open(t, { pool_mode: 'session', max_client_conn: 1 });
    const done = await site.run(['status'], { env });
    assert.equal(done.code, 1);
    assert.match(
      done.stderr,
      /no second connection, to check for a connection pooler: .*no more connections allowed/,
    );
  });
});

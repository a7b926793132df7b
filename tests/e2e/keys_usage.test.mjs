// What keys were used for, and their names, on the command line (decisions 22, 43).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { NOON, start, times, written } from './lib/usage.mjs';

const USAGE = '/api/v1/usage';
const FILINGS = '/api/v1/filings';

onEachDatabase('keys on the command line', (database) => {
  test('usage prints what the API returns, for one key or all of an account', async (t) => {
    const { site, server, key, minted } = await start(t, { database });
    await site.mint({ email: minted.email, name: 'unused' });
    await times(5, () => server.get(FILINGS, { key }));
    await times(2, () => server.get(`${FILINGS}?x=1`, { key }));
    await written(site, 7);
    const { data } = await server.json(USAGE, { key });
    await server.stop();

    const [one] = await site.stockact('keys', 'usage', '--id', minted.id);
    assert.deepEqual(one.days, data.days);
    assert.deepEqual(one.lastErrors, data.lastErrors);
    const { month } = data;
    assert.deepEqual(
      [one.monthLimit, one.monthUsed, one.monthRemaining, one.monthResetAt],
      [month.limit, month.used, month.remaining, month.resetAt],
    );
    assert.deepEqual([one.responses, one.errors, one.plan], [7, 2, 'pack']);
    assert.deepEqual([one.lastUsedAt, one.lastUsedFor, one.idle], [NOON, FILINGS, false]);

    const all = await site.stockact('keys', 'usage', '--email', minted.email);
    assert.deepEqual(
      all.map(({ name, responses, lastUsedFor }) => [name, responses, lastUsedFor]),
      [
        ['unused', 0, null],
        ['screener', 7, FILINGS],
      ],
    );
    const shown = await site.run(['keys', 'usage', '--id', minted.id]);
    assert.match(shown.stdout, /^2026-03-15\t5\t0\t2\t0\t0$/m);
    assert.match(shown.stdout, /\t400\tinvalid_parameter\t\/api\/v1\/filings\t1$/m);
    for (const args of [[], ['--id', minted.id, '--email', minted.email]])
      assert.match((await site.run(['keys', 'usage', ...args])).stderr, /either --id or --email/);
    assert.match((await site.run(['keys', 'usage', '--id', 'x'])).stderr, /there is no key "x"/);
  });

  test('a key is renamed, and every action is in the log', async (t) => {
    const site = await makeSite(t, { database, clock: NOON });
    const minted = await site.mint({ name: 'one' });
    const rename = (name) => site.run(['keys', 'rename', '--id', minted.id, '--name', name]);
    const [renamed] = await site.stockact('keys', 'rename', '--id', minted.id, '--name', 'two');
    assert.deepEqual([renamed.id, renamed.name, renamed.prefix], [minted.id, 'two', minted.prefix]);
    assert.equal((await rename('two')).code, 0, 'the same name again');
    for (const name of ['', 'x'.repeat(101), 'a\u0007b', 'a\u202eb', 'a\nb'])
      assert.notEqual((await rename(name)).code, 0, JSON.stringify(name));
    assert.equal((await rename('ü'.repeat(50))).code, 0, '100 bytes');
    await site.stockact('keys', 'revoke', '--id', minted.id);
    await site.stockact('keys', 'revoke', '--id', minted.id);
    const rows = await site.database.query(
      'SELECT actor, action, subject_kind, subject_id, detail FROM action_log ORDER BY no',
    );
    const ours = rows.filter(({ action }) => action.startsWith('key.'));
    assert.deepEqual(
      ours.map(({ action }) => action),
      ['key.mint', 'key.rename', 'key.rename', 'key.revoke'],
    );
    for (const row of ours) {
      assert.deepEqual(
        [row.actor, row.subject_kind, row.subject_id, row.detail],
        ['operator', 'key', minted.id, minted.prefix],
      );
    }
  });

  test('a key that was not used for 30 days is called idle', async (t) => {
    const { site, server, minted, key } = await start(t, { database });
    const idle = async () => (await site.stockact('keys', 'list', '--email', minted.email))[0].idle;
    await site.clock.advance(30 * 86_400_000 - 1);
    assert.equal(await idle(), false);
    await site.clock.advance(1);
    assert.equal(await idle(), true);
    await server.get(FILINGS, { key });
    await until('the use is written', async () => !(await idle()));
    await site.clock.advance(31 * 86_400_000);
    assert.equal(await idle(), true);
    await site.stockact('keys', 'revoke', '--id', minted.id);
    assert.equal(await idle(), false, 'revoked');
  });
});

// The clock of the machine jumps by up to ten years, forward and back, while reports are published,
// withdrawn and corrected; the clock of the database is right. No instant that was stored is later
// than the bound allows (docs/adr/0041-time-that-can-be-trusted.md).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { WHY } from './lib/changing.mjs';
import { CLOCK } from './lib/delivering.mjs';
import { gate } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

const YEAR = 365 * 86_400_000;
const MINUTE = 60_000; // the bound
const JUMPS = gate ? 24 : 1000;

/** What has an instant that is public, or orders what is. */
const STORED = [
  ['publication', 'at'],
  ['filing', 'published_at'],
  ['filing', 'withdrawn_at'],
  ['trade', 'disclosed_at'],
  ['trade', 'withdrawn_at'],
  ['finding_history', 'at'],
  ['correction', 'at'],
  ['change_log', 'at'],
  ['event', 'created_at'],
];

/** The same numbers in each run. */
function* numbers(seed) {
  for (let x = seed; ;) {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648;
    yield x / 2_147_483_648;
  }
}

onEachDatabase('a clock that jumps', (kind) => {
  test(`${JUMPS} jumps store no instant of the future`, async (t) => {
    const site = await makeSite(t, { database: kind, clock: CLOCK });
    const truth = path.join(site.folder, 'truth');
    let now = site.clock.now;
    const pass = (ms) => writeFileSync(truth, new Date((now += ms)).toISOString());
    pass(0);
    site.env.STOCKACT_TEST_DATABASE_CLOCK = truth;
    await site.stockact('demo', '--trades', 40, '--as-of', '2026-01-05');
    await site.stockact('demo', '--publish', 1);
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    const newest = async () => (await server.json('/api/v1/trades?limit=1', { key })).data[0];
    const latest = async () => {
      const parts = STORED.map(([table, column]) => `SELECT max(${column}) AS at FROM ${table}`);
      const [row] = await site.database.query(
        `SELECT max(at) AS at FROM (${parts.join(' UNION ALL ')}) x`,
      );
      return Number(row.at);
    };
    const dice = numbers(30);
    const roll = () => dice.next().value;
    const count = { ahead: 0, behind: 0, refused: 0, overruled: 0 };
    for (let jump = 0; jump < JUMPS; jump++) {
      pass(1000);
      // A third is near the bound.
      const by = Math.round((roll() * 2 - 1) * (roll() < 0.33 ? 4 * MINUTE : 10 * YEAR));
      await site.clock.set(now + by);
      const { id } = await newest();
      const side = roll() < 0.5 ? 'buy' : 'sell_full';
      const what = [
        ['demo', '--publish', 1],
        ['withdraw', id, ...WHY],
        ['correct', id, 'side', side, ...WHY],
      ][Math.floor(roll() * 3)];
      const done = await site.run(what.map(String));
      if (by > MINUTE) assert.notEqual(done.code, 0, `${what} at ${by} ms: ${done.stdout}`);
      count[by > MINUTE ? 'refused' : by > 0 ? 'ahead' : 'behind']++;
      if (by > MINUTE && what[0] === 'withdraw' && roll() < 0.2) {
        const at = new Date(now).toISOString();
        await site.stockact(...what, '--at', at);
        count.overruled++;
      }
      const stored = await latest();
      assert.ok(stored <= now + MINUTE, `${what} at ${by} ms stored ${new Date(stored)}`);
    }
    t.diagnostic(JSON.stringify(count));
    for (const [name, n] of Object.entries(count)) assert.ok(n || name === 'overruled', name);
    await site.clock.set(now);
    const sane = await site.run(['check', '--json']);
    assert.equal(sane.code, 0, sane.stdout);
    assert.equal((await server.get('/api/v1/trades', { key })).status, 200);
  });
});

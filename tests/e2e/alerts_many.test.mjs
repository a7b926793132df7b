// A hundred thousand subscriptions and a filing of 500 rows: matched and written within 5 s, and a
// publication does not wait for it.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillPeople } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const PEOPLE = 1000;
const EACH = 100;
const MATCHED_MS = 5000;
const QUIET = process.env.STOCKACT_QUIET_MACHINE === '1'; // else only a bound against mistakes

const waiting = async (site, what) => {
  const [row] = await site.database.query(what);
  return Number(row.n);
};

onEachDatabase('many alerts', (kind) => {
  test('a filing of 500 rows meets 100,000 alerts that all match', async (t) => {
    const { site } = await makeMailSite(t, {
      database: kind,
      env: { STOCKACT_BASE_URL: 'https://trades.example.org' },
    });
    await site.stockact('demo', '--trades', 20);
    await site.serve();
    const publish = async (rows) => {
      const began = performance.now();
      await site.stockact('demo', '--publish', 1, '--rows', rows);
      return Math.round(performance.now() - began);
    };
    const alone = await publish(500);
    await fillPeople(site, { people: PEOPLE, each: EACH, pace: 'weekly' });
    await site.database.execute('UPDATE alert SET after_seq = (SELECT max(seq) FROM change_log)');
    await publish(500);
    const began = performance.now();
    const beside = await publish(1); // while the 500 rows are matched
    const position = "SELECT value AS n FROM counter WHERE name = 'alert'";
    const newest = await waiting(site, 'SELECT max(seq) AS n FROM change_log');
    await until('all is matched', async () => (await waiting(site, position)) >= newest, {
      within: 100_000,
    });
    const took = Math.round(performance.now() - began);
    const rows = await waiting(site, 'SELECT count(*) AS n FROM alert_match');
    assert.ok(rows >= PEOPLE * EACH, `${rows} matches`);
    t.diagnostic(
      `${kind}: 100,000 alerts matched and written in ${took} ms, beside a publication of` +
        ` ${beside} ms (500 rows alone: ${alone} ms)`,
    );
    assert.ok(took < (QUIET ? MATCHED_MS : 20 * MATCHED_MS), `${took} ms`);
  });
});

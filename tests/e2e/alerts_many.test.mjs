// A hundred thousand subscriptions and a filing of 500 rows: matched and written within 5 s, and a
// publication does not wait for it. The same for the withdrawal of the filing, which all of them
// had in an e-mail.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillPeople } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { assertPromise, quiet } from './lib/measured.mjs';
import { cpuMs } from './lib/proc.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const PEOPLE = 1000;
const EACH = 100;
const MATCHED_MS = 5000;
/** Of the server and of the database's connections: at most 2.9 s. Beside other programs the same work
 *  took 4.1 s, so there it is only a bound against mistakes, like the time on the clock. */
const CPU_MS = quiet ? 4000 : 12_000;

const ONE_ROW = 3; // publications whose median counts
const waiting = async (site, what) => {
  const [row] = await site.database.query(what);
  return Number(row.n);
};

/** Processor time so far of a server and of its connections to PostgreSQL. */
async function timeOf(site, server) {
  const sql = `SELECT pid FROM pg_stat_activity WHERE application_name = 'stockact'
    AND datname = current_database()`;
  const backends = site.database.kind === 'sqlite' ? [] : await site.database.query(sql);
  const all = [server.child.pid, ...backends.map(({ pid }) => pid)];
  return all.reduce((sum, pid) => sum + cpuMs(pid), 0);
}

const matched = (site) =>
  until(
    'all is matched',
    async () =>
      (await waiting(
        site,
        `SELECT (SELECT max(seq) FROM change_log)
          - (SELECT value FROM counter WHERE name = 'alert') AS n`,
      )) === 0,
  );

onEachDatabase('many alerts', (kind) => {
  test('a filing of 500 rows matches 100,000 alerts', async (t) => {
    const { site } = await makeMailSite(t, {
      database: kind,
      env: { STOCKACT_BASE_URL: 'https://trades.example.org' },
    });
    await site.stockact('demo', '--trades', 20);
    const server = await site.serve();
    const publish = async (rows) => {
      const began = performance.now();
      await site.stockact('demo', '--publish', 1, '--rows', rows);
      return Math.round(performance.now() - began);
    };
    /** The median of some publications of one row, one after the other. */
    const publishOnes = async () => {
      const times = [];
      for (let i = 0; i < ONE_ROW; i++) times.push(await publish(1));
      return times.sort((a, b) => a - b)[Math.floor(ONE_ROW / 2)];
    };
    await publish(500);
    const alone = await publishOnes();
    await fillPeople(site, { people: PEOPLE, each: EACH, pace: 'weekly' });
    await site.database.execute('UPDATE alert SET after_seq = (SELECT max(seq) FROM change_log)');
    const before = await timeOf(site, server);
    await publish(500);
    const [{ id: filing }] = await site.database.query(
      'SELECT id FROM filing ORDER BY no DESC LIMIT 1',
    );
    const began = performance.now();
    const beside = await publish(1); // while the 500 rows are matched
    await matched(site);
    const took = Math.round(performance.now() - began);
    const cpu = (await timeOf(site, server)) - before;
    const rows = await waiting(site, 'SELECT count(*) AS n FROM alert_match');
    assert.ok(rows >= PEOPLE * EACH, `${rows} matches`);
    t.diagnostic(
      `${kind}: 100,000 alerts matched and written in ${took} ms, ${cpu} ms of processor time,` +
        ` beside a publication of one row in ${beside} ms (alone: ${alone} ms)`,
    );
    assert.ok(cpu < CPU_MS, `${cpu} ms of processor time`);
    assertPromise(t, '100,000 alerts', took, MATCHED_MS);

    await site.database.execute('UPDATE alert_match SET sent_at = 1');
    const sent = await timeOf(site, server);
    await site.stockact('withdraw', filing, '--by', 'editor@example.org', '--reason', 'A test.');
    await matched(site);
    const spent = (await timeOf(site, server)) - sent;
    const more = await waiting(site, 'SELECT count(*) AS n FROM alert_match WHERE sent_at IS NULL');
    assert.equal(more, PEOPLE * EACH);
    t.diagnostic(`${kind}: a withdrawal after it ${spent} ms of processor time`);
    assert.ok(spent < CPU_MS, `${spent} ms of processor time`);

    if (!quiet) return; // another program's time slices are longer than what is compared
    await publish(500);
    const meanwhile = await publishOnes();
    await matched(site);
    t.diagnostic(`${kind}: a publication of one row ${alone} ms, beside matching ${meanwhile} ms`);
    assert.ok(meanwhile <= 2 * alone + 100, `${meanwhile} ms, alone ${alone} ms`);
  });
});

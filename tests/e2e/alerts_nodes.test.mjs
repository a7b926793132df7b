// Two servers on one PostgreSQL database match and send at once. Each person gets each trade once,
// also while the lease of the job moves from server to server in the middle of its work.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillPeople, partsOf } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { until } from './lib/until.mjs';

const PEOPLE = 300;
const FILINGS = 6;

test('two servers send each trade to each person once (postgresql)', async (t) => {
  const { site, sink } = await makeMailSite(t, {
    database: 'postgresql',
    clock: '2026-11-20T13:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org', STOCKACT_LOG: 'logfmt' },
  });
  await site.stockact('demo', '--trades', 20);
  await fillPeople(site, { people: PEOPLE, pace: 'now' });
  await site.database.execute('UPDATE alert SET after_seq = (SELECT max(seq) FROM change_log)');
  const servers = [await site.serve(), await site.serve()];
  const takeLease = () =>
    // as after a stall that is longer than the lease
    site.database.execute(
      "UPDATE job SET lease_node = 'other', lease_until = 0 WHERE name = 'alerts'",
    );
  for (let i = 0; i < FILINGS; i++) {
    await site.stockact('demo', '--publish', 1, '--rows', 2);
    await takeLease();
  }
  const got = () =>
    sink.mails.flatMap((mail) =>
      [...partsOf(mail).text.matchAll(/\/trades\/(\S+)/g)].map(([, id]) => `${mail.to} ${id}`),
    );
  let looks = 0;
  await until('all trades reach all people', async () => {
    if (looks++ % 20 === 0) await takeLease();
    return new Set(got()).size >= PEOPLE * FILINGS * 2;
  });
  await until('nothing waits', async () => {
    const [row] = await site.database.query(
      `SELECT (SELECT count(*) FROM mail WHERE ended_at IS NULL)
        + (SELECT count(*) FROM alert_match WHERE sent_at IS NULL) AS n`,
    );
    return Number(row.n) === 0;
  });
  assert.equal(got().length, PEOPLE * FILINGS * 2);
  const [{ n: queued }] = await site.database.query('SELECT count(*) AS n FROM mail');
  assert.equal(sink.mails.length, Number(queued));
  const ran = servers.map(({ log }) => (log.match(/event=alerts /g) ?? []).length);
  await site.database.execute("UPDATE alert SET state = 'ended' WHERE no % 2 = 0");
  await site.clock.set('2027-02-20T13:00:00Z'); // 92 days later
  await until('ended alerts and old matches are deleted', async () => {
    const [row] = await site.database.query(
      `SELECT (SELECT count(*) FROM alert) AS alerts, (SELECT count(*) FROM alert_match) AS matches`,
    );
    return Number(row.alerts) === PEOPLE / 2 && Number(row.matches) === 0;
  });
  t.diagnostic(`${sink.mails.length} e-mails in runs of the two servers: ${ran.join(' and ')}`);
});

test('a server that freezes inside a transaction of the job does not block other writers (postgresql)', async (t) => {
  const { site } = await makeMailSite(t, {
    database: 'postgresql',
    clock: '2026-11-20T13:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org' },
  });
  await site.stockact('demo', '--trades', 20);
  const owner = await makeOwner(site);
  await fillPeople(site, { people: 1, pace: 'weekly' });
  const visitor = await signInOnPage(await site.serve(), owner);
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  const busy = 'SELECT count(*) AS n FROM job WHERE lease_until IS NOT NULL';
  const matched = 'SELECT count(*) AS n FROM alert_match';
  const number = async (sql) => Number((await site.database.query(sql))[0].n);
  await until('the job rests', async () => (await number(matched)) > 0 && !(await number(busy)));
  const leaseEnd = Date.parse('2026-11-20T13:00:20Z');
  const lease = `UPDATE job SET lease_node = 'other', lease_until = ${leaseEnd} WHERE name = 'alerts'`;
  await site.database.execute(lease);
  const stopped = assert.rejects(site.database.execute(`BEGIN; ${lease}; SELECT pg_sleep(3600)`));
  const sleeping = "FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'PgSleep'";
  const holds = `SELECT count(*) AS n ${sleeping} AND datname = current_database()`;
  await until('the other transaction holds the row', async () => (await number(holds)) > 0);
  await site.stockact('demo', '--publish', 1, '--rows', 1); // the job is due
  const look = `SELECT max(query_start)::text AS at FROM pg_stat_activity
    WHERE query LIKE 'SELECT 1 FROM job%' AND pid <> pg_backend_pid()
    AND datname = current_database()`;
  const blocked = `SELECT count(*) AS n FROM pg_stat_activity
    WHERE (SELECT pid ${sleeping} AND datname = current_database()) = ANY (pg_blocking_pids(pid))`;
  const looks = new Set();
  await until('the job looks at the lease again and again', async () => {
    assert.equal(await number(blocked), 0, 'the server waits for the other transaction');
    looks.add((await site.database.query(look))[0].at);
    return looks.size > 3;
  });
  const page = await visitor.open('/account/alerts');
  await visitor.submit(page.form('Add the alert'), { ticker: 'NWTB' }, { status: 200 });
  assert.equal(await number(holds), 1, 'the other transaction still holds the row');
  const end = `SELECT count(pg_terminate_backend(pid)) AS n ${sleeping}`;
  assert.equal(await number(`${end} AND datname = current_database()`), 1);
  await stopped;
});

// Daily jobs of three servers run once a day (docs/reliability.md, "Exactness on several servers"),
// also when their clocks differ and when the server that runs one stops or is killed.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { fillPeople } from './lib/alerts.mjs';
import { TestClock } from './lib/clock.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { Nodes } from './lib/nodes.mjs';
import { OfficialSites, hanging } from './lib/official_sites.mjs';
import { fillHouse } from './lib/syncing.mjs';
import { membersJson } from './lib/invented_members.mjs';
import { until } from './lib/until.mjs';

const OFFSETS = [0, 4000, -6000]; // of the servers' clocks
const MINUTE = 60_000;
const DAY = 86_400_000;
const MEMBER = {
  id: 'S000903',
  first: 'Nell',
  last: 'Sandover',
  chamber: 'house',
  state: 'ME',
  district: 1,
};
const PEOPLE = 40;

const realData = async (site) => {
  const file = path.join(site.folder, 'members.json');
  writeFileSync(file, membersJson([MEMBER]));
  await site.stockact('members', 'import', file);
};

const peopleWithAlerts = async (site) => {
  await site.stockact('demo', '--trades', 20);
  await fillPeople(site, { people: PEOPLE, pace: 'daily' });
  await site.database.execute('UPDATE alert SET after_seq = (SELECT max(seq) FROM change_log)');
  await site.stockact('demo', '--publish', 1, '--rows', 3);
};

/** Three servers, each with its own clock. `set(instant)` sets all of them. */
async function start(t, instant, { fill = realData, offsets = OFFSETS } = {}) {
  const sites = await OfficialSites.start(t);
  fillHouse(sites);
  const { sink, env } = await mailSettings(t, {
    ...(fill === realData ? { STOCKACT_SYNC_AT: '06:00' } : {}),
    STOCKACT_SYNC_BASE_URL: sites.url,
    STOCKACT_SYNC_PACE_MS: '0',
    STOCKACT_BASE_URL: 'https://trades.example.org',
  });
  const own = { sites, sink, clocks: [] };
  own.all = await Nodes.start(t, {
    count: offsets.length,
    redis: null,
    balanced: false,
    clock: instant,
    env,
    prepare: async (site) => {
      await fill(site);
      for (const [i, offset] of offsets.entries()) {
        const clock = path.join(site.folder, `clock${i}`);
        const at = Date.parse(instant) + offset;
        const running = () => [own.all?.servers[i]].filter((server) => server?.running);
        own.clocks.push(new TestClock(clock, at, running));
      }
    },
    nodeEnv: (i) => ({ STOCKACT_TEST_CLOCK: own.clocks[i].file }),
  });
  own.set = (at) =>
    Promise.all(own.clocks.map((clock, i) => clock.set(Date.parse(at) + offsets[i])));
  own.job = async (name) =>
    (await own.all.database.query(`SELECT * FROM job WHERE name = '${name}'`))[0] ?? {};
  /** The states of a job's runs, oldest first. */
  own.runs = async (name) =>
    (
      await own.all.database.query(
        `SELECT CASE WHEN ended_at IS NULL THEN 'no end' WHEN failed = 1 THEN 'failed' ELSE 'ok' END
         AS state FROM job_run WHERE name = '${name}' ORDER BY no`,
      )
    ).map(({ state }) => state);
  /** The heartbeats of a server that are newer than this many milliseconds: 1 or 0. */
  own.beats = async ({ child: { pid } }, ms) => {
    const [{ n }] = await own.all.database.query(
      `SELECT count(*) AS n FROM node WHERE label LIKE '%process ${pid}'
       AND beat_at > extract(epoch FROM clock_timestamp()) * 1000 - ${ms}`,
    );
    return Number(n);
  };
  /** The server that runs the job. */
  own.holder = async (name) => {
    const sql = `SELECT server FROM job_run WHERE name = '${name}' ORDER BY no DESC LIMIT 1`;
    const [{ server }] = await own.all.database.query(sql);
    return own.all.nodes.find(({ server: one }) => server.endsWith(`process ${one.child.pid}`));
  };
  own.untilRuns = (name, states) =>
    until(`the runs of ${name} are ${states}`, async () => {
      const found = await own.runs(name);
      assert.ok(found.length <= states.length, `${name}: ${found}`);
      return found.join() === states.join();
    });
  return own;
}

const JOBS = { sync: 'T06:00', sweep: 'T06:00', sample: 'T05:00' };

test('daily jobs run once on servers whose clocks differ', async (t) => {
  const own = await start(t, '2026-03-10T04:59:50Z');
  for (const name of Object.keys(JOBS))
    await until(`${name} is planned`, async () => (await own.job(name)).next_at);
  for (const [day, again] of [
    ['2026-03-10', ['ok']],
    ['2026-03-11', ['ok', 'ok']],
  ])
    for (const name of ['sample', 'sync', 'sweep']) {
      // The second server begins. The third has not reached the time yet, and is restarted.
      await own.set(`${day}${JOBS[name]}:01Z`);
      await own.untilRuns(name, again);
      const next = Date.parse(`${day}${JOBS[name]}:00Z`) + DAY;
      assert.equal(Number((await own.job(name)).next_at), next);
      await own.all.database.execute(`UPDATE job SET next_at = next_at + 1 WHERE name = '${name}'`);
      await own.all.servers[2].stop();
      await own.all.nodes[2].start();
      await until('it has planned', async () => Number((await own.job(name)).next_at) % 2 === 0);
      assert.equal(Number((await own.job(name)).next_at), next, `${name} on ${day}`);
      await own.set(`${day}${JOBS[name]}:40Z`);
    }
  for (const name of Object.keys(JOBS)) assert.deepEqual(await own.runs(name), ['ok', 'ok'], name);
});

test('three servers send one digest a day to each person', async (t) => {
  const own = await start(t, '2026-03-10T09:00:00Z', { fill: peopleWithAlerts });
  const digestDay = async () => {
    const sql = "SELECT value FROM counter WHERE name = 'alert_daily'";
    return Number((await own.all.database.query(sql))[0].value);
  };
  for (const [i, day] of ['2026-03-11', '2026-03-12', '2026-03-13'].entries()) {
    // The servers read their new clocks one after another. A job starts twice if a server is more
    // than an hour behind when it has started (JOB_CLOCKS_MS), so the clocks stop when it is due.
    await own.set(`${day}T06:00:10Z`);
    await own.untilRuns('sweep', Array(i + 1).fill('ok'));
    for (const hour of ['08', '16']) await own.set(`${day}T${hour}:00:00Z`);
    const today = Date.parse(day) / DAY;
    await until(`the digests of ${day} are sent`, async () => (await digestDay()) === today);
    await own.sink.have(PEOPLE);
  }
  assert.deepEqual(await own.runs('sweep'), ['ok', 'ok', 'ok']);
  assert.equal(own.sink.mails.length, PEOPLE);
  assert.equal(new Set(own.sink.mails.map(({ to }) => to)).size, PEOPLE);
});

test('the job of a server that stops or dies is done by another', async (t) => {
  const own = await start(t, '2026-03-10T05:59:00Z');
  const { sites, all } = own;
  await until('it is planned', async () => (await own.job('sync')).next_at);
  const asked = () => sites.requests.filter(({ path: p }) => p.includes('9000002')).length;
  sites.fault(/9000002/, hanging, { times: 2 });
  await own.set('2026-03-10T06:00:05Z');
  await until('a report hangs', () => asked() === 1);
  const stopped = await own.holder('sync');
  await stopped.server.stop();
  await own.set('2026-03-10T06:01:10Z'); // the others look once a minute
  await until('another server hangs', () => asked() === 2);
  const killed = await own.holder('sync');
  assert.notEqual(killed, stopped);
  const gone = killed.server;
  await gone.kill();
  await until('its heartbeat is old', async () => (await own.beats(gone, 5000)) === 0);
  await stopped.start();
  await killed.start();
  await own.set('2026-03-10T06:12:00Z'); // its lease has ended
  await own.untilRuns('sync', ['failed', 'no end', 'ok']);
  const states = await all.database.query(
    "SELECT source_id FROM document WHERE kind = 'house' AND state = 'waiting'",
  );
  assert.deepEqual(states, [], 'all reports were fetched');
  await own.set('2026-03-11T06:00:30Z');
  await own.untilRuns('sync', ['failed', 'no end', 'ok', 'ok']);
});

test('a server with a wrong clock does not begin a job that runs', async (t) => {
  const own = await start(t, '2026-03-10T05:40:00Z', { offsets: [0, 12 * MINUTE] });
  const { sites, all } = own;
  await until('it is planned', async () => (await own.job('sync')).next_at);
  sites.fault(/9000002/, hanging);
  await own.set('2026-03-10T05:48:05Z'); // 06:00:05 on the second server
  await until('a report hangs', () => sites.requests.some(({ path: p }) => p.includes('9000002')));
  assert.equal(await own.holder('sync'), all.nodes[1]);
  for (const at of ['06:11:00', '06:13:00', '06:36:00']) {
    await all.database.execute("UPDATE job SET next_at = next_at + 1 WHERE name = 'sync'");
    await own.set(`2026-03-10T${at}Z`); // for the first server, the lease of 06:10:05 has ended
    await until('it has looked', async () => Number((await own.job('sync')).next_at) % 2 === 0);
    assert.deepEqual(await own.runs('sync'), ['no end'], at);
  }
  await all.servers[1].stop();
  await own.set('2026-03-10T07:00:00Z');
  await own.untilRuns('sync', ['failed', 'ok']);
});

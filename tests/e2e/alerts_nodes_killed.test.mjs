// Servers on one PostgreSQL database are killed while they send a digest: each person gets it.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillPeople } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { until } from './lib/until.mjs';

const PEOPLE = 1000;
const IN_HAND = 10; // e-mails that a server sends at once
const LEASES_MS = 150_000; // longer than the leases of the job and of an e-mail

test('a digest reaches 1,000 people once each, except after kills (postgresql)', async (t) => {
  const { site, sink } = await makeMailSite(t, {
    database: 'postgresql',
    clock: '2026-11-20T13:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org', STOCKACT_LOG: 'logfmt' },
  });
  await site.stockact('demo', '--trades', 20);
  await fillPeople(site, { people: PEOPLE, pace: 'daily' });
  const servers = [await site.serve(), await site.serve()];
  await site.stockact('demo', '--publish', 2, '--rows', 2);
  const count = async (what) => {
    const [row] = await site.database.query(`SELECT count(*) AS n FROM ${what}`);
    return Number(row.n);
  };
  await until('all have a match', async () => (await count('alert_match')) >= PEOPLE);
  await site.clock.set('2026-11-21T12:00:00Z');
  for (const share of [0.02, 0.3]) {
    await until(`${share} of the e-mails`, () => sink.mails.length > share * PEOPLE);
    await servers.shift().kill();
    servers.push(await site.serve());
    await site.clock.advance(LEASES_MS);
  }
  await until(
    'everybody has one, and the queue is empty',
    async () =>
      new Set(sink.mails.map(({ to }) => to)).size === PEOPLE &&
      (await count('mail WHERE ended_at IS NULL')) === 0,
  );
  const doubles = sink.mails.length - PEOPLE;
  t.diagnostic(`${PEOPLE} e-mails with two kills, ${doubles} twice`);
  // For each kill: in the hand of that server, and of the other one when the leases ended.
  assert.ok(doubles <= 2 * 2 * IN_HAND, `${doubles} doubles`);
  assert.equal(new Set(sink.mails.map(({ headers }) => headers['message-id'])).size, PEOPLE);
  assert.equal(await count('mail'), PEOPLE); // each was queued once
});

// Ten thousand subscribers: a digest reaches each of them, also when the server is killed meanwhile.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillPeople } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { assertPromise } from './lib/measured.mjs';
import { until } from './lib/until.mjs';

const PEOPLE = 10_000;
const SENT_MS = 60_000;

test('a digest reaches 10,000 people once each, except after kills', async (t) => {
  const { site, sink } = await makeMailSite(t, {
    clock: '2026-11-20T13:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org', STOCKACT_LOG: 'logfmt' },
  });
  await site.stockact('demo', '--trades', 20);
  await fillPeople(site, { people: PEOPLE, pace: 'daily' });
  let server = await site.serve();
  await site.stockact('demo', '--publish', 2, '--rows', 2);
  await until('all have a match', async () => {
    const [row] = await site.database.query('SELECT count(*) AS n FROM alert_match');
    return Number(row.n) >= PEOPLE;
  });
  const began = Date.now();
  await site.clock.set('2026-11-21T12:00:00Z');
  for (const share of [0.02, 0.2, 0.5]) {
    await until(`${share} of the e-mails`, () => sink.mails.length > share * PEOPLE);
    await server.kill();
    server = await site.serve();
  }
  const people = () => new Set(sink.mails.map(({ to }) => to)).size;
  await until('everybody has one', () => people() === PEOPLE, { within: 4 * SENT_MS });
  const took = Date.now() - began;
  await until('the queue is empty', async () => {
    const [row] = await site.database.query(
      'SELECT count(*) AS n FROM mail WHERE ended_at IS NULL',
    );
    return Number(row.n) === 0;
  });
  assertPromise(t, 'e-mails to all', took, SENT_MS);
  const doubles = sink.mails.length - PEOPLE;
  t.diagnostic(`${PEOPLE} e-mails in ${took} ms with three kills, ${doubles} twice`);
  assert.ok(doubles <= 3 * 20, `${doubles} doubles`); // what was in hand at a kill
  assert.equal(new Set(sink.mails.map(({ headers }) => headers['message-id'])).size, PEOPLE);
  const [row] = await site.database.query('SELECT count(*) AS n FROM mail');
  assert.equal(Number(row.n), PEOPLE); // each was queued once
});

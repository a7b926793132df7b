// The metrics of alerts: what is not matched yet, and what is not sent.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { confirm, settled } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { makeOwner } from './lib/people.mjs';
import { until } from './lib/until.mjs';

const publish = (site) => site.stockact('demo', '--publish', 1, '--rows', 2);

test('the metrics say how far matching is behind, while another server has the job', async (t) => {
  const { site, sink } = await makeMailSite(t, {
    clock: '2026-11-20T13:00:00Z',
    env: { STOCKACT_BASE_URL: 'https://trades.example.org' },
  });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const { email } = await makeOwner(site, { plan: 'pack' });
  await confirm(site, email);
  await site.stockact('alerts', 'add', '--email', email, '--minimum', '1k_15k', '--pace', 'now');
  await publish(site);
  await sink.have(1);
  await settled(site);
  const shows = (lines) =>
    until(`the metrics have ${Object.entries(lines)}`, async () => {
      const { text } = await server.get('/metrics');
      return Object.entries(lines).every(([name, value]) =>
        new RegExp(`^stockact_${name} ${value}$`, 'm').test(text),
      );
    });
  await shows({ alerts_behind: 0, alerts_behind_seconds: '0\\.000000', alert_emails_waiting: 0 });
  const lease = new Date('2026-11-20T13:00:50Z').getTime();
  await site.database.execute(
    `UPDATE job SET lease_node = 'other', lease_until = ${lease} WHERE name = 'alerts'`,
  );
  await publish(site);
  const [{ n }] = await site.database.query(
    "SELECT max(seq) - (SELECT value FROM counter WHERE name = 'alert') AS n FROM change_log",
  );
  assert.ok(Number(n) >= 2, n);
  await site.clock.advance(40_000); // disclosedAt may be a millisecond after the clock
  await shows({ alerts_behind: Number(n), alerts_behind_seconds: '(39\\.999|40\\.000)000' });
  await site.clock.advance(20_000);
  await sink.have(2);
  await shows({ alerts_behind: 0, alerts_behind_seconds: '0\\.000000', alert_emails_waiting: 0 });
});

// E-mails to the owners of endpoints, through the test's own mail server (decisions 27, 33).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK, untilFailures } from './lib/delivering.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const BASE = 'https://trades.example.org';
const HOUR_MS = 3_600_000;

async function open(t, options = {}) {
  const receiver = await PlainReceiver.start(t);
  const env = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8', STOCKACT_BASE_URL: BASE };
  const { site, sink } = await makeMailSite(t, { env, ...options });
  await site.stockact('demo', '--trades', 20);
  const email = await site.account({ plan: 'pack' });
  return { site, sink, receiver, email };
}

async function add(site, email, url) {
  const [added] = await site.stockact('webhooks', 'add', '--email', email, '--url', url);
  return added;
}

/** The body of the e-mail with these words in its subject or body: several connections deliver
 *  e-mails, not always in the order in which they were queued. */
const bodyWith = (mails, words) =>
  mails.find(({ headers, body }) => `${headers.subject}\n${body}`.includes(words))?.body ??
  `no e-mail has "${words}"`;
const publish = (site, n) => site.stockact('demo', '--publish', n, '--rows', 1);
const ended = (site) =>
  site.database.query('SELECT tries, error FROM mail WHERE ended_at IS NOT NULL ORDER BY no');

onEachDatabase('notices', (kind) => {
  test('the owner gets one e-mail an hour about failing endpoints', async (t) => {
    const { site, sink, receiver, email } = await open(t, { database: kind, clock: CLOCK });
    const server = await site.serve();
    const { id, url, secret } = await add(site, email, receiver.url(500));
    const isSent = (n) => until(`${n} are sent`, async () => (await ended(site)).length === n);
    await publish(site, 12);
    await untilFailures(site, id, 5);
    await isSent(1);
    await untilFailures(site, id, 10); // minutes later
    assert.equal(sink.mails.length, 1);
    await site.clock.advance(HOUR_MS);
    await isSent(2);
    const [five, ten] = await sink.have(2);
    for (const mail of [five, ten]) {
      assert.equal(mail.to, email);
      assert.equal(mail.from, 'notices@example.org');
      assert.match(mail.headers.from, / <notices@example\.org>$/);
      assert.ok(mail.body.includes(`${id}  ${url}`), mail.body);
      assert.match(mail.body, /status 500/);
      assert.ok(mail.body.includes(`    ${BASE}/account/webhooks`), mail.body);
      assert.doesNotMatch(mail.body, /stockact webhooks/); // owners have no command line
      assert.equal(mail.body.includes(secret), false);
    }
    assert.match(five.body, /5 deliveries/);
    assert.match(ten.body, /disabled: 10 deliveries/);
    assert.match(ten.headers.subject, /1 of them disabled/);
    await server.stop(); // what was sent is not sent again by the next server
    await site.serve();
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'pack');
    assert.equal(sink.mails.length, 2); // a disabled endpoint is not paused: nothing to tell
  });
});

test('the owner gets an e-mail with the endpoints that a plan pauses and resumes', async (t) => {
  const { site, sink, receiver, email } = await open(t);
  await (await site.serve()).stop(); // makes the master key
  const { id } = await add(site, email, receiver.url(204));
  await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
  await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'den');
  await site.serve(); // rows wait for a server
  const mails = await sink.have(2);
  const [down, up] = ['on the Wolf plan', 'on the Den plan'].map((plan) => bodyWith(mails, plan));
  assert.match(down, new RegExp(`on the Wolf plan .* allows 0 .*\\n\\nPaused.*\\n\\n +${id}`));
  assert.match(down, new RegExp(` {4}${BASE}/account/webhooks$`));
  assert.match(up, new RegExp(`on the Den plan .* allows 10 .*\\n\\nResumed.*\\n\\n +${id}`));
});

test('a rejected e-mail is tried five times in all, and its error is stored', async (t) => {
  const { site, sink, receiver, email } = await open(t, { clock: '2026-03-10T12:00:00Z' });
  sink.reply = '451 not just now';
  await (await site.serve()).stop(); // makes the master key
  await add(site, email, receiver.url(204));
  await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
  const server = await site.serve();
  for (const [tries, minutes] of [1, 10, 60, 360].entries()) {
    await until(`try ${tries + 1} is written down`, async () => {
      const [row] = await site.database.query('SELECT tries FROM mail');
      return Number(row.tries) === tries + 1;
    });
    assert.equal(sink.offered, tries + 1);
    await site.clock.advance(minutes * 60_000);
  }
  await until('it is given up', async () => (await ended(site)).length === 1);
  const [row] = await ended(site);
  assert.equal(Number(row.tries), 5);
  assert.match(row.error, /451/);
  assert.equal(sink.offered, 5);
  assert.equal(server.log.includes(email), false);
});

test('without a mail server no e-mail is queued, and the server logs it once', async (t) => {
  const { site, receiver, email } = await open(t);
  const env = { STOCKACT_SMTP_URL: '' };
  const server = await site.serve({ env });
  await add(site, email, receiver.url(410));
  await publish(site, 1);
  await until('the endpoint is disabled', async () => {
    const [row] = await site.stockact('webhooks', 'list');
    return row.state === 'disabled';
  });
  assert.deepEqual(await site.database.query('SELECT no FROM mail'), []);
  await server.stop();
  assert.match(server.log, /event=listening .*mail=off/);
});

test('a mail server without a sender does not start', async (t) => {
  const { site } = await open(t);
  const done = await site.run(['serve', '--listen', '127.0.0.1:0'], {
    env: { STOCKACT_MAIL_FROM: '' },
  });
  assert.equal(done.code, 2);
  assert.match(done.stderr, /STOCKACT_MAIL_FROM/);
});

// What attackers can make e-mails and logs say: foreign hosts in links, added headers, floods, secrets.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK } from './lib/attacking.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { PASSWORD, linkIn, makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

test('links in e-mails have the base address, whatever Host says', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const base = 'http://stockact.example.org';
  const site = await makeSite(t, { clock: CLOCK, env: { ...env, STOCKACT_BASE_URL: base } });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  for (const [i, headers] of [
    { Host: 'evil.example' },
    { 'X-Forwarded-Host': 'evil.example' },
    { Forwarded: 'host=evil.example;proto=https' },
    { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Port': '444' },
    { 'X-Original-URL': '/admin', 'X-Rewrite-URL': '/admin' },
  ].entries()) {
    const owner = await makeOwner(site);
    const visitor = newVisitor(server, { headers });
    const page = await visitor.open('/reset');
    assert.ok(!page.html.includes('evil.example'), JSON.stringify(headers));
    await visitor.submit(page.form('/reset'), { email: owner.email }, { status: 200 });
    await until('the e-mail', async () => sink.mails.length === i + 1);
    const { body } = sink.mails.at(-1);
    assert.ok(!body.includes('evil.example'), JSON.stringify(headers));
    for (const link of body.match(/https?:\/\/[^\s,]+/g)) assert.equal(new URL(link).origin, base);
  }
});

test('a line break in a field adds no header', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, { clock: CLOCK, env });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const owner = await makeOwner(site);
  for (const line of ['\r\n', '\n', '\r', '\u0085', '\u2028', '\0', '%0d%0a']) {
    for (const target of line === '\n' ? ['/reset', '/sign-up', '/sign-in'] : ['/reset']) {
      const visitor = newVisitor(server);
      const page = await visitor.open(target);
      const email = `${owner.email}${line}Bcc: victim@example.org${line}${line}Hello`;
      const sent = await visitor.submit(
        page.form(target),
        {},
        {
          follow: false,
          change: (pairs) =>
            pairs.map(([name, value]) => [
              name,
              name === 'email' ? email : name === 'password' ? PASSWORD : value,
            ]),
        },
      );
      assert.ok([200, 400, 422].includes(sent.status), `${target}: ${sent.status}`);
      assert.equal(sent.response.header('bcc'), null);
    }
  }
  const visitor = newVisitor(server);
  const page = await visitor.open('/reset');
  await visitor.submit(page.form('/reset'), { email: owner.email }, { status: 200 });
  await until('the last e-mail', async () => sink.mails.length > 0);
  for (const mail of sink.mails) {
    assert.equal(mail.headers.bcc, undefined);
    assert.ok(!/victim/.test(`${mail.to}`), mail.to);
    assert.ok(!mail.body.includes('victim@example.org'));
  }
});

test('a flood of resets sends one e-mail in five minutes', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, { clock: CLOCK, env });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const owner = await makeOwner(site);
  const ask = async (email) => {
    const visitor = newVisitor(server);
    const page = await visitor.open('/reset');
    return (await visitor.submit(page.form('/reset'), { email }, { follow: false })).status;
  };
  const spellings = [owner.email, owner.email.toUpperCase(), ` ${owner.email} `];
  const statuses = await Promise.all(
    Array.from({ length: 60 }, (_, i) => ask(spellings[i % spellings.length])),
  );
  assert.ok(
    statuses.every((one) => [200, 429, 503].includes(one)),
    `${statuses}`,
  );
  await until('the e-mail', async () => sink.mails.length === 1);
  await site.clock.advance(4 * 60_000);
  await ask(owner.email);
  await site.clock.advance(2 * 60_000);
  await ask(owner.email);
  await until('the second e-mail', async () => sink.mails.length === 2);
  const first = linkIn(sink.mails[0], '/reset');
  const page = await newVisitor(server).open(first, { status: 410 });
  assert.match(page.text(), /no longer works/, 'the newer link replaces the older');
  const queued = await site.database.query('SELECT count(*) AS n FROM mail');
  assert.ok(Number(queued[0].n) <= 2);
});

test('an account sends links to five new addresses a minute', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, { clock: CLOCK, env });
  const server = await site.serve();
  const visitor = await signInOnPage(server, await makeOwner(site));
  const target = '/account/settings/address';
  const statuses = [];
  for (let i = 0; i < 9; i++) {
    const form = (await visitor.open(target)).form(target);
    const newEmail = `stranger${i}@example.org`;
    const sent = await visitor.submit(form, { newEmail }, { follow: false });
    statuses.push(sent.status);
  }
  assert.deepEqual(statuses, [...Array(5).fill(303), ...Array(4).fill(429)]);
  const [{ n }] = await site.database.query(
    "SELECT count(*) AS n FROM mail WHERE to_email LIKE 'stranger%'",
  );
  assert.equal(Number(n), 5);
  await sink.have(10); // one to each side
});

test('no log has a password, a token or a cookie', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, { clock: CLOCK, env });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve({ args: ['--access-log', '1'] });
  const owner = await makeOwner(site);
  const visitor = await signInOnPage(server, owner);
  const wrong = newVisitor(server);
  const page = await wrong.open('/sign-in');
  await wrong.submit(page.form('/sign-in'), {
    email: owner.email,
    password: 'wrong secret words',
  });
  const reset = await wrong.open('/reset');
  await wrong.submit(reset.form('/reset'), { email: owner.email });
  await until('the e-mail', async () => sink.mails.length === 1);
  const link = linkIn(sink.mails[0], '/reset');
  await wrong.open(link);
  const log = server.log;
  for (const secret of [
    PASSWORD,
    'wrong secret words',
    visitor.cookies.get('session').value,
    new URLSearchParams(link.split('?')[1]).get('token'),
    owner.email,
  ]) {
    assert.ok(!log.includes(secret), secret);
  }
  const rows = JSON.stringify(await site.database.query('SELECT * FROM action_log'));
  assert.ok(!rows.includes(owner.email), 'the action log has no addresses');
});

// Guessing by e-mail address and password: what pages tell, and how many attempts are looked at.
// Sign-in storms beside the API are in account_storm.test.mjs.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { CLOCK, post, tokenOf } from './lib/attacking.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { attribute } from './lib/html.mjs';
import { anyEmail, makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { makeSite } from './lib/site.mjs';

test('known and unknown addresses get the same text', async (t) => {
  const { env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, { clock: CLOCK, env });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const owner = await makeOwner(site);
  const answers = async (target, email) => {
    const visitor = newVisitor(server);
    const page = await visitor.open(target);
    const form = page.form(target);
    const fill = form.controls.some((one) => attribute(one, 'name') === 'password')
      ? { email, password: 'wrong harbor lantern' }
      : { email };
    const sent = await visitor.submit(form, fill, { follow: false });
    return [
      sent.status,
      sent.response.head.replace(
        /^(x-request-id|set-cookie|content-length|date|etag):.*\r\n/gim,
        '',
      ),
      sent.html.replaceAll(email, 'EMAIL').replace(/(name="(?:csrf|once)" value=")[^"]*/g, '$1'),
    ];
  };
  for (const target of ['/sign-in', '/reset', '/sign-up']) {
    const unknown = anyEmail();
    assert.deepEqual(await answers(target, owner.email), await answers(target, unknown), target);
  }
});

test('sign-in attempts by the hundred are refused before a password is hashed', async (t) => {
  const site = await makeSite(t, { clock: CLOCK });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const owner = await makeOwner(site);
  const statuses = {};
  // one account from many addresses, then many accounts from one
  for (const next of [
    (i) => [newVisitor(server, { from: `127.77.${i >> 8}.${i & 255}` }), owner.email],
    (i) => [newVisitor(server, { from: '127.88.0.1' }), `guess${i}@example.org`],
  ]) {
    const form = (await newVisitor(server).open('/sign-in')).form('/sign-in');
    let hashed = 0;
    for (let i = 0; i < 150; i++) {
      const [visitor, email] = next(i);
      const page = await visitor.open('/sign-in');
      const { status, response } = await visitor.submit(
        page.form('/sign-in'),
        { email, password: 'wrong harbor lantern' },
        { follow: false },
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status === 422) hashed++;
      if (status === 429) assert.ok(Number(response.header('retry-after')) >= 1);
    }
    assert.ok(form && hashed <= 20, `${hashed} passwords were hashed: ${JSON.stringify(statuses)}`);
  }
  assert.deepEqual(Object.keys(statuses).sort(), ['422', '429']);
  const [{ n }] = await site.database.query(
    "SELECT count(*) AS n FROM session WHERE account_no = (SELECT no FROM account WHERE email = '" +
      `${owner.email}')`,
  );
  assert.equal(Number(n), 0);
});

test('forms that change nothing hash five new passwords a minute', async (t) => {
  const site = await makeSite(t, { clock: CLOCK });
  const server = await site.serve();
  const owner = await makeOwner(site);
  const target = '/account/settings/password';
  const visitor = await signInOnPage(server, owner);
  const csrf = await tokenOf(visitor, target);
  const statuses = [];
  for (let i = 0; i < 12; i++) {
    // without the number of the form: nothing would be written, so nothing would be seen
    const pairs = { csrf, newPassword: `another harbor lantern ${i}` };
    statuses.push((await post(visitor, target, pairs)).status);
  }
  assert.deepEqual(statuses, [...Array(5).fill(422), ...Array(7).fill(429)]);
  await site.clock.advance(60_000);
  const form = (await visitor.open(target)).form(target);
  await visitor.submit(form, { newPassword: 'another harbor lantern' }, { status: 200 });
});

// The second factor of an account, with codes by oathtool.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { oneTimeCode } from './lib/second_factor.mjs';
import { SETTINGS, openSettings } from './lib/settings_site.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { PASSWORD, newVisitor, sendForm, signInOnPage } from './lib/people.mjs';

/** Moves the clock to the next step of one-time codes, so that a code was not used before. */
const nextStep = (site) => site.clock.advance(31_000);

onEachDatabase('the second factor', (database) => {
  test('it is set up with an app, asked for at sign-in, and turned off', async (t) => {
    const clock = '2026-03-31T12:00:00Z';
    const { site, owner, server, visitor } = await openSettings(t, { database, clock });
    const path = `${SETTINGS}/second-factor`;
    const setup = await sendForm(visitor, path, {});
    const secret = setup.text('.secret-text');
    assert.match(secret, /^[A-Z2-7 ]{32,}$/);
    const shown = await visitor.open(path);
    assert.equal(shown.text('.secret-text'), secret);
    const wrong = await visitor.submit(shown.form(path), { code: '000000' }, { status: 422 });
    assert.ok(wrong.form(path).fault('code'));
    assert.equal(wrong.text('.secret-text'), secret);
    const code = await oneTimeCode(secret, site.clock.now);
    const codes = await visitor.submit(wrong.form(path), { code }, { status: 200 });
    const recovery = codes.one('pre code').children[0].data.trim().split('\n');
    assert.equal(new Set(recovery).size, 10);
    assert.equal(codes.response.header('cache-control'), 'no-store');

    const signIn = async (give, status = 200) => {
      const one = newVisitor(server);
      const page = await one.open(`/sign-in?next=${SETTINGS}`);
      const asked = await one.submit(page.form('/sign-in'), owner, { status: 200 });
      assert.equal(asked.form('/sign-in').value('email' in asked ? '' : 'next'), SETTINGS);
      assert.equal((await one.open(SETTINGS)).path, '/sign-in', 'the password is not enough');
      return one.submit(asked.form('/sign-in'), { code: give }, { status });
    };
    const used = await signIn(code, 422);
    assert.ok(used.form('/sign-in').fault('code'));
    await nextStep(site);
    assert.equal((await signIn(await oneTimeCode(secret, site.clock.now))).path, SETTINGS);
    const byRecovery = await signIn(recovery[3].toUpperCase().replaceAll('-', ' '));
    assert.equal(byRecovery.path, SETTINGS);
    assert.match(byRecovery.text(), /9 recovery codes are left/);
    await signIn(recovery[3], 422);

    await site.clock.advance(11 * 60_000);
    const manage = await visitor.open(path);
    const again = await visitor.submit(manage.form('Turn off'), {}, { status: 200 });
    const proof = {
      confirm_password: PASSWORD,
      confirm_code: await oneTimeCode(secret, site.clock.now),
    };
    const off = await visitor.submit(again.form(path), proof, { status: 200 });
    assert.match(off.text('.flash'), /off/);
    await signInOnPage(server, owner);
  });

  test('a setup is shown to its session only, after the password', async (t) => {
    const clock = '2026-03-31T12:00:00Z';
    const { site, owner, server, visitor } = await openSettings(t, { database, clock });
    const path = `${SETTINGS}/second-factor`;
    const shownTo = async (one) => {
      const page = await one.open(path);
      const { setup } = await one.json(path);
      const [node] = page.all('.secret-text');
      assert.equal(Boolean(setup), Boolean(node), 'the page and its JSON agree');
      return node ? page.text('.secret-text') : null;
    };
    const begun = await sendForm(visitor, path, {});
    const secret = begun.text('.secret-text');
    assert.equal(await shownTo(visitor), secret);
    const other = await signInOnPage(server, owner);
    assert.equal(await shownTo(other), null, 'another session');

    await site.clock.advance(11 * 60_000);
    assert.equal(await shownTo(visitor), null, 'a cookie without the password');
    const again = await sendForm(visitor, path, {});
    assert.equal(again.text('.secret-text'), secret, 'the same setup goes on');

    await site.clock.advance(50 * 60_000); // 61 minutes after it began
    const late = await oneTimeCode(secret, site.clock.now);
    const asked = await visitor.submit(again.form(path), { code: late }, { status: 200 });
    const proof = { confirm_password: PASSWORD };
    const refused = await visitor.submit(asked.form(path), proof, { status: 422 });
    assert.match(refused.text('.faults'), /start again/);
    const fresh = await sendForm(visitor, path, {});
    assert.notEqual(fresh.text('.secret-text'), secret);
    const right = await oneTimeCode(fresh.text('.secret-text'), site.clock.now);
    await visitor.submit(fresh.form(path), { code: right }, { status: 200 });
  });

  test('five wrong codes end the sign-in', async (t) => {
    const clock = '2026-03-31T12:00:00Z';
    const { site, owner, server, visitor } = await openSettings(t, { database, clock });
    const path = `${SETTINGS}/second-factor`;
    const setup = await sendForm(visitor, path, {});
    const secret = setup.text('.secret-text');
    const code = await oneTimeCode(secret, site.clock.now);
    await visitor.submit(setup.form(path), { code }, { status: 200 });
    await nextStep(site);
    const attacker = newVisitor(server);
    const page = await attacker.open('/sign-in');
    let asked = await attacker.submit(page.form('/sign-in'), owner, { status: 200 });
    for (let i = 0; i < 5; i++) {
      asked = await attacker.submit(asked.form('/sign-in'), { code: `00000${i}` }, { status: 422 });
    }
    const right = await oneTimeCode(secret, site.clock.now);
    const over = await attacker.submit(asked.form('/sign-in'), { code: right }, { status: 200 });
    assert.equal(over.path, '/sign-in');
    assert.match(over.text('.flash'), /again/);
    assert.equal((await attacker.open(SETTINGS)).path, '/sign-in');
  });
});

// The pages of signing in and out, without a browser.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import {
  PASSWORD,
  anyEmail,
  makeOwner,
  newVisitor,
  signInOnPage,
  withoutTokens,
} from './lib/people.mjs';

const SETTINGS = '/account/settings';
const WRONG = { password: 'not the password' };

// of the known browser: guesses of strangers and its own sign-ins in each minute
const ROUNDS = Number(process.env.SIGN_IN_ROUNDS ?? 2);
const [GUESSES, SIGN_INS] = [20, 5];

onEachDatabase('sign-in', (database) => {
  const shared = useSite({ database }, async (site) => ({
    owner: await makeOwner(site),
    server: await site.serve(),
  }));

  test('a sign-in leads to the page that was asked for', async () => {
    const visitor = newVisitor(shared.server);
    const page = await visitor.open(SETTINGS);
    assert.equal(page.path, '/sign-in');
    const after = await visitor.submit(page.form('/sign-in'), shared.owner, { status: 200 });
    assert.equal(after.target, SETTINGS);
    assert.ok(after.text().includes(shared.owner.email));
  });

  test('a wrong password shows a fault beside the field, and the form keeps the address', async () => {
    const visitor = newVisitor(shared.server);
    const page = await visitor.open(`/sign-in?next=${SETTINGS}`);
    const typed = { email: shared.owner.email, ...WRONG };
    const again = await visitor.submit(page.form('/sign-in'), typed, { status: 422 });
    const form = again.form('/sign-in');
    assert.match(form.fault('password'), /address or the password is wrong/i);
    assert.equal(form.value('email'), shared.owner.email);
    assert.equal(form.value('password'), '');
    assert.equal(form.value('next'), SETTINGS);
    const after = await visitor.submit(form, { password: PASSWORD }, { status: 200 });
    assert.equal(after.target, SETTINGS);
  });

  test('empty fields show a fault beside each', async () => {
    const visitor = newVisitor(shared.server);
    const page = await visitor.open('/sign-in');
    const form = (await visitor.submit(page.form('/sign-in'), {}, { status: 422 })).form(
      '/sign-in',
    );
    assert.ok(form.fault('email'));
    assert.ok(form.fault('password'));
  });

  test('an unknown address, a wrong password and a disabled account get the same page', async () => {
    const disabled = await makeOwner(shared.site);
    await shared.site.stockact('accounts', 'disable', '--email', disabled.email);
    const pages = [];
    for (const email of [anyEmail(), shared.owner.email, disabled.email]) {
      const visitor = newVisitor(shared.server);
      const form = (await visitor.open('/sign-in')).form('/sign-in');
      const password = email === disabled.email ? PASSWORD : WRONG.password;
      const page = await visitor.submit(form, { email, password }, { status: 422 });
      pages.push(withoutTokens(page.html, email));
    }
    assert.equal(pages[1], pages[0]);
    assert.equal(pages[2], pages[0]);
  });

  test('next leads to this site only', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      'x',
      '/%0d%0aX: y',
    ]) {
      const visitor = newVisitor(shared.server);
      const page = await visitor.open(`/sign-in?next=${encodeURIComponent(next)}`);
      const change = (pairs) =>
        pairs.map(([name, value]) => [name, name === 'next' ? next : value]);
      const options = { change, follow: false };
      const response = await visitor.submit(page.form('/sign-in'), shared.owner, options);
      assert.equal(response.status, 303);
      const location = response.response.header('location');
      assert.ok(['/account', '/%0d%0aX: y'].includes(location), `${next}: ${location}`);
    }
  });

  test('the session has a new cookie, which ends with the sign-out', async () => {
    const visitor = await signInOnPage(shared.server, shared.owner);
    const [name] = visitor.cookies.names.filter((one) => one.includes('session'));
    const first = visitor.cookies.get(name).value;
    const other = await signInOnPage(shared.server, shared.owner);
    assert.notEqual(other.cookies.get(name).value, first);
    const page = await visitor.open(SETTINGS);
    const after = await visitor.submit(page.form('/sign-out'), {}, { status: 200 });
    assert.equal(after.path, '/sign-in');
    assert.match(after.text('.flash'), /signed out/i);
    assert.equal(after.hops[0].response.header('clear-site-data'), '"cache"');
    assert.equal(visitor.cookies.get(name), null);
    visitor.cookies.set(name, first);
    assert.equal((await visitor.open(SETTINGS)).path, '/sign-in');
    assert.equal((await other.open(SETTINGS)).path, SETTINGS);
  });

  test('sign-in replaces a cookie that somebody else chose', async () => {
    const visitor = newVisitor(shared.server);
    visitor.cookies.set('session', 'A'.repeat(43));
    const page = await visitor.open(`/sign-in?next=${SETTINGS}`);
    await visitor.submit(page.form('/sign-in'), shared.owner, { status: 200 });
    assert.notEqual(visitor.cookies.get('session').value, 'A'.repeat(43));
  });

  test('right passwords count for nothing while no session can be stored', async () => {
    const owner = await makeOwner(shared.site);
    const rename = (from, to) =>
      shared.site.database.execute(`ALTER TABLE ${from} RENAME TO ${to}`);
    const signIn = async (status) => {
      const visitor = newVisitor(shared.server);
      const form = (await visitor.open('/sign-in')).form('/sign-in');
      await visitor.submit(form, owner, { status });
    };
    await rename('session', 'session_away');
    for (let i = 0; i < 11; i++) await signIn(500);
    await rename('session_away', 'session');
    await signIn(200);
  });

  test('a sign-in in a browser that has a session ends that session', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    const copy = newVisitor(shared.server);
    copy.cookies.set('session', visitor.cookies.get('session').value);
    const form = (await newVisitor(shared.server).open('/sign-in')).form('/sign-in');
    const own = await visitor.open(SETTINGS);
    const csrf = own.form('/sign-out').value('csrf');
    const change = (pairs) => pairs.map(([name, value]) => [name, name === 'csrf' ? csrf : value]);
    await visitor.submit(form, owner, { change, status: 200 });
    assert.equal((await visitor.open(SETTINGS)).path, SETTINGS);
    assert.equal((await copy.open(SETTINGS)).path, '/sign-in', 'a copy of the old cookie');
    const sessions = await shared.site.stockact('accounts', 'sessions', '--email', owner.email);
    assert.equal(sessions.length, 1);
  });

  test('a form whose session has ended is sent after the next sign-in', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    const page = await visitor.open('/account/settings/delete');
    const other = await signInOnPage(shared.server, owner);
    const sessions = await other.open(SETTINGS);
    await other.submit(sessions.form('Sign out everywhere'), {}, { status: 200 });

    const typed = { email: 'words <that> & "stay"' };
    const signIn = await visitor.submit(page.form('/account/settings/delete'), typed, {
      status: 200,
    });
    assert.match(signIn.text('h1'), /Sign in/);
    const ready = await visitor.submit(signIn.form('/sign-in'), owner, { status: 200 });
    const resumed = await visitor.submit(
      ready.form('/account/settings/delete'),
      {},
      { status: 422 },
    );
    const form = resumed.form('/account/settings/delete');
    assert.equal(form.value('email'), typed.email);
    assert.ok(form.fault('email'));
  });

  test('a sign-in in another tab keeps the input of the first tab', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    const page = await visitor.open('/account/settings/delete');
    visitor.cookies.clear();
    const signIn = await visitor.open(`/sign-in?next=${SETTINGS}`);
    await visitor.submit(signIn.form('/sign-in'), owner, { status: 200 });
    const asked = await visitor.submit(page.form('/account/settings/delete'), { email: 'typed' });
    const after = await visitor.submit(asked.form('/account/settings/delete'), {}, { status: 422 });
    assert.equal(after.form('/account/settings/delete').value('email'), 'typed');
  });

  test('the attempts of a minute are bounded, for known and unknown addresses alike', async (t) => {
    const site = await makeSite(t, { database, clock: '2026-03-31T12:00:00Z' });
    const owner = await makeOwner(site);
    const server = await site.serve();
    for (const email of [owner.email, anyEmail()]) {
      const statuses = [];
      for (let i = 0; i < 12; i++) {
        // five of each network
        const visitor = newVisitor(server, { from: `127.66.${i % 3}.${i + 1}` });
        const form = (await visitor.open('/sign-in')).form('/sign-in');
        const page = await visitor.submit(form, { email, ...WRONG });
        statuses.push(page.status);
        if (page.status === 429) {
          assert.match(page.response.header('retry-after'), /^\d+$/);
          assert.match(page.text('.faults'), /try again in \d+ seconds/);
        }
      }
      assert.deepEqual(statuses, [...Array(10).fill(422), 429, 429], email);
    }
    await site.clock.advance(60_000);
    await signInOnPage(server, owner);
  });

  test('a known browser signs in while strangers guess', async (t) => {
    const site = await makeSite(t, { database, clock: '2026-03-31T12:00:00Z' });
    const owner = await makeOwner(site);
    const server = await site.serve();
    const known = await signInOnPage(server, owner);
    const signIn = async (visitor, fill) => {
      const form = (await visitor.open('/sign-in')).form('/sign-in');
      return (await visitor.submit(form, fill, { follow: false })).status;
    };
    const signOut = async () => {
      const page = await known.open('/account');
      await known.submit(page.form('/sign-out'), {}, { status: 200 });
    };
    await signOut();
    const slowest = { ms: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const guess = (i) => {
        const visitor = newVisitor(server, { from: `127.${round + 60}.${i % 250}.1` });
        return signIn(visitor, { email: owner.email, ...WRONG });
      };
      const guesses = Array.from({ length: GUESSES }, (_, i) => guess(i));
      for (let i = 0; i < SIGN_INS; i++) {
        const began = performance.now();
        assert.equal(await signIn(known, owner), 303);
        slowest.ms = Math.max(slowest.ms, performance.now() - began);
        await signOut();
      }
      const statuses = await Promise.all(guesses);
      // 503: another hash was computed; it did not count
      while (statuses.at(-1) !== 429) statuses.push(await guess(statuses.length));
      const hashed = statuses.filter((status) => status === 422).length;
      assert.equal(hashed, 10, 'guesses of strangers in a minute');
      assert.equal(await signIn(newVisitor(server), owner), 429, 'all of their tries are used up');
      // its own tries are bounded, and the password in a session counts apart
      await site.clock.advance(60_000);
    }
    t.diagnostic(`slowest sign-in of ${ROUNDS * SIGN_INS}: ${slowest.ms.toFixed(0)} ms`);
    for (let i = 0; i < 5; i++) assert.equal(await signIn(known, { ...owner, ...WRONG }), 422);
    assert.equal(await signIn(known, owner), 429);
  });

  test('an account signs in ten times a minute', async (t) => {
    const site = await makeSite(t, { database, clock: '2026-03-31T12:00:00Z' });
    const owner = await makeOwner(site);
    const server = await site.serve();
    const signIn = async () => {
      const visitor = newVisitor(server); // each from another address
      const form = (await visitor.open('/sign-in')).form('/sign-in');
      return (await visitor.submit(form, owner, { follow: false })).status;
    };
    const statuses = [];
    for (let i = 0; i < 12; i++) statuses.push(await signIn());
    assert.deepEqual(statuses, [...Array(10).fill(303), 429, 429]);
    await site.clock.advance(60_000);
    assert.equal(await signIn(), 303);
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM session');
    assert.equal(Number(n), 11);
  });
});

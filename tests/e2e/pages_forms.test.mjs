// Forms at the wrong time: twice, in two tabs, after the end of their session, from another session,
// and long after the password was given. Nothing that was typed is lost, and nothing happens twice.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { binary } from './lib/settings.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { beginSession, endSessions, visitorOf } from './lib/sessions.mjs';

const KEYS = '/account/keys';
const PASSWORD = 'correct horse battery';
const NAME = 'a <b> & "c"';

onEachDatabase('a form', (kind) => {
  const shared = useSite({ database: kind }, async (site) => {
    const server = await site.serve();
    return { site, server };
  });

  /** A new owner, with the password, on the page of the keys. */
  async function owner() {
    const visitor = await visitorOf(shared.site, shared.server, 'owner');
    const set = await run(
      binary,
      ['accounts', 'password', '--email', visitor.email, '--password-stdin'],
      { env: shared.site.env, input: PASSWORD },
    );
    assert.equal(set.code, 0, set.stderr);
    visitor.cookies.set('session', await beginSession(shared.site, visitor.email));
    return { visitor, page: await visitor.open(KEYS) };
  }

  async function keyNames(email) {
    const keys = await shared.site.stockact('keys', 'list', '--email', email);
    return keys.map((key) => key.name).sort();
  }

  test('that is sent twice acts once, and says so', async () => {
    const { visitor, page } = await owner();
    const form = page.form(KEYS);
    const first = await visitor.submit(form, { name: 'once' });
    assert.match(first.text(), /svc_[\w-]{43}/);
    const second = await visitor.submit(form, { name: 'once' }, { status: 409 });
    assert.equal(second.heading, 'This form was already sent');
    assert.doesNotMatch(second.text(), /svc_/);
    assert.equal(second.link('Continue'), KEYS);
    assert.deepEqual(await keyNames(visitor.email), ['once']);
  });

  test('that is sent many times at once acts once', async () => {
    const { visitor, page } = await owner();
    const form = page.form(KEYS);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => visitor.submit(form, { name: 'burst' })),
    );
    const statuses = replies.map((reply) => reply.status).sort();
    assert.deepEqual(statuses, [201, ...Array(7).fill(409)]);
    assert.deepEqual(await keyNames(visitor.email), ['burst']);
  });

  test('in a second tab is a form of its own', async () => {
    const { visitor, page } = await owner();
    const other = await visitor.open(KEYS);
    await visitor.submit(page.form(KEYS), { name: 'left' }, { status: 201 });
    await visitor.submit(other.form(KEYS), { name: 'right' }, { status: 201 });
    assert.deepEqual(await keyNames(visitor.email), ['left', 'right']);
  });

  test('of an earlier session is shown with a button that sends it', async () => {
    const { visitor, page } = await owner();
    await endSessions(shared.site, visitor.email);
    visitor.cookies.set('session', await beginSession(shared.site, visitor.email));
    const between = await visitor.submit(page.form(KEYS), { name: NAME }, { status: 200 });
    assert.equal(between.heading, 'Send it now');
    assert.deepEqual(await keyNames(visitor.email), []);
    assert.equal(between.form(KEYS).value('name'), NAME);
    await visitor.submit(between.form(KEYS), {}, { status: 201 });
    assert.deepEqual(await keyNames(visitor.email), [NAME]);
  });

  test('after the end of its session waits for the sign-in', async () => {
    const { visitor, page } = await owner();
    await endSessions(shared.site, visitor.email);
    const signIn = await visitor.submit(page.form(KEYS), { name: NAME }, { status: 200 });
    assert.equal(signIn.heading, 'Sign in');
    assert.equal(visitor.cookies.get('session'), null);
    const wrong = await visitor.submit(
      signIn.form('/sign-in'),
      { email: visitor.email, password: 'wrong horse battery' },
      { status: 422 },
    );
    const between = await visitor.submit(
      wrong.form('/sign-in'),
      { email: visitor.email, password: PASSWORD },
      { status: 200 },
    );
    assert.equal(between.heading, 'Send it now');
    assert.deepEqual(await keyNames(visitor.email), []);
    await visitor.submit(between.form(KEYS), {}, { status: 201 });
    assert.deepEqual(await keyNames(visitor.email), [NAME]);
  });

  test('with several values of one field keeps them all through a sign-in', async () => {
    const { visitor } = await owner();
    const page = await visitor.open('/account/webhooks');
    await endSessions(shared.site, visitor.email);
    const events = ['trade.published', 'trade.corrected', 'trade.withdrawn'];
    const signIn = await visitor.submit(
      page.form('Add the endpoint'),
      { url: 'https://203.0.114.7/hook' },
      {
        status: 200,
        change: (pairs) => [
          ...pairs.filter(([name]) => name !== 'events'),
          ...events.map((event) => ['events', event]),
        ],
      },
    );
    const fill = { email: visitor.email, password: PASSWORD };
    const between = await visitor.submit(signIn.form('/sign-in'), fill, { status: 200 });
    await visitor.submit(between.forms.at(-1), {}, { status: 201 });
    const added = await shared.site.stockact('webhooks', 'list');
    const [own] = added.filter(({ email }) => email === visitor.email);
    assert.deepEqual([own.events].flat().join(' ').split(/[ ,]+/), events);
  });

  test('of the sign-in gives a new session, whatever cookie was there', async () => {
    const { visitor } = await owner();
    const known = visitor.cookies.get('session').value;
    for (const planted of [known, 'A'.repeat(43), 'planted']) {
      await endSessions(shared.site, visitor.email);
      visitor.cookies.set('session', planted);
      const page = await visitor.open('/sign-in');
      assert.equal(visitor.cookies.get('session'), null, 'it is no session: removed');
      visitor.cookies.set('session', planted);
      await visitor.submit(page.form('/sign-in'), { email: visitor.email, password: PASSWORD });
      const now = visitor.cookies.get('session').value;
      assert.notEqual(now, planted);
      assert.match(now, /^[\w-]{43}$/);
      await visitor.open('/account');
    }
  });

  test('that needs the password asks for it and keeps what was typed', async () => {
    const { visitor } = await owner();
    const token = await beginSession(shared.site, visitor.email, { proved: false });
    visitor.cookies.set('session', token);
    const page = await visitor.open(KEYS);
    const asked = await visitor.submit(page.form(KEYS), { name: NAME }, { status: 200 });
    assert.equal(asked.heading, 'Enter your password again');
    assert.equal(asked.form(KEYS).value('name'), NAME);
    const wrong = await visitor.submit(
      asked.form(KEYS),
      { confirm_password: 'wrong horse battery' },
      { status: 422 },
    );
    assert.ok(wrong.form(KEYS).fault('confirm_password'));
    assert.equal(wrong.form(KEYS).value('confirm_password'), '');
    assert.deepEqual(await keyNames(visitor.email), []);
    await visitor.submit(wrong.form(KEYS), { confirm_password: PASSWORD }, { status: 201 });
    assert.deepEqual(await keyNames(visitor.email), [NAME]);
    // and not again within ten minutes
    const next = await visitor.open(KEYS);
    await visitor.submit(next.form(KEYS), { name: 'second' }, { status: 201 });
  });

  test('with a wrong password over and over is stopped', async () => {
    const { visitor } = await owner();
    const token = await beginSession(shared.site, visitor.email, { proved: false });
    visitor.cookies.set('session', token);
    let page = await visitor.open(KEYS);
    page = await visitor.submit(page.form(KEYS), { name: 'guessed' });
    const form = page.form(KEYS);
    const statuses = new Set();
    for (let i = 0; i < 12; i++) {
      const reply = await visitor.submit(form, { confirm_password: `wrong horse ${i}` });
      statuses.add(reply.status);
      if (reply.status === 429) assert.equal(reply.heading, 'Too many attempts');
    }
    assert.deepEqual([...statuses].sort(), [422, 429]);
    assert.deepEqual(await keyNames(visitor.email), []);
  });

  test('of another account is nobody\u2019s', async () => {
    const { visitor, page } = await owner();
    const other = await owner();
    await visitor.submit(page.form(KEYS), { name: 'mine' }, { status: 201 });
    const [key] = await shared.site.stockact('keys', 'list', '--email', visitor.email);
    await other.visitor.open(`${KEYS}/${key.id}`, { status: 404 });
    const own = await visitor.open(`${KEYS}/${key.id}`);
    const stolen = own.forms.find((form) => form.method === 'POST' && form.action !== '/sign-out');
    const reply = await other.visitor.submit(stolen, {});
    assert.equal(reply.heading, 'Send it now'); // it has the token of another session
    const refused = await other.visitor.submit(reply.forms.at(-1), {}, { status: 404 });
    assert.match(refused.text(), /Nothing was changed/);
    assert.equal(refused.link('Continue'), KEYS);
    assert.deepEqual(await keyNames(visitor.email), ['mine']);
  });
});

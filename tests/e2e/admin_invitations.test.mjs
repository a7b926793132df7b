// Admins' invitations, and their changes of accounts on a site with two servers. By requests, as in
// admin_pages.test.mjs.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { newVisitor, PASSWORD } from './lib/people.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { withSession } from './lib/sessions.mjs';

const ADMIN = 'morgan@example.org';

/** A site without a mail server, with an admin: {site, server, admin}. */
async function open(t, database) {
  const site = await makeSite(t, { database, env: { STOCKACT_SIGNUP: 'invite' } });
  await site.stockact('accounts', 'create', '--email', ADMIN, '--plan', 'den', '--role', 'admin');
  const server = await site.serve();
  return { site, server, admin: await withSession(site, server, ADMIN) };
}

/** The forms of the page whose hidden field `do` is `what`. */
const formsOf = (page, what) =>
  page.forms.filter((form) =>
    form.controls.some(({ attribs }) => attribs.name === 'do' && attribs.value === what),
  );

onEachDatabase('an admin', (kind) => {
  test('gets the link of an invitation once if no mail server is set', async (t) => {
    const { site, server, admin } = await open(t, kind);
    let page = await admin.open('/admin/accounts');
    const typed = { invite_email: 'new@example.net', invite_plan: 'pack', invite_role: 'reviewer' };
    const shown = await admin.submit(page.form('Create the invitation'), typed, { status: 201 });
    assert.equal(shown.response.header('cache-control'), 'no-store');
    assert.match(shown.text('main'), /nothing was sent/);
    const link = new URL(shown.text('.secret code'));
    assert.equal(link.pathname, '/join');
    page = await admin.open('/admin/accounts');
    assert.match(page.text('main'), /new@example\.net/);
    assert.ok(!page.text('main').includes(link.searchParams.get('token')));
    const { csrf } = await admin.json('/admin/accounts');
    const twin = await admin.postJson('/admin/accounts', typed, { csrf });
    assert.equal(twin.status, 201);
    const replaced = await newVisitor(server).open(link.pathname + link.search, { status: 410 });
    assert.match(replaced.text('main'), /expired|used/);
    const { pathname, search } = new URL(twin.json.secret);
    const joined = newVisitor(server);
    const form = (await joined.open(pathname + search)).form('/join');
    await joined.submit(form, { password: PASSWORD });
    const [account] = await site.stockact('accounts', 'search', 'new@example.net');
    assert.deepEqual([account.plan, account.role], ['pack', 'reviewer']);
  });

  test('sees that an invitation of a former admin does not work', async (t) => {
    const { site, server, admin } = await open(t, kind);
    const email = 'lee@example.org';
    await site.stockact('accounts', 'create', '--email', email, '--plan', 'den', '--role', 'admin');
    const lee = await withSession(site, server, email);
    const { csrf } = await lee.json('/admin/accounts');
    const typed = { invite_email: 'friend@example.net', invite_plan: 'den', invite_role: 'admin' };
    const { json: made } = await lee.postJson('/admin/accounts', typed, { csrf });
    await site.stockact('accounts', 'set-role', '--email', email, '--role', 'member');
    const [{ works }] = await site.stockact('accounts', 'invitations');
    assert.equal(works, false);
    const page = await admin.open('/admin/accounts');
    assert.match(page.text('main'), /no longer an admin: the link does not work/);
    const { pathname, search } = new URL(made.secret);
    await newVisitor(server).open(pathname + search, { status: 410 });
  });

  test('sees the open invitations and withdraws one', async (t) => {
    const { site, server, admin } = await open(t, kind);
    const invite = async (email, ...args) =>
      (await site.stockact('accounts', 'invite', '--email', email, ...args))[0].link;
    const first = new URL(await invite('first@example.net'));
    await invite('second@example.net', '--role', 'admin');
    const listed = await site.stockact('accounts', 'invitations');
    assert.deepEqual(
      listed.map(({ email, role, by, works }) => [email, role, by, works]),
      [
        ['second@example.net', 'admin', null, true],
        ['first@example.net', 'member', null, true],
      ],
    );
    const ofFirst = (form) => form.value('invitation') === `${listed[1].id}`;
    const old = await admin.open('/admin/accounts');
    assert.match(old.text('main'), /second@example\.net/);
    const done = await admin.submit(formsOf(old, 'withdraw').find(ofFirst));
    assert.match(done.text('.flash'), /withdrawn/);
    assert.ok(!done.text('main').includes('first@example.net'));
    await newVisitor(server).open(first.pathname + first.search, { status: 410 });
    const page = await admin.open('/admin/accounts');
    const { id } = (await site.stockact('accounts', 'invitations'))[0];
    await site.stockact('accounts', 'withdraw-invitation', id);
    const late = await admin.submit(formsOf(page, 'withdraw')[0], {}, { status: 422 });
    assert.match(late.text('.faults'), /not open any more/);
    const gone = await site.run(['accounts', 'withdraw-invitation', id, '--json']);
    assert.equal(JSON.parse(gone.stdout).error, 'not_found');
    const { invitations } = await admin.json('/admin/accounts');
    assert.equal(invitations.rows.length, 0);
  });
});

const WAITS_MS = 900; // a page waits a second for the other servers

/** Disables the account if it is enabled, and the other way round; how long the page took. */
async function turn(admin, place) {
  const page = await admin.open(place);
  const form = [...formsOf(page, 'disable'), ...formsOf(page, 'enable')][0];
  const begun = performance.now();
  await admin.submit(form);
  return performance.now() - begun;
}

test('a change by an admin is answered when every server has applied it (postgresql)', async (t) => {
  const site = await makeSite(t, { database: 'postgresql' });
  await site.stockact('accounts', 'create', '--email', ADMIN, '--plan', 'den', '--role', 'admin');
  const { key, email } = await site.mint({ plan: 'den' });
  const [server, other] = [await site.serve(), await site.serve()];
  const admin = await withSession(site, server, ADMIN);
  const place = `/admin/accounts/${(await site.stockact('accounts', 'search', email))[0].id}`;
  for (const status of [401, 200, 401, 200, 401, 200]) {
    const took = await turn(admin, place);
    const told = async () => (await other.get('/api/v1/trades?limit=1', { key })).status;
    if (took < WAITS_MS) assert.equal(await told(), status);
    else await until('a busy server has applied it', async () => (await told()) === status);
  }
  // Again if it was stopped inside a transaction that the page waits for.
  await until('the page waits a second for a server that is stopped', async () => {
    other.child.signal('SIGSTOP');
    const took = await turn(admin, place).finally(() => other.child.signal('SIGCONT'));
    return took > WAITS_MS;
  });
});

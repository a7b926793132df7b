// The pages of admins: who may see them, what they show, and what an admin does there. By requests,
// without a browser: admin_looks.test.mjs opens them in Chromium.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { fillWithTrouble } from './lib/admin_trouble.mjs';
import { parseCsv } from './lib/csv.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { withSession } from './lib/sessions.mjs';

const ADMIN = 'morgan@example.org';
const OTHER = 'ada@example.org';
const PATHS = [
  ...['/admin', '/admin/accounts', '/admin/jobs', '/admin/sync', '/admin/deliveries'],
  ...['/admin/mail', '/admin/nodes', '/admin/storage', '/admin/log'],
];
const NOON = '2026-03-10T12:00:00Z';

async function create(site, email, role, plan = 'den') {
  const args = ['--email', email, '--plan', plan, '--role', role];
  return (await site.stockact('accounts', 'create', ...args))[0];
}

const idOf = async (site, email) => (await site.stockact('accounts', 'search', email))[0].id;

/** A site with an admin and another account: {site, server, admin}. */
async function open(t, options) {
  const site = await makeSite(t, options);
  await create(site, ADMIN, 'admin');
  await create(site, OTHER, 'member', 'pack');
  const server = await site.serve();
  const admin = await withSession(site, server, ADMIN);
  return { site, server, admin };
}

/** The form of the page whose hidden field `do` is `what`. */
const formOf = (page, what) => page.forms.find((form) => hasDo(form, what));

function hasDo(form, what) {
  try {
    return form.value('do') === what;
  } catch {
    return false;
  }
}

onEachDatabase('pages of admins', (kind) => {
  const shared = useSite({ database: kind }, async (site) => {
    await create(site, ADMIN, 'admin');
    await create(site, OTHER, 'member', 'pack');
    await create(site, 'desk@example.org', 'reviewer');
    const server = await site.serve();
    return { server, admin: await withSession(site, server, ADMIN) };
  });

  test('only admins see them', async () => {
    const { site, server } = shared;
    const id = await idOf(site, OTHER);
    const paths = [...PATHS, `/admin/accounts/${id}`, '/admin/log.csv'];
    for (const email of [OTHER, 'desk@example.org']) {
      const visitor = await withSession(site, server, email);
      for (const target of paths) await visitor.open(target, { status: 403 });
      await visitor.json('/admin/accounts', { status: 403 });
    }
    const stranger = await withSession(site, server, 'nobody@example.org');
    for (const target of paths) {
      const response = await stranger.request('GET', target);
      assert.equal(response.status, 303, target);
      const place = new URL(response.header('location'), server.url);
      assert.equal(place.pathname, '/sign-in');
      assert.equal(place.searchParams.get('next'), target);
    }
  });

  test('each page is complete, and its JSON twin has the same data', async () => {
    for (const target of PATHS) {
      const page = await shared.admin.open(target);
      assert.ok(page.heading.length > 2, target);
      assert.match(page.text('.sections [aria-current]'), /\w/);
      const twin = await shared.admin.json(target);
      assert.equal(typeof twin, 'object', target);
    }
    const { accounts } = await shared.admin.json('/admin/accounts');
    assert.deepEqual(
      accounts.rows.map((row) => row.email),
      ['desk@example.org', OTHER, ADMIN],
    );
    const nodes = await shared.admin.json('/admin/nodes');
    assert.equal(nodes.nodes.rows[0].running, true);
    const storage = await shared.admin.json('/admin/storage');
    assert.equal(storage.kind, kind === 'sqlite' ? 'SQLite' : 'PostgreSQL');
    assert.ok(storage.bytes > 100_000);
  });

  test('an account that does not exist is 404', async () => {
    for (const id of ['acc_0000000000000000', 'acc_x', '%2e%2e', "'", 'a%00b'])
      await shared.admin.request('GET', `/admin/accounts/${id}`).then((response) => {
        assert.ok([400, 404].includes(response.status), `${id}: ${response.status}`);
      });
  });

  test('accounts are searched by part, plan, role and state', async () => {
    const page = await shared.admin.open('/admin/accounts');
    const found = await shared.admin.submit(page.form('/admin/accounts'), { q: 'ADA@' });
    assert.ok(found.link(OTHER));
    assert.equal(found.all('tbody tr').length, 1);
    const none = await shared.admin.open('/admin/accounts?q=%25&plan=wolf&role=x&state=y');
    assert.match(none.text('main'), /No account matches/);
    const reviewers = await shared.admin.json('/admin/accounts?role=reviewer');
    assert.equal(reviewers.accounts.rows[0].email, 'desk@example.org');
  });
});

onEachDatabase('an admin', (kind) => {
  test('sets a plan and a role, disables and enables', async (t) => {
    const { site, admin } = await open(t, { database: kind });
    const id = await idOf(site, OTHER);
    const place = `/admin/accounts/${id}`;
    let page = await admin.open(place);
    page = await admin.submit(formOf(page, 'plan'), { plan: 'wolf' });
    assert.match(page.text('.flash'), /The plan is changed/);
    page = await admin.submit(formOf(page, 'role'), { role: 'reviewer' });
    assert.match(page.text('.flash'), /The role is changed/);
    let [account] = await site.stockact('accounts', 'search', OTHER);
    assert.deepEqual([account.plan, account.role], ['wolf', 'reviewer']);
    page = await admin.submit(formOf(page, 'disable'));
    assert.match(page.text('.flash'), /The account is disabled/);
    assert.match(page.text('.facts'), /Disabled/);
    page = await admin.submit(formOf(page, 'enable'));
    assert.match(page.text('.facts'), /Enabled/);
    [account] = await site.stockact('accounts', 'search', OTHER);
    assert.equal(account.disabledAt, null);
    const log = await site.stockact('log', '--account', id, '--actor', await idOf(site, ADMIN));
    assert.deepEqual(
      log.map((entry) => entry.action),
      ['account.enable', 'account.disable', 'account.set_role', 'account.set_plan'],
    );
    for (const entry of log) assert.match(entry.sessionId, /^ses_/);
    assert.match(page.text('main'), /account\.enable/);
  });

  test('cannot take away the last admin', async (t) => {
    const { site, admin } = await open(t, { database: kind });
    const place = `/admin/accounts/${await idOf(site, ADMIN)}`;
    let page = await admin.open(place);
    page = await admin.submit(formOf(page, 'role'), { role: 'member' }, { status: 422 });
    assert.match(page.text('.faults'), /last admin/);
    page = await admin.submit(formOf(page, 'disable'), {}, { status: 422 });
    assert.match(page.text('.faults'), /last admin/);
    const [account] = await site.stockact('accounts', 'search', ADMIN);
    assert.deepEqual([account.role, account.disabledAt], ['admin', null]);
    await create(site, 'second@example.org', 'admin');
    page = await admin.submit(
      formOf(await admin.open(place), 'role'),
      { role: 'member' },
      { follow: false },
    );
    assert.equal(page.status, 303);
    await admin.open('/admin', { status: 403 });
  });

  test('must give the password again, unless it was given just now', async (t) => {
    const { site, server } = await open(t, { database: kind });
    const stale = await withSession(site, server, ADMIN, { proved: false });
    const place = `/admin/accounts/${await idOf(site, OTHER)}`;
    const page = await stale.open(place);
    const asked = await stale.submit(formOf(page, 'plan'), { plan: 'wolf' });
    assert.match(asked.heading, /password again/);
    const [account] = await site.stockact('accounts', 'search', OTHER);
    assert.equal(account.plan, 'pack');
  });

  test('without a token, from another site or twice, a form changes nothing', async (t) => {
    const { site, admin } = await open(t, { database: kind });
    const place = `/admin/accounts/${await idOf(site, OTHER)}`;
    const form = formOf(await admin.open(place), 'plan');
    const plan = async () => (await site.stockact('accounts', 'search', OTHER))[0].plan;
    const without = { change: (pairs) => pairs.filter(([name]) => name !== 'csrf') };
    const bare = await admin.submit(form, { plan: 'wolf' }, without);
    assert.notEqual(bare.status, 303);
    assert.equal(await plan(), 'pack');
    const foreign = { headers: { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' } };
    const forged = await admin.submit(form, { plan: 'wolf' }, foreign);
    assert.equal(forged.status, 403);
    assert.equal(await plan(), 'pack');
    const what = { change: (pairs) => pairs.map(([n, v]) => (n === 'do' ? [n, 'erase'] : [n, v])) };
    await admin.submit(form, { plan: 'wolf' }, { ...what, status: 422 });
    await admin.submit(form, { plan: 'wolf' });
    const again = await admin.submit(form, { plan: 'den' });
    assert.match(again.text('main'), /already sent/);
    assert.equal(await plan(), 'wolf');
  });

  test('reads the log with filters, pages and CSV', async (t) => {
    const { site, admin } = await open(t, { database: kind, clock: NOON });
    await site.mint({ email: OTHER, name: 'one' });
    const id = await idOf(site, OTHER);
    for (let i = 0; i < 52; i++) {
      const plan = i % 2 ? 'pack' : 'wolf';
      await site.stockact('accounts', 'set-plan', '--email', OTHER, '--plan', plan);
    }
    await site.clock.advance(86_400_000);
    await site.stockact('accounts', 'disable', '--email', OTHER);
    const fresh = await withSession(site, admin.server, ADMIN);
    const page = await fresh.open(`/admin/log?account=${OTHER}`);
    assert.equal(page.all('tbody tr').length, 50);
    assert.match(page.text('tbody tr'), /account\.disable/);
    const older = await fresh.open(page.link('Older →'));
    assert.equal(older.all('tbody tr').length, 5);
    assert.match(older.text('main'), /account\.create/);
    assert.ok(older.link('← Newer'));
    const rows = async (query) => (await fresh.json(`/admin/log?${query}`)).entries.rows;
    assert.deepEqual(
      (await rows('action=key')).map((row) => row.action),
      ['key.mint'],
    );
    assert.equal((await rows('from=2026-03-11')).length, 1);
    assert.equal((await rows(`to=2026-03-10&account=${id}`)).length, 50);
    assert.equal((await rows('actor=nobody')).length, 0);
    assert.equal((await rows("action='")).length, 0);
    const csv = await fresh.request('GET', `/admin/log.csv?account=${OTHER}`);
    assert.match(csv.header('content-type'), /^text\/csv/);
    assert.match(csv.header('content-disposition'), /attachment; filename="stockact-log\.csv"/);
    const lines = parseCsv(csv.text);
    assert.equal(lines.length, 56);
    assert.deepEqual(lines[0].slice(0, 3), ['no', 'at', 'actor']);
  });

  test('sees every problem, with texts of others escaped', async (t) => {
    const { site, server, admin } = await open(t, { database: kind, env: fillWithTrouble.env });
    const trouble = await fillWithTrouble(t, site, server);
    const overview = await admin.json('/admin');
    assert.equal(overview.calm, false);
    const topics = overview.attention.rows.map((row) => row.topic);
    assert.deepEqual([...new Set(topics)].sort(), ['deliveries', 'mail', 'sync']);
    const mail = await admin.open('/admin/mail');
    assert.match(mail.text('main'), /550 <script>alert\(1\)<\/script>/);
    assert.equal(mail.all('script:not([src])').length, 0);
    const deliveries = await admin.open('/admin/deliveries');
    assert.match(deliveries.text('main'), /Endpoint disabled/);
    const account = await admin.open(`/admin/accounts/${trouble.id}`);
    assert.match(account.text('main'), /<img src=x onerror=alert\(1\)>/);
    const jobs = await admin.open('/admin/jobs?job=sync+house');
    assert.match(jobs.text('main'), /<b>bold<\/b>/);
    for (const page of [mail, deliveries, account, jobs]) {
      assert.equal(page.all('main img, main script, main b').length, 0, page.target);
    }
  });

  test('retries and drops e-mails', async (t) => {
    const { site, server, admin } = await open(t, { database: kind, env: fillWithTrouble.env });
    await fillWithTrouble(t, site, server);
    const ids = (await site.stockact('mail', 'list')).map((mail) => mail.id);
    assert.equal(ids.length, 2);
    let page = await admin.open('/admin/mail');
    page = await admin.submit(formOf(page, 'drop'));
    assert.match(page.text('.flash'), /deleted/);
    assert.equal((await site.stockact('mail', 'list')).length, 1);
    const stale = await admin.open('/admin/mail');
    page = await admin.submit(formOf(stale, 'retry_given_up'));
    assert.match(page.text('.flash'), /Trying again/);
    const log = await site.stockact('log', '--action', 'mail');
    assert.deepEqual(
      log.map((entry) => [entry.action, entry.actor]),
      [
        ['mail.retry', 'account'],
        ['mail.drop', 'account'],
      ],
    );
    await until('the retry has failed again', async () => {
      const [mail] = await site.stockact('mail', 'list');
      return mail.state === 'retrying';
    });
    const old = await admin.open('/admin/mail');
    await site.stockact('mail', 'drop', (await site.stockact('mail', 'list'))[0].id);
    page = await admin.submit(formOf(old, 'retry'), {}, { status: 422 });
    assert.match(page.text('.faults'), /does not exist any more/);
  });

  test('invites somebody', async (t) => {
    const { sink, env } = await mailSettings(t, { STOCKACT_SIGNUP: 'invite' });
    const { admin } = await open(t, { database: kind, env });
    const page = await admin.open('/admin/accounts');
    const form = page.form('Send the invitation');
    const typed = { invite_email: 'new@example.net', invite_plan: 'pack', invite_role: 'reviewer' };
    const done = await admin.submit(form, typed);
    assert.match(done.text('.flash'), /invitation/);
    const [mail] = await sink.have(1);
    assert.equal(mail.to, 'new@example.net');
    assert.match(mail.body, /\/join\?/);
    const again = await admin.open('/admin/accounts');
    const wrong = { ...typed, invite_email: OTHER };
    const refused = await admin.submit(again.form('Send the invitation'), wrong, { status: 422 });
    assert.match(refused.text('.faults'), /already/);
    assert.equal(refused.form('Send the invitation').value('invite_plan'), 'pack');
    assert.equal(refused.form('Send the invitation').value('invite_email'), OTHER);
  });
});

// Accounts by the operator's commands: invitations, resets, sessions, export, deletion, and the
// e-mails that a real mail server gets (docs/accounts.md).

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { makeMailSite } from './lib/mail_sink.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const BASE = 'https://trades.example.org';
const TOKEN = /\?token=([A-Za-z0-9_-]{43})\b/;

async function open(t, options = {}) {
  const env = {
    STOCKACT_BASE_URL: BASE,
    STOCKACT_SIGNUP: 'invite',
    STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
    ...options.env,
  };
  const own = await makeMailSite(t, { ...options, env });
  await own.site.stockact('migrate');
  return own;
}

/** The command fails with this error and reason. */
async function refused(site, args, error, hint) {
  const done = await site.run([...args, '--json']);
  assert.equal(done.code, 1, done.stdout + done.stderr);
  const object = JSON.parse(done.stdout.trim().split('\n').at(-1));
  if (error) assert.equal(object.error, error);
  if (hint) assert.match(object.hint, hint);
}

const actions = (site) =>
  site.database.query('SELECT actor, action, account_id, detail FROM action_log ORDER BY no');

onEachDatabase('accounts', (database) => {
  test('a reset is sent, works for an hour, and is not stored', async (t) => {
    const { site, sink } = await open(t, { database });
    const email = await site.account();
    await (await site.serve()).stop(); // makes the master key
    const [asked] = await site.stockact('accounts', 'reset-password', '--email', email);
    assert.deepEqual(Object.keys(asked), ['email', 'sent', 'expiresAt']);
    assert.equal(asked.sent, true);
    const [waiting] = await site.database.query('SELECT body, body_sealed FROM mail');
    assert.equal(waiting.body, '');
    assert.ok(waiting.body_sealed.length > 100);
    const server = await site.serve();
    const [mail] = await sink.have(1);
    assert.equal(mail.to, email);
    assert.equal(mail.headers.subject, 'Set a new password');
    assert.match(mail.body, new RegExp(`${BASE}/reset\\?token=`));
    const [, token] = TOKEN.exec(mail.body);
    await until('the body is erased', async () => {
      const [row] = await site.database.query('SELECT body, body_sealed FROM mail');
      return row.body === '' && row.body_sealed === null;
    });
    await server.stop();
    assert.match(server.log, /mail sent/);
    assert.equal(server.log.includes(email) || server.log.includes(token), false);
  });

  test('a link survives a refusing mail server and a killed server', async (t) => {
    const { site, sink } = await open(t, { database, clock: '2026-11-20T12:00:00Z' });
    const email = await site.account();
    sink.reply = '451 not now';
    const server = await site.serve();
    await site.stockact('accounts', 'reset-password', '--email', email);
    await until('the mail was offered', () => sink.offered === 1);
    await until('the refusal is stored', async () => {
      const [row] = await site.database.query('SELECT tries FROM mail');
      return Number(row.tries) === 1;
    });
    await server.kill();
    sink.reply = '250 taken in';
    await site.clock.set('2026-11-20T12:02:00Z');
    await site.serve();
    const [mail] = await sink.have(1);
    assert.match(mail.body, TOKEN);
  });

  test('without a mail server the operator gets the links', async (t) => {
    const { site } = await open(t, { database, env: { STOCKACT_SMTP_URL: '' } });
    const email = await site.account();
    const [reset] = await site.stockact('accounts', 'reset-password', '--email', email);
    assert.match(reset.link, new RegExp(`^${BASE}/reset\\?token=[A-Za-z0-9_-]{43}$`));
    const invite = ['accounts', 'invite', '--email', 'new@example.org', '--role', 'reviewer'];
    const before = Date.now();
    const [invited] = await site.stockact(...invite);
    assert.match(invited.link, new RegExp(`^${BASE}/join\\?token=[A-Za-z0-9_-]{43}$`));
    const made = Date.parse(invited.expiresAt) - 7 * 24 * 3600 * 1000;
    assert.ok(made >= before - 1000 && made <= Date.now() + 1000, invited.expiresAt);
    await refused(site, ['accounts', 'invite', '--email', email], 'already_exists');
    await refused(site, ['accounts', 'reset-password', '--email', 'no@example.org'], 'not_found');
    assert.equal((await site.database.query('SELECT * FROM mail')).length, 0);
    const closed = await site.run([...invite, '--json'], { env: { STOCKACT_SIGNUP: 'off' } });
    assert.equal(closed.code, 1);
    assert.match(closed.stdout, /STOCKACT_SIGNUP=invite/);
  });

  test('each change is logged without an address, and the owner is told', async (t) => {
    const { site, sink } = await open(t, { database });
    const email = 'ada@example.org';
    const on = ['--email', email];
    const [made] = await site.stockact('accounts', 'create', ...on, '--plan', 'pack');
    await site.stockact('accounts', 'set-role', ...on, '--role', 'reviewer');
    await site.stockact('accounts', 'set-plan', ...on, '--plan', 'den');
    await site.stockact('accounts', 'disable', ...on);
    await site.stockact('accounts', 'enable', ...on);
    const input = 'correct horse battery\n';
    assert.equal(
      (await site.run(['accounts', 'password', ...on, '--password-stdin'], { input })).code,
      0,
    );
    const [moved] = await site.stockact(
      'accounts',
      'set-address',
      ...on,
      '--to',
      'lovelace@example.org',
    );
    assert.equal(moved.id, made.id);
    assert.equal(moved.email, 'lovelace@example.org');
    const key = await site.stockact('keys', 'mint', '--email', moved.email, '--name', 'ci');
    await site.stockact('keys', 'revoke', '--id', key[0].id);
    await refused(
      site,
      ['accounts', 'second-factor-off', '--email', moved.email],
      null,
      /is already off/,
    );
    const rows = await actions(site);
    assert.deepEqual(
      rows.map((row) => row.action),
      [
        'account.create',
        'account.set_role',
        'account.set_plan',
        'account.disable',
        'account.enable',
        'password.change',
        'address.change',
        'key.mint',
        'key.revoke',
      ],
    );
    for (const row of rows) {
      assert.equal(row.actor, 'operator');
      assert.equal(row.account_id, made.id);
      assert.doesNotMatch(`${row.detail}`, /@/);
    }
    await site.serve();
    const mails = await sink.have(5);
    assert.deepEqual(mails.map((mail) => mail.headers.subject).sort(), [
      'Your account is disabled',
      'Your account is enabled',
      'Your address was changed',
      'Your password was changed',
      'Your role was changed',
    ]);
    for (const mail of mails) assert.equal(mail.to, email); // also of the change of address
  });

  test('an export has the account, and a deletion leaves no trace of the address', async (t) => {
    const { site, sink } = await open(t, { database });
    const email = 'gone@example.org';
    const receiver = await PlainReceiver.start(t);
    const server = await site.serve();
    await site.stockact('accounts', 'create', '--email', email, '--plan', 'pack');
    const [key] = await site.stockact('keys', 'mint', '--email', email, '--name', 'laptop');
    assert.equal((await server.get('/api/v1/trades', { key: key.key })).status, 200);
    const added = ['webhooks', 'add', '--email', email, '--url', receiver.url(200)];
    const [endpoint] = await site.stockact(...added);
    await site.stockact('webhooks', 'test', '--id', endpoint.id);
    const done = await site.run(['accounts', 'export', '--email', email]);
    assert.equal(done.code, 0, done.stderr);
    const data = JSON.parse(done.stdout);
    assert.equal(data.account.email, email);
    assert.equal(data.keys[0].name, 'laptop');
    assert.equal('sha256' in data.keys[0], false);
    assert.deepEqual(
      data.actions.map((one) => one.action),
      ['endpoint.test', 'endpoint.add', 'key.mint', 'account.create'],
    );
    assert.equal(done.stdout.includes(key.key), false);
    const unsure = await site.run(['accounts', 'delete', '--email', email]);
    assert.equal(unsure.code, 2);
    await site.stockact('accounts', 'delete', '--email', email, '--yes');
    assert.equal((await server.get('/api/v1/trades', { key: key.key })).status, 401);
    await refused(site, ['keys', 'list', '--email', email], 'not_found');
    assert.deepEqual(await site.stockact('accounts', 'list'), []);
    const [mail] = await sink.have(1);
    assert.equal(mail.to, email);
    assert.match(mail.headers.subject, /deleted/);
    await until('the address of the last message is erased', async () => {
      const rows = await site.database.query('SELECT to_email, to_folded FROM mail');
      return rows.every((row) => row.to_email === '' && row.to_folded === '');
    });
    await server.stop();
    await (await site.serve()).stop(); // the emptied endpoint does not stop a server
    for (const table of ['attempt', 'endpoint', 'api_key', 'mail', 'action_log', 'account']) {
      const rows = JSON.stringify(await site.database.query(`SELECT * FROM ${table}`));
      assert.ok(rows.length > 2 || table === 'attempt', table);
      for (const trace of [email, receiver.url(200), 'laptop'])
        assert.equal(rows.includes(trace), false, `${table} has ${trace}`);
    }
    if (database === 'sqlite') {
      await site.run(['backup', `${site.folder}/copy.db`]);
      const bytes = readFileSync(`${site.folder}/copy.db`);
      assert.equal(bytes.includes(email), false);
    }
  });

  test('the last admin is not deleted', async (t) => {
    const { site } = await open(t, { database });
    const create = ['accounts', 'create', '--plan', 'scout', '--role', 'admin', '--email'];
    await site.stockact(...create, 'a@example.org');
    const remove = ['accounts', 'delete', '--yes', '--email', 'a@example.org'];
    await refused(site, remove, null, /last admin/);
    await site.stockact(...create, 'b@example.org');
    await site.stockact(...remove);
  });
});

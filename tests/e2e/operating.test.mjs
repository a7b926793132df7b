// What an operator sees of trouble, and does about it: `stockact status`, `jobs`, `mail`, `nodes`,
// `storage`, `sync status` and `webhooks stuck`. Each test provokes the trouble.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { parseCsv } from './lib/csv.mjs';
import { MailSink } from './lib/mail_sink.mjs';
import { hanging, status as answering } from './lib/official_sites.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { freePort } from './lib/ports.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { fillHouse, makeSites } from './lib/syncing.mjs';
import { until } from './lib/until.mjs';

const NOON = '2026-03-10T12:00:00Z';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * The items of `status` as "level topic: text". Options: `env`. Without those about the clocks of
 * this machine and of the database, which do not follow the test's.
 */
async function status(site, env = {}) {
  const done = await site.run(['status', '--json'], { env });
  assert.equal(done.code, 0, done.stderr);
  const lines = done.stdout.split('\n').filter((line) => line !== '');
  const items = lines
    .map((line) => JSON.parse(line))
    .filter((line) => 'level' in line && !/clock$/.test(line.topic));
  return items.map((i) => `${i.level} ${i.topic}: ${i.text}`);
}

/** Waits until the first jobs of a new server have run. */
async function settled(site) {
  await until('the first jobs have run, and others are planned', async () => {
    const jobs = await site.stockact('jobs', 'list');
    return ['prune', 'sample', 'sweep', 'upkeep'].every((name) =>
      jobs.some((job) => job.name === name && job.state !== 'running'),
    );
  });
}

/** Queues a mail to the owner of an endpoint that a smaller plan pauses. */
async function queueMail(site, receiver) {
  const email = await site.account({ plan: 'pack' });
  const url = receiver.url(204);
  await site.stockact('webhooks', 'add', '--email', email, '--url', url);
  await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
  return email;
}

onEachDatabase('an operator', (kind) => {
  test('is told that nothing needs attention', async (t) => {
    const site = await makeSite(t, { database: kind, clock: NOON });
    await site.serve();
    await settled(site);
    assert.deepEqual(await status(site), []);
    const plain = await site.run(['status']);
    if (kind === 'sqlite') assert.match(plain.stdout, /\n\nNothing needs attention\.\n$/);
    const [node] = await site.stockact('nodes', 'list');
    assert.equal(node.running, true);
    assert.equal(node.behind, 0);
    assert.match(node.version, /^\d+\.\d+\.\d+(\+|$)/);
    const jobs = await site.stockact('jobs', 'list');
    const names = jobs.map((job) => job.name);
    assert.deepEqual(names, ['prune', 'sample', 'sweep', 'upkeep']);
    assert.deepEqual(
      jobs.map((job) => job.state),
      ['ok', 'never', 'never', 'ok'],
    );
    for (const job of jobs) assert.ok(Date.parse(job.nextAt) > site.clock.now, job.name);
  });

  test('sees e-mails that a dead mail server leaves waiting, then given up, and retries them', async (t) => {
    const receiver = await PlainReceiver.start(t);
    const dead = `smtp://127.0.0.1:${await freePort()}`;
    const env = {
      STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
      STOCKACT_SMTP_URL: dead,
      STOCKACT_MAIL_FROM: 'stockact <notices@example.org>',
    };
    const site = await makeSite(t, { database: kind, clock: NOON, env });
    await site.stockact('demo', '--trades', 20);
    await (await site.serve()).stop(); // makes the master key
    const email = await queueMail(site, receiver);
    const unset = { STOCKACT_SMTP_URL: '', STOCKACT_MAIL_FROM: '' };
    assert.ok(
      (await status(site, unset)).includes(
        'urgent mail: 1 e-mail waits, and no mail server is set (STOCKACT_SMTP_URL).',
      ),
    );
    const server = await site.serve();
    const [{ id }] = await site.stockact('mail', 'list');
    for (const [tries, minutes] of [1, 10, 60, 360].entries()) {
      await until(`try ${tries + 1} has failed`, async () => {
        const [mail] = await site.stockact('mail', 'list');
        return mail.tries === tries + 1 && mail.state === 'retrying';
      });
      await site.clock.advance(minutes * MINUTE);
      if (tries === 2) {
        const items = await status(site);
        assert.match(
          items.find((i) => i.includes('mail')),
          /^urgent mail: 1 e-mail waits, the oldest for 1 hour\. The last error: \S/,
        );
      }
    }
    await until('it is given up', async () => {
      const [mail] = await site.stockact('mail', 'list', '--state', 'given_up');
      return mail?.tries === 5;
    });
    await until('the log says so', () => /level=error event="mail given up"/.test(server.log));
    await until('the metrics say so', async () => {
      const metrics = await server.get('/metrics', { unchecked: true });
      return /^stockact_mail_given_up 1$/m.test(metrics.text);
    });
    const [mail] = await site.stockact('mail', 'list');
    assert.equal(mail.to, email);
    assert.equal(mail.state, 'given_up');
    assert.match(mail.error, /connect/i);
    assert.equal('body' in mail, false);
    const items = await status(site);
    assert.match(
      items.find((i) => i.includes('mail')),
      /^urgent mail: 1 e-mail was given up\. The last error: /,
    );
    await server.stop();

    const sink = await MailSink.start(t);
    assert.deepEqual(await site.stockact('mail', 'retry', '--given-up'), [{ retried: 1 }]);
    await site.serve({ env: { STOCKACT_SMTP_URL: sink.url } });
    const [sent] = await sink.have(1);
    assert.equal(sent.to, email);
    await until('it is sent', async () => (await site.stockact('mail', 'list')).length === 0);
    assert.equal((await site.stockact('mail', 'list', '--state', 'sent'))[0].id, id);
    const again = await site.run(['mail', 'retry', String(id)]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, new RegExp(`e-mail ${id} was sent`));
  });

  test('drops an e-mail that nobody needs any more', async (t) => {
    const receiver = await PlainReceiver.start(t);
    const env = {
      STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
      STOCKACT_SMTP_URL: 'smtp://127.0.0.1:1',
      STOCKACT_MAIL_FROM: 'notices@example.org',
    };
    const site = await makeSite(t, { database: kind, env });
    await (await site.serve()).stop();
    await queueMail(site, receiver);
    const [{ id }] = await site.stockact('mail', 'list');
    assert.deepEqual(await site.stockact('mail', 'drop', id), [{ dropped: 1 }]);
    assert.deepEqual(await site.stockact('mail', 'list'), []);
    const [dropped] = await site.stockact('log', '--action', 'mail');
    assert.deepEqual([dropped.action, dropped.subjectId], ['mail.drop', String(id)]);
    for (const [args, reason] of [
      [['drop', id], /there is no e-mail/],
      [['retry', 'seven'], /"seven" is not the number of an e-mail/],
      [['retry'], /name one e-mail/],
      [['list', '--state', 'lost'], /expected waiting, retrying, given_up or sent/],
    ]) {
      const done = await site.run(['mail', ...args.map(String)]);
      assert.equal(done.code, args[1] === id ? 1 : 2, args.join(' '));
      assert.match(done.stderr, reason);
    }
  });

  test('sees a server that is frozen', async (t) => {
    const env = { STOCKACT_LISTEN: `127.0.0.1:${await freePort()}` };
    const site = await makeSite(t, { database: kind, env });
    const server = await site.serve({ listen: env.STOCKACT_LISTEN });
    await settled(site);
    assert.deepEqual(await status(site), []);
    const doctor = await site.run(['doctor', '--json']);
    assert.match(doctor.stdout, /"check":"server","result":"ok"/);
    process.kill(server.child.pid, 'SIGSTOP');
    const items = await status(site);
    process.kill(server.child.pid, 'SIGCONT');
    assert.match(items.join('\n'), /^urgent server: .* does not answer/m);
    await server.kill();
    await site.serve({ listen: env.STOCKACT_LISTEN });
    assert.equal((await site.stockact('nodes', 'list')).length, 1, 'it has replaced its row');
  });

  test('is told of a change whose commit was not confirmed', async (t) => {
    if (kind === 'sqlite') return t.skip('no connection that could be lost');
    const site = await makeSite(t, { database: kind });
    await (await site.serve()).stop(); // makes the key
    const email = await site.account({ plan: 'pack' });
    await site.database.execute(
      'CREATE FUNCTION stockact.cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ' +
        'PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$',
    );
    await site.database.execute(
      'CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON stockact.api_key ' +
        'DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION stockact.cut()',
    );
    const cut = await site.run(['keys', 'mint', '--email', email, '--name', 'one']);
    assert.equal(cut.code, 1);
    assert.match(cut.stderr, /may have been made: look with `stockact keys list` before/);
    const refused = await site.run(['keys', 'revoke', '--id', 'none']);
    assert.doesNotMatch(refused.stderr, /may have been made/);
  });

  test('sees a server that was killed', async (t) => {
    const site = await makeSite(t, { database: kind });
    const servers = [await site.serve()];
    if (kind === 'postgresql') servers.push(await site.serve());
    await settled(site);
    const [killed] = servers;
    await killed.kill();
    const label = (one) => one.server.endsWith(`process ${killed.child.pid}`);
    await until('its silence shows', async () => {
      const nodes = await site.stockact('nodes', 'list');
      return nodes.find(label).running === false;
    });
    const items = await status(site);
    if (kind === 'sqlite') {
      assert.deepEqual(items, ['urgent servers: No server is running on this database.']);
    } else {
      assert.equal(items.length, 1);
      assert.match(items[0], /^urgent servers: The server .* has been silent for \d+ seconds/);
      const [running, silent] = await site.stockact('nodes', 'list');
      assert.deepEqual([running.running, silent.running], [true, false]);
      assert.equal((await site.run(['nodes', 'forget', running.server])).code, 1);
      await site.stockact('nodes', 'forget', silent.server);
      assert.equal((await site.stockact('nodes', 'list')).length, 1);
      assert.deepEqual(await status(site), []);
    }
  });

  test('sees deliveries that are late or held', async (t) => {
    const receiver = await PlainReceiver.start(t);
    const env = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' };
    const site = await makeSite(t, { database: kind, clock: NOON, env });
    await site.stockact('demo', '--trades', 20);
    await (await site.serve()).stop(); // makes the master key
    const owner = await site.account({ plan: 'den' });
    const other = await site.account({ plan: 'den' });
    const add = async (email) => {
      const url = receiver.url(204);
      const [added] = await site.stockact('webhooks', 'add', '--email', email, '--url', url);
      return added.id;
    };
    const late = await add(owner);
    const disabled = await add(owner);
    const orphan = await add(other);
    await site.stockact('demo', '--publish', 3, '--rows', 1);
    await site.stockact('webhooks', 'disable', '--id', disabled);
    await site.stockact('accounts', 'disable', '--email', other);
    await site.clock.advance(10 * MINUTE);
    const stuck = await site.stockact('webhooks', 'stuck');
    const told = Object.fromEntries(stuck.map((one) => [one.endpoint, [one.reason, one.queued]]));
    assert.deepEqual(told, {
      [late]: ['late', 3],
      [disabled]: ['disabled', 3],
      [orphan]: ['account_disabled', 3],
    });
    assert.equal(stuck[0].email, owner);
    const items = await status(site);
    assert.ok(
      items.includes(
        'urgent deliveries: Deliveries to 1 endpoint are late, the oldest by 10 minutes.',
      ),
      items.join('\n'),
    );
    assert.ok(items.some((i) => i.startsWith('notice deliveries: Deliveries to 2 endpoints wait')));
    await site.serve();
    await until('the late ones are sent', async () => {
      const left = await site.stockact('webhooks', 'stuck');
      return !left.some((one) => one.endpoint === late);
    });
  });

  test('sees a fetch that failed, and one that was killed', async (t) => {
    const { sites, site } = await makeSites(t, { database: kind });
    fillHouse(sites, ['9000001']);
    const fetch = ['sync', 'house', '--base-url', sites.url];
    assert.equal((await site.run(fetch)).code, 0);
    const house = async () =>
      (await site.stockact('sync', 'status')).find((one) => one.source === 'house');
    assert.equal((await house()).lastFetch, 'ok');
    assert.equal((await house()).failures, 0);
    assert.equal((await house()).needs_manual, 2);
    sites.fault(/./, answering(403), { times: 9 });
    assert.equal((await site.run(fetch)).code, 1);
    assert.equal((await site.run(fetch)).code, 1);
    const failed = await house();
    assert.equal(failed.lastFetch, 'failed');
    assert.equal(failed.failures, 2);
    assert.match(failed.error, /refuses this machine/);
    assert.ok(Date.parse(failed.lastOkAt) <= Date.parse(failed.fetchedAt));
    const items = await status(site);
    assert.match(
      items.find((i) => i.includes(' sync: ')),
      /^urgent sync: The last run of "sync house" failed, (less than a|\d+) seconds? ago: .*refuses this machine/s,
    );
    const runs = await site.stockact('jobs', 'runs', 'sync house');
    assert.deepEqual(
      runs.map((one) => one.state),
      ['failed', 'failed', 'ok'],
    );
    assert.equal(runs[2].result.documents, 2);
    const [second] = await site.stockact('jobs', 'runs', '--limit', 1, '--before', runs[0].run);
    assert.equal(second.run, runs[1].run);
  });
});

test('jobs runs refuses a name that no job has', async (t) => {
  const site = await makeSite(t, {});
  await site.stockact('migrate');
  const unknown = await site.run(['jobs', 'runs', 'swep', '--json']);
  assert.equal(unknown.code, 1);
  assert.equal(JSON.parse(unknown.stdout).error, 'not_found');
  assert.match(unknown.stderr, /there is no job "swep": the jobs are sync, sweep, .*sync house/);
  const planned = await site.run(['jobs', 'runs', 'sync house']);
  assert.deepEqual([planned.code, planned.stderr], [0, '']);
  await site.database.execute(
    "INSERT INTO job_run (name, started_at) VALUES ('of another version', 0)",
  );
  const [run] = await site.stockact('jobs', 'runs', 'of another version');
  assert.equal(run.state, 'interrupted');
  assert.match((await site.run(['jobs', 'runs', 'swep'])).stderr, /upkeep, of another version$/m);
});

test('a daily fetch that was killed with its server shows as interrupted', async (t) => {
  const { sites, site } = await makeSites(t, { clock: '2026-03-10T04:29:00Z' });
  fillHouse(sites);
  sites.fault(/9000002/, hanging);
  const env = { STOCKACT_SYNC_AT: '04:30', STOCKACT_SYNC_BASE_URL: sites.url };
  const server = await site.serve({ env });
  const sync = async () => (await site.stockact('jobs', 'list')).find((job) => job.name === 'sync');
  await until('the run is planned', async () => (await sync())?.nextAt);
  assert.equal((await sync()).state, 'never');
  await site.clock.advance(MINUTE);
  await until('a report hangs', () => sites.requests.some(({ path: p }) => p.includes('9000002')));
  assert.equal((await sync()).state, 'running');
  assert.match((await site.stockact('jobs', 'runs', 'sync'))[0].server, /process \d+$/);
  await server.kill();
  await site.clock.advance(11 * MINUTE);
  assert.equal((await sync()).state, 'interrupted');
  await site.clock.advance(26 * HOUR);
  const told = async (settings) =>
    (await status(site, settings)).filter((item) => item.includes(' sync: '));
  const killed = 'urgent sync: The last run of "sync house" was interrupted, 1 day ago.';
  assert.deepEqual(await told(env), [killed], 'without a server every job is late');
  await site.serve();
  await settled(site);
  assert.deepEqual(await told(env), ['urgent sync: The job "sync" is 2 hours late.', killed]);
  assert.deepEqual(await told({}), [killed], 'the daily fetch is off');
});

onEachDatabase('an operator who searches', (kind) => {
  test('finds accounts, and reads in the log who did what', async (t) => {
    const site = await makeSite(t, { database: kind, clock: NOON });
    await site.stockact('accounts', 'create', '--email', 'ada@example.org', '--plan', 'den');
    await site.clock.advance(MINUTE);
    await site.mint({ email: 'ada@example.org', name: '=cmd|x' });
    await site.stockact('accounts', 'create', '--email', 'ben@example.org', '--plan', 'wolf');
    const [ada] = await site.stockact('accounts', 'search', 'ADA@');
    assert.equal(ada.email, 'ada@example.org');
    assert.deepEqual([ada.keys, ada.endpoints, ada.signedInAt], [1, 0, null]);
    assert.equal((await site.stockact('accounts', 'search', ada.id.slice(5)))[0].id, ada.id);
    const [wolf, ...none] = await site.stockact('accounts', 'search', '--plan', 'wolf');
    assert.equal(wolf.email, 'ben@example.org');
    assert.deepEqual(none, []);
    const [newest] = await site.stockact('accounts', 'search', '--limit', 1);
    const [older] = await site.stockact('accounts', 'search', '--limit', 1, '--before', newest.no);
    assert.deepEqual([newest.email, older.email], ['ben@example.org', 'ada@example.org']);

    const minted = await site.stockact('log', '--action', 'key', '--account', ada.id);
    assert.equal(minted.length, 1);
    assert.deepEqual([minted[0].action, minted[0].actor], ['key.mint', 'operator']);
    assert.deepEqual(await site.stockact('log', '--action', 'key', '--to', NOON), []);
    assert.equal((await site.stockact('log', '--subject', minted[0].subjectId)).length, 1);
    const csv = await site.run(['log', '--csv', '--action', 'key.mint']);
    const [header, row] = parseCsv(csv.stdout);
    assert.equal(header[0], 'no');
    assert.equal(row[header.indexOf('action')], 'key.mint');
    assert.equal(csv.stdout.includes('@'), false, 'no address');
    const both = await site.run(['log', '--csv', '--json']);
    assert.equal(both.code, 2);
  });
});

test('storage names its file, its sizes and about its rows', async (t) => {
  const site = await makeSite(t, { database: 'sqlite' });
  await site.stockact('demo', '--trades', 500);
  await site.serve();
  const [storage] = await site.stockact('storage');
  assert.equal(storage.kind, 'SQLite');
  assert.equal(storage.reserveBytes, 16 * 1024 * 1024);
  assert.ok(storage.bytes > 100_000 && storage.diskFreeBytes > 0);
  const rows = Object.fromEntries(storage.tables.map(({ name, rows: n }) => [name, n]));
  assert.equal(rows.trade, 500);
  const plain = await site.run(['storage']);
  assert.match(plain.stdout, /^rows of trade +500$/m);
});

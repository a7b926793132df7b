// The command line for operators and scripts: help, invalid arguments, accounts, keys, and unusable
// databases.

import { strict as assert } from 'node:assert';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { Child } from './lib/child.mjs';
import { openSqlite } from './lib/database.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

// The commands that external checks rely on; the program may have more.
const COMMANDS = [
  'serve',
  'demo',
  'members import',
  'committees import',
  'tickers import',
  'backfill senate-stock-watcher',
  'sweep',
  'withdraw',
  'accounts create',
  'accounts set-plan',
  'accounts set-role',
  'accounts disable',
  'accounts password',
  'accounts list',
  'keys mint',
  'keys list',
  'keys revoke',
  'migrate',
  'check',
  'backup',
  'version',
];

const lines = (text) => text.split('\n').filter((line) => line !== '');

/**
 * The command must exit 1 with one line on stderr; with --json also the API's error object on
 * stdout.
 */
async function refused(site, args, { error, hint } = {}) {
  const done = await site.run([...args, '--json']);
  assert.equal(done.code, 1, done.stdout + done.stderr);
  assert.equal(lines(done.stderr).length, 1, done.stderr);
  assert.match(done.stderr, /^stockact: /);
  const objects = lines(done.stdout).map((line) => JSON.parse(line));
  const object = objects.at(-1);
  if (error) assert.equal(object.error, error);
  if (hint) assert.match(object.hint, hint);
  return object;
}

describe('help and invalid arguments', () => {
  test('every listed command has help', async (t) => {
    const site = await makeSite(t);
    const list = await site.run(['--help']);
    assert.equal(list.code, 0);
    const names = lines(list.stdout)
      .map((line) => /^ {2}([a-z-]+(?: [a-z-]+)*)/.exec(line)?.[1])
      .filter((name) => name !== undefined);
    for (const name of COMMANDS) assert.ok(names.includes(name), name);
    for (const name of names) {
      const help = await site.run([...name.split(' '), '--help']);
      assert.equal(help.code, 0, name);
      assert.ok(help.stdout.startsWith(`usage: stockact ${name}`), help.stdout);
      assert.equal(help.stderr, '');
    }
  });

  test('invalid arguments exit 2 with one line that names the error', async (t) => {
    const site = await makeSite(t);
    const cases = [
      [['sreve'], /unknown command "sreve" \(did you mean "serve"\?\)/],
      [['keys', 'mnit'], /unknown command "keys mnit" \(did you mean "keys mint"\?\)/],
      [['xyzzy'], /unknown command "xyzzy"; see/],
      [['keys', 'mint'], /missing option --email EMAIL/],
      [['keys', 'mint', '--email'], /--email needs a value: EMAIL/],
      [['backup'], /`stockact backup` needs FILE/],
      [['version', 'extra'], /unexpected argument "extra"/],
      [['copy', 'sqlite:a.db'], /name two databases: FROM and TO/],
      [['copy', 'a.db', 'sqlite:b.db'], /FROM must be sqlite:PATH or postgresql:/],
      [['copy', '--cancel', 'a.db'], /FROM must be sqlite:PATH or postgresql:/],
      [
        ['serve', '--lissten', '127.0.0.1:0'],
        /unknown option "--lissten" \(did you mean "--listen"\?\)/,
      ],
      [
        ['serve', '--base-url', 'https://example.org/api/v1'],
        /"https:..example.org.api.v1" for --base-url: expected .*, without .api.v1/,
      ],
      [['version', '--color', 'sometimes'], /for --color: expected always\|never\|auto/],
      [['serve', 'extra'], /unexpected argument "extra"/],
      [
        ['serve', '--listen', 'nowhere'],
        /invalid value "nowhere" for --listen: expected ADDR:PORT/,
      ],
      [['keys', 'mint', '--email', 'a@example.org'], /missing option --name NAME/],
      [
        ['accounts', 'create', '--email', 'a@example.org', '--plan', 'gold'],
        /invalid value "gold" for --plan: expected scout/,
      ],
      [
        ['accounts', 'create', '--email', 'nobody', '--plan', 'pack'],
        /for --email: expected EMAIL/,
      ],
      [['members', 'import'], /`stockact members import` needs FILE\.\.\./],
      [['demo', '--trades', 'many'], /for --trades: expected NUMBER/],
      [['demo', '--as-of', '2026-02-30'], /for --as-of: expected YYYY-MM-DD/],
    ];
    for (const [args, expected] of cases) {
      const done = await site.run(args);
      assert.equal(done.code, 2, `${args.join(' ')}: ${done.stderr}`);
      assert.equal(done.stdout, '');
      assert.equal(lines(done.stderr).length, 1, done.stderr);
      assert.match(done.stderr, expected);
    }
  });

  test('a test clock is rejected without permission', async (t) => {
    const site = await makeSite(t, { clock: '2026-11-20T12:00:00Z' });
    assert.equal((await site.run(['migrate'])).code, 0);
    const done = await site.run(['migrate'], { env: { STOCKACT_ALLOW_TEST_CLOCK: '' } });
    assert.equal(done.code, 1);
    assert.match(done.stderr, /STOCKACT_ALLOW_TEST_CLOCK/);
  });
});

onEachDatabase('accounts and keys', (database) => {
  test('an account goes through all its changes', async (t) => {
    const site = await makeSite(t, { database, clock: '2026-11-20T12:00:00Z' });
    const email = 'First.Last@example.org';
    const [created] = await site.stockact('accounts', 'create', '--email', email, '--plan', 'wolf');
    assert.match(created.id, /^acc_/);
    assert.deepEqual(
      { ...created, id: '' },
      {
        id: '',
        email,
        plan: 'wolf',
        role: 'member',
        createdAt: '2026-11-20T12:00:00.000Z',
        disabledAt: null,
        hasPassword: false,
        secondFactor: false,
      },
    );
    const same = ['--email', email.toLowerCase()];
    await refused(site, ['accounts', 'create', ...same, '--plan', 'pack'], {
      error: 'already_exists',
    });
    const [den] = await site.stockact('accounts', 'set-plan', ...same, '--plan', 'den');
    assert.equal(den.plan, 'den');
    const [admin] = await site.stockact('accounts', 'set-role', ...same, '--role', 'admin');
    assert.equal(admin.role, 'admin');
    const [off] = await site.stockact('accounts', 'disable', ...same);
    assert.equal(off.disabledAt, '2026-11-20T12:00:00.000Z');
    const [on] = await site.stockact('accounts', 'enable', ...same);
    assert.deepEqual(await site.stockact('accounts', 'list'), [on]);
    assert.deepEqual({ ...on, plan: 'wolf', role: 'member' }, created);
    await refused(site, ['accounts', 'disable', '--email', 'nobody@example.org'], {
      error: 'not_found',
      hint: /nobody@example\.org/,
    });
  });

  test('a password is read from standard input and stored as Argon2id only', async (t) => {
    const site = await makeSite(t, { database });
    const email = await site.account();
    const args = ['accounts', 'password', '--email', email, '--password-stdin'];
    const short = await site.run(args, { input: 'short\n' });
    assert.equal(short.code, 1);
    assert.equal((await site.run(args, { input: 'correct horse battery\n' })).code, 0);
    const [{ password_hash }] = await site.database.query('SELECT password_hash FROM account');
    assert.match(password_hash, /^\$argon2id\$v=19\$m=65536,t=2,p=1\$/);
  });

  test('on a terminal the password is asked for, and what is typed is not shown', async (t) => {
    const site = await makeSite(t, { database });
    const email = await site.account();
    const command = `exec ${binary} accounts password --email ${email} --password-stdin`;
    const terminal = new Child('script', ['-qec', command, '/dev/null'], {
      cwd: site.folder,
      env: site.env,
      open: true,
    });
    await terminal.waitFor(/Password: $/);
    terminal.stdin.write('correct horse battery\n'); // and no end of the input
    await terminal.waitFor(/has password +yes/);
    terminal.stdin.end();
    assert.equal((await terminal.exited).code, 0);
    assert.equal(terminal.stdout.includes('horse'), false, terminal.stdout);
  });

  test('a minted key is shown once, listed by its prefix, and revoked', async (t) => {
    const site = await makeSite(t, { database, clock: '2026-11-20T12:00:00Z' });
    const minted = await site.mint({ plan: 'pack', name: 'ci' });
    assert.deepEqual(Object.keys(minted), ['id', 'name', 'prefix', 'key', 'email']);
    assert.match(minted.key, /^svc_[A-Za-z0-9_-]{43}$/);
    assert.equal(minted.prefix, minted.key.slice(0, 12));
    const listed = {
      id: minted.id,
      name: 'ci',
      prefix: minted.prefix,
      createdAt: '2026-11-20T12:00:00.000Z',
      lastUsedAt: null,
      lastUsedFor: null,
      idle: false,
      revokedAt: null,
    };
    assert.deepEqual(await site.stockact('keys', 'list', '--email', minted.email), [listed]);
    const [revoked] = await site.stockact('keys', 'revoke', '--id', minted.id);
    assert.deepEqual(revoked, { ...listed, revokedAt: '2026-11-20T12:00:00.000Z' });
    await refused(site, ['keys', 'revoke', '--id', 'key_0000000000000000'], { error: 'not_found' });
  });

  test('a plan without keys has a cap of none', async (t) => {
    const site = await makeSite(t, { database });
    const email = await site.account({ plan: 'scout' });
    const body = await refused(site, ['keys', 'mint', '--email', email, '--name', 'x'], {
      error: 'api_key_limit_reached',
    });
    assert.equal(body.limit, 0);
  });

  test('a change takes effect on every server before the command returns', async (t) => {
    const site = await makeSite(t, { database });
    const { server, key, id, email } = await (async () => {
      const started = await site.serve();
      return { server: started, ...(await site.mint({ plan: 'pack' })) };
    })();
    const ask = () => server.get('/api/v1/filings', { key });
    assert.equal((await ask()).limit.limit, 60);
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'den');
    assert.equal((await ask()).limit.limit, 300);
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'wolf');
    assert.equal((await ask()).json.error, 'plan_has_no_api_access');
    await site.stockact('accounts', 'set-plan', '--email', email, '--plan', 'pack');
    await site.stockact('accounts', 'disable', '--email', email);
    assert.equal((await ask()).status, 401);
    await site.stockact('accounts', 'enable', '--email', email);
    assert.equal((await ask()).status, 200);
    await site.stockact('keys', 'revoke', '--id', id);
    assert.equal((await ask()).status, 401);
  });
});

describe('unusable databases', () => {
  const serve = (site, database) =>
    site.run(['serve', '--listen', '127.0.0.1:0', '--database', `sqlite:${database}`, '--json']);

  /** The command must print one clear line, exit 1, and not change a byte of the file. */
  async function refusedUnaltered(t, fill, reason) {
    const site = await makeSite(t);
    const file = path.join(site.folder, 'other.db');
    fill(file, site);
    const before = readFileSync(file);
    const check = await site.run(['check', '--database', `sqlite:${file}`]);
    for (const done of [await serve(site, file), check]) {
      assert.equal(done.code, 1);
      const said = lines(done.stderr).filter((line) => line.startsWith('stockact: '));
      assert.equal(said.length, 1, done.stderr);
      assert.match(said[0], reason);
    }
    assert.deepEqual(readFileSync(file), before);
  }

  test('a missing folder', async (t) => {
    const site = await makeSite(t);
    const done = await serve(site, path.join(site.folder, 'nowhere/stockact.db'));
    assert.equal(done.code, 1);
    assert.equal(lines(done.stderr).length, 1, done.stderr);
    assert.match(done.stderr, /nowhere/);
  });

  test('a file that is not a database', (t) =>
    refusedUnaltered(t, (file) => writeFileSync(file, 'not a database\n'.repeat(500)), /not a/));

  test('a database of another program', (t) =>
    refusedUnaltered(
      t,
      (file) => {
        const database = openSqlite(file);
        database.exec('CREATE TABLE guests (name TEXT)');
        database.close();
      },
      /another program|not .*stockact/,
    ));

  test('a database of a newer version', async (t) => {
    const site = await makeSite(t);
    await site.stockact('migrate');
    await site.database.execute(
      'INSERT INTO migration (number, checksum) SELECT 9000, checksum FROM migration LIMIT 1',
    );
    await refused(site, ['keys', 'list', '--email', 'a@example.org'], { hint: /newer/ });
    const done = await serve(site, site.database.file);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /newer/);
  });

  test('commands that only read do not create a missing database', async (t) => {
    const site = await makeSite(t, { empty: true });
    await refused(site, ['keys', 'list', '--email', 'a@example.org']);
    assert.throws(() => statSync(site.database.file), /ENOENT/);
  });
});

describe('the secret key file', () => {
  test('is created on the first start with mode 0600, and used again', async (t) => {
    const site = await makeSite(t, { env: { STOCKACT_SECRET_KEY_FILE: '' } });
    const file = `${site.database.file}.secret`;
    await (await site.serve()).stop();
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const key = readFileSync(file);
    assert.equal(key.length, 32);
    await (await site.serve()).stop();
    assert.deepEqual(readFileSync(file), key);
  });

  test('is rejected if others can read it', async (t) => {
    const site = await makeSite(t);
    const file = site.env.STOCKACT_SECRET_KEY_FILE;
    writeFileSync(file, Buffer.alloc(32, 1));
    chmodSync(file, 0o644);
    const done = await site.run(['serve', '--listen', '127.0.0.1:0']);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /chmod 600/);
  });

  test('is required with PostgreSQL', async (t) => {
    const site = await makeSite(t, {
      database: 'postgresql',
      env: { STOCKACT_SECRET_KEY_FILE: '' },
    });
    const done = await site.run(['serve', '--listen', '127.0.0.1:0']);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /STOCKACT_SECRET_KEY_FILE is not set/);
  });
});

test('invented and real data do not mix', async (t) => {
  const site = await makeSite(t);
  await site.stockact('demo', '--trades', 50);
  await refused(site, ['demo', '--trades', '50'], { error: 'refused' });
  const file = path.join(site.folder, 'members.json');
  writeFileSync(file, '[]');
  await refused(site, ['members', 'import', file]);
});

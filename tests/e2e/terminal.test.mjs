// What a person sees on a terminal of 80 and of 160 columns, and what a program reads in a pipe.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { Child, run } from './lib/child.mjs';
import { openListening } from './lib/listening.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const ESCAPES = /\x1b\[[0-9;]*m/g;
const lines = (text) => text.split(/\r?\n/).filter((line) => line !== '');

/** Runs a command on a terminal with so many columns: {code, stdout}, both streams in one. */
function onTerminal(site, args, { columns = 80, env = {} } = {}) {
  const quoted = args.map((word) => `'${word}'`).join(' ');
  const command = `stty cols ${columns}; exec ${binary} ${quoted}`;
  return run('script', ['-qec', command, '/dev/null'], {
    cwd: site.folder,
    env: { ...site.env, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
  });
}

/** Starts a command on a terminal of 80 columns; Ctrl-C ends it with the test. */
function atTerminal(t, command, { cwd, env }) {
  const shell = `stty cols 80; exec ${command}`;
  const child = new Child('script', ['-qefc', shell, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm', LANG: 'C.UTF-8' },
    open: true,
  });
  t.after(() => interrupt(child));
  return child;
}

async function interrupt(child) {
  if (!child.ended) child.stdin.write('\x03');
  await child.exited;
}

async function siteWithAccounts(t) {
  const site = await makeSite(t, { clock: '2026-11-20T12:00:00Z' });
  for (const plan of ['pack', 'den', 'scout']) {
    const email = `${plan}.with.a.long.name@example.org`;
    await site.stockact('accounts', 'create', '--email', email, '--plan', plan);
  }
  return site;
}

test('a list is a table in 160 columns, and folded rows in 80', async (t) => {
  const site = await siteWithAccounts(t);
  const rows = await site.stockact('accounts', 'list');
  for (const columns of [80, 160]) {
    const done = await onTerminal(site, ['accounts', 'list'], { columns });
    assert.equal(done.code, 0);
    const plain = done.stdout.replace(ESCAPES, '');
    for (const line of lines(plain)) assert.ok([...line].length <= columns, line);
    for (const row of rows) {
      for (const value of [row.id, row.email, row.plan]) assert.ok(plain.includes(value), value);
    }
    const header = /^id +email +plan +role +created at +disabled at/.test(lines(plain)[0]);
    assert.equal(header, columns === 160, plain);
    const starts = lines(plain).filter((line) => line.startsWith('acc_'));
    assert.deepEqual(
      starts.map((line) => line.split(/ +/)[0]),
      rows.map((row) => row.id),
    );
    const dated = starts.map((line) => line.indexOf('2026'));
    assert.equal(new Set(dated).size, 1); // one column, or on the line below
    assert.equal(dated[0] >= 0, columns === 160, plain);
  }
});

test('colour needs a terminal that supports it, and no opt-out', async (t) => {
  const site = await siteWithAccounts(t);
  const list = ['accounts', 'list'];
  const coloured = async (args, env) =>
    (await onTerminal(site, args, { env })).stdout.includes('\x1b[');
  assert.equal(await coloured(list), true);
  assert.equal(await coloured(list, { NO_COLOR: '1' }), false);
  assert.equal(await coloured(list, { NO_COLOR: '' }), true); // as no-color.org says
  assert.equal(await coloured(list, { TERM: 'dumb' }), false);
  assert.equal(await coloured([...list, '--color', 'never']), false);
  assert.equal(await coloured([...list, '--color', 'always'], { NO_COLOR: '1' }), true);
  assert.equal(await coloured([...list, '--json']), false);
});

test('a pipe gets tab-separated text, and --color always adds colour only', async (t) => {
  const site = await siteWithAccounts(t);
  const env = { TERM: 'xterm-256color', COLUMNS: '80' };
  const plain = await site.run(['accounts', 'list'], { env });
  const [header, ...rows] = lines(plain.stdout).map((line) => line.split('\t'));
  assert.deepEqual(header.slice(0, 3), ['id', 'email', 'plan']);
  assert.deepEqual(
    rows.map((row) => [row.length, row[4]]),
    Array(3).fill([header.length, '2026-11-20T12:00:00.000Z']),
  );
  const coloured = await site.run(['accounts', 'list', '--color', 'always'], { env });
  assert.ok(coloured.stdout.includes('\x1b['));
  assert.equal(coloured.stdout.replace(ESCAPES, ''), plain.stdout);
  const json = await site.run(['accounts', 'list', '--json']);
  const always = await site.run(['accounts', 'list', '--json', '--color', 'always']);
  assert.equal(always.stdout, json.stdout);
});

test('--pretty lays a pipe out as a terminal', async (t) => {
  const site = await siteWithAccounts(t);
  const env = { LC_ALL: 'C.UTF-8', COLUMNS: '100', NO_COLOR: '1' };
  const list = ['accounts', 'list'];
  const shown = await onTerminal(site, list, { columns: 100, env });
  const piped = await site.run([...list, '--pretty'], { env });
  assert.equal(piped.stdout, shown.stdout.replaceAll('\r\n', '\n'));
  const coloured = await site.run([...list, '--pretty', '--color', 'always'], { env });
  assert.ok(coloured.stdout.includes('\x1b['));
  assert.equal(coloured.stdout.replace(ESCAPES, ''), piped.stdout);
  const json = await site.run([...list, '--json', '--pretty']);
  assert.equal(json.stdout, (await site.run([...list, '--json'])).stdout);
  const command = `${binary} accounts list --pretty | cat`; // standard error is the terminal
  const less = await run('script', ['-qec', `stty cols 60; ${command}`, '/dev/null'], {
    cwd: site.folder,
    env: { ...site.env, LC_ALL: 'C.UTF-8', TERM: 'xterm' },
  });
  assert.ok(Math.max(...lines(less.stdout).map((line) => [...line].length)) <= 60, less.stdout);
});

test('no glyph outside ASCII without UTF-8', async (t) => {
  const site = await siteWithAccounts(t);
  const shown = async (env) => (await onTerminal(site, ['accounts', 'list'], { env })).stdout;
  assert.match(await shown({ LC_ALL: 'C.UTF-8' }), /·/);
  assert.match(await shown({ LC_ALL: 'C' }), /^[\x00-\x7f]*$/);
});

test('an empty list says so on a terminal, and is empty in a pipe', async (t) => {
  const site = await siteWithAccounts(t);
  const none = await onTerminal(site, ['webhooks', 'list']);
  assert.equal(none.stdout.trim(), 'There is no endpoint.');
  const some = await onTerminal(site, ['accounts', 'search', 'pack']);
  assert.doesNotMatch(some.stdout, /No account matches/);
  assert.equal((await site.run(['webhooks', 'list'])).stdout, '');
  assert.equal((await onTerminal(site, ['webhooks', 'list', '--json'])).stdout, '');
});

test('a first word alone lists its commands on standard error', async (t) => {
  const site = await makeSite(t);
  for (const [word, one] of [
    ['accounts', 'accounts create'],
    ['webhooks', 'webhooks add'],
    ['review', 'review accept [ID]'],
  ]) {
    const done = await site.run([word]);
    assert.equal(done.code, 2);
    assert.equal(done.stdout, '');
    assert.ok(done.stderr.startsWith(`usage: stockact ${word} COMMAND`), done.stderr);
    assert.ok(
      lines(done.stderr).some((line) => line.startsWith(`  ${one} `)),
      done.stderr,
    );
    const help = await site.run([word, '--help']);
    assert.equal(help.code, 0);
    assert.equal(help.stdout, done.stderr);
    assert.equal((await site.run(['help', word])).stdout, help.stdout);
  }
});

test('invalid values exit 2 wherever they are found, and invalid files exit 1', async (t) => {
  const site = await makeSite(t);
  const code = async (...args) => {
    const done = await site.run(args);
    assert.match(done.stderr, /^stockact: /);
    return done.code;
  };
  await site.run(['migrate']);
  assert.equal(await code('review', 'list', '--state', 'lost'), 2);
  assert.equal(await code('review', 'new', 'court', '1', '--by', 'a@example.org'), 2);
  assert.equal(await code('check', '--head', 'one'), 2);
  assert.equal(await code('mail', 'drop', 'one'), 2);
  assert.equal(await code('mail', 'drop', '1'), 1); // well formed, and there is none
  assert.equal(await code('tickers', 'import', '/dev/null'), 1);
  assert.equal(await code('tickers', 'import', '/nonexistent'), 1);
});

test('correct prints null where the API has null', async (t) => {
  const site = await makeSite(t);
  await site.stockact('demo', '--trades', 50);
  const { id } = await site.database
    .query('SELECT id FROM trade WHERE ticker IS NOT NULL ORDER BY id LIMIT 1')
    .then((rows) => rows[0]);
  const why = ['--by', 'editor@example.org', '--reason', 'no symbol on the page'];
  const [corrected] = await site.stockact('correct', id, 'ticker', '', ...why);
  assert.deepEqual(corrected, { id, field: 'ticker', value: null });
});

test('a smaller plan says that keys stay above its cap', async (t) => {
  const site = await makeSite(t);
  const { email } = await site.mint({ plan: 'pack' });
  const plan = ['accounts', 'set-plan', '--email', email, '--plan'];
  assert.doesNotMatch((await site.run([...plan, 'den'])).stdout, /active key/);
  const done = await site.run([...plan, 'scout']);
  assert.match(done.stdout, /The account has 1 active key, and its plan allows 0/);
});

test('listen has a line of aligned columns for each event, and tabs in a pipe', async (t) => {
  const { hooks, server, key, receiver } = await openListening(t);
  await hooks.publish(2);
  const env = { ...hooks.site.env, SVC_API_URL: server.url, SVC_API_KEY: key };
  const args = ['listen', '--last', '2', '--to', receiver.url()];
  const output = async (child) => {
    await child.waitFor(/(evt_[^]*){2}\n/);
    return lines(child.stdout.replace(ESCAPES, ''));
  };
  const seen = await output(atTerminal(t, `${binary} ${args.join(' ')}`, { env }));
  for (const line of seen) assert.ok(line.length <= 80, line);
  const [header, ...events] = seen.slice(seen.findIndex((line) => line.startsWith('time')));
  for (const line of events) {
    assert.match(line, /^\d\d:\d\d:\d\dZ +200 +\d+  trade\.published   evt_[0-9a-f]{16}$/);
    assert.equal(line.indexOf('evt_'), header.indexOf('id'));
  }
  const piped = new Child(binary, args, { env, dieWithParent: 'SIGKILL' });
  t.after(() => piped.stop());
  assert.ok((await output(piped)).includes('time\tstatus\tms\tevent\tid'));
});

test('demo --live says how to get a key for its database', async (t) => {
  const { env, folder: cwd } = await makeSite(t);
  const address = 'sqlite:live.db';
  const demo = `${binary} demo --live --trades 50 --listen 127.0.0.1:0 --database ${address}`;
  const child = atTerminal(t, demo, { cwd, env });
  await child.waitFor(/listening on/);
  const commands = lines(child.stdout).filter((line) => /^ {2}\w/.test(line));
  const script = commands.join('\n').replaceAll('stockact ', `${binary} `);
  const done = await run('sh', ['-ec', script], { cwd, env });
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /^key +svc_/m);
});

test('the log of a server is short on a terminal, and logfmt in a pipe', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  const logged = async (child, stream) => {
    const [, port] = await child.waitFor(/listening on http:\/\/127\.0\.0\.1:(\d+)/);
    for (const path of ['/readyz', '/healthz', '/metrics', '/api/v1/coverage'])
      await fetch(`http://127.0.0.1:${port}${path}`);
    return (await child.waitFor(/.*\/coverage.*(?=\r?\n)/, { stream }))[0];
  };
  const serve = ['serve', '--listen', '127.0.0.1:0'];
  const options = { cwd: site.folder, env: site.env };
  const child = atTerminal(t, `${binary} ${serve.join(' ')}`, options);
  assert.match(
    await logged(child, 'stdout'),
    /^\d\d:\d\d:\d\dZ GET \/api\/v1\/coverage 200, \d+ bytes, \d+ us, [0-9a-f]{16}$/,
  );
  assert.doesNotMatch(child.stdout, /readyz|healthz|metrics/); // asked every few seconds
  await interrupt(child);
  const piped = new Child(binary, serve, { ...options, dieWithParent: 'SIGKILL' });
  t.after(() => piped.stop());
  assert.match(await logged(piped, 'stderr'), /^time=\S+Z level=info event=request method=GET/);
});

test('an error is wrapped at words, and one line in a pipe', async (t) => {
  const site = await makeSite(t, { empty: true });
  const args = ['ingest', 'nowhere'];
  const plain = await site.run(args);
  assert.match(plain.stderr, /^stockact: there is no database at .*STOCKACT_DATABASE\n$/);
  const { stdout } = await onTerminal(site, args, { env: { NO_COLOR: '1' } });
  const shown = lines(stdout);
  assert.ok(shown.length > 1, stdout);
  for (const line of shown.slice(1)) assert.match(line, /^ {10}\S/);
  assert.equal(`${shown.map((line) => line.trim()).join(' ')}\n`, plain.stderr);
});

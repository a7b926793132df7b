// Programs under an address-space limit (`ulimit -v`). If it is too small they say so, with its value.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const LIMITS_KIB = [70, 80, 90, 100, 120, 150, 200, 300, 400, 500, 600, 800].map((n) => n * 1000);
// Before the program runs: the loader, or a library that it initializes.
const LOADER = /error while loading shared libraries|Error in GnuTLS initialization/;
const ENDED_BY_TIMEOUT = 124;

function limited(site, kib, words, { flag = '-v', input } = {}) {
  const script = `ulimit ${flag} ${kib}; exec "$@"`;
  const options = { cwd: site.folder, env: site.env, input, endsBy: 'SIGABRT' }; // no memory left
  return run('sh', ['-c', script, 'sh', ...words], options);
}

function assertNamed(done, kib, what = /address space \(RLIMIT_AS\)/) {
  assert.match(done.stderr, what, `${kib} KiB: ${done.code} ${done.stderr}`);
  assert.match(done.stderr, new RegExp(` is ${kib} KiB; raise it with .ulimit`));
}

test('a server that does not start names the limit', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  let named = 0;
  for (const kib of LIMITS_KIB) {
    const serve = ['timeout', '-s', 'TERM', '2', binary, 'serve', '--listen', '127.0.0.1:0'];
    const done = await limited(site, kib, serve);
    if (done.code === ENDED_BY_TIMEOUT || LOADER.test(done.stderr)) continue;
    assertNamed(done, kib);
    named++;
  }
  assert.ok(named >= 3, `${named}`);
});

test('a command that needs more names the limit', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  let named = 0;
  for (let kib = 70_000; kib <= 120_000; kib += 5_000) {
    const command = [binary, 'accounts', 'create', '--plan', 'den', '--password-stdin', '--email'];
    const done = await limited(site, kib, [...command, `limit-${kib}@example.org`], {
      input: 'a long enough password\n',
    });
    if (done.code === 0 || LOADER.test(done.stderr)) continue;
    assertNamed(done, kib);
    named++;
  }
  assert.ok(named >= 1, `${named}`);
});

test('a limit of the data is named too', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  const command = [binary, 'accounts', 'create', '--plan', 'den', '--password-stdin', '--email'];
  const done = await limited(site, 16_000, [...command, 'data@example.org'], {
    flag: '-d',
    input: 'a long enough password\n',
  });
  assertNamed(done, 16_000, /data \(RLIMIT_DATA\)/);
});

test('a limit that is far away is not named', async (t) => {
  const site = await makeSite(t);
  await site.stockact('migrate');
  const done = await limited(site, 4_000_000, [binary, 'accounts', 'list']);
  assert.equal(done.code, 0);
  assert.doesNotMatch(done.stderr, /RLIMIT/);
});

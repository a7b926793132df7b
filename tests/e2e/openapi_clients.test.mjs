// TypeScript clients that two third-party generators make from the API's description: each
// compiles under strict settings and gets answers from the program.

import { strict as assert } from 'node:assert';
import { copyFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { run } from './lib/child.mjs';
import { useDescribedSite } from './lib/described_site.mjs';
import { root } from './lib/settings.mjs';
import { runTool } from './lib/tools.mjs';

const COMPILER = [
  ...['--strict', '--noUncheckedIndexedAccess', '--typeRoots', 'none'],
  ...['--target', 'es2022', '--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ...['--lib', 'es2022,dom,dom.iterable'],
];

describe('a client that a tool makes from the description of the API', () => {
  const shared = useDescribedSite();
  const put = (name, text) => writeFileSync(path.join(shared.cwd, name), text);

  /** Compiles openapi_clients/NAME.ts and runs it: what it prints, parsed. */
  async function answers(name, compilerOptions = []) {
    const { cwd, server, key } = shared;
    copyFileSync(
      path.join(root, `tests/e2e/openapi_clients/${name}.ts`),
      path.join(cwd, `${name}.ts`),
    );
    await runTool('typescript', 'tsc', [...COMPILER, ...compilerOptions, `${name}.ts`], { cwd });
    const env = { PATH: process.env.PATH, API_URL: server.url, API_KEY: key };
    const done = await run(process.execPath, [`${name}.js`], { cwd, env });
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout);
  }

  test('openapi-typescript reads the whole feed', async () => {
    const { cwd } = shared;
    const generate = ['openapi.json', '--output', 'api.ts'];
    await runTool('openapi-typescript', 'openapi-typescript', generate, { cwd });
    const { total, ...told } = await answers('openapi_typescript', [
      '--exactOptionalPropertyTypes',
    ]);
    assert.deepEqual(told, { count: 250, known: false, whole: true, loaded: [250], named: true });
    assert.ok(total > 0);
  });

  // The code that this generator adds does not compile with exactOptionalPropertyTypes.
  test('hey-api reads a page, a trade and an error', async () => {
    const { cwd } = shared;
    const output = { path: 'hey_api', module: { extension: '.js' } };
    put('hey-api.json', JSON.stringify({ input: 'openapi.json', output }));
    const generate = ['--file', 'hey-api.json', '--no-log-file'];
    const printed = await runTool('@hey-api/openapi-ts', 'openapi-ts', generate, { cwd });
    assert.doesNotMatch(printed, /warn|error/i, printed);
    const told = { count: 2, side: 'buy', more: true, same: true, refusal: 'not_found' };
    assert.deepEqual(await answers('hey_api'), told);
  });
});

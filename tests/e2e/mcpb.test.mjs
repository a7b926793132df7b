// The bundle made by script/mcpb. The format's own tool validates it, unpacks it, and gives the
// command with which a host starts its program.

import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { getMcpConfigForManifest } from '@anthropic-ai/mcpb';
import { run } from './lib/child.mjs';
import { ask } from './lib/mcp_shell.mjs';
import { instrumented, root } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';
import { runTool } from './lib/tools.mjs';
import { HANGS_MS } from './lib/until.mjs';

const FILES = [
  'icon.png',
  'licenses/libjansson',
  'licenses/libutf8proc',
  'licenses/stockact',
  'manifest.json',
  'server/stockact-mcp',
];
const PASSED_ON = ['PATH', 'HOME'].map((name) => [name, process.env[name]]);

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort();

describe('the bundle', { skip: instrumented && 'a bundle has a build of its own' }, () => {
  let folder, bundle, unpacked, manifest;
  const mcpb = (...args) => runTool('@anthropic-ai/mcpb', 'mcpb', args, { cwd: folder });
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 60);
    return { server: await site.serve(), key: await site.key({ plan: 'pack' }) };
  });

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-bundle-'));
    bundle = path.join(folder, 'stockact.mcpb');
    unpacked = path.join(folder, 'unpacked');
    const done = await run(path.join(root, 'script/mcpb'), [bundle], {
      cwd: folder,
      env: Object.fromEntries(PASSED_ON),
      within: 5 * HANGS_MS, // it compiles the program
    });
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.stdout.trimEnd().split('\n').at(-1), bundle);
    await mcpb('unpack', bundle, unpacked);
    manifest = JSON.parse(readFileSync(path.join(unpacked, 'manifest.json'), 'utf8'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The command with which a host starts it, with the values of its form. */
  async function commandOfHost(userConfig) {
    const { command, args, env } = await getMcpConfigForManifest({
      manifest,
      extensionPath: unpacked,
      systemDirs: { HOME: folder },
      userConfig,
      pathSeparator: '/',
    });
    return { command, args, env: { ...Object.fromEntries(PASSED_ON), ...env } };
  }

  test('is valid, and has only the files that it needs', async () => {
    assert.match(await mcpb('validate', unpacked), /passes/);
    assert.match(await mcpb('info', bundle), /stockact\.mcpb/);
    assert.deepEqual(filesIn(unpacked), FILES);
    assert.equal(statSync(path.join(unpacked, 'server/stockact-mcp')).mode & 0o777, 0o755);
    const icon = readFileSync(path.join(unpacked, 'icon.png'));
    assert.deepEqual([icon.readUInt32BE(16), icon.readUInt32BE(20)], [512, 512]);
  });

  test("equals the bundle packed by the format's own tool", async () => {
    const again = path.join(folder, 'again');
    await mcpb('pack', unpacked, `${again}.mcpb`);
    await mcpb('unpack', `${again}.mcpb`, again);
    assert.deepEqual(filesIn(again), FILES);
    for (const file of FILES) {
      const [one, other] = [unpacked, again].map((place) => readFileSync(path.join(place, file)));
      assert.deepEqual(one, other, file);
    }
  });

  test('names the version and the tools of its program', async () => {
    const command = await commandOfHost({});
    const version = (await run(command.command, ['--version'])).stdout.split(' ');
    assert.equal(version[1].trim(), manifest.version);
    const { tools } = await ask(command, 'tools/list');
    const sorted = (list) => list.map(({ name }) => name).sort();
    assert.deepEqual(sorted(manifest.tools), sorted(tools));
  });

  test('includes the libraries that a machine may lack', async () => {
    const done = await run('ldd', [path.join(unpacked, 'server/stockact-mcp')]);
    const needed = done.stdout.split('\n').map((line) => /^\s*lib(\w+)/.exec(line)?.[1]);
    assert.ok(needed.includes('curl'), done.stdout);
    for (const library of ['jansson', 'utf8proc']) assert.ok(!needed.includes(library));
  });

  for (const [when, typed] of [
    ['with a key', ({ server, key }) => ({ api_url: server.url, api_key: key })],
    ['with an empty key', ({ server }) => ({ api_url: server.url, api_key: '' })],
    ['with no key', ({ server }) => ({ api_url: server.url })],
  ]) {
    test(`answers a call ${when}`, async () => {
      const command = await commandOfHost(typed(shared));
      const params = { name: 'list_trades', arguments: { limit: 3 } };
      const { isError, structuredContent } = await ask(command, 'tools/call', params);
      assert.equal(isError, false);
      assert.equal(structuredContent.data.length, 3);
    });
  }
});

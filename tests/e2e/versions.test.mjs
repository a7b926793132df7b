// The versions that stockact states: its own build, and libraries, database and Redis.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { Peer } from './lib/mcp_peer.mjs';
import { mcpProgram } from './lib/mcp_protocol.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { withSession } from './lib/sessions.mjs';

/** What the dynamic linker loads for the program itself, without the sanitizers' runtime. */
async function needed() {
  const done = await run('readelf', ['--dynamic', '--wide', binary], {
    env: { PATH: process.env.PATH },
  });
  assert.equal(done.code, 0, done.stderr);
  const names = [...done.stdout.matchAll(/\(NEEDED\).*\[(lib[^\]]+?)\.so[^\]]*\]/g)].map(
    ([, name]) => name,
  );
  const runtime = /^lib(asan|ubsan|tsan|lsan|gcc_s|stdc\+\+|m|pthread|dl|rt|resolv)$/;
  return names.filter((name) => !runtime.test(name)).sort();
}

test('every place that names the version names the same build', async (t) => {
  const site = await makeSite(t);
  const [{ version, commit }] = await site.stockact('version');
  assert.match(version, /^\d+\.\d+\.\d+(\+\w+(\.\w+)*)?$/);
  if (commit !== null) assert.match(commit, /^[0-9a-f]{40}$/);
  if (/\+git\d/.test(version)) assert.ok(version.includes(`.${commit.slice(0, 12)}`), version);
  const title = commit === null ? version : `${version} (commit ${commit.slice(0, 12)})`;
  for (const word of ['version', '--version'])
    assert.equal((await site.run([word])).stdout, `stockact ${title}\n`);

  const server = await site.serve();
  const peer = await Peer.start(t, { url: server.url });
  const { serverInfo } = await peer.initialize('2025-11-25');
  assert.equal(serverInfo.version, version);
  const mcp = await run(mcpProgram, ['--version']);
  assert.equal(mcp.stdout, `stockact-mcp ${title}\n`);
  const { text } = await server.get('/metrics', { unchecked: true });
  assert.ok(text.includes(`\nstockact_build_info{version="${version}"} 1\n`));
  assert.match(
    server.log,
    new RegExp(`event=listening .*version=${version.replaceAll(/[.+]/g, '\\$&')}\n`),
  );
  const [node] = await site.stockact('nodes', 'list');
  assert.equal(node.version, version);
});

test('versions are those of every linked library, of the database and of Redis', async (t) => {
  const site = await makeSite(t, { redis: true });
  const [{ libraries }] = await site.stockact('version');
  assert.deepEqual(libraries.map(({ name }) => name).sort(), await needed());
  for (const { name, version } of libraries) assert.match(version, /^\d+\.\d+/, name);
  const email = await site.account();
  const [{ version }] = await site.stockact('storage');
  assert.equal(libraries.find(({ name }) => name === 'libsqlite3').version, version);

  await site.stockact('accounts', 'set-role', '--email', email, '--role', 'admin');
  const server = await site.serve();
  const admin = await withSession(site, server, email);
  const page = await admin.json('/admin/storage');
  assert.deepEqual(page.libraries.rows, libraries);
  assert.equal(page.databaseVersion, version);
  await until('the version of Redis is shown', async () => {
    const { redisVersion } = await admin.json('/admin/storage');
    return /^\d+\.\d+\.\d+$/.test(redisVersion ?? '');
  });
  await site.redis.stop();
  await until('the page says that Redis is away', async () =>
    (await admin.open('/admin/storage')).text('main').includes('not responding'),
  );
});

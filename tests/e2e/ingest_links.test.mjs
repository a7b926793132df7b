// What `ingest` finds in a folder beside files and folders: symbolic links, pipes, sockets, devices.
// It follows none of them, waits for none of them, and says each.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { binary } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';

const report = (id) => housePdf({ id, rows: [HOUSE_ROW] });

async function start(t) {
  const site = await makeSite(t);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE]));
  await site.stockact('members', 'import', members);
  const inbox = path.join(site.folder, 'inbox');
  const outside = path.join(site.folder, 'outside');
  mkdirSync(path.join(inbox, 'inner'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(path.join(outside, '20990002.pdf'), report('20990002'));
  return { site, inbox, outside };
}

test('links and special files inside a folder are skipped and said', async (t) => {
  const { site, inbox, outside } = await start(t);
  const at = (...parts) => path.join(inbox, ...parts);
  writeFileSync(at('20990001.pdf'), report('20990001'));
  writeFileSync(at('inner', '20990003.pdf'), report('20990003'));
  symlinkSync(path.join(outside, '20990002.pdf'), at('to-a-file.pdf'));
  symlinkSync(outside, at('to-a-folder'));
  symlinkSync('nowhere', at('dangling'));
  symlinkSync('loop', at('loop'));
  symlinkSync('..', at('inner', 'up'));
  symlinkSync('/dev/zero', at('to-a-device'));
  execFileSync('mkfifo', [at('pipe.pdf')]);
  const socket = net.createServer().listen(at('inner', 'socket'));
  await new Promise((listening) => socket.once('listening', listening));
  t.after(() => socket.close());
  const devices = [];
  if (process.getuid() === 0) {
    execFileSync('mknod', [at('zero'), 'c', '1', '5']);
    devices.push(['zero', /device/]);
  }
  const skipped = [
    ['to-a-file.pdf', /symbolic link/],
    ['to-a-folder', /symbolic link/],
    ['dangling', /symbolic link/],
    ['loop', /symbolic link/],
    ['inner/up', /symbolic link/],
    ['to-a-device', /symbolic link/],
    ['pipe.pdf', /pipe/],
    ['inner/socket', /socket/],
    ...devices,
  ];
  const lines = await site.stockact('ingest', inbox);
  for (const [name, reason] of skipped) {
    const line = lines.find((one) => one.document === at(name));
    assert.equal(line?.status, 'skipped', name);
    assert.match(line.reason, reason);
  }
  const drafts = lines.filter((line) => line.status === 'draft').map((line) => line.document);
  assert.deepEqual(drafts.sort(), ['20990001.pdf', '20990003.pdf']);
  assert.equal(lines.length, skipped.length + 2);
  const counted = (await site.stockact('coverage')).reduce((sum, line) => sum + line.count, 0);
  assert.equal(counted, 2, 'what is skipped has no entry');
  const text = await site.run(['ingest', inbox]);
  assert.equal(text.code, 0, text.stderr);
  assert.match(text.stdout, new RegExp(`^${skipped.length} skipped: `, 'm'));
});

test('a link that is named is followed', async (t) => {
  const { site, inbox, outside } = await start(t);
  const file = path.join(inbox, '20990002.pdf');
  const folder = path.join(inbox, 'folder');
  symlinkSync(path.join(outside, '20990002.pdf'), file);
  symlinkSync(outside, folder);
  const [byFile] = await site.stockact('ingest', file);
  assert.equal(byFile.status, 'draft');
  const [inFolder] = await site.stockact('ingest', folder);
  assert.equal(inFolder.status, 'unchanged');
});

test('an entry that is replaced by a link all the time never leads outside', async (t) => {
  const { site, inbox, outside } = await start(t);
  rmSync(path.join(inbox, 'inner'), { recursive: true });
  const entry = path.join(inbox, '20990001.pdf');
  const swaps = setInterval(() => {
    for (const make of [
      (at) => symlinkSync(path.join(outside, '20990002.pdf'), at),
      (at) => writeFileSync(at, report('20990001')),
      (at) => symlinkSync(outside, at),
    ]) {
      make(`${inbox}/.next`);
      renameSync(`${inbox}/.next`, entry);
    }
  }, 0);
  t.after(() => clearInterval(swaps));
  writeFileSync(entry, report('20990001'));
  for (let i = 0; i < 20; i++)
    for (const line of await site.stockact('ingest', inbox))
      assert.ok(
        line.status === 'skipped' || line.filingId === 'house-20990001',
        JSON.stringify(line),
      );
});

test('a limit of the size of files is not recorded as a property of the document', async (t) => {
  const { site, inbox } = await start(t);
  const file = path.join(inbox, '20990001.pdf');
  const bytes = Buffer.concat([report('20990001'), Buffer.alloc(3_000_000, '\n')]);
  writeFileSync(file, bytes);
  const before = (await site.stockact('coverage')).length;
  const done = await run('prlimit', ['--fsize=2000000:', binary, 'ingest', inbox, '--json'], {
    cwd: site.folder,
    env: site.env,
  });
  assert.equal(done.code, 1, done.stdout);
  assert.match(done.stderr, /memory file: the disk is full.*file-size limit/);
  assert.equal((await site.stockact('coverage')).length, before);
});

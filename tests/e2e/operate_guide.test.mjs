// The chapters of docs/operate.md about one server, run as they are written, in one fresh folder and
// one shell (lib/guide_blocks.mjs). `systemctl` and `journalctl` are stand-ins, because a
// test has no systemd: they start, stop and show one server of that folder. PostgreSQL is the tests'
// own. The lines for cron run in a shell as cron starts it.

import { strict as assert } from 'node:assert';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { run } from './lib/child.mjs';
import { postgresEnvironment } from './lib/database.mjs';
import { ONE_SERVER, assertPrinted, blocksOf, runBlocks } from './lib/guide_blocks.mjs';
import { indexZip } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { binary, root } from './lib/settings.mjs';

const DATABASES = ['stockact', 'restored']; // that the chapter about PostgreSQL creates

/** Dumps the restored database again: both dumps have the same rows. */
const COMPARED = `pg_restore --data-only --file=dumped.sql backups/monday.dump
pg_dump --data-only --schema=stockact --file=restored.sql "$STOCKACT_DATABASE"
`;

const SYSTEMCTL = `#!/bin/bash
case $1 in
start)
  stockact serve --listen 127.0.0.1:0 >server.out 2>>server.log &
  echo $! >server.pid
  for i in {1..500}; do grep -q listening server.out && exit 0; sleep 0.02; done
  cat server.log >&2; exit 1 ;;
stop)
  [ -e server.pid ] || exit 0
  kill "$(<server.pid)"
  while kill -0 "$(<server.pid)" 2>/dev/null; do sleep 0.02; done
  rm server.pid server.out ;;
esac
`;

const NUMBER = '(?:\\*|\\d+)(?:[-/,]\\d+)*';
const CRON = new RegExp(`^((?:${NUMBER} ){5})stockact (.*)$`, 'gm');

/** {times, command} of the lines for /etc/cron.d. cron ends a command at a bare %. */
function cronLines(text) {
  return [...text.matchAll(CRON)].map(([, times, line]) => {
    const [command] = line.split(/(?<!\\)%/);
    return { times: times.trim().split(' '), command: command.replaceAll('\\%', '%') };
  });
}

describe('docs/operate.md', () => {
  const guide = readFileSync(path.join(root, 'docs/operate.md'), 'utf8');
  const blocks = blocksOf(ONE_SERVER);
  let folder, env, printed;

  before(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-guide-'));
    const tools = path.join(folder, 'tools');
    const put = (name, text) => writeFileSync(path.join(tools, name), text, { mode: 0o755 });
    mkdirSync(tools);
    put('stockact', `#!/bin/sh\nexec ${binary} "$@"\n`);
    put('systemctl', SYSTEMCTL);
    put('journalctl', '#!/bin/sh\ncat server.log\n');
    mkdirSync(path.join(folder, 'inbox'));
    writeFileSync(path.join(folder, 'inbox/2025FD.zip'), indexZip([{}]));
    const rows = [{ ...HOUSE_ROW, asset: 'Abacus Corporation (ABC) [ST]' }];
    writeFileSync(path.join(folder, 'inbox/20990001.pdf'), housePdf({ rows }));
    env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC' };
    Object.assign(env, await postgresEnvironment());
    const restored = blocks.findIndex(({ commands }) => commands.includes('pg_restore'));
    printed = await runBlocks(blocks, { cwd: folder, env }, { [restored]: COMPARED });
  });

  after(async () => {
    const pid = path.join(folder, 'server.pid');
    if (existsSync(pid)) process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    for (const name of DATABASES) await run('dropdb', ['--if-exists', '--force', name], { env });
    rmSync(folder, { recursive: true, force: true });
  });

  for (const chapter of ONE_SERVER)
    test(`${chapter} prints what it says`, () => {
      blocks.forEach((block, i) => {
        if (block.chapter === chapter && block.expected) assertPrinted(block, printed[i]);
      });
    });

  test('a restored PostgreSQL database has every row of its dump', () => {
    const rows = (name) =>
      readFileSync(path.join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => !/^(--|\\(un)?restrict)/.test(line))
        .sort(); // the order of tables may differ
    assert.ok(rows('dumped.sql').length > 1000);
    assert.deepEqual(rows('restored.sql'), rows('dumped.sql'));
  });

  test('the line for cron backs up each night and keeps the newest 14', async () => {
    const lines = cronLines(guide);
    assert.deepEqual(
      lines.map(({ times }) => times.slice(2)),
      [Array(3).fill('*')],
    );
    const [{ times, command }] = lines;
    assert.ok(times[0] < 60 && times[1] < 24, `${times}`);
    const nightly = path.join(folder, 'nightly');
    mkdirSync(nightly);
    const old = Array.from({ length: 15 }, (_, i) => `stockact-2026-01-${i + 10}T02-30-00.000Z.db`);
    for (const name of old) writeFileSync(path.join(nightly, name), '');
    const script = command.replaceAll('/var/backups/stockact', nightly);
    const done = await run('/bin/sh', ['-c', script], { cwd: folder, env });
    assert.deepEqual([done.code, done.stdout, done.stderr], [0, '', ''], 'cron mails any output');
    const names = readdirSync(nightly).sort();
    const made = names.at(-1);
    assert.deepEqual(names, [...old.slice(2), made]);
    const backup = `sqlite:${path.join(nightly, made)}`;
    const checked = await run(binary, ['check', '--database', backup], { cwd: folder, env });
    assert.equal(checked.code, 0, checked.stderr);
  });
});

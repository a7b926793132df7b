// The chapters of docs/operate.md, run as they are written: every `sh` block in order, in one fresh
// folder and one shell. A `text` block behind it is what the commands print; `...` stands for any
// text, on a line of its own for any lines. `systemctl` and `journalctl` are stand-ins, because a
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
  utimesSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { run } from './lib/child.mjs';
import { postgresEnvironment } from './lib/database.mjs';
import { indexZip } from './lib/house_index.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { binary, root } from './lib/settings.mjs';

const CHAPTERS = [
  ...['The database', 'Install', 'Fill', 'Back up', 'Restore', 'Upgrade', 'Move'],
  ...['Keys and secrets', 'Logs', 'Sizes', 'PostgreSQL'],
];
const DATABASES = ['stockact', 'restored']; // that the chapter about PostgreSQL creates
const MARK = '@@ block ';

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

/** {chapter, commands, expected (or null)}, in the order of the document. */
function blocksOf(text) {
  const blocks = [];
  const code = /^```(\w*)\n(.*?)^```$\n*(?:(?=```text\n)```text\n(.*?)^```$)?/gms;
  for (const part of text.split(/^## /m).slice(1)) {
    const chapter = part.slice(0, part.indexOf('\n'));
    for (const [, language, commands, expected = null] of part.matchAll(code))
      if (language === 'sh') blocks.push({ chapter, commands, expected });
  }
  return blocks;
}

const NUMBER = '(?:\\*|\\d+)(?:[-/,]\\d+)*';
const CRON = new RegExp(`^((?:${NUMBER} ){5})stockact (.*)$`, 'gm');

/** {times, command} of the lines for /etc/cron.d. cron ends a command at a bare %. */
function cronLines(text) {
  return [...text.matchAll(CRON)].map(([, times, line]) => {
    const [command] = line.split(/(?<!\\)%/);
    return { times: times.trim().split(' '), command: command.replaceAll('\\%', '%') };
  });
}

const tidy = (line) => line.replace(/\s+/g, ' ').trim();
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Line by line; a line `...` matches any number of lines. */
function assertPrinted(block, printed) {
  const pattern = tidy(block.expected) && block.expected.trim().split('\n').map(tidy);
  const source = pattern
    .map((line) =>
      line === '...' ? '(?:.*\n)*?' : `${line.split('...').map(escaped).join('.*')}\n`,
    )
    .join('');
  const text = printed.trim().split('\n').map(tidy).join('\n');
  assert.match(`${text}\n`, new RegExp(`^${source}$`), block.commands);
}

describe('docs/operate.md', () => {
  const guide = readFileSync(path.join(root, 'docs/operate.md'), 'utf8');
  const blocks = blocksOf(guide);
  const printed = [];
  let folder, env;

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
    const script = blocks.map(({ commands }, i) => `echo '${MARK}${i}'\n${commands}`).join('');
    env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC' };
    Object.assign(env, await postgresEnvironment());
    const done = await run('bash', ['-e', '-c', script], { cwd: folder, env });
    for (const part of done.stdout.split(MARK).slice(1))
      printed.push(part.slice(part.indexOf('\n') + 1));
    assert.equal(done.code, 0, `${blocks[printed.length - 1]?.commands}\n${done.stderr}`);
  });

  after(async () => {
    const pid = path.join(folder, 'server.pid');
    if (existsSync(pid)) process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM');
    for (const name of DATABASES) await run('dropdb', ['--if-exists', '--force', name], { env });
    rmSync(folder, { recursive: true, force: true });
  });

  test('has the chapters that run, in this order', () => {
    assert.deepEqual([...new Set(blocks.map(({ chapter }) => chapter))], CHAPTERS);
  });

  for (const chapter of CHAPTERS)
    test(`${chapter} prints what it says`, () => {
      blocks.forEach((block, i) => {
        if (block.chapter === chapter && block.expected) assertPrinted(block, printed[i]);
      });
    });

  test('the lines for cron back up each night and delete what is older than two weeks', async () => {
    const lines = cronLines(guide);
    assert.deepEqual(
      lines.map(({ times }) => times.slice(2)),
      [Array(3).fill('*'), Array(3).fill('*')],
    );
    for (const { times } of lines) assert.ok(times[0] < 60 && times[1] < 24, `${times}`);
    const nightly = path.join(folder, 'nightly');
    mkdirSync(nightly);
    for (const days of [13, 16]) {
      const file = path.join(nightly, `daily-${days}.db`);
      writeFileSync(file, '');
      utimesSync(file, new Date(), new Date(Date.now() - days * 86_400_000));
    }
    const today = () => `daily-${new Date().toISOString().slice(0, 10)}.db`;
    const days = [today()];
    for (const { command } of lines) {
      const script = command.replaceAll('/var/backups/stockact', nightly);
      const done = await run('/bin/sh', ['-c', script], { cwd: folder, env });
      assert.deepEqual([done.code, done.stdout, done.stderr], [0, '', ''], 'cron mails any output');
    }
    days.push(today());
    const [kept, made, ...more] = readdirSync(nightly).sort();
    assert.deepEqual([kept, more], ['daily-13.db', []]);
    assert.ok(days.includes(made), made);
    const backup = `sqlite:${path.join(nightly, made)}`;
    const checked = await run(binary, ['check', '--database', backup], { cwd: folder, env });
    assert.equal(checked.code, 0, checked.stderr);
  });
});

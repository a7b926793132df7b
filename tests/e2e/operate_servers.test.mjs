// The chapters of docs/operate.md about several servers, run as they are written: from one server with
// SQLite to three servers on a PostgreSQL with a standby, a failover, a return to a point in time and
// new secrets (lib/guide_blocks.mjs). Only the ports differ.

import { strict as assert } from 'node:assert';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { SEVERAL_SERVERS, assertPrinted, blocksOf, runBlocks } from './lib/guide_blocks.mjs';
import { freePort } from './lib/ports.mjs';
import { roomyFolder, unprivilegedUser } from './lib/postgres.mjs';
import { programPath } from './lib/programs.mjs';
import { binary } from './lib/settings.mjs';

const PORTS = ['5441', '5442', '6390', '8081', '8082', '8083'];

/** One server of the folder, as the chapters before leave it. */
const SYSTEMCTL = `#!/bin/bash
kill "$(<server.pid)"
`;
const ONE = `DATA=var
stockact demo --trades 300 >/dev/null
stockact accounts create --email you@example.org --role admin --plan pack >/dev/null
stockact serve --listen 127.0.0.1:0 >server.log 2>&1 &
echo $! >server.pid
`;

/** What a restored database must have again: all but what servers count and note by themselves. */
const dump = (port, name) => `pg_dump --port=${port} --data-only --inserts --schema=stockact \
  --exclude-table='stockact.(node|counter|job|job_run|usage*)' stockact | grep ^INSERT | sort >${name}
`;

/** What is done to a process, or read of it; "" if it has ended or the kernel does not say. */
function orNothing(look) {
  try {
    return look();
  } catch {
    return '';
  }
}

/** The processes of a folder: databases and Redis by where they run, servers by their name. */
function runningIn(folder) {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return ids.map(Number).filter((pid) => {
    const where = orNothing(() => readlinkSync(`/proc/${pid}/cwd`));
    return (
      where.startsWith(folder) ||
      orNothing(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).startsWith(folder)
    );
  });
}

describe('docs/operate.md', { skip: programPath('redis-server') ? false : 'no Redis' }, () => {
  let folder, env, user, blocks, printed;

  before(async () => {
    folder = mkdtempSync(path.join(roomyFolder(), 'stockact-servers-'));
    user = await unprivilegedUser();
    const tools = path.join(folder, 'tools');
    mkdirSync(tools);
    for (const [name, text] of [
      ['stockact', `#!/bin/bash\nexec -a ${folder}/stockact ${binary} "$@"\n`],
      ['systemctl', SYSTEMCTL],
    ])
      writeFileSync(path.join(tools, name), text, { mode: 0o755 });
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const free = [];
    for (const _ of PORTS) free.push(await freePort());
    free.sort((a, b) => a - b); // lists of servers keep their order
    const ports = new Map(PORTS.map((port, i) => [port, String(free[i])]));
    const moved = (text) =>
      text?.replace(new RegExp(`\\b(${PORTS.join('|')})\\b`, 'g'), (port) => ports.get(port)) ??
      null;
    blocks = blocksOf(SEVERAL_SERVERS).map(({ chapter, commands, expected }) => ({
      chapter,
      commands: moved(commands),
      expected: moved(expected),
    }));
    env = { PATH: `${tools}:${process.env.PATH}`, HOME: folder, LANG: 'C.UTF-8', TZ: 'UTC' };
    const at = (text) => blocks.findIndex(({ commands }) => commands.includes(text));
    const own = {
      [at('initdb')]: ONE,
      [at('pg_basebackup --host=127.0.0.1 --port=' + ports.get('5442'))]: dump(
        ports.get('5442'),
        'before.sql',
      ),
      [at('recovery.signal')]: dump(ports.get('5441'), 'restored.sql'),
    };
    printed = await runBlocks(blocks, { cwd: folder, env, ...user }, own);
  });

  after(async () => {
    for (const pid of runningIn(folder)) orNothing(() => process.kill(pid, 'SIGKILL'));
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });

  for (const chapter of SEVERAL_SERVERS)
    test(`${chapter} prints what it says`, () => {
      blocks.forEach((block, i) => {
        if (block.chapter === chapter && block.expected) assertPrinted(block, printed[i]);
      });
    });

  test('the database at a point in time has the rows of that time', () => {
    const rows = (name) => readFileSync(path.join(folder, name), 'utf8').split('\n');
    assert.ok(rows('before.sql').length > 300);
    assert.deepEqual(rows('restored.sql'), rows('before.sql'));
  });
});

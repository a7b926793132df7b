// The chapters of docs/operate.md about several servers, run as they are written: from one server with
// SQLite to three servers on a PostgreSQL with a standby, an upgrade, a failover, a return to a point in
// time and new secrets (lib/guide_blocks.mjs). Only the ports differ. The next release is this one with
// more steps of the schema (tests/upgrade).

import { strict as assert } from 'node:assert';
import {
  chownSync,
  existsSync,
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

const NEXT = path.join(path.dirname(binary), 'tests/upgrade/stockact-next');
const hasNext = existsSync(NEXT);

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

/** Installs the next release. */
const INSTALL = `stockact version --json >before
echo ${hasNext ? NEXT : binary} >program
`;

/** The program, as users call it: it notes which one each server runs. */
const stockactIn = (folder) => `#!/bin/bash
program=$(<${folder}/program)
if [ "$1" = serve ]; then echo "$program" >>${folder}/serves; fi
exec -a ${folder}/stockact "$program" "$@"
`;

/** What runs after the upgrade: the programs of three servers, and the schema of database and program. */
const upgraded = (port) => `tail -n 3 serves >upgraded
psql --port=${port} --dbname=stockact --no-align --tuples-only \
  --command='SELECT max(number) FROM stockact.migration' >>upgraded
stockact version --json >>upgraded
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
      ['stockact', stockactIn(folder)],
      ['systemctl', SYSTEMCTL],
    ])
      writeFileSync(path.join(tools, name), text, { mode: 0o755 });
    writeFileSync(path.join(folder, 'program'), `${binary}\n`);
    if (user.uid !== undefined)
      for (const one of [folder, path.join(folder, 'program')]) chownSync(one, user.uid, user.gid);
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
      [at('before-upgrade.dump')]: INSTALL,
      [at('nodes list --config stockact.conf\nstockact check')]: upgraded(ports.get('5441')),
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

  test(
    'every server is upgraded, and the database with them',
    { skip: hasNext ? false : 'this build has no program of the next release' },
    () => {
      const lines = (name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n');
      const [older] = lines('before').map((line) => JSON.parse(line));
      const [one, two, three, schema, program] = lines('upgraded');
      assert.deepEqual([one, two, three], [NEXT, NEXT, NEXT]);
      assert.equal(Number(schema), JSON.parse(program).schema);
      assert.ok(Number(schema) > older.schema);
    },
  );

  test('the database at a point in time has the rows of that time', () => {
    const rows = (name) => readFileSync(path.join(folder, name), 'utf8').split('\n');
    assert.ok(rows('before.sql').length > 300);
    assert.deepEqual(rows('restored.sql'), rows('before.sql'));
  });
});

// Bars of long work, held in the middle of it by a lock of another session: what is done of how
// much, and for work of equal pieces the rate and the time left.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Child } from './lib/child.mjs';
import { committeesJson, membershipJson } from './lib/invented_committees.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { BY } from './lib/reviewer.mjs';
import { MARLOW, bulkFiling } from './lib/signal_site.mjs';
import { makeSite } from './lib/site.mjs';
import { startOnTerminal } from './lib/terminal.mjs';

const CIK = 'CIK,Ticker,Name,Exchange\n';
const LEFT = String.raw`[\d.,]+\/\w+ {2}\d.* left`;

/** A session that runs `sql` in a transaction; `release` ends it. */
async function hold(database, sql) {
  const session = new Child('psql', ['-X', '-q', '-A', '-t', '-d', database.url], {
    env: { PATH: process.env.PATH, PGOPTIONS: '-c search_path=stockact' },
    open: true,
  });
  session.stdin.write(`begin;\n${sql};\nselect 'held';\n`);
  await session.waitFor(/held/);
  return {
    async release() {
      session.stdin.end();
      await session.exited;
    },
  };
}

async function start(t, { empty } = {}) {
  const site = await makeSite(t, { database: 'postgresql', empty });
  const write = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  return { site, write };
}

/** Runs a command on a terminal while `lock` is held, until it shows `bar`. */
async function shows(site, lock, args, bar) {
  const held = await hold(site.database, lock);
  const child = startOnTerminal(site, args, { columns: 100 });
  try {
    await child.waitFor(bar);
  } catch (error) {
    throw new Error(`${error.message}\n${child.stdout}`);
  } finally {
    await held.release();
  }
  const { code } = await child.exited;
  assert.equal(code, 0, child.stdout);
  for (const line of child.stdout.split('\r')) assert.ok([...line].length <= 110, line);
  assert.match(child.stdout, /\r\u001b\[K[^█]*$/, 'the bar is erased');
}

describe('bars', { concurrency: true }, () => {
  test('members: people imported of how many', async (t) => {
    const { site, write } = await start(t);
    await site.stockact('members', 'import', write('m1.json', membersJson([VALE, HOLLIS])));
    const changed = membersJson([{ ...VALE, last: 'Vale-Reed' }, HOLLIS, MARLOW]);
    await shows(
      site,
      `select from member where id = '${VALE.id}' for update`,
      ['members', 'import', write('m2.json', changed)],
      new RegExp(`Importing members {2}[█░]+ {2}2 of 3 people {2}66% {2}${LEFT}`),
    );
  });

  test('symbols: symbols imported of how many', async (t) => {
    const { site, write } = await start(t);
    const list = (name) => `${CIK}1,QXA,Quarry,NYSE\n2,QXB,Quarry,NYSE\n3,QXC,${name},NYSE\n`;
    await site.stockact('tickers', 'import', write('one.csv', list('Quarry')));
    const changed = `${list('Quarry Three').replace('1,QXA', '9,QXD,Fourth,NYSE\n1,QXA')}`;
    await shows(
      site,
      `select from ticker where symbol = 'QXC' for update`,
      ['tickers', 'import', write('two.csv', changed)],
      new RegExp(`Importing symbols {2}[█░]+ {2}3 of 4 symbols {2}75% {2}${LEFT}`),
    );
  });

  test('seats: seats imported of how many', async (t) => {
    const { site, write } = await start(t);
    await site.stockact('members', 'import', write('m.json', membersJson([HOLLIS, MARLOW])));
    const committee = { id: 'SSQA', name: 'Senate Committee on Quarries', type: 'senate' };
    const seats = { SSQA: [{ member: HOLLIS }, { member: MARLOW }] };
    const files = [
      write('c.json', committeesJson([committee])),
      write('s.json', membershipJson(seats)),
    ];
    await shows(
      site,
      `select from member where id = '${MARLOW.id}' for update`,
      ['committees', 'import', ...files, '--as-of', '2015-01-05'],
      new RegExp(`Importing seats {2}[█░]+ {2}1 of 2 seats {2}50% {2}${LEFT}`),
    );
  });

  test('history: filings published of how many', async (t) => {
    const { site, write } = await start(t);
    await site.stockact('members', 'import', write('m.json', membersJson([HOLLIS, MARLOW])));
    const filings = [bulkFiling(HOLLIS, 1, 2), bulkFiling(HOLLIS, 2, 2), bulkFiling(MARLOW, 3, 2)];
    const dump = write('dump.json', JSON.stringify(filings));
    await shows(
      site,
      `select from member where id = '${MARLOW.id}' for update`,
      ['backfill', 'senate-stock-watcher', dump, ...BY],
      new RegExp(
        `Publishing the history {2}[█░]+ {2}3 of 3 filings {2}100% {2}[\\d.,]+\\/\\w+ {2}finishing, \\d+ s`,
      ),
    );
  });

  test('check: rules, then rows', async (t) => {
    const { site } = await start(t);
    await site.stockact('demo', '--trades', 40);
    await shows(
      site,
      'lock table meta in access exclusive mode',
      ['check'],
      new RegExp(`Checking rules {2}[█░]+ {2}(\\d+) of (\\d+) rules {2}9\\d% {2}${LEFT}`),
    );
  });

  test('audit: what is compared, and how much of it', async (t) => {
    const { site } = await start(t);
    await site.stockact('demo', '--trades', 40);
    await shows(
      site,
      'lock table correction in access exclusive mode',
      ['audit', '--kind', 'members,log'],
      /Comparing the log {2}\d+ s/,
    );
    await shows(
      site,
      'lock table member_name in access exclusive mode',
      ['audit', '--kind', 'members'],
      /Comparing filers {2}[█░]+ {2}0 of \d+ filings {2}0%/,
    );
  });

  test('migrations: steps of how many', async (t) => {
    const { site } = await start(t, { empty: true });
    await shows(
      site,
      'select pg_advisory_xact_lock(1400127843)',
      ['migrate'],
      /Applying migrations {2}[█░]+ {2}0 of \d+ steps {2}0%/,
    );
  });
});

// A database with a history, changes of it by something other than the program, and what `check`
// says of them.

import { makeSite } from './site.mjs';
import { BY, because } from './reviewer.mjs';

/** A backfill, live publications, corrections, withdrawals and a reinstatement. */
export async function makeHistory(t, kind) {
  const site = await makeSite(t, { database: kind });
  await site.stockact('demo', '--trades', 60, '--as-of', '2026-03-01');
  await site.stockact('demo', '--publish', 3, '--rows', 4);
  const rows = await site.database.query(
    'SELECT id, amount_bucket AS amount FROM trade ORDER BY no DESC LIMIT 12',
  );
  const ids = rows.map((row) => row.id);
  const filing = (id) => id.slice(0, -5);
  const [other, third] = ['5m_25m', '25m_50m', '1m_5m'].filter((one) => one !== rows[0].amount);
  await site.stockact('correct', ids[0], 'amountBucket', other, ...because('page 1'));
  await site.stockact('correct', ids[0], 'amountBucket', third, ...because('page 2'));
  await site.stockact('withdraw', ids[1], ...because('printed twice'));
  await site.stockact('withdraw', filing(ids[4]), ...because('another filer'));
  await site.stockact('reinstate', filing(ids[4]), ...because('the same filer'));
  await site.stockact('demo', '--publish', 1, '--rows', 2);
  return { site, ids, filing };
}

export async function check(site, ...args) {
  const done = await site.run(['check', ...args, '--json']);
  const lines = done.stdout.split('\n').filter((line) => line !== '');
  const told = lines.map((line) => JSON.parse(line));
  const findings = told.flatMap((line) => (line.finding ? [line.finding] : []));
  const end = told.find((line) => line.head);
  return { code: done.code, findings, head: end?.head, unsealed: end?.unsealed };
}

/** The triggers refuse changes of the chain and of the log: someone else takes them away first. */
export async function force(database, table, sql) {
  if (database.kind === 'postgresql') {
    await database.execute(`ALTER TABLE ${table} DISABLE TRIGGER USER; ${sql}`);
    return;
  }
  const triggers = await database.query(
    `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = '${table}'`,
  );
  const drops = triggers.map(({ name }) => `DROP TRIGGER ${name};`);
  await database.execute(`${drops.join(' ')} ${sql}`);
}

export async function every(server, path) {
  const rows = [];
  for (let cursor = ''; ;) {
    const page = await server.json(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`);
    rows.push(...page.data);
    if (!page.nextCursor) return rows;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

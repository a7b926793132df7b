// What the tables of actions share.

import { strict as assert } from 'node:assert';

export async function one(own, sql) {
  const [row] = await own.site.database.query(sql);
  return row;
}

export const newest = async (own, table, id = own.id) =>
  (
    await one(
      own,
      `SELECT x.id FROM ${table} x JOIN account a ON a.no = x.account_no
       WHERE a.id = '${id}' ORDER BY x.no DESC LIMIT 1`,
    )
  ).id;

export async function run(own, args, input) {
  const done = await own.site.run(args, { input });
  assert.equal(done.code, 0, `stockact ${args.join(' ')}: ${done.stderr}`);
}

export const BY_LINK = 'a link from an e-mail is followed in a browser';

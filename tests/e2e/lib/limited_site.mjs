// A site with one key, whose limits a test uses up: requests, and what the database counts.

import { strict as assert } from 'node:assert';
import { makeSite } from './site.mjs';

export const NOON = '2026-03-15T12:00:30.000Z';
export const FILINGS = '/api/v1/filings';
export const PACK = { perMinute: 60, perMonth: 100_000 };

/** A site with a server and a Pack key. */
export async function startLimited(
  t,
  { database, clock = NOON, plan = 'pack', serve, ...options } = {},
) {
  const site = await makeSite(t, { database, clock, ...options });
  const minted = await site.mint({ plan });
  const server = await site.serve(serve);
  return { site, server, minted, key: minted.key };
}

/** The statuses of `count` requests, one after the other. */
export async function statuses(server, count, options) {
  const seen = [];
  for (let i = 0; i < count; i++) seen.push((await server.get(FILINGS, options)).status);
  return seen;
}

export const all = (list, status) => assert.deepEqual([...new Set(list)], [status]);

export const monthOf = (instant) => {
  const date = new Date(instant);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
};

/** The key's counted requests in the month of `instant`, from the database. */
export async function drawn(site, instant) {
  const rows = await site.database.query(
    `SELECT used FROM month_count WHERE kind = 'key' AND month = ${monthOf(instant)}`,
  );
  return rows.reduce((sum, row) => sum + Number(row.used), 0);
}

/** Sets every key's count to `used` in the month of `instant`; before the server starts. */
export function presetMonth(site, instant, used) {
  return site.database.execute(
    `INSERT INTO month_count (month, kind, caller, used)
     SELECT ${monthOf(instant)}, 'key', CAST(CAST(no AS TEXT) AS BLOB), ${used} FROM api_key`,
  );
}

// Counts of keys (decision 43): a site with a key, and what the database has of it.

import { makeSite } from './site.mjs';
import { until } from './until.mjs';

export const NOON = '2026-03-15T12:00:30.000Z';
const KINDS = ['ok', 'notModified', 'clientErrors', 'rateLimited', 'serverErrors'];

export async function start(t, { plan = 'pack', serve, ...options } = {}) {
  const site = await makeSite(t, { clock: NOON, ...options });
  const minted = await site.mint({ plan, name: 'screener' });
  const server = await site.serve(serve);
  return { site, server, minted, key: minted.key };
}

export async function times(count, ask) {
  for (let i = 0; i < count; i++) await ask(i);
}

/** The counts of a day from the database, as {ok, ...}; each server writes once a second. */
export async function stored(site, date = NOON) {
  const day = Math.floor(Date.parse(date) / 86_400_000);
  const rows = await site.database.query(
    `SELECT sum(ok) AS a, sum(not_modified) AS b, sum(client_errors) AS c,
     sum(rate_limited) AS d, sum(server_errors) AS e FROM key_day WHERE day = ${day}`,
  );
  const values = ['a', 'b', 'c', 'd', 'e'].map((column) => Number(rows[0][column] ?? 0));
  return Object.fromEntries(KINDS.map((kind, i) => [kind, values[i]]));
}

export const sum = (counts) => KINDS.reduce((total, kind) => total + counts[kind], 0);

export const written = (site, count) =>
  until(`${count} responses are written`, async () => sum(await stored(site)) === count);

// Walks the feed by cursor through the types of openapi-typescript. A wrong member name does not
// compile.
import createClient from 'openapi-fetch';
import type { paths } from './api.js';

declare const process: { env: Record<string, string | undefined> };
const client = createClient<paths, 'application/json'>({
  baseUrl: process.env['API_URL']!,
  headers: { Authorization: `Bearer ${process.env['API_KEY']}` },
});
let cursor: string | undefined;
let count = 0;
let id = '';
do {
  const { data, error } = await client.GET('/api/v1/trades', {
    params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
  });
  if (error !== undefined) throw new Error(error.error);
  for (const trade of data.data) {
    const side: 'buy' | 'sell_full' | 'sell_partial' | 'exchange' = trade.side;
    const max: number | null = trade.amountRange.max;
    if (side.length > 0 && (max === null || max > 0)) count++;
    id = trade.id;
  }
  cursor = data.nextCursor ?? undefined;
} while (cursor !== undefined);
const { data } = await client.GET('/api/v1/politicians/{slug}', {
  params: { path: { slug: 'nobody-at-all' } },
});
const one = await client.GET('/api/v1/trades/{id}', { params: { path: { id } } });
if (one.error !== undefined) throw new Error(one.error.error);
const { source, conflict } = one.data.data;
const late: number | null = source.daysLate;
const review: 'page' | 'row' | 'unseen' | 'batch' | 'bulk' = source.review;
const oversees: string[] = conflict === null ? [] : conflict.committees.map((seat) => seat.name);
const log = await client.GET('/api/v1/corrections', { params: { query: { limit: 1 } } });
const loaded: (number | undefined)[] | undefined = log.data?.data.map(
  (entry) => entry.backfill?.trades,
);
const ledger = await client.GET('/api/v1/coverage');
const total: number | undefined = ledger.data?.data.total;
const people = await client.GET('/api/v1/politicians', { params: { query: { q: 'a', limit: 1 } } });
const slug: string | undefined = people.data?.data[0]?.slug;
console.log(
  JSON.stringify({
    count,
    known: data !== undefined,
    whole: late !== undefined && oversees.length === 0 && review === 'bulk',
    loaded,
    total,
    named: slug !== undefined,
  }),
);

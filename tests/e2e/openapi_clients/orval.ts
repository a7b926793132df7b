// Reads a page, the trade on it, an error and CSV through the client that orval makes.
import { getTrade, listTrades } from './orval.gen.js';

declare const process: { env: Record<string, string | undefined> };
const options = { headers: { Authorization: `Bearer ${process.env['API_KEY']}` } };
const page = await listTrades({ limit: 2, side: 'buy' }, options);
if (page.status !== 200 || typeof page.data === 'string') throw new Error(`${page.status}`);
const cursor: string | null = page.data.nextCursor;
const [first] = page.data.data;
if (first === undefined) throw new Error('an empty page');
const side: 'buy' | 'sell_full' | 'sell_partial' | 'exchange' = first.side;
const one = await getTrade(first.id, options);
if (one.status !== 200) throw new Error(`${one.status}`);
const id: string | undefined = one.data.data.trade?.id;
const none = await getTrade('none', options);
const refusal = none.status === 404 ? none.data.error : undefined;
const table = await listTrades({ limit: 2, side: 'buy', format: 'csv' }, options);
const csv: boolean = table.status === 200 && typeof table.data === 'string';
const found = { count: page.data.data.length, side, more: cursor !== null, same: id === first.id };
console.log(JSON.stringify({ ...found, refusal, csv }));

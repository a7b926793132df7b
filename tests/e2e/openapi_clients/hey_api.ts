// Reads a page, the trade on it and an error through the client that hey-api makes.
import { client } from './hey_api/client.gen.js';
import { getTrade, listTrades } from './hey_api/index.js';

declare const process: { env: Record<string, string | undefined> };
client.setConfig({ baseUrl: process.env['API_URL']!, auth: process.env['API_KEY']! });
const page = await listTrades({ query: { limit: 2, side: 'buy' } });
if (page.error !== undefined) throw new Error(page.error.error);
const cursor: string | null = page.data.nextCursor;
const [first] = page.data.data;
if (first === undefined) throw new Error('an empty page');
const side: 'buy' | 'sell_full' | 'sell_partial' | 'exchange' = first.side;
const one = await getTrade({ path: { id: first.id } });
if (one.error !== undefined) throw new Error(one.error.error);
const id: string | undefined = one.data.data.trade?.id;
const none = await getTrade({ path: { id: 'none' } });
const refusal: string | undefined = none.error?.error;
const found = { count: page.data.data.length, side, more: cursor !== null, same: id === first.id };
console.log(JSON.stringify({ ...found, refusal }));

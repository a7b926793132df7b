// The page as a competent engineer writes it with Fastify and PostgreSQL, for comparison in
// script/bench: keys, both windows, keyset pages, filters, ETag and 304, the same JSON. It uses the
// usual optimisations: responses serialised by schema, a prepared statement, a pool on the unix
// socket, keys cached for a minute, counts in memory.
//
//     node server.mjs    reads libpq's PG* variables; prints its port
import { createHash } from 'node:crypto';
import Fastify from 'fastify';
import pg from 'pg';

const KEY_MS = 60_000;
const MINUTE_MS = 60_000;
const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

const BUCKETS = {
  '1k_15k': [1001, 15000, '$1,001 – $15,000'],
  '15k_50k': [15001, 50000, '$15,001 – $50,000'],
  '50k_100k': [50001, 100000, '$50,001 – $100,000'],
  '100k_250k': [100001, 250000, '$100,001 – $250,000'],
  '250k_500k': [250001, 500000, '$250,001 – $500,000'],
  '500k_1m': [500001, 1000000, '$500,001 – $1,000,000'],
  '1m_5m': [1000001, 5000000, '$1,000,001 – $5,000,000'],
  '5m_25m': [5000001, 25000000, '$5,000,001 – $25,000,000'],
  '25m_50m': [25000001, 50000000, '$25,000,001 – $50,000,000'],
  over_50m: [50000001, null, 'Over $50,000,000'],
  over_1m_spouse: [1000001, null, 'Over $1,000,000 (spouse or dependent holdings)'],
};
const RANGES = Object.fromEntries(
  Object.entries(BUCKETS).map(([key, [min, max, label]]) => [key, { min, max, label }]),
);

const text = { type: 'string' };
const maybe = { type: ['string', 'null'] };
const object = (properties) => ({ type: 'object', properties });
const TRADE = object({
  id: text,
  politician: object({ slug: text, name: text, chamber: text, party: maybe, state: maybe }),
  ticker: maybe,
  assetName: text,
  assetType: maybe,
  side: text,
  amountBucket: text,
  amountRange: object({
    min: { type: 'integer' },
    max: { type: ['integer', 'null'] },
    label: text,
  }),
  tradeDate: maybe,
  disclosedAt: text,
  filingUrl: maybe,
  ownerType: maybe,
  conflictSignal: { type: 'boolean' },
  conflictReason: maybe,
});
const schema = {
  querystring: object({
    ticker: text,
    politician_slug: text,
    chamber: { enum: ['house', 'senate'] },
    since: { type: 'string', format: 'date-time' },
    limit: { type: 'integer', minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT },
    cursor: text,
  }),
  response: { 200: object({ data: { type: 'array', items: TRADE }, nextCursor: maybe }) },
};

pg.types.setTypeParser(pg.types.builtins.DATE, (day) => day);
const pool = new pg.Pool({ max: 10 });
const app = Fastify({ logger: false });

// ---- keys and limits ----

const keys = new Map();

async function findKey(token) {
  const hash = createHash('sha256').update(token).digest();
  const name = hash.toString('base64');
  const now = Date.now();
  let key = keys.get(name);
  if (!key || key.readAt + KEY_MS < now) {
    const { rows } = await pool.query({
      name: 'key',
      text: 'SELECT per_minute, per_month FROM api_keys WHERE hash = $1',
      values: [hash],
    });
    if (!rows.length) return null;
    key = { minute: 0, used: 0, month: 0, usedInMonth: 0, ...key, ...rows[0], readAt: now };
    keys.set(name, key);
  }
  return key;
}

function draw(key, now) {
  const minute = Math.floor(now / MINUTE_MS);
  const month = new Date(now).getUTCMonth();
  if (key.minute !== minute) Object.assign(key, { minute, used: 0 });
  if (key.month !== month) Object.assign(key, { month, usedInMonth: 0 });
  if (key.used >= key.per_minute || key.usedInMonth >= key.per_month) return false;
  key.used++;
  key.usedInMonth++;
  return true;
}

app.addHook('onRequest', async (request, reply) => {
  const { authorization = '' } = request.headers;
  const key = authorization.startsWith('Bearer ') ? await findKey(authorization.slice(7)) : null;
  if (!key) return reply.code(401).send({ error: 'invalid_api_key' });
  const now = Date.now();
  const granted = draw(key, now);
  const reset = (Math.floor(now / MINUTE_MS) + 1) * (MINUTE_MS / 1000);
  reply.headers({
    'X-RateLimit-Limit': key.per_minute,
    'X-RateLimit-Remaining': key.per_minute - key.used,
    'X-RateLimit-Reset': reset,
    'X-Request-Id': request.id,
    'Cache-Control': 'private, no-cache',
    Vary: 'Accept-Encoding, Authorization, X-Api-Key',
    'Access-Control-Allow-Origin': '*',
    'X-Content-Type-Options': 'nosniff',
  });
  if (!granted) {
    const retryAfterSeconds = reset - Math.floor(now / 1000);
    reply.header('Retry-After', retryAfterSeconds);
    return reply.code(429).send({ error: 'rate_limited', retryAfterSeconds });
  }
});

app.addHook('onSend', async (request, reply, body) => {
  if (reply.statusCode !== 200) return body;
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`;
  reply.header('ETag', tag);
  if (request.headers['if-none-match'] !== tag) return body;
  reply.code(304);
  return '';
});

// ---- the page ----

const encodeCursor = (row) =>
  Buffer.from(`${row.disclosed_at.toISOString()} ${row.id}`).toString('base64url');

function decodeCursor(cursor) {
  const [at, id] = Buffer.from(cursor, 'base64url').toString().split(' ');
  return id && !Number.isNaN(Date.parse(at)) ? [at, id] : null;
}

// One statement per set of filters, each prepared once per connection.
function statement(query, after) {
  const where = [];
  const values = [];
  const add = (name, condition, ...of) => {
    where.push(condition(...of.map((value) => `$${values.push(value)}`)));
    return name;
  };
  const names = [
    query.ticker && add('ticker', (v) => `t.ticker = ${v}`, query.ticker.toUpperCase()),
    query.politician_slug && add('slug', (v) => `t.politician_slug = ${v}`, query.politician_slug),
    query.chamber && add('chamber', (v) => `p.chamber = ${v}`, query.chamber),
    query.since && add('since', (v) => `t.disclosed_at >= ${v}`, query.since),
    after && add('after', (at, id) => `(t.disclosed_at, t.id) < (${at}, ${id})`, ...after),
  ];
  values.push(query.limit + 1);
  return {
    name: `page ${names.filter(Boolean).join(' ')}`,
    text: `SELECT t.*, p.name, p.chamber, p.party, p.state
      FROM trades t JOIN politicians p ON p.slug = t.politician_slug
      ${where.length ? `WHERE ${where.join(' AND ')}` : ''}
      ORDER BY t.disclosed_at DESC, t.id DESC LIMIT $${values.length}`,
    values,
  };
}

const tradeOf = (row) => ({
  id: row.id,
  politician: {
    slug: row.politician_slug,
    name: row.name,
    chamber: row.chamber,
    party: row.party,
    state: row.state,
  },
  ticker: row.ticker,
  assetName: row.asset_name,
  assetType: row.asset_type,
  side: row.side,
  amountBucket: row.amount_bucket,
  amountRange: RANGES[row.amount_bucket],
  tradeDate: row.trade_date,
  disclosedAt: row.disclosed_at.toISOString(),
  filingUrl: row.filing_url,
  ownerType: row.owner_type,
  conflictSignal: row.conflict_signal,
  conflictReason: row.conflict_reason,
});

app.get('/api/v1/trades', { schema }, async (request, reply) => {
  const { query } = request;
  const after = query.cursor ? decodeCursor(query.cursor) : null;
  if (query.cursor && !after) return reply.code(400).send({ error: 'invalid_cursor' });
  const { rows } = await pool.query(statement(query, after));
  const more = rows.length > query.limit;
  const shown = more ? rows.slice(0, query.limit) : rows;
  const nextCursor = more ? encodeCursor(shown.at(-1)) : null;
  if (more) {
    const next = new URLSearchParams({ ...query, cursor: nextCursor });
    reply.header('Link', `</api/v1/trades?${next}>; rel="next"`);
  }
  return { data: shown.map(tradeOf), nextCursor };
});

await app.listen({ host: '127.0.0.1', port: 0 });
console.log(app.server.address().port);

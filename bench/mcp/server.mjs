// The tools as a competent engineer writes them with the official SDK, for comparison in
// script/bench: both generations of the protocol, arguments and results validated by the SDK,
// kept connections to the API, progress, cancellation, errors in sentences, lists as tables, no
// more rows than a result has room for. It scans without filters, and has no notes on empty
// results. Names, descriptions and schemas come from a file with the tool list of stockact-mcp, so
// that both list the same. NOTICE is what stockact-mcp says in results of a server whose data is
// invented.
//
//     node server.mjs TOOLS.json NOTICE    SVC_API_URL and SVC_API_KEY as for stockact-mcp
import { readFileSync } from 'node:fs';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Pool } from 'undici';

const PAGE_ROWS = 100;
const PAGES_DEFAULT = 3;
const CONFLICTED_ENOUGH = 100;
const ROWS_SIZE_MAX = 16_000;
const RATE_LOW = 3;
const TIMEOUT_MS = 30_000;

const tools = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const dataNotice = process.argv[3];
const base = new URL(process.env.SVC_API_URL ?? 'http://127.0.0.1:8080');
const key = process.env.SVC_API_KEY;
const pool = new Pool(base.origin, { connections: 8, headersTimeout: TIMEOUT_MS });
const headers = {
  accept: 'application/json',
  'user-agent': 'companion/1',
  ...(key && { authorization: `Bearer ${key}` }),
};

// ---- the API ----

function refusal(status, hint, retryAfter) {
  if (status === 401) return 'The API key was not accepted. Set SVC_API_KEY to an active key.';
  if (status === 404) return 'There is nothing of this name.';
  if (status === 429) return `The rate limit is reached: wait ${retryAfter} seconds.`;
  return `The API answered ${status}. ${hint ?? ''}`.trim();
}

async function ask(path, signal) {
  const target = base.pathname.replace(/\/$/, '') + path;
  const answer = await pool.request({ method: 'GET', path: target, headers, signal });
  const text = await answer.body.text();
  const value = JSON.parse(text);
  if (answer.statusCode !== 200)
    throw new Error(refusal(answer.statusCode, value.hint, answer.headers['retry-after']));
  const left = Number(answer.headers['x-ratelimit-remaining'] ?? Infinity);
  const more = {
    ...(answer.headers['x-data'] && { dataNotice }),
    ...(!key &&
      left <= RATE_LOW && {
        rateLimitWarning: `Only ${left} more requests in this minute's window.`,
      }),
  };
  return { text, value, more };
}

const size = (row) => Buffer.byteLength(JSON.stringify(row));

/** How many rows a result has room for: one at least. */
function rowsThatFit(rows, used = 0) {
  let total = used;
  const over = rows.findIndex((row) => (total += size(row)) > ROWS_SIZE_MAX);
  return over < 0 ? rows.length : over;
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

function cell(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.replace(/[|\x00-\x1f]/g, ' ') : JSON.stringify(value);
}

/** A list as a table, with a line for each row; columns without a value are left out. */
function table({ data, ...others }) {
  const columns = new Map();
  for (const row of data)
    for (const [name, value] of Object.entries(row))
      if (isObject(value))
        for (const [inner, part] of Object.entries(value)) {
          if (part !== null) columns.set(`${name}.${inner}`, (of) => of[name]?.[inner]);
        }
      else if (value !== null) columns.set(name, (of) => of[name]);
  const lines = [[...columns.keys()].join('|') || 'No rows.'];
  for (const row of data) lines.push([...columns.values()].map((of) => cell(of(row))).join('|'));
  for (const [name, value] of Object.entries(others))
    lines.push(`${name}: ${value === null ? 'null' : cell(value)}`);
  return `${lines.join('\n')}\n`;
}

// A value as text and as structured content. more: members to add, usually none. `text` avoids
// serialising an object without them again.
function result(value, more, text) {
  const plain = text && Object.keys(more).length === 0;
  const whole = plain ? value : { ...value, ...more };
  const shown = Array.isArray(whole.data) ? table(whole) : plain ? text : JSON.stringify(whole);
  return { content: [{ type: 'text', text: shown }], structuredContent: whole };
}

// ---- the tools ----

// One request; its response is the result. A list that is too long is asked for again, cut.
function relay(path, inPath) {
  return async (args, { mcpReq }) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(args)) if (name !== inPath) query.set(name, value);
    const place = inPath ? encodeURIComponent(args[inPath]) : '';
    const get = () => ask(`${path}${place}${query.size ? `?${query}` : ''}`, mcpReq.signal);
    let { text, value, more } = await get();
    const rows = Array.isArray(value.data) ? rowsThatFit(value.data) : 0;
    if (rows < (value.data?.length ?? 0)) {
      query.set('limit', Math.max(rows, 1));
      ({ text, value, more } = await get());
    }
    return result(value, more, text);
  };
}

async function conflictedTrades({ cursor, max_pages: total = PAGES_DEFAULT }, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  const get = (limit, after) => {
    const query = new URLSearchParams({ limit, ...(after && { cursor: after }) });
    return ask(`/api/v1/trades?${query}`, mcpReq.signal);
  };
  const data = [];
  let next = cursor;
  let added = {};
  let seen = 0;
  let used = 0;
  let full = false;
  for (let page = 1; page <= total && next !== null && !full; page++) {
    let { value, more } = await get(PAGE_ROWS, next);
    const flagged = value.data.filter(({ conflictSignal }) => conflictSignal);
    const room = Math.min(rowsThatFit(flagged, used), CONFLICTED_ENOUGH - data.length);
    const fit = data.length ? room : Math.max(room, 1);
    if (fit < flagged.length) {
      full = true;
      // Cut behind the last trade that fits: nextCursor then continues right behind it.
      const rows = fit && value.data.indexOf(flagged[fit - 1]) + 1;
      if (!rows) break;
      ({ value, more } = await get(rows, next));
    }
    for (const trade of flagged.slice(0, fit)) used += size(trade) + 1;
    data.push(...flagged.slice(0, fit));
    full ||= data.length === CONFLICTED_ENOUGH;
    next = value.nextCursor;
    seen += value.data.length;
    added = more;
    if (progressToken !== undefined)
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress: page, total },
      });
  }
  const scanned = `Only ${seen} trades were scanned.`;
  const note = `${scanned} everywhere: true searches all trades with a signal.`;
  return result({ data, nextCursor: next, ...(next !== null && { note }) }, added);
}

const handlers = {
  list_trades: relay('/api/v1/trades'),
  get_politician: relay('/api/v1/politicians/', 'slug'),
  get_ticker: relay('/api/v1/tickers/', 'symbol'),
  list_filings: relay('/api/v1/filings'),
  list_corrections: relay('/api/v1/corrections'),
  get_conflicted_trades: conflictedTrades,
  get_trade: relay('/api/v1/trades/', 'id'),
  get_coverage: relay('/api/v1/coverage'),
};

serveStdio(() => {
  const server = new McpServer({ name: 'companion', version: '1.0.0' });
  for (const { name, inputSchema, outputSchema, ...shown } of tools) {
    if (!handlers[name]) continue;
    const schemas = {
      inputSchema: fromJsonSchema(inputSchema),
      outputSchema: fromJsonSchema(outputSchema),
    };
    server.registerTool(name, { ...shown, ...schemas }, handlers[name]);
  }
  server.server.onclose = () => pool.destroy();
  return server;
});

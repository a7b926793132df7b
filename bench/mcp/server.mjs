// The tools as a competent engineer writes them with the official SDK, for comparison in
// script/bench: both generations of the protocol, arguments and results validated by the SDK,
// kept connections to the API, progress, cancellation, errors in sentences. It scans without
// filters, and has no notes on empty results. Names, descriptions and schemas come from a file with
// the tool list of stockact-mcp, so that both list the same. NOTICE is what stockact-mcp says in
// results of a server whose data is invented.
//
//     node server.mjs TOOLS.json NOTICE    SVC_API_URL and SVC_API_KEY as for stockact-mcp
import { readFileSync } from 'node:fs';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Pool } from 'undici';

const PAGE_ROWS = 100;
const PAGES_DEFAULT = 3;
const CONFLICTED_ENOUGH = 100;
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

// The same value as text and as structured content. more: members to add, usually none. `text`
// avoids serialising a value without them again.
function result(value, more, text) {
  const plain = text && Object.keys(more).length === 0;
  const whole = plain ? value : { ...value, ...more };
  return {
    content: [{ type: 'text', text: plain ? text : JSON.stringify(whole) }],
    structuredContent: whole,
  };
}

// ---- the tools ----

// One request; its response is the result.
function relay(path, inPath) {
  return async (args, { mcpReq }) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(args)) if (name !== inPath) query.set(name, value);
    const place = inPath ? encodeURIComponent(args[inPath]) : '';
    const { text, value, more } = await ask(
      `${path}${place}${query.size ? `?${query}` : ''}`,
      mcpReq.signal,
    );
    return result(value, more, text);
  };
}

async function conflictedTrades({ cursor, max_pages: total = PAGES_DEFAULT }, { mcpReq }) {
  const progressToken = mcpReq._meta?.progressToken;
  const data = [];
  let next = cursor;
  let added = {};
  let seen = 0;
  for (let page = 1; page <= total && next !== null && data.length < CONFLICTED_ENOUGH; page++) {
    const query = new URLSearchParams({ limit: PAGE_ROWS, ...(next && { cursor: next }) });
    const { value, more } = await ask(`/api/v1/trades?${query}`, mcpReq.signal);
    for (const trade of value.data) if (trade.conflictSignal) data.push(trade);
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

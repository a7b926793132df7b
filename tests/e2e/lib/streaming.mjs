// A client of GET /api/v1/trades/stream that keeps every event, and an EventSource from npm.

import { strict as assert } from 'node:assert';
import http from 'node:http';
import { EventSource } from 'eventsource';
import { until } from './until.mjs';

export const STREAM = '/api/v1/trades/stream';

const addressOf = (server) => ({ host: server.host, port: server.port });

/** The lines of one event as {event, id, data, retry, comments}. */
function parseBlock(block) {
  const parsed = { comments: 0 };
  for (const line of block.split('\n')) {
    const [, field, value] = /^([a-z]*):(?: (.*))?$/.exec(line) ?? assert.fail(line);
    if (field === '') parsed.comments += 1;
    else parsed[field] = value;
  }
  return parsed;
}

/** One response without an end. */
export class Stream {
  #text = '';
  #request;
  /** The events `trade`: {id, data, trade}. */
  trades = [];
  position = null;
  retries = [];
  comments = 0;
  /** null while open; then 'end' (with its last chunk) or 'cut'. */
  closed = null;

  /** Options: `query`, `key`, `from`, `lastEventId`, `agent`. Any status other than 200 fails. */
  static async open(server, { query = '', key, from, lastEventId } = {}) {
    const stream = new Stream();
    const headers = {};
    if (key) headers.Authorization = `Bearer ${key}`;
    if (lastEventId) headers['Last-Event-ID'] = lastEventId;
    const options = {
      ...addressOf(server),
      path: `${STREAM}${query}`,
      headers,
      localAddress: from,
    };
    await new Promise((resolve, reject) => {
      stream.#request = http.get({ ...options, agent: false }, (response) => {
        stream.response = response;
        response.setEncoding('utf8');
        response.on('data', (text) => stream.#take(text));
        response.on('end', () => (stream.closed ??= 'end'));
        response.on('error', () => (stream.closed ??= 'cut'));
        resolve();
      });
      stream.#request.on('error', (error) => {
        stream.closed ??= 'cut';
        reject(error);
      });
    });
    assert.equal(stream.response.statusCode, 200);
    return stream;
  }

  #take(text) {
    const blocks = (this.#text + text).split('\n\n');
    this.#text = blocks.pop();
    for (const block of blocks) {
      const { event, id, data, retry, comments } = parseBlock(block);
      if (retry) this.retries.push(Number(retry));
      this.comments += comments;
      if (event === 'trade') this.trades.push({ id, data, trade: JSON.parse(data) });
      else if (event === 'position') this.position = { id, ...JSON.parse(data) };
      else assert.equal(event, undefined);
    }
  }

  get ids() {
    return this.trades.map(({ trade }) => trade.id);
  }

  /** Waits until it has this many trades, or has ended. */
  async have(count) {
    await until(`${count} trades in the stream`, () => this.trades.length >= count || this.closed);
    assert.equal(this.trades.length, count);
    return this.ids;
  }

  async untilClosed(how) {
    await until('the stream ends', () => this.closed);
    assert.equal(this.closed, how);
  }

  /** Stops and continues reading from the socket. */
  pause() {
    this.response.pause();
    this.response.socket.pause();
  }

  resume() {
    this.response.socket.resume();
    this.response.resume();
  }

  close() {
    this.#request.destroy();
  }
}

/** An EventSource that collects the ids of trades; close it at the end. Options: `query`, `key`. */
export function openEventSource(server, { query = '', key } = {}) {
  const withKey = (url, init) =>
    fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${key}` } });
  const source = new EventSource(`${server.url}${STREAM}${query}`, key ? { fetch: withKey } : {});
  const seen = { source, ids: [], opened: 0 };
  source.addEventListener('open', () => (seen.opened += 1));
  source.addEventListener('trade', ({ data }) => seen.ids.push(JSON.parse(data).id));
  return seen;
}

/** Publishes `count` filings of invented trades. */
export const publish = (site, count, rows) =>
  site.stockact('demo', '--publish', count, '--rows', rows, '--every', '0ms');

/** The text of each trade of the list, newest first. */
export async function listed(server, { query = '', key } = {}) {
  const rows = [];
  for (let cursor = ''; ;) {
    const target = `/api/v1/trades?limit=100${query}${cursor}`;
    const response = await server.get(target, { key });
    assert.equal(response.status, 200, response.text);
    rows.push(...response.json.data);
    if (response.json.nextCursor === null) return rows;
    cursor = `&cursor=${response.json.nextCursor}`;
  }
}

/** The value of a metric without labels, or with these. */
export async function metric(server, name) {
  const { text } = await server.get('/metrics', { unchecked: true });
  const line = text.split('\n').find((one) => one.startsWith(`stockact_${name} `));
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

// A scripted API: a server whose responses the test defines, byte by byte if necessary, and which
// records the requests of each connection.

import { once } from 'node:events';
import { Receiver } from './receivers.mjs';
import { until } from './until.mjs';

/**
 * A response as bytes. `headers`: pairs or an object; `remaining`: requests left in the caller's
 * minute.
 */
export function reply(
  status,
  body = '',
  { type = 'application/json', headers = {}, remaining } = {},
) {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
  const fields = {
    ...(type === null ? {} : { 'Content-Type': type }),
    ...(remaining === undefined
      ? {}
      : {
          'X-RateLimit-Limit': 10,
          'X-RateLimit-Remaining': remaining,
          'X-RateLimit-Reset': 1_795_000_020,
        }),
    ...headers,
    'Content-Length': bytes.length,
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} X\r\n${head.join('')}\r\n`), bytes]);
}

export const json = (value, options) => reply(200, JSON.stringify(value), options);

/** An error of the API. */
export const refusal = (status, error, { hint, headers, ...more } = {}) =>
  reply(status, JSON.stringify({ error, hint, ...more }), { headers });

export const rateLimited = (seconds) =>
  refusal(429, 'rate_limited', {
    retryAfterSeconds: seconds,
    headers: { 'Retry-After': seconds, 'X-RateLimit-Limit': 10, 'X-RateLimit-Remaining': 0 },
  });

const NO_SAMPLE = {
  from: '2023-04',
  to: '2024-03',
  ...{ checked: 0, wrong: 0, rate: null, low: null, high: null },
  ...{ waiting: 0, undecided: 0, unreadable: 0, skipped: 0, expired: 0, drawnAt: null },
  ...{ documentsCounted: 0, rowsCounted: 0, rowsMissing: 0 },
  ...{ missingPerThousand: null, missingLow: null, missingHigh: null },
  ...{ documentsWaiting: 0, documentsUndecided: 0, documentsSkipped: 0, documentsExpired: 0 },
  ...{ groups: [], months: [], fields: [] },
};

/** The response to get_coverage, if a test does not depend on it. */
export const NOTHING_COVERED = {
  data: null,
  counts: [],
  total: 0,
  review: {
    ...{ row: 0, page: 0, unseen: 0, batch: 0, bulk: 0, unrecorded: 0 },
    ...{ rowSeconds: null, pageSeconds: null, unseenSeconds: null },
  },
  indexes: [],
  newestDocument: null,
  backfills: [],
  sample: NO_SAMPLE,
};

export const coverage = (options) => json({ data: NOTHING_COVERED }, options);

const MEMBERS = ['Ada Vale', 'Bert Hollis', 'Cleo Marsh', 'Dan Rook', 'Eve Thorn'];

/** The nth trade of a feed, newest first; every `conflictEvery`th has a conflict signal. */
export function trade(n, { conflictEvery = 0 } = {}) {
  const name = MEMBERS[n % MEMBERS.length];
  const signal = conflictEvery > 0 && n % conflictEvery === 0;
  return {
    id: `trade-${String(n).padStart(5, '0')}`,
    politician: {
      slug: name.toLowerCase().replace(' ', '-'),
      name,
      chamber: n % 2 ? 'house' : 'senate',
      party: null,
      state: 'VT',
    },
    ticker: 'ACME',
    assetName: 'Acme “Ünited” Corp',
    assetType: null,
    side: 'buy',
    amountBucket: '1k_15k',
    amountRange: { min: 1001, max: 15000, label: '$1,001 – $15,000' },
    tradeDate: '2026-10-01',
    disclosedAt: new Date(Date.UTC(2026, 10, 20) - n * 60_000).toISOString(),
    filingUrl: null,
    ownerType: 'self',
    conflictSignal: signal,
    conflictReason: signal ? 'Invented committee oversees invented industry.' : null,
  };
}

export const trades = (count, options) =>
  Array.from({ length: count }, (_, n) => trade(n, options));

/** One page of `all` as the API pages: `limit` and `cursor` (an offset here) of the request. */
export function page(all, target, options) {
  const query = new URL(target, 'http://x').searchParams;
  const from = Number((query.get('cursor') ?? 'c0').slice(1));
  const to = from + Number(query.get('limit') ?? 25);
  return json(
    { data: all.slice(from, to), nextCursor: to < all.length ? `c${to}` : null },
    options,
  );
}

/** The first response for the first request, and so on; the last one for all further requests. */
export function inTurn(...answers) {
  let next = 0;
  return (socket, request) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    return typeof answer === 'function' ? answer(socket, request) : answer;
  };
}

const isFirstLook = (request) => request.line.includes('/healthz ');

export class FakeApi {
  #receiver;
  #sockets = []; // of the requests, in their order
  #firstLooks = 0; // requests that stockact-mcp sends when it starts; not counted elsewhere

  /**
   * Listens until test `t` ends. `play`: bytes or text to respond with, or a function of (socket,
   * request) that returns them, or that returns null and writes by itself. Options: those of
   * Receiver.
   */
  static async start(t, play = coverage(), options) {
    const api = new FakeApi();
    api.play = play;
    api.#receiver = await Receiver.start(
      t,
      (socket, request) => api.#answer(socket, request),
      options,
    );
    return api;
  }

  get url() {
    const { scheme, host, port } = this.#receiver;
    return `${scheme}://${host}:${port}`;
  }

  get port() {
    return this.#receiver.port;
  }

  get connections() {
    return this.#receiver.connections - this.#firstLooks;
  }

  get requests() {
    return this.#receiver.requests.filter((request) => !isFirstLook(request));
  }

  /** The requested targets, in order. */
  get targets() {
    return this.requests.map(({ line }) => line.split(' ')[1]);
  }

  #answer(socket, request) {
    if (isFirstLook(request)) {
      this.#firstLooks += 1;
      const headers = { Connection: 'close' };
      socket.end(reply(200, '{}', { headers }));
      return null;
    }
    this.#sockets.push(socket);
    const said = typeof this.play === 'function' ? this.play(socket, request) : this.play;
    if (said !== null && said !== undefined) socket.write(said);
    return null;
  }

  /** Resolves to the connection of the `count`th request. */
  asked(count = 1) {
    return until(`${count} requests of the API`, () => this.#sockets[count - 1]);
  }

  /** Stops listening and closes every connection. */
  async close() {
    this.#receiver.close();
    if (this.#receiver.server.listening) await once(this.#receiver.server, 'close');
  }
}

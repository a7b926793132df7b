// A site whose server sends webhooks to this machine: its endpoints, its publications, and the
// states of its deliveries.

import { strict as assert } from 'node:assert';
import { makeSite } from './site.mjs';
import { until } from './until.mjs';

const ENDPOINTS_PER_ACCOUNT = 10; // of the plan den

const PAUSE_MAX_MS = 60_000; // between two attempts at an endpoint that is half open

export const CLOCK = '2026-03-10T12:00:00.000Z';

const single = async ({ database }, sql) =>
  Number(Object.values((await database.query(sql))[0])[0]);

/**
 * Waits until the endpoint has counted `n` failures, one after the other; the clock passes its
 * pauses. The receiver must fail, and `n` deliveries must wait.
 */
export async function untilFailures(site, id, n) {
  const attempts = () => single(site, 'select count(*) from attempt');
  const inFlight = () => single(site, 'select count(*) from delivery where lease_node is not null');
  let before = 0;
  for (let left = 4 * n; left > 0; left--) {
    await until('an attempt fails', async () => (await attempts()) > before);
    await until('none is in flight', async () => (await inFlight()) === 0);
    if ((await single(site, `select failures from endpoint where id = '${id}'`)) >= n) return;
    before = await attempts();
    await site.clock.advance(PAUSE_MAX_MS);
  }
  assert.fail(`the endpoint has not counted ${n} failures`);
}

export class Delivering {
  #account = null;
  #added = 0;

  /** Options of makeSite, and `allow`: networks of STOCKACT_WEBHOOK_ALLOW. */
  static async open(t, { allow = '127.0.0.0/8', env = {}, ...options } = {}) {
    const own = new Delivering();
    const allowed = allow ? { STOCKACT_WEBHOOK_ALLOW: allow } : {};
    own.site = await makeSite(t, { ...options, env: { ...allowed, ...env } });
    await own.site.stockact('demo', '--trades', 20, '--as-of', '2026-03-01');
    return own;
  }

  serve(options) {
    return this.site.serve(options);
  }

  /**
   * Adds an endpoint without checking its URL against the server's settings, and without asking
   * the test's name server: {id, secret}. The server must have run once, because it creates the
   * master key.
   */
  async endpoint(url) {
    if (this.#added++ % ENDPOINTS_PER_ACCOUNT === 0)
      this.#account = await this.site.account({ plan: 'den' });
    const args = ['webhooks', 'add', '--email', this.#account, '--url', url, '--json'];
    const env = {
      STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
      STOCKACT_WEBHOOK_NAME_SERVERS: '127.0.0.1:9',
    };
    const done = await this.site.run(args, { env });
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout);
  }

  /** Publishes `n` invented filings; returns the output of `demo` for each. */
  publish(n = 1, { rows = 1 } = {}) {
    return this.site.stockact('demo', '--publish', n, '--rows', rows);
  }

  /** The deliveries of one endpoint, oldest first. */
  deliveries(endpoint) {
    return this.site.database.query(
      'select d.id, d.state, d.tries, d.attempts, d.due_at - d.created_at as due_in, d.lease_node' +
        ` from delivery d join endpoint e on e.no = d.endpoint_no where e.id = '${endpoint.id}'` +
        ' order by d.no',
    );
  }

  /** Attempts at one endpoint, in the order they began. */
  attempts(endpoint) {
    return this.site.database.query(
      'select a.number, a.started_at, a.status, a.error, a.remote, a.detail, a.retry_after,' +
        ' length(a.answer) as answered from attempt a join delivery d on d.no = a.delivery_no' +
        ` join endpoint e on e.no = d.endpoint_no where e.id = '${endpoint.id}'` +
        ' order by a.started_at, a.delivery_no, a.number',
    );
  }

  async count(sql) {
    const [row] = await this.site.database.query(`select count(*) as n from ${sql}`);
    return Number(row.n);
  }

  untilCount(n, sql, options) {
    return until(`${n} of ${sql}`, async () => (await this.count(sql)) === n, options);
  }

  /** Waits until nothing is in flight and `n` attempts have been made in all. */
  async settled(n, options) {
    await this.untilCount(n, 'attempt', options);
    await this.untilCount(0, 'delivery where lease_node is not null', options);
  }

  /** The same with `n` attempts or more. */
  async settledAtLeast(n) {
    await until(`${n} attempts`, async () => (await this.count('attempt')) >= n);
    await this.untilCount(0, 'delivery where lease_node is not null');
  }

  /** Publishes `n` filings, and lets the endpoint count `n` more failures. */
  async fail(endpoint, n) {
    const { failures } = await this.state(endpoint);
    await this.publish(n);
    await untilFailures(this.site, endpoint.id, Number(failures) + n);
  }

  async state(endpoint) {
    const [row] = await this.site.database.query(
      `select state, failures from endpoint where id = '${endpoint.id}'`,
    );
    return row;
  }
}

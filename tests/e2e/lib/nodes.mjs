// Several servers on one PostgreSQL and one Redis, with a chaos proxy between each server and each
// engine, and HAProxy in front. All of it is real and ends with the test.

import { Writing } from './acknowledged.mjs';
import { Asking } from './asking.mjs';
import { Balancer } from './balancer.mjs';
import { ChaosProxy } from './chaos.mjs';
import { makePostgresDatabase, postgresSocket } from './database.mjs';
import { freePort } from './ports.mjs';
import { Cluster, FOLLOWED } from './postgres.mjs';
import { PATIENT, REFUSE, Redis } from './redis.mjs';
import { Site } from './site.mjs';
import { until } from './until.mjs';

/** A server: `server` (lib/server.mjs), `postgres` and `redis` (its chaos proxies), `listen`. */
class Node {
  constructor(nodes, parts) {
    this.nodes = nodes;
    Object.assign(this, parts);
  }

  /** Starts it, again on the same port. `more`: added to its settings this time. */
  async start(more = {}) {
    const { listen, env } = this;
    this.server = await this.nodes.site.serve({ listen, env: { ...env, ...more } });
    return this.server;
  }

  get log() {
    return this.server.log;
  }

  /** One way for both of its connections to PostgreSQL: `node.toPostgres('slow', 50)`. */
  toPostgres(way, ...args) {
    for (const proxy of this.postgres) proxy[way](...args);
  }

  toRedis(way, ...args) {
    for (const proxy of this.redis) proxy[way](...args);
  }
}

export class Nodes {
  nodes = [];
  #clients = [];
  #others = [];

  /** What ends with the test: what started last ends first. */
  async own(starting) {
    const one = await starting;
    this.#others.unshift(one);
    return one;
  }

  /** The site's servers need their engines until they have stopped. */
  async end() {
    await Promise.allSettled(this.#clients.map((one) => one.stop()));
    this.toPostgres('pass');
    this.toRedis('pass');
    for (const { server } of this.nodes) if (server?.frozen) server.thaw();
    try {
      await this.site?.close();
    } finally {
      for (const one of this.#others) await one.stop();
    }
  }

  /**
   * A PostgreSQL of the test's own: `primary`, and `standby` if it is followed. A commit then waits
   * for the standby. Options of `own`: `standby` (true), and those of Cluster.start.
   */
  async #ownPostgres({ standby = false, settings = {}, ...options }) {
    const all = { settings: { ...FOLLOWED, ...settings }, ...options };
    this.primary = await this.own(Cluster.start(all));
    this.clusters = [this.primary];
    this.database = await makePostgresDatabase((name) => this.primary.url(name));
    if (!standby) return;
    this.standby = await this.own(this.primary.startStandby());
    this.clusters.push(this.standby);
    await this.primary.waitForStandby();
    const hosts = this.clusters.map(({ folder }) => encodeURIComponent(folder)).join(',');
    this.database.url = this.#urlOf(hosts);
  }

  /** With several hosts, clients look for the one that accepts writes. */
  #urlOf(hosts) {
    const which = hosts.includes(',') ? '?target_session_attrs=read-write' : '';
    return `postgresql://tests@${hosts}/${this.database.name}${which}`;
  }

  async #node() {
    const proxy = (where) => this.own(ChaosProxy.start(where));
    const places = this.clusters?.map(({ where }) => where) ?? [await postgresSocket()];
    const postgres = await Promise.all(places.map(proxy));
    const redis = this.redis ? [await proxy(this.redis.where)] : [];
    const hosts = postgres.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const env = { STOCKACT_DATABASE: this.#urlOf(hosts) };
    if (this.redis)
      Object.assign(env, { STOCKACT_REDIS: `redis://127.0.0.1:${redis[0].port}` }, REFUSE);
    if (this.redis && this.patient) Object.assign(env, PATIENT);
    const node = new Node(this, {
      postgres,
      redis,
      env,
      listen: `127.0.0.1:${await freePort()}`,
    });
    this.nodes.push(node);
    return node;
  }

  /** Starts them for test `t`, with whose end they end. */
  static async start(t, options) {
    const all = new Nodes();
    t.after(() => all.end());
    return all.open(options);
  }

  /**
   * Starts them until `end`. Options: `count` (3); `own`: a PostgreSQL of the test's own, see
   * above (without it, a database in the run's cluster); `redis`: its program, or null; `redisSettings`;
   * `patient` (true): servers wait for its answers for longer than users would;
   * `balanced` (true): HAProxy in front, at `where`, with `patience`; `nodeEnv(index)`: more settings of one server;
   * those of makeSite (`clock`, `env`). `prepare(site)` runs before the first server starts.
   */
  async open({
    count = 3,
    own,
    redis = 'redis-server',
    redisSettings = [],
    patient = true,
    balanced = true,
    patience,
    nodeEnv = () => ({}),
    prepare = () => {},
    env = {},
    ...options
  } = {}) {
    this.patient = patient;
    if (own) await this.#ownPostgres(own);
    const settings = { database: this.database ?? 'postgresql', ...options };
    settings.env = { STOCKACT_TRUSTED_PROXIES: '127.0.0.1/32', ...env };
    this.site = await Site.open(settings);
    this.database = this.site.database;
    if (redis)
      this.redis = await this.own(Redis.start({ program: redis, settings: redisSettings }));
    await prepare(this.site);
    for (let i = 0; i < count; i++) Object.assign((await this.#node()).env, nodeEnv(i));
    await Promise.all(this.nodes.map((node) => node.start()));
    if (balanced) {
      const listens = this.nodes.map(({ listen }) => listen);
      this.balancer = await this.own(Balancer.start(listens, { patience }));
      this.where = this.balancer.where;
    }
    return this;
  }

  /** Clients that keep asking through the balancer, or `where`; see lib/asking.mjs. */
  ask({ where = this.where, ...options }) {
    const asking = new Asking(where, options);
    this.#clients.push(asking);
    return asking;
  }

  /** Commands that keep writing; see lib/acknowledged.mjs. */
  write(options) {
    const writing = new Writing(this.site, options);
    this.#clients.push(writing);
    return writing;
  }

  get servers() {
    return this.nodes.map(({ server }) => server);
  }

  toPostgres(way, ...args) {
    for (const node of this.nodes) node.toPostgres(way, ...args);
  }

  toRedis(way, ...args) {
    for (const node of this.nodes) node.toRedis(way, ...args);
  }

  /** Waits for what a failure does to all servers. */
  until(what, probe) {
    return until(what, probe).catch((error) => {
      throw new Error(
        `${error.message}\n${this.servers.map(({ log }) => log.slice(-2000)).join('\n')}`,
      );
    });
  }

  /** Waits until the logs of all servers, or of these, have `pattern`. */
  async allLog(pattern, { servers = this.servers, ...options } = {}) {
    const what = `all servers log ${pattern}`;
    await until(what, () => servers.every(({ log }) => pattern.test(log)), options);
  }
}

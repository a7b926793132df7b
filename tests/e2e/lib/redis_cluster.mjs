// A test's own Redis Cluster on free loopback ports: masters that share the slots, and a replica of
// each if asked for. A lost node takes only its own slots away.

import { ChaosProxy } from './chaos.mjs';
import { freePort } from './ports.mjs';
import { Redis } from './redis.mjs';
import { until } from './until.mjs';

const SLOTS = 16384;
// Until the others take a silent node for lost: one that is alive must not be silent for so long.
const TIMEOUT_MS = 3000;

export class RedisCluster {
  masters = [];
  replicas = [];

  /**
   * Options: `masters`; `replicas` (true: one of each master); `users` and `tls`, see redis.mjs
   * (`tls(i)`: the files of one node); `apart` (true): `cutOff` can part a node from the others. Give
   * `stop` to `t.after`.
   */
  static async start({ masters = 3, replicas = false, apart = false, users = [], tls } = {}) {
    const cluster = new RedisCluster();
    Object.assign(cluster, { users, tls, apart });
    for (let i = 0; i < masters; i++) cluster.masters.push(await cluster.#node());
    if (replicas) for (let i = 0; i < masters; i++) cluster.replicas.push(await cluster.#node());
    await cluster.#join();
    return cluster;
  }

  get nodes() {
    return [...this.masters, ...this.replicas];
  }

  /** The address of all its masters. */
  get url() {
    return `${this.tls ? 'rediss' : 'redis'}://${this.masters.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  }

  /** Proxies of a node, through which the other nodes reach it, and settings that say so. */
  async #announced(port, bus) {
    if (!this.apart) return { proxies: [], settings: [], announced: bus };
    const start = (to) => ChaosProxy.start({ host: '127.0.0.1', port: to });
    const proxies = [await start(port), await start(bus)];
    const address = `127.0.1.${1 + this.nodes.length}`;
    const settings = [
      `bind-source-addr ${address}`,
      'cluster-announce-ip 127.0.0.1',
      `cluster-announce-port ${proxies[0].port}`,
      `cluster-announce-bus-port ${proxies[1].port}`,
    ];
    return { address, proxies, settings, announced: proxies[1].port };
  }

  async #node() {
    const [port, bus] = [await freePort(), await freePort()];
    const { settings: own, ...parts } = await this.#announced(port, bus);
    const tls = this.tls?.(this.nodes.length);
    const settings = [
      ...own,
      ...(tls ? ['tls-cluster yes', 'tls-replication yes'] : []),
      'cluster-enabled yes',
      `cluster-port ${bus}`,
      `cluster-node-timeout ${TIMEOUT_MS}`,
      'cluster-require-full-coverage no',
      'cluster-replica-validity-factor 0',
      'cluster-replica-no-failover yes', // until `promoted`
      'repl-diskless-sync-delay 0',
    ];
    const node = await Redis.start({ port, tls, settings, users: this.users });
    return Object.assign(node, parts);
  }

  async #join() {
    const share = Math.ceil(SLOTS / this.masters.length);
    for (const [i, master] of this.masters.entries()) {
      const end = Math.min(SLOTS, (i + 1) * share) - 1;
      await master.command('CLUSTER', 'ADDSLOTSRANGE', i * share, end);
      await master.command('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
    }
    for (const node of this.nodes.slice(1))
      await node.command(
        'CLUSTER',
        'MEET',
        '127.0.0.1',
        this.masters[0].port,
        this.masters[0].announced,
      );
    await this.#all('knows all nodes', async (node) => {
      const info = await node.command('CLUSTER', 'INFO');
      return info.includes(`cluster_known_nodes:${this.nodes.length}`) && info.includes('state:ok');
    });
    for (const [i, replica] of this.replicas.entries())
      await replica.command('CLUSTER', 'REPLICATE', await this.id(this.masters[i]));
    for (const replica of this.replicas)
      await until('a replica follows', async () =>
        (await replica.command('INFO', 'replication')).includes('master_link_status:up'),
      );
  }

  async #all(what, probe) {
    for (const node of this.nodes) await until(`each node ${what}`, () => probe(node));
  }

  id(node) {
    return node.command('CLUSTER', 'MYID');
  }

  /** The master that serves the slot of `key`. */
  async masterOf(key) {
    const slot = Number(await this.masters[0].command('CLUSTER', 'KEYSLOT', key));
    const share = Math.ceil(SLOTS / this.masters.length);
    return { slot, index: Math.floor(slot / share) };
  }

  /** Moves a slot with its keys, one after the other. `half()` is called in the middle. */
  async move(slot, from, to, half = async () => {}) {
    const [fromId, toId] = [await this.id(from), await this.id(to)];
    await to.command('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId);
    await from.command('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId);
    const keys = (await from.command('CLUSTER', 'GETKEYSINSLOT', slot, 1000)).split('\n');
    for (const key of keys.filter(Boolean)) {
      await from.command('MIGRATE', '127.0.0.1', to.port, key, 0, 5000);
      await half();
    }
    for (const node of [to, from]) await node.command('CLUSTER', 'SETSLOT', slot, 'NODE', toId);
  }

  /** Lets the replica of a lost master take its place, and waits until it has. */
  async promoted(index) {
    const replica = this.replicas[index];
    await replica.command('CONFIG', 'SET', 'cluster-replica-no-failover', 'no');
    await until('the replica is a master', async () =>
      (await replica.command('ROLE')).startsWith('master'),
    );
  }

  /** Parts a node from all others, but not from servers. */
  cutOff(node) {
    for (const one of this.nodes)
      for (const proxy of one.proxies) one === node ? proxy.cut() : proxy.refuse(node.address);
  }

  /** Ends that. */
  rejoin(node) {
    for (const one of this.nodes)
      for (const proxy of one.proxies) one === node ? proxy.pass() : proxy.admit(node.address);
  }

  async stop() {
    for (const node of this.nodes) for (const proxy of node.proxies) proxy.stop();
    for (const node of this.nodes) await node.stop();
  }
}

// A site whose servers count in a Redis Cluster, and what its callers are granted.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import { NOON } from './limited_site.mjs';
import { Authority } from './receivers.mjs';
import { PATIENT, REFUSE } from './redis.mjs';
import { RedisCluster } from './redis_cluster.mjs';
import { makeSite } from './site.mjs';
import { until } from './until.mjs';

const TARGET = '/api/v1/filings';
export const LIMIT = 60; // of the plan pack, in a minute
export const MINUTE = 60_000;
// As in deploy/README.md.
const RIGHTS = '+evalsha +script|load +time +select +get +set +decr +asking +cluster|myid';

/** Files {cert, key, ca} of a certificate for `host`. */
async function certificateFiles(authority, host) {
  await authority.certificate(host);
  const file = (end) => path.join(authority.folder, `${host}.${end}`);
  return { cert: file('crt'), key: file('key'), ca: authority.file };
}

/** A site whose servers count in a Redis Cluster. Options: those of RedisCluster.start; `servers` and `keys`, how many; `url(cluster)`, what the
 *  servers get; `hosts`, for which the nodes have certificates (without them: no TLS). */
export async function start(t, { servers = 2, keys = 1, url, hosts, ...options } = {}) {
  const site = await makeSite(t, { database: 'postgresql', clock: NOON });
  const own = { site, servers: [], keys: [], env: { ...PATIENT } };
  const users = [`limits on >open ~stockact:* ${RIGHTS}`];
  const files = [];
  if (hosts) {
    const authority = await Authority.make(site.folder);
    own.env.STOCKACT_REDIS_CA_FILE = authority.file;
    for (const host of hosts) files.push(await certificateFiles(authority, host));
    options.tls = (i) => files[i];
  }
  own.cluster = await RedisCluster.start({ users, ...options });
  t.after(() => own.cluster.stop());
  own.address = (from) => from.replace('://', '://limits:open@');
  Object.assign(own.env, REFUSE);
  own.env.STOCKACT_REDIS = own.address((await url?.(own.cluster)) ?? own.cluster.url);
  for (let i = 0; i < keys; i++) own.keys.push(await site.key({ plan: 'pack' }));
  for (let i = 0; i < servers; i++) own.servers.push(await site.serve({ env: own.env }));
  for (const server of own.servers) await connected(server, own.keys);
  await site.clock.advance(MINUTE);
  return own;
}

/** Waits until one of the keys is served: a node may be lost. */
export const connected = (server, keys) =>
  until('Redis is connected', async () => {
    const told = await Promise.all(keys.map((key) => status(server, { key })));
    return told.some((one) => one !== 503);
  });

/** The index of each key's master. */
export async function placesOf({ site, cluster }) {
  const places = [];
  for (const { no } of await site.database.query('SELECT no FROM api_key ORDER BY no'))
    places.push((await cluster.masterOf(`{k${no}}`)).index);
  return places;
}

/** The address of one node; the others are found. */
export const firstOf = ({ url }) => url.split(',')[0];

export const status = async (server, options) =>
  (await server.get(TARGET, { unchecked: true, ...options })).status;

/** Sends requests of each caller through all servers at once; the granted ones of each. */
export async function granted({ servers }, callers, count = LIMIT + 30) {
  const counts = callers.map(() => ({}));
  const lane = async (server, i, n) => {
    for (let k = 0; k < n; k++) {
      const told = await status(server, callers[i]);
      counts[i][told] = (counts[i][told] ?? 0) + 1;
    }
  };
  const each = Math.ceil(count / servers.length / 3);
  await Promise.all(
    servers.flatMap((server) =>
      callers.flatMap((_, i) => Array.from({ length: 3 }, () => lane(server, i, each))),
    ),
  );
  return counts;
}

/** A 503 of a busy machine may have been counted. */
export function assertExactly(count, limit, ...told) {
  const unsure = told.reduce((sum, one) => sum + (one[503] ?? 0), 0);
  assert.ok(
    count <= limit && count >= limit - unsure,
    `${count} of ${limit}: ${JSON.stringify(told)}`,
  );
}

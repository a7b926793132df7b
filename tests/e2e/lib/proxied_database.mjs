// A chaos proxy in front of one PostgreSQL database of the tests' cluster.

import { ChaosProxy } from './chaos.mjs';
import { postgresSocket } from './database.mjs';
import { until } from './until.mjs';

/** {proxy, url}: the database's address through it. */
export async function makeProxied(t, database) {
  const proxy = await ChaosProxy.start(await postgresSocket());
  t.after(() => proxy.stop());
  return { proxy, url: `postgresql://tests@127.0.0.1:${proxy.port}/${database.name}` };
}

/** Waits until PostgreSQL has noticed that the programs on this database are gone. */
export const noClients = (database) =>
  until('their transactions are rolled back', async () => {
    const [{ n }] = await database.query(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'stockact'" +
        ' AND datname = current_database()',
    );
    return Number(n) === 0;
  });

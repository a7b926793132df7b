// Three servers on a PostgreSQL that is silent (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { assertPromise } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';
import { rises, Said, WITHOUT_POSTGRESQL } from './lib/said.mjs';

const MEMORY = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const REFUSED = '503 service_unavailable';
const HEAL_MS = 5000;
const DEADLINE_MS = 10_000; // of a request that waits for the database
const SPARE_MS = 500;

const prepare = (site) => site.stockact('demo', '--trades', 20);
const env = { STOCKACT_BENCH_UNLIMITED: '1' };

describe('three servers on a PostgreSQL that does not work', { skip: noBalancer }, () => {
  test('PostgreSQL accepts connections and says nothing', async (t) => {
    const all = await Nodes.start(t, { env, prepare });
    const key = await all.site.key({ plan: 'den' });
    const lists = all.ask({ key, targets: [MEMORY] });
    const stored = all.ask({ key, targets: [STORE], lanes: 12 });
    await stored.more(30);
    const writing = all.write({ env: all.nodes[0].env, pauseMs: 100 });
    await writing.more(2);
    const said = await Said.by(all.servers);
    const from = performance.now();
    all.toPostgres('swallow');
    const refusal = writing.refusal();
    await said.metrics({ database_up: 0, feed_lag_seconds: rises, store_errors_total: rises });
    await refusal;
    await stored.more(12); // each worker has waited once
    const known = performance.now();
    await stored.more(60);
    assertPromise(t, 'the slowest from the database', stored.slowest(from), DEADLINE_MS + SPARE_MS);
    assert.deepEqual(Object.keys(stored.told(known)), [REFUSED]);
    assert.deepEqual(Object.keys(lists.told(from)), ['200']);
    assertPromise(t, 'the slowest from memory', lists.slowest(from), SPARE_MS);
    const ended = performance.now();
    all.toPostgres('pass');
    const healed = await stored.well(ended);
    assertPromise(t, 'whole after the end', healed, HEAL_MS);
    await said.metrics({ database_up: 1, feed_lag_seconds: 0 });
    said.events(WITHOUT_POSTGRESQL);
    await writing.more(1);
    await writing.stop();
    assert.deepEqual(Object.keys(writing.refused), ['service_unavailable']);
    assert.deepEqual(await writing.lost(), []);
    t.diagnostic(
      `whole ${Math.round(healed)} ms after the end; slowest ${Math.round(stored.slowest(from))} ms, ` +
        `${Math.round(stored.slowest(known))} ms later; ${JSON.stringify(stored.told(from))}`,
    );
  });
});

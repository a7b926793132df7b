// Three servers behind a balancer, of which one fails (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { Nodes } from './lib/nodes.mjs';
import { Said } from './lib/said.mjs';
import { samples } from './lib/samples.mjs';
import { until } from './lib/until.mjs';

const TARGET = '/api/v1/trades?limit=1';

describe('three servers, of which one fails', { skip: noBalancer }, () => {
  test('the servers are restarted one after the other behind the balancer', async (t) => {
    const all = await Nodes.start(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const key = await all.site.key({ plan: 'den' });
    const asking = all.ask({ key });
    const writing = all.write();
    await asking.more(50);
    const said = await Said.by(all.servers);
    const [{ server: first }] = all.nodes;
    for (const node of all.nodes) {
      await node.server.stop();
      await asking.more(50);
      await node.start();
      await asking.more(50);
    }
    said.events({}); // of the servers that stopped
    assert.match(first.log, /event=stopping|event=stopped|event=draining/);
    const started = await Promise.all(all.servers.map((one) => samples(one)));
    for (const one of started) assert.equal(one['stockact_nodes{state="silent"}'], 0);
    await writing.stop();
    const told = await asking.stop();
    assert.deepEqual(Object.keys(told), ['200']);
    assert.deepEqual(writing.refused, {});
    assert.deepEqual(await writing.lost(), []);
    t.diagnostic(`${told['200']} requests; slowest ${Math.round(asking.slowest())} ms`);
  });

  test('a server is killed', async (t) => {
    const all = await Nodes.start(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const key = await all.site.key({ plan: 'den' });
    const asking = all.ask({ key, lanes: 8 });
    const writing = all.write();
    await asking.more(50);
    const others = all.servers.slice(1);
    const said = await Said.by(others);
    const killed = performance.now();
    await all.servers[0].kill();
    const healed = await asking.well(killed, 50);
    await writing.more(2);
    await writing.stop();
    const told = asking.told(killed);
    t.diagnostic(`whole ${Math.round(healed)} ms after the kill; ${JSON.stringify(told)}`);
    for (const one of Object.keys(told))
      assert.ok(['200', '502 without a word'].includes(one), one);
    assert.ok((told['502 without a word'] ?? 0) <= 8, 'only requests in flight are lost');
    assert.deepEqual(writing.refused, {});
    assert.deepEqual(await writing.lost(), []);
    await said.metrics({ 'nodes{state="silent"}': 1, 'nodes{state="running"}': 2 });
    said.events({});
    await all.nodes[0].start();
    await until('it gets requests again', async () => {
      await asking.more(10);
      return (await all.servers[0].get(TARGET, { key })).status === 200;
    });
  });
});

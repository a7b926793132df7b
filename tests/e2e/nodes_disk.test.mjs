// Three servers on a PostgreSQL whose disk is full (docs/reliability.md, "Several servers").

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noBalancer } from './lib/balancer.mjs';
import { run } from './lib/child.mjs';
import { Nodes } from './lib/nodes.mjs';
import { any, Said, WITHOUT_POSTGRESQL } from './lib/said.mjs';

const MEMORY = '/api/v1/trades?limit=1';
const STORE = '/api/v1/corrections?limit=1';
const LOST = 'store does not answer, serving from memory';
const DISK_MIB = 128;

/** A disk of its own for a PostgreSQL; null if this machine lets nobody mount one. */
async function smallDisk(t) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-disk-'));
  const env = { PATH: process.env.PATH };
  const made = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'none', folder], {
    env,
  });
  t.after(async () => {
    if (made.code === 0) await run('umount', ['-l', folder], { env });
    rmdirSync(folder);
  });
  return made.code === 0 ? folder : null;
}

const prepare = (site) => site.stockact('demo', '--trades', 20);
const env = { STOCKACT_BENCH_UNLIMITED: '1' };

describe('three servers on a PostgreSQL with a full disk', { skip: noBalancer }, () => {
  test('the disk of PostgreSQL is full', async (t) => {
    const folder = await smallDisk(t);
    if (!folder) return t.skip('this machine lets nobody mount a disk');
    const settings = { max_wal_size: '32MB', min_wal_size: '32MB' };
    const all = await Nodes.start(t, { env, prepare, own: { folder, settings } });
    const key = await all.site.key({ plan: 'den' });
    const lists = all.ask({ key, targets: [MEMORY, STORE] });
    const writing = all.write();
    await writing.more(3);
    const filler = path.join(folder, 'filler');
    const said = await Said.by(all.servers);
    const from = performance.now();
    await run('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k'], {
      env: { PATH: process.env.PATH },
    });
    await all.until('writes are refused', () => Object.keys(writing.refused).length > 0);
    await lists.more(50);
    await said.metrics({ database_up: 1 }); // it answers reads
    const ended = performance.now();
    rmSync(filler);
    await writing.more(2);
    const healed = performance.now() - ended;
    await lists.well(ended);
    await writing.stop();
    await said.metrics({ database_up: 1, feed_lag_seconds: 0 });
    said.events({ ...WITHOUT_POSTGRESQL, [LOST]: any });
    t.diagnostic(
      `writes again ${Math.round(healed)} ms after the end; refused: ${JSON.stringify(writing.refused)}; ` +
        JSON.stringify(lists.told(from)),
    );
    assert.deepEqual(Object.keys(lists.told(from, MEMORY)), ['200']);
    assert.deepEqual(Object.keys(writing.refused), ['service_unavailable']);
    assert.deepEqual(await writing.lost(), []);
  });
});

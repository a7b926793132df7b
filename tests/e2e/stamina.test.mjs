// Good clients with misbehaving ones, many idle clients, no descriptors, SIGTERM under load: short
// versions of the runs of `script/soak stamina`.

import test, { describe } from 'node:test';
import { instrumented } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import * as stamina from './lib/stamina.mjs';

const few = instrumented ? 4 : 1; // so many times fewer clients and requests

async function prepared(t) {
  const site = await makeSite(t, { env: stamina.unlimited });
  return [site, await stamina.prepareStamina(site)];
}

describe('stamina', { concurrency: true }, () => {
  test('misbehaving clients are timed out, reset and rejected; good clients get complete responses', async (t) => {
    const load = {
      seconds: 13,
      good: 32,
      rate: 600 / few,
      fresh: 40 / few,
      idle: 80 / few,
      slowHead: 200 / few,
      slowRead: 40 / few,
      slowBody: 80 / few,
      malformed: 60 / few,
      reset: 40 / few,
    };
    await stamina.besideNeighbours(...(await prepared(t)), { load, p99Ms: 2000 });
  });

  test('an idle connection costs at most 8 KiB', async (t) => {
    await stamina.manyIdle(...(await prepared(t)), {
      idle: 3000 / few,
      good: 100 / few,
      rate: 400 / few,
      seconds: 4,
      bytesEach: instrumented ? 64 * 1024 : 8 * 1024, // a sanitizer keeps what was freed
    });
  });

  test('a server with few descriptors limits its connections without spinning', async (t) => {
    await stamina.fewDescriptors(...(await prepared(t)), {
      limit: 128, // its own are about 60, and connections get half
      hungry: 100,
      seconds: 4,
      busy: 0.5,
    });
  });

  test('without a free descriptor clients wait or are turned away, without spinning', async (t) => {
    await stamina.noDescriptors(...(await prepared(t)), { hungry: 60, seconds: 4, busy: 0.5 });
  });

  test('clients that read nothing are reset after 11 s, even if the kernel buffered the whole response', async (t) => {
    await stamina.unreadAreCut(...(await prepared(t)), { clients: 20, seconds: 14 });
  });

  test('waves of clients that read nothing leave no memory behind', async (t) => {
    await stamina.unreadWaves(...(await prepared(t)), {
      waves: 3,
      clients: 1500 / few,
      asks: 16,
      seconds: 4,
      growthBytes: (instrumented ? 256 : 16) * 1024 * 1024, // a sanitizer keeps what was freed
    });
  });

  test('replies over the memory limit are reset while others are served', async (t) => {
    await stamina.unreadOverLimit(...(await prepared(t)), { clients: 200, seconds: 4, mib: 1 });
  });

  test('connections over their limit are closed', async (t) => {
    await stamina.connectionsOverLimit(...(await prepared(t)), { limit: 20, hungry: 30 });
  });

  test('SIGTERM under load loses no accepted request', async (t) => {
    await stamina.stopUnderLoad(...(await prepared(t)), {
      rounds: 3,
      load: { good: 32, rate: 800 / few, fresh: 200 / few, seconds: 30 },
    });
  });
});

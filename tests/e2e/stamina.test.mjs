// Good clients with misbehaving ones, many idle clients, no descriptors, SIGTERM under load: short
// versions of the runs of `script/soak stamina`.

import test, { describe } from 'node:test';
import { assertPromise } from './lib/measured.mjs';
import { instrumented } from './lib/settings.mjs';
import { withoutDescriptors } from './lib/proc.mjs';
import { makeSite } from './lib/site.mjs';
import * as stamina from './lib/stamina.mjs';

const few = instrumented ? 4 : 1; // so many times fewer clients and requests
const OWN = 500; // descriptors of a program beside those of its idle or unread clients

async function prepared(t) {
  const site = await makeSite(t, { env: stamina.unlimited });
  return [site, await stamina.prepareStamina(site)];
}

describe('stamina', { concurrency: true }, () => {
  test('misbehaving clients are timed out, reset and rejected; good clients get complete responses', async (t) => {
    const load = {
      seconds: 10,
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
    await stamina.besideNeighbours(...(await prepared(t)), { load });
  });

  const idle = 3000 / few;
  const unread = 1500 / few;

  test(
    'an idle connection costs at most 8 KiB',
    { skip: withoutDescriptors(idle + OWN) },
    async (t) => {
      await stamina.manyIdle(...(await prepared(t)), {
        idle,
        good: 100 / few,
        rate: 400 / few,
        seconds: 4,
        bytesEach: instrumented ? 64 * 1024 : 8 * 1024, // a sanitizer keeps what was freed
      });
    },
  );

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
    await stamina.unreadAreCut(...(await prepared(t)), { clients: 20 });
  });

  const skip = withoutDescriptors(unread + OWN);
  test('waves of clients that read nothing leave no memory behind', { skip }, async (t) => {
    await stamina.unreadWaves(...(await prepared(t)), {
      waves: 3,
      clients: unread,
      asks: 16,
      seconds: 4,
      growthBytes: (instrumented ? 256 : 16) * 1024 * 1024, // a sanitizer keeps what was freed
    });
  });

  test('replies over the memory limit are reset while others are served', async (t) => {
    await stamina.unreadOverLimit(...(await prepared(t)), { mib: 1, share: 1.5 });
  });

  test('connections over their limit are closed', async (t) => {
    await stamina.connectionsOverLimit(...(await prepared(t)), { limit: 20, hungry: 30 });
  });

  test('SIGTERM under load loses no accepted request', async (t) => {
    const { maxMs } = await stamina.stopUnderLoad(...(await prepared(t)), {
      rounds: 3,
      load: { good: 32, rate: 800 / few, fresh: 200 / few, seconds: 30 },
    });
    assertPromise(t, 'exit 0', maxMs, 12_000);
  });
});

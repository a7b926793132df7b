// The whole corpus of malformed and unusual requests against the running program (RFC 9112;
// decisions 17, 18, 24), sent at once and byte by byte. Each has the result that the corpus
// specifies, and the server serves good callers meanwhile.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { addressOf, converse, corpus, inParallel, outcomeOf } from './lib/corpus.mjs';
import { useSite } from './lib/site.mjs';

describe('every request of the corpus has its expected result', () => {
  const shared = useSite({ env: { STOCKACT_BENCH_UNLIMITED: '1' } }, async (site) => ({
    server: await site.serve(),
  }));
  const cases = corpus();

  for (const bytewise of [false, true]) {
    test(bytewise ? 'byte by byte' : 'at once', async () => {
      const { host, port } = shared.server;
      const wrong = [];
      await inParallel(cases, async ({ name, bytes, outcome }, index) => {
        const options = { from: addressOf(index), bytewise };
        const got = outcomeOf(await converse({ host, port }, bytes, options));
        if (got !== outcome) wrong.push(`${name}: "${got}" and not "${outcome}"`);
      });
      assert.deepEqual(wrong, []);
      const after = await shared.server.get('/api/v1/trades?limit=1');
      assert.equal(after.status, 200);
    });
  }
});

// GET /api/v1/filings/{id}: a filing that is withdrawn and reinstated.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { OpenApi } from './lib/openapi.mjs';
import { REVIEWER } from './lib/reviewer.mjs';
import { makeSite } from './lib/site.mjs';

test('a withdrawn filing and its trades say when and why, until they are reinstated', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 40, '--as-of', '2026-02-01');
  const server = await site.serve();
  const api = await OpenApi.load(server);
  const get = async (target) => {
    const response = await server.get(target);
    api.check('GET', target, response);
    return response;
  };
  const [{ id }] = (await get('/api/v1/filings?limit=1')).json.data;
  const before = (await get(`/api/v1/filings/${id}`)).json.data;
  assert.ok(before.trades.length > 0);
  assert.equal(before.source.corrections, 0);
  const because = (reason) => [id, '--by', REVIEWER, '--reason', reason];
  await site.clock.advance(60_000);
  await site.stockact('withdraw', ...because('Filed by a namesake.'));
  for (const target of [`/api/v1/filings/${id}`, `/api/v1/trades/${before.trades[0].id}`]) {
    const { status, json } = await get(target);
    assert.deepEqual([status, json.error, json.reason], [410, 'gone', 'Filed by a namesake.']);
    assert.equal(json.withdrawnAt, '2026-03-10T12:01:00.000Z');
  }
  await site.stockact('reinstate', ...because('By the member.'));
  const { source, ...rest } = (await get(`/api/v1/filings/${id}`)).json.data;
  const { source: earlier, ...same } = before;
  assert.deepEqual(rest, same);
  const corrections = 2 * (1 + before.trades.length); // of the filing and of each trade
  assert.deepEqual(source, { ...earlier, corrections });
});

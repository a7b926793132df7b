// An account sends at most 60 forms in a minute, whatever they are for.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { withSession } from './lib/sessions.mjs';
import { makeSite } from './lib/site.mjs';

const PER_MINUTE = 60;

test('the sixty-first form of an account in a minute is refused, on pages and in JSON', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-15T12:00:30.000Z' });
  const { email, id } = await site.mint({ plan: 'pack', name: 'screener' });
  const server = await site.serve();
  const visitor = await withSession(site, server, email);
  const other = await withSession(site, server, email); // a second session of the same account
  const path = `/account/keys/${id}`;
  const { csrf } = await visitor.json(path);
  const rename = (name) => visitor.postJson(path, { name }, { csrf });
  for (let i = 0; i < PER_MINUTE; i++) assert.equal((await rename(`n${i}`)).status, 200);

  const refused = await rename('one too many');
  assert.equal(refused.status, 429);
  assert.equal(refused.json.error, 'rate_limited');
  assert.equal(refused.header('retry-after'), '30');

  const page = await other.open(path);
  const shown = await other.submit(page.form('Save the name'), { name: 'typed' }, { status: 429 });
  assert.equal(shown.response.header('retry-after'), '30');
  assert.match(shown.text(), /sent 60 forms in a minute.*Nothing was changed.*in 30 seconds/s);
  assert.equal((await visitor.json(path)).name, `n${PER_MINUTE - 1}`);

  // Forms without a valid token cost nothing; another account and the next minute have their own.
  const stranger = await withSession(site, server, await site.account({ plan: 'pack' }));
  const { csrf: own } = await stranger.json('/account/keys');
  for (let i = 0; i < PER_MINUTE + 5; i++)
    assert.equal((await stranger.postJson('/account/keys', {}, { csrf: 'x' })).status, 403);
  assert.equal(
    (await stranger.postJson('/account/keys', { name: 'k' }, { csrf: own })).status,
    201,
  );
  await site.clock.advance(30_000);
  assert.equal((await rename('again')).status, 200);
});

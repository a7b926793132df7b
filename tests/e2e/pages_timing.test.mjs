// How long pages take for e-mail addresses that have an account, and for others.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { mailSettings } from './lib/mail_sink.mjs';
import { anyEmail, makeOwner, newVisitor } from './lib/people.mjs';
import { cpuMs } from './lib/proc.mjs';
import { assertSameTime } from './lib/same_time.mjs';
import { makeSite } from './lib/site.mjs';

const KNOWN = 8; // accounts

/** A site with accounts, and `post(target, email, password)`: the time in ms, null if refused. */
async function open(t) {
  const { env } = await mailSettings(t, { STOCKACT_SIGNUP: 'open' });
  const site = await makeSite(t, {
    clock: '2026-03-31T12:00:00Z',
    env: { ...env, STOCKACT_BENCH_UNLIMITED: '1' },
  });
  await site.stockact('demo', '--trades', 20);
  const server = await site.serve();
  const known = [];
  for (let i = 0; i < KNOWN; i++) known.push((await makeOwner(site)).email);
  const post = async (target, fill) => {
    const visitor = newVisitor(server);
    const form = (await visitor.open(target)).form(target);
    const began = performance.now();
    const { status } = await visitor.submit(form, fill, { follow: false });
    return status === 429 || status === 503 ? null : performance.now() - began;
  };
  return { site, server, known, post };
}

test('wrong passwords take the same time and work with and without an account', async (t) => {
  const { site, server, known, post } = await open(t);
  const work = { known: 0, unknown: 0 };
  const ask = (kind, email) => async (i) => {
    const before = cpuMs(server.child.pid);
    const fill = { email: email(i), password: `wrong ${i} lantern` };
    const took = await post('/sign-in', fill);
    work[kind] += cpuMs(server.child.pid) - before;
    return took;
  };
  const fastest = await assertSameTime(
    { known: ask('known', (i) => known[i % KNOWN]), unknown: ask('unknown', anyEmail) },
    // an account may have five attempts a minute
    { pairs: 2 * KNOWN, share: 0.35, ms: 3, between: () => site.clock.advance(60_000) },
  );
  t.diagnostic(JSON.stringify({ fastest, work }));
  // other work on the machine makes it slow, and leaves the processor time as it is
  assert.ok(Math.min(...Object.values(work)) > 0.75 * Math.max(...Object.values(work)), 'work');
});

test('a reset takes the same time with and without an account', async (t) => {
  const { known, post } = await open(t);
  const ask = (email) => (i) => post('/reset', { email: email(i) });
  const fastest = await assertSameTime(
    { known: ask((i) => known[i % KNOWN]), unknown: ask(anyEmail) },
    { pairs: 60, share: 0.35, ms: 3 },
  );
  t.diagnostic(JSON.stringify(fastest));
});

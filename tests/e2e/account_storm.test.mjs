// A storm of sign-in attempts: refused within bounds, and the API does not notice.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { makeOwner, newVisitor } from './lib/people.mjs';

const ATTEMPTS = 10_000;
const CONNECTIONS = 20;
const ADDRESSES = 8; // that they share
const PER_ADDRESS = 20; // attempts in a minute, which does not end here
const LOOKED_AT = 3; // passwords that the program looks at or keeps waiting at a time, at least
const AT_ONCE = 40; // sign-ins, more than are hashed or wait
const PER_ACCOUNT = 5; // wrong passwords in a minute
const REFUSED_BETWEEN = 20; // requests to the API

/** Attempts with wrong passwords, and what was answered when. */
class Storm {
  statuses = {};
  /** Times from sending a password that was looked at to the answer: [begin, end]. */
  looked = [];
  ended = false;
  #wake = null;

  constructor(server, owner) {
    const each = ATTEMPTS / CONNECTIONS;
    const all = Array.from({ length: CONNECTIONS }, (_, i) => this.#attack(server, owner, i, each));
    this.done = Promise.all(all).finally(() => {
      this.ended = true;
      this.#wake?.();
    });
    this.done.catch(() => {}); // a test that awaits it gets the error
  }

  async #attack(server, owner, index, count) {
    const visitor = newVisitor(server, { from: `127.8.0.${(index % ADDRESSES) + 1}` });
    const form = (await visitor.open('/sign-in')).form('/sign-in');
    const fields = new URLSearchParams(form.pairs());
    const headers = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
    };
    for (let i = 0; i < count; i++) {
      // a quarter of them at the known account, the others at addresses that change
      fields.set('email', i % 4 === 0 ? owner.email : `${index}-${i}@example.org`);
      fields.set('password', `guess ${index} ${i}`);
      const began = performance.now();
      const body = fields.toString();
      const { status } = await visitor.request('POST', '/sign-in', { headers, body });
      this.#answered(status, began);
    }
  }

  #answered(status, began) {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status === 422) this.looked.push([began, performance.now()]);
    if (status === 422 || this.statuses[status] % REFUSED_BETWEEN === 0) this.#wake?.();
  }

  /** Resolves when more attempts have been answered. */
  more() {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

const part = (numbers, share) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)];

onEachDatabase('sign-in attempts', (kind) => {
  const shared = useSite({ clock: '2026-03-31T12:00:00Z', database: kind }, async (site) => {
    await site.stockact('demo', '--trades', 100);
    return { owner: await makeOwner(site), server: await site.serve() };
  });

  test('10,000 sign-in attempts are refused while the API answers', async (t) => {
    const storm = new Storm(shared.server, shared.owner);
    const answers = []; // of the API: [begin, end]
    for (let i = 0; !storm.ended; i++) {
      const from = `127.${10 + (i % 200)}.${Math.floor(i / 200) % 250}.7`; // each has its own window
      const began = performance.now();
      const headers = { Connection: 'close' };
      await shared.server.json('/api/v1/trades?limit=1', { from, headers });
      answers.push([began, performance.now()]);
      if (!storm.ended) await storm.more();
    }
    await storm.done;
    const { statuses, looked } = storm;
    const refused = (statuses[422] ?? 0) + (statuses[429] ?? 0) + (statuses[503] ?? 0);
    assert.equal(refused, ATTEMPTS, JSON.stringify(statuses));
    assert.ok(looked.length >= LOOKED_AT, 'passwords were looked at');
    assert.ok(looked.length <= ADDRESSES * PER_ADDRESS, 'hashes are bounded by address');
    // If the API waited for passwords it would take as long, however busy the machine is.
    const lastLooked = Math.max(...looked.map(([, end]) => end));
    const beside = answers.filter(([began]) => began < lastLooked);
    const ms = (list, share) =>
      part(
        list.map(([began, end]) => end - began),
        share,
      );
    const times = (list) =>
      [0.1, 0.5, 0.9, 0.99].map((share) => ms(list, share).toFixed(1)).join(' ');
    t.diagnostic(
      `${JSON.stringify(statuses)}; ms of a tenth, half, nine tenths, 99 %: ${looked.length} ` +
        `passwords ${times(looked)}; ${beside.length} requests to the API ${times(beside)}`,
    );
    assert.ok(beside.length >= LOOKED_AT, 'the API was asked meanwhile');
    assert.ok(2 * ms(beside, 0.9) < ms(looked, 0.5), 'the API does not wait for passwords');
  });

  test('many sign-ins at once: some get 503, and pages do not wait', async () => {
    const from = (i) => `127.9.0.${i + 1}`;
    const visitors = Array.from({ length: AT_ONCE }, (_, i) =>
      newVisitor(shared.server, { from: from(i) }),
    );
    const forms = await Promise.all(
      visitors.map(async (visitor) => (await visitor.open('/sign-in')).form('/sign-in')),
    );
    const fields = (i) => ({ email: `at-once-${i}@example.org`, password: `guess ${i}` });
    let waiting = AT_ONCE;
    const attempts = visitors.map(async (visitor, i) => {
      const page = await visitor.submit(forms[i], fields(i));
      waiting -= 1;
      return page.status;
    });
    await newVisitor(shared.server).open('/sign-in');
    assert.ok(waiting > 0, 'the page came before the hashes were done');
    const statuses = await Promise.all(attempts);
    const count = (status) => statuses.filter((each) => each === status).length;
    assert.equal(count(422) + count(503), AT_ONCE, `${statuses}`);
    assert.ok(count(422) > 0 && count(503) > 0, `${statuses}`);
    const busy = statuses.indexOf(503);
    const again = (status) => visitors[busy].submit(forms[busy], fields(busy), { status });
    for (let tries = 0; tries < PER_ACCOUNT; tries++) await again(422); // the first did not count
    await again(429);
  });

  test('the owner signs in again a minute later', async () => {
    await shared.site.clock.advance(60_000);
    const visitor = newVisitor(shared.server);
    const page = await visitor.open('/sign-in?next=/account/settings');
    const after = await visitor.submit(page.form('/sign-in'), shared.owner, { status: 200 });
    assert.equal(after.path, '/account/settings');
  });
});

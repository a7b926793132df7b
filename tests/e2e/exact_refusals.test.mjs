// What one server refuses, all refuse soon after (docs/reliability.md, "Exactness on several
// servers"): revoked keys, disabled accounts, lower plans.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { post, signIn } from './lib/action_table.mjs';
import { assertWithin } from './lib/measured.mjs';
import { Nodes } from './lib/nodes.mjs';

const TARGET = '/api/v1/filings';
const TIMES = Number(process.env.STOCKACT_EXACT_CHANGES ?? 12); // more by hand
const PAUSE_MS = 2; // between two requests: a window has enough of them
const BOUNDS = { median: 100, worst: 1000 };

const plan = (response) => response.header('x-ratelimit-limit');
const refused = ({ status }) => status === 401;

/** Each change: how an admin or an owner makes it, and how a response shows it. */
const CHANGES = {
  'a revoked key': {
    path: (own) => `/account/api/keys/${own.id}/revoke`,
    by: 'owner',
    body: {},
    shows: refused,
  },
  'a disabled account': {
    path: (own) => `/admin/accounts/${own.account}`,
    by: 'admin',
    body: { do: 'disable' },
    shows: refused,
  },
  'a lower plan': {
    path: (own) => `/admin/accounts/${own.account}`,
    by: 'admin',
    body: { do: 'plan', plan: 'pack' },
    shows: (response) => plan(response) === '60',
  },
};

/** Asks until the response shows the change; returns when that request was sent. A refused key
 *  counts against the address, so each has one of its own. */
async function shownAt(server, { key, from }, shows) {
  for (;;) {
    const at = performance.now();
    const response = await server.get(TARGET, { key, from, unchecked: true });
    if (shows(response)) return at;
    await delay(PAUSE_MS);
  }
}

test('a change on one server is in force on all', async (t) => {
  const all = await Nodes.start(t, { redis: null, balanced: false });
  const { site } = all;
  const boss = await site.account();
  await site.stockact('accounts', 'set-role', '--email', boss, '--role', 'admin');
  const admins = [];
  for (const server of all.servers) admins.push(await signIn({ site, server }, boss));
  for (const [what, change] of Object.entries(CHANGES)) {
    const times = [];
    const whole = [];
    for (let i = 0; i < TIMES; i++) {
      const on = i % all.servers.length;
      const own = await site.mint({ plan: 'den' });
      const by =
        change.by === 'admin'
          ? admins[on]
          : await signIn({ site, server: all.servers[on] }, own.email);
      if (change.by === 'admin') {
        const sql = `SELECT id FROM account WHERE email = '${own.email}'`;
        [{ id: own.account }] = await site.database.query(sql);
      }
      for (const server of all.servers)
        assert.equal(plan(await server.get(TARGET, { key: own.key })), '300');
      own.from = `127.0.${2 + (i % 200)}.1`;
      const waits = all.servers.map((server) => shownAt(server, own, change.shows));
      const asked = performance.now();
      await post(by, change.path(own), change.body);
      const made = performance.now();
      for (const wait of waits) {
        const at = await wait;
        times.push(Math.max(0, at - made));
        whole.push(at - asked);
      }
    }
    assertWithin(t, `${what}, from the answer`, times, BOUNDS);
    assertWithin(t, `${what}, from the request`, whole, { median: 500, worst: 1500 });
  }
});

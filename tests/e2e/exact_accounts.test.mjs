// Two servers that change the same accounts at once lock rows in one order: no request is refused
// because PostgreSQL found a deadlock.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { signIn } from './lib/action_table.mjs';
import { makeSite } from './lib/site.mjs';

const ACCOUNTS = 10;
const ROUNDS = 6;
const API = '/account/api/keys';

test('changes of the same accounts on two servers are all made (postgresql)', async (t) => {
  const site = await makeSite(t, { database: 'postgresql' });
  const servers = [await site.serve(), await site.serve()];
  const lanes = [];
  const data = [];
  for (let i = 0; i < ACCOUNTS; i++) {
    const minted = await site.mint({ plan: 'den' });
    for (const server of servers) {
      lanes.push(await signIn({ site, server }, minted.email));
      data.push({ server, key: minted.key });
    }
  }
  const told = {};
  const count = ({ status }) => (told[status] = (told[status] ?? 0) + 1);
  const lane = async ({ visitor, csrf }) => {
    for (let i = 0; i < ROUNDS; i++) {
      const made = await visitor.postJson(API, { name: `key ${i}` }, { csrf });
      count(made);
      assert.equal(made.status, 201, made.text);
      const { id } = made.json.data;
      count(await visitor.postJson(`${API}/${id}/revoke`, {}, { csrf }));
    }
  };
  // Counts of the same keys are written by both servers meanwhile.
  const reader = async ({ server, key }) => {
    for (let i = 0; i < ROUNDS; i++) count(await server.get('/api/v1/filings', { key }));
  };
  await Promise.all([...lanes.map(lane), ...data.map(reader)]);
  const requests = 2 * ACCOUNTS * ROUNDS;
  assert.deepEqual(told, { 200: 2 * requests, 201: requests });
  const [{ deadlocks }] = await site.database.query(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(Number(deadlocks), 0);
});

// Signals while all their inputs change at once, in many processes: corrections, withdrawals,
// publications, rosters, symbols, and concurrent sweeps. Never allowed: a broken chain in the
// history, a server that differs from the store, and a walk that skips or repeats an unchanged
// trade. Afterwards a sweep leaves every trade as `sweep --explain` evaluates it.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { committeesJson, membershipJson } from './lib/invented_committees.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { MARLOW, bulkFiling } from './lib/signal_site.mjs';
import { until } from './lib/until.mjs';
import { BY } from './lib/reviewer.mjs';

const BANKING = { id: 'SSBK', name: 'Senate Committee on Banking', type: 'senate' };
const ENERGY = { id: 'SSEG', name: 'Senate Committee on Energy', type: 'senate' };
const DAYS = ['2015-06-01', '2015-06-10', '2015-06-20'];
const TITLES = [null, '', 'Chairman', 'Ranking Member'];
const SYMBOLS = ['JPM', 'XOM', 'QQAA', 'QQBB', 'null'];
const BUSY_MS = Number(process.env.STOCKACT_ATTACK_MS ?? 2000); // longer by hand
const EXPLAINED = 20; // of the trades: each is a process

const pick = (list) => list[Math.floor(Math.random() * list.length)];

class Attack {
  #files = 0;
  refusals = [];

  constructor(site) {
    this.site = site;
  }

  write(text) {
    const file = path.join(this.site.folder, `${this.#files++}.json`);
    writeFileSync(file, text);
    return file;
  }

  /** Runs a command that may be rejected, but must not fail. */
  async run(...args) {
    const done = await this.site.run(args);
    if (done.code !== 0) {
      const how = done.stderr.trim() || `no reason: ${done.signal ?? done.code} ${done.stdout}`;
      this.refusals.push(`${args[0]}: ${how}`);
    }
    return done;
  }

  backfill(filings) {
    const file = this.write(JSON.stringify(filings));
    return this.run('backfill', 'senate-stock-watcher', file, ...BY);
  }

  seats(day, title, other) {
    const seat = title === null ? [] : [{ member: HOLLIS, ...(title ? { title } : {}) }];
    const files = [
      this.write(committeesJson([BANKING, ENERGY])),
      this.write(membershipJson({ SSBK: seat, SSEG: [{ member: MARLOW, title: other }] })),
    ];
    return this.run('committees', 'import', ...files, '--as-of', day);
  }

  symbols() {
    const rows = ['QQAA', 'QQBB'].map((symbol) => {
      const [name, industry] = pick([
        ['Alder Power', 'Electric Utilities'],
        ['Birch Bank', 'Diversified Banks'],
        ['Cedar Oil', 'Integrated Oil & Gas'],
      ]);
      return `${symbol},${name},x,${industry},x`;
    });
    const head = 'Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location';
    return this.run('tickers', 'import', this.write(`${head}\n${rows.join('\n')}\n`));
  }

  members() {
    const last = pick(['Hollis', 'Hollis-Reed']);
    return this.run('members', 'import', this.write(membersJson([{ ...HOLLIS, last }, MARLOW])));
  }

  correct(id) {
    const [field, value] = pick([
      ['ticker', pick(SYMBOLS)],
      ['ticker', pick(SYMBOLS)],
      ['assetType', pick(['stock', 'crypto', 'fund', 'option'])],
      ['tradeDate', pick(['2015-05-31', '2015-06-10', '2015-06-09', '2015-06-21'])],
    ]);
    return this.run('correct', id, field, value, ...BY, '--reason', 'read anew');
  }
}

/** Repeats it until stopped. */
async function loop(state, act) {
  let times = 0;
  for (; !state.over; times++) await act(times);
  return times;
}

/** Every walk must return each unchanged trade once. */
async function walk(server, key, quiet, target) {
  const seen = [];
  for await (const page of server.pages(target, { key })) seen.push(...page.data);
  const ids = seen.map((trade) => trade.id);
  assert.equal(new Set(ids).size, ids.length, `${target}: a trade twice`);
  for (const id of quiet) assert.ok(ids.includes(id), `${target}: ${id} was skipped`);
  for (const trade of seen) {
    assert.equal(trade.conflictSignal, trade.conflictReason !== null);
    if (/conflict=true/.test(target)) assert.ok(trade.conflictSignal, `${target}: ${trade.id}`);
  }
}

async function checkHistory(site) {
  const lines = await site.database.query(
    'select trade_no, old_no, new_no from finding_history order by trade_no, no',
  );
  const now = new Map(
    (await site.database.query('select trade_no, finding_no from trade_finding')).map((row) => [
      row.trade_no,
      row.finding_no,
    ]),
  );
  const chain = new Map();
  for (const line of lines) {
    assert.equal(chain.get(line.trade_no) ?? null, line.old_no, 'the history has no hole');
    assert.notEqual(line.old_no, line.new_no);
    chain.set(line.trade_no, line.new_no);
  }
  for (const [trade, finding] of chain) assert.equal(now.get(trade) ?? null, finding);
  for (const trade of now.keys()) assert.ok(chain.has(trade), 'each signal has a line');
}

/** The server's feed must equal the store: each trade, the filters, the counts. */
async function checkServer(server, key, site) {
  const rows = await site.database.query(
    `select t.id, d.reason from trade t left join trade_finding s on s.trade_no = t.no
     left join finding d on d.no = s.finding_no where t.withdrawn_at is null order by t.id`,
  );
  const stored = new Map(rows.map((row) => [row.id, row.reason]));
  const all = [];
  for await (const page of server.pages('/api/v1/trades?limit=37', { key })) all.push(...page.data);
  assert.deepEqual(all.map((one) => one.id).sort(), [...stored.keys()]);
  for (const one of all) assert.equal(one.conflictReason, stored.get(one.id), one.id);
  for (const one of all) {
    const { data } = await server.json(`/api/v1/trades/${one.id}`, { key });
    assert.deepEqual(data.trade, one);
    assert.equal(data.conflict !== null, one.conflictSignal);
  }
  const flagged = all.filter((one) => one.conflictSignal).map((one) => one.id);
  const filtered = [];
  for await (const page of server.pages('/api/v1/trades?conflict=true&limit=7', { key }))
    filtered.push(...page.data.map((one) => one.id));
  assert.deepEqual(filtered, flagged);
  for (const symbol of ['JPM', 'XOM', 'QQAA']) {
    const of = all.filter((one) => one.ticker === symbol);
    if (of.length === 0) continue;
    const { data } = await server.json(`/api/v1/tickers/${symbol}`, { key });
    assert.equal(data.aggregates.conflicts, of.filter((one) => one.conflictSignal).length, symbol);
  }
  for (const who of new Set(all.map((one) => one.politician.slug))) {
    const { data } = await server.json(`/api/v1/politicians/${who}`, { key });
    const of = all.filter((one) => one.politician.slug === who && one.conflictSignal);
    assert.equal(data.counts.conflicts, of.length, who);
  }
  return all;
}

onEachDatabase('signals under attack', (kind) => {
  test('follow the rule in every response', async (t) => {
    const site = await makeSite(t, { database: kind, env: { STOCKACT_BENCH_UNLIMITED: '1' } });
    const attack = new Attack(site);
    await attack.members();
    await attack.seats(DAYS[0], '', 'Chairman');
    await attack.symbols();
    await attack.backfill([
      bulkFiling(HOLLIS, 1, 30),
      bulkFiling(MARLOW, 2, 18, { ticker: 'XOM' }),
    ]);
    assert.deepEqual(attack.refusals, []);
    const servers = [await site.serve()];
    if (kind === 'postgresql') servers.push(await site.serve());
    const key = await site.key({ plan: 'den' });
    const rows = await site.database.query('select id from trade order by id');
    const ids = rows.map((row) => row.id);
    const touched = ids.filter((_, i) => i % 3 === 0);
    const quiet = ids.filter((_, i) => i % 3 === 1);
    const flagged = quiet.filter((id) => id.includes('000002-')); // MARLOW's are on every list
    const doomed = ids.filter((_, i) => i % 3 === 2);
    const first = await servers[0].json('/api/v1/trades?conflict=true&limit=100', { key });
    assert.equal(first.data.length, ids.length, 'all are flagged');

    const state = { over: false };
    setTimeout(() => (state.over = true), BUSY_MS);
    const times = await Promise.all([
      loop(state, () => attack.correct(pick(touched))),
      loop(state, () => attack.correct(pick(touched))),
      loop(state, async () => {
        const id = doomed.pop();
        if (id) await attack.run('withdraw', id, ...BY, '--reason', 'twice in the report');
        else await attack.correct(pick(touched));
      }),
      loop(state, (i) =>
        attack.backfill([bulkFiling(pick([HOLLIS, MARLOW]), 10 + i, 5, { ticker: pick(SYMBOLS) })]),
      ),
      loop(state, () => attack.seats(pick(DAYS), pick(TITLES), pick(['', 'Vice Chairman']))),
      loop(state, () => attack.seats(DAYS[1], pick(TITLES), 'Chairman')),
      loop(state, (i) => (i % 4 ? attack.symbols() : attack.members())),
      loop(state, () => attack.run('sweep')),
      loop(state, () => attack.run('sweep')),
      ...servers.map((server) =>
        loop(state, () => walk(server, key, quiet, `/api/v1/trades?limit=${pick([3, 11])}`)),
      ),
      loop(state, () => walk(servers[0], key, flagged, '/api/v1/trades?conflict=true&limit=2')),
      loop(state, () =>
        walk(
          servers.at(-1),
          key,
          flagged,
          '/api/v1/trades?conflict=true&chamber=senate&side=buy&limit=3',
        ),
      ),
    ]);
    assert.ok(Math.min(...times) > 0, `each had its turn: ${times}`);
    for (const text of attack.refusals)
      assert.match(text, /^correct: .*already has this value; nothing changed$/);

    await site.stockact('sweep');
    const again = await site.stockact('sweep');
    assert.deepEqual([again[0].set, again[0].changed, again[0].cleared], [0, 0, 0]);
    await checkHistory(site);
    const [{ value: last }] = await site.database.query(
      "select value from counter where name = 'change'",
    );
    await until('the servers have taken all in', async () => {
      const nodes = await site.database.query('select seq from node');
      return nodes.every(({ seq }) => Number(seq) >= Number(last));
    });
    let all;
    for (const server of servers) all = await checkServer(server, key, site);
    for (const { id, conflictReason } of all.slice(0, EXPLAINED)) {
      const [told] = await site.stockact('sweep', '--explain', id);
      assert.equal(told.signal ? told.reason : null, conflictReason, id);
      assert.equal(told.history.at(-1)?.to ?? null, conflictReason);
    }
  });
});

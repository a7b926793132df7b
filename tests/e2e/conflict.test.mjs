// The conflict signal of a trade with its evidence: in the publication's event, at the trade's own
// URL, and after a correction (spec 2.1; decisions 29, 32, 40, 41).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { committeesJson, membershipJson } from './lib/invented_committees.mjs';
import { HOLLIS, membersJson } from './lib/invented_members.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { REVIEWER } from './lib/reviewer.mjs';

const UUID = '44444444-5555-4666-8777-888888888888';
const FILING = `senate-${UUID}`;
const [POWER, FOOD, BOND] = ['0001', '0002', '0003'].map((row) => `${FILING}-${row}`);
const OTHER = '44444444-5555-4666-8777-999999999999';
const PUBLISHED = '2024-03-01T12:00:00.000Z';

// The committees and their industries are those of the curated map; the member and the companies
// are invented.
const ENERGY = {
  id: 'SSEG',
  name: 'Senate Committee on Energy and Natural Resources',
  type: 'senate',
  parts: { '07': 'Water and Power', '04': 'National Parks' },
};
const SYMBOLS = `Symbol,Security,GICS Sector,GICS Sub-Industry
QQAA,Alder Power,Utilities,Electric Utilities
QQFF,Fir Foods,Consumer Staples,Packaged Foods & Meats
`;
const REASON =
  'Dana Hollis chaired the Senate Committee on Energy and Natural Resources and sat on its ' +
  'Subcommittee on Water and Power, which oversaw electric and gas utilities, the industry of ' +
  'Alder Power (QQAA); seats as of 2023-01-10.';

const ROWS = [
  { date: '12/01/2023', ticker: 'QQAA', asset: 'Alder Power' },
  { date: '12/04/2023', ticker: 'QQFF', asset: 'Fir Foods' },
  { date: '12/05/2023', ticker: null, asset: 'Alder Power Bond', assetType: 'Corporate Bond' },
];

/** Imports two rosters, the later one without the subcommittee, then publishes the report. */
async function prepare(site) {
  const file = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', file('members.json', membersJson([HOLLIS])));
  await site.stockact('tickers', 'import', file('symbols.csv', SYMBOLS));
  const chair = { member: HOLLIS, title: 'Chairman' };
  const lists = {
    '2023-01-10': { SSEG: [chair], SSEG04: [{ member: HOLLIS }], SSEG07: [{ member: HOLLIS }] },
    '2024-01-05': { SSEG: [{ member: HOLLIS }], SSEG04: [chair] },
  };
  for (const [day, seats] of Object.entries(lists)) {
    await site.stockact(
      'committees',
      'import',
      file('committees.json', committeesJson([ENERGY])),
      file('membership.json', membershipJson(seats)),
      ...['--as-of', day],
    );
  }
  const server = await site.serve();
  const page = file(`${UUID}.html`, senatePage({ rows: ROWS, filed: '12/20/2023 @ 1 PM' }));
  await site.stockact('ingest', page);
  await site.stockact('review', 'accept', FILING, '--by', REVIEWER);
  await site.stockact('publish', FILING, '--by', REVIEWER);
  return { server, key: await site.key({ plan: 'den' }), api: await OpenApi.load(server) };
}

onEachDatabase('the conflict signal', (kind) => {
  const shared = useSite({ database: kind, clock: PUBLISHED }, prepare);

  /** GET, checked against the description. */
  async function get(target) {
    const response = await shared.server.get(target, { key: shared.key });
    shared.api.check('GET', target.split('?')[0], response);
    assert.equal(response.status, 200, target);
    return response.json.data;
  }
  const flagged = async () =>
    (await get('/api/v1/trades?conflict=true')).map((trade) => trade.id).sort();
  const correct = (id, field, value) =>
    shared.site.stockact(
      ...['correct', id, field, value, '--by', REVIEWER],
      ...['--reason', 'The page says so.'],
    );

  test('a trade with a signal has its evidence', async () => {
    const { trade, conflict } = await get(`/api/v1/trades/${POWER}`);
    assert.equal(trade.conflictSignal, true);
    assert.equal(trade.conflictReason, REASON);
    const { ruleVersion, ...evidence } = conflict;
    assert.match(ruleVersion, /^4\.[0-9a-f]{8}$/);
    assert.deepEqual(evidence, {
      industry: 'Electric and gas utilities',
      industries: [
        {
          code: 'electric_power',
          share: null,
          kind: 'primary',
          source: evidence.mapEntry.source,
        },
      ],
      basis: 'in_force',
      strength: 'full_committee',
      grade: 'A',
      seatsAsOf: '2023-01-10',
      committees: [
        {
          id: 'SSEG',
          name: ENERGY.name,
          role: 'chair',
          strength: 'full_committee',
          grade: 'A',
          from: '2023-01-10',
          to: '2025-01-03',
        },
        {
          id: 'SSEG07',
          name: `Subcommittee on Water and Power of the ${ENERGY.name}`,
          role: 'member',
          strength: 'subcommittee',
          grade: 'A',
          from: '2023-01-10',
          to: '2024-01-05',
        },
      ],
      mapEntry: {
        symbol: 'QQAA',
        symbolBasis: 'filed',
        company: 'Alder Power',
        business: null,
        source: evidence.mapEntry.source,
        committees: [
          {
            id: 'SSEG',
            industry: 'Electric and gas utilities',
            ground: 'rule',
            jurisdiction: 'energy regulation, hydroelectric, solar and nuclear power development',
            source: 'Senate Rule XXV, paragraph 1(g)',
          },
          {
            id: 'SSEG07',
            industry: 'Electric and gas utilities',
            ground: 'panel',
            jurisdiction: 'hydroelectric dams and federal marketing of their power',
            source: "committee's own statement of subcommittee jurisdiction",
          },
        ],
      },
      since: PUBLISHED,
    });
    assert.match(evidence.mapEntry.source, /\S/);
  });

  test('a trade without a signal has null', async () => {
    for (const id of [FOOD, BOND]) {
      const { trade, conflict } = await get(`/api/v1/trades/${id}`);
      assert.deepEqual([trade.conflictSignal, trade.conflictReason], [false, null], id);
      assert.equal(conflict, null, id);
    }
  });

  test('feed, profile and ticker have the same signal', async () => {
    assert.deepEqual(await flagged(), [POWER]);
    const without = await get('/api/v1/trades?conflict=false');
    assert.deepEqual(without.map((trade) => trade.id).sort(), [FOOD, BOND]);
    const [inFeed] = await get('/api/v1/trades?conflict=true');
    assert.deepEqual(inFeed, (await get(`/api/v1/trades/${POWER}`)).trade);
    assert.equal((await get('/api/v1/politicians/dana-hollis')).counts.conflicts, 1);
    assert.equal((await get('/api/v1/tickers/QQAA')).aggregates.conflicts, 1);
    assert.equal((await get('/api/v1/tickers/QQFF')).aggregates.conflicts, 0);
  });

  test("the publication's event has the signal", async () => {
    const events = await shared.site.database.query('SELECT body FROM event');
    assert.equal(events.length, 1);
    const { trades } = JSON.parse(events[0].body);
    assert.deepEqual(
      trades.map((trade) => [trade.id, trade.conflictSignal, trade.conflictReason]),
      [
        [POWER, true, REASON],
        [FOOD, false, null],
        [BOND, false, null],
      ],
    );
  });

  test('a corrected trade has its new signal at once, and the log has only the correction', async () => {
    await shared.site.clock.advance(3_600_000);
    await correct(FOOD, 'ticker', 'QQAA');
    assert.deepEqual(await flagged(), [POWER, FOOD]);
    const gained = await get(`/api/v1/trades/${FOOD}`);
    assert.equal(gained.trade.conflictReason, REASON);
    assert.equal(gained.conflict.since, '2024-03-01T13:00:00.000Z');
    assert.deepEqual(gained.conflict.committees[0].id, 'SSEG');

    await correct(POWER, 'tradeDate', '2024-01-08');
    const later = await get(`/api/v1/trades/${POWER}`);
    assert.match(
      later.trade.conflictReason,
      /^Dana Hollis sat on the .*; seats as of 2024-01-05\.$/,
    );
    assert.equal(later.conflict.since, '2024-03-01T13:00:00.000Z');

    await correct(POWER, 'ticker', 'QQFF');
    assert.equal((await get(`/api/v1/trades/${POWER}`)).conflict, null);
    assert.deepEqual(await flagged(), [FOOD]);
    const log = await get('/api/v1/corrections?limit=100');
    assert.deepEqual(
      log.map((entry) => [entry.tradeId, entry.field]),
      [
        [POWER, 'ticker'],
        [POWER, 'tradeDate'],
        [FOOD, 'ticker'],
      ],
    );
  });

  test('an imported act of oversight flags trades of its company on its days', async () => {
    const acts = async (...lines) => {
      const file = path.join(shared.site.folder, 'oversight.csv');
      writeFileSync(
        file,
        ['committee,symbol,company,from,to,kind,about,source', ...lines, ''].join('\n'),
      );
      return shared.site.run(['oversight', 'import', file, '--json']);
    };
    const sweep = () => shared.site.stockact('sweep');
    const source = 'https://www.energy.senate.gov/invented-letter';
    const refused = await acts(`SSEG,QQFF,Fir Foods,2024-01-08,,letter,its ovens,`);
    assert.notEqual(refused.code, 0);
    assert.match(JSON.parse(refused.stdout).message ?? refused.stderr, /line 2/);

    const taken = await acts(`SSEG,QQFF,Fir Foods,2024-01-08,,letter,its ovens,${source}`);
    assert.deepEqual(JSON.parse(taken.stdout), {
      ...{ acts: 1, committees: 1, companies: 1 },
    });
    assert.deepEqual(await flagged(), [FOOD], 'not before a sweep');
    await sweep();
    assert.deepEqual(await flagged(), [POWER, FOOD]);
    const { trade, conflict } = await get(`/api/v1/trades/${POWER}`);
    assert.match(trade.conflictReason, /food and beverages.*its ovens.* 2024-01-08/);
    assert.equal(conflict.grade, 'A');
    const grounds = conflict.mapEntry.committees.map(({ id, ground, source }) => [
      id,
      ground,
      source,
    ]);
    assert.deepEqual(grounds, [['SSEG', 'act', source]]);
    await shared.site.clock.advance(48 * 3_600_000); // visitors see it
    const page = await shared.server.get(`/trades/${POWER}`, { headers: { Accept: 'text/html' } });
    assert.ok(page.text.includes(`href="${source}"`), 'the page links the letter');
    const [explained] = await shared.site.stockact('sweep', '--explain', POWER);
    assert.equal(explained.signal, true);

    await acts(`SSEG,QQFF,Fir Foods,2024-01-09,,letter,its ovens,${source}`);
    await sweep();
    assert.deepEqual(await flagged(), [FOOD], 'an act of another day is no ground');
  });

  test('a company that a reviewer confirms is judged, and is no ticker', async () => {
    const filing = `senate-${OTHER}`;
    const trade = `${filing}-0001`;
    const by = ['--by', REVIEWER];
    const review = (...words) => shared.site.stockact('review', ...words, ...by);
    const publish = async () => {
      await review('accept', filing);
      await shared.site.stockact('publish', filing, ...by);
      return get(`/api/v1/trades/${trade}`);
    };
    const signals = async () =>
      (await get(`/api/v1/changes?limit=100`)).filter(
        ({ kind, tradeId }) => kind === 'signal' && tradeId === trade,
      ).length;
    const file = path.join(shared.site.folder, `${OTHER}.html`);
    const row = { date: '12/06/2023', ticker: null, asset: 'Fir Foods, Inc.' };
    writeFileSync(file, senatePage({ rows: [row], filed: '12/20/2023 @ 2 PM' }));
    await shared.site.stockact('ingest', file);
    const before = await publish();
    assert.deepEqual([before.source.company, before.conflict], [null, null], 'nothing is guessed');

    const [{ rows }] = await shared.site.stockact('review', 'show', filing);
    // An earlier test gave the member's trade of that name the other symbol.
    const suggested = { symbol: 'QQAA', name: 'Alder Power', assetType: 'stock', from: 'own' };
    assert.deepEqual(rows[0].suggestedCompany, suggested);
    await review('claim', filing);
    const [taken] = await review('take-symbols', filing);
    assert.deepEqual(taken, { filingId: filing, taken: 0, confirmed: 1, left: 0 });
    const after = await publish();
    assert.deepEqual(after.source.company, { symbol: 'QQAA', basis: 'reviewer' });
    assert.deepEqual([after.trade.ticker, after.source.tickerBasis], [null, null]);
    assert.equal(after.trade.conflictSignal, true);
    assert.deepEqual(
      [after.conflict.grade, after.conflict.mapEntry.symbolBasis],
      ['A', 'reviewer'],
    );
    assert.equal(await signals(), 1, 'the copy of a reader learns it');
    assert.ok((await flagged()).includes(trade));
    assert.deepEqual(
      (await get('/api/v1/trades?ticker=QQAA')).filter(({ id }) => id === trade),
      [],
    );
    const [checked] = await shared.site.stockact('check');
    assert.equal(checked.findings, 0);
    const [explained] = await shared.site.stockact('sweep', '--explain', trade);
    assert.equal(explained.signal, true);
    assert.equal((await shared.site.stockact('sweep')).at(-1).changed, 0, 'a sweep says the same');
    await shared.site.clock.advance(48 * 3_600_000);
    const page = await shared.server.get(`/trades/${trade}`, { headers: { Accept: 'text/html' } });
    assert.match(page.text, /<dt>Company<\/dt><dd>QQAA/);

    await review('claim', filing);
    await review('set', filing, '1', 'company', '');
    const again = await publish();
    assert.deepEqual([again.source.company, again.conflict], [null, null]);
    assert.equal(await signals(), 2);
  });
});

/** Seats over time on committees whose industries are media, electronics and real estate. */
const SPANS = `committee,bioguide,seen_from,seen_to,title
SSCM,${HOLLIS.id},2019-01-10,2021-01-03,
SSBK,${HOLLIS.id},2019-01-10,2021-01-03,
SSCM,${HOLLIS.id},2025-01-07,,
SSBK,${HOLLIS.id},2025-01-07,,
`;

/** The rows: symbol, day, and whether a signal follows. */
const DEAD = [
  ['VIA', '03/04/2019', true],
  ['CONE', '03/05/2019', true],
  ['FIT', '03/06/2019', true],
  ['CMCSA', '03/02/2026', true],
  ['PLD', '03/03/2026', true],
  ['VIA', '03/04/2026', false],
  ['CONE', '03/05/2026', false],
  ['FIT', '03/06/2026', false],
];

test("a defunct company's symbol does not flag a trade of today", async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  const file = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', file('members.json', membersJson([HOLLIS])));
  await site.stockact('committees', 'import', '--spans', file('seats.csv', SPANS));
  const rows = DEAD.map(([ticker, date]) => ({ date, ticker, asset: `${ticker} shares` }));
  await site.stockact(
    'ingest',
    file(`${UUID}.html`, senatePage({ rows, filed: '03/09/2026 @ 1 PM' })),
  );
  await site.stockact('review', 'accept', FILING, '--by', REVIEWER);
  await site.stockact('publish', FILING, '--by', REVIEWER);
  const server = await site.serve();
  const key = await site.key({ plan: 'den' });
  for (const [row, [ticker, date, signal]] of DEAD.entries()) {
    const { data } = await server.json(`/api/v1/trades/${FILING}-000${row + 1}`, { key });
    assert.equal(data.trade.ticker, ticker);
    assert.equal(data.trade.conflictSignal, signal, `${ticker} ${date}`);
  }
  for (const [ticker, dead] of [
    ['VIA', 'Viacom'],
    ['CONE', 'CyrusOne'],
    ['FIT', 'Fitbit'],
  ]) {
    const { data } = await server.json(`/api/v1/tickers/${ticker}`, { key });
    const gone = data.companies.findLast(({ name }) => name.startsWith(dead));
    assert.ok(gone.to < '2023', `${ticker}: ${JSON.stringify(data.companies)}`);
    if (gone === data.companies.at(-1))
      assert.equal(data.companyName, null, `${ticker}: no company has had the symbol since`);
    else assert.ok(!data.companyName.startsWith(dead), `${ticker} today: ${data.companyName}`);
    assert.equal(data.industry, null, ticker);
  }
});

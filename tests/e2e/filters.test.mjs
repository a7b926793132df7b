// Every documented filter narrows its list, and the link to the next page keeps it. The test walks
// the parameters of the OpenAPI document as served, so a filter that is documented and does nothing
// fails here. A new filter needs one line in FILTERS.

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { parseCsv } from './lib/csv.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { REVIEWER } from './lib/reviewer.mjs';

const AT_ONCE = 50; // fewer requests than may wait for a worker
const PAGE_PARAMETERS = ['limit', 'cursor', 'format', 'fields', 'sort', 'order'];

function mostCommon(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0][0];
}

const middle = (values) => values.sort()[Math.floor(values.length / 2)];
const known = (rows, of) => rows.map(of).filter((value) => value !== null);

/** Rows that have just the value. */
const equal = (of) => ({
  pick: (rows) => mostCommon(known(rows, of)),
  keeps: (row, value) => of(row) === value,
});
/** Rows whose text is the value or later. */
const atLeast = (of) => ({
  pick: (rows) => middle(known(rows, of)),
  keeps: (row, value) => of(row) !== null && of(row) >= value,
});
const atMost = (of) => ({
  pick: (rows) => middle(known(rows, of)),
  keeps: (row, value) => of(row) !== null && of(row) <= value,
});

/** The filters by what a conflict signal is about have two names each. */
const flagIndustry = {
  pick: () => mostCommon([...signals.values()].map(({ industry }) => industry)),
  keeps: ({ id }, value) => signals.get(id)?.industry === value,
};
const flagCommittee = {
  pick: () => mostCommon([...signals.values()].flatMap(({ committees }) => committees)),
  keeps: ({ id }, value) =>
    signals.get(id)?.committees.some((one) => one.startsWith(value)) ?? false,
};

/** By list: how to pick a value from its rows, and which rows the value keeps. Parameters with a
 *  closed list of values are tried with each of them. */
const FILTERS = {
  '/api/v1/trades': {
    ticker: equal((trade) => trade.ticker),
    politician_slug: equal((trade) => trade.politician.slug),
    politician: equal((trade) => trade.politician.slug),
    chamber: equal((trade) => trade.politician.chamber),
    since: atLeast((trade) => trade.disclosedAt),
    until: {
      pick: (rows) => middle(rows.map((trade) => trade.disclosedAt)),
      keeps: (trade, value) => trade.disclosedAt < value,
    },
    traded_from: atLeast((trade) => trade.tradeDate),
    traded_to: atMost((trade) => trade.tradeDate),
    side: {
      pick: () => 'sell',
      keeps: ({ side }, value) => side === value || (value === 'sell' && side.startsWith('sell_')),
    },
    owner: equal((trade) => trade.ownerType),
    asset_type: equal((trade) => trade.assetType),
    party: equal((trade) => trade.politician.party),
    state: equal((trade) => trade.politician.state),
    amount_min: {
      pick: () => '50001',
      keeps: (trade, value) => trade.amountRange.min >= Number(value),
    },
    conflict: equal((trade) => String(trade.conflictSignal)),
    basis: {
      pick: () => mostCommon([...signals.values()].map(({ basis }) => basis)),
      keeps: ({ id }, value) => signals.get(id)?.basis === value,
    },
    grade: {
      pick: () => mostCommon([...signals.values()].map(({ grade }) => grade)),
      keeps: ({ id }, value) => signals.get(id)?.grade === value,
    },
    sector: equal(({ id }) => lists.get(id).sector),
    seat: {
      pick: () => mostCommon([...lists.values()].flatMap(({ seats }) => seats)),
      keeps: ({ id }, value) => lists.get(id).seats.some((one) => one.startsWith(value)),
    },
    flag_industry: flagIndustry,
    industry: flagIndustry,
    flag_committee: flagCommittee,
    committee: flagCommittee,
    late: equal((trade) => lateValues.get(trade.id)),
    filing: equal((trade) => trade.id.slice(0, -5)),
  },
  '/api/v1/politicians': {
    q: {
      ranked: true,
      pick: (rows) => mostCommon(rows.map((one) => one.name.slice(0, 3).toLowerCase())),
      keeps: (one, value) => one.name.toLowerCase().includes(value),
    },
    chamber: equal((one) => one.chamber),
    party: equal((one) => one.party),
    state: equal((one) => one.state),
    in_office: equal((one) => String(one.inOffice)),
    has_trades: equal((one) => String(one.counts.trades > 0)),
  },
  '/api/v1/tickers': {
    q: {
      ranked: true,
      pick: (rows) =>
        mostCommon(known(rows, (one) => one.companyName))
          .split(' ')[0]
          .toLowerCase(),
      keeps: (one, value) => `${one.ticker} ${one.companyName}`.toLowerCase().includes(value),
    },
    has_trades: equal((one) => String(one.aggregates.trades > 0)),
  },
  '/api/v1/filings': {
    politician_slug: equal((filing) => filing.politicianId),
    politician: equal((filing) => filing.politicianId),
    chamber: equal((filing) => filing.chamber),
    status: equal((filing) => filing.status),
  },
  '/api/v1/corrections': {
    since: atLeast((entry) => entry.at),
    until: {
      pick: (rows) => middle(rows.map((entry) => entry.at)),
      keeps: (entry, value) => entry.at < value,
    },
    kind: equal((entry) => entry.kind),
    trade_id: equal((entry) => entry.tradeId),
    filing: equal((entry) => entry.filingId),
    politician_slug: equal((entry) => politicianOf.get(entry.tradeId)),
    politician: equal((entry) => politicianOf.get(entry.tradeId)),
    ticker: equal((entry) => tickerOf.get(entry.tradeId) ?? null),
  },
  '/api/v1/changes': {
    after: {
      pick: (rows) => String(rows[Math.floor(rows.length / 2)].seq),
      keeps: (entry, value) => entry.seq > Number(value),
    },
  },
};

/** Of flagged trades, by id: the code of the industry, and the ids of the committees. */
const signals = new Map();

/** By the id of a trade: what the imported lists say of it. */
const lists = new Map();

/** By the id of a trade: the value of `late` that finds it, as its source says. */
const lateValues = new Map();
const LATE_VALUES = { late: 'true', on_time: 'false', unknown: 'unknown' };

/** The codes of industries by name. */
async function industryCodes() {
  const list = await readFile(new URL('../../data/industries.csv', import.meta.url), 'utf8');
  return new Map(parseCsv(list.replaceAll('\n', '\r\n')).map(([code, name]) => [name, code]));
}

/** What the lists of a database of invented data say of each trade, by its id: it has one list of
 *  seats in each Congress, and an industry for each symbol. */
async function readLists(database, codes) {
  const congress = (day) => Math.ceil(new Date((day - 2) * 86_400_000).getUTCFullYear() / 2);
  const seats = new Map();
  const seat = `SELECT v.as_of_day AS day, s.member_no AS member, s.chamber, c.id
    FROM committee_seat s JOIN committee_version v ON v.no = s.version_no
    JOIN committee c ON c.no = s.committee_no`;
  for (const { day, member, chamber, id } of await database.query(seat)) {
    const key = `${congress(Number(day))} ${member} ${chamber}`;
    seats.set(key, [...(seats.get(key) ?? []), id]);
  }
  const trade = `SELECT t.id, t.trade_day AS day, f.filed_at AS filed, f.chamber, t.asset_type,
    f.member_no AS member, s.industry FROM trade t JOIN filing f ON f.no = t.filing_no
    LEFT JOIN ticker s ON s.symbol = t.ticker`;
  const found = new Map();
  for (const one of await database.query(trade)) {
    const day = Number(one.day ?? Number(one.filed) / 86_400_000);
    const itself = { crypto: 'digital_assets', commodity: 'mining_metals' /* silver */ };
    const company = one.asset_type === 'fund' ? null : (codes.get(one.industry) ?? null);
    found.set(one.id, {
      seats: seats.get(`${congress(day)} ${one.member} ${one.chamber}`) ?? [],
      sector: itself[one.asset_type] ?? company,
    });
  }
  return found;
}

/** Slugs and symbols by the id of a withdrawn trade. */
const politicianOf = new Map();
const tickerOf = new Map();

describe('filters', () => {
  const shared = useSite(
    { clock: '2026-03-02T12:00:00Z', env: { STOCKACT_BENCH_UNLIMITED: '1' } },
    async (site) => {
      await site.stockact('demo', '--trades', 1500, '--as-of', '2026-03-01');
      const server = await site.serve();
      const rows = (await server.json('/api/v1/trades?limit=100')).data;
      const data = rows.filter(({ ticker }) => ticker).slice(0, 4);
      for (const { id, politician, ticker } of data) {
        politicianOf.set(id, politician.slug);
        tickerOf.set(id, ticker);
        await site.clock.advance(60_000);
        await site.stockact('withdraw', id, '--by', REVIEWER, '--reason', 'Entered twice.');
      }
      await site.stockact('reinstate', data[0].id, '--by', REVIEWER, '--reason', 'It was not.');
      const document = await server.json('/api/v1/openapi.json');
      return { server, document };
    },
  );

  /** The parameters of a list as described, without those of the page. */
  function documented(path) {
    const { parameters } = shared.document.paths[path].get;
    const resolved = parameters.map((one) =>
      one.$ref ? shared.document.components.parameters[one.$ref.split('/').at(-1)] : one,
    );
    return resolved.filter((one) => one.in === 'query' && !PAGE_PARAMETERS.includes(one.name));
  }

  /** The rows of all pages, each one found by the Link of the page before. */
  async function walk(path, query) {
    const rows = [];
    let target = `${path}?${new URLSearchParams(query)}`;
    while (target) {
      const response = await shared.server.get(target);
      assert.equal(response.status, 200, `${target}: ${response.text}`);
      rows.push(...response.json.data);
      const link = /^<([^>]+)>; rel="next"$/.exec(response.header('link') ?? '');
      const next = link && new URL(link[1]);
      target = next && next.pathname + next.search;
    }
    return rows;
  }

  /** Notes what the imported lists say, and what only the trades' own addresses say. */
  async function noteTrades(rows) {
    const codes = await industryCodes();
    for (const [id, is] of await readLists(shared.site.database, codes)) lists.set(id, is);
    const note = async ({ id }) => {
      const { data } = await shared.server.json(`/api/v1/trades/${id}`);
      lateValues.set(id, LATE_VALUES[data.source.lateStatus]);
      if (data.conflict)
        signals.set(id, {
          basis: data.conflict.basis,
          grade: data.conflict.grade,
          industry: codes.get(data.conflict.industry),
          committees: data.conflict.committees.map((one) => one.id),
        });
    };
    for (let i = 0; i < rows.length; i += AT_ONCE)
      await Promise.all(rows.slice(i, i + AT_ONCE).map(note));
  }

  /**
   * The walk must return exactly these rows. assert.deepEqual on many long rows takes long to
   * print.
   */
  async function walksJust(path, query, expected) {
    const rows = await walk(path, query);
    if (Object.keys(query).some((name) => FILTERS[path][name]?.ranked)) {
      const name = (row) => row.slug ?? row.ticker;
      rows.sort((a, b) => (name(a) < name(b) ? -1 : 1));
    }
    const told = `${path}?${new URLSearchParams(query)}: ${rows.length} rows, not ${expected.length}`;
    assert.ok(isDeepStrictEqual(rows, expected), told);
  }

  /** Walks the list with the value; true if it keeps some rows and excludes others. */
  async function narrows(path, name, value, rows) {
    const kept = rows.filter((row) => FILTERS[path][name].keeps(row, value));
    const limit = Math.min(100, Math.max(1, Math.ceil(kept.length / 3)));
    await walksJust(path, { [name]: value, limit }, kept);
    return kept.length > limit && kept.length < rows.length;
  }

  for (const path of Object.keys(FILTERS)) {
    test(`${path}: every documented filter keeps some rows, excludes others, and is in Link`, async () => {
      const rows = await walk(path, { limit: 100 });
      if (path === '/api/v1/trades') await noteTrades(rows);
      for (const { name, schema, example } of documented(path)) {
        const filter = FILTERS[path][name];
        assert.ok(filter, `no line in FILTERS for ${name} of ${path}`);
        const narrowed = [];
        for (const value of schema.enum ?? [filter.pick(rows)]) {
          narrowed.push(await narrows(path, name, value, rows));
        }
        const single = schema.enum?.length === 1; // keeps every row
        assert.ok(single || narrowed.includes(true), `${name} of ${path} excludes nothing`);
        if (example !== undefined) await walk(path, { [name]: example, limit: 100 });
      }
      const names = documented(path).map(({ name }) => name);
      assert.deepEqual(names.sort(), Object.keys(FILTERS[path]).sort());
    });
  }

  test('every documented list with filters is tested', () => {
    // tests of their own: events begin with the newest ones, a stream and an export have no pages, and committees
    // and industries are asked about a day
    const others =
      /^\/api\/v1\/(events|export|stats|trades\/stream|committees(\/\{id\})?|industries(\/\{code\})?)$/;
    const lists = Object.keys(shared.document.paths).filter(
      (path) => documented(path).length > 0 && !others.test(path),
    );
    assert.deepEqual(lists.sort(), Object.keys(FILTERS).sort());
  });

  test('members and symbols by a count, in both orders, with cursors of that order alone', async () => {
    const by = { trades: 'trades', conflicts: 'conflicts', late: 'late' };
    for (const [path, name, counts] of [
      ['/api/v1/politicians', 'slug', (row) => row.counts],
      ['/api/v1/tickers', 'ticker', (row) => row.aggregates],
    ]) {
      const rows = await walk(path, { limit: 100 });
      const names = (list) => list.map((row) => row[name]);
      for (const [sort, member] of Object.entries(by))
        for (const order of ['desc', 'asc']) {
          const sign = order === 'asc' ? 1 : -1;
          const value = (row) => sign * counts(row)[member];
          const ranked = [...rows].sort((a, b) => value(a) - value(b)); // is stable
          const limit = Math.min(100, Math.ceil(rows.length / 3));
          assert.deepEqual(names(await walk(path, { sort, order, limit })), names(ranked));
        }
      const first = await shared.server.json(`${path}?sort=trades&limit=2`);
      for (const query of ['sort=late', 'sort=trades&order=asc', 'limit=2']) {
        const other = await shared.server.get(`${path}?${query}&cursor=${first.nextCursor}`);
        assert.deepEqual([other.status, other.json.error], [400, 'invalid_cursor'], query);
      }
      const named = await shared.server.json(`${path}?sort=name&limit=2`);
      assert.deepEqual(names(named.data), names(rows.slice(0, 2)));
      const mixed = await shared.server.get(`${path}?sort=trades&cursor=${named.nextCursor}`);
      assert.equal(mixed.status, 400);
    }
  });

  test('names of values may be in any letter case, and sell means both sells', async () => {
    const rows = await walk('/api/v1/trades', { limit: 100 });
    const pages = [
      [{ chamber: 'House' }, (trade) => trade.politician.chamber === 'house'],
      [{ side: 'Sell' }, (trade) => trade.side.startsWith('sell_')],
      [{ side: 'SELL_FULL' }, (trade) => trade.side === 'sell_full'],
      [{ state: 'vt' }, (trade) => trade.politician.state === 'VT'],
      [{ party: 'd' }, (trade) => trade.politician.party === 'Democrat'],
      [{ party: 'republican' }, (trade) => trade.politician.party === 'Republican'],
      [{ conflict: 'FALSE' }, (trade) => !trade.conflictSignal],
    ];
    for (const [query, keeps] of pages) {
      const kept = rows.filter(keeps);
      assert.ok(kept.length > 0, JSON.stringify(query));
      await walksJust('/api/v1/trades', { ...query, limit: 100 }, kept);
    }
    const csv = await shared.server.get('/api/v1/trades?format=CSV');
    assert.deepEqual([csv.status, csv.json.error], [403, 'csv_export_not_available']);
  });

  test('a value that no trade can have is 400 with the values that there are', async () => {
    const hints = {
      chamber: /house or senate/,
      side: /buy, sell_full, sell_partial, exchange or sell\.$/,
      state: /AL, AK, .* WI or WY\.$/,
      party: /Democrat, Republican, Independent or Libertarian.*Parties of trades: .*Democrat/,
      sector: /\bbanks, /,
      flag_industry: /\bbanks, /,
    };
    for (const [name, hint] of Object.entries(hints)) {
      const response = await shared.server.get(`/api/v1/trades?${name}=nothing`);
      assert.deepEqual([response.status, response.json.error], [400, 'invalid_parameter']);
      assert.ok(response.json.hint.startsWith(`"${name}" must be `), response.json.hint);
      assert.match(response.json.hint, hint);
    }
  });

  test('several members and symbols, with commas between them', async () => {
    const rows = await walk('/api/v1/trades', { limit: 100 });
    const distinct = (of) => [...new Set(known(rows, of))];
    const people = distinct((trade) => trade.politician.slug).slice(0, 40);
    const tickers = distinct((trade) => trade.ticker).slice(3, 12);
    const some = people.slice(0, 4);
    const keeps = (trade) => some.includes(trade.politician.slug);
    await walksJust('/api/v1/trades', { politician: some.join(), limit: 7 }, rows.filter(keeps));
    await walksJust(
      '/api/v1/trades',
      { politician_slug: some.join(', '), ticker: tickers.join(), limit: 3 },
      rows.filter((trade) => keeps(trade) && tickers.includes(trade.ticker)),
    );
    const most = Array.from({ length: 50 }, (_, i) => people[i] ?? `nobody-${i}`);
    const target = (list) => `/api/v1/trades?limit=1&politician=${list.join()}`;
    assert.equal((await shared.server.get(target(most))).status, 200);
    for (const list of [
      [...most, 'one-more'],
      [...some, ''],
      ['', ...some],
      ['a_b', ...some],
    ]) {
      const { status, json } = await shared.server.get(target(list));
      assert.deepEqual([status, json.error], [400, 'invalid_parameter'], list.join());
      assert.match(json.hint, /or up to 50 of them with commas between/);
    }
    const page = await shared.server.get(
      `/trades?politician_slug=${some.join()}&ticker=${tickers}`,
    );
    assert.equal(page.status, 200);
  });

  test('trades in each order, and a cursor of another order is invalid', async () => {
    const rows = await walk('/api/v1/trades', { limit: 100 });
    const undated = rows.filter(({ tradeDate }) => tradeDate === null);
    const dated = rows.filter(({ tradeDate }) => tradeDate !== null);
    const newest = dated.toSorted((a, b) =>
      a.tradeDate === b.tradeDate ? 0 : a.tradeDate < b.tradeDate ? 1 : -1,
    );
    const oldest = dated
      .toReversed()
      .toSorted((a, b) => (a.tradeDate === b.tradeDate ? 0 : a.tradeDate < b.tradeDate ? -1 : 1));
    const orders = [
      [{ order: 'asc' }, rows.toReversed()],
      [{ sort: 'Disclosed', order: 'desc' }, rows],
      [{ sort: 'traded' }, [...newest, ...undated]],
      [{ sort: 'traded', order: 'asc' }, [...oldest, ...undated.toReversed()]],
    ];
    for (const [query, expected] of orders) {
      await walksJust('/api/v1/trades', { ...query, limit: 90 }, expected);
      const house = expected.filter(({ politician }) => politician.chamber === 'house');
      await walksJust('/api/v1/trades', { ...query, chamber: 'house', limit: 70 }, house);
    }
    const { nextCursor } = await shared.server.json('/api/v1/trades?sort=traded&limit=5');
    const bad = [
      [`cursor=${nextCursor}`, 'invalid_cursor'],
      [`cursor=${nextCursor}&sort=traded&order=asc`, 'invalid_cursor'],
      ['sort=amount', 'invalid_parameter', /"sort" must be disclosed or traded\./],
      ['order=up', 'invalid_parameter', /"order" must be desc or asc\./],
    ];
    for (const [query, error, hint] of bad) {
      const { status, json } = await shared.server.get(`/api/v1/trades?${query}`);
      assert.deepEqual([status, json.error], [400, error], query);
      if (hint) assert.match(json.hint, hint);
    }
  });

  test('filters combine with AND', async () => {
    const rows = await walk('/api/v1/trades', { limit: 100 });
    const query = { chamber: 'senate', owner: 'self', side: 'buy', traded_from: '2025-06-01' };
    const keeps = (trade) =>
      Object.entries(query).every(([name, value]) =>
        FILTERS['/api/v1/trades'][name].keeps(trade, value),
      );
    assert.ok(rows.some(keeps));
    await walksJust('/api/v1/trades', { ...query, limit: 5 }, rows.filter(keeps));
  });
});

/** What SQL and a filter of the API call the same. */
const COLUMNS = {
  politician: ['m.slug', 'politician_slug'],
  ticker: ['t.ticker', 'ticker'],
  party: ['f.member_party', 'party'],
  chamber: ['f.chamber', 'chamber'],
  state: ['f.member_state', 'state'],
  side: ['t.side', 'side'],
  owner: ['t.owner_type', 'owner'],
  bracket: ['t.amount_bucket'],
  asset_type: ['t.asset_type', 'asset_type'],
  sector: [null, 'sector'],
};
const DIMENSIONS = Object.keys(COLUMNS);

/** Whether a row has what the filter of a column asks for. */
const has = (row, name, value) =>
  name === 'seat' ? row.seats.some((id) => id.startsWith(value)) : row[name] === value;

/** A different set each time, the same in every run. */
function* filterSets(rows, count) {
  const names = [...DIMENSIONS.filter((name) => COLUMNS[name][1]), 'seat'];
  for (let i = 0; i < count; i += 1) {
    const row = rows[(i * 37) % rows.length];
    const where = names.filter((name, at) => (i >> (at % 7)) % 4 === 1 && row[name] !== null);
    yield { row, where };
  }
}

onEachDatabase('groups and sums', (kind) => {
  const columns = Object.entries(COLUMNS).filter(([, [sql]]) => sql);
  const select = `SELECT t.id, ${columns.map(([name, [sql]]) => `${sql} AS ${name}`)}
    FROM trade t JOIN filing f ON f.no = t.filing_no JOIN member m ON m.no = f.member_no
    WHERE t.withdrawn_at IS NULL`;
  const shared = useSite(
    { database: kind, clock: '2026-03-02T12:00:00Z', env: { STOCKACT_BENCH_UNLIMITED: '1' } },
    async (site) => {
      await site.stockact('demo', '--trades', 600, '--as-of', '2026-03-01');
      const rows = await site.database.query(select);
      const said = await readLists(site.database, await industryCodes());
      for (const row of rows) {
        Object.assign(row, said.get(row.id));
        row.seat = row.seats[0]?.slice(0, 4 + 2 * (row.seats.length % 2)) ?? null;
      }
      return { server: await site.serve(), rows, key: await site.key() };
    },
  );

  async function groups(query, key) {
    const found = [];
    let cursor = null;
    do {
      const target = `/api/v1/stats?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`;
      const { status, json, text } = await shared.server.get(target, { key });
      assert.equal(status, 200, `${target}: ${text}`);
      found.push(...json.data);
      cursor = json.nextCursor;
      if (!cursor) return { ...json, data: found };
    } while (found.length < shared.rows.length);
    return assert.fail('no end');
  }

  /** How many trades the list has. */
  async function listed(query, cursor = '', before = 0) {
    const more = cursor && `&cursor=${cursor}`;
    const target = `/api/v1/trades?limit=100&${new URLSearchParams(query)}${more}`;
    const { data, nextCursor } = await shared.server.json(target);
    return nextCursor ? listed(query, nextCursor, before + data.length) : before + data.length;
  }

  for (const who of ['visitor', 'owner of a key'])
    test(`${who}: groups of 100 sets of filters are those of the database, and add up`, () =>
      checkSets(who === 'visitor' ? undefined : shared.key));

  async function checkSets(key) {
    let at = 0;
    const n = DIMENSIONS.length;
    for (const { row, where } of filterSets(shared.rows, 100)) {
      const by = [DIMENSIONS[at % n], DIMENSIONS[(at + 1 + Math.floor(at / n)) % n]];
      const group_by = [...new Set(by)].slice(0, 1 + (at % 2)).join(',');
      at += 1;
      const query = Object.fromEntries(
        where.map((name) => [COLUMNS[name]?.[1] ?? name, row[name]]),
      );
      const kept = shared.rows.filter((one) => where.every((name) => has(one, name, row[name])));
      const expected = new Map();
      for (const one of kept) {
        const key = JSON.stringify(group_by.split(',').map((name) => one[name]));
        expected.set(key, (expected.get(key) ?? 0) + 1);
      }
      const { data, totals, overlaps } = await groups({ ...query, group_by, limit: 100 }, key);
      const is = data.map((group) => {
        const values = group_by.split(',').map((name) => group[name]?.slug ?? group[name]);
        return [JSON.stringify(values), group.trades];
      });
      assert.deepEqual(new Map(is), expected, JSON.stringify({ group_by, ...query }));
      assert.deepEqual([totals.trades, overlaps], [kept.length, false]);
      await checkSeats({ ...query, limit: 100 }, kept, key);
    }
  }

  /** A trade is in the groups of all seats of its member, and of their committees. */
  async function checkSeats(query, kept, key) {
    const expected = new Map();
    for (const { seats } of kept) {
      const ids = new Set([...seats, ...seats.map((id) => id.slice(0, 4))]);
      for (const id of ids.size ? ids : [null]) expected.set(id, (expected.get(id) ?? 0) + 1);
    }
    const { data, totals, overlaps } = await groups({ ...query, group_by: 'seat' }, key);
    assert.deepEqual(new Map(data.map(({ seat, trades }) => [seat, trades])), expected);
    assert.deepEqual([totals.trades, overlaps], [kept.length, true]);
  }

  test('a group has as many trades as the list with its value', async () => {
    for (const [name, [, filter]] of Object.entries(COLUMNS)) {
      if (!filter) continue;
      const { data } = await groups({ group_by: name, sort: 'amountMin', order: 'asc', limit: 7 });
      const sums = data.map(({ amountMin }) => amountMin);
      assert.deepEqual(
        sums,
        sums.toSorted((a, b) => a - b),
      );
      const group = data.find((one) => one[name] !== null);
      const value = group[name].slug ?? group[name];
      assert.equal(await listed({ [filter]: value }), group.trades, `${name} ${value}`);
    }
    const flagged = await groups({ group_by: 'flag_committee', conflict: 'true' });
    assert.equal(flagged.overlaps, true);
    assert.ok(flagged.data.length > 1);
    for (const { flag_committee, trades } of flagged.data)
      for (const name of ['flag_committee', 'committee'])
        assert.equal(await listed({ [name]: flag_committee }), trades, flag_committee);
  });

  test('bad input gets 400 with what fits, and CSV needs a plan', async () => {
    const cases = [
      ['group_by=zodiac', 'politician'],
      ['group_by=year,party,side', 'one or two'],
      ['sort=politicians', 'amountMin'],
      ['order=up', 'asc'],
      ['chamber=moon', 'house'],
    ];
    for (const [query, hint] of cases) {
      const { status, json } = await shared.server.get(`/api/v1/stats?${query}`);
      assert.deepEqual([status, json.error], [400, 'invalid_parameter'], query);
      assert.ok(json.hint.includes(hint), json.hint);
    }
    const csv = await shared.server.get('/api/v1/stats?group_by=side&format=csv');
    assert.deepEqual([csv.status, csv.json.error], [403, 'csv_export_not_available']);
  });

  test('CSV has a line for each group', async () => {
    const key = await shared.site.key();
    const target = '/api/v1/stats?group_by=side,politician&format=csv';
    const response = await shared.server.get(target, { key });
    const [header, ...lines] = parseCsv(response.text);
    assert.deepEqual(header.slice(0, 3), ['politician', 'side', 'trades']);
    const { data } = await shared.server.json('/api/v1/stats?group_by=side,politician');
    assert.deepEqual(
      lines.map((line) => line.slice(0, 4)),
      data.map((one) => [one.politician.slug, one.side, `${one.trades}`, `${one.buys}`]),
    );
  });
});

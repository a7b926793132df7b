// Extensions of the contract (decisions 40 and 41): a trade with its source, the log of
// corrections, coverage, the list of politicians, and the filters without an index.

import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { decodedText } from './lib/client.mjs';
import { reseal } from './lib/digests.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';
import { REVIEWER } from './lib/reviewer.mjs';

const FILED = '11111111-2222-4333-8444-555555555555';
const AMENDED = '22222222-3333-4444-8555-666666666666';
const BULK = '33333333-4444-4555-8666-777777777777';
const FILING = `senate-${FILED}`;
const AMENDMENT = `senate-${AMENDED}`;

const ROWS = [
  { date: '12/01/2023', ticker: 'NWTB', asset: 'Northwind Turbines', owner: 'Self' },
  { date: '01/10/2024', ticker: 'NWTB', asset: 'Northwind Turbines', owner: 'Spouse' },
  {
    date: '01/11/2024',
    ticker: null,
    asset: 'Harbor City Water Bond',
    assetType: 'Municipal Security',
    owner: 'Joint',
    type: 'Sale (Full)',
    amount: '$50,001 - $100,000',
  },
];

/** One old filing in the format of the Senate's bulk history. */
const DUMP_ROW = {
  transaction_date: '06/30/2015',
  owner: 'Self',
  ticker: '--',
  asset_description:
    'Widget &amp; Works Inc.  <div class="text-muted"><em>Rate/Coupon:</em> 4%<br> ' +
    '<em>Matures:</em> 06/30/2031</div>',
  asset_type: 'Stock',
  type: 'Purchase',
  amount: '$15,001 - $50,000',
  comment: '--',
};
const dump = JSON.stringify([
  {
    first_name: HOLLIS.first,
    last_name: HOLLIS.last,
    office: 'Hollis, Dana',
    date_recieved: '07/04/2015',
    ptr_link: `https://efdsearch.senate.gov/search/view/ptr/${BULK}/`,
    transactions: [DUMP_ROW],
  },
]);

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

async function publishPage(site, uuid, html) {
  const file = path.join(site.folder, `${uuid}.html`);
  writeFileSync(file, html);
  await site.stockact('ingest', file);
  await site.stockact('review', 'accept', `senate-${uuid}`, '--by', REVIEWER);
  await site.stockact('publish', `senate-${uuid}`, '--by', REVIEWER);
}

/** A site with bulk history, a reviewed filing, its amendment, a correction and a withdrawal. */
async function prepare(site) {
  const file = (name, text) => {
    writeFileSync(path.join(site.folder, name), text);
    return path.join(site.folder, name);
  };
  await site.stockact('members', 'import', file('members.json', membersJson([HOLLIS, VALE])));
  await site.stockact(
    'backfill',
    'senate-stock-watcher',
    file('dump.json', dump),
    '--by',
    'voucher@example.org',
  );
  const server = await site.serve();
  const html = senatePage({ rows: ROWS });
  await publishPage(site, FILED, html);
  await site.clock.advance(3_600_000);
  const changed = ROWS.map((row, i) => (i === 1 ? { ...row, owner: 'Joint' } : row));
  await publishPage(
    site,
    AMENDED,
    senatePage({ rows: changed, amendment: 1, filed: '02/20/2024 @ 1 PM' }),
  );
  await site.clock.advance(3_600_000);
  const why = ['--by', REVIEWER, '--reason'];
  await site.stockact('correct', `${FILING}-0001`, 'side', 'exchange', ...why, 'It says so.');
  await site.clock.advance(60_000);
  await site.stockact('withdraw', `${FILING}-0003`, ...why, 'Not this member at all.');
  const key = await site.key({ plan: 'den' });
  return { server, key, html, api: await OpenApi.load(server) };
}

onEachDatabase('extensions', (kind) => {
  const shared = useSite({ database: kind, clock: '2024-03-01T12:00:00Z' }, prepare);

  /** GET, checked against the description. */
  async function get(target, options = {}) {
    const response = await shared.server.get(target, { key: shared.key, ...options });
    shared.api.check('GET', target.split('?')[0], response);
    return response;
  }
  const ids = async (query) =>
    (await get(`/api/v1/trades?${query}`)).json.data.map((trade) => trade.id);

  test('a trade has its document, page, row and cells', async () => {
    const response = await get(`/api/v1/trades/${FILING}-0002`);
    assert.equal(response.status, 200);
    const { trade, details, source, conflict } = response.json.data;
    assert.equal(details, null);
    const { data: feed } = (await get('/api/v1/trades?limit=100')).json;
    assert.deepEqual(
      trade,
      feed.find((one) => one.id === trade.id),
    );
    assert.equal(trade.ownerType, 'joint');
    assert.equal(conflict, null);
    const { printed, reviewers, ...rest } = source;
    assert.deepEqual(rest, {
      filingId: FILING,
      url: trade.filingUrl,
      sha256: sha256(shared.html),
      page: null,
      row: 2,
      review: 'unseen', // accepted by a command, without a picture
      reviewSeconds: 0,
      entry: null,
      amends: null,
      capGainsOver200: null,
      tickerBasis: 'filed',
      company: null,
      amendedBy: AMENDMENT,
      corrections: 1,
      notifiedDate: null,
      dueDate: '2024-02-24',
      daysLate: 0,
      doubts: [],
      filedOn: '2024-01-29',
      filedAt: '2024-01-29T23:23:00.000Z',
      firstReportedOn: '2024-01-29',
      daysToReport: 19,
      lateStatus: 'on_time',
      lateReason: 'by_due_date',
      firstPublishedAt: trade.disclosedAt,
    });
    assert.equal(printed.owner, 'Spouse', 'as printed in the document that the row was read from');
    assert.deepEqual(reviewers, [{ name: 'reviewer 1', at: '2024-03-01T12:00:00.000Z' }]);
    assert.doesNotMatch(response.text, /@example|first\.reviewer/);
  });

  test('one person vouches for all of bulk history', async () => {
    const { source } = (await get(`/api/v1/trades/senate-${BULK}-0001`)).json.data;
    assert.deepEqual([source.review, source.reviewSeconds], ['bulk', null]);
    assert.equal(source.sha256, sha256(dump));
    assert.deepEqual(source.reviewers, [{ name: 'reviewer 1', at: '2024-03-01T12:00:00.000Z' }]);
  });

  test('the cells of bulk history are text, also of rows that an older version stored', async () => {
    const bulk = async () => (await get(`/api/v1/trades/senate-${BULK}-0001`)).json.data;
    const printed = async () => (await bulk()).source.printed;
    const cells = {
      owner: 'Self',
      ticker: '--',
      asset: 'Widget & Works Inc.',
      asset_detail: 'Rate/Coupon: 4% Matures: 06/30/2031',
      asset_type: 'Stock',
      type: 'Purchase',
      date: '06/30/2015',
      amount: '$15,001 - $50,000',
      comment: '--',
    };
    assert.deepEqual(await printed(), cells);
    const stored = JSON.stringify(DUMP_ROW).replaceAll("'", "''");
    const trade = `id = 'senate-${BULK}-0001'`;
    const { details } = await bulk();
    assert.deepEqual([details.coupon, details.maturity], ['4', '2031-06-30']);
    await shared.site.database.execute(`UPDATE trade SET printed = '${stored}' WHERE ${trade}`);
    await reseal(shared.site.database);
    assert.deepEqual(await printed(), cells);
  });

  test('a filing has its politician, its source and its trades', async () => {
    const { data } = (await get(`/api/v1/filings/${FILING}`)).json;
    const { data: filings } = (await get('/api/v1/filings?limit=100')).json;
    const { data: trades } = (await get(`/api/v1/trades?limit=100&filing=${FILING}`)).json;
    const { data: log } = (await get(`/api/v1/corrections?limit=100&filing=${FILING}`)).json;
    assert.deepEqual(
      data.filing,
      filings.find(({ id }) => id === FILING),
    );
    assert.ok(trades.length > 0 && trades.every(({ id }) => id.startsWith(`${FILING}-`)));
    assert.deepEqual(data.trades, trades);
    assert.equal(data.nextCursor, null);
    assert.deepEqual(data.politician, trades[0].politician);
    assert.deepEqual(data.source, {
      sha256: sha256(shared.html),
      review: 'unseen',
      reviewSeconds: 0,
      reviewers: [{ name: 'reviewer 1', at: '2024-03-01T12:00:00.000Z' }],
      amends: null,
      amendedBy: AMENDMENT,
      corrections: log.length,
    });
    assert.ok(log.length > 0 && log.every(({ filingId }) => filingId === FILING));
    for (const id of ['house-1', 'x', 'a'.repeat(65), '%00', `${FILING}-0001`]) {
      const missing = await get(`/api/v1/filings/${id}`);
      assert.deepEqual([missing.status, missing.json.error], [404, 'not_found'], id);
    }
  });

  test('a withdrawn trade is 410 with its reason, an unknown one is 404', async () => {
    const gone = await get(`/api/v1/trades/${FILING}-0003`);
    assert.equal(gone.status, 410);
    assert.equal(gone.json.error, 'gone');
    assert.match(gone.json.hint, /Not this member at all\./);
    assert.equal(gone.json.reason, 'Not this member at all.');
    assert.match(gone.json.withdrawnAt, /^2024-/);
    assert.ok(!(await ids('limit=100')).includes(`${FILING}-0003`));
    for (const id of ['house-1-0001', 'x', 'a'.repeat(65), '%00', `${FILING}-0009`]) {
      const missing = await get(`/api/v1/trades/${id}`);
      assert.deepEqual([missing.status, missing.json.error], [404, 'not_found'], id);
    }
  });

  test('the log of corrections has every change, newest first', async () => {
    const { data } = (await get('/api/v1/corrections?limit=100')).json;
    assert.deepEqual(
      data.map(({ tradeId, kind: what, field, old, new: now, reason }) => [
        tradeId,
        what,
        field,
        old,
        now,
        reason,
      ]),
      [
        [`${FILING}-0003`, 'withdrawn', null, null, null, 'Not this member at all.'],
        [`${FILING}-0001`, 'field', 'side', 'buy', 'exchange', 'It says so.'],
        [
          `${FILING}-0002`,
          'field',
          'ownerType',
          'spouse',
          'joint',
          `${AMENDMENT} amends ${FILING}`,
        ],
        [null, 'backfill', null, null, null, null],
      ],
    );
    assert.deepEqual(data.at(-1).backfill, {
      from: '2015-07-04T04:00:00.000Z',
      to: '2015-07-04T04:00:00.000Z',
      trades: 1,
    });
    assert.equal(new Set(data.map((entry) => entry.id)).size, data.length);

    const walked = [];
    const one = '/api/v1/corrections?limit=1';
    for await (const page of shared.server.pages(one, { key: shared.key })) {
      walked.push(...page.data);
    }
    assert.deepEqual(walked, data);
    const first = await get(one);
    const next = /^<(.*)>; rel="next"$/.exec(first.header('link'))[1];
    assert.equal(new URL(next).searchParams.get('cursor'), first.json.nextCursor);

    const since = (await get(`/api/v1/corrections?since=${data[1].at}`)).json.data;
    assert.deepEqual(since, data.slice(0, 2), 'inclusive');
    const filters = {
      [`until=${data[1].at}`]: data.slice(2),
      [`until=${data[1].at}&since=${data[2].at}`]: data.slice(2, 3),
      'kind=backfill': data.slice(3),
      [`trade_id=${FILING}-0001`]: data.slice(1, 2),
      [`trade_id=${FILING.toUpperCase()}-0001&kind=withdrawn`]: [],
      [`filing=${FILING}`]: data.slice(0, 3),
      [`filing=${AMENDMENT}&trade_id=${FILING}-0001`]: [],
      [`politician=dana-hollis&trade_id=${FILING}-0001`]: data.slice(1, 2),
      [`politician=dana-hollis&filing=${FILING}&kind=field`]: data.slice(1, 3),
      [`politician=robin-vale&filing=${FILING}`]: [],
      'ticker=nwtb': data.slice(0, 3).filter(({ tradeId }) => !tradeId.endsWith('-0003')),
      'ticker=NWTB&kind=withdrawn': [],
      [`ticker=NWTB&politician=dana-hollis&trade_id=${FILING}-0001`]: data.slice(1, 2),
      'ticker=NONE': [],
    };
    for (const [query, entries] of Object.entries(filters)) {
      assert.deepEqual((await get(`/api/v1/corrections?${query}`)).json.data, entries, query);
    }
    const { nextCursor } = (await get('/api/v1/trades?limit=1')).json;
    const wrong = await get(`/api/v1/corrections?cursor=${nextCursor}`);
    assert.equal(wrong.json.error, 'invalid_cursor');
    assert.doesNotMatch(first.text, /@/);
  });

  test('coverage adds up and equals that of the command line', async () => {
    const { data } = (await get('/api/v1/coverage')).json;
    const told = await shared.site.stockact('coverage');
    assert.deepEqual(data.counts, told);
    assert.equal(
      data.total,
      data.counts.reduce((sum, one) => sum + one.count, 0),
    );
    assert.equal(data.total, 3);
    assert.equal(data.newestDocument.sourceDocId, AMENDED);
    assert.deepEqual(data.backfills.length, 1);
    assert.equal(data.backfills[0].at, '2024-03-01T12:00:00.000Z');
  });

  test('politicians are listed by slug and found by name', async () => {
    const all = (await get('/api/v1/politicians')).json;
    assert.deepEqual(
      all.data.map((one) => one.slug),
      ['dana-hollis', 'robin-vale'],
    );
    const { data } = (await get('/api/v1/politicians/robin-vale')).json;
    const { counts, lastActivity, ...profile } = all.data[1];
    assert.deepEqual(profile, data.profile);
    assert.deepEqual([counts, lastActivity], [data.counts, data.lastActivity]);
    const slugs = async (query) =>
      (await get(`/api/v1/politicians?${query}`)).json.data.map((one) => one.slug);
    assert.deepEqual(await slugs('q=HOLL%C3%8DS'), ['dana-hollis']);
    assert.deepEqual(await slugs('q=vale+rob'), ['robin-vale']);
    assert.deepEqual(await slugs('q=nobody'), []);
    assert.deepEqual(await slugs('chamber=senate'), ['dana-hollis']);
    const page = await get('/api/v1/politicians?limit=1&chamber=house');
    assert.equal(page.json.nextCursor, null);
    const walked = [];
    for await (const one of shared.server.pages('/api/v1/politicians?limit=1', {
      key: shared.key,
    })) {
      walked.push(...one.data);
    }
    assert.deepEqual(walked, all.data);
  });

  test('trades are filtered by the values of their rows', async () => {
    const [first, second] = [`${FILING}-0001`, `${FILING}-0002`];
    const bulk = `senate-${BULK}-0001`;
    assert.deepEqual(await ids('side=exchange'), [first]);
    assert.deepEqual(await ids('owner=joint'), [second]);
    assert.deepEqual(await ids('traded_from=2024-01-10'), [second]);
    assert.deepEqual(await ids('traded_to=2015-06-30'), [bulk]);
    assert.deepEqual(await ids('amount_min=15001'), [bulk]);
    assert.deepEqual(await ids('amount_min=15002'), []);
    assert.deepEqual(await ids('asset_type=stock&state=OR&party=Independent&conflict=false'), [
      second,
      first,
      bulk,
    ]);
    assert.deepEqual(await ids('party=independent'), await ids('party=I'));
    assert.deepEqual(await ids('party=democrat'), []);
    assert.deepEqual(await ids('state=CA'), []);
    assert.deepEqual(await ids('conflict=true'), []);
    const { data } = (await get('/api/v1/trades')).json;
    assert.deepEqual(await ids(`until=${data[0].disclosedAt}`), [bulk], 'exclusive');
    assert.deepEqual(await ids(`since=${data[0].disclosedAt}&owner=joint`), [second]);

    const csv = await shared.server.get('/api/v1/trades?owner=joint&format=csv', {
      key: shared.key,
    });
    const [, row, end] = csv.text.split('\r\n');
    assert.ok(row.startsWith(`${second},`) && end === '');
    const page = await get('/api/v1/trades?limit=1&state=OR');
    assert.match(page.header('link'), /state=OR/);
  });

  test('extensions are metered, tagged, compressed and described like other resources', async () => {
    const targets = [
      `/api/v1/trades/${FILING}-0001`,
      '/api/v1/corrections',
      '/api/v1/changes',
      '/api/v1/events',
      '/api/v1/coverage',
      '/api/v1/politicians',
    ];
    for (const target of targets) {
      const before = Number((await get(target)).header('x-ratelimit-remaining'));
      const response = await get(target);
      assert.equal(Number(response.header('x-ratelimit-remaining')), before - 1, target);
      const etag = response.header('etag');
      const same = await get(target, { headers: { 'If-None-Match': etag } });
      assert.equal(same.status, 304, target);
      const head = await shared.server.request('HEAD', target, { key: shared.key });
      assert.equal(head.header('content-length'), response.header('content-length'), target);
      const zipped = await get(target, { headers: { 'Accept-Encoding': 'gzip' } });
      assert.equal(decodedText(zipped), response.text, target);
      const post = await shared.server.request('POST', target, { key: shared.key });
      assert.equal(post.status, 405, target);
      const unknown = await get(`${target}?foo=1`);
      assert.equal(unknown.json.error, 'invalid_parameter', target);
      const bad = await get(target, { key: 'svc_nobody' });
      assert.equal(bad.status, 401, target);
    }
    const docs = (await shared.server.get('/llms-full.txt')).text;
    for (const name of [
      '/trades/{id}',
      '/corrections',
      '/changes',
      '/events',
      '/coverage',
      '/politicians`',
      'daysLate',
    ]) {
      assert.ok(docs.includes(name), name);
    }
  });
});

async function withHollis(t, options) {
  const site = await makeSite(t, { clock: '2024-03-01T12:00:00Z', ...options });
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([HOLLIS]));
  await site.stockact('members', 'import', members);
  return site;
}

const sourceOf = async (server, id) => (await server.json(`/api/v1/trades/${id}`)).data.source;

test('a row added by an amendment names the amended filing', async (t) => {
  const site = await withHollis(t);
  await publishPage(site, FILED, senatePage({ rows: ROWS.slice(0, 2) }));
  await publishPage(site, AMENDED, senatePage({ rows: ROWS, amendment: 1 }));
  const server = await site.serve();
  const first = await sourceOf(server, `${FILING}-0001`);
  assert.deepEqual([first.amends, first.amendedBy], [null, AMENDMENT]);
  const added = await sourceOf(server, `${AMENDMENT}-0003`);
  assert.deepEqual([added.amends, added.amendedBy], [FILING, null]);
});

test('a hand-entered trade has two reviewers and no digest', async (t) => {
  const site = await withHollis(t, { env: { STOCKACT_SECOND_REVIEWER: '1' } });
  const by = ['--by', REVIEWER];
  const url = ['--url', `https://efdsearch.senate.gov/search/view/paper/${FILED}/`];
  const filer = ['--filer', 'dana-hollis', '--filed', '2024-01-29'];
  await site.stockact('review', 'new', 'senate', FILED, ...by, ...filer, ...url);
  const cells = ['assetName=Widget Works', 'side=buy', 'amountBucket=1k_15k'];
  const dates = ['tradeDate=2023-12-01', 'notifiedDate=2023-12-20'];
  await site.stockact('review', 'add-row', FILING, ...cells, ...dates, '--page', 2, ...by);
  await site.stockact('review', 'accept', FILING, ...by);
  await site.clock.advance(60_000);
  const second = ['--by', 'second.reviewer@example.org'];
  await site.stockact('review', 'accept', FILING, ...second);
  await site.stockact('publish', FILING, ...second);
  const server = await site.serve();
  const { reviewers, ...source } = await sourceOf(server, `${FILING}-0001`);
  assert.deepEqual(reviewers, [
    { name: 'reviewer 1', at: '2024-03-01T12:00:00.000Z' },
    { name: 'reviewer 2', at: '2024-03-01T12:01:00.000Z' },
  ]);
  assert.deepEqual(
    [source.sha256, source.page, source.review, source.entry],
    [null, 2, 'unseen', 'single'],
  );
  assert.deepEqual(
    [source.notifiedDate, source.dueDate, source.daysLate],
    ['2023-12-20', '2024-01-15', 14],
  );
});

test('with Redis, a worker gets the request after it was counted', async (t) => {
  const site = await withHollis(t, { redis: true });
  const server = await site.serve();
  for (const [target, status] of [
    ['/api/v1/coverage', 200],
    ['/api/v1/corrections?limit=2', 200],
    ['/api/v1/trades/none-0001', 404],
    ['/api/v1/corrections?limit=0', 400],
  ]) {
    assert.equal((await server.get(target)).status, status, target);
  }
  const last = await server.get('/api/v1/politicians');
  assert.equal(last.header('x-ratelimit-remaining'), '5');
});

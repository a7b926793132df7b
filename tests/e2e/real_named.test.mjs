// Cases of the real data that are known by name: a party of its day, a late seat, a symbol of a dead
// company, a put, a report with a page taken out, and what the audit says about all of it. Reads
// ../shared/data and is skipped without it.

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test, { before, describe } from 'node:test';
import { programPath } from './lib/programs.mjs';
import { noSharedData, root, sharedData } from './lib/settings.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const house = sharedData('house', 'ptr-pdf');
const pages = sharedData('senate', 'ptr-html');
/** An amendment of 127 rows whose original is in the history alone. */
const AMENDMENT = '5bdbba1a-4794-48fa-a26c-09717428dc37';
const ORIGINAL = 'senate-112fdda9-70c4-4cc5-a386-5c9491ba2d9b';
const amendment = sharedData('failing', `${AMENDMENT}.html`);
const dump = sharedData('senate', 'stock-watcher', 'all_daily_summaries.json');
const members = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);
const former = sharedData('congress-legislators', 'history', 'former-members-since-2012.json');
const lists = [
  'sp500-constituents.csv',
  'sec-company-tickers-exchange.json',
  'sec-cik-mapper.csv',
  'nasdaq-listed.csv',
  'other-listed.csv',
].map((name) => sharedData('tickers', name));
const found = [house, pages, dump, former, amendment, ...members, ...lists].every(Boolean);
const skip = found ? false : noSharedData;

/** Reports that are published beside the history. docs/audit.md quotes the audit of them. */
const OLD = '20011886'; // its file has small letters for capitals
const REPORTS = [OLD, '20027885', '20030291', '20024542'];
const PUT = '40602988-914b-49a7-b7d7-e82d7b0364b2';
const TIMED = '574d62bd-eab2-416f-8249-3bc33b68f681'; // the history has its day alone

async function publish(site, id) {
  await site.stockact('review', 'accept', id, ...BY);
  const [result] = await site.stockact('publish', id, ...BY);
  return result;
}

/** Publishes the amendment; returns what became of its rows, and its trades by lateness. */
async function publishAmendment({ site, server, key }) {
  await site.stockact('ingest', amendment);
  const result = await publish(site, `senate-${AMENDMENT}`);
  const ids = { true: [], false: [], unknown: [] };
  for (const late of Object.keys(ids)) {
    const target = `/api/v1/trades?limit=100&fields=dates&politician=P000612&late=${late}`;
    for await (const page of server.pages(target, { key }))
      ids[late].push(...page.data.filter(({ dates }) => dates.filedOn === '2016-09-01'));
  }
  return { result, ids };
}

async function prepare(site) {
  await site.stockact('members', 'import', ...members);
  await site.stockact('members', 'import', former);
  await site.stockact('tickers', 'import', ...lists);
  await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
  const files = [
    ...REPORTS.map((id) => `${house}/${id}.pdf`),
    ...[PUT, TIMED].map((id) => `${pages}/${id}.html`),
  ];
  await site.stockact('ingest', ...files);
  const bulk = await site.database.query('SELECT id, printed FROM trade ORDER BY no');
  const ids = [...REPORTS.map((id) => `house-${id}`), `senate-${PUT}`, `senate-${TIMED}`];
  for (const id of ids) await publish(site, id);
  return { bulk, server: await site.serve(), key: await site.key({ plan: 'den' }) };
}

/** The instant that a page of the Senate prints: "Filed 03/14/2016 @ 4:33 PM", in Washington. */
function printedInstant(html) {
  const [, month, day, year, hour, minute, half] =
    /Filed\s+(\d\d)\/(\d\d)\/(\d{4})\s+@\s+(\d+):(\d\d)\s+([AP]M)/.exec(html);
  const hours = (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  const asUtc = Date.UTC(year, month - 1, day, hours, minute);
  const zone = new Intl.DateTimeFormat('en', {
    timeZone: 'America/New_York',
    timeZoneName: 'longOffset',
  });
  const { value } = zone.formatToParts(asUtc).find(({ type }) => type === 'timeZoneName');
  return new Date(asUtc - Number(value.slice(3, 6)) * 3_600_000).toISOString();
}

/** The lines of the audit that docs/audit.md quotes for the whole collection. */
function quotedAudit() {
  const [, section] = readFileSync(path.join(root, 'docs/audit.md'), 'utf8').split(
    '## Output on real data',
  );
  const [, block] = /```text\n([^`]*)```/.exec(section);
  const [head, ...lines] = block.trim().split('\n');
  assert.equal(head, 'kind\twhat\tsubject\tpublished\tother\tdays');
  const kinds = Object.fromEntries(
    [...section.matchAll(/^\| `(\w+)` \| ([\d,]+) [^|]*\| ([^|]*)\|$/gm)].map(
      ([, kind, , disagreements]) => [kind, disagreements.trim()],
    ),
  );
  return { lines, kinds };
}

if (skip) {
  test('the named cases of the real data', { skip }, () => {});
} else {
  describe('the named cases of the real data', () => {
    const shared = useSite({ env: { STOCKACT_BENCH_UNLIMITED: '1' } }, prepare);
    const get = async (target) => shared.server.json(target, { key: shared.key });
    const trade = async (id) => (await get(`/api/v1/trades/${id}`)).data;

    async function trades(filter) {
      const rows = [];
      for await (const page of shared.server.pages(`/api/v1/trades?limit=100&${filter}`, {
        key: shared.key,
      }))
        rows.push(...page.data);
      return rows;
    }

    test('rows of an amendment are those of its original, and late only by it', async (t) => {
      const { result, ids } = await publishAmendment(shared);
      assert.equal(result.linked, 125, 'the same as rows of the history');
      assert.deepEqual([result.added, result.corrected, result.withdrawn], [1, 1, 1]);
      assert.deepEqual(ids.true, [], 'none is late by the amendment');
      const original = await trades('politician=P000612&fields=dates&filing=' + ORIGINAL);
      assert.equal(original.length, 126, 'without the one that was withdrawn');
      for (const { id, tradeDate, dates } of original) {
        const days = (Date.parse('2015-06-04') - Date.parse(tradeDate)) / 86_400_000;
        assert.equal(dates.lateStatus, days > 45 ? 'late' : 'on_time', `${id}: by the original`);
      }

      const site = await makeSite(t, { env: { STOCKACT_BENCH_UNLIMITED: '1' } });
      await site.stockact('members', 'import', ...members);
      await site.stockact('members', 'import', former);
      const [server, key] = [await site.serve(), await site.key({ plan: 'den' })];
      const alone = await publishAmendment({ site, server, key });
      assert.equal(alone.result.added, 127);
      assert.deepEqual(
        [alone.ids.true.length, alone.ids.false.length, alone.ids.unknown.length],
        [0, 0, 127],
      );
      for (const { dates } of alone.ids.unknown)
        assert.deepEqual([dates.lateReason, dates.daysLate], ['original_missing', null]);
      const { counts } = (await server.json('/api/v1/politicians/P000612', { key })).data;
      assert.deepEqual([counts.trades, counts.late, counts.lateUnknown], [127, 0, 127]);
    });

    test('Manchin was a Democrat in 2016, and is not one today', async () => {
      const all = await trades('politician=M001183');
      assert.equal(all.length, 12);
      assert.ok(all.some((one) => one.disclosedDate?.startsWith('2016') || one.tradeDate < '2017'));
      for (const one of all) assert.equal(one.politician.party, 'Democrat', one.id);
      const { profile } = (await get('/api/v1/politicians/M001183')).data;
      assert.equal(profile.party, 'Independent');
      assert.deepEqual((await get('/api/v1/corrections')).data.filter(isParty), []);
    });

    test("Loeffler's trades before her first list are judged by it, and say so", async () => {
      const flagged = await trades('politician=L000594&conflict=true');
      assert.ok(flagged.length > 10, `${flagged.length} signals`);
      const early = flagged.filter((one) => one.tradeDate < '2020-05-19');
      const inForce = flagged.filter((one) => one.tradeDate >= '2020-05-19');
      assert.ok(early.length > 0);
      for (const one of [early.at(0), early.at(-1), ...inForce.slice(0, 1)]) {
        const { conflict } = await trade(one.id);
        const late = early.includes(one);
        assert.equal(conflict.basis, late ? 'later_list' : 'in_force');
        if (late) assert.equal(conflict.seatsAsOf, '2020-05-19', 'her first list');
        assert.match(one.conflictReason, /^Kelly Loeffler sat on the Senate Committee on /);
        const end = `; seats as of ${conflict.seatsAsOf}${late ? ', a list later than the trade' : ''}.`;
        assert.ok(one.conflictReason.endsWith(end), one.conflictReason);
      }
    });

    test('every sentence of the real signals is short, and none asserts an earliest list', async () => {
      const flagged = await trades('conflict=true');
      assert.ok(flagged.length > 1000, `${flagged.length} signals`);
      for (const { id, conflictReason } of flagged) {
        assert.ok([...conflictReason].length < 300, id);
        assert.ok(!/earliest list/.test(conflictReason), conflictReason);
      }
    });

    test('a symbol that only the name prints is the symbol of the trade', async () => {
      const rows = shared.bulk.filter((row) =>
        row.printed.includes('"Baxter International (BAX)"'),
      );
      assert.ok(rows.length > 0);
      for (const row of rows) {
        const { trade: one, source } = await trade(row.id);
        assert.deepEqual([one.ticker, one.assetName], ['BAX', 'Baxter International']);
        assert.equal(source.printed.ticker, '--');
        assert.equal(source.printed.asset, 'Baxter International (BAX)');
      }
    });

    test('what the history prints is text', async () => {
      assert.ok(shared.bulk.length > 8000);
      const marked = shared.bulk.filter((row) =>
        Object.values(JSON.parse(row.printed)).some((cell) =>
          /<\/?[a-z][^>]*>|&#?\w+;/i.test(cell),
        ),
      );
      assert.deepEqual(marked.slice(0, 3), []);
      const source = JSON.parse(readFileSync(dump, 'utf8'));
      const markup = source
        .flatMap((filing) => filing.transactions)
        .filter((row) => /<div|&amp;/.test(row.asset_description)).length;
      assert.ok(markup > 100, 'the file has markup');
    });

    test('an old House report has the capitals of its pages', async () => {
      const rows = await trades('ticker=AAGIY');
      const old = rows.filter((row) => row.id.startsWith(`house-${OLD}`));
      assert.ok(old.length > 0);
      const { trade: one, source } = await trade(old[0].id);
      assert.equal(one.assetName, 'AIA Group, Ltd. Sponsored American Depository Receipt');
      assert.equal(
        source.printed.asset_stored,
        'aIa group, ltd. Sponsored american Depository Receipt (aagIY) [ST]',
      );
    });

    test('a put has its strike and expiry where they are asked for', async () => {
      const id = `senate-${PUT}-0007`;
      const { details, source, trade: one } = await trade(id);
      assert.match(source.printed.asset_detail, /Option Type: Put Strike price: \$23\.00/);
      const { optionType, strike, expiry } = details;
      assert.deepEqual([optionType, strike, expiry], ['put', '23.00', '2023-01-20']);
      assert.ok(!('details' in one));
      const [plain] = (await trades('ticker=X')).filter((row) => row.id === id);
      assert.ok(!('details' in plain), 'absent by default');
      const [asked] = (await trades('ticker=X&fields=details')).filter((row) => row.id === id);
      assert.deepEqual(asked.details, details);
    });

    test('filedAt is the time of the page', async () => {
      const html = readFileSync(`${pages}/${TIMED}.html`, 'utf8');
      const expected = printedInstant(html);
      const filings = [];
      const { server, key } = shared;
      for await (const page of server.pages('/api/v1/filings?limit=100', { key }))
        filings.push(...page.data);
      const filing = filings.find((one) => one.id === `senate-${TIMED}`);
      assert.equal(filing.filedAt, expected);
      const log = (await get('/api/v1/corrections?limit=100')).data;
      const entry = log.find((one) => one.field === 'filedAt');
      assert.deepEqual([entry.filingId, entry.new], [filing.id, expected]);
      assert.notEqual(entry.old, expected);
    });

    test('the audit says what docs/audit.md quotes of it', async () => {
      const { lines, kinds } = quotedAudit();
      const done = await shared.site.run(['audit']);
      assert.equal(done.code, 1, 'there are disagreements');
      const printed = done.stdout.trim().split('\n');
      const counts = Object.fromEntries(
        printed
          .map((line) => /^(\w+) +(\d+)$/.exec(line))
          .filter(Boolean)
          .map((one) => one.slice(1)),
      );
      const said = printed.filter((line) => line.split('\t').length === 6);
      for (const line of lines) assert.ok(said.includes(line), line);
      assert.equal(Object.keys(kinds).length, 6);
      for (const [kind, disagreements] of Object.entries(kinds)) {
        const alone = await shared.site.run(['audit', '--kind', kind, '--json']);
        assert.equal(alone.code, disagreements === '0' ? 0 : 1, kind);
        const last = JSON.parse(alone.stdout.trim().split('\n').at(-1));
        assert.equal(last.error, disagreements === '0' ? undefined : 'disagreements');
      }
      const total = shared.bulk.length + (await newTrades());
      assert.equal(Number(counts.seatsCompared), total);
      assert.equal(Number(counts.readingCompared), REPORTS.length);
      assert.match(done.stderr, new RegExp(`${said.length - 1} disagreements, listed above`));
    });

    async function newTrades() {
      const [{ n }] = await shared.site.database.query(
        `SELECT count(*) AS n FROM trade WHERE id LIKE 'house-%' OR id LIKE 'senate-${PUT}%'`,
      );
      return Number(n);
    }
  });
}

const isParty = (entry) => entry.field === 'politician.party';

test(
  'terms that are imported later correct the trades, as docs/audit.md says',
  { skip },
  async (t) => {
    const site = await makeSite(t);
    await site.stockact('members', 'import', ...members);
    await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
    await site.stockact('members', 'import', former);
    const before = await site.run(['audit', '--kind', 'members']);
    assert.equal(before.code, 1);
    const lines = before.stdout.split('\n').filter((line) => line.startsWith('members\t'));
    assert.equal(lines.length, 6);
    for (const line of lines)
      assert.match(line, /\tparty\tsenate-[-0-9a-f]+\tIndependent\tDemocrat\t0$/);
    const text = readFileSync(path.join(root, 'docs/audit.md'), 'utf8');
    const quoted = text.split('\n').filter((line) => line.startsWith('members\tparty\t'));
    assert.ok(quoted.length > 0);
    for (const line of quoted) assert.ok(lines.includes(line), line);
    const why = [...BY, '--reason', 'the party of the filing date'];
    const sum = (await site.stockact('members', 'correct', ...why)).at(-1);
    assert.deepEqual(sum, { filings: 6, trades: 12, entries: 12 });
    assert.equal((await site.run(['audit', '--kind', 'members'])).code, 0);
  },
);

const qpdf = programPath('qpdf');
const noQpdf = qpdf ? false : 'no qpdf here';

describe('real reports that are not whole', { skip: skip || noQpdf }, () => {
  let folder;
  const told = {};
  const shared = skip || noQpdf ? null : useSite({}, (site) => ({ site }));

  before(async () => {
    const { site } = shared;
    await site.stockact('members', 'import', ...members);
    folder = path.join(site.folder, 'inbox');
    mkdirSync(folder);
    const write = (name, pick) =>
      execFileSync(qpdf, ['--empty', '--pages', ...pick, '--', path.join(folder, `${name}.pdf`)]);
    const [first, second, third] = REPORTS.map((id) => `${house}/${id}.pdf`);
    write(REPORTS[0], [first, '1,3-z']);
    write(REPORTS[1], [second, '1-z', third, '1-z']);
    write(REPORTS[2], [third, '1-z']);
    for (const line of await site.stockact('ingest', folder)) told[line.document] = line;
  });

  test('a page that was taken out is noticed', () => {
    const { status, reason } = told[`${REPORTS[0]}.pdf`];
    assert.equal(status, 'needs_manual');
    assert.match(reason, /pages_whole \(a page is missing before page 2 of 10\)/);
  });

  test('a second report behind the first is noticed', () => {
    const { status, reason } = told[`${REPORTS[1]}.pdf`];
    assert.equal(status, 'needs_manual');
    assert.match(reason, /one_report \(another Filing ID is printed: 20030291\)/);
  });

  test('the same pages in a new file are whole', () => {
    const { status, reason } = told[`${REPORTS[2]}.pdf`];
    assert.equal(status, 'draft', reason);
  });
});

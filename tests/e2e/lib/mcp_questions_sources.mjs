// Questions about documents, corrections and coverage; see mcp_questions.mjs.

import { strict as assert } from 'node:assert';

const newest = () => ['list_trades', { limit: 1 }];
const theTrade = (d, [{ data }]) => ['get_trade', { id: data[0].id }];
const sum = (counts, keep) => counts.filter(keep).reduce((total, { count }) => total + count, 0);
const isPublic = ({ state }) => state === 'published' || state === 'amended';

const DAY_MS = 86_400_000;
const addDays = (day, count) =>
  day === null ? null : new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);
const inWashington = (instant) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date(instant));

/** A filing of the trade's document. */
const filingOf = (d, trade) => d.filings.find(({ id }) => trade.id.startsWith(`${id}-`));

export const QUESTIONS = [
  {
    asks: () => 'Where is the official document of the latest trade?',
    calls: [newest, theTrade],
    fits(d, [list, { data }]) {
      assert.equal(data.source.url, filingOf(d, d.newest).url);
      assert.equal(list.data[0].filingUrl, data.source.url);
    },
    source: (rows, [, { data }]) => assert.ok(rows.some(({ url }) => url === data.source.url)),
  },
  {
    asks: () => 'Was the latest trade reported late?',
    calls: [newest, theTrade],
    fits(d, [, { data }]) {
      const { notifiedDate, dueDate, daysLate, lateStatus } = data.source;
      const due = [addDays(notifiedDate, 30), addDays(d.newest.tradeDate, 45)]
        .filter((day) => day !== null)
        .sort()[0];
      const filed = inWashington(filingOf(d, d.newest).filedAt);
      const late = Math.max(0, (Date.parse(filed) - Date.parse(due)) / DAY_MS);
      assert.equal(lateStatus, late ? 'late' : 'on_time');
      assert.deepEqual([dueDate, daysLate], [due, late]);
    },
  },
  {
    asks: () => 'What does the document of the latest trade say in that row?',
    calls: [newest, theTrade],
    fits(d, [, { data }]) {
      assert.equal(data.source.row, Number(/-(\d+)$/.exec(d.newest.id)[1]));
      assert.ok(Object.keys(data.source.printed).includes('asset'));
    },
  },
  {
    asks: () => 'Which reports were published last?',
    calls: [() => ['list_filings', { limit: 20 }]],
    fits: (d, [{ data }]) => assert.deepEqual(data, d.filings.slice(0, 20)),
  },
  {
    asks: () => 'Which reports did the Senate publish last?',
    calls: [() => ['list_filings', { chamber: 'senate', limit: 100 }]],
    fits(d, [{ data }]) {
      const wanted = d.filings.filter(({ chamber }) => chamber === 'senate');
      assert.deepEqual(data, wanted.slice(0, 100));
    },
  },
  {
    asks: () => 'Which reports did the member of the latest trade file?',
    calls: [(d) => ['list_filings', { politician_slug: d.newest.politician.slug, limit: 100 }]],
    fits(d, [{ data }]) {
      const { politicianId } = filingOf(d, d.newest);
      const wanted = d.filings.filter((one) => one.politicianId === politicianId);
      assert.deepEqual(data, wanted.slice(0, 100));
    },
  },
  {
    asks: () => 'What was corrected after publication?',
    calls: [() => ['list_corrections', { limit: 100 }]],
    fits(d, [{ data }]) {
      assert.deepEqual(data, d.corrections.slice(0, 100));
      assert.ok(data.some(({ kind }) => kind === 'field'));
    },
  },
  {
    asks: (d) => `What was corrected in the reports of ${d.corrected.politician.name}?`,
    calls: [(d) => ['list_corrections', { politician_slug: d.corrected.politician.slug }]],
    fits(d, [{ data }]) {
      const entry = data.find(
        ({ tradeId, kind }) => tradeId === d.corrected.id && kind === 'field',
      );
      assert.deepEqual([entry.field, entry.reason], ['assetName', 'misread']);
    },
  },
  {
    asks: () => 'Why is that trade gone?',
    calls: [
      (d) => ['get_trade', { id: d.withdrawn.id }],
      (d) => ['list_corrections', { politician_slug: d.withdrawn.politician.slug }],
    ],
    fits(d, [trade, { data }]) {
      assert.match(trade.failure, /later withdrawn\..*filed twice/);
      const entry = data.find(({ tradeId }) => tradeId === d.withdrawn.id);
      assert.deepEqual([entry.kind, entry.reason], ['withdrawn', 'filed twice']);
    },
  },
  {
    asks: (d) => `Was anything of ${d.quiet.name} corrected?`,
    calls: [(d) => ['list_corrections', { politician_slug: d.quiet.slug }]],
    fits(d, [{ data, note }]) {
      assert.deepEqual(data, []);
      assert.match(note, /Nothing of this politician was corrected/);
    },
  },
  {
    asks: () => 'How many reports does the data rest on?',
    calls: [() => ['get_coverage', {}]],
    fits: (d, [{ data }]) => assert.equal(sum(data.counts, isPublic), d.filings.length),
    source: (rows, [{ data }]) => assert.equal(data.total, 1442, 'reports in the file'),
  },
  {
    asks: (d) => `Is ${d.year.name} complete?`,
    calls: [() => ['get_coverage', {}]],
    fits(d, [{ data }]) {
      const ofYear = ({ filedAt }) => inWashington(filedAt).startsWith(d.year.name);
      const published = d.filings.filter(ofYear).length;
      const told = (one) => isPublic(one) && one.year === Number(d.year.name);
      assert.equal(sum(data.counts, told), published);
    },
  },
  {
    asks: () => 'How many reports are on paper and not read yet?',
    calls: [() => ['get_coverage', {}]],
    fits: (d, [{ data }]) => assert.deepEqual(data, d.coverage),
    source: (rows, [{ data }]) =>
      assert.equal(
        sum(data.counts, ({ state }) => state === 'needs_manual'),
        463,
      ),
  },
  {
    asks: () => 'Is this real data?',
    calls: [() => ['get_coverage', {}]],
    fits: (d, [{ data, dataNotice }]) =>
      assert.deepEqual(
        [data.data, dataNotice !== undefined],
        d.real ? ['real', false] : ['invented', true],
      ),
  },
];

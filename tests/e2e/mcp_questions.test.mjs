// Questions that people ask a language model, each answered by at most three calls of the tools.
// The answers are compared with the API, read without the tools, and on real data also with the file
// that was imported. All are asked about demonstration data, and about the real Senate history where
// the folder of real data is.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import test, { describe } from 'node:test';
import { Peer } from './lib/mcp_peer.mjs';
import { CALLS_MAX, UNNAMED, monthOf, readData, yearOf } from './lib/mcp_questions.mjs';
import { QUESTIONS as ABOUT_PEOPLE } from './lib/mcp_questions_people.mjs';
import { QUESTIONS as ABOUT_SIGNALS } from './lib/mcp_questions_signals.mjs';
import { QUESTIONS as ABOUT_SOURCES } from './lib/mcp_questions_sources.mjs';
import { QUESTIONS as ABOUT_TRADES } from './lib/mcp_questions_trades.mjs';
import { BY } from './lib/reviewer.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const QUESTIONS = [...ABOUT_TRADES, ...ABOUT_PEOPLE, ...ABOUT_SIGNALS, ...ABOUT_SOURCES];
const UNLIMITED = { STOCKACT_BENCH_UNLIMITED: '1' };
const NOTICE = /^The data of this server is invented for demonstration/;

test('there are at least 60 questions, with three calls at most', () => {
  assert.ok(QUESTIONS.length >= 60, `${QUESTIONS.length}`);
  for (const { calls } of QUESTIONS) assert.ok(calls.length <= CALLS_MAX);
});

/** Serves the site, corrects one trade and withdraws another, and reads everything. */
async function prepare(site, own) {
  const server = await site.serve();
  const key = await site.key({ plan: 'den' });
  const { data } = await server.json('/api/v1/trades?limit=100', { key });
  const [corrected, withdrawn] = [data.at(-1), data.at(-2)];
  await site.stockact(
    ...['correct', corrected.id, 'assetName', 'Corrected name', ...BY, '--reason', 'misread'],
  );
  await site.stockact('withdraw', withdrawn.id, ...BY, '--reason', 'filed twice');
  const d = await readData(server, key, { corrected, withdrawn, ...own });
  return { server, key, d };
}

/** Calls the tool: what it found, or {failure}. */
async function call(peer, d, tool, args) {
  const { isError, content, structuredContent } = await peer.call(tool, args);
  if (d.real) assert.doesNotMatch(content[0].text, /invented for demonstration/);
  else if (!isError) assert.match(structuredContent.dataNotice, NOTICE);
  return isError ? { failure: content[0].text } : structuredContent;
}

/** The answers to a question's calls. A list that has no room for all its rows is continued. */
async function askOne(peer, d, { calls }) {
  const answers = [];
  let made = 0;
  for (const next of calls) {
    const [tool, args] = next(d, answers);
    let answer = await call(peer, d, tool, args);
    made += 1;
    while (
      tool !== 'find_politician' &&
      answer.nextCursor &&
      answer.data.length < (args.limit ?? 25)
    ) {
      const limit = (args.limit ?? 25) - answer.data.length;
      const more = await call(peer, d, tool, { ...args, limit, cursor: answer.nextCursor });
      answer = { ...more, data: [...answer.data, ...more.data] };
    }
    answers.push(answer);
  }
  assert.ok(made <= CALLS_MAX, `${made} calls`);
  return answers;
}

function askAll(shared, kind, rows) {
  for (const question of QUESTIONS) {
    if (question.only && question.only !== kind) continue;
    test(question.asks(UNNAMED), async (t) => {
      const { server, key, d } = shared;
      t.diagnostic(question.asks(d));
      const peer = await Peer.start(t, { url: server.url, key });
      const answers = await askOne(peer, d, question);
      await question.fits(d, answers);
      if (rows) question.source?.(rows, answers, d);
    });
  }
}

describe('questions about demonstration data', () => {
  const options = { env: UNLIMITED, clock: '2026-03-31T12:00:00Z' };
  const shared = useSite(options, async (site) => {
    await site.stockact('demo', '--trades', 1500);
    return prepare(site, { real: false });
  });
  askAll(shared, 'demo');
});

const legislators = sharedData('congress-legislators');
const symbols = sharedData('tickers');
const dump = sharedData('senate', 'stock-watcher', 'all_daily_summaries.json');
const skip = legislators && symbols && dump ? false : noSharedData;

/** Some rows have the symbol in the asset: "aapl", "AAPL-Apple Inc." or "Apple, Inc (AAPL)". */
function symbolOf({ ticker, asset_description }) {
  if (ticker !== '--') return ticker.replace(/<[^>]*>/g, '');
  const [, symbol] = /\(([A-Z.]+)\)$/.exec(asset_description) ?? [];
  return symbol ?? /^[A-Za-z.]*/.exec(asset_description)[0].toUpperCase();
}

/** The rows of the file, with days as 2020-03-01 and the least amount in dollars. */
const readRows = () =>
  JSON.parse(readFileSync(dump, 'utf8')).flatMap(({ last_name, ptr_link, transactions }) =>
    transactions.map((row) => ({
      last: last_name,
      url: ptr_link,
      day: row.transaction_date.replace(/(\d+)\/(\d+)\/(\d+)/, '$3-$1-$2'),
      ticker: symbolOf(row),
      type: row.type,
      owner: row.owner,
      least: Number(/[\d,]+/.exec(row.amount)[0].replaceAll(',', '')),
    })),
  );

async function importReal(site) {
  const members = ['legislators-current.json', 'legislators-historical.csv'];
  const lists = ['sp500-constituents.csv', 'sec-company-tickers-exchange.json'];
  await site.stockact('members', 'import', ...members.map((name) => `${legislators}/${name}`));
  await site.stockact('tickers', 'import', ...lists.map((name) => `${symbols}/${name}`));
  const [seats, names] = [
    `${legislators}/history/seats.csv`,
    `${legislators}/history/committees.csv`,
  ];
  await site.stockact('committees', 'import', '--spans', seats, '--names', names);
  await site.stockact('backfill', 'senate-stock-watcher', dump, ...BY);
}

describe('questions about the real Senate history', { skip }, () => {
  const shared = useSite({ env: UNLIMITED }, async (site) => {
    if (skip) return {};
    await importReal(site);
    return prepare(site, {
      real: true,
      person: { name: 'David Perdue', slug: 'david-perdue' },
      quiet: { name: 'Nancy Pelosi', slug: 'nancy-pelosi', inOffice: true },
      symbol: 'AAPL',
      state: 'RI',
      month: monthOf('2020-03'),
      year: yearOf('2019'),
    });
  });
  if (!skip) askAll(shared, 'real', readRows());
});

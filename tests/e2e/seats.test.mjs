// Seats as they were, on the real history of the Senate: a fresh installation, to which no list of
// seats was imported, judges every trade by a list of its own Congress (decision 32).

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { makeSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';

const legislators = sharedData('congress-legislators');
const history = sharedData('senate/stock-watcher');
const tickers = sharedData('tickers');

/** The number of the Congress of a day: it begins on January 3 of an odd year. */
function congress(day) {
  const year = Number(day.slice(0, 4)) - (day.slice(5) < '01-03' ? 1 : 0);
  return Math.floor((year - 1789) / 2) + 1;
}

const LATER = ', a list later than the trade.';

test(
  'the real history is judged by seats of its day',
  {
    skip: legislators && history && tickers ? false : noSharedData,
  },
  async (t) => {
    const site = await makeSite(t);
    await site.stockact(
      ...['members', 'import', path.join(legislators, 'legislators-current.json')],
      path.join(legislators, 'legislators-historical.csv'),
    );
    const lists = readdirSync(tickers).filter((name) => /sp500|sec-company|listed/.test(name));
    await site.stockact('tickers', 'import', ...lists.map((name) => path.join(tickers, name)));
    await site.stockact(
      ...['backfill', 'senate-stock-watcher', path.join(history, 'all_daily_summaries.json')],
      ...BY,
    );
    const flagged = await site.database.query(
      `SELECT t.id, m.id AS member, f.reason, f.evidence, t.trade_day AS day FROM trade t
     JOIN trade_finding s ON s.trade_no = t.no JOIN finding f ON f.no = s.finding_no
     JOIN filing i ON i.no = t.filing_no JOIN member m ON m.no = i.member_no`,
    );
    assert.ok(flagged.length > 1000, `${flagged.length} signals`);
    const trades = flagged.map((row) => ({
      ...row,
      ...JSON.parse(row.evidence),
      day: new Date(Number(row.day) * 86_400_000).toISOString().slice(0, 10),
    }));
    const strengths = new Set();
    for (const trade of trades) {
      const where = `${trade.id} of ${trade.day}: ${trade.reason}`;
      assert.ok(Buffer.byteLength(trade.reason) < 300, where);
      assert.ok(!trade.reason.includes('earliest list'), where);
      assert.equal(congress(trade.seatsAsOf), congress(trade.day), where);
      assert.equal(trade.basis, trade.seatsAsOf > trade.day ? 'later_list' : 'in_force', where);
      assert.equal(trade.reason.endsWith(LATER), trade.basis === 'later_list', where);
      assert.match(trade.reason, / (sat on|chaired|was ranking member of|was vice chair of) the /);
      assert.equal(
        trade.strength,
        trade.committees.map((seat) => seat.strength).sort(byStrength)[0],
      );
      strengths.add(trade.strength);
      for (const seat of trade.committees) {
        assert.match(seat.id, /^[SJ]/, where);
        assert.ok(seat.from <= trade.seatsAsOf && seat.to > trade.seatsAsOf, where);
        assert.equal(congress(seat.from), congress(trade.day), where);
      }
    }
    assert.deepEqual([...strengths].sort(), ['appropriations', 'full_committee', 'subcommittee']);

    // Sworn in on 2020-01-06, first listed on 2020-05-19.
    const loeffler = trades.filter((trade) => trade.member === 'L000594');
    assert.ok(loeffler.length > 0);
    for (const trade of loeffler) {
      const early = trade.day < '2020-05-19';
      assert.equal(trade.basis, early ? 'later_list' : 'in_force');
      if (early) assert.equal(trade.seatsAsOf, '2020-05-19');
    }

    // The lists were emptied on 2021-01-01, and the first one of the next Congress is of 2021-01-23.
    const emptied = trades.filter(({ day }) => day >= '2021-01-03' && day < '2021-01-23');
    assert.ok(emptied.length > 0);
    for (const trade of emptied) {
      assert.equal(trade.basis, 'later_list');
      assert.ok(trade.seatsAsOf >= '2021-01-23', trade.reason);
    }
    for (const trade of trades.filter(({ day }) => day >= '2021-01-01' && day < '2021-01-03')) {
      assert.ok(trade.seatsAsOf <= '2020-12-07', trade.reason);
    }
    const { trades: judged, set, changed, cleared } = (await site.stockact('sweep'))[0];
    assert.deepEqual([judged > 8000, set, changed, cleared], [true, 0, 0, 0]);
  },
);

function byStrength(a, b) {
  const order = ['full_committee', 'subcommittee', 'appropriations'];
  return order.indexOf(a) - order.indexOf(b);
}

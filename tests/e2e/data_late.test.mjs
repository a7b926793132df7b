// /late: how many days members took to report, against day 30 and day 45.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { all, text } from './lib/html.mjs';
import { newVisitor } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';

const number = (shown) => Number((shown || '0').replaceAll(',', ''));

const rowsOf = (page, table) =>
  page
    .all('.grouped')
    .filter(({ attribs }) => attribs['aria-label'].startsWith(table))
    .flatMap((found) => all('tbody tr', found))
    .map((row) => {
      const cells = all('td', row).map((cell) => [cell.attribs['data-label'], text(cell)]);
      const [link] = all('th a', row);
      const name = text(link ?? all('th', row)[0]);
      return { name, href: link?.attribs.href, ...Object.fromEntries(cells) };
    });

describe('days to report', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 3000, '--as-of', '2026-02-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });
  const open = (target, options) => newVisitor(the.server).open(target, options);

  async function every(list) {
    const rows = [];
    for (let cursor = ''; cursor !== null;) {
      const target = `/api/v1/${list}limit=100${cursor && `&cursor=${cursor}`}`;
      const page = await the.server.json(target, { key: the.key });
      rows.push(...page.data);
      cursor = page.nextCursor;
    }
    return rows;
  }

  /** What the trades of the API say. */
  function expected(trades) {
    const days = trades.map(({ dates }) => dates.daysToReport).filter((n) => n !== null);
    const between = (low, high) => days.filter((n) => n >= low && n <= high).length;
    return [between(0, 30), between(31, 45), between(46, Infinity), trades.length - days.length];
  }

  test('each row has the trades of the API in 30 days, in 45, later, and unknown apart', async () => {
    const trades = await every('trades?fields=dates&');
    const page = await open('/late');
    const members = rowsOf(page, 'Members');
    assert.ok(members.length > 5);
    const shown = (row) =>
      ['≤ 30', '31–45', '> 45', 'Not known'].map((label) => number(row[label]));
    for (const row of members) {
      const own = trades.filter(({ politician }) => `/politicians/${politician.slug}` === row.href);
      assert.deepEqual(shown(row), expected(own), row.name);
    }
    for (const row of rowsOf(page, 'Chambers')) {
      const own = trades.filter(({ politician }) => politician.chamber === row.name.toLowerCase());
      assert.deepEqual(shown(row), expected(own), row.name);
    }
  });

  test('no member with fewer than five reports is ranked, and all others are', async () => {
    const filings = await every('filings?');
    const counts = new Map();
    for (const { politicianId } of filings)
      counts.set(politicianId, (counts.get(politicianId) ?? 0) + 1);
    const members = [];
    for (let target = '/late'; target;) {
      const page = await open(target);
      members.push(...rowsOf(page, 'Members'));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    assert.ok(members.every((row) => number(row.Reports) >= 5));
    const enough = [...counts.values()].filter((count) => count >= 5);
    assert.equal(members.length, enough.length);
    const shares = members.map((row) => {
      const [, late, known] = /^(\d+) of (\d+)/.exec(row.Late) ?? [];
      return known ? Number(late) / Number(known) : -1;
    });
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => b - a),
    );
    const page = await open('/late?chamber=senate');
    assert.equal(rowsOf(page, 'Chambers').length, 1);
    assert.match(page.text('title'), /Days to report: Senate/);
    const wrong = await open('/late?chamber=lords', { status: 400 });
    assert.ok(wrong.form('/late').fault('chamber'));
  });
});

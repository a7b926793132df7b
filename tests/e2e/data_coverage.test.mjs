// /coverage: the numbers of the ledger, as a page.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { text } from './lib/html.mjs';
import { newVisitor } from './lib/people.mjs';
import { BY } from './lib/reviewer.mjs';
import { onEachDatabase, makeSite } from './lib/site.mjs';

const number = (node) => Number(text(node).replace(',', ''));

onEachDatabase('coverage on a page', (kind) => {
  test('it has the counts of the API by state, chamber and year', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-02-01');
    const paper = ['house', '9000001', '--filed', '2026-01-20'];
    await site.stockact('review', 'new', ...paper, ...BY);
    const server = await site.serve();
    const page = await newVisitor(server).open('/coverage');
    const { data } = await server.json('/api/v1/coverage');
    const sum = (list) => list.reduce((total, { count }) => total + count, 0);
    const published = data.counts.filter(({ state }) => /^(published|amended)$/.test(state));
    assert.equal(number(page.all('.stats dd')[0].children[0]), sum(published));
    assert.equal(number(page.all('.stats dd')[1].children[0]), 1);
    const rows = page.all('section[aria-labelledby=states] tbody tr').map((row) => {
      const [, house, senate, meaning] = row.children.filter(({ name }) => name === 'td');
      return [number(house), number(senate), text(meaning)];
    });
    const states = [...new Set(data.counts.map(({ state }) => state))];
    assert.ok(states.includes('needs_manual'), String(states));
    const of = (state, chamber) =>
      sum(data.counts.filter((one) => one.state === state && one.chamber === chamber));
    assert.deepEqual(
      rows.map(([house, senate]) => `${house} ${senate}`).sort(),
      states.map((state) => `${of(state, 'house')} ${of(state, 'senate')}`).sort(),
    );
    assert.ok(rows.every(([, , meaning]) => meaning.length > 10));
    const years = [...new Set(data.counts.map(({ year }) => String(year)))].sort();
    const shown = page.all('.chart tbody th').map((node) => text(node));
    assert.deepEqual(shown, [...years, ...years]);
    const cells = page.all('.chart tbody td').map(number);
    assert.equal(
      cells.reduce((total, one) => total + one, 0),
      data.total,
    );
    assert.match(page.text('section[aria-labelledby=bulk]'), /300/);
  });

  test('an empty server says that nothing is known yet', async (t) => {
    const site = await makeSite(t, { database: kind });
    const server = await site.serve();
    const page = await newVisitor(server).open('/coverage');
    assert.match(page.text('main'), /No report is known yet/);
  });
});

// /coverage: the numbers of the ledger, as a page.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { text } from './lib/html.mjs';
import { newVisitor } from './lib/people.mjs';
import { onEachDatabase, makeSite } from './lib/site.mjs';

const number = (node) => Number(text(node).replace(',', ''));

onEachDatabase('coverage on a page', (kind) => {
  test('it has the counts of the API by state, chamber and year', async (t) => {
    const site = await makeSite(t, { database: kind, clock: '2026-03-10T12:00:00Z' });
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-02-01');
    const server = await site.serve();
    const page = await newVisitor(server).open('/coverage');
    const { data } = await server.json('/api/v1/coverage');
    const sum = (list) => list.reduce((total, { count }) => total + count, 0);
    const published = data.counts.filter(({ state }) => /^(published|amended)$/.test(state));
    assert.equal(number(page.all('.stats dd')[0].children[0]), sum(published));
    for (const row of page.all('section[aria-labelledby=states] tbody tr')) {
      const [state, house, senate] = row.children.filter(({ name }) => name === 'td');
      for (const [cell, chamber] of [
        [house, 'house'],
        [senate, 'senate'],
      ]) {
        const of = data.counts.filter(
          (one) => one.chamber === chamber && one.state === text(state),
        );
        assert.equal(number(cell), sum(of), `${chamber} ${text(state)}`);
      }
    }
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

// Who filed, as of the filing date: the party of that day, the name as it was published, and the
// correction of both in the log (decisions 7 and 29).

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { housePdf } from './lib/house_pdf.mjs';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { mcpCommand } from './lib/mcp.mjs';
import { ask } from './lib/mcp_shell.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { BY } from './lib/reviewer.mjs';

const WHY = [...BY, '--reason', 'the party of the filing date'];
const REPORT = '11111111-2222-3333-4444-555555555555';

const rows = [
  {
    owner: 'SP',
    asset: 'Abacus Corporation (ABC) [ST]',
    type: 'P',
    date: '01/02/2025',
    notified: '01/05/2025',
    amount: '$1,001 - $15,000',
    status: 'New',
  },
];

const CHANGED = [
  { start: '2011-01-03', end: '2025-06-30', party: 'Whig' },
  { start: '2025-07-01', end: '2031-01-03', party: 'Federalist', caucus: 'Whig' },
];

/** A site with these members, and a function that imports others. */
async function makeHouse(t, kind, people) {
  const site = await makeSite(t, { database: kind });
  const write = (name, bytes) => {
    const file = path.join(site.folder, name);
    writeFileSync(file, bytes);
    return file;
  };
  const importPeople = (list) =>
    site.stockact('members', 'import', write('members.json', membersJson(list)));
  await importPeople(people);
  return { site, write, importPeople };
}

async function publishDocument(house, name, bytes, id) {
  await house.site.stockact('ingest', house.write(name, bytes));
  await house.site.stockact('review', 'accept', id, ...BY);
  await house.site.stockact('publish', id, ...BY);
}

const politicians = async (server, key) => {
  const { data } = await server.json('/api/v1/trades', { key });
  return data.map((trade) => [trade.politician.name, trade.politician.party]);
};

onEachDatabase('filers', (kind) => {
  test('a trade has the party of the filing date, and keeps its name through imports', async (t) => {
    const house = await makeHouse(t, kind, [{ ...VALE, party: 'Federalist' }, HOLLIS]);
    const { site } = house;
    const server = await site.serve();
    const key = await site.key({ plan: 'den' });
    await publishDocument(house, '20990001.pdf', housePdf({ rows }), 'house-20990001');
    assert.deepEqual(await politicians(server, key), [['Robin Vale', 'Federalist']]);

    // The data set learns of the change of party, and the member of another last name.
    const married = { ...VALE, last: 'Quill', party: 'Federalist', affiliations: CHANGED };
    await house.importPeople([married, HOLLIS]);
    assert.deepEqual(
      await politicians(server, key),
      [['Robin Vale', 'Federalist']],
      'as published',
    );
    const { profile } = (await server.json('/api/v1/politicians/robin-vale', { key })).data;
    assert.deepEqual([profile.name, profile.party], ['Robin Quill', 'Federalist'], 'today');
    for (const q of ['vale', 'quill', 'robin+quill']) {
      const { data } = await server.json(`/api/v1/politicians?q=${q}`, { key });
      assert.deepEqual(
        data.map((person) => person.slug),
        ['robin-vale'],
        q,
      );
    }

    const [would, sum] = await site.stockact('members', 'correct', ...WHY, '--dry-run');
    assert.deepEqual(would, {
      filing: 'house-20990001',
      politician: VALE.id,
      field: 'politician.party',
      old: 'Federalist',
      new: 'Whig',
      trades: 1,
    });
    assert.deepEqual(sum, { filings: 1, trades: 1, entries: 0 });
    assert.deepEqual((await server.json('/api/v1/corrections', { key })).data, []);

    const at = new Date().toISOString();
    const done = await site.stockact('members', 'correct', ...WHY, '--at', at);
    assert.deepEqual(done.at(-1), { filings: 1, trades: 1, entries: 1 });
    const [overruled] = await site.stockact('log', '--action', 'clock.overrule');
    assert.equal(overruled.detail, 'the party of the filing date');
    await until('the server shows the party', async () =>
      isDeepStrictEqual(await politicians(server, key), [['Robin Vale', 'Whig']]),
    );
    assert.equal((await server.json('/api/v1/trades?party=Whig', { key })).data.length, 1);
    const former = await server.get('/api/v1/trades?party=Federalist', { key });
    assert.equal(former.status, 400);
    assert.match(former.json.hint, /Parties of trades: Whig\.$/);
    const [entry] = (await server.json('/api/v1/corrections', { key })).data;
    assert.deepEqual(
      [entry.tradeId, entry.kind, entry.field, entry.old, entry.new, entry.reason],
      [
        'house-20990001-0001',
        'field',
        'politician.party',
        'Federalist',
        'Whig',
        'the party of the filing date',
      ],
    );
    assert.deepEqual(await site.stockact('members', 'correct', ...WHY), [
      { filings: 0, trades: 0, entries: 0 },
    ]);

    // A later report has the later name; the tool finds the politician by both.
    await publishDocument(
      house,
      '20990002.pdf',
      housePdf({ id: '20990002', filer: 'Hon. Robin Quill', rows }),
      'house-20990002',
    );
    assert.deepEqual(await politicians(server, key), [
      ['Robin Quill', 'Whig'],
      ['Robin Vale', 'Whig'],
    ]);
    for (const name of ['Robin Vale', 'Robin Quill']) {
      const found = await ask(mcpCommand(site, server, key), 'tools/call', {
        name: 'find_politician',
        arguments: { name },
      });
      const [best] = found.structuredContent.data;
      assert.deepEqual([best.slug, best.name, best.score], ['robin-vale', 'Robin Quill', 100]);
    }

    const named = await site.stockact('members', 'correct', ...WHY, '--names');
    assert.deepEqual(
      named.map((line) => [line.field, line.old, line.new]),
      [
        ['politician.name', 'Robin Vale', 'Robin Quill'],
        [undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(await politicians(server, key), [
      ['Robin Quill', 'Whig'],
      ['Robin Quill', 'Whig'],
    ]);
  });

  test('a heading with another first name, a degree or a former office has its member', async (t) => {
    const house = await makeHouse(t, kind, [
      VALE,
      { ...HOLLIS, first: 'Jim', last: 'Hollis', end: '2023-12-01' },
    ]);
    const { site } = house;
    const headings = [
      { filer: 'The Honorable James Hollis', bracket: 'Jim Hollis' },
      { filer: 'The Honorable James Q. Hollis', bracket: '', former: true },
      { filer: 'Mr. James Hollis, Ph.D.', bracket: 'Hollis, Jim', former: true },
    ];
    for (const [i, heading] of headings.entries()) {
      const id = REPORT.replace(/^1/, i);
      const page = senatePage({
        ...heading,
        rows: [{ date: '01/10/2024', ticker: null, asset: 'A' }],
      });
      const [line] = await site.stockact('ingest', house.write(`${id}.html`, page));
      assert.equal(line.status, 'draft', line.reason);
      const [draft] = await site.stockact('review', 'show', `senate-${id}`);
      assert.equal(draft.member, 'jim-hollis', heading.filer);
    }
    const pdf = housePdf({ filer: 'Hon. Robin Vale, M.D., FACS', rows });
    await site.stockact('ingest', house.write('20990001.pdf', pdf));
    const [draft] = await site.stockact('review', 'show', 'house-20990001');
    assert.equal(draft.member, 'robin-vale');
  });
});

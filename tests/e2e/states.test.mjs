// Every state of a report, provoked on a running server: /coverage, the command line, the reference
// and the OpenAPI document use one list of names, and each name can occur.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { indexZip } from './lib/house_index.mjs';
import { housePdf, otherFormPdf, scanPdf } from './lib/house_pdf.mjs';
import { HOLLIS, membersJson, VALE } from './lib/invented_members.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { BY } from './lib/reviewer.mjs';
import { until } from './lib/until.mjs';

const OPEN_BAR = /<rect[^>]* class="open"/;
const WHY = [...BY, '--reason', 'as the filer said'];
const ORIGINAL = '11111111-2222-3333-4444-555555555555';
const AMENDMENT = '66666666-7777-8888-9999-000000000000';

/** One report for each state, in the House index of 2025: state -> DocID. */
const HOUSE = {
  awaiting_document: '20990001',
  gone_from_index: '20990002',
  indexed: '10990003',
  needs_manual: '8220005',
  draft: '20990006',
  in_review: '20990007',
  accepted: '20990008',
  rejected: '20990009',
  nothing_reported: '8220012',
  published: '20990010',
  withdrawn: '20990011',
};
/** The states that a draft can have: what `review list` shows. */
const OF_DRAFTS = Object.keys(HOUSE).slice(3).concat('amended', 'superseded');

const pdf = (id, asset = `Abacus Works ${id}`) =>
  housePdf({
    id,
    rows: [
      {
        owner: 'SP',
        asset: `${asset} [ST]`,
        type: 'P',
        date: '01/02/2025',
        notified: '01/05/2025',
        amount: '$1,001 - $15,000',
        status: 'New',
      },
    ],
  });

async function prepare(site) {
  const inbox = path.join(site.folder, 'inbox');
  mkdirSync(inbox);
  const put = (name, bytes) => writeFileSync(path.join(inbox, name), bytes);
  const members = path.join(site.folder, 'members.json');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  const server = await site.serve({ env: { STOCKACT_BENCH_UNLIMITED: '1' } });

  const entries = Object.entries(HOUSE).map(([state, DocID]) => ({
    DocID,
    FilingType: state === 'indexed' ? 'C' : 'P',
    ...(state === 'awaiting_document' && { Last: 'Vale, MD, FACS' }),
  }));
  put('2025FD.zip', indexZip(entries));
  await site.stockact('ingest', inbox);
  await site.clock.advance(60_000);
  put('2025FD.zip', indexZip(entries.filter(({ DocID }) => DocID !== HOUSE.gone_from_index)));
  for (const state of ['draft', 'in_review', 'accepted', 'rejected', 'published', 'withdrawn'])
    put(`${HOUSE[state]}.pdf`, pdf(HOUSE[state]));
  for (const state of ['needs_manual', 'nothing_reported']) put(`${HOUSE[state]}.pdf`, scanPdf());
  put('other.pdf', otherFormPdf());
  const rows = [{ date: '01/10/2024', ticker: null, asset: 'Abacus Paper' }];
  put(`${ORIGINAL}.html`, senatePage({ rows }));
  put(`${AMENDMENT}.html`, senatePage({ rows, amendment: 1, filed: '02/20/2024 @ 1:00 PM' }));
  const lines = await site.stockact('ingest', inbox);

  const review = (action, id, ...more) => site.stockact('review', action, id, ...more);
  await review('claim', `house-${HOUSE.in_review}`, ...BY);
  await review('reject', `house-${HOUSE.rejected}`, ...WHY);
  await review('nothing-reported', `house-${HOUSE.nothing_reported}`, ...BY);
  for (const id of [HOUSE.accepted, HOUSE.published, HOUSE.withdrawn])
    await review('accept', `house-${id}`, ...BY);
  await site.stockact('publish', `house-${HOUSE.published}`, ...BY);
  await site.stockact('publish', `house-${HOUSE.withdrawn}`, ...BY);
  await site.stockact('withdraw', `house-${HOUSE.withdrawn}`, ...WHY);
  for (const uuid of [ORIGINAL, AMENDMENT]) {
    await review('accept', `senate-${uuid}`, ...BY);
    await site.stockact('publish', `senate-${uuid}`, ...BY);
  }
  // a new version of an unreviewed document replaces the draft
  await site.clock.advance(60_000);
  put(`${HOUSE.draft}.pdf`, pdf(HOUSE.draft, 'Abacus Works, corrected'));
  await site.stockact('ingest', inbox);
  return {
    server,
    lines,
    api: await OpenApi.load(server),
    list: (...more) => site.stockact('review', 'list', ...more),
  };
}

onEachDatabase('states of reports', (kind) => {
  const shared = useSite({ database: kind, clock: '2025-03-01T12:00:00Z' }, prepare);

  const documented = () =>
    shared.api.document.components.schemas.CoverageCount.properties.state.enum;

  test('each state occurs and is documented', async () => {
    const response = await shared.server.get('/api/v1/coverage');
    shared.api.check('GET', '/api/v1/coverage', response);
    const counts = response.json.data.counts;
    assert.deepEqual(
      [...new Set(counts.map((one) => one.state))].sort(),
      [...documented()].sort(),
      'no state is served without being documented, and none documented cannot be reached',
    );
    const house = Object.fromEntries(
      counts.filter((one) => one.chamber === 'house').map((one) => [one.state, one.count]),
    );
    assert.deepEqual(
      house,
      Object.fromEntries(Object.keys(HOUSE).map((state) => [state, 1])),
      'each report in its own state',
    );
    const { indexes } = response.json.data;
    assert.deepEqual(
      indexes.map(({ chamber, year }) => [chamber, year]),
      [['house', 2025]],
    );
    const page = (await shared.server.get('/coverage')).text;
    const [ofHouse, ofSenate] = page
      .split('id="senate-title"')
      .map((part) => part.split('id="house-title"').at(-1));
    assert.doesNotMatch(ofHouse, OPEN_BAR, 'the Clerk lists all reports of the year');
    assert.match(ofSenate, OPEN_BAR, 'no index lists those of the Senate');
    const neither = counts.filter((one) => one.chamber === null);
    assert.deepEqual(neither, [{ chamber: null, year: null, state: 'refused', count: 1 }]);
    const senate = counts.filter((one) => one.chamber === 'senate');
    assert.deepEqual(
      senate.map((one) => [one.state, one.count]),
      [
        ['amended', 1],
        ['published', 1],
      ],
    );
  });

  test('the description says what each state means, in every form', async () => {
    const { description } = shared.api.document.components.schemas.CoverageCount.properties.state;
    const texts = {
      OpenAPI: description,
      '/docs/log-objects': (await shared.server.get('/docs/log-objects')).text,
      '/llms-full.txt': (await shared.server.get('/llms-full.txt')).text,
    };
    for (const [where, text] of Object.entries(texts))
      for (const state of documented())
        assert.match(text, new RegExp(`\\b${state}: [a-z]`), `${where}: ${state}`);
  });

  test('the command line counts the same', async () => {
    const { counts } = (await shared.server.json('/api/v1/coverage')).data;
    assert.deepEqual(await shared.site.stockact('coverage'), counts);
  });

  test('review list shows the same states, and lists by each', async () => {
    const all = await shared.list();
    const shown = Object.fromEntries(all.map((line) => [line.filingId, line.state]));
    for (const state of OF_DRAFTS) {
      const lines = await shared.list('--state', state);
      assert.ok(lines.length > 0, `no draft is ${state}`);
      for (const line of lines) {
        assert.equal(line.state, state);
        if (state !== 'superseded') assert.equal(shown[line.filingId], state);
      }
      if (state in HOUSE)
        assert.ok(lines.some((line) => line.filingId === `house-${HOUSE[state]}`));
    }
    const [one] = await shared.site.stockact('review', 'show', `house-${HOUSE.needs_manual}`);
    assert.equal(one.state, 'needs_manual');
  });

  /** The states of reports whose trades are missing. */
  const WAITING = [
    'awaiting_document',
    'needs_manual',
    'draft',
    'in_review',
    'accepted',
    'rejected',
  ];

  test('each known report has an answer and a page', async () => {
    const { server, api } = shared;
    for (const [state, number] of Object.entries(HOUSE)) {
      const at = `/api/v1/filings/house-${number}`;
      const response = await server.get(at);
      const page = await server.get(`/filings/house-${number}`);
      if (state === 'withdrawn') {
        assert.equal(response.status, 410);
        continue;
      }
      assert.equal(response.status, 200, at);
      api.check('GET', at, response);
      if (state === 'published') {
        assert.equal(response.json.data.filing.id, `house-${number}`);
        assert.equal(page.status, 404, 'the visitor sees it later');
        continue;
      }
      const url = `https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/${number}.pdf`;
      const known = { state, filer: 'Vale, Robin', filedOn: '2025-01-16', url };
      const { filer } = response.json.data;
      assert.match(filer, /Robin/);
      assert.deepEqual(response.json.data, { ...known, filer });
      assert.deepEqual(Object.keys(response.json.data), Object.keys(known));
      assert.equal(page.status, 200, `/filings/house-${number}`);
      assert.ok(page.text.includes(url), 'the page links the official document');
      assert.ok(!page.text.includes('Abacus'), 'and shows nothing of the draft');
      const found = await server.get(`/search?q=${number}`);
      assert.deepEqual([found.status, found.header('location')], [303, `/filings/house-${number}`]);
    }
    for (const id of ['house-20991234', 'senate-20990001', 'house-', 'nothing'])
      assert.equal((await server.get(`/api/v1/filings/${id}`)).status, 404, id);
    const listed = await server.json('/api/v1/filings?limit=100');
    assert.ok(!listed.data.some(({ id }) => id === `house-${HOUSE.draft}`), 'it is no Filing');
  });

  test('counts of a member are those of the states', async () => {
    const { server, api } = shared;
    const response = await server.get('/api/v1/politicians/robin-vale');
    api.check('GET', '/api/v1/politicians/robin-vale', response);
    const { counts } = response.json.data;
    const others = ['gone_from_index', 'indexed'];
    assert.equal(counts.indexed, Object.keys(HOUSE).length - others.length);
    assert.equal(counts.waiting, WAITING.length);
    const row = (await server.json('/api/v1/politicians?q=vale')).data[0];
    assert.deepEqual(row.counts, counts, 'the list says the same');
    const none = await server.json('/api/v1/politicians/dana-hollis');
    assert.equal(none.data.counts.indexed, null, 'the Senate has no index');
    const unlisted = /No index lists the reports of the member/;
    assert.match((await server.get('/politicians/dana-hollis')).text, unlisted);
    assert.doesNotMatch((await server.get('/politicians/robin-vale')).text, unlisted);

    const page = await server.get('/politicians/robin-vale');
    const missing = page.text.split('id="missing"')[1].split('</section>')[0];
    const ids = [...missing.matchAll(/href="\/filings\/house-(\d+)"/g)].map(([, id]) => id);
    const later = ['published']; // a visitor sees it after two days
    assert.deepEqual(ids.sort(), [...WAITING, ...later].map((state) => HOUSE[state]).sort());
    assert.match(missing, new RegExp(`${ids.length} of the ${counts.indexed} `));
    for (const empty of ['/trades?politician_slug=robin-vale', '/trades?ticker=ZZZ', '/conflicts'])
      assert.match(
        (await server.get(empty)).text,
        new RegExp(`\\b${WAITING.length} known reports`),
      );
  });

  test('empty answers of the API say how many reports wait', async () => {
    const { server } = shared;
    const waiting = async (at) => (await server.get(at)).header('x-reports-waiting');
    for (const at of [
      '/politicians/robin-vale',
      '/trades?politician_slug=robin-vale&side=exchange',
      '/trades?ticker=ZZZ',
      '/filings?chamber=house&politician_slug=dana-hollis',
    ])
      assert.equal(
        await waiting(`/api/v1${at}`),
        at.includes('hollis') ? null : String(WAITING.length),
        at,
      );
    assert.equal(await waiting('/api/v1/trades'), null, 'not beside rows');
    for (const at of ['/trades.json', '/filings.atom'])
      assert.equal(await waiting(`${at}?politician_slug=robin-vale`), String(WAITING.length), at);
    assert.equal(await waiting('/corrections.json'), null);
  });

  test('a report that is taken up again waits again', async () => {
    await shared.site.stockact('review', 'claim', `house-${HOUSE.nothing_reported}`, ...BY);
    await until('the count follows', async () => {
      const { counts } = (await shared.server.json('/api/v1/politicians/robin-vale')).data;
      return counts.waiting === WAITING.length + 1;
    });
  });

  test('ingest reports states', async () => {
    const known = new Set([...documented(), 'unchanged']);
    for (const line of shared.lines) assert.ok(known.has(line.status), line.status);
  });

  test('another state is an error that lists the states of drafts', async () => {
    for (const state of ['gone_from_index', 'Draft', 'bulk']) {
      const done = await shared.site.run(['review', 'list', '--state', state]);
      assert.equal(done.code, 2);
      for (const name of OF_DRAFTS) assert.match(done.stderr, new RegExp(`\\b${name}\\b`));
    }
  });
});

// A visitor who follows every link sees the same bytes before and after a publication, until 48 hours
// have passed (decision 42), apart from what says that reports are known and publications delayed. A
// cache in front is told of each page that changes then. The publication is of each kind: a new
// report, rows of a public report that were held, an amendment, and a report that an earlier public
// one amends: whether that one's trades were late is known from then on.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { housePdf } from './lib/house_pdf.mjs';
import { all, attribute, parseHtml } from './lib/html.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { BY, because } from './lib/reviewer.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const HOUR = 3_600_000;
const LISTS = ['trades', 'filings', 'corrections', 'politicians', 'tickers', 'conflicts'];
const CORRECTED = ['/corrections', '/corrections.json', '/filings.json'];
const TWINS = LISTS.flatMap((list) => ['json', 'atom', 'csv'].map((kind) => `/${list}.${kind}`));
const GROUPS = ['ticker', 'late_status', 'month'].map((by) => `/explore?group_by=${by}`);
const DATA =
  /^\/($|[?]|(trades|filings|corrections|politicians|tickers|conflicts|search|explore|late)\b)/;

/** What a page may say at once: that a publication is delayed, when it appears, which reports are
 *  known and in which state (docs/reading.md). A filing whose other rows are published was reviewed
 *  again. */
const AT_ONCE = [
  /<dt>Reviewed<.*/g,
  /<p class="delay.*/g,
  /<p class="empty">[^]*?<\/p>/g,
  /<small class="waits">.*/g,
  /<td data-label="(State|Waiting)".*?<\/td>/g,
  /<span class="unknown">\d+ reports? waiting<\/span>/g,
];

const uuid = (digit) => `${digit.repeat(8)}-2222-3333-4444-555555555555`;
const [FIRST, LATE, BEHIND, ALONE] = ['1', '2', '3', '4'].map(uuid);
const held = { ...HOUSE_ROW, asset: 'Quill Presses (QUIL) [ST]', amount: '$770.32' };

/** Local addresses of data that a page leads to. */
function linksOf(target, html) {
  const dom = parseHtml(html);
  const links = all('a[href], link[href], iframe[src]', dom).map(
    (node) => attribute(node, 'href') ?? attribute(node, 'src'),
  );
  return links
    .map((link) => new URL(link, `http://site${target}`))
    .filter(({ host, searchParams }) => host === 'site' && searchParams.size < 2)
    .map(({ pathname, search }) => pathname + search)
    .filter((link) => DATA.test(link) && !link.endsWith('.png'));
}

/** {target: {shown, keys}} of everything that a visitor reaches: status and body, and the names by
 *  which a cache in front drops the page. */
async function crawl(server) {
  const seen = {};
  const queue = [
    '/',
    '/sitemap.xml',
    '/explore',
    '/late',
    ...GROUPS,
    ...TWINS,
    ...['quil', 'vale', 'wren'].map(searchFor),
  ];
  for (let target = queue.shift(); target; target = queue.shift()) {
    if (target in seen) continue;
    const options = { headers: { Accept: 'text/html' }, unchecked: true };
    const response = await server.request('GET', target, options);
    const text = AT_ONCE.reduce((left, said) => left.replace(said, ''), response.text)
      .replaceAll(response.header('x-request-id'), '')
      .replace(/\s+/g, ' ');
    const keys = response.header('surrogate-key')?.split(' ') ?? [];
    seen[target] = { shown: `${response.status} ${text}`, keys };
    const isPage = /html/.test(response.header('content-type'));
    if (response.status === 200 && isPage) queue.push(...linksOf(target, text));
  }
  return seen;
}

const searchFor = (text) => `/search?q=${text}`;

/** Each page that changed has a key that was purged. */
function assertPurged(before, after, requests) {
  const purged = new Set(requests.flatMap(({ headers }) => headers['surrogate-key'].split(' ')));
  const targets = Object.keys(before).filter((one) => before[one].shown.startsWith('200'));
  const changed = targets.filter((one) => before[one].shown !== after[one]?.shown);
  assert.ok(changed.length > 10, 'some pages change');
  assert.ok(changed.length < targets.length, 'not all of them');
  assert.ok(!purged.has('all'));
  for (const target of changed)
    assert.ok(
      before[target].keys.some((key) => purged.has(key)),
      `${target}: ${before[target].keys}; purged: ${[...purged]}`,
    );
}

async function makeDesk(t, env) {
  const site = await makeSite(t, { clock: '2025-03-10T12:00:00Z', env });
  const members = path.join(site.folder, 'members.json');
  const inbox = path.join(site.folder, 'inbox');
  writeFileSync(members, membersJson([VALE, HOLLIS]));
  await site.stockact('members', 'import', members);
  mkdirSync(inbox);
  return {
    site,
    put: (name, bytes) => writeFileSync(path.join(inbox, name), bytes),
    ingest: () => site.stockact('ingest', inbox),
    async publish(...ids) {
      for (const id of ids) {
        await site.stockact('review', 'accept', id, ...BY);
        await site.stockact('publish', id, ...BY);
      }
    },
  };
}

const senate = (asset) => ({ ...SENATE_ROW, asset, ticker: asset.slice(0, 4).toUpperCase() });
const AMENDING = { amendment: 1, filed: '02/20/2024 @ 9:05 AM' };
const OTHER_DAY = { reportDate: '02/02/2024' };

test('a publication changes no byte that a visitor reaches, for 48 hours', async (t) => {
  const receiver = await PlainReceiver.start(t);
  const { site, put, ingest, publish } = await makeDesk(t, {
    STOCKACT_PURGE_URL: receiver.url(204),
  });
  const purges = (key, from) =>
    until(`a purge of ${key}`, () =>
      receiver.requests.slice(from).some((one) => one.headers['surrogate-key'].includes(key)),
    );
  put('20990001.pdf', housePdf({ rows: [HOUSE_ROW, held, { ...HOUSE_ROW, type: 'S' }] }));
  put(`${FIRST}.html`, senatePage({ rows: [senate('Abacus')] }));
  put(`${ALONE}.html`, senatePage({ rows: [senate('Cinder')], ...OTHER_DAY, ...AMENDING }));
  await ingest();
  await publish('house-20990001', `senate-${FIRST}`, `senate-${ALONE}`);
  await site.clock.advance(72 * HOUR);
  put('20990002.pdf', housePdf({ id: '20990002', rows: [held, HOUSE_ROW] }));
  put(`${LATE}.html`, senatePage({ rows: [senate('Abacus'), senate('Wren')], ...AMENDING }));
  put(`${BEHIND}.html`, senatePage({ rows: [senate('Cinder')], ...OTHER_DAY }));
  await ingest(); // that a report is known is not delayed
  const server = await site.serve();
  const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
  const before = await crawl(server);
  assert.ok(Object.keys(before).length > 50);
  assert.ok('/trades/house-20990001-0003' in before && '/politicians/robin-vale' in before);
  for (const kind of ['', '.atom', '.json'])
    assert.ok(`/filings${kind}?politician_slug=robin-vale` in before, kind);

  const set = ['review', 'set', 'house-20990001', 2, 'amountBucket', '1k_15k'];
  await site.stockact(...set, ...because('the filer was asked'));
  await publish('house-20990001');
  await publish('house-20990002', `senate-${LATE}`, `senate-${BEHIND}`);
  const id = 'house-20990001-0002';
  const correct = (which, name) =>
    site.stockact('correct', which, 'assetName', name, ...because('misread'));
  await correct(id, 'Quill Works');
  const status = async (target) => (await wolf.request('GET', target)).status;
  await until('the row is served', async () => (await status(`/trades/${id}`)) === 200);
  const after = await crawl(server);
  assert.deepEqual(Object.keys(after).sort(), Object.keys(before).sort());
  const waited = ['house-20990002', `senate-${LATE}`, `senate-${BEHIND}`].map(
    (one) => `/filings/${one}`,
  );
  for (const [target, { shown }] of Object.entries(before))
    if (waited.includes(target))
      assert.match(after[target].shown, /^404 [^]*It appears here on/, target);
    else assert.equal(after[target].shown, shown, target);
  const lateness = async (reader) =>
    /On time<\/dt><dd[^>]*>([^<]+)/.exec(
      (await reader.request('GET', `/trades/senate-${ALONE}-0001`)).text,
    )[1];
  assert.match(await lateness(wolf), /yes/, 'the original tells that it was in time');
  assert.match(await lateness(server), /not known/, 'and a visitor later');

  let from = receiver.requests.length;
  await correct('house-20990001-0001', 'Harbor Tool Works'); // visible at once
  await purges('f-house-20990001', from);
  const atOnce = await crawl(server);
  assertPurged(after, atOnce, receiver.requests.slice(from));
  const lists = () => Promise.all(CORRECTED.map(async (one) => (await server.get(one)).text));
  const corrected = await lists();
  for (let i = 0; i < 30; i++) await correct(id, `Quill Works ${i}`);
  assert.deepEqual(await lists(), corrected, 'more corrections than a page has');

  from = receiver.requests.length;
  await site.clock.advance(49 * HOUR); // each is published later than the one before
  await purges(`f-senate-${BEHIND}`, from);
  const later = await crawl(server);
  for (const target of [`/trades/${id}`, ...waited])
    assert.match(later[target]?.shown ?? '', /^200 /, target);
  assert.match(await lateness(server), /yes/);
  assertPurged(atOnce, later, receiver.requests.slice(from));
  const rows = later['/filings/house-20990001'].shown.matchAll(
    /"\/trades\/house-20990001-000(\d)" aria-label=/g,
  );
  assert.deepEqual([...rows].map(([, row]) => row).slice(0, 3), ['1', '2', '3']);
});

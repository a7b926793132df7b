// What a filing says is text on every page of data, in feeds and in CSV: markup in an asset, a
// comment, a printed cell and a company's name, and cells that a spreadsheet would compute.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { faultsBySchema } from './lib/atom.mjs';
import { parseCsv } from './lib/csv.mjs';
import { text } from './lib/html.mjs';
import { checkMarkup } from './lib/html_checker.mjs';
import { HOLLIS } from './lib/invented_members.mjs';
import { newVisitor, makeOwner, signInOnPage } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { committeesJson, membershipJson } from './lib/invented_committees.mjs';
import { filing, makeDesk } from './lib/undoing.mjs';

const CLOCK = '2024-03-01T12:00:00Z';
const script = (text) =>
  `${text}</title><script>alert(1)</script><img src=x onerror=alert(2)>'"{{x}} & y`;
const ASSET = script('=1+1 Quince');
const COMMENT = script('@SUM(A1)');
const DESCRIPTION = script('+cmd');
const COMPANY = script('-2 Quince');
const SYMBOLS = `Symbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location
QQBK,"${COMPANY.replaceAll('"', '""')}",Financials,Diversified Banks,Nowhere
`;
const BANKING = { id: 'SSBK', name: 'Senate Committee on Banking', type: 'senate' };

/** The page has no markup of the filing: no element and no attribute that this server did not write. */
function assertHarmless(page, target) {
  assert.equal(page.all('script:not([type])').length, 1, target);
  assert.equal(page.all('img[src=x]').length, 0, target);
  assert.equal(page.all('[onerror]').length, 0, target);
  assert.equal(page.all('title').filter(({ parent }) => parent.name === 'head').length, 1, target);
  assert.doesNotMatch(page.html, /<script>alert|<img src=x/, target);
}

test('hostile text of a filing stays text on each page, in both feeds and in CSV', async (t) => {
  const { site, put, publish } = await makeDesk(t, { clock: CLOCK, members: [HOLLIS] });
  await site.stockact('tickers', 'import', put('symbols.csv', SYMBOLS));
  const seats = put('membership.json', membershipJson({ SSBK: [{ member: HOLLIS }] }));
  const committees = put('committees.json', committeesJson([BANKING]));
  await site.stockact('committees', 'import', committees, seats, '--as-of', '2024-01-05');
  const row = { date: '01/10/2024', owner: 'Self', ticker: 'QQBK', asset: ASSET };
  await publish('a', { rows: [{ ...row, comment: COMMENT, description: DESCRIPTION }] });
  const id = `${filing('a')}-0001`;
  await site.stockact('correct', id, 'assetName', `${ASSET} Two`, ...because(COMMENT));
  const wolf = await makeOwner(site, { plan: 'wolf' });
  await site.clock.advance(49 * 3_600_000);
  const server = await site.serve();
  const visitor = newVisitor(server);
  const files = [];
  const open = async (target, ...texts) => {
    const page = await visitor.open(target);
    const words = page.text('body');
    assertHarmless(page, target);
    for (const text of texts) assert.ok(words.includes(text), `${target} has ${text}: ${words}`);
    files.push({ name: target, html: page.html });
    return page;
  };

  await open('/');
  await open('/trades', ASSET);
  const trade = await open(`/trades/${id}`, ASSET, COMMENT, DESCRIPTION, COMPANY);
  const about = trade.one('meta[name=description]').attribs.content;
  assert.ok(about.includes(ASSET), about);
  const data = JSON.parse(text(trade.one('script[type="application/ld+json"]')));
  assert.equal(data.url, `${server.url}/trades/${id}`);
  const short = await open('/trades?ticker=QQBK', ASSET);
  assert.match(short.text('title'), /^Trades: in QQBK · /);
  assert.ok(trade.text('code[data-copy]').length > 0);
  assert.ok(trade.text('title').startsWith(`Dana Hollis: ${ASSET}`));
  await open(`/filings/${filing('a')}`, ASSET);
  await open('/filings');
  await open('/politicians/dana-hollis', ASSET);
  await open('/tickers/QQBK', ASSET, COMPANY);
  await open('/tickers', COMPANY);
  await open('/conflicts', COMPANY);
  await open('/corrections', ASSET, COMMENT);
  await open('/explore?group_by=politician,ticker');
  await open('/search?q=quince', COMPANY);
  await checkMarkup(files);

  const names = ['/trades', '/conflicts', '/corrections', '/tickers', '/filings', '/politicians'];
  for (const name of names) {
    const atom = await server.get(`${name}.atom`);
    for (const schema of ['rfc4287.rng', 'atom.rng'])
      assert.equal(faultsBySchema(atom.text, schema), '', name);
    assert.doesNotMatch(atom.text, /<script|<img/, name);
    assert.ok(JSON.parse((await server.get(`${name}.json`)).text).items.length > 0, name);
  }
  const { items } = JSON.parse((await server.get('/trades.json')).text);
  assert.ok(items[0].title.includes(ASSET), items[0].title);

  const owner = await signInOnPage(server, wolf);
  for (const name of [...names, '/explore']) {
    const rows = parseCsv((await owner.request('GET', `${name}.csv`)).text);
    assert.ok(rows.length > 1, name);
    for (const cell of rows.flat()) assert.doesNotMatch(cell, /^[=+@-]\D/, name);
  }
  const csv = (await owner.request('GET', '/trades.csv')).text;
  assert.ok(parseCsv(csv)[1].includes(`'${ASSET} Two`), text);
});

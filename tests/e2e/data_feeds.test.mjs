// Feeds for readers of news: Atom against the rules of RFC 4287 and against those of this server.
// JSON Feed has no official schema: the one here follows the text of version 1.1
// (https://www.jsonfeed.org/version/1.1/), narrowed to what this server writes.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { faultsByRules, faultsBySchema, parseAtom } from './lib/atom.mjs';
import { newVisitor } from './lib/people.mjs';
import { because } from './lib/reviewer.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const text = { type: 'string', minLength: 1 };
const address = { type: 'string', format: 'uri', pattern: '^https?://' };
const instant = { type: 'string', format: 'date-time' };
const JSON_FEED = {
  type: 'object',
  required: ['version', 'title', 'items'],
  additionalProperties: false,
  properties: {
    version: { const: 'https://jsonfeed.org/version/1.1' },
    title: text,
    home_page_url: address,
    feed_url: address,
    next_url: address,
    language: text,
    items: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'content_text'],
        additionalProperties: false,
        properties: {
          id: text,
          url: address,
          external_url: address,
          title: text,
          content_text: text,
          date_published: instant,
          date_modified: instant,
          authors: {
            type: 'array',
            items: { type: 'object', required: ['name'], properties: { name: text, url: address } },
          },
          tags: { type: 'array', items: text },
          _stockact: { type: 'object', required: ['filedOn', 'lateStatus', 'firstPublishedAt'] },
        },
      },
    },
  },
};

const isJsonFeed = addFormats(new Ajv2020()).compile(JSON_FEED);

function checkJsonFeed(response) {
  assert.match(response.header('content-type'), /^application\/feed\+json$/);
  const feed = JSON.parse(response.text);
  assert.ok(isJsonFeed(feed), JSON.stringify(isJsonFeed.errors));
  return feed;
}

function checkAtom(response) {
  assert.match(response.header('content-type'), /^application\/atom\+xml; charset=utf-8$/);
  for (const schema of ['rfc4287.rng', 'atom.rng'])
    assert.equal(faultsBySchema(response.text, schema), '', schema);
  assert.deepEqual(faultsByRules(response.text), []);
  return parseAtom(response.text);
}

test('the rules of RFC 4287 that feeds are held to find a fault of each kind', () => {
  const feed = (head, entry = '') =>
    `<feed xmlns="http://www.w3.org/2005/Atom">${head}${entry && `<entry>${entry}</entry>`}</feed>`;
  const head =
    '<id>tag:example.org,2026:a</id><title>A</title><updated>2026-03-10T12:00:00Z</updated>';
  const by = '<author><name>A</name></author>';
  const link = '<link href="https://example.org/"/>';
  const accepts = (text) => !faultsBySchema(text, 'rfc4287.rng') && !faultsByRules(text).length;
  for (const text of [
    feed(head + by),
    feed(head, head + by + link),
    feed(`${head}${by}<x:y xmlns:x="urn:x"><x:z/></x:y>`, `${head}<content>B</content>`),
    feed(
      head + by,
      `${head}<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"/></content>`,
    ),
    feed(head + by, `${head}<summary/><content type="image/png" src="https://example.org/a"/>`),
  ])
    assert.ok(accepts(text), text + faultsBySchema(text, 'rfc4287.rng') + faultsByRules(text));
  for (const text of [
    feed(head),
    feed(by + head.replace(/<id>.*<\/id>/, '')),
    feed(by + head.replace('tag:example.org,2026:a', 'a')),
    feed(`${by}${head}<title>B</title>`),
    feed(by + head.replace('12:00:00Z', '12:00:00')),
    feed(`${by}${head}<unknown/>`),
    feed(`${by}${head}<logo/><logo/>`),
    feed(by + head.replace('<title>', '<title type="text/plain">')),
    feed(by + head.replace('>A<', '><b/><')),
    feed(`${by}${head}<link rel="next"/>`),
    feed(`${by}${head}<category label="a"/>`),
    feed(`${by}${head}${link}${link}`),
    feed('<author><uri>https://example.org/</uri></author>' + head),
    feed(head, head + link),
    feed(by + head, head),
    feed(by + head, `${head}<content>A<b/></content>`),
    feed(by + head, `${head}<content src="https://example.org/a" type="image/png">A</content>`),
    feed(by + head, `${head}<content src="https://example.org/a" type="image/png"/>`),
    feed(by + head, `${head}${link}<subtitle>B</subtitle>`),
    feed(by + head, `${head}${link}</entry><entry>${head}${link}`),
  ])
    assert.ok(!accepts(text), text);
});

describe('feeds of lists', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-02-01');
    return { server: await site.serve(), key: await site.key({ plan: 'den' }) };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });

  test('each list names its feeds, with its filters, and both are valid and have its items', async () => {
    for (const target of [
      '/trades',
      '/trades?chamber=senate&side=sell',
      '/trades?ticker=NONE',
      '/corrections',
      '/filings',
      '/filings?chamber=house',
      `/filings?politician_slug=${(await api('trades?limit=1')).data[0].politician.slug}`,
      '/conflicts',
      '/conflicts?chamber=senate&side=sell',
      '/politicians',
      '/politicians?chamber=senate&party=Democrat',
      '/politicians?has_trades=false',
      '/tickers',
      '/tickers?q=group',
    ]) {
      const page = await newVisitor(the.server).open(target);
      const link = (type) =>
        page.all('link[rel=alternate]').find(({ attribs }) => attribs.type === type).attribs.href;
      const atom = checkAtom(await the.server.get(link('application/atom+xml')));
      const json = checkJsonFeed(await the.server.get(link('application/feed+json')));
      const entries = atom.entry ?? [];
      assert.deepEqual(
        entries.map(({ id }) => id),
        json.items.map(({ id }) => id),
      );
      assert.equal(json.home_page_url, `${the.server.url}${target}`);
      if (!/^.(trades|conflicts)/.test(target)) continue;
      const query = target.replace(/^[^?]*[?]?/, '&').replace(/&$/, '');
      const flagged = target.startsWith('/conflicts') ? '&conflict=true' : '';
      const list = await api(`trades?limit=50${flagged}${query}`);
      assert.deepEqual(
        json.items.map(({ url }) => url),
        list.data.map(({ id }) => `${the.server.url}/trades/${id}`),
      );
      assert.deepEqual(
        json.items.map((item) => item.date_published),
        list.data.map(({ disclosedAt }) => disclosedAt),
      );
      for (const [i, { title }] of json.items.entries()) {
        assert.ok(title.includes(list.data[i].assetName) && title.includes('$'), title);
      }
    }
  });

  test('members and symbols are those of the list whose trades were published last', async () => {
    const members = (await api('politicians?limit=100&chamber=senate&has_trades=true')).data.map(
      ({ slug, name, counts, lastActivity }) => ({ key: slug, name, counts, lastActivity }),
    );
    const symbols = (await api('tickers?limit=100&has_trades=true&q=group')).data.map(
      ({ ticker, companyName, aggregates }) => ({
        key: ticker,
        name: companyName,
        counts: aggregates,
        lastActivity: aggregates.lastActivity,
      }),
    );
    for (const [target, rows] of [
      ['politicians.json?chamber=senate', members],
      ['tickers.json?q=group', symbols],
    ]) {
      const { items } = checkJsonFeed(await the.server.get(`/${target}`));
      const newest = rows
        .map(({ lastActivity }) => lastActivity)
        .sort()
        .reverse();
      assert.ok(newest.length > 2, target);
      assert.deepEqual(
        items.map((item) => item.date_modified),
        newest.slice(0, 50),
      );
      for (const item of items) {
        const row = rows.find(({ key }) => item.url.endsWith(`/${encodeURIComponent(key)}`));
        assert.equal(item.date_modified, row.lastActivity);
        assert.match(item.title, new RegExp(`^${row.name}.*: ${row.counts.trades} trades?$`));
        const [, firm, later = 0] = / (\d+) flagged(?: and (\d+) on a later list)?/.exec(
          item.content_text,
        );
        assert.equal(Number(firm) + Number(later), row.counts.conflicts, item.content_text);
      }
    }
  });

  test('the next pages of a feed reach the oldest trade', async () => {
    const seen = [];
    for (let target = '/trades.json'; target;) {
      const feed = checkJsonFeed(await the.server.get(target));
      seen.push(...feed.items.map(({ id }) => id));
      target = feed.next_url?.slice(the.server.url.length);
    }
    assert.equal(seen.length, 300);
    assert.equal(new Set(seen).size, 300);
  });

  test('updated moves with a correction, and the id stays', async () => {
    const { data } = await api('trades?limit=20');
    const trade = data.find(({ ticker }) => ticker);
    const { id } = trade;
    const item = async () => {
      const feed = checkAtom(await the.server.get('/trades.atom'));
      return { feed, entry: feed.entry.find((one) => one.id.endsWith(id)) };
    };
    /** When the entries of its member and its symbol changed. */
    const beside = () =>
      Promise.all(
        [
          ['politicians', trade.politician.slug],
          ['tickers', encodeURIComponent(trade.ticker)],
        ].map(async ([list, key]) => {
          const { items } = checkJsonFeed(await the.server.get(`/${list}.json`));
          return items.find(({ url }) => url.endsWith(`/${list}/${key}`)).date_modified;
        }),
      );
    const before = await item();
    assert.equal(before.entry.updated, trade.disclosedAt);
    assert.ok((await beside()).every((at) => at < '2026-03'));
    await the.site.stockact('correct', id, 'amountBucket', '5m_25m', ...because('misread'));
    await until(
      'the feed has it',
      async () => (await item()).entry.updated !== before.entry.updated,
    );
    const after = await item();
    assert.equal(after.entry.updated, '2026-03-10T12:00:00.000Z');
    assert.deepEqual(await beside(), [after.entry.updated, after.entry.updated]);
    assert.equal(after.feed.updated, after.entry.updated);
    assert.equal(after.entry.published, before.entry.published);
    assert.match(after.entry.title, /\$5,000,001/);
    const corrections = checkJsonFeed(await the.server.get('/corrections.json?kind=field'));
    assert.match(
      corrections.items[0].content_text,
      /^Amount was \$.*, is \$5,000,001 . \$25,000,000\. Why: misread/,
    );
    assert.equal(corrections.title, 'Corrections of published trades (kind=field)');
    assert.match(corrections.items[0].title, /^[^:]+: .+: amount corrected$/);
    assert.equal(corrections.items[0].url, `${the.server.url}/trades/${id}`);
  });

  test('a wrong query is 400, and a publication of the last 48 hours is not in the feed', async () => {
    const visitor = newVisitor(the.server);
    await visitor.open('/trades.atom?side=x', { status: 400 });
    await visitor.open('/corrections.json?kind=x', { status: 400 });
    const before = (await api('trades?limit=1')).data[0].id;
    await the.site.stockact('demo', '--publish', 1, '--rows', 1);
    await until('it is served', async () => (await api('trades?limit=1')).data[0].id !== before);
    const feed = checkJsonFeed(await the.server.get('/trades.json'));
    assert.equal(feed.items[0].url, `${the.server.url}/trades/${before}`);
  });
});

test('hostile text stays text in both feeds', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T12:00:00Z' });
  await site.stockact('demo', '--trades', 5, '--as-of', '2026-02-01');
  const server = await site.serve();
  const { data } = await server.json('/api/v1/trades?limit=1');
  const hostile = '</title><script>alert(1)</script> & ]]> <![CDATA[ "quoted" \uFFFE';
  await site.stockact('correct', data[0].id, 'assetName', hostile, ...because('printed so'));
  const name = async () => (await server.json('/api/v1/trades?limit=1')).data[0].assetName;
  await until('the correction is served', async () => (await name()) === hostile);
  const json = checkJsonFeed(await server.get('/trades.json'));
  assert.ok(json.items[0].title.includes(hostile));
  const atom = checkAtom(await server.get('/trades.atom'));
  assert.ok(!JSON.stringify(atom).includes('"script"'));
});

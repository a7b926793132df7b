// /trades/{id}: everything that the API says about a trade, in words.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { text as textOf } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const SIDES = {
  buy: 'Bought',
  sell_full: 'Sold',
  sell_partial: 'Sold in part',
  exchange: 'Exchanged',
};
const CHAMBERS = { house: 'House', senate: 'Senate' };
const REVIEWS = { unseen: 'there is no record', bulk: 'bulk history', batch: 'in a batch' };

const WHY = ['--reason', 'printed twice <b>', '--by', 'reviewer@example.org'];

describe('the page of a trade', () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    await site.stockact('demo', '--trades', 300, '--as-of', '2026-02-01');
    const server = await site.serve();
    return { server, key: await site.key({ plan: 'den' }), owner: await makeOwner(site) };
  });
  const api = (target) => the.server.json(`/api/v1/${target}`, { key: the.key });
  const open = (id, options) => newVisitor(the.server).open(`/trades/${id}`, options);

  test('it has the fields, the printed cells, the source and the dates of the API', async () => {
    const { data } = await api('trades?limit=50');
    assert.ok(data.length > 20);
    for (const { id } of data.slice(0, 20)) {
      const page = await open(id);
      const { trade, source, details } = (await api(`trades/${id}`)).data;
      const text = page.text('main');
      const links = page.all('main a').map(({ attribs }) => attribs.href);
      const times = page.all('main time').map(({ attribs }) => attribs.datetime);
      const { politician } = trade;
      assert.equal(page.text('h1'), `${SIDES[trade.side]}: ${trade.assetName}`);
      for (const link of [
        `/politicians/${politician.slug}`,
        `/filings/${source.filingId}`,
        `/api/v1/trades/${id}`,
        ...(trade.ticker ? [`/tickers/${trade.ticker}`] : []),
      ])
        assert.ok(links.includes(link), `${id}: ${link}`);
      const cited = page
        .all('dl.facts code[data-copy]')
        .map((node) => textOf(node))
        .at(-1);
      for (const part of [
        politician.name,
        trade.amountRange.label,
        source.sha256 ?? '',
        `/trades/${id}`,
      ])
        assert.ok(cited.includes(part), `${cited} names ${part}`);
      const data = JSON.parse(textOf(page.one('script[type="application/ld+json"]')));
      assert.equal(data.datePublished, trade.disclosedAt);
      assert.equal(data.isBasedOn, trade.filingUrl);
      assert.equal(page.one('link[rel=canonical]').attribs.href, data.url);
      const review = source.reviewers.map(({ at }) => at);
      for (const time of [trade.disclosedAt, ...review, trade.tradeDate ?? []].flat())
        assert.ok(times.includes(time), `${id}: ${time}`);
      for (const value of [
        politician.name,
        `${CHAMBERS[politician.chamber]}, ${politician.party?.[0] ?? ''}-${politician.state ?? ''}`,
        trade.ticker,
        trade.assetType && trade.assetType.replaceAll('_', ' '),
        trade.amountRange.label,
        trade.ownerType ? `owner: ${trade.ownerType.replace('self', 'filer')}` : 'no owner',
        trade.tradeDate ?? 'the filing states no date',
        trade.conflictReason,
        source.page && `page ${source.page}, row ${source.row}`,
        `row ${source.row}`,
        REVIEWS[source.review],
        source.entry && `entered ${source.entry === 'single' ? 'by one person' : 'twice'}`,
        ...['strike', 'description', 'company', 'platform', 'coupon'].map((one) => details?.[one]),
        id,
        trade.filingUrl,
        source.sha256,
        source.dueDate,
        source.notifiedDate,
        ...Object.values(source.printed),
      ]) {
        if (value ?? null) assert.ok(text.includes(value), `${id}: ${value}`);
      }
      assert.equal(page.one('link[rel=alternate]').attribs.href, `/api/v1/trades/${id}`);
      const late = source.daysLate === 1 ? '1 day late' : `${source.daysLate} days late`;
      assert.ok(text.includes(source.daysLate ? late : 'yes'), `${id}: ${source.daysLate}`);
    }
  });

  test('link previews of each page of data have its own title and description', async () => {
    const [trade] = (await api('trades?limit=1')).data;
    const { slug, name } = trade.politician;
    const [filing] = (await api('filings?limit=1')).data;
    const lists = ['trades', 'politicians', 'tickers', 'conflicts', 'filings', 'corrections'];
    const targets = [
      ...['/', '/coverage', ...lists.map((list) => `/${list}`), `/politicians/${slug}`],
      ...[`/politicians/${slug}/filings`, `/tickers/${trade.ticker}`, `/filings/${filing.id}`],
      `/trades/${trade.id}`,
    ];
    const said = { title: new Set(), description: new Set() };
    let last;
    for (const target of targets) {
      last = await newVisitor(the.server).open(target);
      const content = (name) => last.one(`meta[${name}]`).attribs.content;
      assert.equal(last.text('title'), `${content('property="og:title"')} · stockact`);
      assert.equal(content('name=description'), content('property="og:description"'));
      said.title.add(content('property="og:title"'));
      said.description.add(content('name=description'));
    }
    for (const texts of Object.values(said)) assert.equal(texts.size, targets.length);
    const text = last.one('meta[name=description]').attribs.content;
    for (const fact of [name, trade.assetName, trade.amountRange.label, trade.tradeDate])
      assert.ok(text.includes(fact), text);
  });

  test('a flagged trade shows each committee of the evidence, and says that it is no allegation', async () => {
    const { data } = await api('trades?conflict=true&limit=5');
    for (const { id, conflictReason } of data) {
      const page = await open(id);
      const { conflict } = (await api(`trades/${id}`)).data;
      assert.ok(page.text('main').includes(conflictReason));
      assert.deepEqual(
        page.all('section[aria-labelledby=signal] tbody th').length,
        conflict.committees.length,
      );
      assert.match(page.text('main'), /not an allegation/);
    }
  });

  test('a withdrawn trade says when and why, and an unknown one that it does not exist', async () => {
    const { data } = await api('trades?limit=1&side=buy');
    await the.site.stockact('withdraw', data[0].id, ...WHY);
    const page = await open(data[0].id, { status: 410 });
    assert.match(page.text('main'), /withdrawn on 2026-03-10 08:00 EDT.*printed twice <b>/);
    await open('house-1-0001', { status: 404 });
  });

  test('a trade of the last 48 hours says when it appears, and accounts with a plan see it', async () => {
    const owner = await signInOnPage(the.server, the.owner);
    await the.site.stockact('demo', '--publish', 1, '--rows', 1);
    const newest = async () => (await api('trades?limit=1')).data[0];
    await until('the trade is served', async () => (await newest()).disclosedAt > '2026-03');
    const { id } = await newest();
    const page = await open(id, { status: 404 });
    assert.match(page.text('main'), /appears here on 2026-03-12 08:00 EDT/);
    await owner.open(`/trades/${id}`);
  });
});

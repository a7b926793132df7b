// Every page of the table of pages (`stockact help --pages --json`), with an example of each address
// that has an id or a link's token in it.

import path from 'node:path';
import { strict as assert } from 'node:assert';
import { confirmLink, endLink } from './alerts.mjs';
import { mailSettings } from './mail_sink.mjs';
import { PlainReceiver } from './plain_receiver.mjs';
import { attribute } from './html.mjs';
import { BY } from './reviewer.mjs';
import { PASSWORD, anyEmail, linkIn, makeOwner, newVisitor, signInOnPage } from './people.mjs';

/** Options of the site that `everyPage` needs; `t` ends the servers beside it. */
export async function pageSite(t) {
  const receiver = await PlainReceiver.start(t);
  const { sink, env } = await mailSettings(t, {
    STOCKACT_SIGNUP: 'open',
    STOCKACT_CONTACT: 'help@example.org',
    STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
  });
  return { sink, receiver, options: { env } };
}

/** The links of the documentation. */
async function guides({ server }) {
  const page = await newVisitor(server).open('/docs');
  const links = page.all('a[href^="/docs/"]').map((node) => attribute(node, 'href'));
  return [...new Set(links.map((link) => link.replace(/#.*/, '')))].filter(
    (link) => !link.endsWith('.md'),
  );
}

async function signUpLink({ server, sink }) {
  const visitor = newVisitor(server);
  const page = await visitor.open('/sign-up');
  const email = anyEmail();
  await visitor.submit(page.form('/sign-up'), { email, password: PASSWORD }, { status: 200 });
  const find = (mail) => mail.to === email;
  for (let count = 1; !sink.mails.some(find); count++) await sink.have(count);
  return linkIn(sink.mails.find(find), '/sign-up/confirm');
}

async function addressLink({ server, sink }, email) {
  const visitor = await signInOnPage(server, { email, password: PASSWORD });
  const path = '/account/settings/address';
  const page = await visitor.open(path);
  const newEmail = anyEmail();
  await visitor.submit(page.form(path), { newEmail }, { status: 200 });
  const find = (mail) => mail.to === newEmail;
  for (let count = 1; !sink.mails.some(find); count++) await sink.have(count);
  return linkIn(sink.mails.find(find), '/confirm-address');
}

const local = (link) => new URL(link).pathname + new URL(link).search;

/** A batch with this draft, which no command would put into one. */
async function addBatch(site, draft) {
  await site.database.execute(
    `INSERT INTO review_batch (state, started_at, started_by, size, sample)
     VALUES ('open', 0, 'reviewer@example.org', 1, 1)`,
  );
  await site.database.execute(
    `INSERT INTO review_batch_draft (batch_no, draft_no, mark, drawn, outcome)
     SELECT 1, no, '-', 1, 'waiting' FROM draft WHERE filing_id = '${draft}'`,
  );
}

/** Rows of the sample: one to type, one that differs, and one that was wrong. */
async function sampleRows(site) {
  const execute = (sql) => site.database.execute(sql);
  const trades = await site.database.query(
    'SELECT id FROM trade WHERE withdrawn_at IS NULL ORDER BY id LIMIT 3',
  );
  await execute(`INSERT INTO sample_draw (day, drawn_at, seed) VALUES (1, 1, x'00')`);
  const states = ['open', 'differs', 'wrong'];
  for (const [i, { id }] of trades.entries()) {
    const entered = i ? `'ann@example.org', 2` : 'NULL, NULL';
    const ended = i === 2 ? '3, 24311' : 'NULL, NULL';
    await execute(
      `INSERT INTO sample_row (no, draw_no, trade_id, chamber, kind, drawn_at, state, entered_by,` +
        ` entered_at, ended_at, month) VALUES (${i + 1}, (SELECT max(no) FROM sample_draw),` +
        ` '${id}', 'house', 'paper', 1, '${states[i]}', ${entered}, ${ended})`,
    );
    for (const [said, side] of [[0, 'buy'], ...(i ? [[1, 'exchange']] : [])])
      await execute(
        `INSERT INTO sample_content (row_no, entered, asset_name, side, amount_bucket)` +
          ` VALUES (${i + 1}, ${said}, 'Quarrel Tools', '${side}', '1k_15k')`,
      );
    if (i)
      await execute(
        `INSERT INTO sample_difference (row_no, field, verdict)` +
          ` VALUES (${i + 1}, 'side', ${i === 2 ? `'published'` : 'NULL'})`,
      );
  }
  await execute(
    `INSERT INTO sample_document (no, draw_no, filing_id, chamber, kind, drawn_at, known)` +
      ` SELECT 1, max(s.no), (SELECT id FROM filing WHERE state = 'published' ORDER BY id LIMIT 1),` +
      ` 'house', 'electronic', ${site.clock?.now ?? Date.now()}, 3 FROM sample_draw s`,
  );
  return [1, 2, 3];
}

/** What the examples need: people, a key, an endpoint with deliveries. */
async function furnish(site, { sink, receiver }) {
  await site.stockact('demo', '--trades', 300);
  const owner = await makeOwner(site, { email: 'owner@example.org', plan: 'den' });
  const admin = await makeOwner(site, { email: 'admin@example.org', role: 'admin' });
  const reviewer = await makeOwner(site, { email: 'reviewer@example.org', role: 'reviewer' });
  const key = await site.mint({ email: owner.email, name: 'laptop' });
  const paper = ['house', '9000001', '--url', 'https://example.org/9000001.pdf'];
  const [{ filingId: draft }] = await site.stockact('review', 'new', ...paper, ...BY);
  await site.stockact('review', 'add-row', draft, 'assetName=Garden Mills', 'side=buy', ...BY);
  await addBatch(site, draft);
  const folder = path.join(site.folder, 'data');
  const server = await site.serve({
    env: { STOCKACT_SNAPSHOTS: folder, STOCKACT_OPEN_DATA: 'on' },
  });
  await site.stockact('snapshot', folder);
  const [endpoint] = await site.stockact(
    ...['webhooks', 'add', '--email', owner.email, '--url', receiver.url(200)],
  );
  await site.stockact('demo', '--publish', 2, '--rows', 1);
  const [alert] = await site.stockact('alerts', 'add', '--email', owner.email, '--ticker', 'NVDA');
  const [{ id: account }] = await site.database.query(
    `SELECT id FROM account WHERE email = '${owner.email}'`,
  );
  const sampled = await sampleRows(site);
  const deliveries = () => site.stockact('webhooks', 'deliveries', '--endpoint', endpoint.id);
  const [delivery] = await deliveries();
  const endLinks = [await endLink(site, account, alert.id), await endLink(site, account)];
  return {
    alert,
    endLinks,
    server,
    receiver,
    sink,
    site,
    owner,
    admin,
    reviewer,
    key,
    endpoint,
    delivery,
    draft,
    sampled,
    account,
  };
}

/** A flagged trade that everybody sees. */
async function oldTrade({ server }) {
  const until = new Date(Date.now() - 72 * 3_600_000).toISOString();
  const { data } = await server.json(`/api/v1/trades?conflict=true&limit=1&until=${until}`);
  return data[0];
}

/** Examples of addresses: path of the table -> targets. Others are their own example. */
const EXAMPLES = {
  '/trades/{id}': async (the) => [`/trades/${(await oldTrade(the)).id}`],
  '/filings/{id}': async (the) => [`/filings/${(await oldTrade(the)).id.replace(/-\d+$/, '')}`],
  '/tickers/{symbol}': async (the) => [`/tickers/${(await oldTrade(the)).ticker}`],
  '/politicians/{slug}/filings': async (the) => [
    `/politicians/${(await oldTrade(the)).politician.slug}/filings`,
  ],
  '/politicians/{slug}': async (the) => [`/politicians/${(await oldTrade(the)).politician.slug}`],
  '/committees/{id}': async ({ server }) => {
    const { data } = await server.json('/api/v1/committees?limit=1');
    return [`/committees/${data[0].id}`];
  },
  '/industries/{code}': () => ['/industries/banks'],
  '/search': () => ['/search', '/search?q=qu', '/search?q=nothinglikeit'],
  '/explore': () => ['/explore', '/explore?group_by=flag_committee,month'],
  '/data/{day}': () => ['/data/latest'],
  '/docs/{name}': guides,
  '/docs/search': () => ['/docs/search?q=cursor'],
  '/sign-up/confirm': async (the) => [await signUpLink(the)],
  '/join': async ({ site }) => {
    const [{ link }] = await site.stockact('accounts', 'invite', '--link', '--email', anyEmail());
    return [local(link)];
  },
  '/reset': async ({ site, owner }) => {
    const [{ link }] = await site.stockact(
      'accounts',
      'reset-password',
      '--link',
      '--email',
      owner.email,
    );
    return ['/reset', local(link)];
  },
  '/confirm-address': async (the) => [await addressLink(the, the.reviewer.email)],
  '/account/keys/{id}': ({ key }) => [`/account/keys/${key.id}`],
  '/account/alerts/{id}': ({ alert }) => [`/account/alerts/${alert.id}`],
  '/alerts/end/{id}': ({ endLinks }) => endLinks,
  '/alerts/confirm': async ({ sink, owner }) => [await confirmLink(sink, owner.email)],
  '/account/webhooks/{id}': ({ endpoint }) => [`/account/webhooks/${endpoint.id}`],
  '/account/webhooks/{id}/replay': ({ endpoint }) => [`/account/webhooks/${endpoint.id}/replay`],
  '/account/webhooks/{id}/deliveries/{delivery}': ({ endpoint, delivery }) => [
    `/account/webhooks/${endpoint.id}/deliveries/${delivery.id}`,
  ],
  '/desk/batches/{n}': () => ['/desk/batches/1'],
  '/desk/{filing}': ({ draft }) => [`/desk/${draft}`],
  '/desk/{filing}/entry': ({ draft }) => [`/desk/${draft}/entry`],
  '/desk/{filing}/entry/{row}': ({ draft }) => [`/desk/${draft}/entry/1`],
  '/desk/{filing}/rows': ({ draft }) => [`/desk/${draft}/rows`],
  '/desk/{filing}/rows/{row}': ({ draft }) => [`/desk/${draft}/rows/1`],
  '/desk/sample/documents/{n}': () => ['/desk/sample/documents/1'],
  '/desk/sample/{row}': ({ sampled }) => sampled.map((no) => `/desk/sample/${no}`),
  '/admin/accounts/{id}': ({ account }) => [`/admin/accounts/${account}`],
};

/** Addresses that answer no page, or the page above them: forms are posted there. */
const NO_PAGES = [
  /^\/\.well-known\//,
  /^\/sitemap\//,
  /^\/(compat|data\/\{day\})\//,
  /\.(txt|xml|ico|csv|json|atom|png)$/,
  /\/(pages|strips)\/\{n\}$/, // a picture
  /^\/account\/api\//,
  /^\/account\/webhooks\/\{id\}\/(enable|disable|remove|reveal|rotate|end-overlap|test)$/,
  /^\/account\/alerts\/(confirm|\{id\}\/\w+)$/,
  /\/body$/,
];

/**
 * Fills the site, starts a server, and returns {server, pages, visitors, ...}: pages are
 * {path, target, as}, visitors has one for each `as`; the rest is what the site was filled with.
 */
export async function everyPage(site, beside) {
  const the = await furnish(site, beside);
  const done = await site.run(['help', '--pages', '--json']);
  assert.equal(done.code, 0, done.stderr);
  const table = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const pages = [];
  for (const { path, access, get } of table) {
    if (!get || NO_PAGES.some((pattern) => pattern.test(path))) continue;
    assert.ok(path in EXAMPLES || !path.includes('{'), `lib/every_page.mjs has no ${path}`);
    const targets = await (EXAMPLES[path] ?? (() => [path]))(the);
    const as = access === 'reader' ? 'anyone' : access;
    for (const target of targets) pages.push({ path, target, as });
  }
  const visitors = {
    anyone: newVisitor(the.server),
    owner: await signInOnPage(the.server, the.owner),
    reviewer: await signInOnPage(the.server, the.reviewer),
    admin: await signInOnPage(the.server, the.admin),
  };
  return { ...the, pages, visitors };
}

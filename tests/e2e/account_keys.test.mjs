// The owner's home and keys: /account, /account/keys and /account/api/keys (decisions 22, 43).

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { all, text } from './lib/html.mjs';
import { assertSameTime } from './lib/same_time.mjs';
import { withSession } from './lib/sessions.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const NOON = '2026-03-15T12:00:30.000Z';
const FILINGS = '/api/v1/filings';
const HOSTILE = `<script>alert(1)</script>"'&{{name}}`;
const CONTACT = 'ops@example.org';

/** A site with a server, an owner with a key, and the owner's visitor. */
async function start(t, { plan = 'pack', ...options } = {}) {
  const site = await makeSite(t, {
    clock: NOON,
    ...options,
    env: { STOCKACT_CONTACT: CONTACT, ...options.env },
  });
  const minted = await site.mint({ plan, name: 'screener' });
  const server = await site.serve();
  const visitor = await withSession(site, server, minted.email);
  return { site, server, minted, visitor };
}

const ask = (server, key, target = FILINGS) => server.get(target, { key });

async function mintOnPage(visitor, name) {
  const page = await visitor.open('/account/keys');
  return visitor.submit(page.form('/account/keys'), { name }, { status: 201 });
}

const keyOf = (page) => /svc_[\w-]{43}/.exec(page.html)[0];
/** The cells of a row with spaces between them. */
const cells = (row) => all('th, td', row).map(text).join(' ');
const rowsOf = (page, caption) => page.all(`[aria-label="${caption}"] tbody tr`).map(cells);

onEachDatabase('keys on pages', (database) => {
  test('a key is created, used, renamed and revoked', async (t) => {
    const { site, server, minted, visitor } = await start(t, { database });
    const page = await mintOnPage(visitor, '  laptop ');
    const key = keyOf(page);
    assert.equal(page.response.header('cache-control'), 'no-store');
    assert.match(page.text(), /only once/);
    const code = page.all('figure.code').map((node) => text(node));
    assert.ok(code.some((one) => one.startsWith(`curl -H "Authorization: Bearer ${key}"`)));
    const claude = code.find((one) => one.startsWith('claude mcp add'));
    assert.ok(claude.includes(`--scope user stockact ${server.url}/mcp --header "`));
    assert.ok(claude.endsWith(`"Authorization: Bearer ${key}"`));
    for (const line of code) assert.ok(!line.includes('\n'), 'one line, for every shell');
    const json = code.find((one) => one.startsWith('{'));
    const [cursor, vscode] = ['Cursor', 'VS Code'].map((host) => {
      const link = page.all('a.button').find((node) => text(node) === `Add to ${host}`);
      return new URL(link.attribs.href);
    });
    assert.equal(`${cursor.protocol}//${cursor.host}`, 'cursor://anysphere.cursor-deeplink');
    assert.equal(cursor.searchParams.get('name'), 'stockact');
    assert.equal(`${vscode.protocol}${vscode.pathname}`, 'vscode:mcp/install');
    const named = JSON.parse(decodeURIComponent(vscode.search.slice(1)));
    assert.equal(named.name, 'stockact');
    const config = Buffer.from(cursor.searchParams.get('config'), 'base64').toString();
    for (const host of [named, JSON.parse(config), JSON.parse(json).mcpServers.stockact]) {
      const { type, url, headers } = host;
      assert.deepEqual([type, url], ['http', `${server.url}/mcp`]);
      assert.deepEqual(headers, { Authorization: `Bearer ${key}` });
    }
    assert.equal((await ask(server, key)).status, 200, 'at once');

    const list = await visitor.open('/account/keys');
    assert.ok(!list.html.includes(key), 'never again');
    const [first, second] = rowsOf(list, 'Active keys');
    assert.ok(first.startsWith(`laptop ${key.slice(0, 12)}… 2026-03-15 08:00 EDT`), first);
    assert.match(second, /^screener .* never$/);

    const detail = await visitor.open(list.link('laptop'));
    assert.equal(detail.heading, 'laptop');
    const renamed = await visitor.submit(detail.form('Save the name'), { name: 'server' });
    assert.equal(renamed.heading, 'server');
    assert.match(renamed.text('.flash'), /new name is saved/);

    await until('the use is written, once a minute', async () => {
      await site.clock.advance(60_000);
      await ask(server, key, '/api/v1/politicians');
      return (await visitor.open(detail.target)).text('.facts').includes('/api/v1/politicians');
    });
    const asked = await visitor.open(detail.target);
    const question = asked.form(`${detail.target}/revoke`);
    assert.match(
      text(question.node),
      /“server” was last used (?:just now|\d+ minutes? ago), for \/api\/v1\/politicians\. .* cannot be undone/,
    );
    const after = await visitor.submit(question);
    assert.equal(after.path, '/account/keys');
    assert.match(after.text('.flash'), /The key is revoked/);
    assert.match(rowsOf(after, 'Revoked keys')[0], /^server /);
    assert.equal((await ask(server, key)).status, 401, 'at once');
    assert.equal((await ask(server, minted.key)).status, 200);
    const revoked = await visitor.open(detail.target);
    assert.equal(revoked.all('details.confirm').length, 0);

    const log = await site.database.query(
      'SELECT actor, action, session_id FROM action_log ORDER BY no',
    );
    assert.deepEqual(
      log.filter(({ actor }) => actor === 'account').map(({ action }) => action),
      ['key.mint', 'key.rename', 'key.revoke'],
    );
    assert.ok(log.at(-1).session_id.startsWith('ses_'));
  });

  test('a double click creates one key, and two tabs create two', async (t) => {
    const { visitor } = await start(t, { database });
    const one = (await visitor.open('/account/keys')).form('/account/keys');
    const other = (await visitor.open('/account/keys')).form('/account/keys');
    const answers = await Promise.all([1, 2, 3].map(() => visitor.submit(one, { name: 'twice' })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409]);
    const late = answers.find(({ status }) => status === 409);
    assert.match(late.text(), /already sent/);
    assert.equal((await visitor.submit(other, { name: 'third' })).status, 201);
    assert.equal(rowsOf(await visitor.open('/account/keys'), 'Active keys').length, 3);
  });

  test('the cap limits minting, also under a race', async (t) => {
    const { visitor } = await start(t, { database });
    const forms = [];
    for (let i = 0; i < 6; i++)
      forms.push((await visitor.open('/account/keys')).form('/account/keys'));
    const answers = await Promise.all(
      forms.map((form, i) => visitor.submit(form, { name: `k${i}` })),
    );
    const statuses = answers.map(({ status }) => status);
    assert.deepEqual(statuses.sort(), [201, 201, 422, 422, 422, 422]);
    const refused = answers.find(({ status }) => status === 422);
    assert.match(refused.text('.faults'), /The Pack plan allows 3 active keys/i);
    const full = await visitor.open('/account/keys');
    assert.match(full.text(), /All keys of your plan are in use\. Revoke one/);
    assert.match(full.text(), /Active keys: 3 of the 3 that the Pack plan allows/);
    const kinds = full
      .form('/account/keys')
      .controls.filter(({ attribs }) => attribs.name === 'kind');
    assert.deepEqual(
      kinds.map(({ attribs }) => attribs.value),
      ['link'],
    );
  });
});

describe('keys on pages', () => {
  test('a form with a bad name shows the fault and keeps the input', async (t) => {
    const { visitor, minted } = await start(t);
    const page = await visitor.open('/account/keys');
    for (const name of ['', '   ', 'x'.repeat(101), 'a\u202eb']) {
      const faulty = await visitor.submit(page.form('/account/keys'), { name }, { status: 422 });
      const form = faulty.form('/account/keys');
      assert.ok(form.fault('name'));
      assert.equal(form.value('name'), name);
    }
    const own = await visitor.open(`/account/keys/${minted.id}`);
    const faulty = await visitor.submit(own.form('Save the name'), { name: '' }, { status: 422 });
    assert.ok(faulty.form('Save the name').fault('name'));
    assert.equal((await visitor.open(`/account/keys/${minted.id}`)).heading, 'screener');
  });

  test('hostile names are text everywhere', async (t) => {
    const { visitor } = await start(t);
    const page = await mintOnPage(visitor, HOSTILE);
    for (const target of ['/account', '/account/keys', null]) {
      const shown = target ? await visitor.open(target) : page;
      assert.ok(!shown.html.includes('<script>alert'), target);
      assert.ok(shown.text().includes(HOSTILE), target);
    }
    const list = await visitor.open('/account/keys');
    const detail = await visitor.open(list.link(HOSTILE));
    assert.equal(detail.heading, HOSTILE);
    assert.equal(detail.form('Save the name').value('name'), HOSTILE);
  });

  test("another account's key does not exist", async (t) => {
    const { site, server, minted } = await start(t);
    const email = await site.account();
    const other = await withSession(site, server, email);
    for (const id of [minted.id, 'key_0000000000000000', '%00', '..', 'x'.repeat(500)]) {
      const page = await other.open(`/account/keys/${id}`, { status: 404 });
      assert.ok(!page.text().includes('screener'));
    }
    const { csrf } = await other.json('/account/keys');
    for (const target of [`/account/keys/${minted.id}`, `/account/keys/${minted.id}/revoke`]) {
      const response = await other.postJson(target, { name: 'mine' }, { csrf });
      assert.equal(response.status, 404, target);
    }
    const api = await other.postJson(`/account/api/keys/${minted.id}/revoke`, {}, { csrf });
    assert.equal(api.status, 404);
    assert.equal((await ask(server, minted.key)).status, 200);
    await site.stockact('accounts', 'set-role', '--email', email, '--role', 'admin');
    await other.open(`/account/keys/${minted.id}`, { status: 404 });
  });

  test("another account's key and an unknown key take the same time", async (t) => {
    const { site, server, minted } = await start(t);
    const other = await withSession(site, server, await site.account());
    const ask = (id) => async () => {
      assert.equal((await other.request('GET', `/account/keys/${id}`)).status, 404);
    };
    await assertSameTime(
      { theirs: ask(minted.id), nothing: ask('key_0000000000000000') },
      { pairs: 120 },
    );
  });

  test('minting needs the password again after ten minutes', async (t) => {
    const { site, server, minted } = await start(t);
    const args = ['accounts', 'password', '--email', minted.email, '--password-stdin'];
    const set = await site.run(args, { input: 'correct horse battery\n' });
    assert.equal(set.code, 0, set.stderr);
    const visitor = await withSession(site, server, minted.email, { proved: false });
    const page = await visitor.open('/account/keys');
    const asked = await visitor.submit(page.form('/account/keys'), { name: 'late' });
    assert.equal(asked.heading, 'Enter your password again');
    const form = asked.form('/account/keys');
    const wrong = await visitor.submit(form, { confirm_password: 'no' });
    assert.notEqual(wrong.status, 201);
    const right = await visitor.submit(wrong.form('/account/keys'), {
      confirm_password: 'correct horse battery',
    });
    assert.equal(right.status, 201);
    assert.match(right.text(), /late/);
  });

  test('a plan without API access says what to do', async (t) => {
    const { site, visitor, minted } = await start(t);
    await site.stockact('accounts', 'set-plan', '--email', minted.email, '--plan', 'wolf');
    const keys = await visitor.open('/account/keys');
    assert.match(keys.text(), /The Wolf plan has no API access; keys need Pack or Den/);
    assert.ok(keys.text().includes(CONTACT));
    const home = await visitor.open('/account');
    assert.match(home.text(), /You are on the Wolf plan\. It has no API access/);
    assert.equal(home.all('progress').length, 0);
  });

  test('a key that was not used for 30 days is marked', async (t) => {
    const { site, server, minted } = await start(t);
    await site.clock.advance(30 * 86_400_000);
    const visitor = await withSession(site, server, minted.email);
    for (const target of ['/account', '/account/keys', `/account/keys/${minted.id}`])
      assert.match((await visitor.open(target)).text(), /not used for 30 days/, target);
  });

  test('visitors are sent to sign in, other methods are refused', async (t) => {
    const { server } = await start(t);
    for (const target of ['/account', '/account/keys', '/account/keys/key_1']) {
      const response = await server.get(target, { headers: { Accept: 'text/html' } });
      assert.ok([303, 401].includes(response.status), `${target}: ${response.status}`);
    }
    const api = await server.get('/account/api/keys');
    assert.equal(api.status, 401);
    assert.equal(api.json.error, 'sign_in_required');
  });
});

test('revoked keys are shown in pages, and a program reads them in parts', async (t) => {
  const { site, minted, visitor } = await start(t);
  await site.database.execute(
    `WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 229)
     INSERT INTO api_key (id, account_no, sha256, prefix, name, created_at, revoked_at)
     SELECT 'key_0000000000000' || i, k.account_no, randomblob(32), 'svc_aaaaaaaa', 'old ' || i,
     i, i FROM n, api_key k`,
  );
  const names = (page) => rowsOf(page, 'Revoked keys').map((row) => /old (\d+)/.exec(row)[1]);
  const counted = (from, n) => Array.from({ length: n }, (_, i) => String(from - i));
  const first = await visitor.open('/account/keys');
  assert.deepEqual(names(first), counted(229, 25));
  assert.equal(rowsOf(first, 'Active keys').length, 1);
  const second = await visitor.open(first.link('Older →'));
  assert.deepEqual(names(second), counted(204, 25));
  const back = await visitor.open(second.link('← Newer'));
  assert.deepEqual(names(back), counted(229, 25));
  let page = second;
  while (page.all('a[rel=next]').length) page = await visitor.open(page.link('Older →'));
  assert.deepEqual(names(page), counted(104, 5));

  const some = await visitor.json('/account/api/keys');
  assert.equal(some.data.length, 1 + 100);
  assert.equal(some.data[0].revokedAt, null);
  const rest = await visitor.json(`/account/api/keys?before=${some.next}`);
  assert.equal(rest.data.length, 30);
  assert.equal(rest.next, null);
  const exported = await site.run(['accounts', 'export', '--email', minted.email]);
  assert.equal(JSON.parse(exported.stdout).keys.length, 131);
});

onEachDatabase('private links', (database) => {
  const linkOf = (page) => /lnk_[\w-]{43}/.exec(page.html)[0];
  const makeLink = async (visitor, name) => {
    const page = await visitor.open('/account/keys');
    return visitor.submit(page.form('/account/keys'), { name, kind: 'link' }, { status: 201 });
  };
  const begin = async (t, database) => {
    const the = await start(t, { database, env: { STOCKACT_ACCESS_LOG: '1' } });
    await the.site.stockact('accounts', 'set-plan', '--email', the.minted.email, '--plan', 'wolf');
    return the;
  };

  test('opens feeds and CSV in real time until it is revoked, and stays a secret', async (t) => {
    const { site, server, minted, visitor } = await begin(t, database);
    await site.stockact('demo', '--trades', 30, '--as-of', '2026-03-01');
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    const page = await makeLink(visitor, 'sheet');
    const token = linkOf(page);
    assert.equal(page.response.header('cache-control'), 'no-store');
    const get = (path, options) => server.get(`/link/${token}${path}`, options);
    const { data } = await server.json('/api/v1/trades?limit=1');
    await until('the trades are served', async () =>
      (await get('/trades.csv')).text.includes(data[0].id),
    );
    const visitors = (await server.get('/trades.atom')).text;
    const feed = await get('/trades.atom');
    assert.equal(feed.status, 200);
    assert.ok(feed.text.includes(data[0].id) && !visitors.includes(data[0].id));
    assert.ok(feed.text.includes(`/link/${token}/trades.atom"`));
    assert.equal(feed.header('cache-control'), 'no-store');
    assert.equal(feed.header('referrer-policy'), 'no-referrer');
    assert.match(feed.header('x-robots-tag'), /noindex/);
    assert.equal(feed.header('surrogate-key'), null);
    const json = JSON.parse((await get('/trades.json?side=buy')).text);
    assert.ok(json.feed_url.endsWith(`/link/${token}/trades.json?side=buy`), json.feed_url);
    const moved = await get('/trades.csv?side=&ticker=');
    assert.deepEqual([moved.status, moved.header('location')], [303, `/link/${token}/trades.csv`]);
    const faulty = await get('/trades.csv?colour=red');
    assert.deepEqual([faulty.status, faulty.json.error], [400, 'bad_request']);
    assert.ok(!faulty.text.includes(token));

    for (const path of ['', '/', '/trades', '/account', '/api/v1/trades', '/metrics', '/data'])
      assert.equal((await get(path)).status, 404, path);
    assert.equal((await server.get(`/link/${minted.key}/trades.csv`)).status, 404);
    assert.equal((await server.get('/api/v1/trades', { key: token })).status, 401);
    assert.equal((await server.request('POST', `/link/${token}/trades.csv`)).status, 405);

    await site.clock.advance(60_000);
    const own = (await visitor.json('/account/api/keys')).data.find(({ kind }) => kind === 'link');
    await until('the use is written', async () => {
      await site.clock.advance(60_000);
      await get('/trades.csv');
      return (await visitor.open(`/account/keys/${own.id}`)).text('.facts').includes('/trades.csv');
    });
    const all = await visitor.open('/account/keys');
    assert.ok(!all.html.includes(token), 'never again');
    assert.match(rowsOf(all, 'Private links')[0], new RegExp(`^sheet ${token.slice(0, 12)}…`));
    const exported = await site.run(['accounts', 'export', '--email', minted.email]);
    assert.ok(exported.stdout.includes(own.id) && !exported.stdout.includes(token));
    const detail = await visitor.open(`/account/keys/${own.id}`);
    await visitor.submit(detail.form(`/account/keys/${own.id}/revoke`));
    for (const path of ['/trades.csv', '/trades.atom']) {
      const gone = await get(path, { headers: { Accept: 'text/html' } });
      assert.equal(gone.status, 404, path);
      assert.equal(gone.header('cache-control'), 'no-store');
      assert.ok(!gone.text.includes(token));
    }
    const metrics = (await server.get('/metrics')).text;
    await server.stop();
    assert.match(server.log, /route=\/trades\.atom status=200/);
    assert.ok(!`${server.log}${metrics}`.includes(token.slice(12)), 'in no log and no metric');
    const rows = await site.database.query('SELECT * FROM api_key');
    assert.ok(!JSON.stringify(rows).includes(token));
  });

  test('Wolf has ten, each with its own windows; Scout has none', async (t) => {
    const { site, server, minted, visitor } = await begin(t, database);
    const mint = ['keys', 'mint', '--link', '--email', minted.email, '--name'];
    const [{ key }] = await site.stockact(...mint, 'by command');
    const statuses = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await server.get(`/link/${key}/trades.csv`)).status);
    assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
    const denied = await server.get(`/link/${key}/trades.csv`);
    assert.equal(denied.header('x-ratelimit-limit'), '10');
    assert.ok(Number(denied.header('retry-after')) > 0);
    const other = linkOf(await makeLink(visitor, 'other'));
    assert.equal((await server.get(`/link/${other}/filings.json`)).status, 200);
    for (let i = 2; i < 10; i++) await site.stockact(...mint, `${i}`);
    const full = await site.run([...mint, 'eleventh', '--json']);
    assert.equal(JSON.parse(full.stdout).limit, 10);
    const { csrf } = await visitor.json('/account/keys');
    const body = { name: 'eleventh', kind: 'link' };
    const refused = await visitor.postJson('/account/api/keys', body, { csrf });
    assert.deepEqual([refused.status, refused.json.limit], [403, 10]);

    await site.stockact('accounts', 'set-plan', '--email', minted.email, '--plan', 'scout');
    await until('the link has the plan', async () => {
      await site.clock.advance(60_000);
      return (await server.get(`/link/${key}/trades.csv`)).status === 403;
    });
    assert.equal((await server.get(`/link/${key}/trades.atom`)).status, 200, "at visitors' line");
    assert.match((await visitor.open('/account/keys')).text(), /The Scout plan has none/);
  });
});

describe('/account', () => {
  test('shows each plan, both windows, days and errors of each key', async (t) => {
    const { site, server, minted, visitor } = await start(t);
    for (let i = 0; i < 62; i++) await ask(server, minted.key);
    const second = await site.mint({ email: minted.email, name: 'second' });
    await ask(server, second.key, `${FILINGS}?secret=1`);
    await until('the counts are written', async () => {
      const rows = await site.database.query('SELECT key_no FROM key_error');
      return rows.length === 2;
    });
    const page = await visitor.open('/account');
    const shown = page.text();
    assert.match(shown, /You are on the Pack plan/);
    assert.match(shown, /0 left ?60 of 60 used, resets in 30 s/);
    assert.match(shown, /99,940 left ?60 of 100,000 used, resets 2026-03-31 20:00 EDT/);
    assert.match(shown, /The limit of the minute or month was used up, 2 times/);
    assert.match(shown, /A query parameter was not valid/);
    assert.ok(!page.html.includes('secret=1'));
    assert.equal(page.all('figure.chart').length, 2);
    assert.equal(page.all('figure.chart svg').length, 2);
    const days = page.all('figure.chart details tbody tr').map(cells);
    assert.equal(days.length, 2 * 30);
    assert.ok(days.includes('2026-03-15 60 0 0 2'), days.join('\n'));
    assert.ok(days.includes('2026-03-15 0 0 1 0'));

    const terms = rowsOf(page, 'Plans');
    assert.equal(terms.length, 8);
    assert.equal(terms[0], 'API requests per minute none none 60 300');
    assert.equal(terms[4], 'Alert subscriptions 0 25 100 500');
    assert.equal(terms[6], 'Delay of pages 48 hours none none none');
    assert.equal(terms[7], 'Commercial-use license no no no yes');
    assert.match(shown, /unlawful to obtain or use a report for any commercial purpose/);
    assert.ok(shown.includes(CONTACT));
  });

  test('the JSON twin has the numbers of the page and of the API', async (t) => {
    const { server, minted, visitor } = await start(t);
    for (let i = 0; i < 7; i++) await ask(server, minted.key);
    const view = await visitor.json('/account');
    const { data } = await server.json('/api/v1/usage', { key: minted.key });
    assert.equal(view.plan, data.plan);
    const [key] = view.keys;
    for (const name of ['limit', 'used', 'remaining', 'resetAt']) {
      assert.equal(key.minute[name], data.minute[name]);
      assert.equal(key.month[name], data.month[name]);
    }
    assert.equal(key.minute.used, 7);
    assert.equal(key.id, minted.id);
  });

  test('with Redis it knows the draws of all servers', async (t) => {
    const site = await makeSite(t, { clock: NOON, redis: true, database: 'postgresql' });
    const minted = await site.mint();
    const [one, other] = [await site.serve(), await site.serve()];
    for (let i = 0; i < 5; i++) await ask(one, minted.key);
    const visitor = await withSession(site, other, minted.email);
    const view = await visitor.json('/account');
    assert.equal(view.keys[0].minute.used, 5);
    await site.redis.stop();
    await until('the page says that it cannot answer', async () => {
      const response = await visitor.request('GET', '/account');
      return response.status === 503;
    });
  });
});

describe('/account/api/keys', () => {
  test('is as decision 22 says', async (t) => {
    const { server, visitor, minted } = await start(t);
    const api = '/account/api/keys';
    const before = await visitor.json(api, { headers: { Accept: '*/*' } });
    assert.deepEqual(
      before.data.map(({ id, name, prefix }) => [id, name, prefix]),
      [[minted.id, 'screener', minted.key.slice(0, 12)]],
    );
    const { csrf } = before;
    const made = await visitor.postJson(api, { name: 'ci' }, { csrf });
    assert.equal(made.status, 201);
    assert.equal(made.header('cache-control'), 'no-store');
    assert.deepEqual(Object.keys(made.json.data), ['id', 'name', 'prefix', 'key', 'createdAt']);
    const { data } = made.json;
    assert.deepEqual([data.name, data.createdAt], ['ci', NOON]);
    assert.equal(data.prefix, data.key.slice(0, 12));
    assert.equal((await ask(server, data.key)).status, 200);

    const third = await visitor.postJson(api, { name: 'third' }, { csrf });
    assert.equal(third.status, 201);
    const over = await visitor.postJson(api, { name: 'fourth' }, { csrf });
    assert.equal(over.status, 403);
    assert.equal(over.json.error, 'api_key_limit_reached');
    assert.equal(over.json.limit, 3);
    assert.ok(over.json.hint);

    const revoked = await visitor.postJson(`${api}/${data.id}/revoke`, {}, { csrf });
    assert.equal(revoked.status, 200);
    assert.equal(revoked.json.data.revokedAt, NOON);
    assert.equal((await ask(server, data.key)).status, 401);
    const { data: listed } = await visitor.json(api);
    assert.equal(listed.length, 3);
    assert.ok(!JSON.stringify(listed).includes(data.key));
  });

  test('needs the token; keys do not work there', async (t) => {
    const { server, visitor, minted } = await start(t);
    const api = '/account/api/keys';
    const { csrf } = await visitor.json(api);
    for (const [name, options] of Object.entries({
      'without a token': {},
      'with a wrong token': { csrf: 'x'.repeat(csrf.length) },
      'from another site': { csrf, headers: { 'Sec-Fetch-Site': 'cross-site' } },
    })) {
      const response = await visitor.postJson(api, { name: 'no' }, options);
      assert.equal(response.status, 403, name);
    }
    assert.equal((await server.get(api, { key: minted.key })).status, 401);
    assert.equal((await visitor.json(api)).data.length, 1);
    for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }]) {
      const response = await visitor.postJson(api, body, { csrf });
      assert.equal(response.status, 422);
      assert.match(response.json.fields.name, /name has 1 to 100 bytes/);
    }
    const list = await visitor.postJson(api, { name: ['a', 'b'] }, { csrf });
    assert.equal(list.status, 400);
    assert.match(list.json.hint, /^Nothing was changed: "name" is not a string/);
  });
});

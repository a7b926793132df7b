// The pages of webhooks without a browser: what an owner sees and does, its JSON twins, what bad
// input and strangers get.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { all, attribute, text } from './lib/html.mjs';
import { answer, Receiver } from './lib/receivers.mjs';
import { assertSameTime } from './lib/same_time.mjs';
import { onEachDatabase, makeSite } from './lib/site.mjs';
import { withSession } from './lib/sessions.mjs';
import { until } from './lib/until.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const LOCAL = { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' };
const PASSWORD = 'correct horse battery staple';
const HOSTILE = '<script>alert(1)</script>"\'&\u202e';

async function open(t, { plan = 'pack', proved, password, ...options } = {}) {
  const site = await makeSite(t, { env: LOCAL, ...options });
  await site.stockact('demo', '--trades', 20);
  const receiver = await Receiver.start(t, answer(200, '', 'stored'));
  const server = await site.serve();
  const email = await site.account({ plan });
  if (password) {
    const set = ['accounts', 'password', '--email', email, '--password-stdin'];
    await site.run(set, { input: `${password}\n` });
  }
  const visitor = await withSession(site, server, email, { proved });
  return { site, receiver, server, email, visitor };
}

const add = async (own, url = own.receiver.url(), ...more) =>
  (await own.site.stockact('webhooks', 'add', '--email', own.email, '--url', url, ...more))[0];
const publish = (own, n = 1) => own.site.stockact('demo', '--publish', n, '--rows', 1);
const rows = (own, sql) => own.site.database.query(sql);
const count = async (own, sql) =>
  Number((await rows(own, `select count(*) as n from ${sql}`))[0].n);
const settled = (own, n) =>
  until(
    `${n} attempts`,
    async () =>
      (await count(own, 'attempt')) === n &&
      (await count(own, 'delivery where lease_node is not null')) === 0,
  );

onEachDatabase('pages of webhooks', (kind) => {
  test('an owner adds, tests, changes, disables, enables and removes an endpoint', async (t) => {
    const own = await open(t, { database: kind });
    const { visitor, receiver } = own;
    const empty = await visitor.open('/account/webhooks');
    const added = await visitor.submit(
      empty.form('Add the endpoint'),
      { url: receiver.url(), description: 'For the desk' },
      { status: 201 },
    );
    assert.equal(added.response.header('cache-control'), 'no-store');
    const secret = added.text('.secret code');
    assert.match(secret, /^whsec_[\w+/]{43}=$/);
    const target = added.link('Go to the endpoint');

    const list = await visitor.open('/account/webhooks');
    assert.equal(list.text('tbody th a'), 'For the desk');
    assert.ok(list.one('tbody td figure.chart'));
    const page = await visitor.open(target);
    assert.equal(page.heading, 'For the desk');
    assert.doesNotMatch(page.html, /whsec_/);

    const tested = await visitor.submit(page.form('Send a test'), {}, { status: 200 });
    assert.match(tested.path, /\/deliveries\/test_[0-9a-f]{32}$/);
    await settled(own, 1);
    assertSignedBy(receiver.requests[0], secret);
    const shown = await visitor.open(tested.path);
    assert.match(shown.text('article'), /status 200/);
    assert.match(shown.text('article'), /stored/);
    const again = await visitor.submit((await visitor.open(target)).form('Send a test'));
    assert.equal(again.status, 422);
    assert.match(again.text('.faults'), /less than 10 seconds ago/);

    const other = await Receiver.start(t);
    const changed = await visitor.submit(
      page.form('Save'),
      { url: other.url(), description: '' },
      { status: 200 },
    );
    assert.equal(changed.heading, other.url());
    assert.match(changed.text('.flash'), /saved/);
    await publish(own);
    await settled(own, 2);
    assertSignedBy(other.requests[0], secret);

    const disabled = await visitor.submit(
      (await visitor.open(target)).form('Disable the endpoint'),
      {},
      { status: 200 },
    );
    assert.match(disabled.text('.stats'), /Disabled/);
    await publish(own, 2);
    const held = await visitor.open(target);
    assert.match(held.text('.stats'), /2 held/);
    await visitor.submit(held.form('Enable'), {}, { status: 200 });
    await settled(own, 4);
    const gone = await visitor.submit(
      (await visitor.open(target)).form('Remove it for good'),
      {},
      { status: 200 },
    );
    assert.equal(gone.path, '/account/webhooks');
    assert.match(gone.text('.flash'), /removed/);
    await visitor.open(target, { status: 404 });
    const actions = await rows(
      own,
      "select action from action_log where subject_kind = 'endpoint' order by no",
    );
    assert.deepEqual(
      actions.map((row) => row.action.replace('endpoint.', '')),
      ['add', 'test', 'change', 'disable', 'enable', 'remove'],
    );
    const [{ n }] = await rows(
      own,
      'select count(*) as n from action_log where session_id is not null',
    );
    assert.equal(Number(n), 6);
  });

  test('a failed delivery is read, with both signatures, and replayed', async (t) => {
    const own = await open(t, { database: kind });
    const { visitor, receiver } = own;
    receiver.play = answer(503, 'Retry-After: 60\r\n', '<b>down</b>');
    const { id, secret } = await add(own);
    await publish(own);
    await settled(own, 1);
    const page = await visitor.open(`/account/webhooks/${id}`);
    assert.match(page.text('.stats'), /Failures in a row1\s?10 disable the endpoint/);
    const log = page.one('[aria-label="Log of deliveries"]');
    const heads = all('thead th', log).map(text);
    const cells = all('tbody tr > *', log).map(text);
    assert.deepEqual(heads, ['Event', 'State', 'When', 'Attempts', 'Last result']);
    assert.match(cells[1], /^Will be retried/);
    assert.match(cells[2], / E[SD]T$/);
    assert.deepEqual(cells.slice(3), ['1', 'status 503']);
    const delivery = await visitor.open(page.link('trade.published'));
    assert.match(delivery.text('.facts'), /Next attempt.*in less than a minute/);
    const attempt = delivery.text('article');
    for (const part of [
      /status 503/,
      /Retry-After: 60/,
      /<b>down<\/b>/,
      /DNS look-up/,
      /TLS/,
      /Wait/,
    ])
      assert.match(attempt, part);
    assert.equal(delivery.all('article b').length, 0);
    const [request] = receiver.requests;
    for (const name of ['x-svc-signature', 'webhook-signature', 'x-svc-delivery-id'])
      assert.ok(attempt.includes(request.headers[name]), name);
    const body = await visitor.request('GET', `${delivery.path}/body`);
    assert.equal(body.text, request.body.toString());
    assert.match(
      body.header('content-disposition'),
      /^attachment; filename="dlv_[0-9a-f]+\.json"$/,
    );

    receiver.play = answer(204);
    const form = delivery.form('Send it again');
    const twenty = await Promise.all(
      Array.from({ length: 20 }, () => visitor.submit(form, {}, { follow: false })),
    );
    assert.equal(twenty.filter((one) => one.status === 303).length, 1);
    await settled(own, 2);
    assert.equal(receiver.requests.length, 2);
    assertSignedBy(receiver.requests[1], secret);
    const replayed = await visitor.open(delivery.path);
    assert.match(replayed.text('.facts'), /Delivered/);
    assert.equal(replayed.all('article').length, 2);
    assert.match(
      (await visitor.open(`/account/webhooks/${id}`)).text('.stats'),
      /Failures in a row1/,
    );
  });

  test('failed deliveries are counted, and the shown ones are replayed', async (t) => {
    const own = await open(t, { database: kind });
    const { visitor } = own;
    const { id } = await add(own);
    await own.site.stockact('webhooks', 'disable', '--id', id);
    await publish(own, 30);
    await own.site.database.execute(
      "update delivery set state = 'failed', tries = 6, attempts = 6, ended_at = created_at",
    );
    const first = await visitor.open(`/account/webhooks/${id}?state=failed`);
    const hrefs = (page) =>
      page
        .all('tbody a')
        .map((node) => attribute(node, 'href'))
        .filter((href) => href.includes('/deliveries/'));
    assert.equal(hrefs(first).length, 25);
    const second = await visitor.open(first.link('Older →'));
    assert.equal(hrefs(second).length, 5);
    const back = await visitor.open(second.link('← Newer'));
    assert.deepEqual(hrefs(back), hrefs(first));
    assert.equal(new Set([...hrefs(first), ...hrefs(second)]).size, 30);
    const none = await visitor.open(`/account/webhooks/${id}?state=delivered&from=2020-01-01`);
    assert.match(none.text('section'), /No delivery matches/);

    const replay = await visitor.open(`/account/webhooks/${id}/replay`);
    assert.match(replay.text('main'), /30 failed deliveries match/);
    const fewer = await visitor.submit(replay.form('Count'), { to: '2020-01-01' });
    assert.match(fewer.text('main'), /No failed delivery matches/);
    const started = await visitor.submit(replay.form('Replay 30 deliveries'), {}, { status: 200 });
    assert.match(started.text('.flash'), /sent again/);
    await settled(own, 30);
    assert.equal(own.receiver.requests.length, 30);
    const again = await visitor.submit(replay.form('Replay 30 deliveries'));
    assert.equal(again.status, 409, again.text('main')); // the same form a second time
  });

  test('a stranger gets 404 for every address, and nothing changes', async (t) => {
    const own = await open(t, { database: kind });
    const { id } = await add(own);
    await publish(own);
    await settled(own, 1);
    const [{ id: delivery }] = await rows(own, 'select id from delivery');
    const other = await withSession(own.site, own.server, await own.site.account({ plan: 'den' }));
    const mine = `/account/webhooks/${id}`;
    const { csrf } = await other.json('/account/webhooks');
    const before = await count(own, 'action_log');
    for (const base of [mine, '/account/webhooks/ep_0123456789abcdef']) {
      for (const rest of [
        '',
        '/replay',
        `/deliveries/${delivery}`,
        `/deliveries/${delivery}/body`,
      ]) {
        await other.open(base + rest, { status: 404 });
        await other.json(base + rest, { status: 404 });
      }
      const posts = ['enable', 'disable', 'remove', 'reveal', 'rotate', 'end-overlap', 'test'];
      for (const rest of [
        '',
        ...posts.map((one) => `/${one}`),
        '/replay',
        `/deliveries/${delivery}`,
      ]) {
        const fields =
          rest === ''
            ? { url: own.receiver.url(), events: ['trade.published'], description: 'x' }
            : { grace: '0' };
        const response = await other.postJson(base + rest, fields, { csrf });
        assert.equal(response.status, 404, `${base}${rest}: ${response.text}`);
      }
    }
    assert.equal(await count(own, 'action_log'), before);
    const [row] = await rows(own, 'select state, url from endpoint');
    assert.deepEqual({ ...row }, { state: 'enabled', url: own.receiver.url() });
    const outside = await own.server.request('GET', mine, {
      headers: { Accept: 'text/html' },
    });
    assert.ok([303, 401].includes(outside.status), String(outside.status));
  });
});

test('the twins have what the pages show, and do what they do', async (t) => {
  const own = await open(t);
  const { visitor, receiver } = own;
  const { csrf } = await visitor.json('/account/webhooks');
  const post = async (target, body, status = 200) => {
    const response = await visitor.postJson(target, body, { csrf });
    assert.equal(response.status, status, `${target}: ${response.text}`);
    return response.json;
  };
  const added = await post(
    '/account/webhooks',
    { url: receiver.url(), events: ['trade.published'] },
    201,
  );
  assert.match(added.secret, /^whsec_/);
  const base = `/account/webhooks/${added.id}`;
  await publish(own);
  await settled(own, 1);
  const endpoint = await visitor.json(base);
  assert.equal(endpoint.state, 'enabled');
  assert.equal(endpoint.delivered, 1);
  const [row] = endpoint.deliveries.rows;
  const delivery = await visitor.json(`${base}/deliveries/${row.id}`);
  assert.equal(delivery.body, receiver.requests[0].body.toString());
  assert.equal(delivery.tried[0].status, 200);
  assert.match(delivery.tried[0].request, /webhook-signature: v1,/);
  assert.equal((await post(`${base}/reveal`, {})).secret, added.secret);
  const rotated = await post(`${base}/rotate`, { grace: 24 });
  assert.notEqual(rotated.secret, added.secret);
  const refused = await post(`${base}/rotate`, { grace: 24 }, 422);
  assert.match(refused.hint, /its old secret still signs/i);
  await post(`${base}/rotate`, { grace: 24, force: true });
  await post(`${base}/end-overlap`, {});
  await post(`${base}/disable`, {});
  assert.equal((await visitor.json(base)).state, 'disabled');
  await post(`${base}/deliveries/${row.id}`, {});
  await settled(own, 2);
  await post(`${base}/enable`, {});
  const invalid = await post('/account/webhooks', { url: 'http://', events: ['x'] }, 422);
  assert.deepEqual(Object.keys(invalid.fields).sort(), ['events', 'url']);
  await post('/account/webhooks', { url: receiver.url(), events: ['trade.published'] }, 201);
  await post('/account/webhooks', { url: receiver.url(), events: ['trade.published'] }, 201);
  const full = await post(
    '/account/webhooks',
    { url: receiver.url(), events: ['trade.published'] },
    403,
  );
  assert.equal(full.error, 'webhook_endpoint_limit_reached');
  assert.equal(full.limit, 3);
  const noToken = await visitor.postJson(`${base}/remove`, {});
  assert.equal(noToken.status, 403);
  await post(`${base}/remove`, {});
  await visitor.json(base, { status: 404 });
});

test('a form with faults shows them beside the fields and keeps its input', async (t) => {
  const own = await open(t);
  const { visitor } = own;
  const page = await visitor.open('/account/webhooks');
  const typed = { url: 'https://user@example.org/', description: 'x'.repeat(201) };
  const faulty = await visitor.submit(page.form('Add the endpoint'), typed, { status: 422 });
  const form = faulty.form('Add the endpoint');
  assert.equal(form.value('url'), typed.url);
  assert.equal(form.value('description'), typed.description);
  assert.match(form.fault('url'), /user/);
  assert.ok(form.fault('description'));
  assert.equal(await count(own, 'endpoint'), 0);
  const { id } = await add(own);
  const endpoint = await visitor.open(`/account/webhooks/${id}`);
  const kept = await visitor.submit(
    endpoint.form('Save'),
    { url: 'https://10.0.0.1/', description: 'kept' },
    { status: 422 },
  );
  assert.equal(kept.form('Save').value('url'), 'https://10.0.0.1/');
  assert.equal(kept.form('Save').value('description'), 'kept');
  assert.match(kept.form('Save').fault('url'), /10\.0\.0\.1/);
});

test('texts of owners, receivers and addresses are never markup', async (t) => {
  const own = await open(t);
  const { visitor, receiver } = own;
  const answered = `${HOSTILE}\u0000\x1b[2J\xff`;
  receiver.play = (socket) => {
    const bytes = Buffer.from(answered, 'latin1');
    socket.write(`HTTP/1.1 500 X\r\nContent-Length: ${bytes.length}\r\n\r\n`);
    socket.write(bytes);
  };
  const target = `${receiver.url()}?q=%3Cscript%3E'&x=<img>`.replace('<img>', '%22onerror=1');
  const { id } = await add(own, target, '--description', '<img src=x onerror=alert(1)>"\'&');
  await publish(own);
  await settled(own, 1);
  const [{ id: delivery }] = await rows(own, 'select id from delivery');
  const pages = [
    '/account/webhooks',
    `/account/webhooks/${id}`,
    `/account/webhooks/${id}?state=%3Cscript%3E&from=%22%3E&before=%3Cb%3E`,
    `/account/webhooks/${id}/replay?state=%3Cscript%3E&from=%22%3E`,
    `/account/webhooks/${id}/deliveries/${delivery}`,
  ];
  for (const one of pages) {
    const page = await visitor.open(one);
    const scripts = page.all('script').filter((node) => attribute(node, 'src') === null);
    assert.deepEqual(scripts, [], one);
    assert.equal(page.all('img').length, 0, one);
    assert.doesNotMatch(page.html, /[\u0000-\u0008\u001b\u202e]/, one);
    for (const node of page.all('*'))
      for (const name of Object.keys(node.attribs ?? {})) assert.doesNotMatch(name, /^on/, one);
  }
  const shown = await visitor.open(pages.at(-1));
  assert.match(shown.text('article'), /<script>alert\(1\)<\/script>/);
  assert.match(shown.text('article'), /\\u\{1B\}\[2J/);
});

test('secrets ask for the password again, and the form goes on afterwards', async (t) => {
  const own = await open(t, { proved: false, password: PASSWORD });
  const { visitor } = own;
  const { id, secret } = await add(own);
  for (const label of ['Show the secret', 'Make a new secret']) {
    const asked = await visitor.submit((await visitor.open(`/account/webhooks/${id}`)).form(label));
    assert.doesNotMatch(asked.html, /whsec_/);
    assert.match(asked.heading, /password/i);
    const wrong = await visitor.submit(asked.form('Continue'), { confirm_password: 'wrong' });
    assert.doesNotMatch(wrong.html, /whsec_/);
  }
  const [row] = await rows(own, 'select old_secret_sealed from endpoint');
  assert.equal(row.old_secret_sealed, null);
  const twin = await visitor.postJson(
    `/account/webhooks/${id}/reveal`,
    {},
    {
      csrf: (await visitor.json('/account/webhooks')).csrf,
    },
  );
  assert.equal(twin.status, 403);
  assert.ok(!twin.text.includes(secret.slice(6, 20)), twin.text);
  const asked = await visitor.submit(
    (await visitor.open(`/account/webhooks/${id}`)).form('Show the secret'),
  );
  const shown = await visitor.submit(asked.form('Continue'), { confirm_password: PASSWORD });
  assert.equal(shown.text('.secret code'), secret);
});

test("another account's addresses and unknown addresses take the same time", async (t) => {
  const own = await open(t);
  const { id } = await add(own);
  await publish(own);
  await settled(own, 1);
  const [{ id: delivery }] = await rows(own, 'select id from delivery');
  const other = await withSession(own.site, own.server, await own.site.account({ plan: 'den' }));
  const none = 'ep_0123456789abcdef';
  const pairs = [
    [`/account/webhooks/${id}`, `/account/webhooks/${none}`],
    [
      `/account/webhooks/${id}/deliveries/${delivery}`,
      `/account/webhooks/${none}/deliveries/dlv_0`,
    ],
  ];
  for (const [theirs, nothing] of pairs) {
    const texts = new Set();
    const ask = (target) => async () => {
      const response = await other.request('GET', target);
      assert.equal(response.status, 404);
      texts.add(response.text.replaceAll(/request ID <code>\w+<\/code>|value="[\w-]+"/g, ''));
    };
    await assertSameTime({ theirs: ask(theirs), nothing: ask(nothing) }, { pairs: 120 });
    assert.equal(texts.size, 1, [...texts].join('\n'));
  }
});

// The gate in front of all pages, walked by the program's own table of pages.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { all, attribute } from './lib/html.mjs';
import { Visitor } from './lib/pages.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { KINDS, visitorOf } from './lib/sessions.mjs';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const RANK = { anyone: 0, reader: 0, owner: 1, reviewer: 2, admin: 3 };

/** Statuses of a page that was opened: some name nothing here, some lead to another page, and some
 *  need the link of an e-mail. */
const OPENED = [200, 303, 404, 410];

/** Addresses of files, which are the same for people and programs. */
const isFile = (row) => /\.csv$|\/body$|\/pages\/\{n\}$/.test(row.path);

/** Pages whose forms ask for the password again (docs/accounts.md). Revoking a key does not. */
const ASKS_AGAIN = [
  '/account/keys',
  '/account/api/keys',
  '/account/webhooks/{id}/remove',
  '/account/webhooks/{id}/reveal',
  '/account/webhooks/{id}/rotate',
  '/admin/accounts',
  '/admin/accounts/{id}',
  '/account/settings/address',
  '/account/settings/password',
  '/account/settings/second-factor',
  '/account/settings/second-factor/recovery-codes',
  '/account/settings/export',
  '/account/settings/delete',
];

/** Headers that no response of the site may lack. */
const HEADERS = {
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\)/,
  'content-security-policy': /^default-src 'none'; .*frame-ancestors 'none'/,
};

/** An address of the row; ids and names are of nothing. */
function addressOf(row) {
  return row.path.replace(/\{\w+\}/g, 'none_0123456789abcdef');
}

function mayOpen(kind, row) {
  return RANK[kind] >= RANK[row.access];
}

function checkHeaders(response, where) {
  for (const [name, value] of Object.entries(HEADERS)) {
    assert.match(response.header(name) ?? 'absent', value, `${name} on ${where}`);
  }
  assert.doesNotMatch(response.header('content-security-policy'), /unsafe|\*/, where);
  assert.equal(response.header('access-control-allow-origin'), null, where);
  for (const line of response.head.split('\r\n')) {
    if (!/^set-cookie:/i.test(line)) continue;
    assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax$/, where);
  }
}

/** What somebody gets who may not open the page. */
function checkRefusal(response, kind, row) {
  const where = `${row.path} as ${kind}`;
  if (kind !== 'anyone') {
    assert.equal(response.status, 403, where);
    return;
  }
  const next = encodeURIComponent(addressOf(row));
  if (response.status === 401) return; // there is no page of the sign-in
  assert.equal(response.status, 303, where);
  assert.equal(response.header('location'), `/sign-in?next=${next}`, where);
}

onEachDatabase('the table of pages', (kind) => {
  const shared = useSite({ database: kind }, async (site) => {
    await site.stockact('demo', '--trades', 100);
    const server = await site.serve();
    const visitors = {};
    for (const name of KINDS) visitors[name] = await visitorOf(site, server, name);
    const rows = await site.stockact('help', '--pages');
    return { site, server, visitors, rows };
  });

  test('the table has the pages and their rules', () => {
    const paths = shared.rows.map((row) => row.path);
    assert.equal(new Set(paths).size, paths.length);
    for (const row of shared.rows) {
      assert.ok(row.get || row.post, row.path);
      const part = row.path.split('/')[1];
      if (part === 'account') assert.notEqual(row.access, 'anyone', row.path);
      if (part === 'admin') assert.equal(row.access, 'admin', row.path);
      if (part === 'desk') assert.equal(row.access, 'reviewer', row.path);
      assert.equal(row.json, ['account', 'admin', 'desk'].includes(part), row.path);
    }
    const asking = shared.rows.filter((row) => row.reauth).map((row) => row.path);
    assert.deepEqual(asking, ASKS_AGAIN);
  });

  for (const as of KINDS) {
    test(`${as} opens what the table allows`, async () => {
      for (const row of shared.rows) {
        const where = `${row.path} as ${as}`;
        const response = await shared.visitors[as].request('GET', addressOf(row));
        checkHeaders(response, where);
        if (!row.get) assert.equal(response.status, 405, where);
        else if (mayOpen(as, row))
          assert.ok(OPENED.includes(response.status), `${where}: ${response.status}`);
        else checkRefusal(response, as, row);
      }
    });

    test(`${as} gets no form through without its token`, async () => {
      for (const row of shared.rows) {
        const where = `${row.path} as ${as}`;
        const response = await shared.visitors[as].request('POST', addressOf(row), {
          headers: { 'Content-Type': FORM_TYPE },
          body: 'csrf=&once=&name=x',
        });
        checkHeaders(response, where);
        const oneClick = row.oneClick ? [404] : [401, 403]; // its link is its token
        const expected = row.post ? oneClick : [405];
        assert.ok(expected.includes(response.status), `${where}: ${response.status}`);
      }
    });

    test(`${as} cannot be made to send a form from another site`, async () => {
      for (const row of shared.rows.filter((one) => one.post && !one.oneClick)) {
        for (const origin of [
          { 'Sec-Fetch-Site': 'cross-site' },
          { 'Sec-Fetch-Site': null, Origin: 'https://evil.example' },
        ]) {
          const response = await shared.visitors[as].request('POST', addressOf(row), {
            headers: { 'Content-Type': FORM_TYPE, ...origin },
            body: 'csrf=x&once=x&name=carried-words',
          });
          assert.equal(response.status, 403, `${row.path} as ${as}`);
          assert.doesNotMatch(response.text, /carried-words/);
        }
      }
    });

    test(`${as} gets JSON by the same rules`, async () => {
      for (const row of shared.rows.filter((one) => one.json && one.get && !isFile(one))) {
        const where = `${row.path} as ${as}`;
        const response = await shared.visitors[as].request('GET', addressOf(row), {
          headers: { Accept: JSON_TYPE },
        });
        if (response.status === 303) continue;
        assert.match(response.header('content-type'), /^application\/json/, where);
        assert.equal(response.header('cache-control'), 'no-store', where);
        if (mayOpen(as, row))
          assert.ok([200, 404].includes(response.status), `${where}: ${response.status}`);
        else assert.equal(response.status, as === 'anyone' ? 401 : 403, where);
      }
    });
  }

  test('an unknown address, and a slash at the end, is 404 for everybody', async () => {
    for (const as of KINDS) {
      for (const target of [
        '/nothing',
        '/account/nothing',
        '/admin/nothing',
        '/docs/',
        '/%2e%2e/',
      ]) {
        const page = await shared.visitors[as].open(target, { status: 404 });
        assert.equal(page.heading, 'Nothing is here', target);
      }
    }
  });

  test('a page of a session is kept by no cache', async () => {
    for (const row of shared.rows.filter((one) => one.access !== 'anyone' && one.get)) {
      const response = await shared.visitors.admin.request('GET', addressOf(row));
      assert.equal(response.header('cache-control'), 'no-store', row.path);
    }
  });

  test('every form of a page has a token and a number', async () => {
    const samples = '/style'; // its forms act on nothing
    for (const row of shared.rows.filter((one) => one.get && one.path !== samples)) {
      for (const as of KINDS.filter((one) => mayOpen(one, row))) {
        const response = await shared.visitors[as].request('GET', addressOf(row));
        if (response.status !== 200 || !/^text\/html/.test(response.header('content-type')))
          continue;
        const page = await shared.visitors[as].open(addressOf(row));
        for (const form of page.forms.filter((one) => one.method === 'POST')) {
          const where = `the form to ${form.action} on ${row.path} as ${as}`;
          assert.match(form.value('csrf'), /^[\w-]{86}$/, where);
          assert.match(form.value('once'), /^[\w-]{22}$/, where);
        }
        for (const node of all('form', page.dom)) {
          const action = attribute(node, 'action') ?? row.path;
          assert.match(action, /^\/(?![/\\])/, `${row.path} sends a form to ${action}`);
        }
      }
    }
  });

  test('the Host of a request is on no page', async () => {
    for (const row of shared.rows.filter((one) => one.get)) {
      const response = await shared.visitors.admin.request('GET', addressOf(row), {
        headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
      });
      assert.doesNotMatch(response.text, /evil\.example/, row.path);
      assert.doesNotMatch(response.head, /evil\.example/, row.path);
    }
  });

  test('a form over 64 KiB is 413, and another body over 8 KiB', async () => {
    for (const row of shared.rows) {
      for (const size of [9000, 70_000]) {
        const response = await shared.visitors.owner.request('POST', addressOf(row), {
          headers: { 'Content-Type': FORM_TYPE, Connection: 'close' },
          body: 'x'.repeat(size),
        });
        const where = `${row.path} with ${size} bytes`;
        if (size > 65_536 || !row.post) assert.equal(response.status, 413, where);
        else if (row.oneClick) assert.equal(response.status, 404, where);
        else assert.ok([400, 403].includes(response.status), `${where}: ${response.status}`);
      }
    }
  });

  test('an unknown session cookie, or two cookies, count as a visitor', async () => {
    const row = { path: '/docs', access: 'anyone' };
    const value = shared.visitors.owner.cookies.get('session').value;
    for (const cookie of [
      'session=none',
      `session=${value}x`,
      `session=${value}; session=${value}`,
      `__Host-session=${value}`,
      `session="${value}"`,
    ]) {
      const visitor = new Visitor(shared.server, { headers: { Cookie: cookie } });
      const page = await visitor.open(row.path);
      assert.doesNotMatch(page.text('header'), /Sign out/, cookie);
    }
    const page = await shared.visitors.owner.open(row.path);
    assert.match(page.text('header'), /Sign out/);
    assert.match(page.text('header'), new RegExp(shared.visitors.owner.email));
  });

  test('a session ends with its account, and its cookie is removed', async () => {
    const visitor = await visitorOf(shared.site, shared.server, 'owner');
    assert.match((await visitor.open('/docs')).text('header'), /Sign out/);
    await shared.site.stockact('accounts', 'disable', '--email', visitor.email);
    assert.doesNotMatch((await visitor.open('/docs')).text('header'), /Sign out/);
    assert.equal(visitor.cookies.get('session'), null);
  });

  test('pages are counted by their address in the table', async () => {
    await shared.visitors.owner.open('/docs/mcp');
    const metrics = (await shared.server.get('/metrics')).text;
    assert.match(
      metrics,
      /^stockact_requests_total\{route="\/docs\/\{name\}",status="200"\} \d+$/m,
    );
    const lines = metrics.split('\n').filter((line) => line && !line.startsWith('#'));
    const names = lines.map((line) => line.replace(/ [^ ]*$/, ''));
    assert.equal(new Set(names).size, names.length, 'no sample stands twice');
    assert.doesNotMatch(metrics, /none_0123456789abcdef/);
  });

  test('no page redirects to another site', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example/',
      '/\\evil.example',
      '/%0d%0aX: y',
    ]) {
      const response = await shared.visitors.anyone.request(
        'GET',
        `/sign-in?next=${encodeURIComponent(next)}`,
      );
      assert.doesNotMatch(response.header('location') ?? '', /evil/);
    }
    const response = await shared.visitors.anyone.request('GET', '/account//evil.example');
    assert.equal(response.status, 404);
  });
});

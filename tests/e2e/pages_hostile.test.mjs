// Attacks on the pages: framing, redirects, markup, ids of others, odd bodies and methods. Every page
// of the table is attacked, so that a new one is covered when it lands.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import {
  BODY_MAX,
  FIELDS,
  FORM,
  MARKUP,
  OPTIONS,
  PAGES,
  POSTED,
  fieldsOf,
  filled,
  isForPrograms,
  makeThings,
  onceOf,
  post,
  stateOf,
  targetOf,
  tokenOf,
} from './lib/attacking.mjs';
import { requestText } from './lib/client.mjs';
import { attribute } from './lib/html.mjs';
import { useSite } from './lib/site.mjs';
import { PASSWORD, makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';

describe('what pages send', () => {
  const shared = useSite(OPTIONS, async (site) => {
    await site.stockact('demo', '--trades', 50);
    const server = await site.serve();
    const owner = await makeOwner(site, { role: 'admin', plan: 'den' });
    return { server, owner, visitor: await signInOnPage(server, owner) };
  });

  test('every page forbids framing, foreign code and guessing of types', async () => {
    const { visitor, server } = shared;
    const stranger = newVisitor(server);
    const requests = [
      ...PAGES.flatMap((page) => [
        [visitor, 'GET', filled(page)],
        [stranger, 'GET', filled(page)],
        [visitor, 'POST', filled(page)],
      ]),
      [visitor, 'GET', '/nothing/here'],
      [stranger, 'GET', `/${'x'.repeat(9000)}`],
      [stranger, 'DELETE', '/sign-in'],
    ];
    for (const [who, method, target] of requests) {
      const response = await who.request(method, target);
      const what = `${method} ${target.slice(0, 40)} ${response.status}`;
      if (/json/.test(response.header('content-type') ?? '')) continue; // a head that was not read
      const policy = response.header('content-security-policy') ?? '';
      assert.match(policy, /default-src 'none'/, what);
      assert.match(policy, /frame-ancestors 'none'/, what);
      assert.match(policy, /form-action 'self'/, what);
      assert.match(policy, /base-uri 'none'/, what);
      assert.doesNotMatch(
        policy.replace("img-src 'self' data:", ''),
        /unsafe|\*|data:|https?:/,
        what,
      );
      assert.equal(response.header('x-content-type-options'), 'nosniff', what);
      assert.match(response.header('referrer-policy') ?? '', /no-referrer|same-origin/, what);
      assert.equal(response.header('cross-origin-opener-policy'), 'same-origin', what);
      assert.equal(response.header('cross-origin-resource-policy'), 'same-origin', what);
      assert.notEqual(response.header('permissions-policy'), null, what);
      assert.equal(response.header('access-control-allow-origin'), null, what);
      if (who === visitor || target.startsWith('/account'))
        assert.match(response.header('cache-control') ?? '', /no-store|private/, what);
    }
  });

  test('pages of another role are refused', async () => {
    const { site, server } = shared;
    const member = await signInOnPage(server, await makeOwner(site));
    const stranger = newVisitor(server);
    for (const page of PAGES) {
      for (const method of ['GET', 'POST']) {
        if (method === 'GET' ? !page.get : !page.post) continue;
        const send = (who) =>
          method === 'GET' ? who.request('GET', filled(page)) : post(who, filled(page), { a: '1' });
        const [asStranger, asMember] = [await send(stranger), await send(member)];
        const what = `${method} ${page.path}`;
        if (!['anyone', 'reader'].includes(page.access)) {
          if (isForPrograms(page)) {
            assert.equal(asStranger.status, 401, what);
          } else if (method === 'GET') {
            assert.equal(asStranger.status, 303, what);
            assert.match(asStranger.header('location'), /^\/sign-in\?next=/, what);
          } else {
            assert.ok(asStranger.text.includes('action="/sign-in"'), what);
          }
          const headers = { Accept: 'application/json' };
          const json = page.json && (await stranger.request(method, filled(page), { headers }));
          if (json) assert.ok([401, 400, 403].includes(json.status), `${what}: ${json.status}`);
        }
        if (['reviewer', 'admin'].includes(page.access)) assert.equal(asMember.status, 403, what);
      }
    }
  });

  test('next leads to this site only', async () => {
    const { server, site } = shared;
    const owners = [await makeOwner(site), await makeOwner(site)]; // ten sign-ins a minute each
    for (const [i, next] of [
      'https://evil.example/',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      'javascript:alert(1)',
      'account',
      '/account\r\nX-Added: 1',
      '/%0d%0aX-Added:%201',
      '/\u00e9',
      `/${'a'.repeat(9000)}`,
      '',
    ].entries()) {
      const visitor = newVisitor(server);
      const target = `/sign-in?next=${encodeURIComponent(next)}`;
      const opened = await visitor.request('GET', target);
      if (opened.status === 414) continue;
      assert.equal(opened.status, 200, next);
      const page = await visitor.open(target);
      const sent = await visitor.submit(page.form('/sign-in'), owners[i % 2], {
        follow: false,
        change: (pairs) => [...pairs.filter(([name]) => name !== 'next'), ['next', next]],
      });
      const location = sent.response.header('location');
      assert.equal(sent.status, 303, next);
      assert.equal(new URL(location, server.url).origin, server.url, next);
      assert.equal(sent.response.header('x-added'), null, next);
      // and for somebody who is signed in already
      const again = await visitor.request('GET', target);
      const to = again.header('location') ?? '/';
      assert.equal(new URL(to, server.url).origin, server.url, next);
    }
  });

  test('texts of customers and receivers are shown as text', async (t) => {
    const { visitor, server, site, owner } = shared;
    const things = await makeThings(t, site, owner.email);
    const stranger = newVisitor(server);
    const seen = [];
    const look = async (page) => {
      seen.push(page.target);
      for (const node of page.all('*')) {
        for (const name of Object.keys(node.attribs ?? node.attributes ?? {}))
          assert.doesNotMatch(String(name), /^on/i, page.target);
        if (attribute(node, 'rel') === 'icon') continue;
        if (node.name === 'script') assert.match(attribute(node, 'src') ?? '', /^\/[\w./-]+$/);
        for (const name of ['href', 'src', 'action', 'formaction'])
          assert.doesNotMatch(attribute(node, name) ?? '', /^\s*(javascript|data|vbscript):/i);
      }
      assert.ok(!page.html.includes('<script>alert'), page.target);
      assert.ok(!page.all('img[src="x"]').length, page.target);
    };
    // what stands in an address
    for (const target of [
      `/sign-in?next=/${encodeURIComponent(MARKUP)}`,
      `/nothing/${encodeURIComponent(MARKUP)}`,
      `/?${encodeURIComponent(MARKUP)}=${encodeURIComponent(MARKUP)}`,
    ]) {
      const response = await stranger.request('GET', target);
      assert.ok(!response.text.includes('<script>alert'), target);
    }
    // what is stored, on every page
    let shown = 0;
    for (const page of PAGES.filter((one) => one.get && !isForPrograms(one))) {
      const target = targetOf(page, things) ?? filled(page);
      const response = await visitor.request('GET', target);
      if (response.status !== 200 || !/html/.test(response.header('content-type'))) continue;
      await look(await visitor.open(target));
      if (response.text.includes('&lt;script&gt;alert')) shown++;
    }
    assert.ok(shown >= 5, `the markup is on ${shown} pages`);
    // what is typed into any field of any page, and comes back
    for (const page of PAGES.filter((one) => one.get && one.post)) {
      const who = page.access === 'anyone' ? stranger : visitor;
      const opened = await who
        .open(targetOf(page, things) ?? filled(page), { status: undefined })
        .catch(() => null);
      for (const form of opened?.forms.filter((one) => one.method === 'POST') ?? []) {
        const sent = await who.submit(
          form,
          {},
          {
            follow: false,
            change: (pairs) =>
              pairs
                .map(([name, value]) => [name, ['csrf', 'once'].includes(name) ? value : MARKUP])
                .concat([[MARKUP, MARKUP]]),
          },
        );
        await look(sent);
      }
    }
    // what is carried along while somebody signs in, or gives the password
    for (const page of POSTED) {
      const response = await post(stranger, filled(page), { [MARKUP]: MARKUP, next: MARKUP });
      assert.ok(!response.text.includes('<script>alert'), page.path);
      assert.ok(!response.text.includes('<img src=x'), page.path);
    }
    assert.ok(seen.length > 5, `${seen}`);
    // what a browser says of itself
    const odd = await signInOnPage(server, shared.owner, {
      headers: { 'User-Agent': `Firefox/${MARKUP} Linux ${MARKUP}` },
    });
    await look(await odd.open('/account/settings'));
  });
});

describe('odd requests', () => {
  const shared = useSite(OPTIONS, async (site) => {
    await site.stockact('demo', '--trades', 50);
    const server = await site.serve();
    const [owner, other] = [await makeOwner(site), await makeOwner(site)];
    return {
      server,
      owner,
      visitor: await signInOnPage(server, owner),
      stranger: await signInOnPage(server, other),
    };
  });

  test('the ids of another account are unknown', async (t) => {
    const { site, visitor, stranger, owner } = shared;
    const [{ id: session }] = await site.database.query(
      `SELECT s.id FROM session s JOIN account a ON a.no = s.account_no
       WHERE a.email = '${owner.email}'`,
    );
    const things = await makeThings(t, site, owner.email);
    const csrf = await tokenOf(stranger, '/account/settings/password');
    const pairs = (more = {}) => ({ ...more, name: 'x', csrf, once: onceOf() });
    const other = (id) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
    const before = await stateOf(site);
    /** The response for a thing of somebody else is the one for a thing that does not exist. */
    const same = async (what, send, id) => {
      const [foreign, unknown] = [await send(id), await send(other(id))];
      assert.deepEqual([foreign.status, unknown.status], [404, 404], what);
      const shown = (response, own) =>
        response.text.replaceAll(own, 'ID').replace(/(name="(?:csrf|once)" value=")[^"]*/g, '$1');
      assert.equal(shown(foreign, id), shown(unknown, other(id)), what);
    };
    await same(
      'a session',
      (id) => post(stranger, '/account/settings/sessions', pairs({ session: id })),
      session,
    );
    for (const page of PAGES.filter((one) => /^\/account\/.*\{/.test(one.path))) {
      const about = page.path.includes('{delivery}')
        ? 'delivery'
        : /webhooks/.test(page.path)
          ? 'endpoint'
          : /alerts/.test(page.path)
            ? 'alert'
            : 'key';
      const at = (own) => targetOf(page, { ...things, [about]: own });
      const get = (own) => stranger.request('GET', at(own));
      const json = (own) =>
        stranger.request('GET', at(own), { headers: { Accept: 'application/json' } });
      const send = (own) =>
        isForPrograms(page)
          ? stranger.postJson(at(own), { once: onceOf(), name: 'x' }, { csrf })
          : post(stranger, at(own), pairs());
      if (page.get) await same(`GET ${page.path}`, get, things[about]);
      if (page.get && page.json) await same(`JSON of ${page.path}`, json, things[about]);
      if (page.post) await same(`POST ${page.path}`, send, things[about]);
    }
    assert.equal(await stateOf(site), before);
    assert.equal((await visitor.open('/account/settings')).hops.length, 0, 'still signed in');
  });

  test('fields that a form does not have change nothing', async () => {
    const { site, server } = shared;
    const owner = await makeOwner(site);
    const visitor = await signInOnPage(server, owner);
    const [before] = await site.database.query(
      `SELECT id, no, email, plan, role, disabled_at FROM account WHERE email = '${owner.email}'`,
    );
    const more = {
      plan: 'den',
      role: 'admin',
      email: 'other@example.org',
      id: 'acc_0',
      no: '1',
      account: '1',
      account_no: '1',
      disabled_at: '',
      'role[]': 'admin',
      __proto__: 'x',
    };
    for (const [target, fields] of Object.entries(FIELDS)) {
      if (target.endsWith('/address')) continue;
      const csrf = await tokenOf(visitor, '/account/settings/password');
      const pairs = { ...more, ...fields, confirm_password: PASSWORD, csrf, once: onceOf() };
      await post(visitor, target, pairs);
      const json = await visitor.request('POST', target, {
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
          'X-CSRF-Token': csrf,
        },
        body: JSON.stringify({ ...pairs, once: onceOf() }),
      });
      assert.ok(json.status < 500, target);
    }
    const [after] = await site.database.query(
      `SELECT id, no, email, plan, role, disabled_at FROM account WHERE email = '${owner.email}'`,
    );
    assert.deepEqual(after, before);
  });

  test('bodies of every odd form are refused, and the server goes on', async () => {
    const { site, visitor, server } = shared;
    const csrf = await tokenOf(visitor, '/account/settings/password');
    const before = await stateOf(site);
    const valid = `csrf=${csrf}&once=${onceOf()}&newPassword=a`;
    const bombs = {
      '100,000 fields': [Array(100_000).fill('a').join('&'), 413],
      '30,000 fields': [Array(30_000).fill('a').join('&'), null],
      '64 KiB and a byte': [`a=${'x'.repeat(BODY_MAX - 1)}`, 413],
      'a field of 64 KiB': [`a=${'x'.repeat(BODY_MAX - 2)}`, null],
      'bytes that are no text': [Buffer.from('a=\xff\xfe&b=\xc0\xaf', 'latin1'), 400],
      'an escape of bytes that are no text': ['a=%ff%fe', 400],
      NUL: ['newPassword=a%00b', 400],
      'half an escape': ['a=%4', 400],
      'no escape': ['a=%zz', 400],
      'a field twice': [`${valid}&newPassword=b`, 400],
      'a token twice': [`${valid}&csrf=${csrf}`, 400],
      nothing: ['', null],
      'signs only': ['&&&===&&&', null],
      'a lone surrogate': ['a=%ed%a0%80', 400],
      'an overlong slash': ['a=%c0%af', 400],
    };
    for (const page of POSTED) {
      for (const [name, [body, status]] of Object.entries(bombs)) {
        const response = await visitor.request('POST', filled(page), {
          headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin' },
          body,
          unchecked: true,
        });
        const what = `${name} to ${page.path}: ${response.status}`;
        if (status === null) assert.ok(response.status < 500, what);
        else assert.equal(response.status, status, what);
      }
      for (const [type, body] of [
        ['multipart/form-data; boundary=x', '--x\r\n\r\na\r\n--x--\r\n'],
        ['text/plain', valid],
        ['application/json', '{"a":1}'],
        ['application/json', '['.repeat(5000)],
        ['text/xml', '<a/>'],
        ['', valid],
      ]) {
        const response = await visitor.request('POST', filled(page), {
          headers: { 'Content-Type': type, 'Sec-Fetch-Site': 'same-origin' },
          body,
          unchecked: true,
        });
        const json = isForPrograms(page) && type === 'application/json' && body === '{"a":1}';
        assert.equal(response.status, json ? 403 : 400, `${type} to ${page.path}`);
      }
    }
    for (const body of [
      '',
      'null',
      '[]',
      '{"a":{"b":1}}',
      '{"a":["x"]}',
      '{"a":"x","a":"y"}',
      `{"a":"${'\\u0000'}"}`,
      '{"a":"\\ud800"}',
      `${'{"a":'.repeat(3000)}1`,
    ]) {
      const response = await visitor.request('POST', '/account/settings/password', {
        headers: {
          Accept: 'application/json',
          'Content-Type': 'application/json',
          'Sec-Fetch-Site': 'same-origin',
          'X-CSRF-Token': csrf,
        },
        body,
      });
      assert.ok(
        [400, 403, 422].includes(response.status),
        `${body.slice(0, 20)}: ${response.status}`,
      );
    }
    assert.equal(await stateOf(site), before);
    assert.equal((await visitor.open('/account/settings')).status, 200);
    assert.equal((await server.get('/healthz')).status, 200);
  });

  test('methods that a page does not have change nothing', async () => {
    const { site, visitor, server } = shared;
    const before = await stateOf(site);
    for (const page of PAGES) {
      for (const method of [
        'PUT',
        'PATCH',
        'DELETE',
        'TRACE',
        'CONNECT',
        'BREW',
        'HEAD',
        'OPTIONS',
      ]) {
        if (method === 'CONNECT') continue; // its target has another form
        const response = await visitor.request(method, filled(page), { unchecked: true });
        const what = `${method} ${page.path}: ${response.status}`;
        if (method === 'BREW') assert.equal(response.status, 501, what);
        else if (method === 'OPTIONS') assert.equal(response.status, 204, what);
        else if (method === 'HEAD') assert.ok(response.status < 500, what);
        else {
          assert.equal(response.status, 405, what);
          assert.doesNotMatch(response.header('allow'), new RegExp(method), what);
        }
        assert.equal(response.header('access-control-allow-methods'), null, what);
      }
      // a GET with everything in its address
      if (!page.post) continue;
      const query = new URLSearchParams(fieldsOf(page, shared.owner)).toString();
      await visitor.request('GET', `${filled(page)}?${query}`, { unchecked: true });
      // a method named in a header or a field
      await post(
        visitor,
        filled(page),
        { _method: 'DELETE' },
        { 'X-HTTP-Method-Override': 'DELETE' },
      );
    }
    assert.equal(await stateOf(site), before);
    const raw = await server.connect({ from: '127.0.9.9' });
    raw.send(requestText('TRACE', '/', { host: 'a', headers: { Cookie: 'session=secret' } }));
    const traced = await raw.read();
    raw.destroy();
    assert.ok(!traced.text.includes('secret'));
  });
});

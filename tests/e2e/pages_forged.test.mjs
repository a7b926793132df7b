// Forged forms and foreign cookies. Every page of the table that takes a form is attacked, so that a
// new one is covered when it lands.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import test, { describe } from 'node:test';
import {
  FIELDS,
  OPTIONS,
  POSTED,
  fieldsOf,
  filled,
  isForPrograms,
  onceOf,
  post,
  stateOf,
  tokenOf,
} from './lib/attacking.mjs';
import { useSite } from './lib/site.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';

describe('forged forms', () => {
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

  const BAD_TOKENS = {
    'no token': () => null,
    'an empty token': () => '',
    'a random token': () => randomBytes(64).toString('base64url'),
    'a token with one character changed': (own) => (own[0] === 'A' ? 'B' : 'A') + own.slice(1),
    'a token and more': (own) => `${own}A`,
    "another session's token": (own, foreign) => foreign,
  };

  for (const page of POSTED) {
    test(`a form without the token of its session does nothing: ${page.path}`, async () => {
      const { site, visitor, stranger, owner } = shared;
      const own = await tokenOf(visitor, '/account/settings/password');
      const foreign = await tokenOf(stranger, '/account/settings/password');
      const before = await stateOf(site);
      for (const [name, make] of Object.entries(BAD_TOKENS)) {
        const csrf = make(own, foreign);
        const pairs = {
          ...fieldsOf(page, owner),
          once: onceOf(),
          ...(csrf === null ? {} : { csrf }),
        };
        // without a word of where it comes from: refused
        const plain = await post(visitor, filled(page), pairs, { 'Sec-Fetch-Site': null });
        assert.equal(plain.status, 403, `${name}: ${plain.text}`);
        // from this site: at most shown again, for a button that a person presses
        const ours = await post(visitor, filled(page), pairs);
        assert.ok([200, 403].includes(ours.status), `${name}: ${ours.status}`);
        assert.ok(!ours.text.includes(owner.password), 'the password is not carried');
        const json = await visitor.request('POST', filled(page), {
          headers: {
            Accept: 'application/json',
            'Content-Type': 'application/json',
            'Sec-Fetch-Site': 'same-origin',
            ...(csrf ? { 'X-CSRF-Token': csrf } : {}),
          },
          body: JSON.stringify({ ...fieldsOf(page, owner), once: onceOf() }),
        });
        assert.ok([400, 403].includes(json.status), `${name}, JSON: ${json.status}`);
      }
      assert.equal(await stateOf(site), before);
    });

    test(`a form that another site sends does nothing: ${page.path}`, async () => {
      const { site, visitor, owner, server } = shared;
      const csrf = await tokenOf(visitor, '/account/settings/password');
      const before = await stateOf(site);
      for (const headers of [
        { 'Sec-Fetch-Site': 'cross-site' },
        { 'Sec-Fetch-Site': 'same-site' },
        { 'Sec-Fetch-Site': 'none' },
        { 'Sec-Fetch-Site': 'Same-Origin, cross-site' },
        { 'Sec-Fetch-Site': 'cross-site', Origin: server.url },
        { 'Sec-Fetch-Site': null, Origin: 'https://evil.example' },
        { 'Sec-Fetch-Site': null, Origin: 'null' },
        { 'Sec-Fetch-Site': null, Origin: `${server.url}.evil.example` },
        { 'Sec-Fetch-Site': null, Origin: server.url.replace('http:', 'https:') },
      ]) {
        const pairs = { ...fieldsOf(page, owner), csrf, once: onceOf() };
        const response = await post(visitor, filled(page), pairs, headers);
        assert.equal(response.status, 403, JSON.stringify(headers));
      }
      assert.equal(await stateOf(site), before);
    });
  }

  test('the same forms act with the right token, so the tests above prove something', async () => {
    const { site, server } = shared;
    for (const page of POSTED.filter(({ path }) => path in FIELDS)) {
      if (page.path.endsWith('/address') || isForPrograms(page)) continue; // mail; JSON below
      const owner = await makeOwner(site);
      const visitor = await signInOnPage(server, owner);
      const csrf = await tokenOf(visitor, '/account/settings/password');
      const pairs = { ...fieldsOf(page, owner), csrf, once: onceOf() };
      const response = await post(visitor, page.path, pairs);
      assert.ok([200, 201, 303].includes(response.status), `${page.path}: ${response.text}`);
      assert.ok(!response.text.includes('Send it now'), page.path);
    }
  });

  test('a form that is sent twice acts once', async () => {
    const { site, server } = shared;
    const owner = await makeOwner(site);
    const visitor = await signInOnPage(server, owner);
    const page = await visitor.open('/account/settings/password');
    const form = page.form('/account/settings/password');
    const fill = { newPassword: 'another harbor lantern' };
    const pairs = form.pairs(fill);
    const statuses = await Promise.all(
      [1, 2].map(async () => (await post(visitor, form.action, pairs)).status),
    );
    assert.deepEqual(statuses.sort(), [303, 409]);
    const [{ n }] = await site.database.query(
      `SELECT count(*) AS n FROM action_log WHERE action = 'account.password'
       AND subject_id = (SELECT id FROM account WHERE email = '${owner.email}')`,
    );
    assert.ok(Number(n) <= 1);
  });
});

describe('sessions', () => {
  const shared = useSite(OPTIONS, async (site) => {
    await site.stockact('demo', '--trades', 50);
    const server = await site.serve();
    return { server, owner: await makeOwner(site) };
  });

  test('a session begins with a cookie of the server, new at each sign-in', async () => {
    const { server, owner } = shared;
    const planted = randomBytes(32).toString('base64url');
    const visitor = newVisitor(server);
    for (const name of ['session', 'visitor', '__Host-session']) visitor.cookies.set(name, planted);
    const page = await visitor.open('/sign-in?next=/account/settings');
    await visitor.submit(page.form('/sign-in'), owner, { status: 200 });
    const first = visitor.cookies.get('session').value;
    assert.notEqual(first, planted);
    assert.equal(Buffer.from(first, 'base64url').length, 32, '256 bits');
    const second = (await signInOnPage(server, owner)).cookies.get('session').value;
    assert.notEqual(first, second);

    const attacker = newVisitor(server);
    attacker.cookies.set('session', planted);
    const hops = (await attacker.open('/account/settings')).hops;
    assert.equal(hops[0].status, 303, 'the planted cookie is nobody');

    // an ended session is over for whoever copied its cookie
    const copy = newVisitor(server);
    copy.cookies.set('session', first);
    assert.equal((await copy.open('/account/settings')).hops.length, 0);
    const settings = await visitor.open('/account/settings');
    await visitor.submit(settings.form('/sign-out'), {}, { status: 200 });
    assert.equal((await copy.open('/account/settings')).hops[0].status, 303);
    const stored = await shared.site.database.query('SELECT * FROM session');
    for (const cookie of [first, second]) assert.ok(!JSON.stringify(stored).includes(cookie));
  });

  test('broken, huge and many cookies are no session', async () => {
    const { server, owner } = shared;
    const visitor = await signInOnPage(server, owner);
    const real = visitor.cookies.get('session').value;
    const anonymous = newVisitor(server);
    const is = async (cookie) => {
      const response = await anonymous.request('GET', '/account/settings', {
        headers: { Cookie: cookie },
        unchecked: true,
      });
      return response.status;
    };
    assert.equal(await is(`session=${real}`), 200);
    for (const cookie of [
      `session=${real}; session=${real}`,
      `session=${'A'.repeat(43)}; session=${real}`,
      `session="${real}"`,
      `session=${real.slice(0, -1)}`,
      `session=${real}A`,
      `session=${real.toLowerCase()}`,
      `SESSION=${real}`,
      `__Host-session=${real}`,
      `session=${'A'.repeat(4096)}`,
      'session=',
      'session',
      '=;=;;;',
      `session=\u00e9${real}`,
      `a=${'b'.repeat(6000)}; session=${'%00'.repeat(10)}`,
      Array.from({ length: 500 }, (_, i) => `c${i}=${i}`).join('; '),
    ]) {
      assert.equal(await is(cookie), 303, cookie.slice(0, 60));
    }
    assert.equal(await is(`a=1; session=${real}; b=2`), 200, 'others do not matter');
    assert.equal(await is(`a=${'b'.repeat(17_000)}`), 431);
  });
});

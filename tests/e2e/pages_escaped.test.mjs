// Paths with escapes. The router decodes a path; whatever looked at it before must not decide
// differently. Every address of the table of pages is asked for with one letter escaped.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { onceOf, PAGES, post, tokenOf } from './lib/attacking.mjs';
import { Visitor } from './lib/pages.mjs';
import { useSite } from './lib/site.mjs';
import { beginSession, KINDS, visitorOf } from './lib/sessions.mjs';

const shared = useSite({}, async (site) => {
  await site.stockact('demo', '--trades', 50);
  const server = await site.serve();
  const visitors = {};
  for (const kind of KINDS) visitors[kind] = await visitorOf(site, server, kind);
  return { server, visitors };
});

/** The same person with another session: a form may end it. */
async function again(kind) {
  const visitor = new Visitor(shared.server);
  const { email } = shared.visitors[kind];
  visitor.cookies.set('session', await beginSession(shared.site, email));
  return visitor;
}

const plain = (page) => page.path.replace(/\{\w+\}/g, 'none_0123456789abcdef');

/** The address with the letter at `index` among its letters escaped. */
function escaped(target, index) {
  let seen = 0;
  return target.replace(/[a-z]/g, (letter) =>
    seen++ === index ? `%${letter.charCodeAt(0).toString(16)}` : letter,
  );
}

const letters = (target) => target.replace(/[^a-z]/g, '').length;
const kindOf = ({ access }) => (['anyone', 'reader'].includes(access) ? 'owner' : access);

/** What must not differ: the status, the type, and where it leads. */
const shapeOf = (response) => [
  response.status,
  response.header('content-type'),
  response.header('cache-control'),
  response.header('location'),
];

test('a page with an escaped letter in its address is the same page', async () => {
  const { visitors } = shared;
  for (const page of PAGES.filter((one) => one.get && letters(one.path) > 0)) {
    const target = plain(page);
    const visitor = visitors[kindOf(page)];
    const expected = shapeOf(await visitor.request('GET', target));
    for (let i = 0; i < letters(target); i += 3) {
      const response = await visitor.request('GET', escaped(target, i));
      assert.deepEqual(shapeOf(response), expected, `GET ${escaped(target, i)}`);
    }
    const stranger = await visitors.anyone.request('GET', escaped(target, 1));
    assert.equal(
      stranger.status,
      (await visitors.anyone.request('GET', target)).status,
      `GET ${escaped(target, 1)} without a session`,
    );
  }
});

for (const page of PAGES.filter((one) => one.post)) {
  test(`a form to an escaped address is a form to the address: ${page.path}`, async () => {
    const target = plain(page);
    const shapes = [];
    for (const address of [target, escaped(target, 1), escaped(target, letters(target) - 1)]) {
      const visitor = await again(kindOf(page));
      const csrf = await tokenOf(visitor, '/account/settings/password');
      const response = await post(visitor, address, { csrf, once: onceOf(), name: 'escaped' });
      shapes.push(shapeOf(response));
    }
    assert.deepEqual(shapes[1], shapes[0]);
    assert.deepEqual(shapes[2], shapes[0]);
  });
}

test('the key of an account is minted and revoked by escaped addresses, as JSON', async () => {
  const visitor = await visitorOf(shared.site, shared.server, 'owner');
  const csrf = await tokenOf(visitor, '/account/settings/password');
  const headers = { 'X-CSRF-Token': csrf };
  const minted = await post(
    visitor,
    '/account/ap%69/keys',
    { once: onceOf(), name: 'escaped' },
    headers,
  );
  assert.equal(minted.status, 201);
  const { id } = minted.json.data;
  const revoked = await post(
    visitor,
    `/account/ap%69/keys/${id}/revoke`,
    { once: onceOf() },
    headers,
  );
  assert.equal(revoked.status, 200);
  assert.equal(revoked.json.data.id, id);
  const list = await visitor.request('GET', '/%61ccount/api/key%73');
  assert.match(list.header('content-type'), /^application\/json/);
});

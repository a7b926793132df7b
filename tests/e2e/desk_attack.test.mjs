// The review desk, attacked: by people who are no reviewers, by forged and oversized forms, by texts
// in documents, by addresses, and by a reviewer who claims everything.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { BODY_MAX, FORM, MARKUP, onceOf, tokenOf } from './lib/attacking.mjs';
import { CLEAN, DOUBTFUL, SCAN, fillDesk, idOf } from './lib/desk_site.mjs';
import { text as textOf } from './lib/html.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { cpuMs, holdHelpers } from './lib/proc.mjs';
import { useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const START = '2026-11-23T12:00:00.000Z';
const HALF_AN_HOUR = 30 * 60 * 1000;
const FIRST = idOf(CLEAN[0]);
const IDS = [...CLEAN, DOUBTFUL, SCAN].map(idOf);

/** Everything of the desk that an attack could change. */
const STATE = ['draft', 'draft_row', 'draft_history', 'typed', 'trade', 'publication'];

async function stateOf(site) {
  const tables = await Promise.all(
    STATE.map((name) => site.database.query(`SELECT * FROM ${name} ORDER BY 1, 2`)),
  );
  return JSON.stringify(tables);
}

const SEEN = [
  ...[
    '',
    '/new',
    '/upload',
    '/find?member=vale',
    `/${FIRST}`,
    `/${FIRST}/rows`,
    `/${FIRST}/rows/1`,
  ],
  ...[`/${FIRST}/pages/1.png`, `/${FIRST}/strips/1.png`, `/${idOf(SCAN)}/pages/1.png`],
  `/${FIRST}/rows/1/pages/1.png`,
].map((rest) => `/desk${rest}`);

const FORMS = {
  '/desk': { do: 'publish-all', filings: IDS.join(' ') },
  '/desk/new': { chamber: 'house', document: '20990099', member: 'robin-vale' },
  [`/desk/${FIRST}`]: { do: 'accept-publish', reason: 'x', despite: 'signed' },
  [`/desk/${FIRST}/rows`]: { do: 'add', assetName: 'Forged', side: 'buy', amountBucket: '1k_15k' },
  [`/desk/${FIRST}/rows/1`]: { do: 'save', assetName: 'Forged' },
};

describe('the desk under attack', () => {
  const shared = useSite({ clock: START }, async (site) => {
    await fillDesk(site);
    const server = await site.serve();
    const person = async (role) => {
      const owner = await makeOwner(site, { email: `${role}@example.org`, role });
      return signInOnPage(server, owner);
    };
    const eve = await makeOwner(site, { email: 'eve@example.org', role: 'reviewer' });
    return {
      server,
      ann: await person('reviewer'),
      reader: await person('member'),
      eve: await signInOnPage(server, eve),
    };
  });

  const post = (visitor, target, fields, headers = {}) =>
    visitor.request('POST', target, {
      headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin', ...headers },
      body: new URLSearchParams(fields).toString(),
    });
  const press = (page, button, fill = {}, options = {}) =>
    shared.eve.submit(page.form(button), fill, { button, status: 200, ...options });
  const markOf = async (target) => {
    const page = await shared.eve.open(target);
    return page.all('input[name="mark"]').at(-1).attribs.value;
  };

  test('nobody else sees a draft, a page of its document, or a strip of it', async () => {
    for (const target of SEEN) {
      for (const visitor of [newVisitor(shared.server), shared.reader]) {
        const answer = await visitor.request('GET', target);
        assert.ok([303, 403].includes(answer.status), `${target}: ${answer.status}`);
        assert.doesNotMatch(answer.text, /Harbor|PNG/);
      }
      const bare = await shared.server.request('GET', target);
      assert.ok([303, 401, 403].includes(bare.status), `${target}: ${bare.status}`);
    }
  });

  test('public picture addresses show no draft', async () => {
    const places = ['filings', 'trades', 'documents'].flatMap((kind) =>
      [FIRST, `${FIRST}-0001`, idOf(SCAN)].flatMap((id) =>
        ['pages/1.png', 'page.png', 'row.png', 'strips/1.png', ''].map(
          (rest) => `/${kind}/${id}/${rest}`,
        ),
      ),
    );
    for (const target of places) {
      const answer = await newVisitor(shared.server).request('GET', target);
      assert.notEqual(answer.status, 200, target);
      assert.doesNotMatch(answer.text, /PNG/);
    }
  });

  test('a form of another role, of another session, or without a token does nothing', async () => {
    const { site, reader, eve, ann } = shared;
    const before = await stateOf(site);
    const [own, foreign] = [
      await tokenOf(reader, '/account/settings/password'),
      await tokenOf(ann, `/desk/${FIRST}`),
    ];
    for (const [target, fields] of Object.entries(FORMS)) {
      const mark = target.includes(FIRST) ? await markOf(target) : '';
      const all = { ...fields, mark, once: onceOf() };
      assert.equal((await post(reader, target, { ...all, csrf: own })).status, 403, target);
      const others = await post(eve, target, { ...all, csrf: foreign }, { 'Sec-Fetch-Site': null });
      assert.equal(others.status, 403, target);
      const across = await post(eve, target, all, { 'Sec-Fetch-Site': 'cross-site' });
      assert.equal(across.status, 403, target);
      const nobody = await post(newVisitor(shared.server), target, all);
      assert.ok([200, 303, 403].includes(nobody.status), `${target}: ${nobody.status}`); // 200: sign in
    }
    assert.equal(await stateOf(site), before);
  });

  test('a form with any mark, action, row or field is answered, and does nothing', async () => {
    const { site, eve } = shared;
    const before = await stateOf(site);
    const csrf = await tokenOf(eve, `/desk/${FIRST}`);
    const form = `/desk/${FIRST}`;
    const row = `${form}/rows/1`;
    const tries = [
      ...['', '0', 'x'.repeat(16), '\0', MARKUP].map((mark) => [form, { do: 'accept', mark }]),
      ...['', 'drop', 'accept,publish', MARKUP].map((what) => [form, { do: what }]),
      ...['', '0', '-1', '2', '9999', '10000', '1e3', '99999999999999999999'].map((number) => [
        ...[`${form}/rows/${number}`, { do: 'save', assetName: 'Forged' }],
      ]),
      [row, { do: 'save', mark: await markOf(row), tradeDate: '2025-02-30' }],
      [row, { do: 'save', mark: await markOf(row), side: 'gift' }],
      [row, { do: 'save', mark: await markOf(row), amountBucket: MARKUP }],
      [row, { do: 'save', mark: await markOf(row), trade: `${idOf(CLEAN[1])}-0001` }],
      [row, { do: 'save', mark: await markOf(row), assetName: 'a\u202eb' }],
      [row, { do: 'save', mark: await markOf(row), assetName: 'x'.repeat(100_000) }],
      [row, Object.fromEntries([...Array(200).keys()].map((i) => [`f${i}`, 'x']))],
      ['/desk', { do: 'publish-all', filings: `${IDS.join(' ')} ../../x ${MARKUP}` }],
      ['/desk/new', { chamber: 'house', document: '../../etc/passwd', member: 'robin-vale' }],
      ['/desk/new', { chamber: 'senate', document: '20990098', member: MARKUP }],
      ['/desk/new', { chamber: 'house', document: '20990098', url: 'javascript:alert(1)' }],
    ];
    for (const [target, fields] of tries) {
      const answer = await post(eve, target, { csrf, once: onceOf(), ...fields });
      const told = `${target} ${JSON.stringify(fields).slice(0, 100)}: ${answer.status}`;
      assert.ok(answer.status < 500 && answer.status !== 303, told);
      assert.doesNotMatch(answer.text, /<script>alert|onerror=alert\(1\)>/, told);
    }
    assert.equal(await stateOf(site), before);
  });

  test('texts with markup and of any length are text, on the desk and in public', async () => {
    const { site, server, eve } = shared;
    const id = idOf(CLEAN[1]);
    const name = `${MARKUP} ${'long '.repeat(50)}`.trim();
    const page = await eve.open(`/desk/${id}/rows/1`);
    const saved = await press(page, 'Save the row', { assetName: name, reason: MARKUP });
    assert.ok(textOf(saved.one('.reading tbody')).includes(MARKUP));
    assert.equal(saved.all('main script').length, 0);
    assert.equal(saved.all('img[onerror]').length, 0);
    assert.ok(saved.text('.history').includes(MARKUP));
    const rejected = await press(await eve.open(`/desk/${idOf(CLEAN[2])}`), 'Reject the draft', {
      reason: MARKUP,
    });
    assert.equal(rejected.all('img[onerror]').length, 0);
    await press(await eve.open(`/desk/${id}`), 'Accept and publish');
    const { data } = await server.json(`/api/v1/trades/${id}-0001`);
    assert.equal(data.trade.assetName, name);
    const inPublic = await shared.reader.open(`/filings/${id}`);
    assert.equal(inPublic.all('img[onerror]').length, 0);
    const [{ history }] = await site.stockact('review', 'show', id);
    assert.ok(JSON.stringify(history).includes('alert(1)'));
  });

  test('saved input of forms is limited in length and number', async () => {
    const { site, eve } = shared;
    const target = `/desk/${FIRST}/rows/1`;
    const csrf = await tokenOf(eve, target);
    const keep = (place, assetName) => post(eve, place, { csrf, do: 'keep', assetName });
    assert.equal((await keep(target, 'x'.repeat(BODY_MAX))).status, 413);
    for (const place of [`/desk/${FIRST}/rows/77`, '/desk/house-1/rows/1', '/desk/none/rows']) {
      const { status } = await keep(place, 'x');
      assert.ok([404, 422].includes(status), `${place}: ${status}`);
    }
    const [{ n }] = await site.database.query('SELECT count(*) AS n FROM typed');
    assert.equal(Number(n), 0);
  });

  test('saved input has its own rate limit, which does not affect forms', async () => {
    const { site, eve } = shared;
    await site.clock.advance(60_000);
    const target = `/desk/${FIRST}/rows/1`;
    const page = await eve.open(target);
    const [csrf, of] = ['csrf', 'once'].map((name) => page.form('Save the row').value(name));
    const keep = async (assetName) =>
      (await eve.postJson(target, { of, do: 'keep', assetName }, { csrf })).status;
    for (let n = 0; n < 120; n++) assert.equal(await keep(`${n}`), 200, n);
    assert.equal(await keep('one too many'), 429);
    await press(await eve.open(target), 'Discard it');
    const elsewhere = await eve.postJson('/desk/new', { do: 'keep' }, { csrf });
    assert.equal(elsewhere.status, 422, 'nothing is kept there: it counts as a form');
  });

  test('invalid addresses below a draft are rejected', async () => {
    const numbers = ['0', '-1', '+1', '01', '1e0', '0x1', '99999', '99999999999999999999', '1%00'];
    const rests = [
      ...numbers.flatMap((n) => [`pages/${n}.png`, `strips/${n}.png`, `rows/${n}`]),
      ...numbers.flatMap((n) => [`rows/${n}/pages/1.png`, `rows/1/pages/${n}.png`]),
      ...['pages/1', 'pages/1.PNG', 'pages/1.png/', 'pages/../../1.png', 'pages/%2e%2e%2f1.png'],
      ...['strips/9.png', 'strips/1.png.png', 'rows/1/x', 'x', '%2e%2e', 'rows/%F0%9F%92%A3'],
    ];
    for (const rest of rests) {
      const { status } = await shared.eve.request('GET', `/desk/${FIRST}/${rest}`);
      assert.ok([301, 303, 308, 400, 404].includes(status), `${rest}: ${status}`);
    }
    for (const id of ['none', '..', '%00', `${FIRST}%2fpages`, 'house-', 'x'.repeat(4000)]) {
      const { status } = await shared.eve.request('GET', `/desk/${id}`);
      assert.ok([303, 308, 400, 404, 414].includes(status), `${id}: ${status}`);
    }
  });

  test('any query of the list and of /desk/find is answered at once', async () => {
    const texts = [
      ...['%', '_', '!', '%_!'.repeat(500), "' OR 1=1 --", MARKUP, '\u202e', 'é'.repeat(500)],
      ...['a '.repeat(1500), 'Vale,'.repeat(500), '\t\n', '\ud83d\udca3'.repeat(300)],
    ];
    for (const text of texts) {
      const q = encodeURIComponent(text);
      for (const target of [`/desk?q=${q}`, `/desk/find?member=${q}&symbol=${q}`]) {
        const before = cpuMs(shared.server.child.pid);
        const answer = await shared.eve.request('GET', target);
        assert.ok([200, 400, 414].includes(answer.status), `${target}: ${answer.status}`);
        const spent = cpuMs(shared.server.child.pid) - before;
        assert.ok(spent < 2000, `${text.slice(0, 20)} took ${spent} ms of processor time`);
        assert.doesNotMatch(answer.text, /<script>alert|onerror=alert\(1\)>/);
      }
    }
    for (const target of ['/desk?page=0', '/desk?page=99999999999999', '/desk?sort=clean&sort=due'])
      assert.equal((await shared.eve.request('GET', target)).status, 400, target);
    const { members } = await shared.eve.json('/desk/find?member=%25');
    assert.deepEqual(members, []);
  });

  test('a page that is requested repeatedly is drawn once', async () => {
    const { eve, server } = shared;
    const target = `/desk/${idOf(DOUBTFUL)}/pages/1.png`;
    const look = async (at = target) => (await eve.request('GET', at)).status;
    await until('it is drawn', async () => (await look()) === 200); // 503 on a busy machine
    const other = `/desk/${idOf(DOUBTFUL)}/pages/2.png`; // starts the program that draws
    await until('there is no such page', async () => (await look(other)) === 404);
    const resume = await holdHelpers(server.child.pid);
    for (let times = 0; times < 20; times += 1) assert.equal(await look(), 200);
    resume();
  });

  test('a reviewer can claim every draft for 30 minutes', async () => {
    const { site, eve, ann } = shared;
    const held = [FIRST, idOf(DOUBTFUL), idOf(SCAN)];
    for (const id of held) await press(await eve.open(`/desk/${id}`), 'Claim');
    const queue = await ann.open('/desk');
    const rows = queue.all('tbody tr').map(textOf);
    for (const id of held)
      assert.ok(rows.some((row) => row.includes(id) && row.includes('eve@example.org')));
    await site.clock.advance(HALF_AN_HOUR + 1000);
    const free = await ann.open('/desk');
    assert.doesNotMatch(free.text('tbody'), /eve@example\.org/);
    const page = await ann.open(`/desk/${FIRST}`);
    await ann.submit(page.form('Claim'), {}, { button: 'Claim', status: 200 });
  });
});

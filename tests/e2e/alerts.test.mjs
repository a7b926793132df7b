// Alerts: who gets which e-mail, through the test's own mail server (decisions 27 and 38).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { confirm, confirmLink, partsOf, settled, subjectOf } from './lib/alerts.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const BASE = 'https://trades.example.org';
const ALL = ['--minimum', '1k_15k']; // every trade

async function open(t, options = {}) {
  const { site, sink } = await makeMailSite(t, {
    ...options,
    env: { STOCKACT_BASE_URL: BASE, ...options.env },
  });
  await site.stockact('demo', '--trades', 20);
  return { site, sink, server: await site.serve() }; // its start makes the master key
}

async function confirmed(site, plan = 'pack') {
  const owner = await makeOwner(site, { plan });
  await confirm(site, owner.email);
  return owner;
}

async function add(site, email, ...criteria) {
  const [alert] = await site.stockact('alerts', 'add', '--email', email, ...criteria);
  return alert;
}

async function publish(site, rows = 2) {
  const [done] = await site.stockact('demo', '--publish', 1, '--rows', rows);
  return done.filing ?? done.id;
}

const subjects = (sink) => sink.mails.map(subjectOf);
const newestTrade = async (site) =>
  (await site.database.query('SELECT id FROM trade ORDER BY no DESC LIMIT 1'))[0].id;

onEachDatabase('alerts', (kind) => {
  test('a publication is one e-mail for a person, and changes go into the next', async (t) => {
    const { site, sink } = await open(t, { database: kind });
    const { email } = await confirmed(site);
    const alert = await add(site, email, ...ALL, '--pace', 'now');
    await add(site, email, '--chamber', 'house', '--pace', 'now');
    await add(site, email, '--chamber', 'senate', '--pace', 'now');
    await publish(site, 3);
    const [mail] = await sink.have(1);
    assert.match(subjectOf(mail), /^3 trades reported by \S.*$/);
    assert.equal(mail.to, email);
    const { text, html } = partsOf(mail);
    const id = await newestTrade(site);
    for (const form of [text, html]) {
      assert.ok(form.includes(`${BASE}/trades/${id}`), form);
      assert.match(form, /https:\/\/disclosures\.example\.org\//);
      assert.match(form, /Traded \d{4}-\d\d-\d\d, filed \d{4}-\d\d-\d\d/);
      assert.ok(form.includes(`${BASE}/alerts/end/${alert.id}?token=`), form);
      assert.match(form, /You get this e-mail because you asked for e-mails at once about/);
    }
    assert.equal(mail.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    assert.match(
      mail.headers['list-unsubscribe'],
      /^<https:\/\/trades\.example\.org\/alerts\/end\//,
    );
    await settled(site);
    const by = ['--by', 'editor@example.org', '--reason', 'The reviewer misread the row.'];
    const [{ side }] = await site.database.query(`SELECT side FROM trade WHERE id = '${id}'`);
    const [code, words] = side === 'buy' ? ['exchange', 'exchanged'] : ['buy', 'bought'];
    await site.stockact('correct', id, 'side', code, ...by);
    await sink.have(2);
    assert.equal(subjects(sink)[1], '1 trade corrected');
    const changed = new RegExp(`side was [a-z ]+, is ${words}\\. Reason: The reviewer`);
    assert.match(partsOf(sink.mails[1]).text, changed);
    await site.stockact('withdraw', id, ...by);
    await sink.have(3);
    assert.equal(subjects(sink)[2], '1 trade withdrawn');
    await settled(site);
    assert.equal(sink.mails.length, 3);
  });

  test('digests come at seven in Washington, once, and never empty', async (t) => {
    const { site, sink, server } = await open(t, { database: kind, clock: '2026-11-20T13:00:00Z' });
    const daily = await confirmed(site);
    const weekly = await confirmed(site);
    const idle = await confirmed(site);
    await add(site, daily.email, ...ALL, '--pace', 'daily');
    await add(site, weekly.email, ...ALL, '--pace', 'weekly');
    await add(site, idle.email, '--ticker', 'NONE', '--pace', 'daily');
    await publish(site);
    await publish(site);
    await settled(site);
    assert.deepEqual(subjects(sink), []);
    await site.clock.set('2026-11-21T11:59:59Z');
    await settled(site);
    assert.deepEqual(subjects(sink), []);
    await site.clock.set('2026-11-21T12:00:00Z'); // Saturday, 07:00
    const [mail] = await sink.have(1);
    assert.equal(mail.to, daily.email);
    assert.match(subjectOf(mail), /^4 trades/);
    await publish(site);
    await server.stop(); // the next server sends nothing again, nor before its time
    await site.serve();
    await settled(site);
    await site.clock.set('2026-11-22T12:00:00Z');
    await sink.have(2);
    assert.match(subjects(sink)[1], /^2 trades/);
    await site.clock.set('2026-11-23T12:00:00Z'); // Monday
    await sink.have(3);
    assert.equal(sink.mails[2].to, weekly.email);
    assert.match(subjects(sink)[2], /^6 trades/);
    await settled(site);
    assert.equal(sink.mails.length, 3);
  });
});

test('changing an alert to now sends its waiting matches, without another publication', async (t) => {
  const { site, sink } = await open(t, { clock: '2026-11-20T13:00:00Z' });
  const { email } = await confirmed(site);
  const { id } = await add(site, email, ...ALL, '--pace', 'weekly');
  await publish(site);
  await settled(site);
  await site.stockact('alerts', 'change', '--id', id, '--pace', 'now');
  assert.deepEqual(subjects(sink), []);
  await site.clock.set('2026-11-20T13:01:00Z');
  await sink.have(1);
  assert.match(subjects(sink)[0], /^2 trades/);
});

test("the list behind the e-mail's link has the trades that the e-mail omits", async (t) => {
  const { site, sink, server } = await open(t);
  const owner = await confirmed(site);
  await add(site, owner.email, ...ALL, '--pace', 'now');
  await publish(site, 130);
  const { text, html } = partsOf((await sink.have(1))[0]);
  const [, link] = /And 30 more, in the list of these days:\n {2}https:\/\/[^/]*(\S+)\n/.exec(text);
  assert.ok(html.includes(link.replaceAll('&', '&amp;')), html);
  const visitor = await signInOnPage(server, owner);
  const listed = [];
  for (let next = link; next;) {
    const page = await visitor.open(next);
    listed.push(...page.all('main tbody a[href^="/trades/"]').map(({ attribs }) => attribs.href));
    next = page.all('a[rel=next]')[0]?.attribs.href;
  }
  const rows = await site.database.query('SELECT id FROM trade ORDER BY no DESC LIMIT 130');
  for (const { id } of rows) assert.ok(listed.includes(`/trades/${id}`), id);
});

test('an unconfirmed address gets only the confirmation link', async (t) => {
  const { site, sink, server } = await open(t);
  const owner = await makeOwner(site);
  await add(site, owner.email, ...ALL, '--pace', 'now');
  const link = await confirmLink(sink, owner.email);
  await publish(site);
  await settled(site);
  const visitor = newVisitor(server);
  const page = await visitor.open(link);
  assert.match(page.text('main'), new RegExp(owner.email));
  await publish(site);
  await settled(site);
  assert.deepEqual(subjects(sink), ['Confirm your e-mail alerts']);
  await visitor.submit(page.form('/alerts/confirm'), {}, { status: 200 });
  const again = await visitor.request('GET', link);
  assert.equal(again.status, 410);
  await publish(site);
  await sink.have(2);
  await settled(site);
  assert.equal(sink.mails.length, 2); // what came before is not sent
});

/** What a mail provider does: the address of the header, and nothing of the person's browser. */
async function oneClick(server, mail, type, body) {
  const url = new URL(/^<(.*)>$/.exec(mail.headers['list-unsubscribe'])[1]);
  const target = url.pathname + url.search;
  return newVisitor(server).request('POST', target, {
    headers: { 'Content-Type': type, 'Sec-Fetch-Site': null },
    body,
  });
}

const PAIR = 'List-Unsubscribe=One-Click';
const MULTIPART = `--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--`;

test('one click of a mail provider ends the alert, and opening the link does not', async (t) => {
  const { site, sink, server } = await open(t);
  const first = await confirmed(site);
  const second = await confirmed(site);
  await add(site, first.email, ...ALL, '--pace', 'now');
  await add(site, second.email, ...ALL, '--pace', 'now');
  await add(site, second.email, '--chamber', 'house', '--pace', 'now');
  await add(site, second.email, '--chamber', 'senate', '--pace', 'now');
  await publish(site);
  await sink.have(2);
  const to = ({ email }) => sink.mails.find((mail) => mail.to === email);
  const states = async (email) =>
    (await site.stockact('alerts', 'list', '--email', email)).map(({ state }) => state);
  const [link] = /\/alerts\/end\/al_\S+/.exec(partsOf(to(first)).text);
  const page = await newVisitor(server).open(link);
  assert.match(page.text('h1'), /End this alert\?/);
  assert.deepEqual(await states(first.email), ['enabled']);
  const forged = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  for (const method of ['GET', 'POST'])
    assert.equal((await newVisitor(server).request(method, forged)).status, 404);
  assert.deepEqual(await states(first.email), ['enabled']);
  for (const _ of [1, 2]) {
    const done = await oneClick(server, to(first), 'application/x-www-form-urlencoded', PAIR);
    assert.equal(done.status, 200, done.text);
    assert.deepEqual(await states(first.email), []);
  }
  const done = await oneClick(server, to(second), 'multipart/form-data; boundary=b', MULTIPART);
  assert.equal(done.status, 200, done.text);
  const log = await site.stockact('log', '--action', 'alert');
  assert.equal(log.filter(({ action }) => action === 'alert.end').length, 1);
  await publish(site);
  await settled(site);
  await publish(site);
  await settled(site);
  const got = sink.mails.filter((mail) => mail.to === first.email);
  assert.equal(got.length, 1);
});

test('a person ends all alerts by the link in the e-mail', async (t) => {
  const { site, sink, server } = await open(t);
  const { email } = await confirmed(site);
  await add(site, email, ...ALL, '--pace', 'now');
  await add(site, email, '--ticker', 'NVDA');
  await publish(site);
  const [mail] = await sink.have(1);
  await until('the metric counts it', async () => {
    const { text } = await server.get('/metrics');
    return text.includes('\nstockact_alert_emails_total{outcome="queued"} 1\n');
  });
  const [link] = /\/alerts\/end\/acc_\S+/.exec(partsOf(mail).text);
  const visitor = newVisitor(server);
  const page = await visitor.open(link);
  const done = await visitor.submit(page.form('End all alerts'), {}, { status: 200 });
  assert.match(done.text('h1'), /No more e-mails/);
  assert.deepEqual(await site.stockact('alerts', 'list', '--email', email), []);
});

test('a third permanent refusal ends the alerts, and the page says why', async (t) => {
  const { site, sink, server } = await open(t);
  const owner = await confirmed(site);
  const alert = await add(site, owner.email, ...ALL, '--pace', 'now');
  sink.reply = '550 5.1.1 <b>no such user</b>';
  const state = async () =>
    (await site.stockact('alerts', 'list', '--email', owner.email))[0].state;
  for (let i = 1; i <= 3; i++) {
    assert.equal(await state(), 'enabled');
    await publish(site);
    await until(`${i} refusals`, async () => {
      const [row] = await site.database.query('SELECT max(refused) AS n FROM alert_person');
      return Number(row.n) === i;
    });
    assert.equal(sink.offered, i); // no second try
  }
  assert.equal(await state(), 'refused');
  const visitor = await signInOnPage(server, owner);
  const page = await visitor.open('/account/alerts');
  assert.match(page.text('main'), /permanently refused three e-mails in a row/);
  assert.match(page.text('main'), /<b>no such user<\/b>/);
  await publish(site);
  await settled(site);
  assert.equal(sink.offered, 3);
  sink.reply = '250 taken in';
  const own = await visitor.open(`/account/alerts/${alert.id}`);
  await visitor.submit(own.form('Resume'), {}, { status: 200 });
  await publish(site);
  await sink.have(1);
});

test('the plan caps alerts, pauses the newest above it and resumes them', async (t) => {
  const { site, server } = await open(t);
  const owner = await confirmed(site, 'wolf');
  const visitor = await signInOnPage(server, owner);
  const { csrf } = await visitor.json('/account/alerts');
  const post = (ticker) => visitor.postJson('/account/alerts', { ticker, pace: 'daily' }, { csrf });
  const name = (i) => `T${String.fromCharCode(65 + i)}`;
  for (let i = 0; i < 25; i++) assert.equal((await post(name(i))).status, 201);
  const full = await post('LAST');
  assert.equal(full.status, 403, full.text);
  const error = JSON.parse(full.text);
  assert.equal(error.error, 'alert_limit_reached');
  assert.equal(error.limit, 25);
  const args = ['alerts', 'add', '--email', owner.email, '--ticker', 'LAST', '--json'];
  const done = await site.run(args);
  assert.equal(done.code, 1);
  assert.equal(JSON.parse(done.stdout).limit, 25);
  const plan = (to) => site.stockact('accounts', 'set-plan', '--email', owner.email, '--plan', to);
  const states = async () =>
    (await site.stockact('alerts', 'list', '--email', owner.email)).map(({ state }) => state);
  await plan('scout');
  assert.deepEqual(await states(), Array(25).fill('capped'));
  assert.equal((await post('LAST')).status, 403);
  await plan('pack');
  assert.deepEqual(await states(), Array(25).fill('enabled'));
  assert.equal((await post('LAST')).status, 201);
  await plan('wolf');
  assert.deepEqual(await states(), [...Array(25).fill('enabled'), 'capped']);
  const [first] = await site.stockact('alerts', 'list', '--email', owner.email);
  await site.stockact('alerts', 'end', '--id', first.id);
  assert.deepEqual(await states(), Array(25).fill('enabled'));
});

test('each button of an alert does what it says', async (t) => {
  const { site, server } = await open(t);
  const owner = await confirmed(site);
  const { id } = await add(site, owner.email, ...ALL);
  const visitor = await signInOnPage(server, owner);
  const press = async (action) => {
    const page = await visitor.open(`/account/alerts/${id}`);
    await visitor.submit(page.form(`/account/alerts/${id}/${action}`), {}, { status: 200 });
    const list = await site.stockact('alerts', 'list', '--email', owner.email);
    return list.map(({ state }) => state);
  };
  assert.deepEqual(await press('pause'), ['paused']);
  assert.deepEqual(await press('resume'), ['enabled']);
  assert.deepEqual(await press('end'), []);
});

test('a change keeps omitted criteria, and an invalid value changes nothing', async (t) => {
  const { site } = await open(t);
  const { email } = await confirmed(site);
  const { id } = await add(site, email, '--ticker', 'nvda', '--flagged', '--pace', 'weekly');
  const change = async (...options) => {
    const [alert] = await site.stockact('alerts', 'change', '--id', id, ...options);
    const { ticker, chamber, flagged, minimum, pace } = alert;
    return { ticker, chamber, flagged, minimum, pace };
  };
  const first = await change('--chamber', 'house', '--minimum', '50k_100k');
  const both = { ticker: 'NVDA', chamber: 'house', minimum: '50k_100k' };
  assert.deepEqual(first, { ...both, flagged: true, pace: 'weekly' });
  for (const name of ['ticker', 'chamber', 'seat', 'sector', 'minimum', 'pace'])
    assert.notEqual((await site.run(['alerts', 'change', '--id', id, `--${name}`, '?!'])).code, 0);
  const second = await change('--ticker', 'fb', '--unflagged', '--pace', 'daily');
  assert.deepEqual(second, { ...both, ticker: 'FB', flagged: false, pace: 'daily' });
});

test('a form without script finds a member by a part of the name', async (t) => {
  const { site, server } = await open(t);
  const owner = await confirmed(site);
  const visitor = await signInOnPage(server, owner);
  const [member] = await site.database.query(
    'SELECT slug, name FROM member ORDER BY name DESC LIMIT 1',
  );
  const find = async (politician, status) => {
    const page = await visitor.open('/account/alerts');
    return visitor.submit(page.form('Add the alert'), { politician }, { status });
  };
  const none = await find('nobody at all', 422);
  assert.match(none.text('main'), /No member matches this name/i);
  const several = await find('a', 422);
  assert.match(several.text('main'), /several members match this name/i);
  assert.ok(several.one('select[name="politician"]'));
  const done = await visitor.submit(
    several.form('Add the alert'),
    { politician: several.all('select[name="politician"] option')[1].attribs.value },
    { status: 200 },
  );
  assert.match(done.text('main'), /trades reported by/);
  const exact = await find(member.name.toUpperCase(), 200);
  assert.match(exact.text('main'), new RegExp(`trades reported by ${member.name}`));
});

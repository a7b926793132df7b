// /account/settings and below: address, password, sessions, export, deletion.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { SETTINGS, openSettings } from './lib/settings_site.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import {
  PASSWORD,
  anyEmail,
  linkIn,
  makeOwner,
  newVisitor,
  sendForm,
  signInOnPage,
} from './lib/people.mjs';

onEachDatabase('settings', (database) => {
  const shared = useSite({ database }, async (site) => ({ server: await site.serve() }));

  test('a new password ends the other sessions, and the old one no longer signs in', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    const other = await signInOnPage(shared.server, owner);
    const path = `${SETTINGS}/password`;
    const short = await sendForm(visitor, path, { newPassword: 'short' }, { status: 422 });
    assert.match(short.form(path).fault('newPassword'), /10/);
    const password = 'river stone candle';
    const done = await sendForm(visitor, path, { newPassword: password });
    assert.equal(done.path, SETTINGS);
    assert.match(done.text('.flash'), /password/i);
    assert.equal((await visitor.open(SETTINGS)).path, SETTINGS);
    assert.equal((await other.open(SETTINGS)).path, '/sign-in');
    await signInOnPage(shared.server, { ...owner, password });
  });

  test('a wrong current password changes nothing, and the form keeps its input', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    await shared.site.database.execute('UPDATE session SET proved_at = 0');
    const path = `${SETTINGS}/address`;
    const newEmail = anyEmail();
    const fill = { newEmail, confirm_password: 'wrong' };
    const page = await sendForm(visitor, path, fill, { status: 422 });
    assert.match(page.text('main'), /password is wrong/i);
    assert.ok(page.html.includes(newEmail));
  });

  test('one session is ended from another, and then all of them', async () => {
    const owner = await makeOwner(shared.site);
    const first = await signInOnPage(shared.server, owner, {
      headers: {
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    });
    const second = await signInOnPage(shared.server, owner);
    const page = await second.open(SETTINGS);
    assert.equal(page.all('section[aria-labelledby=sessions] tbody tr').length, 2);
    assert.match(page.text('section[aria-labelledby=sessions]'), /Firefox on Linux/);
    const ended = await second.submit(page.form('End'), {}, { status: 200 });
    assert.match(ended.text('.flash'), /ended/);
    assert.equal(ended.all('section[aria-labelledby=sessions] tbody tr').length, 1);
    assert.equal((await first.open(SETTINGS)).path, '/sign-in');
    const out = await second.submit(ended.form('Sign out everywhere'), {}, { status: 200 });
    assert.equal(out.path, '/sign-in');
    assert.equal((await second.open(SETTINGS)).path, '/sign-in');
  });

  test("another account's session cannot be ended", async () => {
    const [one, other] = [await makeOwner(shared.site), await makeOwner(shared.site)];
    const visitor = await signInOnPage(shared.server, one);
    const victim = await signInOnPage(shared.server, other);
    const { sessions } = await victim.json(SETTINGS);
    await signInOnPage(shared.server, one);
    const page = await visitor.open(SETTINGS);
    const forge = (pairs) => pairs.map(([n, v]) => [n, n === 'session' ? sessions[0].id : v]);
    await visitor.submit(page.form('End'), {}, { change: forge, status: 404 });
    assert.equal((await victim.open(SETTINGS)).path, SETTINGS);
  });

  test('the export has everything but secrets', async () => {
    const owner = await makeOwner(shared.site);
    const key = await shared.site.mint({ email: owner.email });
    const visitor = await signInOnPage(shared.server, owner);
    const page = await visitor.open(SETTINGS);
    const file = await visitor.submit(page.form('Download the file'), {}, { status: 200 });
    assert.match(file.response.header('content-disposition'), /^attachment; filename="[\w.-]+"$/);
    assert.match(file.response.header('content-type'), /^application\/json/);
    const data = file.response.json;
    assert.ok(JSON.stringify(data).includes(owner.email));
    assert.ok(JSON.stringify(data).includes(key.id));
    for (const secret of [key.key, 'argon2', visitor.cookies.get('session').value]) {
      assert.equal(file.html.includes(secret), false);
    }
  });

  test('the export asks for the password, and revoking a key does not', async () => {
    const { site, server } = shared;
    const owner = await makeOwner(site);
    const key = await site.mint({ email: owner.email });
    const visitor = await signInOnPage(server, owner);
    await site.database.execute('UPDATE session SET proved_at = 0');
    const page = await visitor.open(SETTINGS);
    const path = `${SETTINGS}/export`;
    const wrong = { confirm_password: 'not this one' };
    const again = await visitor.submit(page.form(path), wrong, { status: 422 });
    assert.ok(again.form(path).fault('confirm_password'));
    assert.doesNotMatch(again.html, new RegExp(key.id));
    const csrf = page.form(path).value('csrf');
    const json = await visitor.postJson(path, {}, { csrf });
    assert.equal(json.status, 403);
    assert.equal(json.json.error, 'password_required');
    const keyPage = await visitor.open(`/account/keys/${key.id}`);
    const form = keyPage.form(`/account/keys/${key.id}/revoke`);
    const revoked = await visitor.submit(form, {}, { status: 200 });
    assert.match(revoked.text('.flash'), /revoked/i);
    const right = { confirm_password: PASSWORD };
    const file = await visitor.submit(again.form(path), right, { status: 200 });
    assert.ok(file.response.json.keys.some((one) => one.id === key.id));
  });

  test('a deletion asks for the address, revokes the keys and ends the account', async () => {
    const owner = await makeOwner(shared.site);
    const key = await shared.site.key({ email: owner.email });
    await shared.server.json('/api/v1/trades', { key });
    const visitor = await signInOnPage(shared.server, owner);
    const path = `${SETTINGS}/delete`;
    const wrong = await sendForm(visitor, path, { email: 'x@example.org' }, { status: 422 });
    assert.equal(wrong.form(path).value('email'), 'x@example.org');
    const done = await sendForm(visitor, path, { email: owner.email });
    assert.equal(done.path, '/sign-in');
    assert.match(done.text('.flash'), /deleted/);
    assert.equal((await visitor.open(SETTINGS)).path, '/sign-in');
    await until('the key is refused', async () => {
      return (await shared.server.get('/api/v1/trades', { key })).status === 401;
    });
    const again = newVisitor(shared.server);
    const page = await again.open('/sign-in');
    await again.submit(page.form('/sign-in'), owner, { status: 422 });
    const found = await shared.site.database.query(
      `SELECT no FROM account WHERE email = '${owner.email}'`,
    );
    assert.deepEqual(found, []);
  });

  test('the same address answers JSON, and acts on it with the token', async () => {
    const owner = await makeOwner(shared.site);
    const visitor = await signInOnPage(shared.server, owner);
    await signInOnPage(shared.server, owner);
    const view = await visitor.json(SETTINGS);
    assert.equal(view.email, owner.email);
    assert.equal(view.secondFactor.on, false);
    assert.equal(view.sessions.length, 2);
    const { id } = view.sessions.find((one) => !one.current);
    const path = `${SETTINGS}/sessions`;
    const refused = await visitor.postJson(path, { session: id });
    assert.equal(refused.status, 403);
    const ended = await visitor.postJson(path, { session: id }, { csrf: view.csrf });
    assert.equal(ended.status, 200, ended.text);
    const after = await visitor.json(SETTINGS);
    assert.deepEqual(
      after.sessions.map((one) => one.current),
      [true],
    );
    const faults = await visitor.postJson(
      `${SETTINGS}/password`,
      { newPassword: 'short', confirm_password: PASSWORD },
      { csrf: after.csrf },
    );
    assert.equal(faults.status, 422);
    assert.match(JSON.parse(faults.text).fields.newPassword, /10/);
    await newVisitor(shared.server).json(SETTINGS, { status: 401 });
  });
});

onEachDatabase('the change of the address', (database) => {
  test('both addresses confirm it', async (t) => {
    const { sink, owner, server, visitor } = await openSettings(t, { database });
    const newEmail = anyEmail();
    const path = `${SETTINGS}/address`;
    const same = await sendForm(visitor, path, { newEmail: owner.email }, { status: 422 });
    assert.equal(same.form(path).value('newEmail'), owner.email);
    const asked = await sendForm(visitor, path, { newEmail });
    assert.ok(asked.text('section[aria-labelledby=address]').includes(newEmail));
    const mails = await sink.have(2);
    assert.deepEqual(mails.map(({ to }) => to).sort(), [owner.email, newEmail].sort());
    for (const [i, mail] of mails.entries()) {
      const stranger = newVisitor(server);
      const page = await stranger.open(linkIn(mail, '/confirm-address'));
      assert.ok(page.text('main').includes(newEmail));
      const target = '/confirm-address';
      const done = await stranger.submit(page.form(target), {}, { status: 200 });
      assert.match(done.text('.flash'), i === 0 ? /other address/ : /changed/);
    }
    await signInOnPage(server, { ...owner, email: newEmail });
    const old = newVisitor(server);
    const page = await old.open('/sign-in');
    await old.submit(page.form('/sign-in'), owner, { status: 422 });
    const all = await sink.have(3);
    assert.equal(all[2].to, owner.email);
  });
});

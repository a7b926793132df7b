// Sign-up and invitations: pages, and e-mails at a real SMTP server.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { makeMailSite } from './lib/mail_sink.mjs';
import { onEachDatabase } from './lib/site.mjs';
import {
  PASSWORD,
  anyEmail,
  linkIn,
  makeOwner,
  newVisitor,
  sendForm,
  withoutTokens,
} from './lib/people.mjs';

const settings = (signup) => ({ STOCKACT_SIGNUP: signup, STOCKACT_CONTACT: 'help@example.org' });

const signUp = (visitor, email, options) =>
  sendForm(visitor, '/sign-up', { email, password: PASSWORD }, options);

onEachDatabase('new accounts', (database) => {
  test('a sign-up is finished by the link and the password', async (t) => {
    const { site, sink } = await makeMailSite(t, { database, env: settings('open') });
    const server = await site.serve();
    const visitor = newVisitor(server);
    const email = anyEmail();
    const sent = await signUp(visitor, email);
    assert.match(sent.heading, /Check your e-mail/);
    const [mail] = await sink.have(1);
    assert.equal(mail.to, email);
    assert.equal((await site.stockact('accounts', 'list')).length, 0);
    const link = linkIn(mail, '/sign-up/confirm');

    const owner = newVisitor(server); // on another device
    const page = await owner.open(link);
    const wrong = await owner.submit(
      page.form('/sign-up/confirm'),
      { password: 'somebody else' },
      { status: 422 },
    );
    assert.ok(wrong.form('/sign-up/confirm').fault('password'));
    const done = await owner.submit(wrong.form('/sign-up/confirm'), { password: PASSWORD });
    assert.equal(done.path, '/account');
    const [account] = await site.stockact('accounts', 'list');
    assert.equal(account.email, email);
    assert.equal(account.plan, 'scout');
    const again = await visitor.open(link, { status: 410 });
    assert.match(again.text(), /Sign up again/);
    assert.equal(server.log.includes(link.split('=')[1]), false, 'no token in the log');
  });

  test('a known address gets another e-mail but the same page', async (t) => {
    const { site, sink } = await makeMailSite(t, { database, env: settings('open') });
    const owner = await makeOwner(site);
    const server = await site.serve();
    const fresh = anyEmail();
    const pages = [];
    for (const email of [owner.email, fresh]) {
      pages.push(withoutTokens((await signUp(newVisitor(server), email)).html, email));
    }
    assert.equal(pages[0], pages[1]);
    const mails = await sink.have(2);
    const known = mails.find((mail) => mail.to === owner.email);
    assert.match(known.headers.subject, /already have an account/);
    linkIn(known, '/reset');
    linkIn(
      mails.find((mail) => mail.to === fresh),
      '/sign-up/confirm',
    );
  });

  test('faults are shown beside the fields, and the form keeps its input', async (t) => {
    const { site } = await makeMailSite(t, { database, env: settings('open') });
    const server = await site.serve();
    const visitor = newVisitor(server);
    const typed = { email: 'no <address> "at" all', password: PASSWORD };
    const page = await sendForm(visitor, '/sign-up', typed, { status: 422 });
    assert.equal(page.form('/sign-up').value('email'), typed.email);
    assert.ok(page.form('/sign-up').fault('email'));
    const short = { email: anyEmail(), password: 'short' };
    const second = await sendForm(visitor, '/sign-up', short, { status: 422 });
    assert.match(second.form('/sign-up').fault('password'), /10/);
    assert.equal(second.form('/sign-up').value('email'), short.email);
  });

  test('the page gives the reason why sign-up is off', async (t) => {
    for (const [signup, words, env] of [
      ['off', /Sign-up is off/],
      ['invite', /by invitation/],
      ['open', /sends no e-mail/, { STOCKACT_SMTP_URL: '' }],
    ]) {
      const { site } = await makeMailSite(t, { database, env: settings(signup) });
      const visitor = newVisitor(await site.serve({ env }));
      const page = await visitor.open('/sign-up');
      assert.match(page.text('main'), words);
      assert.match(page.text('main'), /help@example\.org/);
      assert.equal(page.all('main form').length, 0);
      const forged = { Origin: visitor.server.url, 'Sec-Fetch-Site': 'same-origin' };
      const response = await visitor.request('POST', '/sign-up', {
        headers: { ...forged, 'Content-Type': 'application/x-www-form-urlencoded' },
        body: `email=${anyEmail()}&password=maple+harbor+lantern`,
      });
      assert.notEqual(response.status, 303);
      assert.equal((await site.database.query('SELECT no FROM token')).length, 0);
      const signIn = await visitor.open('/sign-in');
      assert.equal(signIn.all('main a[href="/sign-up"]').length, 0);
    }
  });

  test('an invitation makes an account with its plan and role', async (t) => {
    const { site, sink } = await makeMailSite(t, { database, env: settings('invite') });
    const server = await site.serve();
    const email = anyEmail();
    const args = ['--email', email, '--plan', 'wolf', '--role', 'reviewer'];
    await site.stockact('accounts', 'invite', ...args);
    const [mail] = await sink.have(1);
    assert.equal(mail.to, email);
    const visitor = newVisitor(server);
    const page = await visitor.open(linkIn(mail, '/join'));
    assert.ok(page.text('main').includes(email));
    assert.match(page.text('main'), /Wolf/i);
    const short = await visitor.submit(page.form('/join'), { password: 'x' }, { status: 422 });
    assert.ok(short.form('/join').fault('password'));
    assert.ok(short.text('main').includes(email));
    const password = PASSWORD;
    const done = await visitor.submit(short.form('/join'), { password });
    assert.equal(done.path, '/account');
    const [account] = await site.stockact('accounts', 'list');
    assert.deepEqual([account.plan, account.role], ['wolf', 'reviewer']);
    await newVisitor(server).open(linkIn(mail, '/join'), { status: 410 });
  });
});

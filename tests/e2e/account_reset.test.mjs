// Resets of passwords: pages, and e-mails at a real SMTP server.

import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { makeMailSite } from './lib/mail_sink.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import {
  anyEmail,
  linkIn,
  makeOwner,
  newVisitor,
  signInOnPage,
  sendForm,
  withoutTokens,
} from './lib/people.mjs';

onEachDatabase('resets', (database) => {
  test('a reset by e-mail sets the password and ends all sessions', async (t) => {
    const { site, sink } = await makeMailSite(t, { database });
    const owner = await makeOwner(site);
    const server = await site.serve();
    const before = await signInOnPage(server, owner);
    const visitor = newVisitor(server);
    await sendForm(visitor, '/reset', { email: owner.email });
    const [mail] = await sink.have(1);
    const link = linkIn(mail, '/reset');
    const page = await visitor.open(link);
    const short = await visitor.submit(page.form('/reset'), { password: 'short' }, { status: 422 });
    assert.ok(short.form('/reset').fault('password'));
    const password = 'river stone candle';
    const done = await visitor.submit(short.form('/reset'), { password });
    assert.equal(done.path, '/account');
    assert.equal((await before.open('/account/settings')).path, '/sign-in');
    await signInOnPage(server, { ...owner, password });
    await visitor.open(link, { status: 410 });
    const old = newVisitor(server);
    await sendForm(old, '/sign-in', owner, { status: 422 });
  });

  test('an address gets one link in five minutes, and unknown ones get the same page', async (t) => {
    const { site, sink } = await makeMailSite(t, { database, clock: '2026-03-31T12:00:00Z' });
    const owner = await makeOwner(site);
    const server = await site.serve();
    const pages = new Set();
    for (let i = 0; i < 12; i++) {
      const email = i % 3 === 2 ? anyEmail() : owner.email;
      const page = await sendForm(newVisitor(server), '/reset', { email });
      pages.add(withoutTokens(page.html, email));
    }
    assert.equal(pages.size, 1);
    const [first] = await sink.have(1);
    await site.clock.advance(5 * 60_000 + 1000);
    await sendForm(newVisitor(server), '/reset', { email: owner.email });
    const mails = await sink.have(2);
    assert.deepEqual(
      mails.map(({ to }) => to),
      [owner.email, owner.email],
    );
    const visitor = newVisitor(server);
    await visitor.open(linkIn(first, '/reset'), { status: 410 }); // the newer one replaces it
    await visitor.open(linkIn(mails[1], '/reset'));
    await site.clock.advance(60 * 60_000);
    await visitor.open(linkIn(mails[1], '/reset'), { status: 410 });
  });

  test('a flood of requests for links is bounded by address', async (t) => {
    const { site, sink } = await makeMailSite(t, { database, clock: '2026-03-31T12:00:00Z' });
    const server = await site.serve();
    const visitor = newVisitor(server);
    const page = await visitor.open('/reset');
    const statuses = {};
    for (let i = 0; i < 60; i++) {
      const change = (pairs) =>
        pairs.map(([name, value]) => [name, name === 'once' ? `${i}`.padStart(22, 'A') : value]);
      const { status } = await visitor.submit(
        page.form('/reset'),
        { email: anyEmail() },
        { change },
      );
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    assert.ok(statuses[429] >= 40 && statuses[200] <= 20, JSON.stringify(statuses));
    assert.equal(sink.mails.length, 0);
  });

  test('without a mail server the page says who can help', async (t) => {
    const env = { STOCKACT_CONTACT: 'help@example.org' };
    const site = await makeSite(t, { database, env });
    const page = await newVisitor(await site.serve()).open('/reset');
    assert.match(page.text('main'), /sends no e-mail.*help@example\.org/);
    assert.equal(page.all('main form').length, 0);
  });
});

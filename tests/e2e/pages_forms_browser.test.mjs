// Forms at the wrong time in Chromium, script on and off: a double click, two tabs, a session that
// ended in the middle, the Back button, a page of another site. No words are lost, nothing happens
// twice, and a sentence says what to do.

import { strict as assert } from 'node:assert';
import http from 'node:http';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { PASSWORD, makeOwner } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { endSessions, withSession } from './lib/sessions.mjs';

const WEBHOOKS = '/account/webhooks';
const KEYS = '/account/keys';
const HOOK = 'https://203.0.114.7/hook'; // a public address; nothing is sent to it
const WORDS = 'Größe "<b>" & ’quoted’ %41+1';

describe('forms in a browser', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, async (site) => ({ server: await site.serve() }));

  /** A new owner with a page of the browser: {email, visitor, page, tab(target)}. */
  async function open(t, target, { script }) {
    const { site, server } = shared;
    const { email } = await makeOwner(site);
    const visitor = await withSession(site, server, email);
    const page = await browser.open(t, server, target, { visitor, script });
    const tab = async (where) => {
      const other = await page.context().newPage();
      await other.goto(where);
      return other;
    };
    return { email, visitor, page, tab };
  }

  const press = (page, name) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();
  const endpoints = async ({ email }) =>
    (await shared.site.stockact('webhooks', 'list')).filter((one) => one.email === email);
  const keyNames = async ({ email }) => {
    const keys = await shared.site.stockact('keys', 'list', '--email', email);
    return keys.map(({ name }) => name).sort();
  };

  async function signIn(page, email) {
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await press(page, 'Sign in');
  }

  async function fillEndpoint(page) {
    await page.getByLabel('URL').fill(HOOK);
    await page.getByLabel('Description').fill(WORDS);
    await page.getByRole('checkbox', { name: 'trade.corrected' }).check();
    await page.getByRole('checkbox', { name: 'trade.withdrawn' }).check();
  }

  async function assertOneEndpoint(own) {
    const added = await endpoints(own);
    assert.equal(added.length, 1);
    assert.equal(added[0].description, WORDS);
    assert.match(`${added[0].events}`, /published.*corrected.*withdrawn/);
  }

  for (const script of [true, false]) {
    const how = script ? 'script on' : 'script off';

    test(`a double click acts once, ${how}`, async (t) => {
      const own = await open(t, WEBHOOKS, { script });
      const { page } = own;
      await fillEndpoint(page);
      await page.getByRole('button', { name: 'Add the endpoint' }).dblclick();
      if (script) {
        await heading(page, 'The endpoint is added');
        assert.match(await page.locator('.secret code').innerText(), /^whsec_/);
      } else {
        await heading(page, /The endpoint is added|This form was already sent/);
      }
      await page.goto(WEBHOOKS);
      await assertOneEndpoint(own);
    });

    test(`a session that ends in the middle of a form loses no input, ${how}`, async (t) => {
      const own = await open(t, WEBHOOKS, { script });
      const { page } = own;
      await fillEndpoint(page);
      await endSessions(shared.site, own.email);
      await press(page, 'Add the endpoint');
      await heading(page, 'Sign in');
      assert.match(await page.locator('main').innerText(), /What you typed is kept/);
      assert.deepEqual(await endpoints(own), []);
      await signIn(page, own.email);
      await heading(page, 'Send it now');
      assert.match(await page.locator('main').innerText(), /nothing was sent yet/);
      assert.deepEqual(await endpoints(own), []);
      await press(page, 'Send it now');
      await heading(page, 'The endpoint is added');
      await assertOneEndpoint(own);
    });

    test(`a sign-in in another tab loses no input of the first, ${how}`, async (t) => {
      const own = await open(t, WEBHOOKS, { script });
      await fillEndpoint(own.page);
      const other = await own.tab('/account');
      await press(other, 'Sign out');
      await heading(other, 'Sign in');
      await signIn(other, own.email);
      await other.getByRole('button', { name: 'Sign out' }).waitFor();
      await press(own.page, 'Add the endpoint');
      await heading(own.page, 'Send it now');
      await press(own.page, 'Send it now');
      await heading(own.page, 'The endpoint is added');
      await assertOneEndpoint(own);
    });

    test(`the same form in two tabs is two forms, ${how}`, async (t) => {
      const own = await open(t, KEYS, { script });
      const other = await own.tab(KEYS);
      await own.page.getByLabel('Name').fill('left');
      await other.getByLabel('Name').fill('right');
      for (const page of [own.page, other]) {
        await press(page, 'Create it');
        await heading(page, 'Your new key');
      }
      assert.deepEqual(await keyNames(own), ['left', 'right']);
    });

    test(`after Back a form can be sent again, and is another one, ${how}`, async (t) => {
      const own = await open(t, KEYS, { script });
      const { page } = own;
      for (const name of ['first', 'second']) {
        await page.getByLabel('Name').fill(name);
        await press(page, 'Create it');
        await heading(page, 'Your new key');
        await page.goBack();
        await heading(page, 'API keys');
      }
      assert.deepEqual(await keyNames(own), ['first', 'second']);
    });

    test(`a reload of the page with a new key creates no second one, ${how}`, async (t) => {
      const own = await open(t, KEYS, { script });
      const { page } = own;
      await page.getByLabel('Name').fill('once');
      await press(page, 'Create it');
      await heading(page, 'Your new key');
      await page.reload(); // sends the form again
      await heading(page, 'This form was already sent');
      assert.match(await page.locator('main').innerText(), /only once/);
      assert.equal((await page.content()).includes('svc_'), false);
      await page.getByRole('link', { name: 'Continue' }).click();
      await heading(page, 'API keys');
      assert.deepEqual(await keyNames(own), ['once']);
    });

    test(`a form about what another tab removed says so, ${how}`, async (t) => {
      const own = await open(t, WEBHOOKS, { script });
      const { page } = own;
      await fillEndpoint(page);
      await press(page, 'Add the endpoint');
      await page.getByRole('link', { name: 'Go to the endpoint' }).click();
      await heading(page, WORDS);
      const other = await own.tab(page.url());
      await other.locator('summary').getByText('Remove', { exact: true }).click();
      await press(other, 'Remove it for good');
      await other.locator('.flash').waitFor();
      await page.getByLabel('Description').fill('changed');
      await press(page, 'Save');
      await heading(page, 'Nothing is here');
      assert.match(await page.locator('main').innerText(), /Nothing was changed: it was removed/);
      await page.getByRole('link', { name: 'Continue' }).click();
      await heading(page, 'Webhooks');
      assert.deepEqual(await endpoints(own), []);
    });
  }
});

describe('a page of another site', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, async (site) => {
    const { email } = await makeOwner(site);
    const server = await site.serve();
    return { email, server, visitor: await withSession(site, server, email) };
  });
  const hostile = http.createServer((request, response) => {
    const { url } = shared.server;
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      request.url === '/frame'
        ? `<iframe src="${url}/account" title="f" width="900" height="700"></iframe>`
        : `<form method="post" action="${url}/account/keys"><input name="name" value="planted">
           <button>Win</button></form>`,
    );
  });
  before(async () => {
    hostile.listen(0, '127.0.0.1');
    await once(hostile, 'listening');
  });
  after(() => {
    hostile.closeAllConnections();
    hostile.close();
  });

  test('cannot show this one in a frame', async (t) => {
    const page = await browser.open(t, shared.server, '/account', shared);
    await page.goto(`http://127.0.0.1:${hostile.address().port}/frame`);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    await frame.waitForLoadState();
    assert.match(frame.url(), /^chrome-error:/);
  });

  for (const host of ['127.0.0.1', 'localhost']) {
    test(`cannot send a form for its visitor, from ${host}`, async (t) => {
      const page = await browser.open(t, shared.server, '/account', shared);
      await page.goto(`http://${host}:${hostile.address().port}/form`);
      await page.getByRole('button', { name: 'Win' }).click();
      await page
        .getByRole('heading', { level: 1, name: /came from another site|Sign in/ })
        .waitFor();
      const keys = await shared.site.stockact('keys', 'list', '--email', shared.email);
      assert.deepEqual(keys, []);
    });
  }
});

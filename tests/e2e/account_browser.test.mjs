// The pages of accounts in Chromium: faults, the keyboard, script on and off, the QR code. How each
// page looks is tested by web_looks*.test.mjs.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { checkPage, checkSilence } from './lib/browser_checks.mjs';
import { oneTimeCode, readQrCode } from './lib/second_factor.mjs';
import { useSite } from './lib/site.mjs';
import { PASSWORD, anyEmail, linkIn, makeOwner } from './lib/people.mjs';

const SETTINGS = '/account/settings';

describe('the pages of accounts', { skip: noChromium }, () => {
  const browser = useBrowser();
  const shared = useSite({}, async (site) => {
    const owner = await makeOwner(site);
    return { owner, server: await site.serve() };
  });

  test('a page with faults is accessible, and its summary leads to the field', async (t) => {
    const page = await browser.open(t, shared.server, '/sign-in');
    await page.locator('#f-email').fill(shared.owner.email);
    await page.locator('#f-password').fill('wrong password');
    await page.keyboard.press('Enter');
    await page.locator('.faults a').waitFor();
    await checkPage(page);
    await page.locator('.faults a').click();
    await page.waitForFunction(() => document.activeElement.id === 'f-password');
  });
});

for (const script of [true, false]) {
  const how = script ? 'script on' : 'script off';
  describe(`a whole life by keyboard, ${how}`, { skip: noChromium }, () => {
    const browser = useBrowser();

    test('sign-up, second factor, recovery, deletion', async (t) => {
      const env = { STOCKACT_SIGNUP: 'open' };
      const { sink, site } = await makeMailSite(t, { env, clock: '2026-03-31T12:00:00Z' });
      const server = await site.serve();
      const page = await browser.open(t, server, '/', { script });
      const email = anyEmail();

      /** Goes to a control by Tab alone, as somebody without a mouse must. */
      const focus = async (selector) => {
        const wanted = page.locator(selector).first();
        await wanted.waitFor();
        for (let i = 0; i < 60; i++) {
          if (await wanted.evaluate((node) => node === document.activeElement)) return;
          await page.keyboard.press('Tab');
        }
        assert.fail(`${selector} is not reached by Tab on ${page.url()}`);
      };
      const type = async (selector, text) => {
        await focus(selector);
        await page.keyboard.press('Control+A');
        await page.keyboard.type(text);
      };
      const press = async (selector) => {
        await focus(selector);
        await page.keyboard.press('Enter');
      };
      const at = (path) => page.waitForURL((url) => url.pathname === path);
      const proof = async () => {
        const field = page.locator('input[name=confirm_password]');
        if ((await field.count()) > 0) await type('input[name=confirm_password]', PASSWORD);
      };

      await page.goto('/sign-up');
      await type('#f-email', email);
      await type('#f-password', PASSWORD);
      await press('main form button.button');
      await page.getByText('Check your e-mail').first().waitFor();
      const [mail] = await sink.have(1);
      await page.goto(linkIn(mail, '/sign-up/confirm'));
      await type('#f-password', PASSWORD);
      await press('main form button.button');
      await at('/account');

      await page.goto(`${SETTINGS}/second-factor`);
      await proof();
      await press('main form button.button');
      const picture = page.locator('.qr svg');
      await picture.waitFor();
      await page.emulateMedia({ colorScheme: 'dark' }); // a code must not be inverted
      const uri = new URL(await readQrCode(await page.locator('.qr').screenshot()));
      assert.equal(uri.protocol, 'otpauth:');
      assert.ok(decodeURIComponent(uri.pathname).endsWith(email), uri.href);
      const secret = uri.searchParams.get('secret');
      const typed = await page.locator('.secret-text').textContent();
      assert.equal(typed.replace(/\s/g, ''), secret);
      await type('#f-code', await oneTimeCode(secret, site.clock.now));
      await press('main form button.button');
      await page.getByText('Your recovery codes').first().waitFor();
      const codes = (await page.locator('main pre code').textContent()).trim().split('\n');
      assert.equal(codes.length, 10);

      await press('header form button'); // sign out
      await at('/sign-in');
      await type('#f-email', email);
      await type('#f-password', 'not the password');
      await page.keyboard.press('Enter');
      await page.locator('#f-password-error').waitFor();
      assert.equal(await page.locator('#f-email').inputValue(), email);
      await type('#f-password', PASSWORD);
      await page.keyboard.press('Enter');
      await type('#f-code', codes[0]);
      await page.keyboard.press('Enter');
      await at('/account');

      await page.goto(`${SETTINGS}/delete`);
      await proof();
      await type('#f-email', email);
      await press('main form button.button');
      await at('/sign-in');
      await page.locator('.flash').waitFor();
      checkSilence(page);
    });
  });
}

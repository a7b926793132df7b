// The page of all parts, and what the script adds to them. It exists on invented data only.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { checkMarkup } from './lib/html_checker.mjs';
import { checkPage, checkSilence } from './lib/browser_checks.mjs';
import { Visitor } from './lib/pages.mjs';
import { useSite } from './lib/site.mjs';

const STYLES = [
  ...['site.css', 'pages.css', 'account.css', 'docs.css', 'timeline.css', 'data.css', 'desk.css'],
];
const css = (name) => readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8');
/** The classes that a stylesheet names. */
const classes = (name) => css(name).match(/(?<=\.)[a-z][\w-]*/g);

describe('a server without invented data', () => {
  const shared = useSite({}, async (site) => ({ server: await site.serve() }));

  test('has no page of parts', async () => {
    const answer = await shared.server.get('/style', { headers: { accept: 'text/html' } });
    assert.equal(answer.status, 404);
  });
});

describe('the page of all parts', () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 50);
    return { server: await site.serve() };
  });

  test('the page and the stylesheets are valid', async () => {
    const { html } = await new Visitor(shared.server).open('/style');
    await checkMarkup([
      { name: '/style', html },
      ...STYLES.map((name) => ({ name, css: css(name) })),
    ]);
  });

  test('the documentation needs no rule of pages.css, which it does not load', async () => {
    const elsewhere = new Set([...classes('site.css'), ...classes('docs.css')]);
    const wanted = classes('pages.css').filter((name) => !elsewhere.has(name));
    assert.ok(wanted.length > 30, `${wanted}`);
    const visitor = new Visitor(shared.server);
    const docs = await visitor.open('/docs');
    const links = docs.all('a[href^="/docs"]').map(({ attribs }) => attribs.href.split('#')[0]);
    const pages = new Set([...links, '/docs/search?q=trade', '/docs/search?q=xyzzy']);
    assert.ok(pages.size > 30);
    for (const target of pages) {
      if (target.endsWith('.md')) continue;
      const page = await visitor.open(target);
      const found = wanted.filter((name) => page.all(`.${name}`).length > 0);
      assert.deepEqual(found, [], target);
    }
  });

  test('the pages of data need no rule of account.css, which they do not load', async () => {
    const loaded = ['site.css', 'pages.css', 'timeline.css', 'data.css'].flatMap(classes);
    const wanted = classes('account.css').filter((name) => !loaded.includes(name));
    assert.ok(wanted.length > 10, `${wanted}`);
    const visitor = new Visitor(shared.server);
    const lists = ['/', '/trades', '/politicians', '/tickers', '/conflicts', '/filings'];
    const others = ['/corrections', '/coverage', '/search', '/search?q=a', '/trades?side=x'];
    const targets = [...lists, ...others];
    for (const list of lists.slice(1)) {
      const page = await visitor.open(list);
      const below = page.all(`main a[href^="${list}/"]`).map(({ attribs }) => attribs.href);
      targets.push(...below.slice(0, 2));
    }
    assert.ok(targets.length > 15, `${targets}`);
    for (const target of targets) {
      const page = await visitor.open(target, { status: target.endsWith('=x') ? 400 : 200 });
      assert.match(page.html, /"\/assets\/data-/, target);
      const found = wanted.filter((name) => page.all(`.${name}`).length > 0);
      assert.deepEqual(found, [], target);
      for (const tag of ['textarea', 'fieldset', 'input[type=checkbox]', 'input[type=radio]'])
        assert.equal(page.all(`main ${tag}`).length, 0, `${target}: ${tag}`);
    }
  });

  describe('in Chromium', { skip: noChromium }, () => {
    const browser = useBrowser();
    const open = (t, options) => browser.open(t, shared.server, '/style', options);

    test('every part is accessible in both schemes', async (t) => {
      t.diagnostic(`${await checkPage(await open(t))} bytes`);
    });

    test('both schemes are shown whatever the reader prefers', async (t) => {
      for (const dark of [false, true]) {
        const page = await open(t, { dark });
        const paper = (name) =>
          page
            .locator(`.scheme.${name}`)
            .evaluate((node) => getComputedStyle(node).backgroundColor);
        assert.equal(await paper('light'), 'rgb(252, 251, 248)');
        assert.equal(await paper('dark'), 'rgb(20, 23, 26)');
      }
    });

    test('buttons that need the script are absent without it', async (t) => {
      const page = await open(t, { script: false });
      assert.equal(await page.locator('.copy').count(), 0);
      assert.equal(await page.locator('.shown').count(), 0);
      checkSilence(page);
    });

    test('a button copies an example, a value and a secret', async (t) => {
      const page = await open(t);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      const copies = {
        '.light [data-language="secret"]': 'svc_p4Xq9bTzR1n0vYwK7cUe5mLs2dHj8gAf3iBo6tNx_Qk',
        '.light [data-language="sh"]':
          "curl -H 'Authorization: Bearer svc_YOUR_KEY' \\\n" +
          "  'https://stockact.example.org/api/v1/trades?limit=2'",
        '.light p:has([data-copy])': '17',
      };
      for (const [place, text] of Object.entries(copies)) {
        const button = page.locator(`${place} .copy`);
        await button.click();
        await page.waitForFunction(
          (node) => node.textContent === 'Copied',
          await button.elementHandle(),
        );
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
      }
    });

    test('a password can be shown and hidden', async (t) => {
      const page = await open(t);
      const input = page.locator('#f-light-password');
      const show = page.locator('.shown:has(#f-light-password) button');
      await input.fill('correct horse');
      await show.click();
      assert.equal(await input.getAttribute('type'), 'text');
      assert.equal(await input.inputValue(), 'correct horse');
      assert.equal(await show.getAttribute('aria-pressed'), 'true');
      await show.click();
      assert.equal(await input.getAttribute('type'), 'password');
    });

    test('the list of faults has the focus and leads to the field', async (t) => {
      const page = await open(t);
      assert.equal(await page.evaluate(() => document.activeElement.className), 'faults');
      await page.locator('.light .faults a').focus();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      // The fragment moved the start of the sequence to the field: what follows it is next.
      const focused = await page.evaluate(() => document.activeElement.id);
      assert.ok(['f-light-address', 'f-light-password'].includes(focused), focused);
    });

    test('Escape closes a confirmation', async (t) => {
      const page = await open(t);
      const question = page.locator('.light details.confirm');
      await question.locator('summary').focus();
      await page.keyboard.press('Enter');
      const yes = question.locator('button');
      await yes.waitFor({ state: 'visible' });
      await page.waitForFunction(
        (node) => document.activeElement === node,
        await yes.elementHandle(),
      );
      await page.keyboard.press('Escape');
      assert.equal(await question.getAttribute('open'), null);
      assert.equal(await page.evaluate(() => document.activeElement.tagName), 'SUMMARY');
    });

    test('a form is sent once', async (t) => {
      const page = await open(t);
      let posts = 0;
      await page.route('**/style', (route) => {
        if (route.request().method() === 'POST') posts++;
        return route.fulfill({ status: 204 });
      });
      const answered = page.waitForResponse((response) => response.request().method() === 'POST');
      const disabled = await page.locator('.light details.confirm').evaluate((question) => {
        const yes = question.querySelector('button');
        yes.click();
        yes.click();
        return yes.getAttribute('aria-disabled');
      });
      assert.equal(disabled, 'true');
      await answered;
      assert.equal(posts, 1);
    });

    test('j and k go through the rows of tables', async (t) => {
      const page = await open(t);
      await page.evaluate(() => document.activeElement.blur());
      const name = () => page.evaluate(() => document.activeElement.textContent);
      await page.keyboard.press('j');
      assert.equal(await name(), 'Nightly copy');
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await page.keyboard.press('k');
      assert.match(await name(), /^Newsroom desk/);
    });

    test("hovering over a time shows it in the reader's time zone", async (t) => {
      const page = await open(t);
      const time = page.locator('.light .facts time');
      await time.hover();
      assert.match(await time.getAttribute('title'), /^Nov 20, 2026, 3:12:45.AM EST$/);
    });
  });
});

// Tests of all pages of one kind of visitor, for the files web_looks*.test.mjs: in Chromium
// accessible, small and silent; valid HTML.

import { strict as assert } from 'node:assert';
import { after, before, describe, test } from 'node:test';
import { noChromium, useBrowser } from './browser.mjs';
import { all, attribute, text } from './html.mjs';
import { checkMarkup } from './html_checker.mjs';
import { checkPage, checkSilence } from './browser_checks.mjs';
import { everyPage, pageSite } from './every_page.mjs';
import { Site } from './site.mjs';

/** `kinds`: who the pages are for, as the table of pages has it. `name`, `has`: a part of them. */
export function describeLooks(kinds, { name = kinds.join(', '), has = () => true } = {}) {
  describe(`every page for: ${name}`, () => {
    const shared = {};
    const ends = [];

    before(async () => {
      const beside = await pageSite({ after: (end) => ends.push(end) });
      shared.site = await Site.open(beside.options);
      Object.assign(shared, await everyPage(shared.site, beside));
      shared.pages = shared.pages.filter(({ as, target }) => kinds.includes(as) && has(target));
      assert.notEqual(shared.pages.length, 0);
    });
    after(async () => {
      await shared.site?.close();
      for (const end of ends) end();
    });

    test('it is valid HTML, with one heading', async () => {
      const files = [];
      for (const { target, as } of shared.pages) {
        const page = await shared.visitors[as].open(target);
        assert.equal(page.all('h1').length, 1, target);
        files.push({ name: target, html: page.html });
      }
      const style = shared.visitors.anyone;
      const home = await style.open('/');
      const address = home.one('link[rel=stylesheet]').attribs.href;
      files.push({ name: address, css: (await style.request('GET', address)).text });
      await checkMarkup(files);
    });

    test('a cell of a table that becomes blocks on a phone says its column', async () => {
      let labels = 0;
      for (const { target, as } of shared.pages) {
        const page = await shared.visitors[as].open(target);
        for (const table of page.all('table:has([data-label])')) {
          const columns = all('thead :is(th, td)', table).map((cell) => text(cell));
          for (const row of all('tbody tr', table)) {
            const told = all('td, th', row).map((cell) => attribute(cell, 'data-label'));
            assert.deepEqual(told.slice(1), columns.slice(1), target);
            labels += told.length - 1;
          }
        }
      }
      if (kinds.includes('owner') || kinds.includes('admin')) assert.ok(labels > 0);
    });

    test('a field names its hint and its error only if they exist', async () => {
      for (const { target, as } of shared.pages) {
        const page = await shared.visitors[as].open(target);
        for (const node of page.all('[aria-describedby]')) {
          for (const id of attribute(node, 'aria-describedby').split(' ')) {
            assert.notEqual(page.text(`[id="${id}"]`), '', `${target}: #${id}`);
          }
        }
        assert.equal(page.all('.hint:empty').length, 0, target);
      }
    });

    test('its title is its own', async () => {
      const titles = new Map();
      for (const { target, as } of shared.pages) {
        const { title } = await shared.visitors[as].open(target);
        assert.equal(titles.get(title), undefined, `${target} has the title of another page`);
        titles.set(title, target);
      }
    });

    describe('in Chromium', { skip: noChromium }, () => {
      const browser = useBrowser();

      test('it is accessible, small and silent', async (t) => {
        const tabs = {};
        for (const { target, as } of shared.pages) {
          tabs[as] ??= await browser.tab(t, shared.server, shared.visitors[as]);
          await t.test(target, async (t) => {
            t.diagnostic(`${await checkPage(await tabs[as].open(target))} bytes`);
          });
        }
      });

      test('its scripts have no names in common: each runs a second time', async (t) => {
        const seen = new Set();
        for (const { target, as } of shared.pages) {
          const visitor = shared.visitors[as];
          const nodes = (await visitor.open(target)).all('script[src]');
          const scripts = nodes.map((node) => attribute(node, 'src'));
          if (seen.has(`${scripts}`)) continue;
          seen.add(`${scripts}`);
          const page = await browser.open(t, shared.server, target, { visitor });
          for (const url of scripts) await page.addScriptTag({ url });
          checkSilence(page);
        }
        assert.notEqual(seen.size, 0);
      });

      test('it is silent and has its heading without script', async (t) => {
        for (const as of kinds) {
          const visitor = shared.visitors[as];
          const options = { script: false, narrow: true, visitor };
          const page = await browser.open(t, shared.server, '/', options);
          for (const { target } of shared.pages.filter((page) => page.as === as)) {
            await page.goto(target);
            assert.notEqual(await page.locator('h1').textContent(), '');
          }
          checkSilence(page);
        }
      });
    });
  });
}

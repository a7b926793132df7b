// screenshots.mjs FOLDER [PATH...]: takes every page of a server with invented data, wide and
// narrow, light and dark, into FOLDER. Run by hand, with the tests' Node:
//
//   tests/e2e/node_modules/node-linux-*/bin/node tests/e2e/screenshots.mjs /tmp/pages /docs
//
// STOCKACT_BIN chooses the program, as for the tests.

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { NARROW, WIDE, chromiumPath } from './lib/browser.mjs';
import { withShowcase } from './lib/showcase.mjs';

const [folder, ...wanted] = process.argv.slice(2);
if (!folder) throw new Error('usage: screenshots.mjs FOLDER [PATH...]');
mkdirSync(folder, { recursive: true });

const LOOKS = [
  { name: 'wide-light', viewport: WIDE, colorScheme: 'light' },
  { name: 'wide-dark', viewport: WIDE, colorScheme: 'dark' },
  { name: 'narrow-light', viewport: NARROW, colorScheme: 'light' },
  { name: 'narrow-dark', viewport: NARROW, colorScheme: 'dark' },
];

const fileName = (target) =>
  target
    .replace(/^\//, '')
    .replace(/=.*/, '')
    .replace(/[^\w.-]+/g, '_') || 'home';

async function take(browser, { server, visitors }, { target, as }, { name, ...look }) {
  const context = await browser.newContext({ baseURL: server.url, ...look });
  const visitor = visitors[as];
  await context.addCookies(visitor.cookies.forBrowser(server.url));
  const page = await context.newPage();
  await page.goto(target);
  const file = path.join(folder, `${fileName(target)}-${name}.png`);
  await page.screenshot({ path: file, fullPage: true });
  await context.close();
  console.log(file);
}

const browser = await chromium.launch({ executablePath: chromiumPath });
try {
  await withShowcase(async (all) => {
    const chosen = all.pages.filter(({ target }) => wanted.length === 0 || wanted.includes(target));
    for (const page of chosen) for (const look of LOOKS) await take(browser, all, page, look);
  });
} finally {
  await browser.close();
}

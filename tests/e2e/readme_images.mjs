// readme_images.mjs: the program behind script/screenshots. Takes the pictures of README.md and
// docs/ on a server with invented data, light and dark, into docs/images.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath } from './lib/browser.mjs';
import { root } from './lib/settings.mjs';
import { withShowcase } from './lib/showcase.mjs';

const FOLDER = path.join(root, 'docs/images');
const WIDTH = 1120;
const QUALITY = 80;
const SCHEMES = ['light', 'dark'];

/** name of the file -> who looks, at what, and how much of it. */
const picturesOf = ({ endpoint, retried }) => ({
  account: { as: 'owner', target: '/account', height: 760 },
  endpoint: { as: 'owner', target: `/account/webhooks/${endpoint.id}`, height: 800 },
  delivery: {
    as: 'owner',
    target: `/account/webhooks/${endpoint.id}/deliveries/${retried}`,
    height: 900,
  },
  admin: { as: 'admin', target: '/admin', height: 640 },
});

async function take(browser, { server, visitors }, name, { as, target, height }, colorScheme) {
  const viewport = { width: WIDTH, height };
  const locale = { locale: 'en-US', timezoneId: 'America/New_York' };
  const context = await browser.newContext({ viewport, colorScheme, ...locale });
  await context.addCookies(visitors[as].cookies.forBrowser(server.url));
  const page = await context.newPage();
  await page.goto(server.url + target);
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: QUALITY,
  });
  const file = path.join(FOLDER, `${name}-${colorScheme}.webp`);
  writeFileSync(file, Buffer.from(data, 'base64'));
  await context.close();
  console.log(path.relative(root, file));
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath });
try {
  await withShowcase(async (all) => {
    for (const [name, picture] of Object.entries(picturesOf(all))) {
      for (const scheme of SCHEMES) await take(browser, all, name, picture, scheme);
    }
  });
} finally {
  await browser.close();
}

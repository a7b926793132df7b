// readme_images.mjs [NAME...]: the program behind script/screenshots. Takes the pictures of
// README.md and docs/, or those with the names, on servers with invented data, light and dark, into
// docs/images.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumPath } from './lib/browser.mjs';
import { NEWSROOM_CLOCK, furnishNewsroom } from './lib/newsroom.mjs';
import { newVisitor } from './lib/people.mjs';
import { root } from './lib/settings.mjs';
import { withShowcase } from './lib/showcase.mjs';
import { Site } from './lib/site.mjs';

const FOLDER = path.join(root, 'docs/images');
const WIDTH = 1120;
const QUALITY = 80;
const SIZE_MAX = 60 * 1024;
const SCHEMES = ['light', 'dark'];
const DAY = 24 * 3_600_000;

/** Calls `work` with a site that `fill` has filled. */
async function withSite(options, fill, work) {
  const site = await Site.open(options);
  try {
    const target = await fill(site);
    const server = await site.serve();
    await work({ server, target, visitors: { anyone: newVisitor(server) } });
  } finally {
    await site.close();
  }
}

/** The member with the most flagged trades among 6,000. */
async function fillWithMembers(site) {
  await site.stockact('demo', '--trades', 6000);
  const [{ slug }] = await site.database.query(
    `SELECT m.slug FROM member m JOIN filing f ON f.member_no = m.no
     JOIN trade t ON t.filing_no = f.no JOIN trade_finding s ON s.trade_no = t.no
     GROUP BY m.slug ORDER BY count(*) DESC, m.slug LIMIT 1`,
  );
  return `/politicians/${slug}`;
}

async function fillWithDocuments(site) {
  await furnishNewsroom(site);
  await site.clock.advance(3 * DAY);
  return '/trades/house-20990001-0002';
}

/** Calls `work` with {server, visitors} and what else the pictures need. */
const PLACES = {
  showcase: (work) => withShowcase(work),
  members: (work) => withSite({}, fillWithMembers, work),
  documents: (work) => withSite({ clock: NEWSROOM_CLOCK }, fillWithDocuments, work),
};

/** name of the file -> where, who looks, at what, how much of it, and from where on. */
const PICTURES = {
  account: { place: 'showcase', as: 'owner', target: () => '/account', height: 760 },
  endpoint: {
    place: 'showcase',
    as: 'owner',
    target: ({ endpoint }) => `/account/webhooks/${endpoint.id}`,
    height: 800,
  },
  delivery: {
    place: 'showcase',
    as: 'owner',
    target: ({ endpoint, retried }) => `/account/webhooks/${endpoint.id}/deliveries/${retried}`,
    height: 900,
  },
  admin: { place: 'showcase', as: 'admin', target: () => '/admin', height: 640 },
  member: { place: 'members', as: 'anyone', target: ({ target }) => target, height: 1090 },
  trade: {
    place: 'documents',
    as: 'anyone',
    target: ({ target }) => target,
    height: 1080,
    quality: 60, // mostly text
  },
};

async function take(browser, all, name, { as, target, height, quality = QUALITY }, colorScheme) {
  const viewport = { width: WIDTH, height };
  const locale = { locale: 'en-US', timezoneId: 'America/New_York' };
  const context = await browser.newContext({ viewport, colorScheme, ...locale });
  await context.addCookies(all.visitors[as].cookies.forBrowser(all.server.url));
  const page = await context.newPage();
  await page.goto(all.server.url + target(all), { waitUntil: 'networkidle' });
  const session = await context.newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality,
  });
  const bytes = Buffer.from(data, 'base64');
  const file = path.join(FOLDER, `${name}-${colorScheme}.webp`);
  assert.ok(bytes.length <= SIZE_MAX, `${file} has ${bytes.length} bytes`);
  writeFileSync(file, bytes);
  await context.close();
  console.log(path.relative(root, file));
}

const wanted = process.argv.slice(2);
for (const name of wanted) if (!PICTURES[name]) throw new Error(`there is no picture "${name}"`);
mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: chromiumPath });
try {
  for (const [place, withPlace] of Object.entries(PLACES)) {
    const here = Object.entries(PICTURES).filter(
      ([name, picture]) =>
        picture.place === place && (wanted.length === 0 || wanted.includes(name)),
    );
    if (here.length === 0) continue;
    await withPlace(async (all) => {
      for (const [name, picture] of here) {
        for (const scheme of SCHEMES) await take(browser, all, name, picture, scheme);
      }
    });
  }
} finally {
  await browser.close();
}

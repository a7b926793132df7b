// The story of desk_story.test.mjs from the page for uploads on: by keyboard alone, and without a
// script.

import { strict as assert } from 'node:assert';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import {
  BY_KEYBOARD,
  INVENTED,
  PLAIN,
  noReader,
  publishedOf,
  review,
} from './lib/desk_invented.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { makeSite } from './lib/site.mjs';

const browser = useBrowser();

/** The files of the folder, the index first. */
const filesOf = (folder) =>
  readdirSync(folder)
    .sort((one, other) => other.endsWith('xml') - one.endsWith('xml'))
    .map((name) => path.join(folder, name));

describe(
  'from files on the page for uploads to publication',
  { skip: noChromium || noReader },
  () => {
    for (const [how, Hands, script] of [BY_KEYBOARD, PLAIN])
      test(how, async (t) => {
        const site = await makeSite(t);
        const folder = await INVENTED.put(site);
        const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
        const server = await site.serve();
        const visitor = await signInOnPage(server, ann);
        const hands = new Hands(await browser.open(t, server, '/desk', { visitor, script }));
        await hands.upload(filesOf(folder));
        await review(hands, INVENTED);
        assert.deepEqual(await publishedOf(server, INVENTED), INVENTED.trades);
      });
  },
);

// What holds for every page (design of the pages): accessible in light and dark, wide and narrow;
// small; silent; nothing from another origin.

import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { NARROW, WIDE, recordOf } from './browser.mjs';
import { npmPackages } from './tools.mjs';

export const FIRST_LOAD_MAX = 20 * 1024;

const axeSource = readFileSync(path.join(npmPackages, 'axe-core/axe.min.js'), 'utf8');

/** The rules that colours decide. They take most of the time on long pages. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];
const withRules = (enabled) => Object.fromEntries(COLOUR_RULES.map((id) => [id, { enabled }]));

async function axe(page, options) {
  const missing = await page.evaluate(() => !('axe' in globalThis));
  if (missing) await page.evaluate(axeSource);
  const violations = await page.evaluate(async (options) => {
    const found = await globalThis.axe.run(document, { ...options, resultTypes: ['violations'] });
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ html, failureSummary }) => `${html}\n    ${failureSummary}`),
    }));
  }, options);
  return violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.join('\n  ')}`);
}

/** Elements that stick out at the right, if the page scrolls sideways. */
function overflow(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= width) return [];
    return [...document.querySelectorAll('body *')]
      .filter((node) => node.getBoundingClientRect().right > width + 1)
      .slice(0, 5)
      .map((node) => node.outerHTML.slice(0, 200));
  });
}

/** Colours do not depend on the width, and nothing else depends on the colours. */
const LOOKS = [
  { name: 'wide and light', size: WIDE, colorScheme: 'light', rules: {} },
  {
    name: 'wide and dark',
    size: WIDE,
    colorScheme: 'dark',
    rules: { runOnly: { type: 'rule', values: COLOUR_RULES } },
  },
  { name: 'narrow', size: NARROW, colorScheme: 'light', rules: { rules: withRules(false) } },
];

/** axe, and no sideways scrolling, in each look. The page keeps its settings. */
async function checkLooks(page) {
  const before = page.viewportSize();
  for (const { name, size, colorScheme, rules } of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await overflow(page), [], `${page.url()} scrolls sideways, ${name}`);
    const found = await axe(page, rules);
    assert.deepEqual(found, [], `${page.url()}, ${name}\n${found.join('\n')}`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(before);
}

/** No error on the console, no violation of the policy, no request to another origin so far. */
export function checkSilence(page) {
  assert.deepEqual(recordOf(page).faults, [], page.url());
}

/** The whole check. Call it on the first page of a context: it counts the bytes of that load. */
export async function checkPage(page, { bytes = FIRST_LOAD_MAX } = {}) {
  const loaded = await recordOf(page).firstLoad();
  assert.ok(loaded <= bytes, `${page.url()} loads ${loaded} bytes; at most ${bytes}`);
  await checkLooks(page);
  checkSilence(page);
  return loaded;
}

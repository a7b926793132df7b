// Runs `stockact doctor` and looks at what it says.

import { strict as assert } from 'node:assert';

/**
 * Runs it: {code, stdout, stderr, lines, of}; `of(check)` is [result, found, fix]. Options: `env`
 * (added), `args`.
 */
export async function examine(site, { env = {}, args = [] } = {}) {
  const done = await site.run(['doctor', '--json', ...args], { env });
  const lines = done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const of = (check) => {
    const line = lines.find((one) => one.check === check);
    assert.ok(line, `${check} in ${done.stdout}`);
    return [line.result, line.found, line.fix];
  };
  return { ...done, lines: lines.filter((line) => line.check), of };
}

/** The check has this result, and words that match; without `fix` there is nothing to do. */
export function assertSays({ of }, check, result, found, fix) {
  const said = of(check);
  assert.equal(said[0], result, `${check}: ${said}`);
  assert.match(said[1], found, check);
  if (fix) assert.match(said[2], fix, check);
  else assert.equal(said[2], null, check);
}

// Times that a test measures over many cases.

import { strict as assert } from 'node:assert';

/** {median, worst} in whole milliseconds. */
export function measured(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    median: Math.round(sorted[Math.floor(sorted.length / 2)]),
    worst: Math.round(sorted.at(-1)),
  };
}

/** Tells and asserts the bounds of `times`. */
export function assertWithin(t, what, times, { median, worst }) {
  const found = measured(times);
  t.diagnostic(`${what}: median ${found.median} ms, worst ${found.worst} ms of ${times.length}`);
  assert.ok(found.worst <= worst, `${what}: the worst took ${found.worst} ms`);
  assert.ok(found.median <= median, `${what}: the median is ${found.median} ms`);
}

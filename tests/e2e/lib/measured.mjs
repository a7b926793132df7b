// Promises of speed. A machine with other work delays any program by any time, so a test tells what
// it measured, and asserts it only where the machine is known to be quiet: `script/soak promises`.

import { strict as assert } from 'node:assert';

/** Whether nothing else runs on this machine: STOCKACT_QUIET_MACHINE=1 says so. */
export const quiet = process.env.STOCKACT_QUIET_MACHINE === '1';

/** {median, worst} in whole milliseconds. */
export function measured(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    median: Math.round(sorted[Math.floor(sorted.length / 2)]),
    worst: Math.round(sorted.at(-1)),
  };
}

/** Tells what took `ms`, which must be at most `most` on a quiet machine. */
export function assertPromise(t, what, ms, most) {
  const told = `${what}: ${Math.round(ms)} ms, promised ${most} ms`;
  t.diagnostic(told);
  assert.ok(!quiet || ms <= most, told);
}

/** Tells `times`, and the bounds that they must keep on a quiet machine. */
export function assertWithin(t, what, times, { median, worst }) {
  const found = measured(times);
  const told =
    `${what}: median ${found.median} ms of ${times.length}, promised ${median} ms; ` +
    `worst ${found.worst} ms, promised ${worst} ms`;
  t.diagnostic(told);
  assert.ok(!quiet || (found.median <= median && found.worst <= worst), told);
}

// Waits for an event in another process without guessing how long it takes.

import { setTimeout as delay } from 'node:timers/promises';

/** What has not happened by then never will. This is no promise of the program: it is long enough for
 *  any machine, and shorter than run.mjs lets a test run. */
export const HANGS_MS = 150_000;

/** Between two calls of a probe. One that takes longer, since it starts a process, rests as long as it
 *  took: it would keep a core busy, and make what it waits for late. */
const POLL_MS = 5;
const REST_MS_MAX = 100;

/**
 * Calls `probe` until it returns a truthy value, and returns that value. After HANGS_MS (or
 * `within` milliseconds, for an event that may take longer) it throws an error that names the event
 * with `what`. A test that promises a time measures it: lib/measured.mjs.
 */
export async function until(what, probe, { within = HANGS_MS } = {}) {
  const deadline = performance.now() + within;
  for (;;) {
    const began = performance.now();
    const value = await probe();
    if (value) return value;
    const now = performance.now();
    if (now > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await delay(Math.min(Math.max(now - began, POLL_MS), REST_MS_MAX));
  }
}

/** Rejects if `promise` is not settled within `ms` milliseconds. */
export async function within(ms, what, promise) {
  const controller = new AbortController();
  const late = delay(ms, undefined, { signal: controller.signal }).then(() => {
    throw new Error(`not within ${ms} ms: ${what}`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    controller.abort();
  }
}

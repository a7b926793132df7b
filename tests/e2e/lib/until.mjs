// Waiting for something that another process does, without guessing how long it takes.

import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 5;

/**
 * Calls `probe` until it returns something truthy, and returns that. `what` names the event in the
 * error that is thrown after `within` milliseconds: where the time is no promise of the program, long
 * enough for a machine that others keep busy.
 */
export async function until(what, probe, { within = 30_000 } = {}) {
  const deadline = performance.now() + within;
  for (;;) {
    const value = await probe();
    if (value) return value;
    if (performance.now() > deadline) throw new Error(`not within ${within} ms: ${what}`);
    await delay(POLL_MS);
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

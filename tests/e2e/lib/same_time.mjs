// Whether two kinds of request are answered in the same time, on a machine that does other work too.

import { strict as assert } from 'node:assert';

const ROUNDS = 6;

/** The time that a tenth of them stayed below: the machine's other work only adds time. */
function fastestTenth(times) {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 10)];
}

/**
 * Calls each function of `asks` (name: async function), in turn, `pairs` times a round, and compares
 * their fastest tenths. It ends when they differ by less than `share` of the longer and `ms`. Other
 * work on the machine can hide that for a round or two. A difference that the program makes stays in
 * each round. A function may return the time in ms itself, or null if there is none (it was refused).
 * `between` is called between rounds. Returns {name: fastest tenth}.
 */
export async function assertSameTime(asks, { pairs, share = 0.25, ms = 0.5, between } = {}) {
  const times = Object.fromEntries(Object.keys(asks).map((name) => [name, []]));
  let fastest = {};
  for (let round = 0; round < ROUNDS; round++) {
    if (round > 0) await between?.();
    for (let i = 0; i < pairs; i++) {
      const inTurn = Object.entries(asks);
      if (i % 2) inTurn.reverse();
      for (const [name, ask] of inTurn) {
        const began = performance.now();
        const own = await ask(i);
        if (own !== null) times[name].push(own ?? performance.now() - began);
      }
    }
    for (const [name, list] of Object.entries(times))
      assert.ok(list.length >= (round + 1) * pairs * 0.8, `${name}: ${list.length} measured`);
    fastest = Object.fromEntries(
      Object.entries(times).map(([name, list]) => [name, fastestTenth(list)]),
    );
    const [least, most] = [Math.min, Math.max].map((pick) => pick(...Object.values(fastest)));
    if (most - least < share * most + ms) return fastest;
  }
  assert.fail(`in ${ROUNDS} rounds: ${JSON.stringify(fastest)} ms`);
}

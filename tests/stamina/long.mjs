// node tests/stamina/long.mjs RUN: one of the stamina runs at full size, started by soak-RUN.
// Prints its results as "figure: TEXT", and exits 0 if all limits held.

import { Site } from '../e2e/lib/site.mjs';
import * as stamina from '../e2e/lib/stamina.mjs';

const MIB = 1024 * 1024;
const STOP_MS = 12_000; // docs/architecture.md, "Commands and settings"
const P99_MS = 25; // of good responses beside misbehaving clients
const minutes = Number(process.env.STOCKACT_SOAK_MINUTES ?? 30); // of the run "memory"
const rounds = Number(process.env.STOCKACT_SOAK_ROUNDS ?? 200); // of the run "sigterm"

const latency = ({ latency_ms: { p50, p99, p999, max } }) =>
  `p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms, longest ${max} ms`;

const ends = ({ opened, ended, reset }) =>
  [
    `${opened} connections`,
    ...Object.entries(ended).map(([status, n]) => `${n} ended with ${status}`),
    ...(reset > 0 ? [`${reset} reset`] : []),
  ].join(', ');

async function neighbours(site, key) {
  const load = {
    seconds: 60,
    good: 64,
    rate: 5000,
    fresh: 50,
    slowHead: 3000,
    slowRead: 1000,
    slowBody: 1000,
    malformed: 500,
    reset: 50,
  };
  const result = await stamina.besideNeighbours(site, key, { load });
  const late = result.latency_ms.p99 > P99_MS; // reported after the figures
  if (late) process.exitCode = 1;
  return [
    `good clients: ${result.good.answered} answers, none failed: ${latency(result)}`,
    `a connection for each request: ${result.fresh.answered} answers, none failed`,
    `slow heads: ${ends(result.slow_head)}`,
    `slow bodies: ${ends(result.slow_body)}`,
    `slow readers: ${ends(result.slow_read)}`,
    `malformed: ${ends(result.malformed)}`,
    `the server's CPU time: ${(result.cpu / 1000).toFixed(1)} s in ${result.seconds.toFixed(0)} s`,
    ...(late ? [`missed: p99 is over ${P99_MS} ms`] : []),
  ];
}

async function idle(site, key) {
  const sizes = { idle: 15000, good: 500, rate: 2000, seconds: 20, bytesEach: 8192 };
  const result = await stamina.manyIdle(site, key, sizes);
  return [
    `15,000 idle and 500 active connections: ${Math.round(result.each)} bytes of resident memory each`,
    `active clients: ${result.good.answered} answers, none failed: ${latency(result)}`,
  ];
}

async function noDescriptors(site, key) {
  const sizes = { hungry: 500, seconds: 15, busy: 0.25 };
  const bounded = await stamina.fewDescriptors(site, key, { limit: 64, ...sizes });
  const exhausted = await stamina.noDescriptors(site, key, sizes);
  const line = (what, { share, turnedAway, outside, result }) =>
    `${what}, 500 clients too many: ${(100 * share).toFixed(1)} % of a core, ${turnedAway} turned ` +
    `away, ${outside} never let in, ${result.good.answered} answers to those inside, none failed`;
  return [line('64 descriptors', bounded), line('accept fails', exhausted)];
}

async function sigterm(site, key) {
  const result = await stamina.stopUnderLoad(site, key, {
    rounds,
    load: { good: 64, rate: 2000, fresh: 300, seconds: 60 },
    neighbours: { slowHead: 20, slowRead: 20, slowBody: 20, idle: 50 },
  });
  const late = result.maxMs > STOP_MS;
  if (late) process.exitCode = 1;
  return [
    ...(late ? [`missed: it exits after more than ${STOP_MS} ms`] : []),
    `${result.rounds} SIGTERM under load: ${result.answered} answers, none truncated, none lost`,
    `exit 0 after ${Math.round(result.medianMs)} ms (median), ${Math.round(result.maxMs)} ms (longest)`,
  ];
}

async function memory(site, key) {
  const result = await stamina.longRun(site, key, {
    load: {
      seconds: minutes * 60,
      good: 64,
      rate: 1000,
      fresh: 50,
      idle: 300,
      slowHead: 200,
      slowRead: 50,
      slowBody: 100,
      malformed: 50,
      reset: 50,
    },
    growthBytes: MIB,
    growthDescriptors: 100, // of about 700, which vary with the connections
    report: (seconds, { bytes, descriptors }) =>
      console.log(`${seconds} s: ${(bytes / MIB).toFixed(1)} MiB, ${descriptors} descriptors`),
  });
  return [
    `${minutes} minutes: ${result.answered} answers, none failed; in the last third against the ` +
      `second resident memory ${(result.grown / MIB).toFixed(2)} MiB, descriptors ${result.opened}`,
  ];
}

async function slowReaders(site, key) {
  const mib = (bytes) => (bytes / MIB).toFixed(1);
  const result = await stamina.unreadWaves(site, key, {
    waves: 10,
    clients: 8000,
    asks: 16,
    seconds: 30, // on a machine with other work
    untilCut: true,
    growthBytes: 64 * MIB,
    report: (wave, bytes, { unread, latency_ms }) =>
      console.log(
        `wave ${wave}: ${mib(bytes)} MiB, ${unread.reset} reset, p99 of others ${latency_ms.p99} ms`,
      ),
  });
  return [
    `ten waves of 8,000 clients that pipeline 16 pages of 100 trades and read nothing: ` +
      `${mib(result.start)} MiB before, ${result.after.map(mib).join(', ')} MiB after each, ` +
      `${mib(result.peak)} at most`,
    `${result.readers.slow} cut because they were slow, ${result.readers.overLimit} over the limit`,
  ];
}

const runs = {
  neighbours,
  idle,
  'no-descriptors': noDescriptors,
  sigterm,
  memory,
  'slow-readers': slowReaders,
};
const site = await Site.open({ env: stamina.unlimited });
try {
  const key = await stamina.prepareStamina(site);
  for (const figure of await runs[process.argv[2]](site, key)) console.log(`figure: ${figure}`);
} finally {
  await site.close();
}

// mutated.mjs SECONDS: sends mutants of the corpus through nginx and HAProxy to the running program,
// in rounds until the time is over. After each round the logs must have the same requests. Exits 0 if
// they did. Prints the figures for script/soak.

import path from 'node:path';
import { differences, disagreements } from '../e2e/lib/agreement.mjs';
import { addressOf, converse, inParallel, mutants } from '../e2e/lib/corpus.mjs';
import { Proxy, programPath, proxyKinds } from '../e2e/lib/proxies.mjs';
import { Site } from '../e2e/lib/site.mjs';

const ROUND = 3000;
const ENV = {
  STOCKACT_TRUSTED_PROXIES: 'unix',
  STOCKACT_BENCH_UNLIMITED: '1',
  STOCKACT_ACCESS_LOG: '1',
};

/** One round behind one proxy: how many requests were forwarded, and what was wrong. */
async function round(kind, cases) {
  const site = await Site.open({ env: ENV });
  try {
    const server = await site.serve({ listen: `unix:${path.join(site.folder, 'http.sock')}` });
    const proxy = await Proxy.start(kind, server.path);
    await inParallel(cases, ({ bytes }, index) =>
      converse(proxy.where, bytes, { from: addressOf(index), shut: false }),
    );
    const lines = await proxy.stop();
    await server.stop();
    const { found, count } = differences(lines, server.log);
    return { count, wrong: [...found, ...disagreements(cases, lines)] };
  } finally {
    await site.close();
  }
}

const seconds = Number(process.argv[2] ?? 60);
const kinds = proxyKinds.filter((kind) => programPath(kind) !== null);
const until = performance.now() + seconds * 1000;
let [sent, forwarded, seed] = [0, 0, Date.now()];
const wrong = [];
while (kinds.length > 0 && performance.now() < until && wrong.length === 0) {
  const cases = mutants(seed++, ROUND);
  for (const kind of kinds) {
    const done = await round(kind, cases);
    sent += cases.length;
    forwarded += done.count;
    wrong.push(...done.wrong.map((text) => `seed ${seed - 1}, ${kind}: ${text}`));
  }
}
for (const text of wrong) console.log(text);
console.log(
  `figure: ${sent} mutants through ${kinds.join(' and ') || 'no proxy'}, ` +
    `${forwarded} requests forwarded, ${wrong.length} counted differently`,
);
process.exitCode = sent > 0 && wrong.length === 0 ? 0 : 1;

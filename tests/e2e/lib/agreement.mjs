// Whether a proxy and the server behind it agree on the requests.

import { addressOf } from './corpus.mjs';

const LOGGED = / event=request .* status=(\d+) .* id=(\S+)/g;

/** Asserts that both logs have the same requests; describes the differences. */
export function differences(lines, log) {
  const found = [];
  const served = new Set([...log.matchAll(LOGGED)].map(([, , id]) => id));
  const forwarded = new Map();
  for (const line of lines.filter((one) => one.forwarded)) {
    if (!served.has(line.id)) found.push(`forwarded and not served: ${JSON.stringify(line)}`);
    if (forwarded.has(line.id)) found.push(`one answer for two: ${JSON.stringify(line)}`);
    forwarded.set(line.id, line);
  }
  for (const id of served) {
    if (!forwarded.has(id)) found.push(`served and not forwarded: ${id}`);
  }
  return { found, count: served.size };
}

const REFUSED = new Set([400, 408, 413, 414, 431, 494, 499, 501, 505]);

/**
 * Whether the proxy and our server, each by itself, find the same number of requests in the same
 * bytes. If one of them rejects a request or stops reading, it may have found fewer.
 */
function agree(lines, outcome) {
  const ours = outcome.split(' ').filter((word) => /^(200|501)/.test(word)).length;
  const weStop = outcome.endsWith('!') || outcome === '';
  const theirs = lines.filter((one) => one.forwarded || !REFUSED.has(one.status)).length;
  const theyStop = lines.some((one) => one.closes || (!one.forwarded && REFUSED.has(one.status)));
  if (weStop && theyStop) return true;
  if (weStop) return theirs >= ours;
  return theyStop ? theirs <= ours : theirs === ours;
}

/** Returns the cases on which they disagree; each is sent from the address of its index. */
export function disagreements(cases, lines) {
  const byAddress = Map.groupBy(lines, (line) => line.address);
  return cases
    .map((one, index) => ({ ...one, lines: byAddress.get(addressOf(index)) ?? [] }))
    .filter((one) => !agree(one.lines, one.outcome))
    .map(({ name, bytes, lines: read, outcome }) => {
      const statuses = read.map((line) => line.status);
      return `${name}: ${statuses} and "${outcome}": ${JSON.stringify(bytes.toString('latin1'))}`;
    });
}

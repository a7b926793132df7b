// What servers say while something fails: warnings and errors in their logs, and their metrics.

import { strict as assert } from 'node:assert';
import { samples } from './samples.mjs';
import { until } from './until.mjs';

const LINE = /^time=\S+ level=(?:warn|error) event=("(?:[^"\\]|\\.)*"|\S+).*$/gm;

/** How often each event of level warn or error is in a part of a log. */
function eventsIn(log) {
  const counts = {};
  for (const [, word] of log.matchAll(LINE)) {
    const event = word.startsWith('"') ? JSON.parse(word) : word;
    counts[event] = (counts[event] ?? 0) + 1;
  }
  return counts;
}

/** What a sample must be: a number, or one of these. Each gets the sample now and before. */
export const rises = (now, before) => now > before;
export const stays = (now, before) => now === before;
const holds = (expected, now, before) =>
  typeof expected === 'function' ? expected(now, before) : now === expected;

/** How often an event may be there: a number, or one of these. */
export const some = (n) => n > 0;
export const any = () => true;

/** What a server may log when it loses PostgreSQL: the first line once, the others of its background. */
export const WITHOUT_POSTGRESQL = {
  'store does not answer, serving from memory': 1,
  'a request failed in the store': any,
  'cannot write counts, keeping them in memory': any,
  'webhooks cannot be claimed': any,
  'cannot delete old rows': any,
  'cannot plan a daily job': any,
  'alerts wait': any,
};

/** What a server logs when it loses Redis, or a node of its cluster: once for each of the two
 *  connections, one for requests and one for sign-ins. */
export const NO_REDIS = 'redis is unreachable';

/** What each server logs once if its test clock differs from the clock of PostgreSQL, which has none:
 *  wait for it before `Said.by`. */
export const DIFFERS = /the clock differs from the database's/;

export class Said {
  #starts;

  /** Listens to `servers` from now on. */
  static async by(servers) {
    const said = new Said();
    said.#starts = await Promise.all(
      servers.map(async (server) => ({
        server,
        length: server.log.length,
        before: await samples(server),
      })),
    );
    return said;
  }

  #of(servers) {
    return this.#starts.filter(({ server }) => !servers || servers.includes(server));
  }

  /**
   * Waits until the metrics of each server, or of these, are as `expected`: names without
   * `stockact_`, and what each must be.
   */
  async metrics(expected, { servers, ...options } = {}) {
    for (const { server, before } of this.#of(servers)) {
      let now;
      const isSaid = async () => {
        now = await samples(server);
        return Object.entries(expected).every(([name, one]) =>
          holds(one, now[`stockact_${name}`] ?? 0, before[`stockact_${name}`] ?? 0),
        );
      };
      await until('the metrics say it', isSaid, options).catch((error) => {
        const found = Object.keys(expected).map((name) => {
          const key = `stockact_${name}`;
          return `${name}: ${before[key]}, then ${now[key]}`;
        });
        throw new Error(`${error.message}: ${found.join('; ')}`);
      });
    }
  }

  /**
   * Asserts the warnings and errors of each server, or of these, since the start: { event: how
   * often }. Others must not be there.
   */
  events(expected, { servers } = {}) {
    for (const { server, length } of this.#of(servers)) {
      const log = server.log.slice(length);
      const found = eventsIn(log);
      for (const event of new Set([...Object.keys(expected), ...Object.keys(found)]))
        assert.ok(
          holds(expected[event] ?? 0, found[event] ?? 0),
          `"${event}" is in the log ${found[event] ?? 0} times:\n${log.match(LINE)?.join('\n')}`,
        );
    }
  }
}

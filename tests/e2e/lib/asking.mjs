// Clients that send one request after the other while something fails, and what they were told.

import { setTimeout as delay } from 'node:timers/promises';
import { Client } from './client.mjs';
import { until } from './until.mjs';

const TARGETS = ['/api/v1/trades?limit=1'];

/** The error's word, or what there is instead of one. */
function wordOf(response) {
  if (response.status < 400) return '';
  try {
    return ` ${response.json.error}`;
  } catch {
    return ' without a word'; // a proxy's own response
  }
}

export class Asking {
  #lanes;
  #ended = false;
  /** Each answer: {at, ms, target, told}; `told` is "200", "503 service_unavailable" or "none: ...". */
  answers = [];

  /**
   * Starts to ask `where` ({host, port}). Options: `targets`, asked in turn; `key`; `lanes`, the
   * number of clients; `pauseMs` between a client's requests; `from`, an address of the clients.
   */
  constructor(where, { targets = TARGETS, lanes = 4, pauseMs = 5, ...options } = {}) {
    this.#lanes = Array.from({ length: lanes }, async () => {
      const client = new Client(where);
      for (let i = 0; !this.#ended; i++) {
        await this.#ask(client, targets[i % targets.length], options);
        await delay(pauseMs);
      }
      client.close();
    });
  }

  async #ask(client, target, options) {
    const at = performance.now();
    const told = await client.get(target, { ...options, unchecked: true }).then(
      (response) => `${response.status}${wordOf(response)}`,
      (error) => `none: ${error.message}`,
    );
    this.answers.push({ at, ms: performance.now() - at, target, told });
  }

  /** How often each answer was given to requests sent after the instant `from` (performance.now). */
  told(from = 0, target) {
    const counts = {};
    for (const answer of this.answers)
      if (answer.at >= from && (!target || answer.target === target))
        counts[answer.told] = (counts[answer.told] ?? 0) + 1;
    return counts;
  }

  /** Milliseconds of the slowest answer to a request sent after `from`. */
  slowest(from = 0) {
    return Math.max(0, ...this.answers.filter(({ at }) => at >= from).map(({ ms }) => ms));
  }

  /** Waits for `n` answers to requests that are sent from now on. */
  more(n, target) {
    const from = performance.now();
    const count = () => Object.values(this.told(from, target)).reduce((sum, one) => sum + one, 0);
    return until(`${n} more answers`, () => count() >= n);
  }

  /**
   * Waits until the last `n` answers are all 200, and returns the milliseconds from `from` to the
   * first request of those that were all well.
   */
  async well(from, n = 20, options) {
    const since = () => this.answers.filter(({ at }) => at >= from).sort((a, b) => a.at - b.at);
    let first;
    await until(
      `${n} answers in a row are 200`,
      () => {
        const answers = since();
        const bad = answers.findLastIndex(({ told }) => told !== '200');
        first = answers[bad + 1];
        return answers.length - bad - 1 >= n;
      },
      options,
    );
    return Math.max(0, first.at - from);
  }

  async stop() {
    this.#ended = true;
    await Promise.all(this.#lanes);
    return this.told();
  }
}

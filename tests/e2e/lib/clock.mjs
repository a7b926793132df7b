// A clock that a test sets: a file with one time, which every process of the site reads
// (STOCKACT_TEST_CLOCK). It does not advance by itself.

import { renameSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.mjs';

// A running process reads the file again at most 50 ms after a change. This is that limit plus a
// margin, not a guess about the machine's speed: the test then polls for the effect.
const READ_AGAIN_MS = 55;

export class TestClock {
  #file;
  #servers;
  #now;

  /** `servers`: a function that returns the running servers, which `set` waits for. */
  constructor(file, instant, servers) {
    this.#file = file;
    this.#servers = servers;
    this.#write(instant);
  }

  get file() {
    return this.#file;
  }

  /** Milliseconds since 1970. */
  get now() {
    return this.#now;
  }

  get iso() {
    return new Date(this.#now).toISOString();
  }

  #write(instant) {
    this.#now = typeof instant === 'number' ? instant : Date.parse(instant);
    writeFileSync(`${this.#file}.new`, `${this.iso}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }

  /** Sets the time (ISO 8601 or milliseconds). Every running server uses it when this returns. */
  async set(instant) {
    this.#write(instant);
    const servers = this.#servers();
    if (servers.length === 0) return;
    await delay(READ_AGAIN_MS);
    const second = new Date(this.#now).toUTCString();
    for (const server of servers) {
      await until(`the server's clock shows ${second}`, async () => {
        const response = await server.get('/healthz', { unchecked: true });
        return response.header('date') === second;
      });
    }
  }

  advance(ms) {
    return this.set(this.#now + ms);
  }
}

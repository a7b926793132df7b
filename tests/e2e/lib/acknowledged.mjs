// Writes that go on while something fails, and what is left of those that were acknowledged.

import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.mjs';

const PAUSE_MS = 20;

export class Writing {
  #site;
  #ended = false;
  #running;
  /** Addresses of accounts whose creation was acknowledged. */
  acknowledged = [];
  /** How often each error was given. */
  refused = {};

  /** Creates one account after the other by commands, until `stop`. */
  constructor(site, name = 'written') {
    this.#site = site;
    this.#running = this.#run(name);
  }

  async #run(name) {
    for (let i = 0; !this.#ended; i++) {
      const email = `${name}${i}@example.org`;
      const args = ['accounts', 'create', '--email', email, '--plan', 'pack', '--json'];
      const done = await this.#site.run(args);
      if (done.code === 0) this.acknowledged.push(email);
      else {
        const error = done.stdout ? JSON.parse(done.stdout).error : done.stderr;
        this.refused[error] = (this.refused[error] ?? 0) + 1;
      }
      await delay(PAUSE_MS);
    }
  }

  /** Waits until `n` more are acknowledged. */
  more(n) {
    const goal = this.acknowledged.length + n;
    return until(`${n} more accounts`, () => this.acknowledged.length >= goal);
  }

  async stop() {
    this.#ended = true;
    await this.#running;
  }

  /** The acknowledged accounts that the database does not have. */
  async lost() {
    const rows = await this.#site.database.query('SELECT email FROM account');
    const there = new Set(rows.map(({ email }) => email));
    return this.acknowledged.filter((email) => !there.has(email));
  }
}

// Writes that go on while something fails, and what is left of those that were acknowledged.

import { setTimeout as delay } from 'node:timers/promises';
import { until } from './until.mjs';

let writers = 0; // of this process: each has its own addresses

export class Writing {
  #site;
  #ended = false;
  #running;
  /** Addresses of accounts whose creation was acknowledged. */
  acknowledged = [];
  /** How often each error was given. */
  refused = {};

  /**
   * Creates one account after the other by commands, until `stop`. Options: `env` of the commands,
   * such as that of a server, whose way to the database fails; `pauseMs` between two of them.
   */
  constructor(site, { env = {}, pauseMs = 20 } = {}) {
    this.#site = site;
    this.#running = this.#run(`written${++writers}-`, env, pauseMs);
  }

  async #run(name, env, pauseMs) {
    for (let i = 0; !this.#ended; i++) {
      const email = `${name}${i}@example.org`;
      const args = ['accounts', 'create', '--email', email, '--plan', 'pack', '--json'];
      const done = await this.#site.run(args, { env });
      if (done.code === 0) this.acknowledged.push(email);
      else {
        const error = done.stdout ? JSON.parse(done.stdout).error : done.stderr;
        this.refused[error] = (this.refused[error] ?? 0) + 1;
      }
      await delay(pauseMs);
    }
  }

  /** Waits until `n` more are acknowledged. */
  more(n, options) {
    const goal = this.acknowledged.length + n;
    return until(`${n} more accounts`, () => this.acknowledged.length >= goal, options);
  }

  /** Waits until one more is refused. */
  refusal(options) {
    const count = () => Object.values(this.refused).reduce((sum, one) => sum + one, 0);
    const before = count();
    return until('a write is refused', () => count() > before, options);
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

/** Publications of one trade each, one command after the other, until `stop`. */
export class Publishing {
  /** What `demo` said of each publication that was acknowledged. */
  acknowledged = [];
  #ended = false;

  constructor(site) {
    this.running = this.#run(site);
  }

  async #run(site) {
    while (!this.#ended) {
      const done = await site.run([
        'demo',
        '--publish',
        1,
        '--rows',
        1,
        '--every',
        '0ms',
        '--json',
      ]);
      if (done.code === 0) this.acknowledged.push(JSON.parse(done.stdout.split('\n')[0]));
      await delay(200);
    }
  }

  stop() {
    this.#ended = true;
    return this.running;
  }
}

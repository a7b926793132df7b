// The load driver of tests/stamina/neighbours.c: good clients beside misbehaving ones.

import { strict as assert } from 'node:assert';
import path from 'node:path';
import { Child } from './child.mjs';
import { binary } from './settings.mjs';

const program = path.join(path.dirname(binary), 'tests/stamina/neighbours');

function asArguments(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === false || value === undefined) return [];
    return value === true ? [flag] : [flag, String(value)];
  });
}

export class Neighbours {
  #child;

  /** Options: those of the program in camel case: `good`, `rate`, `slowHead`, `untilRefused`... */
  constructor(server, key, options) {
    const args = asArguments({ port: server.port, key, ...options });
    this.#child = new Child(program, args, { env: process.env, dieWithParent: 'SIGKILL' });
  }

  /** Resolves when connections are open and good clients get responses. */
  async ready() {
    await this.#child.waitFor(/^ready$/m);
  }

  /** Resolves to the result when its time is over. */
  async result() {
    const { code } = await this.#child.exited;
    assert.equal(code, 0, this.#child.describe());
    assert.deepEqual(this.#child.faults(), []);
    return JSON.parse(this.#child.stdout.trim().split('\n').at(-1));
  }

  /** Stops it now. */
  async stop() {
    this.#child.signal('SIGTERM');
    return this.result();
  }
}

// A running `stockact serve`.

import { strict as assert } from 'node:assert';
import { Child } from './child.mjs';
import { Client } from './client.mjs';
import { quiet } from './measured.mjs';

// Printed on standard output once it accepts connections.
const READY = /^stockact: listening on (?:http:\/\/(.+):(\d+)|unix:(.+))$/m;

/** The promise of docs/architecture.md ("Commands and settings"), and what a busy machine may need. */
const STOP_MS = quiet ? 12_000 : 60_000;
const PATIENT = quiet ? {} : { STOCKACT_TEST_STOP_MS: `${10 * STOP_MS}` };

export class Server extends Client {
  /** The process; its stderr is the log. */
  child;
  frozen = false;

  /** Starts `binary serve ARGS` and waits until it listens. */
  static async start(binary, args, { cwd, env }) {
    const options = { cwd, env: { ...PATIENT, ...env }, dieWithParent: 'SIGKILL' };
    const child = new Child(binary, ['serve', ...args], options);
    const [, host, port, socket] = await child.waitFor(READY);
    const where = socket ? { path: socket } : { host, port: Number(port) };
    const server = new Server(where);
    server.child = child;
    Object.assign(server, where);
    return server;
  }

  /** http://HOST:PORT, for tools that need a URL. */
  get url() {
    return `http://${this.host}:${this.port}`;
  }

  get log() {
    return this.child.stderr;
  }

  get running() {
    return this.child.ended === null;
  }

  /** SIGTERM; it must exit 0 by itself. */
  async stop() {
    this.close();
    const { code } = await this.child.stop('SIGTERM', { within: STOP_MS });
    assert.equal(code, 0, this.child.describe());
  }

  /** SIGSTOP, as a machine that hangs: it does nothing until `thaw`, and the test's clock does not
   *  wait for it. */
  freeze() {
    this.frozen = true;
    this.child.signal('SIGSTOP');
  }

  thaw() {
    this.frozen = false;
    this.child.signal('SIGCONT');
  }

  /** SIGKILL, as a power cut would. */
  async kill() {
    await this.child.stop('SIGKILL');
    this.close();
  }
}

// A test's own Redis, or Valkey, on a free loopback port, without persistence.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child, run } from './child.mjs';
import { freePort } from './ports.mjs';

/** For programs that count in a Redis: on a busy machine it may take longer than users would wait. A
 *  test of what a server does without an answer leaves it out. */
export const PATIENT = { STOCKACT_TEST_REDIS_MS: '120000' };

/** Nothing is counted without Redis: for tests of exact counts. */
export const REFUSE = { STOCKACT_REDIS_LOST: 'refuse' };

export class Redis {
  child;
  #program;
  #args;
  #cli;

  /**
   * Options: `port`, to restart on the port of a stopped one; `tls`, files {cert, key, ca}, to speak
   * TLS only; `clients`, to require certificates of clients; `users`, lines of its access list;
   * `settings`, lines of redis.conf; `program`, valkey-server instead of redis-server.
   */
  static async start({
    port,
    tls,
    clients = false,
    users = [],
    settings = [],
    program = 'redis-server',
  } = {}) {
    const redis = new Redis();
    redis.#program = program;
    redis.folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-redis-'));
    redis.port = port ?? (await freePort());
    const files = tls
      ? ['cert', 'key', 'ca'].flatMap((name) => [
          `--tls-${name === 'ca' ? 'ca-cert' : name}-file`,
          tls[name],
        ])
      : [];
    const args = [
      ...(tls ? ['--port', 0, '--tls-port'] : ['--port']),
      redis.port,
      ...files,
      ...(tls ? ['--tls-auth-clients', clients ? 'yes' : 'no'] : []),
      ...users.flatMap((user) => ['--user', ...user.split(' ')]),
      '--bind',
      '127.0.0.1',
      '--dir',
      redis.folder,
      '--save',
      '',
      '--appendonly',
      'no',
      ...settings.flatMap((line) => `--${line}`.split(' ')),
    ];
    redis.#args = args.map(String);
    redis.#cli = ['-p', redis.port, ...(tls ? ['--tls', '--cacert', tls.ca] : [])].map(String);
    await redis.resume();
    return redis;
  }

  get where() {
    return { host: '127.0.0.1', port: this.port };
  }

  /** Runs one command by its command line and returns what it printed. */
  async command(...words) {
    const args = [...this.#cli, ...words.map(String)];
    const env = { PATH: process.env.PATH };
    const done = await run(this.#program.replace('server', 'cli'), args, { env });
    assert.equal(done.code, 0, done.stderr);
    return done.stdout.trim();
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Kills it; `resume` starts it again, empty, on the same port. */
  async halt() {
    await this.child.stop('SIGKILL');
  }

  async resume() {
    this.child = new Child(this.#program, this.#args, {
      env: { PATH: process.env.PATH },
      dieWithParent: 'SIGKILL',
    });
    await this.child.waitFor(/Ready to accept connections/);
  }

  async stop() {
    if (!this.child.ended) await this.child.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

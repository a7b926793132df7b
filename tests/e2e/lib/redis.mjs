// A test's own Redis on a free loopback port, without persistence.

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child } from './child.mjs';
import { freePort } from './ports.mjs';

export class Redis {
  child;

  /**
   * Options: `port`, to restart on the port of a stopped one; `tls`, files {cert, key, ca}, to speak
   * TLS only; `clients`, to require certificates of clients; `users`, lines of its access list.
   */
  static async start({ port, tls, clients = false, users = [] } = {}) {
    const redis = new Redis();
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
    ];
    redis.child = new Child('redis-server', args.map(String), {
      env: { PATH: process.env.PATH },
      dieWithParent: 'SIGKILL',
    });
    await redis.child.waitFor(/Ready to accept connections/);
    return redis;
  }

  get url() {
    return `redis://127.0.0.1:${this.port}`;
  }

  async stop() {
    await this.child.stop('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

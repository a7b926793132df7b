// PgBouncer in front of the tests' PostgreSQL, on a port of its own.

import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child } from './child.mjs';
import { Connection } from './connection.mjs';
import { freePort } from './ports.mjs';
import { unprivilegedUser } from './postgres.mjs';
import { programPath } from './programs.mjs';
import { until } from './until.mjs';

export class PgBouncer {
  /**
   * Starts it in front of the database with this URL. `settings` are those of its section
   * [pgbouncer], such as `pool_mode`.
   */
  static async start(url, settings) {
    const pooler = new PgBouncer();
    const user = await unprivilegedUser(); // it refuses to run as root
    const { hostname, pathname, username } = new URL(url);
    const port = await freePort();
    pooler.folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-pgbouncer-'));
    const file = path.join(pooler.folder, 'pgbouncer.ini');
    const all = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'any',
      ...settings,
    };
    const lines = [
      '[databases]',
      `* = host=${decodeURIComponent(hostname)} user=${username}`,
      '[pgbouncer]',
      ...Object.entries(all).map(([name, value]) => `${name} = ${value}`),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    if (user.uid !== undefined)
      for (const name of [pooler.folder, file]) chownSync(name, user.uid, user.gid);
    pooler.url = `postgresql://${username}@127.0.0.1:${port}${pathname}`;
    pooler.child = new Child(programPath('pgbouncer'), [file], {
      ...user,
      cwd: pooler.folder,
      env: { PATH: process.env.PATH },
      dieWithParent: 'SIGKILL',
    });
    await until('PgBouncer accepts', async () => {
      if (pooler.child.ended) throw new Error(pooler.child.describe());
      try {
        (await Connection.open({ host: '127.0.0.1', port })).destroy();
        return true;
      } catch {
        return false;
      }
    });
    return pooler;
  }

  async stop() {
    await this.child.stop('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

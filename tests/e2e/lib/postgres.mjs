// The tests' own PostgreSQL cluster: once per run, in a temporary folder, with a unix socket in
// that folder only, as an unprivileged user. Its default collation is linguistic (ICU en-US), so
// that a statement that forgets bytewise order fails a test.

import { strict as assert } from 'node:assert';
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child, run } from './child.mjs';
import { until } from './until.mjs';

const SETTINGS = {
  listen_addresses: '',
  max_connections: '400',
  fsync: 'off',
  shared_buffers: '64MB',
  log_min_messages: 'fatal',
};

/** The folder of PostgreSQL's programs; Debian does not put initdb and postgres into the PATH. */
function programFolder() {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort();
  assert.ok(folders.length > 0, 'PostgreSQL is not installed: script/setup --tests');
  return folders.at(-1);
}

/** postgres does not run as root: use the user that its package created. */
async function unprivilegedUser() {
  if (process.getuid() !== 0) return {};
  const id = async (flag) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

export class Cluster {
  #child;
  #folder;
  #user;

  /** Starts a cluster; `url(name)` is then the URL of a database in it. */
  static async start() {
    const cluster = new Cluster();
    const programs = programFolder();
    const user = await unprivilegedUser();
    const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-pg-'));
    cluster.#folder = folder;
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const data = path.join(folder, 'data');
    const options = { ...user, cwd: folder, env: { PATH: process.env.PATH } };
    const made = await run(
      path.join(programs, 'initdb'),
      [
        '-D',
        data,
        '-U',
        'tests',
        '-A',
        'trust',
        '-E',
        'UTF8',
        '--locale=C.UTF-8',
        '--no-sync',
        '--locale-provider=icu',
        '--icu-locale=en-US',
      ],
      options,
    );
    assert.equal(made.code, 0, made.stderr);
    cluster.#user = user;
    await cluster.resume();
    return cluster;
  }

  /** Starts it (again) on the existing data. */
  async resume() {
    const settings = Object.entries({ ...SETTINGS, unix_socket_directories: this.#folder });
    this.#child = new Child(
      path.join(programFolder(), 'postgres'),
      [
        '-D',
        path.join(this.#folder, 'data'),
        ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      {
        ...this.#user,
        cwd: this.#folder,
        env: { PATH: process.env.PATH },
        dieWithParent: 'SIGINT',
      },
    );
    const isReady = path.join(programFolder(), 'pg_isready');
    await until('PostgreSQL accepts connections', async () => {
      assert.equal(this.#child.ended, null, this.#child.describe());
      return (await run(isReady, ['-h', this.#folder])).code === 0;
    });
  }

  /** Kills it with all its connections, as a crash would. */
  async halt() {
    await this.#child.stop('SIGQUIT');
  }

  url(name) {
    return `postgresql://tests@${encodeURIComponent(this.#folder)}/${name}`;
  }

  async stop() {
    await this.#child.stop('SIGINT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

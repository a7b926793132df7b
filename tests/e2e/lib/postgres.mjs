// The tests' own PostgreSQL cluster: once per run, in a temporary folder, with a unix socket in
// that folder only, as an unprivileged user. Its default collation is linguistic (ICU en-US), so
// that a statement that forgets bytewise order fails a test. It flushes nothing (tests/fault has a
// cluster that does), so it is in memory if there is room: a new database is 300 files.

import { strict as assert } from 'node:assert';
import { chownSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Child, run } from './child.mjs';
import { until } from './until.mjs';

const SETTINGS = {
  listen_addresses: '',
  max_connections: '400',
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  shared_buffers: '64MB',
  log_min_messages: 'fatal',
};

/** A program of PostgreSQL. Debian does not put initdb and postgres into the PATH, and its psql
 *  there is a script that looks for a cluster first. */
export function postgresProgram(name) {
  const folders = globSync('/usr/lib/postgresql/*/bin').sort();
  assert.ok(folders.length > 0, 'PostgreSQL is not installed: script/setup --tests');
  return path.join(folders.at(-1), name);
}

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 2 ** 30;

/** The folder for temporary folders: in memory if there is room. */
export function roomyFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize >= ROOM_BYTES) return MEMORY;
  } catch {
    // no such folder
  }
  return os.tmpdir();
}

/** postgres does not run as root: use the user that its package created. */
export async function unprivilegedUser() {
  if (process.getuid() !== 0) return {};
  const id = async (flag) => Number((await run('id', [flag, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** Settings of a cluster that a standby can follow. */
export const FOLLOWED = { wal_level: 'replica', max_wal_senders: '8' };

const STANDBY = 'standby'; // its application_name

export class Cluster {
  #child;
  #frozen = [];
  #folder;
  #user;
  #settings;

  /** A folder for a cluster: a new one, or the given one, which becomes its user's. */
  static async #make(settings, given) {
    const cluster = new Cluster();
    const user = await unprivilegedUser();
    const folder = given ?? mkdtempSync(path.join(roomyFolder(), 'stockact-pg-'));
    cluster.#folder = folder;
    cluster.#user = user;
    cluster.#settings = settings;
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    return cluster;
  }

  get #data() {
    return path.join(this.#folder, 'data');
  }

  /** Runs a program of PostgreSQL as the cluster's user; it must succeed. */
  async #run(name, args) {
    const options = { ...this.#user, cwd: this.#folder, env: { PATH: process.env.PATH } };
    const done = await run(postgresProgram(name), args, options);
    assert.equal(done.code, 0, done.stderr);
  }

  /**
   * Starts a cluster; `url(name)` is then the URL of a database in it. Options: `settings`, of
   * postgresql.conf; `folder`, which it fills (a new one in memory).
   */
  static async start({ settings = {}, folder: given } = {}) {
    const cluster = await Cluster.#make(settings, given);
    await cluster.#run('initdb', [
      '-D',
      cluster.#data,
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
    ]);
    await cluster.resume();
    return cluster;
  }

  /** Starts a copy of it that follows its log, until `promote`. It must have the settings FOLLOWED. */
  async startStandby() {
    const standby = await Cluster.#make(this.#settings);
    const from = `host=${this.#folder} user=tests application_name=${STANDBY}`;
    const args = ['-D', standby.#data, '-d', from, '-R', '-c', 'fast', '--no-sync'];
    await standby.#run('pg_basebackup', args);
    await standby.resume();
    return standby;
  }

  /** From now on a commit of it returns when a standby has it too. */
  async waitForStandby() {
    const set = `ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`;
    const args = ['-h', this.#folder, '-U', 'tests', '-d', 'postgres', '-X', '-q'];
    await this.#run('psql', [...args, '-c', set, '-c', 'SELECT pg_reload_conf()']);
  }

  /** Makes a standby accept writes. */
  async promote() {
    await this.#run('pg_ctl', ['promote', '-D', this.#data, '-w', '-t', '30', '-s']);
  }

  /** Starts it (again) on the existing data. */
  async resume() {
    const settings = Object.entries({
      ...SETTINGS,
      unix_socket_directories: this.#folder,
      ...this.#settings,
    });
    this.#child = new Child(
      postgresProgram('postgres'),
      ['-D', this.#data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      {
        ...this.#user,
        cwd: this.#folder,
        env: { PATH: process.env.PATH },
        dieWithParent: 'SIGINT',
      },
    );
    const isReady = postgresProgram('pg_isready');
    await until('PostgreSQL accepts connections', async () => {
      assert.equal(this.#child.ended, null, this.#child.describe());
      return (await run(isReady, ['-h', this.#folder])).code === 0;
    });
  }

  /** Kills it with all its connections, as a crash would. */
  async halt() {
    await this.#child.stop('SIGQUIT');
  }

  /** Stops it and all its connections without ending them, until `thaw`. */
  freeze() {
    const signal = (pid) => process.kill(pid, 'SIGSTOP');
    signal(this.pid); // from now on it starts no other
    const children = readFileSync(`/proc/${this.pid}/task/${this.pid}/children`, 'utf8');
    this.#frozen = [this.pid, ...children.trim().split(' ').filter(Boolean).map(Number)];
    this.#frozen.slice(1).forEach(signal);
  }

  thaw() {
    for (const pid of this.#frozen) process.kill(pid, 'SIGCONT');
    this.#frozen = [];
  }

  /** Its unix socket. */
  get where() {
    return { path: path.join(this.#folder, '.s.PGSQL.5432') };
  }

  get folder() {
    return this.#folder;
  }

  /** Since it was started last: lines of level FATAL and above. */
  get log() {
    return this.#child.stderr;
  }

  get pid() {
    return this.#child.pid;
  }

  url(name) {
    return `postgresql://tests@${encodeURIComponent(this.#folder)}/${name}`;
  }

  async stop() {
    if (!this.#child.ended) await this.#child.stop('SIGINT');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

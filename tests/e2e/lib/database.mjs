// A new database of either kind for each site, and queries on it.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { run } from './child.mjs';
import { Cluster } from './postgres.mjs';

// Recovery after a kill, or a commit of the program, can lock the file for a moment.
const BUSY_TIMEOUT_MS = 10_000;

/** A connection to an SQLite file that waits for the locks of others. Options: those of node:sqlite. */
export function openSqlite(file, options = {}) {
  return new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS, ...options });
}

class SqliteDatabase {
  kind = 'sqlite';

  constructor(folder) {
    this.file = path.join(folder, 'stockact.db');
    this.url = `sqlite:${this.file}`;
  }

  /** Rows of a SELECT as objects. */
  async query(sql) {
    const database = openSqlite(this.file, { readOnly: true });
    try {
      return database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }));
    } finally {
      database.close();
    }
  }

  async execute(sql) {
    const database = openSqlite(this.file);
    try {
      database.exec(sql);
    } finally {
      database.close();
    }
  }

  /** Keeps the present content for `restore`. No server may run. */
  async save() {
    for (const suffix of ['', '-wal'])
      if (existsSync(this.file + suffix)) copyFileSync(this.file + suffix, this.#saved + suffix);
  }

  /** Puts back what `save` kept, as an operator restores a backup. No server may run. */
  async restore() {
    for (const suffix of ['', '-wal', '-shm']) rmSync(this.file + suffix, { force: true });
    for (const suffix of ['', '-wal'])
      if (existsSync(this.#saved + suffix)) copyFileSync(this.#saved + suffix, this.file + suffix);
  }

  get #saved() {
    return `${this.file}.saved`;
  }

  async drop() {} // goes with its site's folder
}

async function psql(url, sql) {
  const args = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', sql];
  // the program uses a separate schema
  const env = { PATH: process.env.PATH, PGOPTIONS: '-c search_path=stockact' };
  const done = await run('psql', args, { env });
  assert.equal(done.code, 0, done.stderr);
  return done.stdout;
}

class PostgresDatabase {
  kind = 'postgresql';
  #admin;
  #name = `site_${randomBytes(6).toString('hex')}`;

  constructor(address) {
    this.#admin = address('postgres');
    this.url = address(this.#name);
  }

  create() {
    return psql(this.#admin, `create database ${this.#name}`);
  }

  async query(sql) {
    const rows = `select coalesce(json_agg(rows), '[]') from (${sql}) rows`;
    return JSON.parse(await psql(this.url, rows));
  }

  execute(sql) {
    return psql(this.url, sql);
  }

  /** Keeps the present content for `restore`. No server may run. */
  save() {
    return psql(this.#admin, `create database ${this.#saved} template ${this.#name}`);
  }

  /** Puts back what `save` kept, as an operator restores a backup. No server may run. */
  async restore() {
    await psql(this.#admin, `drop database ${this.#name} with (force)`);
    await psql(this.#admin, `create database ${this.#name} template ${this.#saved}`);
  }

  get #saved() {
    return `${this.#name}_saved`;
  }

  async drop() {
    for (const name of [this.#name, this.#saved])
      await psql(this.#admin, `drop database if exists ${name} with (force)`);
  }
}

let cluster = null;
after(async () => (await cluster)?.stop());

/**
 * The URL of a database by name. run.mjs starts one cluster for the whole run and passes its
 * address on. A test file that runs alone starts its own cluster when it needs one, and stops it at
 * the end.
 */
async function clusterAddress() {
  const template = process.env.STOCKACT_TEST_POSTGRES;
  if (template) return (name) => template.replace('{name}', name);
  cluster ??= Cluster.start();
  const started = await cluster;
  return (name) => started.url(name);
}

/** With these variables, PostgreSQL's programs and `postgresql:///NAME` mean the tests' cluster. */
export async function postgresEnvironment() {
  const { username, hostname } = new URL((await clusterAddress())('postgres'));
  return { PGHOST: decodeURIComponent(hostname), PGUSER: username };
}

/** A new database of `kind`; `folder` is its site's. */
export async function makeDatabase(kind, folder) {
  if (kind === 'sqlite') return new SqliteDatabase(folder);
  assert.equal(kind, 'postgresql');
  const database = new PostgresDatabase(await clusterAddress());
  await database.create();
  return database;
}

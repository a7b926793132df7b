// A new database of either kind for each site, and queries on it.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after } from 'node:test';
import { Shared, migrate, psql } from './shared.mjs';

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

class PostgresDatabase {
  kind = 'postgresql';
  #admin;
  #name = `site_${randomBytes(6).toString('hex')}`;

  constructor(address) {
    this.#admin = address('postgres');
    this.url = address(this.#name);
  }

  get name() {
    return this.#name;
  }

  create(template = 'template1') {
    return psql(this.#admin, `create database ${this.#name} template ${template}`);
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
    await psql(
      this.#admin,
      `drop database ${this.#name} with (force)`,
      `create database ${this.#name} template ${this.#saved}`,
    );
  }

  get #saved() {
    return `${this.#name}_saved`;
  }

  drop() {
    const names = [this.#name, this.#saved];
    const drops = names.map((name) => `drop database if exists ${name} with (force)`);
    return psql(this.#admin, ...drops);
  }
}

const shared = new Shared();
after(() => shared.remove());

/** With these variables, PostgreSQL's programs and `postgresql:///NAME` mean the tests' cluster. */
export async function postgresEnvironment() {
  const { username, hostname } = new URL((await shared.address())('postgres'));
  return { PGHOST: decodeURIComponent(hostname), PGUSER: username };
}

/** The socket of the tests' cluster. */
export async function postgresSocket() {
  const { PGHOST } = await postgresEnvironment();
  return { path: path.join(PGHOST, '.s.PGSQL.5432') };
}

/** A new migrated database in a cluster of the test's own: `address(name)` is its URL. */
export async function makePostgresDatabase(address) {
  const database = new PostgresDatabase(address);
  await database.create();
  await migrate(database.url);
  database.drop = async () => {}; // goes with its cluster
  return database;
}

/** A new database of `kind`, migrated unless `empty`; `folder` is its site's. */
export async function makeDatabase(kind, folder, { empty }) {
  if (kind === 'sqlite') {
    const database = new SqliteDatabase(folder);
    if (!empty) copyFileSync(await shared.migrated(kind), database.file);
    return database;
  }
  assert.equal(kind, 'postgresql');
  const database = new PostgresDatabase(await shared.address());
  await database.create(empty ? undefined : await shared.migrated(kind));
  return database;
}

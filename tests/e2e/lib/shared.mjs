// What all sites of a run share: a PostgreSQL cluster, and one migrated database of each kind, which
// is copied for each site.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './child.mjs';
import { Cluster, postgresProgram } from './postgres.mjs';
import { binary, databaseKinds } from './settings.mjs';

export async function psql(url, ...statements) {
  const commands = statements.flatMap((sql) => ['-c', sql]);
  const args = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', url, ...commands];
  // the program uses a separate schema
  const env = { PATH: process.env.PATH, PGOPTIONS: '-c search_path=stockact' };
  const done = await run(postgresProgram('psql'), args, { env });
  assert.equal(done.code, 0, done.stderr);
  return done.stdout;
}

export async function migrate(url) {
  const env = { PATH: process.env.PATH, STOCKACT_DATABASE: url };
  const done = await run(binary, ['migrate'], { env });
  assert.equal(done.code, 0, done.stderr);
}

/** The PostgreSQL database that is copied. No client may be connected to it meanwhile. */
const MIGRATED = 'migrated';

async function makeMigratedDatabase(address) {
  const admin = address('postgres');
  await psql(admin, `create database ${MIGRATED}`);
  await migrate(address(MIGRATED));
  await psql(admin, `alter database ${MIGRATED} allow_connections false`);
}

/**
 * run.mjs prepares it and passes it on to the test files in their environment. A test file that
 * runs alone prepares what it needs, and removes it at the end.
 */
export class Shared {
  #folder = null;
  #cluster = null;
  #migrated = {};

  /** Prepares all of it; the result is for the environment of the test files. */
  async prepare() {
    const env = { STOCKACT_TEST_MIGRATED: await this.migrated('sqlite') };
    if (databaseKinds.includes('postgresql')) {
      await this.migrated('postgresql');
      env.STOCKACT_TEST_POSTGRES = (await this.address())('{name}');
    }
    return env;
  }

  /** A function that gives the URL of a database in the cluster by its name. */
  async address() {
    const passedOn = process.env.STOCKACT_TEST_POSTGRES;
    if (passedOn) return (name) => passedOn.replace('{name}', name);
    this.#cluster ??= Cluster.start();
    const cluster = await this.#cluster;
    return (name) => cluster.url(name);
  }

  /** The file, or the name of the database in the cluster, that is copied. */
  migrated(kind) {
    const name = kind === 'sqlite' ? process.env.STOCKACT_TEST_MIGRATED : MIGRATED;
    const passedOn = kind === 'sqlite' ? name : process.env.STOCKACT_TEST_POSTGRES;
    this.#migrated[kind] ??= passedOn ? Promise.resolve(name) : this.#make(kind);
    return this.#migrated[kind];
  }

  async #make(kind) {
    if (kind === 'postgresql') {
      await makeMigratedDatabase(await this.address());
      return MIGRATED;
    }
    this.#folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-migrated-'));
    const file = path.join(this.#folder, 'stockact.db');
    await migrate(`sqlite:${file}`);
    return file;
  }

  async remove() {
    await (await this.#cluster)?.stop();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
  }
}

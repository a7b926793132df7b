// A site: one new database, its settings, the commands run on it and the servers that serve it.
// Everything started through a site ends with the test. A crash or a sanitizer's report fails the
// test.

import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, before, describe } from 'node:test';
import { run } from './child.mjs';
import { TestClock } from './clock.mjs';
import { makeDatabase } from './database.mjs';
import { PATIENT, REFUSE, Redis } from './redis.mjs';
import { Server } from './server.mjs';
import { binary, commanding, databaseKinds, preparing } from './settings.mjs';
import { until } from './until.mjs';

/** Commands that only prepare tests: the unit tests run them on each build. */
const PREPARE = new Set(['demo']);

const NOT_APPLIED = 'has not applied it yet';
const PASSED_ON = ['PATH', 'HOME', 'LANG', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'TSAN_OPTIONS'];

function passedOn() {
  return Object.fromEntries(
    PASSED_ON.filter((name) => name in process.env).map((name) => [name, process.env[name]]),
  );
}

export class Site {
  #servers = [];
  #faults = [];
  #redis = null;

  async #open({ database = 'sqlite', clock, redis = false, env = {}, empty = false }) {
    this.folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-site-'));
    this.database =
      typeof database === 'object'
        ? database
        : await makeDatabase(database, this.folder, { empty });
    const secretKeyFile = path.join(this.folder, 'secret.key');
    // With an embedded database the program creates it by itself.
    if (database !== 'sqlite') writeFileSync(secretKeyFile, randomBytes(32), { mode: 0o600 });
    /** The complete environment of its programs. */
    this.env = {
      ...passedOn(),
      STOCKACT_DATABASE: this.database.url,
      STOCKACT_SECRET_KEY_FILE: secretKeyFile,
      ...env,
    };
    if (clock !== undefined) {
      const file = path.join(this.folder, 'clock');
      this.clock = new TestClock(file, clock, () =>
        this.#servers.filter((one) => one.running && !one.frozen),
      );
      Object.assign(this.env, { STOCKACT_TEST_CLOCK: file, STOCKACT_ALLOW_TEST_CLOCK: '1' });
    }
    if (redis) {
      this.#redis = await Redis.start();
      Object.assign(this.env, { STOCKACT_REDIS: this.#redis.url, ...REFUSE, ...PATIENT });
    }
    return this;
  }

  static open(options = {}) {
    return new Site().#open(options);
  }

  get redis() {
    return this.#redis;
  }

  /**
   * Runs `stockact ARGS`: {code, signal, stdout, stderr}. Options: `env` (added), `input`; `program`,
   * which is run.
   */
  async run(args, { env = {}, input, program = commanding } = {}) {
    const options = { cwd: this.folder, env: { ...this.env, ...env }, input };
    const done = await run(program, args.map(String), options);
    this.#faults.push(...done.faults);
    return done;
  }

  /** Runs `stockact ARGS --json`, which must succeed, and returns its lines parsed. */
  stockact(...args) {
    return this.#lines(args, PREPARE.has(args[0]) ? preparing : commanding);
  }

  /** The same for a command that only prepares a test, and that other tests look at. */
  prepare(...args) {
    return this.#lines(args, preparing);
  }

  async #lines(args, program) {
    const done = await this.run([...args, '--json'], { program });
    assert.equal(done.code, 0, `stockact ${args.join(' ')}: ${done.stderr}`);
    if (done.stderr.includes(NOT_APPLIED)) await this.#serversApplyChanges();
    const lines = done.stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line));
  }

  /** A command waits a second for the servers. On a busy machine they may need longer. */
  async #serversApplyChanges() {
    const [last] = await this.database.query("SELECT value FROM counter WHERE name = 'change'");
    await until('the running servers have applied the last change', async () => {
      const late = await this.database.query(`SELECT label FROM node WHERE seq < ${last.value}`);
      const running = this.#servers.filter((one) => one.running); // tests kill some meanwhile
      const pids = running.map((one) => one.child.pid);
      return !late.some(({ label }) => pids.some((pid) => label.endsWith(` ${pid}`)));
    });
  }

  /** Creates an account and returns its address. */
  async account({ plan = 'pack', email = `${randomBytes(5).toString('hex')}@example.org` } = {}) {
    await this.prepare('accounts', 'create', '--email', email, '--plan', plan);
    return email;
  }

  /** Mints a key, for a new account unless `email` is given: {id, name, prefix, key, email}. */
  async mint({ plan, email, name = 'test' } = {}) {
    const owner = email ?? (await this.account({ plan }));
    const [minted] = await this.prepare('keys', 'mint', '--email', owner, '--name', name);
    return { ...minted, email: owner };
  }

  /** The plaintext of a new key. */
  async key(options) {
    return (await this.mint(options)).key;
  }

  /**
   * Starts a server on a free port (or on `listen`). Options: `args` and `env`, added; `program`,
   * which becomes the server.
   */
  async serve({ listen = '127.0.0.1:0', threads = 2, args = [], env = {}, program = binary } = {}) {
    const server = await Server.start(
      program,
      ['--listen', listen, '--threads', String(threads), ...args],
      { cwd: this.folder, env: { ...this.env, ...env } },
    );
    this.#servers.push(server);
    return server;
  }

  /** Stops everything it started; throws if any of it crashed. */
  async close() {
    for (const server of this.#servers) {
      try {
        if (server.running) await server.stop();
      } catch (error) {
        this.#faults.push(error.message);
      }
      server.close();
      this.#faults.push(...server.child.faults());
    }
    await this.#redis?.stop();
    await this.database?.drop();
    rmSync(this.folder, { recursive: true, force: true });
    assert.deepEqual(this.#faults, [], 'what the site ran ended well');
  }
}

/**
 * A site for one test, closed when test `t` ends. Options: `database` (kind, or one that is there), `empty` (true: no
 * command has made it yet), `clock` (time), `redis` (true: its own), `env`.
 */
export async function makeSite(t, options) {
  const site = await Site.open(options);
  t.after(() => site.close());
  return site;
}

/**
 * A site shared by the tests of one `describe`: call it in the body. `prepare(site)` runs once, and
 * its result is added to the site (`{server, key}`).
 */
export function useSite(options, prepare = async () => ({})) {
  const shared = {};
  before(async () => {
    shared.site = await Site.open(options);
    Object.assign(shared, await prepare(shared.site));
  });
  after(() => shared.site?.close());
  return shared;
}

/** `describe` once for each kind of database; `body(kind)`. Options: those of `describe`. */
export function onEachDatabase(name, body, options = {}) {
  for (const kind of databaseKinds) describe(`${name} (${kind})`, options, () => body(kind));
}

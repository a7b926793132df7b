// A process started by a test: its output, its exit, and its faults. Only processes started here
// are signalled, by id.

import { spawn } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HANGS_MS, within } from './until.mjs';

const TROUBLE = new RegExp(
  readFileSync(path.join(import.meta.dirname, '../../crashes'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .join('|'),
);

const running = new Set();

// A test that ends early leaves nothing behind. The kernel also signals long-lived children (see
// `dieWithParent`) if this process ends without running this.
process.on('exit', () => {
  for (const child of running) {
    child.noteCrash();
    child.signal('SIGKILL');
  }
});

export class Child {
  stdout = '';
  stderr = '';
  #process;
  #lineWaiters = new Set();
  #ended = null;
  #signalled = false;
  #ours;
  #endsBy;

  /**
   * Options: `cwd`, `env` (the complete environment), `uid`, `gid`, `input` (text for stdin),
   * `open` (true: `stdin` can be written to), `encoding` (of its output), `dieWithParent` (the
   * signal that the kernel sends it when this process is gone), `endsBy` (a signal that is no fault,
   * because what the test injects raises it).
   */
  constructor(command, args, options = {}) {
    const { cwd, env, uid, gid, input, open, encoding = 'utf8', dieWithParent } = options;
    this.#endsBy = options.endsBy;
    this.name = command.split('/').at(-1);
    this.#ours = [command, ...args].some((word) => /(^|\/)stockact(-mcp)?$/.test(word));
    const privileges = [
      ...(uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']),
      ...(dieWithParent ? [`--pdeathsig=${dieWithParent}`] : []),
    ];
    if (privileges.length > 0) {
      args = [...privileges, '--', command, ...args];
      command = 'setpriv';
    }
    this.#process = spawn(command, args, {
      cwd,
      env,
      stdio: [input === undefined && !open ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    });
    running.add(this);
    this.#process.stdout.setEncoding(encoding).on('data', (text) => this.#read('stdout', text));
    this.#process.stderr.setEncoding(encoding).on('data', (text) => this.#read('stderr', text));
    this.#process.stdin?.on('error', () => {}); // it may refuse before it reads
    if (input !== undefined) this.#process.stdin.end(input);
    /** Resolves to {code, signal} when it has exited and its output has been read. */
    this.exited = new Promise((resolve) => {
      this.#process.on('error', (error) => {
        this.stderr += `${error.message}\n`;
        this.#end(resolve, { code: null, signal: 'not started' });
      });
      this.#process.on('close', (code, signal) => this.#end(resolve, { code, signal }));
    });
  }

  get pid() {
    return this.#process.pid;
  }

  /** Its standard input. */
  get stdin() {
    return this.#process.stdin;
  }

  /** Its output stream, which can be paused or destroyed. */
  get output() {
    return this.#process.stdout;
  }

  get ended() {
    return this.#ended;
  }

  #read(stream, text) {
    this[stream] += text;
    for (const look of this.#lineWaiters) look();
  }

  #end(resolve, how) {
    running.delete(this);
    this.#ended = how;
    this.noteCrash();
    resolve(how);
    for (const look of this.#lineWaiters) look();
  }

  /** Resolves to the match of `pattern` in its past or future output on `stream`. */
  waitFor(pattern, { stream = 'stdout', within: ms = HANGS_MS } = {}) {
    let look;
    const found = new Promise((resolve, reject) => {
      look = () => {
        const match = pattern.exec(this[stream]);
        if (match) resolve(match);
        else if (this.#ended) reject(new Error(`${this.describe()} before it printed ${pattern}`));
      };
      this.#lineWaiters.add(look);
      look();
    });
    return within(ms, `${this.name} prints ${pattern}\n${this.stderr}`, found).finally(() =>
      this.#lineWaiters.delete(look),
    );
  }

  /** Sends a signal on purpose: an exit by this signal is not a fault. */
  signal(name) {
    this.#signalled = true;
    if (!this.#ended) this.#process.kill(name);
  }

  /** Signals it and waits for its exit. After `within` ms it is killed, which is an error. */
  async stop(name = 'SIGTERM', { within: ms = HANGS_MS } = {}) {
    this.signal(name);
    try {
      return await within(ms, `${this.name} ends after ${name}`, this.exited);
    } catch (error) {
      this.signal('SIGKILL');
      await this.exited;
      throw error;
    }
  }

  /** Tells run.mjs of a fault of the program under test, whatever the test makes of it. */
  noteCrash() {
    const notes = process.env.STOCKACT_TEST_CRASHES;
    if (!notes || !this.#ours || !this.pid || this.faults().length === 0) return;
    appendFileSync(notes, `${JSON.stringify([process.argv[1], this.describe()])}\n`);
  }

  describe() {
    const { code, signal } = this.#ended ?? {};
    const end = this.#ended ? `ended with ${signal ?? code}` : 'is running';
    return `${this.name} (${this.pid}) ${end}\n${this.stderr}`;
  }

  /**
   * Faults that fail a test: sanitizer reports, failed assertions, an exit by a signal that the
   * test did not send.
   */
  faults() {
    const found = [];
    if (TROUBLE.test(this.stderr)) found.push(this.describe());
    else if (this.#ended?.signal && !this.#signalled && this.#ended.signal !== this.#endsBy)
      found.push(this.describe());
    return found;
  }
}

/** Runs a command until it exits: {code, signal, stdout, stderr}. */
export async function run(command, args, options = {}) {
  const child = new Child(command, args, options);
  const ms = options.within ?? HANGS_MS;
  try {
    await within(ms, `${child.name} ${args.join(' ')} ends`, child.exited);
  } catch (error) {
    child.signal('SIGKILL');
    throw error;
  }
  return { ...child.ended, stdout: child.stdout, stderr: child.stderr, faults: child.faults() };
}

// A site whose commands must print nothing hidden, on either stream.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assertNothingHidden } from './hidden.mjs';
import { HOLLIS, VALE, membersJson } from './invented_members.mjs';
import { makeSite } from './site.mjs';

/** A command must end within two minutes, also on a busy machine. */
const BATCH = 100;

export class Watched {
  #folders = 0;

  /** A site with the filers of the invented documents; options of makeSite. */
  static async open(t, options) {
    const own = new Watched();
    own.site = await makeSite(t, options);
    await own.json('members', 'import', own.file('members.json', membersJson([VALE, HOLLIS])));
    return own;
  }

  /** Writes a file into the site's folder and returns its path. */
  file(name, bytes) {
    const file = path.join(this.site.folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  }

  /** Runs a command: {code, stdout, stderr}. */
  async run(...args) {
    const done = await this.site.run(args);
    const what = `stockact ${JSON.stringify(args).slice(0, 200)}`;
    assertNothingHidden(done.stdout, `${what}, standard output`);
    assertNothingHidden(done.stderr, `${what}, standard error`);
    return done;
  }

  /** Runs a command that must succeed, with --json, and returns its lines parsed. */
  async json(...args) {
    const done = await this.run(...args, '--json');
    assert.equal(done.code, 0, done.stderr);
    return done.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Runs a command that must fail, and returns its error. */
  async fails(...args) {
    const done = await this.run(...args);
    assert.notEqual(done.code, 0, `${JSON.stringify(args)} succeeded: ${done.stdout}`);
    return done.stderr;
  }

  /** Imports {name: bytes}, in folders of BATCH files, and returns the lines by name. */
  async ingest(files) {
    const all = Object.entries(files);
    const lines = [];
    for (let from = 0; from < all.length; from += BATCH) {
      this.#folders += 1;
      const folder = `documents-${this.#folders}`;
      for (const [name, bytes] of all.slice(from, from + BATCH))
        this.file(path.join(folder, name), bytes);
      lines.push(...(await this.json('ingest', path.join(this.site.folder, folder))));
    }
    return Object.fromEntries(lines.map((line) => [line.document, line]));
  }
}

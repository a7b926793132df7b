// Commands that change what is public, for tests of the sequence of changes.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { committeesJson, membershipJson } from './invented_committees.mjs';
import { HOLLIS, membersJson } from './invented_members.mjs';
import { senateId, senatePage } from './senate_page.mjs';
import { binary } from './settings.mjs';
import { MARLOW, bulkFiling } from './signal_site.mjs';
import { BY } from './reviewer.mjs';

export const WHY = [...BY, '--reason', 'read again'];
const BANKING = { id: 'SSBK', name: 'Senate Committee on Banking', type: 'senate' };
export const SYMBOLS = ['JPM', 'XOM', 'null'];

export const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** A site whose trades a test changes. */
export class Changing {
  #files = 0;
  #filings = 100;

  constructor(site) {
    this.site = site;
  }

  write(text, name = `${this.#files++}.json`) {
    writeFileSync(path.join(this.site.folder, name), text);
    return path.join(this.site.folder, name);
  }

  async prepare() {
    await this.members(MARLOW);
    await this.seats('');
    await this.backfill(40);
  }

  members(marlow) {
    const file = this.write(membersJson([HOLLIS, marlow]));
    return this.site.stockact('members', 'import', file);
  }

  /** A title of HOLLIS on the committee that oversees the industry of JPM; null: no seat. */
  async seats(title) {
    const seat = title === null ? [] : [{ member: HOLLIS, ...(title ? { title } : {}) }];
    const files = [
      committeesJson([BANKING]),
      membershipJson({ SSBK: [{ member: MARLOW }, ...seat] }),
    ];
    const paths = files.map((text) => this.write(text));
    await this.site.stockact('committees', 'import', ...paths, '--as-of', '2015-06-01');
  }

  backfill(rows, ticker = pick(SYMBOLS) === 'JPM' ? 'JPM' : '--') {
    const asset = { transaction_date: '06/20/2015', ticker };
    const filing = bulkFiling(HOLLIS, this.#filings++, rows, asset);
    const file = this.write(JSON.stringify([filing]));
    return this.site.stockact('backfill', 'senate-stock-watcher', file, ...BY);
  }

  publish() {
    const rows = [
      { date: '12/01/2023', ticker: 'JPM', asset: 'JPMorgan', owner: 'Self' },
      { date: '12/02/2023', ticker: null, asset: 'Harbor Bond', owner: 'Joint' },
    ];
    return this.publishPage(senatePage({ rows }));
  }

  /** Publishes a Senate page; returns the filing's id. */
  async publishPage(html) {
    const uuid = senateId(this.#filings++);
    const id = `senate-${uuid}`;
    await this.site.stockact('ingest', this.write(html, `${uuid}.html`));
    await this.site.stockact('review', 'accept', id, ...BY);
    await this.site.stockact('publish', id, ...BY);
    return id;
  }

  /** Runs a command that may be rejected; with `killed` it gets SIGKILL after a few milliseconds. */
  async run(args, { killed = false } = {}) {
    const options = { cwd: this.site.folder, env: this.site.env, stdio: 'ignore' };
    const child = spawn(binary, args.map(String), options);
    if (killed) setTimeout(() => child.kill('SIGKILL'), Math.random() * 30);
    await once(child, 'exit');
  }

  async ids() {
    const rows = await this.site.database.query('select id from trade order by id');
    return rows.map((row) => row.id);
  }

  async filings(where = 'true') {
    const rows = await this.site.database.query(`select id from filing where ${where} order by id`);
    return rows.map((row) => row.id);
  }
}

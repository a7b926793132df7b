// Changes of stored values by something that is not the program, as a bad disk, a bit or a hand makes
// them; the same in each run.

import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { noticed, sealed } from './columns.mjs';
import { check, makeHistory } from './damage.mjs';
import { openSqlite } from './database.mjs';

/** Rows of tables that the history leaves empty. */
const OTHERS = `
  INSERT INTO document (kind, source_id, chamber, state, first_seen_at)
    VALUES ('house', '1', 'house', 'draft', 0);
  INSERT INTO document_version (document_no, sha256, bytes, seen_at) SELECT no,
    x'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 3, 0 FROM document
    WHERE source_id = '1';
  INSERT INTO document_bytes (version_no, bytes) SELECT max(no), x'616263' FROM document_version;
  INSERT INTO account (id, email, email_folded, plan, role, created_at, password_hash)
    VALUES ('acc_1', 'a@example.org', 'a@example.org', 'den', 'member', 1, 'hash'),
      ('acc_2', 'b@example.org', 'b@example.org', 'pack', 'admin', 2, NULL);
  INSERT INTO api_key (id, account_no, sha256, prefix, name, created_at)
    SELECT 'key_' || no, no, randomblob(32), 'svc_abcdefgh', 'laptop', 5 FROM account;
  INSERT INTO session (id, account_no, sha256, created_at, seen_at, expires_at, proved_at, place, browser)
    SELECT 'ses_' || no, no, randomblob(32), 1, 2, 3, 1, 'Home', 'Firefox' FROM account;
  INSERT INTO token (sha256, purpose, account_no, email, email_folded, tries, created_at, expires_at)
    SELECT randomblob(32), 'reset', no, email, email, 0, 1, 9 FROM account;
  INSERT INTO recovery_code (account_no, sha256, created_at)
    SELECT no, randomblob(32), 4 FROM account;
  INSERT INTO endpoint (id, account_no, url, secret_sealed, state, failures, created_at, changed_at)
    SELECT 'ep_' || no, no, 'https://example.org/hook', randomblob(60), 'enabled', 0, 1, 1
    FROM account;
  INSERT INTO alert (id, account_no, state, pace, flagged, ticker, after_seq, created_at, changed_at)
    SELECT 'al_' || no, no, 'enabled', 'daily', 1, 'ZZZQ', 1, 1, 1 FROM account;
  INSERT INTO alert_person (account_no, end_key) SELECT no, randomblob(32) FROM account;
  INSERT INTO account_address (email, account_no) SELECT 'old' || no || '@example.org', no FROM account;
  INSERT INTO member_name (member_no, position, first_name, last_name)
    SELECT no, 0, 'Zed', 'Quill' FROM member LIMIT 20;
  INSERT INTO committee_span (member_id, committee_id, title, from_day, to_day)
    SELECT id, 'HSZZ', 'Chair', no, no + 700 FROM member LIMIT 20;
  INSERT INTO committee_span_list (day) VALUES (17000), (17100);
  INSERT INTO committee_span_name (committee_id, from_day, name) VALUES ('HSZZ', 1, 'Committee on Z');
  DELETE FROM migration WHERE number >= 51;
`; // the last one: the step that seals runs again

/** Numbers below `n`, the same in each run. */
function dice(seed) {
  let x = seed;
  return (n) => {
    x = (x * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((x / 2_147_483_648) * n);
  };
}

/** What became of a value; its own type, or null. */
function changed(value, type, column, draw) {
  if (value === null)
    return { INTEGER: BigInt(draw(1000)), TEXT: 'x', BLOB: Buffer.alloc(32, draw(255)) }[type];
  if (column !== 'digest' && draw(8) === 0) return null; // `check` counts rows without a digest
  if (type === 'INTEGER') return value ^ (1n << BigInt(draw(40)));
  const bytes = Buffer.from(value);
  if (bytes.length === 0 || draw(6) === 0) return type === 'TEXT' ? `${value}x` : Buffer.from('x');
  if (type === 'BLOB') {
    bytes[draw(bytes.length)] ^= 1 << draw(8);
    return bytes;
  }
  bytes[draw(bytes.length)] = 0x21 + draw(0x5d);
  return bytes.toString();
}

const same = (a, b) =>
  typeof a === 'bigint' || a === null || b === null
    ? a === b
    : Buffer.from(a).equals(Buffer.from(b));

/** Changes one column of one row; null: the database refuses the value, or it is the same. */
function flip(db, [table, column], draw) {
  const { type } = db
    .prepare('SELECT type FROM pragma_table_info(?) WHERE name = ?')
    .get(table, column);
  const { n } = db.prepare(`SELECT count(*) AS n FROM ${table}`).get();
  const row = db
    .prepare(`SELECT rowid AS id, ${column} AS value FROM ${table} ORDER BY rowid LIMIT 1 OFFSET ?`)
    .get(draw(Number(n)));
  if (!row) throw new Error(`${table} has no rows`);
  const value = changed(row.value, type, column, draw);
  if (same(row.value, value)) return null;
  try {
    db.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(value, row.id);
  } catch (error) {
    if (/constraint|cannot store|datatype mismatch/.test(error.message)) return null;
    throw error;
  }
  return { table, text: `${table}.${column} of row ${row.id}: ${row.value} -> ${value}` };
}

/** A filled database, and a function that opens a fresh copy of it, without its triggers. */
async function fill(t) {
  const { site } = await makeHistory(t, 'sqlite');
  const { database } = site;
  await database.execute(OTHERS);
  await site.stockact('migrate');
  const whole = await check(site);
  assert.deepEqual([whole.code, whole.unsealed], [0, undefined], JSON.stringify(whole));
  await database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(database.file);
  const file = path.join(site.folder, 'changed.db');
  const triggers = await database.query("SELECT name FROM sqlite_schema WHERE type = 'trigger'");
  const drops = triggers.map(({ name }) => `DROP TRIGGER ${name};`).join(' ');
  const open = () => {
    writeFileSync(file, bytes);
    const db = openSqlite(file, { readBigInts: true });
    db.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${drops}`);
    return db;
  };
  return { open, look: () => check(site, '--database', `sqlite:${file}`) };
}

/**
 * Makes `count` changes and returns those of which `check` says nothing. `check` names the table of a
 * sealed row, so one of each of these tables is changed together; any other change is alone.
 */
export async function flips(t, count) {
  const { open, look } = await fill(t);
  const draw = dice(20_261_129);
  const missed = [];
  const waiting = new Map(); // of sealed columns, by table
  let made = 0;
  const one = async (column) => {
    const db = open();
    const what = flip(db, column, draw);
    db.close();
    if (!what) return;
    made++;
    if ((await look()).code === 0) missed.push(what.text);
  };
  const together = async () => {
    const db = open();
    const all = [...waiting.values()].map((column) => flip(db, column, draw)).filter(Boolean);
    db.close();
    waiting.clear();
    made += all.length;
    const { findings } = await look();
    for (const { table, text } of all)
      if (!findings.some((line) => line.includes(` of ${table} does not match`))) missed.push(text);
  };
  while (made < count) {
    const number = draw(noticed.length + sealed.length);
    if (number < noticed.length) await one(noticed[number]);
    const column = sealed[number - noticed.length];
    if (column && waiting.has(column[0])) await together();
    if (column) waiting.set(column[0], column);
  }
  await together();
  return missed;
}

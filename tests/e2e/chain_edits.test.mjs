// `stockact check` names rows and publications that were changed with SQL
// (docs/adr/0022-chain-over-publications.md).

import { strict as assert } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { known, noticed } from './lib/columns.mjs';
import { check, makeHistory } from './lib/damage.mjs';
import { openSqlite } from './lib/database.mjs';
import { reseal } from './lib/digests.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

onEachDatabase('edited rows', (kind) => {
  test('check names rows that were changed with SQL', async (t) => {
    const { site, ids, filing } = await makeHistory(t, kind);
    const { database } = site;
    const one = async (sql) => Object.values((await database.query(sql))[0])[0];
    const [id, other] = [ids[8], ids[9]];
    const whole = (await check(site)).head;
    const cells = await one(`SELECT printed FROM trade WHERE id = '${id}'`);
    const ticker = await one(`SELECT ticker FROM trade WHERE id = '${other}'`);
    const url = await one(`SELECT url FROM filing WHERE id = '${filing(id)}'`);
    const last = await one('SELECT max(no) FROM publication');
    const at = await one(`SELECT at FROM publication WHERE no = ${last}`);
    const member = await one(
      `SELECT m.slug FROM filing f JOIN member m ON m.no = f.member_no WHERE f.id = '${filing(id)}'`,
    );
    const quoted = (value) => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
    const trade = `WHERE id = '${id}'`;
    const edits = [
      [
        `UPDATE trade SET asset_name = asset_name || ' ' ${trade}`,
        `UPDATE trade SET asset_name = substr(asset_name, 1, length(asset_name) - 1) ${trade}`,
        `trade "${id}"`,
      ],
      [
        `UPDATE trade SET ticker = 'EVIL' WHERE id = '${other}'`,
        `UPDATE trade SET ticker = ${quoted(ticker)} WHERE id = '${other}'`,
        `trade "${other}"`,
      ],
      [
        `UPDATE trade SET printed = '{}' ${trade}`,
        `UPDATE trade SET printed = ${quoted(cells)} ${trade}`,
        `the source of trade "${id}"`,
      ],
      [
        `UPDATE trade SET position = position + 9000 ${trade}`,
        `UPDATE trade SET position = position - 9000 ${trade}`,
        `the source of trade "${id}"`,
      ],
      [
        `UPDATE trade SET withdrawn_at = 5, withdrawn_reason = '' ${trade}`,
        `UPDATE trade SET withdrawn_at = NULL, withdrawn_reason = NULL ${trade}`,
        `trade "${id}"`,
      ],
      [
        `UPDATE filing SET url = 'https://example.org/x' WHERE id = '${filing(id)}'`,
        `UPDATE filing SET url = '${url}' WHERE id = '${filing(id)}'`,
        `filing "${filing(id)}"`,
      ],
      [
        `UPDATE member SET slug = 'somebody-else' WHERE slug = '${member}'`,
        `UPDATE member SET slug = '${member}' WHERE slug = 'somebody-else'`,
        `filing "${filing(id)}"`,
      ],
      [
        `UPDATE publication SET by_email = 'x' || by_email WHERE no = ${last}`,
        `UPDATE publication SET by_email = substr(by_email, 2) WHERE no = ${last}`,
        `publication ${last} has changed since it was published`,
      ],
      [
        `UPDATE publication SET at = at + 1 WHERE no = ${last}`,
        `UPDATE publication SET at = ${at} WHERE no = ${last}`,
        `publication ${last} has changed since it was published`,
      ],
    ];
    for (const [edit, undo, named] of edits) {
      await database.execute(edit);
      const { code, findings } = await check(site);
      assert.equal(code, 1, edit);
      assert.ok(
        findings.some((line) => line.includes(named)),
        `${edit}: ${findings.join('\n')}`,
      );
      await database.execute(undo);
    }
    assert.deepEqual(await check(site), {
      code: 0,
      findings: [],
      head: whole,
      unsealed: undefined,
    });

    // a row with a digest that fits it: only the chain tells
    await database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${other}'`);
    await reseal(database);
    const published = await one(`SELECT publication_no FROM trade WHERE id = '${other}'`);
    assert.deepEqual((await check(site)).findings, [
      `publication ${published} has changed since it was published: its row, or the digests of its rows`,
    ]);
    await database.execute(`UPDATE trade SET ticker = ${quoted(ticker)} WHERE id = '${other}'`);
    await reseal(database);
    // the same for a row that changed since its publication
    await database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${ids[0]}'`);
    await reseal(database);
    assert.match(
      (await check(site)).findings.join('\n'),
      new RegExp(`^trade "${ids[0]}" does not have the digest of entry \\d+ of the chain$`),
    );
  });
});

onEachDatabase('columns', (kind) => {
  test('every column has its place in lib/columns.mjs', async (t) => {
    const { database } = await makeSite(t, { database: kind });
    const rows = await database.query(
      kind === 'sqlite'
        ? "SELECT m.name AS t, p.name AS c FROM sqlite_schema m, pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'"
        : "SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = 'stockact'",
    );
    const found = rows.map(({ t: table, c }) => `${table}.${c}`);
    assert.deepEqual(found.sort(), [...known].sort());
  });
});

test('a change of any column that has a digest is noticed', async (t) => {
  const { site } = await makeHistory(t, 'sqlite');
  const { file } = site.database;
  await site.database.query('PRAGMA wal_checkpoint(TRUNCATE)');
  await site.database.execute(
    `INSERT INTO document (kind, source_id, chamber, state, first_seen_at)
       VALUES ('house', '1', 'house', 'draft', 0);
     INSERT INTO document_version (document_no, sha256, bytes, seen_at) SELECT no,
       x'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 3, 0 FROM document
       WHERE source_id = '1';
     INSERT INTO document_bytes (version_no, bytes) SELECT max(no), x'616263' FROM document_version`,
  );
  assert.deepEqual((await check(site)).findings, []);
  const whole = readFileSync(file);
  const changed = path.join(site.folder, 'changed.db');
  const triggers = await site.database.query(
    "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
  );
  const drops = triggers.map(({ name }) => `DROP TRIGGER ${name};`).join(' ');
  const env = { STOCKACT_DATABASE: `sqlite:${changed}` };
  const missed = [];
  for (const [table, column] of noticed) {
    writeFileSync(changed, whole);
    const db = openSqlite(changed);
    db.exec(`PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; ${drops}`);
    const { type } = db
      .prepare('SELECT type FROM pragma_table_info(?) WHERE name = ?')
      .get(table, column);
    const other = {
      INTEGER: `coalesce(${column}, 0) + 1`,
      TEXT: `coalesce(${column}, '') || 'x'`,
      BLOB: `randomblob(max(8, coalesce(length(${column}), 0)))`,
    }[type];
    db.exec(
      `UPDATE ${table} SET ${column} = ${other} WHERE rowid = (SELECT max(rowid) FROM ${table})`,
    );
    db.close();
    const done = await site.run(['check'], { env });
    if (done.code !== 1) missed.push(`${table}.${column}`);
  }
  assert.deepEqual(missed, []);
});

// The digests of published rows and the chain over publications, as docs/adr/0022 describes them,
// written independently of the program.

import { createHash } from 'node:crypto';

const TRADE_SOURCE =
  'position page notified_day document_version_no printed withdrawn_reason withdrawn_with_filing';
const TRADE =
  'id disclosed_at ticker asset_name asset_type side amount_bucket trade_day owner_type details' +
  ' filing_no publication_no withdrawn_at';
const FILING =
  'no id chamber source_doc_id url member_id member_slug member_name member_party member_state' +
  ' filed_at state reason review reviewed_by reviewed_at amends_no document_version_no' +
  ' publication_no published_at withdrawn_at created_at';
const CORRECTION =
  'no kind trade_id filing_id at field old_value new_value reason by_email range_start range_end' +
  ' entries';
const PUBLICATION = 'no kind at by_email range_start range_end filings trades';

function number(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
}

function encode(value) {
  if (value === null || value === undefined) return Buffer.from([0]);
  if (typeof value === 'number') return Buffer.concat([Buffer.from([2]), number(value)]);
  const bytes = Buffer.from(value);
  const type = typeof value === 'string' ? 1 : 3;
  return Buffer.concat([Buffer.from([type]), number(bytes.length), bytes]);
}

/** SHA-256 over a list of texts, numbers, bytes and nulls. */
export function digest(kind, values) {
  const hash = createHash('sha256');
  for (const value of [`stockact ${kind} 1`, ...values]) hash.update(encode(value));
  return hash.digest();
}

const pick = (row, names) => names.split(' ').map((name) => row[name]);
const bytes = (hex) => (hex ? Buffer.from(hex, 'hex') : null);

export function tradeDigests(row) {
  const source = digest('trade source', pick(row, TRADE_SOURCE));
  return { source, own: digest('trade', [...pick(row, TRADE), source]) };
}

export const filingDigest = (row) => digest('filing', pick(row, FILING));
export const correctionDigest = (row) => digest('correction', pick(row, CORRECTION));

/** The tables that the chain is about; digests as Buffers. */
export async function published(database) {
  const hex = (column, of = column) =>
    database.kind === 'sqlite'
      ? `lower(hex(${of})) AS ${column}`
      : `encode(${of}, 'hex') AS ${column}`;
  const read = async (sql) => {
    const rows = await database.query(sql);
    for (const row of rows)
      for (const name of ['digest', 'source_digest', 'before', 'hash'])
        if (name in row) row[name] = bytes(row[name]);
    return rows;
  };
  const columns = (names, table) =>
    names
      .split(' ')
      .filter((name) => !name.startsWith('member_id') && !name.startsWith('member_slug'))
      .map((name) => `${table}.${name}`)
      .join(', ');
  const trades = await read(
    `SELECT t.no, ${columns(TRADE, 't')}, ${columns(TRADE_SOURCE, 't')}, ${hex('digest')},` +
      ` ${hex('source_digest')} FROM trade t ORDER BY t.disclosed_at, t.id`,
  );
  const filings = await read(
    `SELECT ${columns(FILING, 'f')}, m.id AS member_id, m.slug AS member_slug,` +
      ` ${hex('digest', 'f.digest')} FROM filing f LEFT JOIN member m ON m.no = f.member_no ORDER BY f.no`,
  );
  const corrections = await read(`SELECT ${columns(CORRECTION, 'c')} FROM correction c`);
  const publications = await read(`SELECT ${columns(PUBLICATION, 'p')} FROM publication p`);
  const chain = await read(
    `SELECT no, noun, row_no, ${hex('before')}, ${hex('digest')}, ${hex('hash')}` +
      ' FROM chain ORDER BY no',
  );
  return { trades, filings, corrections, publications, chain };
}

/** The digest of what a publication contained when entry `no` was written. */
export function contentDigest(all, publication, no) {
  const then = (row, nouns) =>
    all.chain.find((e) => e.no > no && e.row_no === row.no && nouns.includes(e.noun))?.before ??
    row.digest;
  const list = (rows, nouns) => {
    const mine = rows.filter((row) => row.publication_no === publication.no);
    return [...mine.flatMap((row) => [row.no, then(row, nouns)]), null, mine.length];
  };
  return digest('content', [
    digest('publication', pick(publication, PUBLICATION)),
    ...list(all.filings, ['filing', 'filing_damage']),
    ...list(all.trades, ['trade', 'damage']),
  ]);
}

export function chainHash(entry, previous) {
  const { no, noun, row_no: row, before, digest: what } = entry;
  return digest('chain', [previous, no, noun, row, before, what]);
}

/** Makes rows that a test changed with SQL look published. The chain does not have them. */
export async function reseal(database) {
  const { trades, filings } = await published(database);
  const literal = (digest) =>
    database.kind === 'sqlite' ? `x'${digest.toString('hex')}'` : `'\\x${digest.toString('hex')}'`;
  const changed = [];
  for (const row of trades) {
    const { source, own } = tradeDigests(row);
    if (!row.digest?.equals(own) || !row.source_digest?.equals(source))
      changed.push(
        `UPDATE trade SET digest = ${literal(own)}, source_digest = ${literal(source)}` +
          ` WHERE no = ${row.no}`,
      );
  }
  for (const row of filings)
    if (!row.digest?.equals(filingDigest(row)))
      changed.push(`UPDATE filing SET digest = ${literal(filingDigest(row))} WHERE no = ${row.no}`);
  if (changed.length) await database.execute(changed.join(';\n'));
}

/** Makes the present rows the published ones: new digests, and a new chain as a migration builds it. */
export async function rechain(database) {
  await reseal(database);
  const all = { ...(await published(database)), chain: [] };
  const byNo = (a, b) => a.no - b.no;
  const entries = [
    ...all.publications
      .sort(byNo)
      .map((p) => ({ noun: 'publication', row_no: p.no, digest: contentDigest(all, p, 0) })),
    ...all.corrections
      .sort(byNo)
      .map((c) => ({ noun: 'correction', row_no: c.no, digest: correctionDigest(c) })),
  ];
  const literal = (digest) =>
    database.kind === 'sqlite' ? `x'${digest.toString('hex')}'` : `'\\x${digest.toString('hex')}'`;
  let previous = Buffer.alloc(32);
  const inserts = entries.map((entry, i) => {
    previous = chainHash({ ...entry, no: i + 1, before: null }, previous);
    const { noun, row_no: row, digest: what } = entry;
    return (
      'INSERT INTO chain (no, noun, row_no, digest, hash) VALUES' +
      ` (${i + 1}, '${noun}', ${row}, ${literal(what)}, ${literal(previous)})`
    );
  });
  const allow =
    database.kind === 'sqlite'
      ? 'DROP TRIGGER IF EXISTS chain_no_delete'
      : 'ALTER TABLE chain DISABLE TRIGGER USER';
  await database.execute(
    [
      allow,
      'DELETE FROM chain',
      ...inserts,
      `UPDATE counter SET value = ${entries.length} WHERE name = 'chain'`,
      "DELETE FROM meta WHERE name = 'chain'",
    ].join(';\n'),
  );
}

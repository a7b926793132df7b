// `stockact snapshot` and `stockact verify`: files that prove themselves, whole or not there at all
// (docs/adr/0043-snapshots.md).

import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { unlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { Changing, SYMBOLS, WHY } from './lib/changing.mjs';
import { run } from './lib/child.mjs';
import { openSqlite } from './lib/database.mjs';
import { programPath } from './lib/programs.mjs';
import { binary, databaseKinds, root } from './lib/settings.mjs';
import { MARLOW } from './lib/signal_site.mjs';
import { makeSite, onEachDatabase, useSite } from './lib/site.mjs';

const DAYS = ['2026-03-02', '2026-03-03', '2026-03-04'];
const BUCKETS = ['1k_15k', '15k_50k', '50k_100k', '100k_250k'];
const hasPandas = existsSync('/usr/lib/python3/dist-packages/pandas');
const noMinisign = programPath('minisign') ? false : 'minisign is not installed';

const rows = (folder, name) =>
  gunzipSync(readFileSync(path.join(folder, name)))
    .toString()
    .split(/\r?\n/)
    .slice(0, -1);
const daysOf = (folder) => readdirSync(folder).filter((name) => !name.startsWith('.'));

/** The lines of a file, from those of the day before. */
function replay(before, hunks) {
  const lines = [];
  let at = 0;
  for (const hunk of hunks) {
    lines.push(...before.slice(at, hunk.at), ...hunk.add);
    at = hunk.at + hunk.drop;
  }
  return [...lines, ...before.slice(at)];
}

/** A generator of the same numbers in each run: from 0 to n - 1. */
function dice(seed) {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** A site that changes for a long time, with a snapshot a day; returns the folder of them. */
async function live(t, database, days) {
  const site = await makeSite(t, { database, clock: '2026-03-01T12:00:00Z' });
  const changing = new Changing(site);
  const roll = dice(35);
  const pick = (list) => list[roll(list.length)];
  const folder = path.join(site.folder, 'data');
  await (await site.serve()).stop(); // makes the master key
  await changing.members(MARLOW);
  await changing.seats('');
  await changing.backfill(30, 'JPM');
  const acts = [
    () => changing.publish(),
    () => changing.publish(),
    () => changing.backfill(1 + roll(5), pick(['JPM', 'XOM', '--'])),
    async () =>
      changing.run(['correct', pick(await changing.ids()), 'amountBucket', pick(BUCKETS), ...WHY]),
    async () =>
      changing.run(['correct', pick(await changing.ids()), 'ticker', pick(SYMBOLS), ...WHY]),
    async () => changing.run(['withdraw', pick(await changing.ids()), ...WHY]),
    async () => changing.run(['withdraw', pick(await changing.filings()), ...WHY]),
    async () => changing.run(['reinstate', pick(await changing.ids()), ...WHY]),
    async () => changing.run(['reinstate', pick(await changing.filings()), ...WHY]),
    () => changing.members({ ...MARLOW, last: pick(['Marlow', 'Marlowe']) }),
    async () => {
      await changing.seats(pick(['Chairman', '', null]));
      await changing.run(['sweep']);
    },
  ];
  for (let day = 0; day < days; day++) {
    await site.clock.advance(86_400_000);
    for (let n = 1 + roll(3); n > 0; n--) await pick(acts)();
    await site.stockact('snapshot', folder);
  }
  assert.deepEqual(await faultsOf(site, folder), []);
  return folder;
}

/** A site with a server, and a folder with one snapshot of each day. */
async function prepare(site) {
  await site.stockact('demo', '--trades', 400, '--as-of', '2026-03-02');
  const server = await site.serve();
  const folder = path.join(site.folder, 'data');
  for (const day of DAYS) {
    await site.clock.set(`${day}T12:00:00Z`);
    await site.stockact('snapshot', folder);
  }
  return { server, folder };
}

let copies = 0;
function copyOf({ site, folder }) {
  const to = path.join(site.folder, `copy-${++copies}`);
  cpSync(folder, to, { recursive: true, verbatimSymlinks: true });
  return to;
}

/** The paths that `verify` names, relative to the folder. */
async function faultsOf(site, folder, ...args) {
  const done = await site.run(['verify', folder, ...args, '--json']);
  const lines = done.stdout.trim().split('\n').map(JSON.parse);
  const faults = lines.filter(({ fault }) => fault);
  assert.equal(done.code, faults.length ? 1 : 0, done.stderr);
  return faults.map(({ fault, what }) => `${path.relative(folder, fault)} ${what}`);
}

async function refused(site, args, hint) {
  const done = await site.run(args);
  assert.equal(done.code, 1, done.stdout + done.stderr);
  assert.match(done.stderr, hint);
}

onEachDatabase('snapshot', (database) => {
  const shared = useSite({ database, clock: '2026-03-02T12:00:00Z' }, prepare);

  test('has the rows of the API that visitors see, and no other', async () => {
    const { server, site, folder } = shared;
    const key = await site.key();
    const latest = path.join(folder, 'latest');
    const { publishedBefore } = JSON.parse(readFileSync(path.join(latest, 'manifest.json')));
    const all = [];
    for (let cursor = ''; cursor !== null;) {
      const page = await server.json(`/api/v1/trades?limit=100${cursor}`, { key });
      all.push(...page.data);
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : null;
    }
    const seen = all.filter(({ disclosedAt }) => disclosedAt < publishedBefore);
    assert.equal(Date.parse(publishedBefore), Date.parse('2026-03-02T12:00:00.001Z'));
    const written = rows(latest, 'trades.jsonl.gz').map(JSON.parse);
    assert.ok(seen.length > 100);
    const plain = written.map(({ details, dates, ...trade }) => {
      assert.ok(details !== undefined && dates);
      return trade;
    });
    assert.deepEqual(plain, seen);
    assert.equal(rows(latest, 'trades.csv.gz').length, seen.length + 1);
    const filings = rows(latest, 'filings.jsonl.gz').map((row) => JSON.parse(row).url);
    assert.ok(seen.every(({ filingUrl }) => filings.includes(filingUrl)));
    const people = rows(latest, 'politicians.jsonl.gz').map(JSON.parse);
    const linesOf = (name) => rows(latest, name).map(JSON.parse);
    const corrections = await server.json('/api/v1/corrections?limit=100', { key });
    assert.deepEqual(linesOf('corrections.jsonl.gz'), corrections.data);
    const flagged = seen.filter(({ conflictSignal }) => conflictSignal);
    assert.deepEqual(
      linesOf('conflicts.jsonl.gz').map(({ tradeId, reason }) => [tradeId, reason]),
      flagged.map(({ id, conflictReason }) => [id, conflictReason]),
    );
    const newest = linesOf('seats.jsonl.gz').filter(
      (seat, i, all) =>
        seat.lastListedOn ===
        all
          .map((one) => one.lastListedOn)
          .sort()
          .at(-1),
    );
    const today = people.flatMap(({ id, committees }) =>
      committees.map((one) => `${id} ${one.id}`),
    );
    const seated = new Set(newest.map((one) => `${one.politicianId} ${one.committeeId}`));
    assert.deepEqual(
      today.filter((one) => !seated.has(one)),
      [],
    );
    const counted = people.reduce((sum, { counts }) => sum + counts.trades, 0);
    assert.equal(counted, seen.length);
  });

  test('hides what is younger than the line, unless it is asked for', async () => {
    const { server, site } = shared;
    const early = path.join(site.folder, 'early');
    const whole = path.join(site.folder, 'whole');
    const newest = (await server.json('/api/v1/trades?limit=1')).data[0].disclosedAt;
    const line = new Date(Date.parse(newest) + 48 * 3_600_000); // visitors see it at this instant
    await site.clock.set(line.getTime() - 1);
    await site.stockact('snapshot', early);
    await site.stockact('snapshot', '--whole', whole);
    const ids = (folder) =>
      rows(path.join(folder, 'latest'), 'trades.jsonl.gz').map((row) => JSON.parse(row));
    assert.equal(ids(whole).length, 400);
    assert.deepEqual(
      ids(early),
      ids(whole).filter(({ disclosedAt }) => disclosedAt < newest),
    );
    assert.ok(ids(early).length < 400);
    await site.clock.set('2026-03-05T12:00:00Z');
    await refused(site, ['snapshot', whole], /use another folder/);
    await refused(site, ['snapshot', '--whole', early], /use another folder/);
    await site.clock.set(`${DAYS[2]}T12:00:00Z`);
  });

  test('describes each column and member that its rows have, in order', () => {
    const latest = path.join(shared.folder, 'latest');
    const { resources } = JSON.parse(readFileSync(path.join(latest, 'datapackage.json')));
    assert.deepEqual(
      resources.map((resource) => resource.path).sort(),
      readdirSync(latest)
        .filter((name) => name.endsWith('.gz'))
        .sort(),
    );
    for (const { path: name, format, schema } of resources) {
      const names = schema.fields.map((field) => field.name);
      const written = rows(latest, name);
      if (format === 'csv') assert.deepEqual(written[0].split(','), names);
      else
        for (const row of written)
          assert.deepEqual(Object.keys(JSON.parse(row)).sort(), names.toSorted());
      assert.ok(schema.fields.every(({ description, type }) => type === 'object' || description));
    }
  });

  test('says of each year how many rows have a column', () => {
    const latest = path.join(shared.folder, 'latest');
    const { resources } = JSON.parse(readFileSync(path.join(latest, 'datapackage.json')));
    const db = openSqlite(path.join(latest, 'stockact.sqlite'), { readOnly: true });
    const dated = { 'trades-csv': 'disclosed_at', corrections: 'at', seats: 'firstListedOn' };
    let columns = 0;
    for (const { name, schema } of resources) {
      if (name === 'trades' || name === 'changes') continue;
      const table = name.replace('-csv', '');
      const day = name === 'filings' ? 'filedAt' : dated[name];
      const year = day ? `cast(substr("${day}", 1, 4) as integer)` : 'null';
      for (const field of schema.fields) {
        assert.equal('completeness' in field, !field.constraints.required, field.name);
        if (field.constraints.required) continue;
        const known = `sum("${field.name}" is not null)`;
        const wanted = db
          .prepare(
            `select ${year} year, ${known} known, count(*) - ${known} notKnown
            from "${table}" group by 1 order by 1`,
          )
          .all();
        assert.deepEqual(
          field.completeness,
          wanted.map((row) => ({ ...row })),
          `${name} ${field.name}`,
        );
        columns += wanted.length;
      }
    }
    db.close();
    assert.ok(columns > 30);
  });

  test('has the company of the day, what it did, and how each filing was reviewed', async () => {
    const { server, site } = shared;
    const key = await site.key({ plan: 'den' });
    const latest = path.join(shared.folder, 'latest');
    const { data } = Papa.parse(rows(latest, 'trades.csv.gz').join('\n'), { header: true });
    const one = data.find((row) => row.conflict_industry && row.ticker);
    assert.ok(one.company_industries.split('; ').includes(one.conflict_industry));
    const ticker = (await server.json(`/api/v1/tickers/${one.ticker}`, { key })).data;
    assert.ok(ticker.companies.some(({ name }) => name === one.company_name));
    const reviews = rows(latest, 'reviews.jsonl.gz').map(JSON.parse);
    assert.equal(reviews.length, rows(latest, 'filings.jsonl.gz').length);
    const { source } = (await server.json(`/api/v1/filings/${reviews[0].filingId}`, { key })).data;
    const { review, reviewers, sha256, amends, amendedBy } = source;
    assert.deepEqual(reviews[0], {
      filingId: reviews[0].filingId,
      review,
      reviewedAt: reviewers.at(-1)?.at ?? null,
      sha256,
      amends,
      amendedBy,
    });
  });

  test('has the same rows as tables, that lead to each other and can be searched', () => {
    const latest = path.join(shared.folder, 'latest');
    const { resources } = JSON.parse(readFileSync(path.join(latest, 'datapackage.json')));
    const db = openSqlite(path.join(latest, 'stockact.sqlite'), { readOnly: true });
    const all = (sql) => db.prepare(sql).all();
    assert.deepEqual(all('PRAGMA integrity_check').map(Object.values), [['ok']]);
    assert.deepEqual(all('PRAGMA foreign_key_check'), []);
    const tables = all("select name from sqlite_schema where type = 'table' and sql is not null");
    const about = JSON.parse(readFileSync(path.join(latest, 'datasette.json'))).databases.stockact;
    const named = Object.keys(about.tables);
    assert.deepEqual(
      tables.map(({ name }) => name).filter((name) => !name.startsWith('trades_fts')),
      named,
    );
    for (const { name, path: file, format, schema, foreignKeys } of resources) {
      const table = name.replace('-csv', '');
      if (name === 'trades' || name === 'changes') continue;
      const written = rows(latest, file);
      const got = all(`select * from "${table}"`);
      assert.equal(got.length, written.length - (format === 'csv'), file);
      const columns = all(`select name from pragma_table_info('${table}')`);
      const names = schema.fields.map((field) => field.name);
      assert.deepEqual(
        columns.map((column) => column.name),
        names,
      );
      assert.deepEqual(Object.keys(about.tables[table].columns), names);
      const keys = all(`select "from", "table" from pragma_foreign_key_list('${table}')`);
      assert.equal(keys.length, (schema.foreignKeys ?? foreignKeys ?? []).length, table);
      if (format === 'csv') continue;
      const byText = (a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b));
      const flat = (value) => {
        if (typeof value === 'boolean') return Number(value);
        return value !== null && typeof value === 'object' ? JSON.stringify(value) : value;
      };
      const wanted = written.map((row) =>
        Object.fromEntries(
          Object.entries(JSON.parse(row)).map(([key, value]) => [
            key,
            value === '' ? null : flat(value),
          ]),
        ),
      );
      assert.deepEqual(got.map((row) => ({ ...row })).sort(byText), wanted.sort(byText), table);
    }
    const [one] = all(
      'select id, asset_name, ticker, amount_min from trades where ticker is not null',
    );
    assert.equal(typeof one.amount_min, 'number');
    const found = all(`select t.id from trades_fts f join trades t on t.rowid = f.rowid
      where trades_fts match '"${one.ticker}"'`);
    assert.ok(found.some(({ id }) => id === one.id));
    db.close();
  });

  test('opens in the programs of others, with the same values', () => {
    const latest = path.join(shared.folder, 'latest');
    const script = path.join(root, 'tests/e2e/lib/readers.py');
    const more = hasPandas ? ['--pandas'] : [];
    const options = { encoding: 'utf8', maxBuffer: 1 << 26 };
    const got = JSON.parse(
      execFileSync('/usr/bin/python3', ['-B', script, latest, ...more], options),
    );
    // as a spreadsheet: it finds out the ends of lines and the columns itself
    const sheet = Papa.parse(
      gunzipSync(readFileSync(path.join(latest, 'trades.csv.gz'))).toString(),
      {
        header: true,
        skipEmptyLines: true,
      },
    );
    assert.deepEqual(sheet.errors, []);
    const wanted = sheet.data.map((row) => got.texts.map((name) => row[name]));
    const { length } = wanted;
    assert.equal(length, rows(latest, 'trades.jsonl.gz').length);
    assert.deepEqual(got.csv, wanted);
    assert.deepEqual(got.sqlite.rows, wanted);
    if (hasPandas) assert.deepEqual(got.pandas, wanted);
    const ids = sheet.data.map(({ id }) => id);
    assert.deepEqual(got.json, ids);
    assert.deepEqual(got.sqlite.missing, {});
    assert.equal(got.sqlite.joined, length); // each trade has its member and its filing
    assert.ok(Object.values(got.sqlite.facets).every((count) => count === length));
    assert.equal(got.sqlite.values.chamber, 2);
  });

  test('is a chain that verify follows to its first link', async () => {
    const { site, folder } = shared;
    const [said] = await site.stockact('verify', folder);
    assert.equal(said.snapshots, 3);
    assert.equal(said.newest, DAYS[2]);
    assert.deepEqual(await faultsOf(site, folder, '--key', said.key), []);
    const [fault] = await faultsOf(site, folder, '--key', said.key.replace(/..$/, 'AA'));
    assert.match(fault, new RegExp(`^${DAYS[2]} another key`));
    assert.equal(readlinkSync(path.join(folder, 'latest')), DAYS[2]);
  });

  test('is signed as minisign verifies', { skip: noMinisign }, async () => {
    const latest = path.join(shared.folder, 'latest');
    const file = path.join(latest, 'manifest.json');
    const args = ['-V', '-p', path.join(latest, 'stockact.pub'), '-m', file];
    const done = await run('minisign', args);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /snapshot 2026-03-04, number 3/);
  });

  test('names every file of which one byte was changed', async () => {
    const { site, folder } = shared;
    for (const name of readdirSync(path.join(folder, DAYS[1]))) {
      const copy = copyOf(shared);
      const file = path.join(copy, DAYS[1], name);
      const bytes = readFileSync(file);
      bytes[bytes.length - 5] ^= 1;
      writeFileSync(file, bytes);
      const faults = await faultsOf(site, copy);
      assert.equal(faults.length, 1, `${name}: ${faults}`);
      const is = /^(manifest|stockact\.pub)/.test(name) ? DAYS[1] : `${DAYS[1]}/${name}`;
      assert.ok(faults[0].startsWith(is), faults[0]);
    }
  });

  test('names a file and a snapshot that is missing, and one that was added', async () => {
    const { site } = shared;
    const copy = copyOf(shared);
    unlinkSync(path.join(copy, DAYS[2], 'filings.jsonl.gz'));
    writeFileSync(path.join(copy, DAYS[0], 'more.csv'), '');
    const faults = await faultsOf(site, copy);
    assert.deepEqual(
      faults.map((fault) => fault.split(' ')[0]),
      [`${DAYS[0]}/more.csv`, `${DAYS[2]}/filings.jsonl.gz`],
    );
    for (const [gone, next] of [
      [0, 1],
      [1, 2],
    ]) {
      const other = copyOf(shared);
      rmSync(path.join(other, DAYS[gone]), { recursive: true });
      const [fault] = await faultsOf(site, other);
      assert.match(fault, new RegExp(`^${DAYS[next]} .*missing`));
    }
  });

  test('is not made twice a day, before a later one, or on a damaged one', async () => {
    const { site } = shared;
    const copy = copyOf(shared);
    unlinkSync(path.join(copy, 'latest')); // as a kill after the last rename but one leaves it
    await refused(site, ['snapshot', copy], /nothing to do/);
    assert.equal(readlinkSync(path.join(copy, 'latest')), DAYS[2]);
    await site.clock.set('2026-03-03T12:00:00Z');
    await refused(site, ['snapshot', copy], /of a later day/);
    await site.clock.set('2026-03-05T12:00:00Z');
    const file = path.join(copy, DAYS[2], 'manifest.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"rows":', '"rows" :'));
    await refused(site, ['snapshot', copy], /the newest snapshot is damaged/);
    assert.deepEqual(daysOf(copy).sort(), [...DAYS, 'latest']);
    await site.clock.set(`${DAYS[2]}T12:00:00Z`);
  });

  test('leaves the last whole one after a kill or a full disk at any step', async () => {
    const { site } = shared;
    const copy = copyOf(shared);
    renameSync(path.join(copy, DAYS[2]), path.join(site.folder, 'aside'));
    const fresh = path.join(copy, '.new');
    const stopped = async (call, how, name) => {
      const injected = `inject=${call}:${how}`;
      const file = name ? ['-P', path.join(fresh, name)] : [];
      const watch = ['-f', '-o', '/dev/null', ...file, '-e', `trace=${call}`, '-e', injected];
      const ends = how.includes('KILL') ? { endsBy: 'SIGKILL' } : {};
      const done = await run('strace', [...watch, binary, 'snapshot', copy], {
        env: site.env,
        ...ends,
      });
      if (how.includes('KILL')) assert.equal(done.signal, 'SIGKILL', done.stderr);
      else assert.match(done.stderr, /the disk is full/);
      assert.ok(!daysOf(copy).includes(DAYS[2]), injected);
    };
    for (let nth = 1; nth <= 16; nth++)
      // nine files, the tables, five small ones, the folder
      await stopped('fsync', `signal=KILL:when=${nth}`);
    await stopped('rename', 'signal=KILL:error=EIO:when=1');
    assert.ok(readdirSync(fresh).length > 0); // the kill left it, and the next run removes it
    for (let nth = 1; nth <= 16; nth++) await stopped('fsync', `error=ENOSPC:when=${nth}`);
    for (const [name, call] of [
      ['trades.csv.gz', 'write'],
      ['stockact.sqlite', 'pwrite64'],
      ['manifest.json', 'write'],
    ]) {
      await stopped(call, 'error=ENOSPC:when=1', name);
      await stopped(call, 'signal=KILL:when=1', name);
    }
    const held = [path.join(copy, '.lock'), binary, 'snapshot', copy]; // as another run holds it
    const busy = await run('flock', held, { env: site.env });
    assert.match(busy.stderr, /another `stockact snapshot` writes/);
    await site.stockact('snapshot', copy);
    assert.deepEqual(await faultsOf(site, copy), []);
    const bytes = (folder) => readFileSync(path.join(folder, DAYS[2], 'manifest.json'), 'utf8');
    assert.equal(bytes(copy), bytes(shared.folder)); // the same rows at the same time
  });
});

test('changes lead from each snapshot to the next, over a long life', async (t) => {
  const folders = await Promise.all(databaseKinds.map((database) => live(t, database, 30)));
  const [folder, ...others] = folders;
  const days = daysOf(folder).filter((day) => day !== 'latest');
  let added = 0;
  let dropped = 0;
  assert.equal(days.length, 30);
  for (const [i, day] of days.entries()) {
    if (i === 0) continue;
    const before = path.join(folder, days[i - 1]);
    const is = path.join(folder, day);
    const hunks = rows(is, `changes-${days[i - 1]}.jsonl.gz`).map(JSON.parse);
    const { files } = JSON.parse(readFileSync(path.join(is, 'manifest.json')));
    const data = files.filter(({ name }) => name.endsWith('.gz') && !name.startsWith('changes'));
    for (const { name } of data) {
      const text = (where) => gunzipSync(readFileSync(path.join(where, name))).toString();
      const lines = text(before).split('\n').slice(0, -1);
      const made = replay(
        lines,
        hunks.filter(({ file }) => file === name),
      );
      assert.equal(made.map((line) => `${line}\n`).join(''), text(is), `${day} ${name}`);
    }
    added += hunks.reduce((sum, { add }) => sum + add.length, 0);
    dropped += hunks.reduce((sum, { drop }) => sum + drop, 0);
    for (const other of others)
      for (const { name } of files)
        if (name !== 'datapackage.json')
          assert.deepEqual(
            readFileSync(path.join(is, name)),
            readFileSync(path.join(other, day, name)),
            `${day} ${name} differs from database to database`,
          );
  }
  assert.ok(added > 100 && dropped > 30, `${added} lines were added, ${dropped} dropped`);
});

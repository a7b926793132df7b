// `stockact status`: one screen about the database, and what to do next.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { housePdf } from './lib/house_pdf.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';

/** The screen as an object: its labels are the keys. */
async function screen(site, args = ['status']) {
  const done = await site.run(args);
  assert.equal(done.code, 0, done.stderr);
  const lines = done.stdout.split('\n\n')[0].split('\n');
  return Object.fromEntries(lines.map((line) => [line.slice(0, 22).trim(), line.slice(22)]));
}

/** The record of the screen. */
const record = async (site) =>
  (await site.stockact('status')).find((line) => line.level === undefined);

onEachDatabase('status', (database) => {
  test('follows a database from its start to its first draft', async (t) => {
    const site = await makeSite(t, { database, empty: true });
    await site.stockact('migrate');
    assert.equal((await record(site)).data, null);
    assert.match((await record(site)).next, /^stockact setup .* or stockact demo/);
    await site.stockact('setup');
    const filled = await screen(site);
    assert.equal(filled.data, 'real');
    assert.match(filled.people, /^1,\d{3}$/);
    assert.equal(filled['drafts waiting'], 'none');
    for (const list of ['seats', 'members', 'symbols'])
      assert.match(filled[`${list} as of`], /^2026-\d\d-\d\d, \d+ days ago$/);
    assert.match(filled['last import'], / ago$/);
    assert.equal(filled['last ingest'], 'never');
    assert.match(filled['last backup'], database === 'sqlite' ? /^never$/ : /^made by PostgreSQL/);
    assert.match(filled.version, /^stockact \d/);
    assert.match(filled.next, /^stockact ingest FOLDER/);

    const report = path.join(site.folder, '20990001.pdf');
    writeFileSync(report, housePdf({ id: '20990001' }));
    await site.stockact('ingest', report);
    const waiting = await record(site);
    assert.equal(waiting.needsManual + waiting.draft, 1);
    assert.ok(waiting.lastIngest);
    assert.match(waiting.next, /^stockact review list: 1 report waits/);
    if (database === 'sqlite') {
      assert.equal(waiting.lastBackup, null);
    }
    const missing = async () =>
      (await site.stockact('status')).filter(({ topic }) => topic === 'backup').length;
    assert.equal(await missing(), database === 'sqlite' ? 1 : 0);
    if (database === 'sqlite') await site.stockact('backup', path.join(site.folder, 'copy.db'));
    else await site.stockact('backup', '--note');
    assert.ok((await record(site)).lastBackup);
    assert.equal(await missing(), 0);
  });

  test('warns of old lists, and doctor names them', async (t) => {
    const site = await makeSite(t, { database, empty: true, clock: '2028-01-01T12:00:00Z' });
    await site.stockact('setup');
    const lists = async () =>
      (await site.stockact('status'))
        .filter(({ topic }) => topic === 'lists')
        .map(({ more }) => more);
    const commands = ['committees import', 'members import', 'tickers import'];
    assert.deepEqual(
      await lists(),
      commands.map((command) => `stockact ${command}`),
    );
    const found = (await site.run(['doctor', '--json'])).stdout;
    assert.match(found, /"check":"list of symbols","result":"warn","found":"2026-/);
    const symbols = path.join(site.folder, 'symbols.csv');
    writeFileSync(symbols, 'Symbol,Security Name\nQQAW,Abacus Works - Common Stock\n');
    await site.stockact('tickers', 'import', symbols);
    assert.deepEqual((await lists()).length, 2);
    assert.equal((await record(site)).symbolsAsOf, '2028-01-01');
    const told = (await screen(site))['symbols as of'];
    assert.equal(told, 'imported 2028-01-01, 0 days ago', 'the file does not say its day');
  });

  test('names what an upgrade asks for until it is done', async (t) => {
    const site = await makeSite(t, { database, empty: true });
    await site.stockact('setup');
    // as the first migration of a database with this schema leaves it
    await site.database.execute("INSERT INTO meta (name, value) VALUES ('upgraded_from', '13')");
    const asked = async () =>
      (await site.stockact('status'))
        .filter(({ topic }) => topic === 'upgrade')
        .map(({ more }) => more.split(' ').slice(1, 3).join(' '));
    const tasks = ['members import', 'members correct', 'reread --by', 'audit', 'review scan'];
    assert.deepEqual(await asked(), [...tasks, 'check']);
    await site.stockact('check');
    await site.stockact('review', 'scan', '--all-waiting');
    await site.stockact('audit', '--kind', 'symbols'); // not all of it
    await site.stockact('reread'); // looks, and corrects nothing
    const why = ['--by', 'desk@example.org', '--reason', 'terms'];
    await site.stockact('members', 'correct', ...why, '--dry-run');
    assert.deepEqual(await asked(), tasks.slice(0, 4));
    await site.stockact('members', 'correct', ...why);
    await site.stockact('reread', '--by', 'desk@example.org');
    await site.stockact('audit');
    assert.deepEqual(await asked(), ['members import']);
    const unknown = await site.run(['migrate', '--done', 'terms']);
    assert.equal(unknown.code, 2, unknown.stderr);
    await site.stockact('migrate', '--done', 'members');
    assert.deepEqual(await asked(), []);
  });

  test('counts public trades and failing webhooks', async (t) => {
    const site = await makeSite(t, { database, empty: true });
    await site.stockact('demo', '--trades', '50');
    const server = await site.serve();
    const email = await site.account();
    const url = 'https://example.org/hook';
    await site.stockact('webhooks', 'add', '--email', email, '--url', url);
    const [endpoint] = await site.stockact('webhooks', 'list');
    const before = await record(site);
    assert.equal(before.data, 'invented');
    assert.equal(before.trades, 50);
    assert.deepEqual([before.endpoints, before.endpointsFailing], [1, 0]);
    await site.stockact('webhooks', 'disable', '--id', endpoint.id);
    assert.equal((await record(site)).endpointsFailing, 0, 'its owner turned it off');
    await site.database.execute(`UPDATE endpoint SET failures = 10 WHERE id = '${endpoint.id}'`);
    assert.equal((await record(site)).endpointsFailing, 1);
    assert.match((await screen(site)).data, /^demonstration/);
    assert.match(before.next, /^to begin with real data, name a new database .* `stockact setup`$/);
    await server.stop();
    assert.equal((await record(site)).next, 'stockact serve');
  });
});

test('stockact alone shows the first steps, and later the status', async (t) => {
  const site = await makeSite(t, { empty: true, env: { STOCKACT_DATABASE: '' } });
  const first = await site.run([]);
  assert.equal(first.code, 0);
  assert.match(first.stdout, /no database yet.*\n\n {2}stockact demo .*\n {2}stockact setup /);
  await site.stockact('demo', '--trades', '10');
  const file = path.join(site.folder, 'var/stockact.db');
  assert.equal((await screen(site, [])).database, file);
});

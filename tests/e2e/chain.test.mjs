// The chain over publications: rows that were changed by something other than the program are
// found and named (docs/adr/0022-chain-over-publications.md).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { check, every, force, makeHistory } from './lib/damage.mjs';
import {
  chainHash,
  contentDigest,
  correctionDigest,
  filingDigest,
  published,
  tradeDigests,
} from './lib/digests.mjs';
import { flips } from './lib/flips.mjs';
import { gate } from './lib/settings.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

const CHANGES = gate ? 200 : 10_000;

onEachDatabase('chain', (kind) => {
  test('digests and hashes are those of the decision record', async (t) => {
    const { site } = await makeHistory(t, kind);
    const all = await published(site.database);
    assert.ok(all.trades.length >= 70 && all.chain.length >= 20);
    for (const row of all.trades) {
      const { source, own } = tradeDigests(row);
      assert.deepEqual([row.source_digest, row.digest], [source, own], row.id);
    }
    for (const row of all.filings) assert.deepEqual(row.digest, filingDigest(row), row.id);
    let previous = Buffer.alloc(32);
    for (const [i, entry] of all.chain.entries()) {
      assert.equal(entry.no, i + 1);
      assert.deepEqual(entry.hash, chainHash(entry, previous));
      previous = entry.hash;
      if (entry.noun === 'publication') {
        const publication = all.publications.find((p) => p.no === entry.row_no);
        assert.deepEqual(entry.digest, contentDigest(all, publication, entry.no));
      }
      if (entry.noun === 'correction') {
        const correction = all.corrections.find((c) => c.no === entry.row_no);
        assert.deepEqual(entry.digest, correctionDigest(correction));
      }
    }
    const { code, findings, head } = await check(site);
    assert.deepEqual([code, findings], [0, []]);
    assert.equal(head, `${all.chain.length}:${previous.toString('hex')}`);
  });

  test('check names changes in the chain and the log, and a truncated chain', async (t) => {
    const { site } = await makeHistory(t, kind);
    const { database } = site;
    const { head } = await check(site);
    const n = Number(head.split(':')[0]);
    const noted = ['--head', head];
    assert.equal((await check(site, ...noted)).code, 0);
    assert.equal((await site.run(['check', '--head', 'x'])).code, 2);

    await force(database, 'correction', "UPDATE correction SET reason = 'x' WHERE no = 3");
    assert.deepEqual((await check(site)).findings, [
      'correction 3 does not match its digest in the chain',
    ]);
    const server = await site.serve();
    const log = await every(server, '/api/v1/corrections');
    const [{ n: entries }] = await database.query('SELECT count(*) AS n FROM correction');
    assert.equal(log.length, entries - 1);
    assert.ok(!log.some((entry) => entry.id === 'correction-3' || entry.reason === 'x'));
    await until('the log says so', () => /corrections are damaged/.test(server.log));
    const changes = await server.json('/api/v1/changes?limit=100');
    assert.ok(changes.data.every((entry) => entry.reason !== 'x'));
    await server.stop();

    // the start noted the whole chain as verified: a later start sees that the chain was cut
    await force(database, 'chain', `DELETE FROM chain WHERE no = ${n}`);
    await database.execute(`UPDATE counter SET value = ${n - 1} WHERE name = 'chain'`);
    const cut = await check(site, ...noted);
    assert.ok(cut.findings.some((line) => line.includes(`has no entry ${n}`)));
    assert.ok(cut.findings.some((line) => /publication \d+ has no entry|has no entry/.test(line)));

    const literal = kind === 'sqlite' ? `x'${'00'.repeat(32)}'` : `'\\x${'00'.repeat(32)}'`;
    await database.execute(`UPDATE chain SET hash = ${literal} WHERE no = 2`);
    const broken = (await check(site)).findings.join('\n');
    assert.match(broken, /entry 2 of the chain .* does not continue entry 1/);
    assert.match(broken, /entry 3 of the chain .* does not continue entry 2/);
    await database.execute('DELETE FROM chain WHERE no BETWEEN 4 AND 6');
    assert.match(
      (await check(site)).findings.join('\n'),
      /entries 4 to 6 of the chain over publications are missing/,
    );
    const next = await site.serve();
    await until('the log says so', () => /the chain over publications is broken/.test(next.log));
    const metrics = await (await next.get('/metrics')).text;
    assert.match(metrics, /^stockact_chain_findings [1-9]/m);
  });

  test('a publication that was deleted with all its rows is found', async (t) => {
    const { site } = await makeHistory(t, kind);
    const { database } = site;
    const [{ no }] = await database.query('SELECT max(no) AS no FROM publication');
    const of = `(SELECT no FROM trade WHERE publication_no = ${no})`;
    await force(database, 'finding_history', `DELETE FROM finding_history WHERE trade_no IN ${of}`);
    await force(database, 'change_log', `DELETE FROM change_log WHERE trade_no IN ${of}`);
    await database.execute(
      `DELETE FROM trade_finding WHERE trade_no IN ${of};` +
        ` DELETE FROM trade WHERE publication_no = ${no};` +
        ' DELETE FROM delivery; DELETE FROM event;' +
        ` DELETE FROM filing WHERE publication_no = ${no};` +
        ` DELETE FROM publication WHERE no = ${no};` +
        ` UPDATE counter SET value = ${no - 1} WHERE name = 'publication'`,
    );
    assert.deepEqual((await check(site)).findings, [`publication ${no} is missing`]);
  });
});

test(`check names each of ${CHANGES} random changes of rows that have digests`, async (t) => {
  assert.deepEqual(await flips(t, CHANGES), []);
});

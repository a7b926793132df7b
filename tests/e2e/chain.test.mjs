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
  reseal,
  tradeDigests,
} from './lib/digests.mjs';
import { onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';

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

  test('check names what was changed with SQL', async (t) => {
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
        `publication ${last} is not what was published`,
      ],
      [
        `UPDATE publication SET at = at + 1 WHERE no = ${last}`,
        `UPDATE publication SET at = ${at} WHERE no = ${last}`,
        `publication ${last} is not what was published`,
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
    assert.deepEqual(await check(site), { code: 0, findings: [], head: whole });

    // a row with a digest that fits it: only the chain tells
    await database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${other}'`);
    await reseal(database);
    const published = await one(`SELECT publication_no FROM trade WHERE id = '${other}'`);
    assert.deepEqual((await check(site)).findings, [
      `publication ${published} is not what was published: its row, or the digests of its rows`,
    ]);
    await database.execute(`UPDATE trade SET ticker = ${quoted(ticker)} WHERE id = '${other}'`);
    await reseal(database);
    // the same for a row that changed since its publication
    await database.execute(`UPDATE trade SET ticker = 'EVIL' WHERE id = '${ids[0]}'`);
    await reseal(database);
    assert.match(
      (await check(site)).findings.join('\n'),
      new RegExp(`^trade "${ids[0]}" has not the digest of entry \\d+ of the chain$`),
    );
  });

  test('check names what was changed in the chain, in the log, and cut off', async (t) => {
    const { site } = await makeHistory(t, kind);
    const { database } = site;
    const { head } = await check(site);
    const n = Number(head.split(':')[0]);
    const noted = ['--head', head];
    assert.equal((await check(site, ...noted)).code, 0);
    assert.equal((await site.run(['check', '--head', 'x'])).code, 1);

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

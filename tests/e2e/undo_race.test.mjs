// People who correct, withdraw and reinstate at once (decision 29).

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { onEachDatabase } from './lib/site.mjs';
import { filing, row, makeDesk, log } from './lib/undoing.mjs';
import { because } from './lib/reviewer.mjs';

onEachDatabase('undo at once', (kind) => {
  test('people who act at once leave one state, which the log has', async (t) => {
    const { site, publish } = await makeDesk(t, { database: kind });
    const server = await site.serve();
    server.key = await site.key({ plan: 'den' });
    await publish('a', { rows: [row('Northwind', 'NWTB'), row('Abacus')] });
    const trade = `${filing('a')}-0001`;
    const withdraw = (id) => ['withdraw', id, ...because('out')];
    const reinstate = (id) => ['reinstate', id, ...because('in')];
    const give = (member) => ['review', 'set-filer', filing('a'), member, ...because('to')];
    const correct = (value) => ['correct', trade, 'ticker', value, ...because('fix')];

    /** Runs the commands at once; each succeeds, or says what another has done before. */
    const atOnce = async (...commands) => {
      const done = await Promise.all(commands.map((command) => site.run(command)));
      for (const { code, stderr } of done) {
        if (code === 0) continue;
        assert.match(stderr, /already withdrawn|is not withdrawn|is withdrawn|already a filing/);
      }
      return done.filter((one) => one.code === 0).length;
    };
    /** The server, the database and the log agree. */
    const agree = async () => {
      assert.equal((await site.stockact('check')).at(-1).findings, 0);
      const { data } = await server.json('/api/v1/corrections?limit=100', server);
      const last = (test) => data.find(test);
      for (const id of [trade, `${filing('a')}-0002`]) {
        const kept = last((one) => one.tradeId === id && /withdrawn|reinstated/.test(one.kind));
        const { status } = await server.get(`/api/v1/trades/${id}`, server);
        assert.equal(status, kept?.kind === 'withdrawn' ? 410 : 200, id);
      }
      const whose = last((one) => one.field === 'politicianId')?.new;
      const { data: trades } = await server.json('/api/v1/trades', server);
      const { data: filings } = await server.json('/api/v1/filings', server);
      if (whose && filings.length) assert.equal(filings[0].politicianId, whose);
      const slug = last((one) => one.field === 'politician.slug')?.new;
      for (const one of slug ? trades : []) assert.equal(one.politician.slug, slug);
      const ticker = last((one) => one.field === 'ticker')?.new;
      const shown = trades.find((one) => one.id === trade);
      if (ticker && shown) assert.equal(shown.ticker, ticker);
    };
    for (let round = 0; round < 3; round++) {
      assert.ok((await atOnce(withdraw(trade), reinstate(trade))) >= 1);
      await agree();
      await site.run(reinstate(trade));
      assert.equal(await atOnce(withdraw(trade), withdraw(trade)), 1, 'once');
      assert.equal(await atOnce(reinstate(trade), reinstate(trade)), 1, 'once');
      await agree();
      assert.equal(await atOnce(give('alex-wren'), correct(`AB${round}`)), 2);
      await agree();
      assert.ok((await atOnce(give('alex-wren'), give('dana-hollis'))) >= 1);
      await agree();
      await atOnce(withdraw(filing('a')), withdraw(trade), give('alex-wren'));
      await agree();
      await atOnce(reinstate(filing('a')), reinstate(trade));
      await agree();
      await site.run(reinstate(trade));
      await site.run(give('dana-hollis'));
    }
  });
});

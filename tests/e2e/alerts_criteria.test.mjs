// Each criterion of an alert meets the facts of a real publication: the member, the seats of the day,
// the industry of the asset, the signal, and a symbol that became another one. Alerts about something
// else stay silent, also after a sweep has flagged the trade.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { confirm, partsOf, settled, subjectOf } from './lib/alerts.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { makeOwner } from './lib/people.mjs';
import { BY } from './lib/reviewer.mjs';
import { senateId, senatePage } from './lib/senate_page.mjs';
import { importSeats, makeSignalling } from './lib/signal_site.mjs';
import { until } from './lib/until.mjs';

const COIN = { ticker: 'QQZC', asset: 'Quince Coin', assetType: 'Cryptocurrency' };
const BANK = { ticker: 'JPM', asset: 'JPMorgan Chase & Co.', assetType: 'Stock' };
const FORMER = { ticker: 'FB', asset: 'Facebook, Inc.', assetType: 'Stock' };

/** What each person is alerted about. Nothing that happens here is about the last three. */
const CRITERIA = {
  politician: [['--politician', 'dana-hollis']],
  successor: [['--ticker', 'META']],
  sector: [['--sector', 'digital_assets']],
  seat: [['--seat', 'SSBK']],
  flagged: [['--flagged']],
  anyGrade: [['--grade', 'C']],
  gradeA: [['--grade', 'A']],
  both: [['--politician', 'dana-hollis'], ['--flagged']],
  otherMember: [['--politician', 'kim-marlow']],
  otherSeat: [['--seat', 'SSAP']],
  otherSector: [['--sector', 'banks']],
};

/** The same criteria as filters of lists. */
const LISTS = {
  politician: 'politician_slug=dana-hollis',
  successor: 'ticker=META',
  sector: 'sector=digital_assets',
  seat: 'seat=SSBK',
  flagged: 'conflict=true',
  gradeA: 'grade=A',
  otherMember: 'politician_slug=kim-marlow',
  otherSeat: 'seat=SSAP',
  otherSector: 'sector=banks',
};

test('an alert about a member, a committee, an industry, a flag or a later symbol gets its trades', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_BASE_URL: 'https://trades.example.org' });
  const site = await makeSignalling(t, [1], { env });
  const server = await site.serve();
  const names = {};
  for (const [name, alerts] of Object.entries(CRITERIA)) {
    const { email } = await makeOwner(site, { plan: 'pack' });
    await confirm(site, email);
    for (const alert of alerts)
      await site.stockact('alerts', 'add', '--email', email, ...alert, '--pace', 'now');
    names[email] = name;
  }
  let from = 0;
  const sinceLast = async () => {
    await settled(site);
    await until('all e-mails are sent', async () => {
      const [row] = await site.database.query(
        `SELECT (SELECT count(*) FROM alert_match WHERE sent_at IS NULL)
          + (SELECT count(*) FROM mail WHERE ended_at IS NULL) AS waiting`,
      );
      return Number(row.waiting) === 0;
    });
    const mails = sink.mails.slice(from);
    from = sink.mails.length;
    return mails;
  };
  /** The subjects of the e-mails since the last call, by person. */
  const received = async (count) => {
    const mails = await sinceLast();
    assert.equal(mails.length, count, mails.map(({ to }) => names[to]).join(' '));
    return Object.fromEntries(mails.map((mail) => [names[mail.to], subjectOf(mail)]));
  };
  const publish = async (number, assets) => {
    const id = senateId(500 + number);
    const file = path.join(site.folder, `${id}.html`);
    const rows = assets.map((asset) => ({ date: '06/10/2015', ...asset }));
    writeFileSync(
      file,
      senatePage({ rows, reportDate: '07/04/2015', filed: '07/04/2015 @ 9:05 AM' }),
    );
    await site.stockact('ingest', file);
    await site.stockact('review', 'accept', `senate-${id}`, ...BY);
    await site.stockact('publish', `senate-${id}`, ...BY);
  };

  await publish(1, [COIN, FORMER]); // the member has no seat yet
  assert.deepEqual(await received(4), {
    politician: '2 trades reported by Dana Hollis',
    both: '2 trades reported by Dana Hollis',
    successor: '1 trade reported by Dana Hollis',
    sector: '1 trade reported by Dana Hollis',
  });

  await importSeats(site, '');
  await site.stockact('sweep');
  const flagged = '1 trade reported by Dana Hollis, 1 flagged';
  assert.deepEqual(await received(4), {
    flagged,
    anyGrade: flagged,
    gradeA: flagged,
    both: '1 trade with a new flag',
  });

  await publish(2, [COIN]);
  const all = {
    politician: flagged,
    both: flagged,
    sector: flagged,
    seat: flagged,
    flagged,
    anyGrade: flagged,
  };
  assert.deepEqual(await received(7), { ...all, gradeA: flagged });

  await publish(3, [{ ...COIN, date: '01/03/2015' }]); // by a later list: grade C
  assert.deepEqual(await received(6), all);

  const filing = `senate-${senateId(504)}`;
  await publish(4, [COIN, FORMER, { ...COIN, date: '01/03/2013' }, { ...BANK }]);
  const told = {};
  const mails = await sinceLast();
  for (const mail of mails)
    told[names[mail.to]] = new Set(
      [...partsOf(mail).text.matchAll(/\/trades\/([\w-]+)/g)].map(([, id]) => id),
    );
  for (const [name, query] of Object.entries(LISTS)) {
    const { data } = await server.json(`/api/v1/trades?filing=${filing}&${query}`);
    assert.deepEqual(told[name] ?? new Set(), new Set(data.map(({ id }) => id)), name);
  }
  assert.deepEqual([told.seat.size, told.sector.size, told.otherSector.size], [3, 2, 1]);
});

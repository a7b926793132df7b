// Each criterion of an alert meets the facts of a real publication: the member, the seats of the day,
// the industry of the asset, the signal, and a symbol that became another one. Alerts about something
// else stay silent, also after a sweep has flagged the trade.

import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { confirm, settled, subjectOf } from './lib/alerts.mjs';
import { mailSettings } from './lib/mail_sink.mjs';
import { makeOwner } from './lib/people.mjs';
import { BY } from './lib/reviewer.mjs';
import { senateId, senatePage } from './lib/senate_page.mjs';
import { importSeats, makeSignalling } from './lib/signal_site.mjs';

const COIN = { ticker: 'QQZC', asset: 'Quince Coin', assetType: 'Cryptocurrency' };
const FORMER = { ticker: 'FB', asset: 'Facebook, Inc.', assetType: 'Stock' };

/** What each person is alerted about. Nothing that happens here is about the last three. */
const CRITERIA = {
  politician: [['--politician', 'dana-hollis']],
  successor: [['--ticker', 'META']],
  industry: [['--industry', 'digital_assets']],
  committee: [['--committee', 'SSBK']],
  flagged: [['--flagged']],
  anyGrade: [['--grade', 'C']],
  gradeA: [['--grade', 'A']],
  both: [['--politician', 'dana-hollis'], ['--flagged']],
  otherMember: [['--politician', 'kim-marlow']],
  otherCommittee: [['--committee', 'SSAP']],
  otherIndustry: [['--industry', 'banks']],
};

test('an alert about a member, a committee, an industry, a flag or a later symbol gets its trades', async (t) => {
  const { sink, env } = await mailSettings(t, { STOCKACT_BASE_URL: 'https://trades.example.org' });
  const site = await makeSignalling(t, [1], { env });
  await site.serve();
  const names = {};
  for (const [name, alerts] of Object.entries(CRITERIA)) {
    const { email } = await makeOwner(site, { plan: 'pack' });
    await confirm(site, email);
    for (const alert of alerts)
      await site.stockact('alerts', 'add', '--email', email, ...alert, '--pace', 'now');
    names[email] = name;
  }
  let from = 0;
  /** The subjects of the e-mails since the last call, by person. */
  const received = async (count) => {
    await sink.have(from + count);
    await settled(site);
    const mails = sink.mails.slice(from);
    from = sink.mails.length;
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
    industry: '1 trade reported by Dana Hollis',
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
    industry: flagged,
    committee: flagged,
    flagged,
    anyGrade: flagged,
  };
  assert.deepEqual(await received(7), { ...all, gradeA: flagged });

  await publish(3, [{ ...COIN, date: '01/03/2015' }]); // by a later list: grade C
  assert.deepEqual(await received(6), all);
});

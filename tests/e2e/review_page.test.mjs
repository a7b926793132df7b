// `review list` and `review show` on a terminal: pages that an editor can work from.

import { strict as assert } from 'node:assert';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { indexXml } from './lib/house_index.mjs';
import { housePdf, scanPdf } from './lib/house_pdf.mjs';
import { VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { REVIEWER } from './lib/reviewer.mjs';
import { useSite } from './lib/site.mjs';
import { onTerminal } from './lib/terminal.mjs';

const LATE = { ...HOUSE_ROW, asset: 'Garden Mills Holdings of the Upper Valley (GRDN) [ST]' };
const ROWS = [
  HOUSE_ROW,
  { ...LATE, date: '02/02/2025', description: 'First \u2018lot\u2019' },
  { ...HOUSE_ROW, amount: '$509.87' },
];

describe('the pages of drafts', () => {
  const shared = useSite({}, async (made) => {
    const inbox = path.join(made.folder, 'inbox');
    const members = path.join(made.folder, 'members.json');
    mkdirSync(inbox);
    writeFileSync(members, membersJson([VALE]));
    await made.stockact('members', 'import', members);
    const entries = ['20990001', '20990002', '9000004'].map((DocID) => ({ DocID }));
    const files = {
      '2025FD.xml': indexXml([...entries, { DocID: '20990003', Last: 'Nobody', First: 'Known' }]),
      '20990001.pdf': housePdf({ id: '20990001', rows: ROWS }),
      '20990002.pdf': housePdf({ id: '20990002', rows: [HOUSE_ROW], signed: '01/14/2025' }),
      '20990003.pdf': housePdf({ id: '20990003', rows: [HOUSE_ROW], filer: 'Hon. Known Nobody' }),
      '9000004.pdf': scanPdf({ pages: 1 }),
      '9000005.pdf': scanPdf({ pages: 2 }),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(inbox, name), bytes);
    await made.stockact('ingest', inbox);
  });

  const show = async (id, options) => {
    const page = await onTerminal(shared.site, ['review', 'show', id], options);
    assert.equal(page.code, 0, page.text);
    return page;
  };

  /** Commands and addresses are one line, however long, so that they can be copied. */
  const narrow = (lines) => lines.filter((line) => !/^ {4}stockact |https:/.test(line));

  for (const columns of [80, 160])
    test(`a draft is a page of ${columns} columns with printed cells beside values`, async () => {
      const { text, lines } = await show('house-20990001', { columns });
      for (const line of narrow(lines)) assert.ok([...line].length <= columns, line);
      assert.match(
        text,
        /^house-20990001 {2}draft\n {2}filer +Hon\. Robin Vale\n {2}member +Robin/,
      );
      assert.match(text, /\n {2}filed +2025-01-16\n/);
      assert.match(text, /\n {2}publishing +2 rows add a trade, 1 is held back\n/);
      assert.match(text, /\n {2}doubtful rows +2, 3\n/);
      assert.match(text, /\nChecks\n( {2}✓ .*\n)*\nRows\n +printed +read\n/);
      assert.match(text, / {2}✓ rows were found: 3 rows\n/);
      const row = text.slice(text.indexOf('Row 2'), text.indexOf('Row 3'));
      assert.match(row, /^Row 2, page 1 · adds a trade\n/);
      assert.match(row, / assetName +Garden Mills Holdings .* {2,}Garden Mills Holdings/);
      assert.match(row, / ticker +GRDN\n/);
      assert.match(row, / side +P +buy\n/);
      assert.match(row, / amountBucket +\$1,001 - \$15,000 +1k_15k\n/);
      assert.match(row, / tradeDate +02\/02\/2025 +2025-02-02\n/);
      assert.match(row, / ownerType +SP +spouse\n/);
      assert.match(row, / {4}\? the trade \(02\/02\/2025\) is after the report was filed\n/);
      assert.match(text, /\? Row 3.*is held back\n/);
      assert.match(text, /✗ not published yet: the amount is under \$1,001: \$509\.87\n/);
    });

  test('a failed check, an unknown member and a scan name what to do', async () => {
    const failed = (await show('house-20990002')).text;
    assert.match(
      failed,
      /Checks\n {2}✗ it was signed on the filing date.*\(signed_on_filing_date\)/s,
    );
    assert.match(
      failed,
      /accept house-20990002 --despite signed_on_filing_date --reason TEXT --by/,
    );
    const unknown = (await show('house-20990003')).text;
    assert.match(unknown, /\n {2}member +not known/);
    assert.match(unknown, /stockact review set-filer house-20990003 SLUG --by/);
    assert.doesNotMatch(unknown, /review accept/);
    const scan = (await show('house-9000004')).text;
    assert.match(scan, /stockact review picture house-9000004 1 --output page-1\.png\n/);
    assert.match(scan, /stockact review add-row house-9000004 assetName=/);
    assert.doesNotMatch(scan, /review accept|YYYYFD/);
    const unlisted = (await show('house-9000005')).text;
    assert.match(unlisted, /Import the Clerk's index .*\n {4}stockact ingest YYYYFD\.zip\n/);
  });

  test('an unknown filer is refused with a list of similar members', async () => {
    for (const name of ['robin-vail', 'Vale', 'Vale, Robin']) {
      const args = ['review', 'set-filer', 'house-20990003', name, '--by', REVIEWER];
      const { code, stderr } = await shared.site.run(args);
      assert.equal(code, 1, name);
      assert.match(stderr, /there is no member ".*"; did you mean robin-vale \(Robin Vale\)\?\n$/);
    }
    const args = ['review', 'set-filer', 'house-20990003', 'Quentin', '--by', REVIEWER];
    const { stderr } = await shared.site.run(args);
    assert.match(stderr, /there is no member "Quentin"\n$/);
  });

  test('several filings are published with a line for each', async () => {
    const args = ['publish', 'house-20990002', 'house-1', '--by', REVIEWER];
    const { code, text } = await onTerminal(shared.site, args);
    assert.equal(code, 1, text);
    assert.match(text, /^ {2}✗ house-20990002 {2}\S.*\n/);
    assert.match(text, /\n {2}✗ house-1 {2}there is no draft of "house-1"\n/);
    assert.match(text, /2 of 2 filings were not published/);
  });

  test('drafts are listed with their filers, and the states are counted', async () => {
    for (const columns of [80, 160]) {
      const { code, text, lines } = await onTerminal(shared.site, ['review', 'list'], { columns });
      assert.equal(code, 0, text);
      for (const line of lines) assert.ok([...line].length <= columns, line);
      assert.match(text, /^[·?] house-\d+ +2025-01-16 {2}\S/m);
      assert.match(text, /^ {4}needs_manual: failed check: signed_on_filing_date/m);
      assert.match(
        text,
        /\n5 drafts\n {2}\? 4 needs_manual: a person must .*\n(.*\n)* {2}· 1 draft: /,
      );
      assert.match(text, /\nNext\n {2}stockact review show ID\n$/);
    }
    const env = { STOCKACT_BASE_URL: 'https://trades.example.org' };
    const known = await onTerminal(shared.site, ['review', 'list'], { env });
    assert.match(
      known.text,
      /review show ID +look at a draft\n {2}https:\/\/trades.example.org\/desk +review in the browser\n$/,
    );
    const plain = await shared.site.run(['review', 'list']);
    assert.match(
      plain.stdout,
      /^filingId\tstate\tmember\tfiler\tfiledAt\tclaimedBy\treason\tdoubts\n/,
    );
  });

  test('the commands of the page lead to publication', async () => {
    const run = async (id, verb) => {
      const { text } = await show(id);
      const [, command] = new RegExp(`^ {4}stockact (${verb} .*)$`, 'm').exec(text);
      const args = command.replace('YOU@EXAMPLE.ORG', REVIEWER).split(' ');
      const done = await onTerminal(shared.site, args);
      assert.equal(done.code, 0, `${command}: ${done.text}`);
      return done.text;
    };
    const copied = ['review', 'accept', 'house-20990001', '--by', 'YOU@EXAMPLE.ORG'];
    const refused = await shared.site.run(copied);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /--by needs your own e-mail address/);
    const accepted = await run('house-20990001', 'review accept');
    const next = `Next: stockact publish house-20990001 --by ${REVIEWER}\n`;
    assert.ok(accepted.endsWith(next), accepted);
    const published = await run('house-20990001', 'publish');
    assert.equal(published, '  ✓ house-20990001  2 trades added, 1 row held back\n');
    const { text } = await show('house-20990001');
    assert.match(text, /^house-20990001 {2}published\n/);
    assert.match(text, /Row 1, page 1 · is already public: house-20990001-0001\n/);
    assert.match(text, new RegExp(`\\nHistory\\n(.*\\n)*.* ${REVIEWER} +accept`));
    await shared.site.stockact('review', 'claim', 'house-20990001', '--by', REVIEWER);
    await shared.site.stockact(
      'review',
      'set',
      'house-20990001',
      '1',
      'side',
      'sell_full',
      '--by',
      REVIEWER,
    );
    const changed = (await show('house-20990001')).text;
    assert.match(changed, / claimed by +\S+, until \d{4}-\d\d-\d\d \d\d:\d\dZ\n/);
    assert.match(changed, /Row 1, page 1 · corrects a trade: house-20990001-0001\n/);
    assert.match(changed, / side +P +sell_full \(public now: buy\)\n/);
    assert.match(changed, /set row 1 side: "buy" → "sell_full"\n/);
  });

  test('the history says who was set as the filer', async () => {
    const right = ['review', 'set-filer', 'house-20990003', 'robin-vale', '--by', REVIEWER];
    const done = await shared.site.run(right);
    assert.equal(done.code, 0, done.stderr);
    const { text } = await show('house-20990003');
    assert.match(text, / set_filer Robin Vale \(\w+\)\n/);
  });
});

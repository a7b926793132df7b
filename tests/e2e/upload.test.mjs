// Documents that a reviewer uploads to the desk, without a script: what becomes of each kind of
// file, of the same file again, and who may.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { indexXml, indexZip } from './lib/house_index.mjs';
import { housePdf, scanPdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { PASSWORD, makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { Page } from './lib/pages.mjs';
import { senateId, senatePage } from './lib/senate_page.mjs';
import { onEachDatabase, useSite } from './lib/site.mjs';
import {
  UPLOAD,
  multipart,
  prepareUploads,
  typeOf,
  uploadFiles,
  uploadForm,
  uploadJson,
} from './lib/uploading.mjs';

const ANN = 'ann@example.org';
const BEN = 'ben@example.org';
const REPORT = '20990001';
const report = (id, rows = [HOUSE_ROW]) => ({
  name: `${id}.pdf`,
  bytes: housePdf({ id, rows }),
});

onEachDatabase('uploads', (kind) => {
  const shared = useSite({ database: kind }, async (site) => {
    await prepareUploads(site);
    const ann = await makeOwner(site, { email: ANN, role: 'reviewer' });
    const ben = await makeOwner(site, { email: BEN, role: 'reviewer' });
    const reader = await makeOwner(site, {});
    const server = await site.serve();
    return {
      server,
      ann: await signInOnPage(server, ann),
      ben: await signInOnPage(server, ben),
      reader: await signInOnPage(server, reader),
    };
  });
  const drafts = () => shared.site.stockact('review', 'list');

  test('a form shows the result of each file, in order', async () => {
    const senate = senateId(1);
    const results = await uploadFiles(shared.ann, [
      { name: '2025FD.zip', bytes: indexZip([{ DocID: REPORT }, { DocID: '20990009' }]) },
      report(REPORT),
      { name: `${senate}.html`, bytes: senatePage({ rows: [SENATE_ROW] }) },
      { name: '9000007.pdf', bytes: scanPdf({ pages: 1 }) },
      { name: 'scan.pdf', bytes: scanPdf({ pages: 2 }) },
      { name: 'notes.txt', bytes: 'hello' },
      { name: 'empty.pdf', bytes: '' },
    ]);
    const told = results.map(({ name, badge, href }) => [name, badge, href]);
    assert.deepEqual(told, [
      ['2025FD.zip', 'index', null],
      [`${REPORT}.pdf`, 'draft', `/desk/house-${REPORT}`],
      [`${senate}.html`, results[2].badge, `/desk/senate-${senate}`],
      ['9000007.pdf', 'to complete', '/desk/house-9000007'],
      ['scan.pdf', 'to complete', null],
      ['notes.txt', 'refused', null],
      ['empty.pdf', 'refused', null],
    ]);
    assert.match(results[0].words, /^2 filings: .*; 2 reports are not imported yet\.$/);
    assert.match(results[1].words, /^1 row to review\. Open house-20990001$/);
    assert.match(results[4].words, /^Kept without a draft: neither .* contains the official id\.$/);
    assert.match(results[5].words, /^Not a report that can be read: ./);
    assert.equal((await drafts()).length, 3);
  });

  test('the desk, the history and the log say who uploaded it', async () => {
    const draft = await shared.ann.json(`/desk/house-${REPORT}`);
    const { by, action, reason } = draft.history.find((event) => event.action === 'upload');
    assert.deepEqual([by, action, reason], [ANN, 'upload', `${REPORT}.pdf`]);
    const log = await shared.site.stockact('log', '--action', 'document.upload');
    const [row] = log.filter(({ subjectId }) => subjectId === `house-${REPORT}`);
    assert.deepEqual([row.actor, row.subject, row.detail], ['account', 'filing', 'draft']);
    assert.equal(log.length, 7);
  });

  test('the same file again changes nothing', async () => {
    const before = await drafts();
    const [again, other] = await uploadFiles(shared.ben, [
      report(REPORT),
      { ...report(REPORT), name: `copy of ${REPORT}.pdf` },
    ]);
    for (const { badge, href } of [again, other])
      assert.deepEqual([badge, href], ['already here', `/desk/house-${REPORT}`]);
    assert.deepEqual(await drafts(), before);
  });

  test('two people who upload one file at the same time make one draft', async () => {
    const file = report('20990002');
    const answers = await Promise.all(
      [shared.ann, shared.ben, shared.ann].map((who) => uploadJson(who, file)),
    );
    const statuses = answers.map(({ json }) => json.results[0].status).sort();
    assert.deepEqual(statuses, ['draft', 'unchanged', 'unchanged']);
    assert.equal(
      (await drafts()).filter(({ filingId }) => filingId === 'house-20990002').length,
      1,
    );
  });

  test(
    'two servers that read one document at the same time make one draft',
    { skip: kind === 'sqlite' ? 'an SQLite file has one server' : false },
    async () => {
      const second = await shared.site.serve();
      const ben = await signInOnPage(second, { email: BEN, password: PASSWORD });
      for (const id of ['20990011', '20990012', '20990013']) {
        const answers = await Promise.all(
          [shared.ann, ben].map((who) => uploadJson(who, report(id))),
        );
        const statuses = answers.map(({ json }) => json.results[0].status).sort();
        assert.deepEqual(statuses, ['draft', 'unchanged']);
        const [entry] = await shared.site.database.query(
          `SELECT state FROM document WHERE source_id = '${id}'`,
        );
        assert.equal(entry.state, 'draft');
      }
    },
  );

  test('other bytes under the same number replace a draft that nobody has touched', async () => {
    const rows = [HOUSE_ROW, { ...HOUSE_ROW, type: 'S' }];
    const [result] = await uploadFiles(shared.ann, [report('20990002', rows)]);
    assert.deepEqual(
      [result.badge, result.words],
      ['draft', '2 rows to review. Open house-20990002'],
    );
    const [shown] = await shared.site.stockact('review', 'show', 'house-20990002');
    assert.equal(shown.rows.length, 2);
  });

  test('a form without a file, and one that was sent before, import nothing', async () => {
    const none = await uploadForm(shared.ann, [{ name: '', bytes: '' }]);
    assert.equal(none.status, 422);
    assert.match(none.text, /Choose at least one file\./);
    const form = (await shared.ann.open(UPLOAD)).form('Import');
    const first = await uploadForm(shared.ann, [report('20990003')], { form });
    assert.equal(first.status, 200);
    const second = await uploadForm(shared.ann, [report('20990004')], { form });
    assert.equal(second.status, 409);
    assert.equal(
      (await drafts()).some(({ filingId }) => filingId === 'house-20990004'),
      false,
    );
  });

  test('only reviewers may, and only from the page of their session', async () => {
    const file = report('20990005');
    assert.equal((await shared.reader.request('GET', UPLOAD)).status, 403);
    assert.equal((await newVisitor(shared.server).request('GET', UPLOAD)).status, 303);
    const permit = await shared.ann.json(UPLOAD);
    const big = { name: 'x.pdf', bytes: Buffer.alloc(100_000, 'x') };
    const foreign = await uploadJson(shared.ben, big, { permit });
    assert.deepEqual([foreign.status, foreign.json.error], [413, 'upload_too_large']);
    const without = await uploadJson(shared.ann, big, { permit: { ...permit, action: UPLOAD } });
    assert.equal(without.status, 413, 'the body is not read');
    const noToken = await uploadJson(shared.ann, file, { permit: { ...permit, csrf: 'x' } });
    assert.equal(noToken.status, 403);
    const other = await shared.ann.request('POST', permit.action, {
      headers: { Origin: 'https://other.example', 'Content-Type': typeOf() },
      body: multipart([['csrf', permit.csrf]], [file]),
    });
    assert.equal(other.status, 403);
    assert.equal(
      (await drafts()).some(({ filingId }) => filingId === 'house-20990005'),
      false,
    );
  });

  test('an index alone is enough to begin a year', async () => {
    const index = { name: '2024FD.xml', bytes: indexXml([{ DocID: '20240001', Year: '2024' }]) };
    const { json } = await uploadJson(shared.ann, index);
    assert.equal(json.results[0].status, 'indexed');
    assert.equal(json.results[0].awaiting, '1 report is not imported yet');
  });

  test('a session that ended meanwhile leads back to the page after the sign-in', async () => {
    const owner = await makeOwner(shared.site, { role: 'reviewer' });
    const cyn = await signInOnPage(shared.server, owner);
    const form = (await cyn.open(UPLOAD)).form('Import');
    await shared.site.stockact('accounts', 'end-sessions', '--email', owner.email);
    const answer = new Page(await uploadForm(cyn, [report('20990007')], { form }), UPLOAD, []);
    const back = await cyn.submit(answer.form('/sign-in'), owner, { status: 200 });
    assert.equal(back.path, UPLOAD);
    assert.equal(
      (await drafts()).some(({ filingId }) => filingId === 'house-20990007'),
      false,
    );
  });

  test('a role that ends takes the right to upload with it', async () => {
    const permit = await shared.ben.json(UPLOAD);
    await shared.site.stockact('accounts', 'set-role', '--email', BEN, '--role', 'member');
    const answer = await uploadJson(shared.ben, report('20990006'), { permit });
    assert.deepEqual([answer.status, answer.json.error], [403, 'forbidden']);
  });
});

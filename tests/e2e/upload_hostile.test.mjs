// Hostile uploads: names, bodies that stop or lie, limits, documents that crash or hang the reader,
// and kills in the middle.

import { strict as assert } from 'node:assert';
import { readdirSync, readlinkSync, statSync } from 'node:fs';
import test, { describe } from 'node:test';
import { run } from './lib/child.mjs';
import { requestText } from './lib/client.mjs';
import { hostilePdfs } from './lib/hostile_pdf.mjs';
import { housePdf } from './lib/house_pdf.mjs';
import { HOUSE_ROW } from './lib/invented_rows.mjs';
import { assertPromise } from './lib/measured.mjs';
import { makeOwner, signInOnPage } from './lib/people.mjs';
import { holdHelpers } from './lib/proc.mjs';
import { makeSite, useSite } from './lib/site.mjs';
import {
  UPLOAD,
  multipart,
  prepareUploads,
  typeOf,
  uploadFiles,
  uploadForm,
  uploadJson,
} from './lib/uploading.mjs';
import { until } from './lib/until.mjs';
import { zipOf } from './lib/zip_file.mjs';

const MIB = 1 << 20;
const report = (id) => ({ name: `${id}.pdf`, bytes: housePdf({ id, rows: [HOUSE_ROW] }) });

async function prepare(site) {
  await prepareUploads(site);
  const ann = await makeOwner(site, { email: 'ann@example.org', role: 'reviewer' });
  const server = await site.serve();
  return { server, owner: ann, ann: await signInOnPage(server, ann) };
}

/** The head of an upload of `size` bytes by somebody with a page. */
async function headOf(visitor, size, rest = []) {
  const { csrf, action } = await visitor.json(UPLOAD);
  return requestText('POST', action, {
    host: new URL(visitor.server.url).host,
    headers: [
      ['Cookie', visitor.cookies.header()],
      ['Accept', 'application/json'],
      ['Origin', visitor.server.url],
      ['X-CSRF-Token', csrf],
      ['Content-Type', typeOf()],
      ...(size === null ? [] : [['Content-Length', String(size)]]),
      ...rest,
    ],
  });
}

const isRoot = process.getuid() === 0;

/** What the uploads that the server holds may have, in bytes. */
async function held(server) {
  const { text } = await server.get('/metrics');
  return Number(/^stockact_upload_bytes (\d+)$/m.exec(text)[1]);
}

/** The sizes of the memory files of uploads that the server holds. Only root may see them. */
function spooled(server) {
  const folder = `/proc/${server.child.pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      const file = `${folder}/${name}`;
      return readlinkSync(file).includes('stockact-upload') ? [statSync(file).size] : [];
    } catch {
      return []; // closed meanwhile
    }
  });
}

describe('hostile uploads', () => {
  const shared = useSite({}, prepare);
  const drafts = () => shared.site.stockact('review', 'list');

  test('a name is a label: shown as it is, cut, and never a path', async () => {
    const names = [
      '../../../../tmp/20990001.pdf',
      'C:\\documents\\20990001.pdf',
      '20990001\u202Efdp.exe',
      `${'long '.repeat(2000)}20990001.pdf`,
      '<script>alert(1)</script>20990001.pdf',
      '20990001\0.pdf',
      '20990001\x1b[31m.pdf',
      '-20990001.pdf',
      '20990001%22.pdf',
    ];
    const { bytes } = report('20990001');
    const results = await uploadFiles(
      shared.ann,
      names.map((name) => ({ name, bytes })),
    );
    const long = `${`${'long '.repeat(2000)}`.slice(0, 57)}…${'long '.repeat(10)}20990001.pdf`;
    assert.deepEqual(
      results.map(({ name }) => name),
      [
        '20990001.pdf',
        '20990001.pdf',
        '20990001\\u{202E}fdp.exe',
        `${long.slice(0, 58)}${long.slice(-60)}`,
        'script>20990001.pdf',
        '20990001_.pdf',
        '20990001_[31m.pdf',
        '-20990001.pdf',
        '20990001".pdf',
      ],
    );
    assert.equal((await drafts()).length, 1, 'one document under all names');
  });

  test('a body that does not match its type is refused with the reason', async () => {
    const { bytes } = report('20990002');
    const good = multipart([], [{ name: '20990002.pdf', bytes }]);
    const wrong = [
      [good, 'multipart/form-data', /no valid boundary/],
      [good, typeOf('another'), /does not begin with its boundary/],
      [good.subarray(0, good.length - 20), typeOf(), /ends within a part/],
      [
        Buffer.concat([good, Buffer.from('more')]),
        typeOf(),
        /unexpected bytes after the last boundary/,
      ],
      [Buffer.from(''), typeOf(), /does not begin with its boundary/],
    ];
    for (const [body, type, reason] of wrong) {
      const answer = await uploadJson(shared.ann, null, { body, type });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.json.hint, reason);
    }
    const many = Array.from({ length: 10_000 }, (_, i) => ({ name: `${i}.pdf`, bytes: 'x' }));
    const answer = await uploadForm(shared.ann, many);
    assert.equal(answer.status, 413);
    assert.match(answer.text, /more than 100 files: send them in several uploads/);
    const head = Buffer.from(`--x\r\n${'X-Header: x\r\n'.repeat(10_000)}\r\n--x--`);
    const bomb = await uploadJson(shared.ann, null, { body: head, type: typeOf('x') });
    assert.deepEqual([bomb.status, bomb.json.error], [413, 'upload_too_large']);
  });

  test('errors name the limit', async () => {
    const large = { name: 'large.pdf', bytes: Buffer.alloc(65 * MIB) };
    const [result] = await uploadFiles(shared.ann, [large]);
    assert.match(result.words, /Not imported: it is larger than 64 MiB\./);
    const answer = await uploadForm(shared.ann, [{ name: 'a', bytes: Buffer.alloc(97 * MIB) }]);
    assert.equal(answer.status, 413);
    assert.match(answer.text, /An upload can have 100 files and 96 MiB\. Nothing was imported\./);
  });

  test('a chunked body, and one that stops, import nothing', async () => {
    const chunked = await shared.server.connect();
    chunked.send(await headOf(shared.ann, null, [['Transfer-Encoding', 'chunked']]));
    chunked.send(`${(9000).toString(16)}\r\n${'x'.repeat(9000)}\r\n`);
    assert.equal((await chunked.read({ method: 'POST' })).status, 413);

    const { bytes } = report('20990003');
    const body = multipart([], [{ name: '20990003.pdf', bytes }]);
    const cut = await shared.server.connect();
    cut.send(await headOf(shared.ann, body.length + MIB));
    cut.send(body);
    cut.end();
    await cut.untilClosed();
    assert.equal(
      (await drafts()).some(({ filingId }) => filingId === 'house-20990003'),
      false,
    );
    await until('it is gone', async () => (await held(shared.server)) === 0);
  });

  test('a session sends one upload at a time, and others do not wait for it', async () => {
    const size = 2 * MIB;
    const body = multipart([], [{ name: 'x.pdf', bytes: Buffer.alloc(MIB, 'x') }]);
    const first = await shared.server.connect();
    first.send(await headOf(shared.ann, size));
    await until('it is held', async () => (await held(shared.server)) >= size);
    const second = await uploadJson(shared.ann, null, { body });
    assert.deepEqual([second.status, second.json.error], [409, 'upload_in_progress']);
    assert.match(second.json.hint, /Nothing from this one was imported\. Send it again when/);
    const again = await signInOnPage(shared.server, shared.owner);
    assert.equal((await uploadJson(again, null, { body })).status, 200, 'another session');
    assert.equal((await shared.ann.request('GET', UPLOAD)).status, 200);
    first.end();
    await first.untilClosed();
    await until('it is gone', async () => (await held(shared.server)) === 0);
    assert.equal((await uploadJson(shared.ann, null, { body })).status, 200);
  });

  test('documents that attack the reader end with a reason, and the next is read', async () => {
    const bomb = zipOf([{ name: '2025FD.xml', bytes: Buffer.alloc(300 * MIB), claimed: 1000 }]);
    const files = [
      ...Object.entries(hostilePdfs()).map(([name, bytes]) => ({ name: `${name}.pdf`, bytes })),
      { name: '2025FD.zip', bytes: bomb },
      report('20990004'),
    ];
    const permit = await shared.ann.json(UPLOAD);
    const told = [];
    for (const file of files) {
      const answer = await uploadJson(shared.ann, file, { permit });
      assert.equal(answer.status, 200, answer.text);
      told.push(answer.json.results[0]);
    }
    assert.equal(told.pop().status, 'draft');
    for (const { name, status, reason } of told) {
      assert.ok(['refused', 'needs_manual'].includes(status), `${name}: ${status}`);
      assert.ok(reason, name);
    }
  });

  test('a database with invented data, or without members, refuses uploads with the reason', async (t) => {
    const site = await makeSite(t);
    await site.stockact('migrate');
    const owner = await makeOwner(site, { role: 'reviewer' });
    const server = await site.serve();
    const visitor = await signInOnPage(server, owner);
    const answer = await uploadForm(visitor, [report('20990001')]);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /no members of Congress.*stockact setup/);
  });
});

test('a kill while a file arrives, or is read, leaves nothing half', async (t) => {
  const site = await makeSite(t);
  const the = await prepare(site);
  const rows = Array.from({ length: 60 }, () => HOUSE_ROW); // above 8 KiB
  const bytes = housePdf({ id: '20990001', rows });
  const body = multipart([], [{ name: '20990001.pdf', bytes }]);
  let { server, ann } = the;
  for (const sent of [0, body.length - 1, body.length]) {
    const connection = await server.connect();
    connection.send(await headOf(ann, body.length));
    connection.send(body.subarray(0, sent));
    if (sent < body.length)
      await until(isRoot ? 'the body arrives' : 'the upload begins', async () =>
        isRoot ? spooled(server).includes(sent) : (await held(server)) > 0,
      );
    await server.kill();
    const [check] = await site.stockact('check');
    assert.ok(check, 'the database is whole');
    server = await site.serve();
    ann = await signInOnPage(server, the.owner);
    const list = await site.stockact('review', 'list');
    assert.ok(list.length <= 1);
    for (const draft of list) assert.equal(draft.rows, rows.length);
  }
  const [result] = await uploadFiles(ann, [{ name: '20990001.pdf', bytes }]);
  assert.ok(['draft', 'already here'].includes(result.badge), result.badge);
});

test('a full disk refuses uploads, and they work again when there is room', async (t) => {
  const site = await makeSite(t);
  const { server, ann } = await prepare(site);
  const limit = (size) => run('prlimit', ['--pid', `${server.child.pid}`, `--fsize=${size}:`]);
  const large = { name: '20990002.pdf', bytes: Buffer.alloc(MIB, 'x') };
  const permit = await ann.json(UPLOAD);
  assert.equal((await limit(64 * 1024)).code, 0);
  for (const file of [report('20990001'), large]) {
    const answer = await uploadJson(ann, file, { permit });
    assert.equal(answer.status, 503, file.name);
  }
  assert.equal((await limit('unlimited')).code, 0);
  const { json } = await uploadJson(ann, report('20990001'), { permit });
  assert.equal(json.results[0].status, 'draft');
});

test('a server that stops ends the reading of an upload, and says so', async (t) => {
  const site = await makeSite(t);
  const { server, ann } = await prepare(site);
  const files = Array.from({ length: 100 }, (_, i) => report(String(20990001 + i)));
  const answer = uploadForm(ann, files);
  await until(
    'the first draft',
    async () => (await site.database.query('SELECT no FROM draft')).length > 0,
  );
  await holdHelpers(server.child.pid); // the reading of the next one does not end by itself
  const began = performance.now();
  await server.stop();
  assertPromise(t, 'the end of the server', performance.now() - began, 5000);
  const { status, text } = await answer;
  assert.equal(status, 200);
  assert.match(text, /not imported<\/span>\s*<p>Not imported: the server could not store it now/);
});

test('the page permits large files for an hour', async (t) => {
  const site = await makeSite(t, { clock: '2026-03-10T09:59:00Z' });
  const { ann } = await prepare(site);
  const permit = await ann.json(UPLOAD);
  const large = { name: '20990002.pdf', bytes: Buffer.alloc(MIB, 'x') };
  const send = async () => (await uploadJson(ann, large, { permit })).status;
  await site.clock.set('2026-03-10T10:59:00Z');
  assert.equal(await send(), 200);
  await site.clock.set('2026-03-10T11:00:00Z');
  const late = await uploadJson(ann, large, { permit });
  assert.equal(late.status, 413);
  assert.match(late.json.hint, /loaded more than an hour ago.*Reload the page/);
});

// Pictures of documents on pages of data: the strip with a trade's row, and the pages of a filing.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { describe, test } from 'node:test';
import { hostilePdfs } from './lib/hostile_pdf.mjs';
import { housePdf, scanPdf } from './lib/house_pdf.mjs';
import { filledForm, pdfOfPictures } from './lib/scan_pdf.mjs';
import { HOLLIS, VALE, membersJson } from './lib/invented_members.mjs';
import { HOUSE_ROW, SENATE_ROW } from './lib/invented_rows.mjs';
import { makeOwner, newVisitor, signInOnPage } from './lib/people.mjs';
import { drawPage, readPng, wordsOf } from './lib/png.mjs';
import { cpuMs, holdHelpers } from './lib/proc.mjs';
import { BY, because } from './lib/reviewer.mjs';
import { senatePage } from './lib/senate_page.mjs';
import { noSharedData, sharedData } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';
import { metric } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

const [STRIP_DPI, PAGE_DPI] = [150, 110];
const FILING = 'house-20990001';
const LONG = 'A description that takes more than one line of the document. '.repeat(4).trim();
const SENATE = '11111111-2222-3333-4444-555555555555';

/** Rows whose first words occur once in the document. */
const ROWS = Array.from({ length: 14 }, (_, i) => ({
  ...HOUSE_ROW,
  asset: `Harbor${i + 1} Tools (HRBR) [ST]`,
  ...(i % 4 === 1 ? { description: LONG } : {}),
}));

const trade = (row, filing = FILING) => `${filing}-${String(row).padStart(4, '0')}`;
const strip = (row, filing) => `/trades/${trade(row, filing)}/row.png`;

const get = (server, target, options = {}) =>
  server.request('GET', target, { unchecked: true, ...options });

/** The answer about a picture. It is 503 if the drawing took too long, as on a busy machine. */
const asked = (server, target, options) =>
  until(`${target} is drawn`, async () => {
    const response = await get(server, target, options);
    return response.status !== 503 && response;
  });

async function picture(server, target, options) {
  const response = await asked(server, target, options);
  assert.equal(response.status, 200, response.text.slice(0, 300));
  assert.equal(response.header('content-type'), 'image/png');
  return readPng(response.body);
}

/**
 * Where in its page the strip's lines that are not faded stand, in points: {top, bottom}. They are
 * the same dots as those that poppler draws there.
 */
function placeOf(drawn, page) {
  const dark = drawn.lines.map((line) => Math.min(...line) < drawn.grays / 2);
  const [first, last] = [dark.indexOf(true), dark.lastIndexOf(true)];
  assert.ok(first >= 0, 'nothing stands out');
  for (let y = 0; y + last - first < page.height; y++) {
    const same = (i) => drawn.lines[i].equals(page.lines[y + i - first]);
    let i = first;
    while (i <= last && same(i)) i++;
    if (i > last) {
      return { top: (y * 72) / STRIP_DPI, bottom: ((y + last - first + 1) * 72) / STRIP_DPI };
    }
  }
  assert.fail('the strip is not a part of the page');
}

/** Nothing is drawn until the returned function is called, or for 10 s (lib/proc.mjs). */
async function holdDrawing(server) {
  const none = `/filings/${FILING}/pages/2000.png`; // whoever asks starts the program that draws
  assert.equal((await asked(server, none, { forwardedFor: '10.5.0.1' })).status, 404);
  return holdHelpers(server.child.pid);
}

async function publish(site, id, ...options) {
  await site.stockact('review', 'accept', id, ...BY);
  await site.stockact('publish', id, ...BY, ...options);
}

describe('pictures of documents', () => {
  const env = { STOCKACT_TRUSTED_PROXIES: '127.0.0.1' };
  const the = useSite({ clock: '2026-03-10T12:00:00Z', env }, async (site) => {
    const inbox = path.join(site.folder, 'inbox');
    const members = path.join(site.folder, 'members.json');
    const report = path.join(inbox, '20990001.pdf');
    mkdirSync(inbox);
    writeFileSync(members, membersJson([VALE, HOLLIS]));
    await site.stockact('members', 'import', members);
    const files = {
      '20990001.pdf': housePdf({ rows: ROWS }),
      '20990002.pdf': housePdf({ id: '20990002', rows: ROWS.slice(0, 2) }),
      '20990003.pdf': housePdf({ id: '20990003', rows: ROWS.slice(0, 12) }),
      '20990004.pdf': housePdf({
        id: '20990004',
        rows: Array.from({ length: 120 }, () => ROWS[0]),
      }),
      [`${SENATE}.html`]: senatePage({ rows: [SENATE_ROW] }),
    };
    for (const [name, bytes] of Object.entries(files)) writeFileSync(path.join(inbox, name), bytes);
    await site.stockact('ingest', inbox);
    for (const id of [FILING, 'house-20990003', 'house-20990004', `senate-${SENATE}`]) {
      await publish(site, id, '--backfill');
    }
    return { report, inbox, server: await site.serve() };
  });

  test('a strip shows its row, all of it on that page, and no other row', async () => {
    const words = wordsOf(the.report);
    const pages = new Map();
    for (const row of [1, 2, 6, 13, 14]) {
      const { page, top, bottom } = words.find(({ text }) => text === `Harbor${row}`);
      if (!pages.has(page)) pages.set(page, drawPage(the.report, page, STRIP_DPI, 4));
      const drawn = await picture(the.server, strip(row));
      assert.equal(drawn.width, 1275);
      assert.ok(drawn.height >= 264);
      const place = placeOf(drawn, pages.get(page));
      assert.ok(place.top <= top + 3 && place.bottom >= bottom - 3, `row ${row}`);
      const others = words.filter(
        (word) => word.page === page && /^Harbor\d/.test(word.text) && word.top !== top,
      );
      for (const other of others) {
        assert.ok(other.bottom < place.top + 3 || other.top > place.bottom - 3, other.text);
      }
      if (row === 2) assert.ok(place.bottom - place.top > 30, 'the description belongs to it');
    }
    assert.ok(pages.size > 1);
  });

  test('the page of a trade has its strip with the printed cells as its text', async () => {
    const page = await newVisitor(the.server).open(`/trades/${trade(3)}`);
    const [{ attribs }] = page.all('main img');
    assert.equal(attribs.src, strip(3));
    assert.equal(attribs.loading, 'lazy');
    assert.equal(attribs.width, '1275');
    assert.match(
      attribs.alt,
      /^Row 3 as printed; .*; Asset: Harbor3 Tools \(HRBR\) \[ST\]; [^;]*; /,
    );
    assert.doesNotMatch(attribs.alt, /\.$|\.\./);
    const drawn = await picture(the.server, attribs.src);
    assert.equal(String(drawn.height), attribs.height);
  });

  test('the page of a filing shows 100 pages, and says how many more have rows', async () => {
    const move = (page) =>
      the.site.database.execute(`UPDATE trade SET page = ${page} WHERE id = '${trade(14)}'`);
    const visitor = newVisitor(the.server);
    const before = await visitor.open(`/filings/${FILING}`);
    const last = before.all('.sheets img').length;
    assert.doesNotMatch(before.text('.sheets'), /Only \d+ pages/);
    await move(101);
    const page = await visitor.open(`/filings/${FILING}`);
    assert.equal(page.all('.sheets img').length, 100);
    assert.match(page.text('.sheets'), /Only 100 pages .* the rows continue to page 101/);
    assert.match(page.one('.sheets > p a').attribs.href, /20990001\.pdf$/);
    await move(last);
  });

  test('a long filing has fifty rows a page, and the pictures of their pages', async () => {
    const seen = [];
    const pictures = [];
    for (let target = '/filings/house-20990004'; target;) {
      const page = await newVisitor(the.server).open(target);
      const captions = page.all('.sheets figcaption a').map((link) => link.attribs.href);
      const rows = page.all('.table tbody tr td:last-child a').map((link) => link.attribs.href);
      assert.deepEqual(captions, rows, 'rows and pictures are in step');
      seen.push(rows.length);
      pictures.push(page.all('.sheets img').map(({ attribs }) => attribs.src));
      target = page.all('a[rel=next]')[0]?.attribs.href;
    }
    assert.deepEqual(seen, [50, 50, 20]);
    assert.match(pictures[0][0], /\/pages\/1\.png$/);
    assert.ok(pictures[1][0] >= pictures[0].at(-1), 'no page before the first row');
  });

  test('the page of a filing has the pages beside the rows, and leads from each to the other', async () => {
    const page = await newVisitor(the.server).open(`/filings/${FILING}`);
    const rows = page.all('.table tbody tr td:last-child a').map(({ attribs }) => attribs.href);
    assert.deepEqual(
      rows,
      ROWS.map((_, i) => `/trades/${trade(i + 1)}#paper`),
    );
    const images = page.all('.sheets img').map(({ attribs }) => attribs);
    assert.ok(images.length > 1);
    for (const [i, { src, width, height, loading }] of images.entries()) {
      assert.equal(src, `/filings/${FILING}/pages/${i + 1}.png`);
      assert.equal(loading, 'lazy');
      const drawn = await picture(the.server, src);
      assert.deepEqual([drawn.width, drawn.height], [Number(width), Number(height)]);
      const { lines } = drawPage(the.report, i + 1, PAGE_DPI);
      assert.ok(drawn.lines.every((line, y) => line.equals(lines[y])));
    }
    assert.equal(page.all('.sheets figcaption a').length, ROWS.length);
    for (const wrong of ['0', '01', '99', 'x', '1.jpg', '100000']) {
      const target = `/filings/${FILING}/pages/${wrong}${wrong.includes('.') ? '' : '.png'}`;
      assert.equal((await asked(the.server, target)).status, 404, target);
    }
  });

  test('without a document there is no picture', async () => {
    const filing = `senate-${SENATE}`;
    for (const target of [`/filings/${filing}`, `/trades/${trade(1, filing)}`]) {
      const page = await newVisitor(the.server).open(target);
      assert.equal(page.all('main img').length, 0);
    }
    assert.equal((await get(the.server, strip(1, filing))).status, 404);
    assert.equal((await get(the.server, `/filings/${filing}/pages/1.png`)).status, 404);
    assert.equal((await get(the.server, strip(1, 'house-1'))).status, 404);
  });

  test('a picture that the client has is not sent again', async () => {
    const { headers } = await asked(the.server, strip(4));
    assert.match(headers.get('cache-control'), /^public, max-age=0, s-maxage=/);
    assert.equal(headers.get('surrogate-key'), `all f-${FILING}`);
    const again = await get(the.server, strip(4), {
      headers: { 'If-None-Match': headers.get('etag') },
    });
    assert.equal(again.status, 304);
    assert.equal(again.body.length, 0);
    assert.notEqual((await asked(the.server, strip(5))).header('etag'), headers.get('etag'));
  });

  test('a row that a person typed from a scan shows the whole page', async () => {
    const { site, server } = the;
    writeFileSync(path.join(the.inbox, '8220001.pdf'), scanPdf({ pages: 2 }));
    await site.stockact('ingest', path.join(the.inbox, '8220001.pdf'));
    const id = 'house-8220001';
    await site.stockact('review', 'set-filer', id, VALE.id, ...BY);
    await site.stockact('review', 'set', id, 0, 'filed', '2025-02-03', ...because('printed'));
    await site.stockact(
      ...['review', 'add-row', id, 'assetName=Garden Mills', 'side=buy', 'amountBucket=15k_50k'],
      ...['tradeDate=2025-01-20', 'ownerType=self', '--page', 2, ...BY],
    );
    const url = 'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/8220001.pdf';
    await site.stockact('review', 'set', id, 0, 'url', url, ...because('its address'));
    await publish(site, id, '--backfill');
    await until('it is served', async () => (await get(server, `/filings/${id}`)).status === 200);
    const page = await newVisitor(server).open(`/trades/${trade(1, id)}`);
    const [{ attribs }] = page.all('main img');
    assert.equal(attribs.src, `/filings/${id}/pages/2.png`);
    assert.match(
      page.text('.paper figcaption'),
      /^A person typed row 1 from page 2 .* whole page, because it is not known where the row is/,
    );
    assert.match(page.text('main'), /entered by one person/);
    assert.match(page.text('main'), /bulk history that a person vouched for/);
    assert.deepEqual((await picture(server, attribs.src)).height, 1210);
    assert.equal((await picture(server, strip(1, id))).height, 1210);
  });

  test('a row that was read from a scan shows its strip of the upright page', async () => {
    const { site, server } = the;
    const id = 'house-8220002';
    writeFileSync(
      path.join(the.inbox, '8220002.pdf'),
      pdfOfPictures([filledForm().turned(1), filledForm()]),
    );
    await site.stockact('ingest', path.join(the.inbox, '8220002.pdf'));
    await site.stockact('review', 'set-filer', id, VALE.id, ...BY);
    await site.stockact('review', 'set', id, 0, 'filed', '2025-02-04', ...because('printed'));
    for (const [field, value] of Object.entries({ assetName: 'Garden Mills', ownerType: 'spouse' }))
      await site.stockact('review', 'set', id, 1, field, value, ...BY);
    const url = 'https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/2025/8220002.pdf';
    await site.stockact('review', 'set', id, 0, 'url', url, ...because('its address'));
    await publish(site, id, '--backfill');
    await until('it is served', async () => (await get(server, `/filings/${id}`)).status === 200);
    const page = await newVisitor(server).open(`/trades/${trade(1, id)}`);
    const [{ attribs }] = page.all('main img');
    assert.equal(attribs.src, strip(1, id));
    assert.equal(attribs.alt, 'Row 1 on its scanned page');
    const drawn = await picture(server, attribs.src);
    assert.ok(drawn.width === 1650 && drawn.height < 300, `${drawn.width} x ${drawn.height}`);
    const lines = drawn.lines.map((line) => line.reduce((sum, dot) => sum + dot, 0));
    assert.ok(Math.min(...lines) < 0.3 * Math.max(...lines), 'the lines of the form are level');
    const sheet = await picture(server, `/filings/${id}/pages/1.png`);
    assert.deepEqual([sheet.width, sheet.height], [1210, 935]);
    const [image] = (await newVisitor(server).open(`/filings/${id}`)).all('.sheets img');
    assert.deepEqual([image.attribs.width, image.attribs.height], ['1210', '935']);
  });

  test('pictures of new publications wait like their pages, and go when they are withdrawn', async () => {
    const { site, server } = the;
    const id = 'house-20990002';
    await publish(site, id);
    const wolf = await signInOnPage(server, await makeOwner(site, { plan: 'wolf' }));
    const targets = [strip(1, id), `/filings/${id}/pages/1.png`];
    const all = async (visitor) =>
      Promise.all(targets.map(async (target) => (await visitor.request('GET', target)).status));
    await until('both are served', async () => (await all(wolf)).every((one) => one === 200));
    const mine = await wolf.request('GET', targets[0]);
    assert.match(mine.header('cache-control'), /^private/);
    assert.deepEqual(await all(newVisitor(server)), [404, 404]);
    await site.clock.advance(48 * 3_600_000);
    assert.deepEqual(await all(newVisitor(server)), [200, 200]);
    await site.stockact('withdraw', id, ...because('filed for another member'));
    await until('it is withdrawn', async () => (await all(wolf))[1] === 410);
    assert.deepEqual(await all(wolf), [410, 410]);
  });

  test('documents that attack the drawing program cost little and break nothing', async () => {
    const { site, server } = the;
    const attacks = Object.entries(hostilePdfs()).slice(0, 12);
    for (const [i, [name, bytes]] of attacks.entries()) {
      await site.database.execute(
        `UPDATE document_bytes SET bytes = x'${bytes.toString('hex')}' WHERE version_no =` +
          " (SELECT document_version_no FROM filing WHERE id = 'house-20990003')",
      );
      const before = cpuMs(server.child.pid);
      const { status } = await get(server, strip(i + 1, 'house-20990003'));
      assert.ok([200, 404, 503].includes(status), `${name}: ${status}`);
      const spent = cpuMs(server.child.pid) - before;
      assert.ok(spent < 2000, `${name}: ${spent} ms of the server's own processor time`);
    }
    await picture(server, strip(7));
  });

  test('two hundred pictures at once delay neither pages nor the API', async () => {
    const { server } = the;
    const resume = await holdDrawing(server);
    const target = (i) => (i % 2 ? strip(1 + (i % 14)) : `/filings/${FILING}/pages/${1 + i}.png`);
    let waiting = 200;
    const storm = Array.from({ length: waiting }, async (_, i) => {
      const answer = await get(server, target(i), { forwardedFor: `10.0.${i}.1` });
      waiting -= 1;
      return answer;
    });
    for (let i = 0; i < 10; i++) {
      const one = { forwardedFor: `10.9.${i}.1` };
      assert.equal((await get(server, '/api/v1/trades', one)).status, 200);
      assert.equal((await get(server, `/trades/${trade(1)}`, one)).status, 200);
    }
    assert.ok(waiting > 0, 'no picture that is not drawn yet has been answered');
    resume();
    const answers = await Promise.all(storm);
    const counts = Map.groupBy(answers, ({ status }) => status);
    assert.ok(counts.get(503).length > 50, 'few wait, the others come back');
    assert.ok(counts.get(200)?.length);
    assert.deepEqual(
      [...counts.keys()].filter((status) => ![200, 404, 503].includes(status)),
      [],
    );
    for (const answer of counts.get(503) ?? []) assert.equal(answer.header('retry-after'), '1');
    await picture(server, strip(9), { forwardedFor: '10.8.0.1' });
  });

  test('an address can have 120 pictures drawn in a minute, and a reviewer there as many', async () => {
    const { site, server } = the;
    const reviewer = await makeOwner(site, { role: 'reviewer' });
    const place = { from: '127.0.0.1', forwardedFor: '10.7.0.1' };
    const ann = await signInOnPage(server, reviewer, place);
    const ask = (n) =>
      get(server, `/filings/${FILING}/pages/${n}.png`, { forwardedFor: '10.7.0.1' });
    const statuses = [];
    for (let n = 1001; n <= 1121; n++) statuses.push((await ask(n)).status);
    assert.equal(statuses.filter((status) => status === 429).length, 1);
    assert.equal(statuses.at(-1), 429);
    assert.equal((await ask(1)).status, 200, 'what is drawn is free');
    const refused = await ask(1200);
    assert.equal(refused.status, 429);
    assert.match(refused.header('retry-after'), /^[1-9]\d?$/);
    await until('the draft, which is not public, is drawn', async () => {
      const { status } = await ann.request('GET', '/desk/house-20990002/pages/1.png');
      assert.ok([200, 503].includes(status), `${status}`);
      return status === 200;
    });
  });

  test('pictures that nobody waits for are not drawn, and do not delay the end of a server', async () => {
    const { server } = the;
    await holdDrawing(server);
    const sockets = await Promise.all(
      Array.from({ length: 30 }, async (_, i) => {
        const socket = net.connect(server.port, '127.0.0.1');
        await once(socket, 'connect');
        const target = `/filings/${FILING}/pages/${3001 + i}.png`;
        socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.6.${i}.1\r\n\r\n`);
        return socket;
      }),
    );
    const queued = async () => metric(server, 'deferred_waiting');
    await until(
      'the others wait for the first',
      async () => (await queued()) >= sockets.length - 1,
    );
    for (const socket of sockets) socket.destroy();
    await server.stop();
    const left = server.log
      .split('\n')
      .filter((line) => line.includes('/filings/{id}/pages/{n}') && /status"?[=:]499/.test(line));
    assert.ok(left.length >= 20, `${left.length} of ${sockets.length}`);
  });
});

const real = sharedData('house', 'ptr-pdf');
const members = ['legislators-current.json', 'legislators-historical.csv'].map((name) =>
  sharedData('congress-legislators', name),
);

describe('real documents', { skip: real && members.every(Boolean) ? false : noSharedData }, () => {
  const the = useSite({ clock: '2026-03-10T12:00:00Z' }, async (site) => {
    const reports = ['20027885', '20030291', '20011886'];
    await site.stockact('members', 'import', ...members);
    await site.stockact('ingest', ...reports.map((id) => `${real}/${id}.pdf`));
    for (const id of reports) await publish(site, `house-${id}`, '--backfill');
    return { reports, server: await site.serve() };
  });

  test('strips stand where their dates and amounts are', async () => {
    const rows = await the.site.database.query('SELECT id, position, page, printed FROM trade');
    let checked = 0;
    for (const { id, page, printed } of rows.slice(0, 24)) {
      const file = `${real}/${/house-(\d+)/.exec(id)[1]}.pdf`;
      const drawn = await picture(the.server, `/trades/${id}/row.png`);
      if (drawn.height > 1000) continue;
      const place = placeOf(drawn, drawPage(file, page, STRIP_DPI, 4));
      const inside = wordsOf(file).filter(
        (word) => word.page === page && word.top > place.top - 3 && word.bottom < place.bottom + 3,
      );
      const cells = JSON.parse(printed);
      const text = inside.map((word) => word.text);
      assert.ok(text.includes(cells.date), `${id}: ${cells.date} in ${text}`);
      const dates = text.filter((word) => /^\d\d\/\d\d\/\d{4}$/.test(word));
      assert.deepEqual(dates, [cells.date, cells.notified], id);
      checked++;
    }
    assert.ok(checked > 5);
  });
});

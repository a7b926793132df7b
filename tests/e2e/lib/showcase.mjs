// A service as it looks after some weeks of use, for screenshots: keys with requests, endpoints
// with deliveries that succeed and fail, accounts, e-mails that wait. All of it is invented.

import { everyPage, pageSite } from './every_page.mjs';
import { Site } from './site.mjs';
import { until } from './until.mjs';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const PUBLISHED = 14;

const ACCOUNTS = [
  ['amara.oyelaran@ledgerpost.example', 'den', 'member'],
  ['data@civicmirror.example', 'pack', 'member'],
  ['j.lindqvist@northfold.example', 'pack', 'reviewer'],
  ['newsroom@harborline.example', 'den', 'member'],
  ['t.okafor@statehouse-review.example', 'scout', 'member'],
  ['vera.holm@quillfield.example', 'wolf', 'member'],
];

/** Requests of a weekday: more from week to week. */
const requestsOf = (day, index) => (day % 7 === 2 || day % 7 === 3 ? 420 : 1750) + 31 * index;

function keyDays(no, today, scale) {
  const rows = [];
  for (let i = 0; i < 30; i++) {
    const day = today - 29 + i;
    const all = Math.round(requestsOf(day, i) * scale);
    const refused = i % 9 === 4 ? Math.round(all / 14) : 0;
    const limited = i > 24 ? Math.round(all / 9) : 0;
    rows.push(`(${no}, ${day}, ${all}, ${Math.round(all / 3)}, ${refused}, ${limited}, 0)`);
  }
  return `INSERT INTO key_day (key_no, day, ok, not_modified, client_errors, rate_limited,
      server_errors) VALUES ${rows.join(', ')}
    ON CONFLICT (key_no, day) DO UPDATE SET ok = excluded.ok;`;
}

async function addKeys(site, owner, now) {
  const names = ['Newsroom dashboard', 'Nightly copy', 'Old crawler'];
  const minted = {};
  for (const name of names) minted[name] = await site.mint({ email: owner.email, name });
  await site.stockact('keys', 'revoke', '--id', minted['Old crawler'].id);
  const rows = await site.database.query(`SELECT no, id, name FROM api_key`);
  const no = (name) => rows.find((row) => row.name === name).no;
  const today = Math.floor(now / DAY);
  const date = new Date(now);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const error = (name, ago, status, code, path, count) =>
    `(${no(name)}, ${now - ago}, ${status}, '${code}', '${path}', ${count})`;
  const used = (name, ago, path, count) => `
    UPDATE api_key SET last_used_at = ${now - ago}, last_used_for = '${path}',
      created_at = ${now - 63 * DAY} WHERE no = ${no(name)};
    INSERT INTO month_count (month, kind, caller, used)
      VALUES (${month}, 'key', CAST('${no(name)}' AS BLOB), ${count})
      ON CONFLICT DO NOTHING;`;
  await site.database.execute(
    [
      keyDays(no('Newsroom dashboard'), today, 1),
      keyDays(no('Nightly copy'), today, 0.18),
      used('Newsroom dashboard', 4 * 60_000, '/api/v1/trades', 61_240),
      used('Nightly copy', 9 * HOUR, '/api/v1/changes', 8_112),
      `UPDATE api_key SET last_used_at = ${now - 44 * DAY}, last_used_for = '/api/v1/trades',
        created_at = ${now - 90 * DAY} WHERE no IN (${no('laptop')}, ${no('Old crawler')});`,
      `INSERT INTO key_error (key_no, at, status, error, path, count) VALUES ${[
        error('Newsroom dashboard', 20 * 60_000, 429, 'rate_limited', '/api/v1/trades', 212),
        error('Newsroom dashboard', 5 * HOUR, 404, 'not_found', '/api/v1/tickers/{symbol}', 3),
        error('Nightly copy', 2 * DAY, 400, 'invalid_cursor', '/api/v1/changes', 1),
      ].join(', ')};`,
    ].join('\n'),
  );
  return minted;
}

/** Endpoints with a day of deliveries: real ones, moved back in time and to better addresses. */
async function addEndpoints(site, { owner, endpoint, receiver }, now) {
  const add = async (status, description) => {
    const args = ['--email', owner.email, '--url', receiver.url(status)];
    const [made] = await site.stockact('webhooks', 'add', ...args, '--description', description);
    return made.id;
  };
  const staging = await add(500, 'Staging');
  const archive = await add(200, 'Archive');
  await site.stockact('demo', '--publish', PUBLISHED, '--rows', 3);
  const count = async (where) => {
    const [{ n }] = await site.database.query(`SELECT count(*) AS n FROM delivery d
      JOIN endpoint e ON e.no = d.endpoint_no WHERE ${where}`);
    return n;
  };
  const ids = `('${endpoint.id}', '${archive}')`;
  await until('the deliveries are sent', async () => {
    const sent = await count(`e.id IN ${ids} AND d.state = 'delivered'`);
    const tried = await count(`e.id = '${staging}' AND d.attempts > 0`);
    return sent >= 2 * PUBLISHED && tried > 0;
  });
  await site.stockact('webhooks', 'disable', '--id', archive);
  const move = (id, url, status) => `
    UPDATE attempt SET url = '${url}', remote = '203.0.113.24:443', answer = CAST('{"ok":true}' AS BLOB),
      resolve_ms = 3, connect_ms = 19, tls_ms = 41, wait_ms = 128, ended_at = started_at + 191,
      request = replace(replace(request, '${receiver.host}', '${new URL(url).host}'),
        'POST /${status}', 'POST ${new URL(url).pathname}')
      WHERE endpoint_no = (SELECT no FROM endpoint WHERE id = '${id}');
    UPDATE endpoint SET url = '${url}' WHERE id = '${id}';`;
  // Half-hours apart, and busier in the afternoon.
  const back = (no) => `(SELECT max(no) FROM event) - ${no}`;
  const shift = (no) => `(${back(no)}) * (${back(no)}) * 360000 + (${back(no)}) * 700000`;
  await site.database.execute(
    [
      `UPDATE attempt SET started_at = started_at - (SELECT ${shift('event_no')} FROM delivery d
        WHERE d.no = delivery_no), ended_at = ended_at - (SELECT ${shift('event_no')}
        FROM delivery d WHERE d.no = delivery_no);`,
      `UPDATE delivery SET created_at = created_at - (${shift('event_no')}),
        ended_at = ended_at - (${shift('event_no')});`,
      `UPDATE event SET created_at = created_at - (${shift('no')});`,
      move(endpoint.id, 'https://hooks.ledgerpost.example/trades', 200),
      move(staging, 'https://staging.ledgerpost.example/trades', 500),
      move(archive, 'https://archive.ledgerpost.example/in', 200),
      `UPDATE endpoint SET description = 'Newsroom' WHERE id = '${endpoint.id}';`,
    ].join('\n'),
  );
  return { staging, archive, retried: await addRetries(site, endpoint) };
}

/** Deliveries that arrived at the second attempt: the id of the newest. */
async function addRetries(site, { id }) {
  const chosen = await site.database.query(`SELECT d.no, d.id, d.created_at FROM delivery d
    JOIN endpoint e ON e.no = d.endpoint_no WHERE e.id = '${id}' ORDER BY d.no DESC`);
  const retried = [3, 4, 9].map((index) => chosen[index]);
  const columns = `started_at, ended_at, retry_after, detail, remote, resolve_ms, connect_ms,
    tls_ms, wait_ms, url, request, endpoint_no`;
  for (const { no } of retried) {
    await site.database.execute(`
      INSERT INTO attempt (delivery_no, number, status, error, answer, ${columns})
        SELECT delivery_no, 2, status, error, answer, ${columns} FROM attempt
        WHERE delivery_no = ${no} AND number = 1;
      UPDATE attempt SET status = 503, error = '5xx', wait_ms = 1204,
        answer = CAST('{"error":"the queue is full"}' AS BLOB), ended_at = ended_at + 1076
        WHERE delivery_no = ${no} AND number = 1;
      UPDATE attempt SET started_at = started_at + 61204, ended_at = ended_at + 61204
        WHERE delivery_no = ${no} AND number = 2;
      UPDATE delivery SET attempts = 2, tries = 2 WHERE no = ${no};`);
  }
  return retried[0].id;
}

async function addAccounts(site) {
  for (const [email, plan, role] of ACCOUNTS) {
    const args = ['accounts', 'create', '--email', email, '--plan', plan, '--role', role];
    await site.stockact(...args);
  }
  await site.stockact('accounts', 'disable', '--email', 'data@civicmirror.example');
}

async function addTroubles(site, now) {
  const refused = '550 5.1.1 No such user';
  await site.database.execute(`
    INSERT INTO mail (to_email, subject, body, created_at, due_at, tries, ended_at, error) VALUES
      ('vera.holm@quilfield.example', 'Confirm your e-mail address', 'x', ${now - 3 * HOUR},
       ${now - 2 * HOUR}, 5, ${now - HOUR}, '${refused}');
    INSERT INTO job_run (name, server, started_at, ended_at, failed, result) VALUES
      ('sync house', 'alder:8080', ${now - 2 * DAY}, ${now - 2 * DAY + 41_000}, 0,
       '{"new":3,"changed":0}'),
      ('sync house', 'alder:8080', ${now - DAY}, ${now - DAY + 12_000}, 1,
       '{"error":"house.example: no answer within 30 seconds"}');`);
}

async function fillShowcase(site, the) {
  const now = Date.now();
  const keys = await addKeys(site, the.owner, now);
  const endpoints = await addEndpoints(site, the, now);
  await addAccounts(site);
  await addTroubles(site, now);
  return { keys, ...endpoints };
}

/** Calls `work` with a site that has all of it, and closes the site: what `everyPage`
 *  (lib/every_page.mjs) returns, with `site` and what was added: {keys, staging, archive ...}. */
export async function withShowcase(work) {
  const ends = [];
  const beside = await pageSite({ after: (end) => ends.push(end) });
  const site = await Site.open(beside.options);
  try {
    const all = await everyPage(site, beside);
    await work({ ...all, ...(await fillShowcase(site, all)), site });
  } finally {
    await site.close();
    for (const end of ends) end();
  }
}

// Alerts: their links and their e-mails.

import { createHmac } from 'node:crypto';
import { linkIn } from './people.mjs';
import { until } from './until.mjs';

/** The link that ends an alert, by its id, or all alerts of an account, by the account's. */
export async function endLink(site, account, id = account) {
  const blob = site.database.kind === 'sqlite' ? 'hex(p.end_key)' : "encode(p.end_key, 'hex')";
  const [{ key }] = await site.database.query(
    `SELECT ${blob} AS key FROM alert_person p JOIN account a ON a.no = p.account_no
     WHERE a.id = '${account}'`,
  );
  const token = createHmac('sha256', Buffer.from(key, 'hex')).update(id).digest();
  return `/alerts/end/${id}?token=${token.subarray(0, 16).toString('base64url')}`;
}

const CONFIRM = '/alerts/confirm';

/** Waits for `count` letters that ask the address for its confirmation: the newest link. */
export async function confirmLink(sink, to, count = 1) {
  const letters = () =>
    sink.mails.filter((mail) => mail.to === to && mail.body.includes(`${CONFIRM}?`));
  await until(`${count} letters with a link`, () => letters().length >= count);
  return linkIn(letters().at(-1), CONFIRM);
}

/** An address that followed a link once. */
export const confirm = (site, email) =>
  site.database.execute(`UPDATE account SET confirmed_at = 1 WHERE email = '${email}'`);

/** The job has matched all that was published, and queued what is due. */
export const settled = (site) =>
  until('alerts have matched everything', async () => {
    const [row] = await site.database.query(
      `SELECT (SELECT max(seq) FROM change_log) - (SELECT value FROM counter WHERE name = 'alert')
        + (SELECT count(*) FROM job WHERE name = 'alerts' AND lease_until IS NOT NULL) AS busy`,
    );
    return Number(row.busy) === 0;
  });

/** Decodes the parts of a message with two bodies: {text, html}. */
export function partsOf(mail) {
  const boundary = /boundary="(.*?)"/.exec(mail.headers['content-type'])[1];
  const [text, html] = mail.body
    .split(`--${boundary}`)
    .slice(1, 3)
    .map((part) => {
      const [head, ...rest] = part.trim().split('\n\n');
      const body = rest.join('\n\n');
      return /base64/.test(head) ? Buffer.from(body, 'base64').toString('utf8') : body;
    });
  return { text, html };
}

/** The subject, its encoded words decoded (RFC 2047). */
export const subjectOf = ({ headers }) =>
  headers.subject
    .replace(/\?= +=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?(.*?)\?=/g, (_, text) => Buffer.from(text, 'base64').toString('utf8'));

/** Adds accounts with confirmed addresses, each with the same number of alerts: person N is
 *  pN@example.org. A rule is a name of a column and its value; the default matches all trades. */
export async function fillPeople(
  site,
  { people, pace, each = 1, rule = { amount_bucket: '1k_15k' } },
) {
  const sqlite = site.database.kind === 'sqlite';
  const series = (name, count) =>
    `WITH RECURSIVE ${name}(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM ${name} WHERE i < ${count})`;
  const hex = (value) => (sqlite ? `printf('%016x', ${value})` : `lpad(to_hex(${value}), 16, '0')`);
  const key = sqlite ? 'randomblob(32)' : "sha256(convert_to(no::text, 'UTF8'))";
  const [column, value] = Object.entries(rule)[0];
  await site.database.execute(
    `INSERT INTO account (id, email, email_folded, plan, role, created_at, confirmed_at)
     ${series('n', people)} SELECT 'acc_' || ${hex('i')}, 'p' || i || '@example.org',
       'p' || i || '@example.org', 'den', 'member', 1, 1 FROM n;
     INSERT INTO alert_person (account_no, end_key)
       SELECT no, ${key} FROM account WHERE email LIKE 'p%@example.org';
     INSERT INTO alert (id, account_no, state, pace, ${column}, flagged, after_seq, created_at, changed_at)
     ${series('k', each)} SELECT 'al_' || ${hex(`a.no * 1000 + k.i`)}, a.no, 'enabled', '${pace}',
       '${value}', 0, 0, 1, 1 FROM account a CROSS JOIN k WHERE a.email LIKE 'p%@example.org'`,
  );
}

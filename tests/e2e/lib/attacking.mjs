// What attacks on pages need: the table of pages, forms that would act, and everything that a form
// could change.

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { attribute } from './html.mjs';
import { answer, Receiver } from './receivers.mjs';
import { binary } from './settings.mjs';
import { until } from './until.mjs';

export const CLOCK = '2026-03-31T12:00:30.000Z';
export const OPTIONS = { clock: CLOCK, env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' } };
export const BODY_MAX = 64 * 1024;
export const FORM = 'application/x-www-form-urlencoded';
export const MARKUP = `"'><script>alert(1)</script><img src=x onerror=alert(1)>{{email}}{{{email}}}`;

/** The table of pages, as the program prints it: {path, access, get, post}. */
export const PAGES = execFileSync(binary, ['help', '--pages', '--json'], { encoding: 'utf8' })
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
export const filled = (page) => page.path.replace(/\{[^}]*\}/g, 'none');
/** Those that need the token of a form: a link from an e-mail that ends alerts needs none. */
export const POSTED = PAGES.filter((page) => page.post && !page.oneClick);
/** Addresses for programs: they answer JSON whatever is asked for. */
export const isForPrograms = (page) => page.path.startsWith('/account/api/');

/** A key, an endpoint and a delivery of an account, with markup wherever a person or a receiver can
 *  put it: {key, endpoint, delivery, account, alert}. */
export async function makeThings(t, site, email) {
  const receiver = await Receiver.start(t, answer(500, 'Content-Type: text/html\r\n', MARKUP));
  const { id: key } = await site.mint({ email, name: MARKUP });
  const url = `${receiver.url()}?a=${encodeURIComponent(MARKUP)}`;
  const args = ['--email', email, '--url', url, '--description', MARKUP];
  const [{ id: endpoint }] = await site.stockact('webhooks', 'add', ...args);
  const [{ id: alert }] = await site.stockact('alerts', 'add', '--email', email, '--ticker', 'ABC');
  await site.stockact('demo', '--publish', 1, '--rows', 2);
  const find = async () => {
    const [row] = await site.database.query(
      `SELECT d.id, d.attempts FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no
       WHERE e.id = '${endpoint}'`,
    );
    return Number(row?.attempts) > 0 ? row.id : null;
  };
  const delivery = await until('an attempt', find);
  const [{ id: account }] = await site.database.query(
    `SELECT id FROM account WHERE email = '${email}'`,
  );
  return { key, endpoint, delivery, account, alert };
}

/** The address of a page about these things, or null if it is about others. */
export function targetOf(page, things) {
  const id = page.path.startsWith('/account/webhooks/')
    ? things.endpoint
    : page.path.startsWith('/account/alerts/')
      ? things.alert
      : page.path.startsWith('/admin/accounts/')
        ? things.account
        : /^\/account\/(api\/)?keys\//.test(page.path)
          ? things.key
          : null;
  if (id === null && page.path.includes('{id}')) return null;
  return page.path.replace('{id}', id).replace('{delivery}', things.delivery);
}

/** A token for the forms of a visitor, from a page that has one. */
export async function tokenOf(visitor, target) {
  const page = await visitor.open(target);
  return attribute(page.one('input[name="csrf"]'), 'value');
}

export const onceOf = () => randomBytes(24).toString('base64url');

const STATE = {
  account: '*',
  session: 'id, account_no',
  api_key: 'id, account_no, name, revoked_at',
  endpoint: 'id, account_no, url, events, description, state',
  alert: 'id, account_no, state, pace, ticker, changed_at',
  delivery: 'id',
  token: '*',
  mail: '*',
  action_log: '*',
};

/** Everything that a form could change. */
export async function stateOf(site) {
  const state = {};
  for (const [table, columns] of Object.entries(STATE))
    state[table] = await site.database.query(`SELECT ${columns} FROM ${table} ORDER BY 1`);
  return JSON.stringify(state, (_, value) => (typeof value === 'bigint' ? `${value}` : value), 1);
}

export function post(visitor, target, pairs, headers = {}) {
  return visitor.request('POST', target, {
    headers: { 'Content-Type': FORM, 'Sec-Fetch-Site': 'same-origin', ...headers },
    body: new URLSearchParams(pairs).toString(),
  });
}

/** What a form of that page can hold, so that the action would succeed. */
export const FIELDS = {
  '/account/settings/password': { newPassword: 'another harbor lantern' },
  '/account/settings/address': { newEmail: 'new.address@example.org' },
  '/account/settings/sessions': { all: 'on' },
  '/account/keys': { name: 'forged' },
  '/account/api/keys': { name: 'forged' },
};

export const fieldsOf = (page, owner) => ({
  confirm_password: owner.password,
  email: owner.email,
  ...FIELDS[page.path],
});

// People with accounts, who use the pages.

import { strict as assert } from 'node:assert';
import { randomBytes, randomInt } from 'node:crypto';
import { Visitor } from './pages.mjs';
import { preparing } from './settings.mjs';
import { until } from './until.mjs';

export const PASSWORD = 'maple harbor lantern';

/** A loopback address of its own: attempts are counted by address. */
const anyAddress = () => `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`;

export const anyEmail = () => `${randomBytes(5).toString('hex')}@example.org`;

/** Creates an account with a password by the command line: {email, password}. */
export async function makeOwner(site, options = {}) {
  const { email = anyEmail(), plan = 'pack', role = 'member', password = PASSWORD } = options;
  const args = ['accounts', 'create', '--email', email, '--plan', plan, '--role', role];
  const how = { input: `${password}\n`, program: preparing };
  const done = await site.run([...args, '--password-stdin', '--json'], how);
  assert.equal(done.code, 0, done.stderr);
  return { email, password };
}

/** A visitor from an address of its own. */
export const newVisitor = (server, options = {}) =>
  new Visitor(server, { from: anyAddress(), ...options });

/** Signs in as somebody: a Visitor with a session. A busy machine can be too slow for an attempt, which
 *  counts nevertheless; a minute later there are others. With a test clock that minute never ends: a
 *  test with one keeps the session of an account. */
export async function signInOnPage(server, { email, password }, options = {}) {
  const visitor = newVisitor(server, options);
  const page = await until('the server has time for a password', async () => {
    const asked = await visitor.open('/sign-in?next=/account/settings');
    const next = await visitor.submit(asked.form('/sign-in'), { email, password });
    return ![429, 503].includes(next.status) && next;
  });
  assert.equal(page.status, 200, page.html);
  return visitor;
}

/** Opens a page and sends its form to the same address, with the password of the account if the form
 *  asks for it. */
export async function sendForm(visitor, target, fill, options = { status: 200 }) {
  const page = await visitor.open(target);
  const form = page.form(target);
  const asks = form.controls.some(({ attribs }) => attribs.name === 'confirm_password');
  return visitor.submit(form, asks ? { confirm_password: PASSWORD, ...fill } : fill, options);
}

/** The path and query of the link in an e-mail, which leads to `server`. */
export function linkIn(mail, path) {
  const links = mail.body.match(/https?:\/\/\S+/g) ?? [];
  const found = links
    .map((link) => new URL(link.replace(/[.,]$/, '')))
    .find((link) => link.pathname === path);
  assert.ok(found, `a link to ${path} in the e-mail "${mail.headers.subject}":\n${mail.body}`);
  return found.pathname + found.search;
}

/** A page without what differs between any two responses: tokens, and the words in `names`. */
export function withoutTokens(html, ...names) {
  let text = html.replace(/(name="(?:csrf|once|step)" value=")[^"]*/g, '$1');
  for (const name of names) text = text.replaceAll(name, 'NAME');
  return text;
}

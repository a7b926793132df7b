// Visitors who are signed in, without the sign-in page and its password hash: the session is written
// into the database. For tests of what is behind the sign-in.

import { createHash, randomBytes } from 'node:crypto';
import { Visitor } from './pages.mjs';

const IDLE_MS = 14 * 24 * 3_600_000;

/** The kinds of visitor. */
export const KINDS = ['anyone', 'owner', 'reviewer', 'admin'];
const ROLES = { owner: 'member', reviewer: 'reviewer', admin: 'admin' };

/** Begins a session of the account with the address `email`; returns the value of its cookie.
 *  `proved`: false if the password was given long ago. */
export async function beginSession(site, email, { proved = true } = {}) {
  const token = randomBytes(32).toString('base64url');
  const digest = createHash('sha256').update(token).digest('hex');
  const now = site.clock ? site.clock.now : Date.now();
  const blob = site.database.kind === 'sqlite' ? `x'${digest}'` : `'\\x${digest}'::bytea`;
  const id = `ses_${randomBytes(8).toString('hex')}`;
  const times = [now, now, now + IDLE_MS, proved ? now : now - IDLE_MS].join(', ');
  await site.database.execute(
    `INSERT INTO session (id, sha256, account_no, created_at, seen_at, expires_at, proved_at)
     SELECT '${id}', ${blob}, no, ${times} FROM account WHERE email = '${email}'`,
  );
  return token;
}

/** Ends all sessions of the account, as if their time were over. */
export async function endSessions(site, email) {
  await site.database.execute(
    `DELETE FROM session WHERE account_no IN (SELECT no FROM account WHERE email = '${email}')`,
  );
}

/** A Visitor with a session of the account. Options: `proved`, and those of Visitor. */
export async function withSession(site, server, email, { proved, ...options } = {}) {
  const visitor = new Visitor(server, options);
  visitor.cookies.set('session', await beginSession(site, email, { proved }));
  return visitor;
}

/** Returns a visitor of this kind, signed in with a new account; `email` is its address. */
export async function visitorOf(site, server, kind) {
  if (kind === 'anyone') return new Visitor(server);
  const email = await site.account();
  await site.stockact('accounts', 'set-role', '--email', email, '--role', ROLES[kind]);
  const visitor = await withSession(site, server, email);
  visitor.email = email;
  return visitor;
}

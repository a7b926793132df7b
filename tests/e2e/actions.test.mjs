// Every action of `stockact help --actions`, done in all ways that it has: by the form of its page, in
// JSON and by its command. The log of actions must have one row of each: who, on what, whose account.

import { strict as assert } from 'node:assert';
import test from 'node:test';
import { accountId, one, post, run, signIn, TABLE } from './lib/action_table.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { makeOwner, newVisitor } from './lib/people.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { prepareUploads } from './lib/uploading.mjs';

const WAYS = ['form', 'json', 'command'];
const NOBODY = { actor: 'visitor', actorId: null, sessionId: null };
const OPERATOR = { actor: 'operator', actorId: null, sessionId: null };

// --- the ways

/** Whether `path` is an address of the pattern of `help`, or below one. */
const isAt = (pattern, path) =>
  new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.replace(/\?.*/, ''));
const isUnder = (pattern, path) => isAt(`${pattern}(/.*)?`, path);

/** The address takes such a post by the list of pages, and belongs to the page of the action. */
function checkAddress(the, listed, path, need) {
  assert.ok(isUnder(listed.page, path), `${path} is at ${listed.page}, or below it`);
  const page = the.pages.find((row) => isAt(row.path, path));
  assert.ok(page?.post, `${path} is a row of help --pages with post`);
  for (const name of need) assert.ok(page[name], `${path} has ${name} in help --pages`);
}

/** Who does it on pages: by the list, a stranger, the owner or an admin. */
const personOf = (own, { who }) =>
  ({
    anyone: { visitor: newVisitor(own.server) },
    owner: own.me,
    reviewer: own.me,
    admin: own.admin,
  })[who];

const rowOf = (person) =>
  person.session ? { actor: 'account', actorId: person.id, sessionId: person.session } : NOBODY;

/** What no form of text can send. */
async function send(spec, ...rest) {
  const answer = await spec.send(...rest);
  assert.equal(answer.status, 200, answer.text);
}

const DO = {
  form: async (the, listed, own, spec) => {
    const person = personOf(own, listed);
    const page = await person.visitor.open(spec.at ?? listed.page);
    assert.ok(isAt(listed.page, page.path), `${page.path} is ${listed.page}`);
    const found =
      typeof spec.form === 'function' ? page.forms.find(spec.form) : page.form(spec.form);
    assert.ok(found, `a form on ${page.target}: ${page.text()}`);
    assert.equal(found.method, 'POST');
    checkAddress(the, listed, found.action, []);
    const fill = typeof spec.fill === 'function' ? await spec.fill(page) : spec.fill;
    if (spec.send) await send(spec, person.visitor, found);
    else await person.visitor.submit(found, fill, { status: spec.status ?? 200 });
    await spec.next?.(person.visitor);
    return rowOf(person);
  },
  json: async (the, listed, own, spec) => {
    const { to, body } = spec;
    const person = personOf(own, listed);
    checkAddress(the, listed, to, ['json']);
    if (spec.send) await send(spec, person);
    else await post(person, to, body);
    return rowOf(person);
  },
  command: async (the, { command }, own, { args, input }) => {
    assert.equal(args.slice(0, command.split(' ').length).join(' '), command);
    await run(own, args, input);
    return OPERATOR;
  },
};

/** The ways that the list has and those that the table has are the same, with a reason for each gap. */
function checkWays(the, listed, action) {
  const { without = {} } = action;
  const has = { form: listed.page !== null, json: listed.json, command: listed.command !== null };
  for (const way of WAYS) {
    const done = way in action;
    assert.equal(has[way], done, `${listed.action} by ${way}`);
    assert.equal(way in without, !done, `the reason of ${listed.action} without ${way}`);
  }
  if (!listed.page) return;
  const page = the.pages.find((row) => row.path === listed.page);
  assert.ok(page, `${listed.page} is in help --pages`);
  assert.ok(page.get, `${listed.page} is a page`);
}

/** Does the action in each of its ways: the rows that the log must have, oldest first. */
async function doAll(the, listed, action) {
  const rows = [];
  await action.once?.(the);
  for (const way of WAYS) {
    const own = the.owners[way];
    for (const prepare of [action[way] ?? []].flat()) {
      const spec = await prepare(own);
      const who = await DO[way](the, listed, own, spec);
      await action.after?.(own);
      const about = { action: listed.action, accountId: own.id, subject: null, subjectId: null };
      rows.push({ ...about, ...who, ...(spec.row ?? action.row?.(own)) });
    }
  }
  return rows;
}

async function help(site, what) {
  const done = await site.run(['help', what, '--json']);
  assert.equal(done.code, 0, done.stderr);
  return done.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** What one way acts on: an owner, an admin's session, and an account that the admin manages. */
async function makeOwn(the, admin) {
  const own = { site: the.site, server: the.server, sink: the.sink, url: the.receiver.url(200) };
  own.email = (await makeOwner(the.site, { plan: 'den' })).email;
  own.id = await accountId(own, own.email);
  const email = await the.site.account();
  own.other = { email, id: await accountId(own, email) };
  own.me = await signIn(own, own.email);
  own.admin = await signIn(own, admin);
  return own;
}

/** A site without invented data, whose owners are reviewers. */
async function openReal(t, { pages }) {
  const { site, sink } = await makeMailSite(t, { database: 'sqlite' });
  await prepareUploads(site);
  const the = { site, sink, pages, receiver: { url: () => '' }, owners: {} };
  const admin = await site.account();
  await site.stockact('accounts', 'set-role', '--email', admin, '--role', 'admin');
  the.server = await site.serve();
  for (const way of ['form', 'json']) {
    const own = (the.owners[way] = await makeOwn(the, admin));
    await site.stockact('accounts', 'set-role', '--email', own.email, '--role', 'reviewer');
    own.me = await signIn(own, own.email);
  }
  return the;
}

async function open(t) {
  const receiver = await PlainReceiver.start(t);
  const env = {
    STOCKACT_SIGNUP: 'open',
    STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
  };
  const { site, sink } = await makeMailSite(t, { database: 'sqlite', env });
  await site.stockact('demo', '--trades', 20);
  const the = { site, sink, receiver, server: await site.serve(), owners: {} };
  const admin = await site.account();
  await site.stockact('accounts', 'set-role', '--email', admin, '--role', 'admin');
  for (const way of WAYS) the.owners[way] = await makeOwn(the, admin);
  the.pages = await help(site, '--pages');
  the.list = await help(site, '--actions');
  return the;
}

/** Who, what, on what and whose: the members of a row that are compared. */
const shown = ({ action, actor, actorId, sessionId, accountId: account, subject, subjectId }) => ({
  ...{ action, actor, actorId, sessionId, account, subject, subjectId },
});

test('every action works on its page, in JSON and by command', async (t) => {
  const demo = await open(t);
  const { list } = demo;
  assert.deepEqual(list.map(({ action }) => action).sort(), Object.keys(TABLE).sort());
  for (const [name, action] of Object.entries(TABLE)) {
    await t.test(name, async () => {
      const the = action.realData ? await openReal(t, demo) : demo;
      const listed = list.find((row) => row.action === name);
      checkWays(the, listed, action);
      const { last } = await one(the, 'SELECT coalesce(max(no), 0) AS last FROM action_log');
      const expected = await doAll(the, listed, action);
      const log = await the.site.stockact('log', '--action', name);
      const rows = log.filter(({ no }) => no > Number(last)).reverse();
      assert.deepEqual(rows.map(shown), expected.map(shown));
    });
  }
});

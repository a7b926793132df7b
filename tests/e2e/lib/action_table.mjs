// How every action of `stockact help --actions` is done in each of its ways: the table of
// actions.test.mjs.

import { strict as assert } from 'node:assert';
import { ALERT_ACTIONS } from './action_table_alerts.mjs';
import { DOCUMENT_ACTIONS } from './action_table_documents.mjs';
import { BY_LINK, newest, one, run } from './action_ways.mjs';
import { anyEmail, linkIn, PASSWORD } from './people.mjs';
import { oneTimeCode } from './second_factor.mjs';
import { until } from './until.mjs';
import { withSession } from './sessions.mjs';

const SETTINGS = '/account/settings';
const FACTOR = `${SETTINGS}/second-factor`;
const PUBLISHED = 'trade.published';
const CORRECTED = 'trade.corrected';

export { one, run };

// --- what the table uses: `own` is what one way acts on, an owner with all that belongs to it

export const accountId = async (own, email) =>
  (await one(own, `SELECT id FROM account WHERE email = '${email}'`))?.id;

/** Somebody with a session: {id, session, visitor, csrf}. */
export async function signIn(own, email) {
  const id = await accountId(own, email);
  const visitor = await withSession(own.site, own.server, email);
  const { csrf } = await visitor.json(SETTINGS);
  return { id, session: await newest(own, 'session', id), visitor, csrf };
}

export async function post(person, target, body) {
  const response = await person.visitor.postJson(target, body, { csrf: person.csrf });
  assert.ok([200, 201].includes(response.status), `${target}: ${response.text}`);
  return response;
}

/** The link to `path` in the e-mail to `to`. */
async function mailed(own, to, path) {
  const find = (mail) => mail.to === to && mail.body.includes(`${path}?`);
  await until(`an e-mail with a link to ${path}`, () => own.sink.mails.some(find));
  return linkIn(own.sink.mails.find(find), path);
}

/** The number of a new e-mail that was given up. */
async function giveUp(own) {
  const now = Date.now();
  await own.site.database.execute(
    `INSERT INTO mail (to_email, subject, body, created_at, due_at, tries, ended_at, error)
     VALUES ('${own.email}', 'Lost', 'x', ${now}, ${now}, 5, ${now}, 'the server was away')`,
  );
  return String((await one(own, 'SELECT max(no) AS no FROM mail')).no);
}

/** Picks the form whose hidden fields have these values. */
const hidden = (fields) => (form) =>
  Object.entries(fields).every(([name, value]) =>
    form.controls.some(({ attribs }) => attribs.name === name && attribs.value === value),
  );

/** An address that nobody has: `own.typed`. */
function type(own) {
  own.typed = anyEmail();
  return own.typed;
}

async function findMade(own) {
  own.made = await accountId(own, own.typed);
}

/** The account of `own.typed` acts before it has a session. */
const madeItself = (own) => ({ actor: 'account', actorId: own.made, accountId: own.made });

async function findInvitation(own) {
  const { no } = await one(own, "SELECT max(no) AS no FROM token WHERE purpose = 'invitation'");
  own.invitation = String(no);
}

/** Invites `own.typed`; its number is `own.invitation`. */
async function invite(own) {
  await run(own, ['accounts', 'invite', '--email', type(own)]);
  await findInvitation(own);
}

const code = (secretText) => oneTimeCode(secretText, Date.now());

async function factorOn(person) {
  await post(person, FACTOR, { do: 'begin' });
  const { setup } = await person.visitor.json(FACTOR);
  return { do: 'on', code: await code(setup.secretText) };
}

const signInAgain = async (own) => {
  own.me = await signIn(own, own.email);
};

/** All deliveries have arrived, and nothing is on its way. */
const settled = ({ site }) =>
  until('all deliveries have ended', async () => {
    const busy = await site.database.query(
      "SELECT no FROM delivery WHERE state = 'pending' OR lease_node IS NOT NULL",
    );
    return busy.length === 0;
  });

async function publish(the) {
  await the.site.stockact('demo', '--publish', 1, '--rows', 1);
  await settled(the);
  for (const own of Object.values(the.owners)) {
    const sql = `SELECT d.id FROM delivery d JOIN endpoint e ON e.no = d.endpoint_no
                 WHERE e.id = '${own.endpoint}' AND d.id LIKE 'dlv%'`;
    own.delivery = (await one(own, sql)).id;
  }
}

async function failAll(the) {
  await settled(the);
  await the.site.database.execute(
    "UPDATE delivery SET state = 'failed', tries = 6, attempts = 6, ended_at = created_at" +
      " WHERE id LIKE 'dlv%'",
  );
}

const keyPage = (own) => `/account/keys/${own.key}`;
const hook = (own) => `/account/webhooks/${own.endpoint}`;
const otherPage = (own) => `/admin/accounts/${own.other.id}`;

/** A change of the account `own.other` by an admin: the form `what`, and the command. */
const managed = (what, command, fill = {}) => ({
  row: (own) => ({ accountId: own.other.id }),
  form: (own) => ({ at: otherPage(own), form: hidden({ do: what }), fill }),
  json: (own) => ({ to: otherPage(own), body: { do: what, ...fill } }),
  command: (own) => ({
    args: [
      ...['accounts', command, '--email', own.other.email],
      ...Object.entries(fill).flatMap(([name, value]) => [`--${name}`, value]),
    ],
  }),
});

/** An action on the own endpoint by a button of its page. */
const onEndpoint = (label, verb, body = {}) => ({
  row: (own) => ({ subject: 'endpoint', subjectId: own.endpoint }),
  form: (own) => ({ at: hook(own), form: label }),
  json: (own) => ({ to: `${hook(own)}/${verb}`, body }),
  command: (own) => ({ args: ['webhooks', verb, '--id', own.endpoint] }),
});

/** An action on an e-mail that was given up. */
const onMail = (what) => ({
  row: (own) => ({ accountId: null, subject: 'mail', subjectId: own.mail }),
  form: async (own) => {
    own.mail = await giveUp(own);
    return { at: '/admin/mail', form: hidden({ do: what, mail: own.mail }) };
  },
  json: async (own) => {
    own.mail = await giveUp(own);
    return { to: '/admin/mail', body: { do: what, mail: own.mail } };
  },
  command: async (own) => {
    own.mail = await giveUp(own);
    return { args: ['mail', what, own.mail] };
  },
});

// --- the table

const BY_CREDENTIALS = 'it takes the credentials of a person, who is in a browser';

/**
 * In the order in which they are done: later ones use what earlier ones made.
 *
 * form, json, command: one function of `own`, or several, that prepare and return
 *   form: {at, form, fill, status, next}: opens `at` (else the page of the list), picks the form, fills
 *     it (a function gets the page); the answer has `status` (else 200); `next` does what follows
 *   json: {to, body};  command: {args, input}
 * row: what the row must have unless it is the own account without a subject
 * once: before all ways;  after: after each way, before the row is read
 * without: why it lacks a way. The list must lack it too
 */
export const TABLE = {
  'account.create': {
    row: (own) => ({ accountId: own.made }),
    command: (own) => ({
      args: ['accounts', 'create', '--email', type(own), '--plan', 'pack'],
    }),
    after: findMade,
    without: {
      form: 'an admin invites: an account made for somebody has no password yet',
      json: 'it has no page',
    },
  },
  'account.sign_up': {
    row: madeItself,
    form: (own) => ({
      form: '/sign-up',
      fill: { email: type(own), password: PASSWORD },
      next: async (visitor) => {
        const confirm = '/sign-up/confirm';
        const page = await visitor.open(await mailed(own, own.typed, confirm));
        const done = await visitor.submit(page.form(confirm), { password: PASSWORD });
        assert.equal(done.path, '/account');
      },
    }),
    after: findMade,
    without: { json: BY_LINK, command: '`accounts create` makes accounts' },
  },
  'account.invite': {
    row: (own) => ({ accountId: null, subject: 'invitation', subjectId: own.invitation }),
    after: findInvitation,
    form: () => ({ form: 'Send the invitation', fill: { invite_email: anyEmail() } }),
    json: () => ({
      to: '/admin/accounts',
      body: { invite_email: anyEmail(), invite_plan: 'pack', invite_role: 'member' },
    }),
    command: () => ({ args: ['accounts', 'invite', '--email', anyEmail()] }),
  },
  'account.withdraw_invitation': {
    row: (own) => ({ accountId: null, subject: 'invitation', subjectId: own.invitation }),
    form: async (own) => {
      await invite(own);
      const at = '/admin/accounts';
      return { at, form: hidden({ do: 'withdraw', invitation: own.invitation }) };
    },
    json: async (own) => {
      await invite(own);
      return { to: '/admin/accounts', body: { do: 'withdraw', invitation: own.invitation } };
    },
    command: async (own) => {
      await invite(own);
      return { args: ['accounts', 'withdraw-invitation', own.invitation] };
    },
  },
  'account.join': {
    row: (own) => ({ ...madeItself(own), subject: 'invitation', subjectId: own.invitation }),
    form: async (own) => {
      await invite(own);
      const at = await mailed(own, own.typed, '/join');
      return { at, form: '/join', fill: { password: PASSWORD } };
    },
    after: findMade,
    without: { json: BY_LINK, command: BY_LINK },
  },
  'account.set_plan': managed('plan', 'set-plan', { plan: 'wolf' }),
  'account.set_role': managed('role', 'set-role', { role: 'reviewer' }),
  'account.disable': managed('disable', 'disable'),
  'account.enable': managed('enable', 'enable'),
  'mail.retry': (() => {
    const retry = onMail('retry');
    const row = { accountId: null, subject: 'mail', subjectId: null };
    const all = (spec) => async (own) => {
      await giveUp(own);
      return { ...spec, row };
    };
    const what = 'retry_given_up';
    return {
      ...retry,
      form: [retry.form, all({ at: '/admin/mail', form: hidden({ do: what }) })],
      json: [retry.json, all({ to: '/admin/mail', body: { do: what } })],
      command: [retry.command, all({ args: ['mail', 'retry', '--given-up'] })],
    };
  })(),
  'mail.drop': onMail('drop'),

  'key.mint': {
    row: (own) => ({ subject: 'key', subjectId: own.key }),
    form: () => ({ form: '/account/keys', fill: { name: 'laptop' }, status: 201 }),
    json: () => ({ to: '/account/keys', body: { name: 'laptop' } }),
    command: (own) => ({ args: ['keys', 'mint', '--email', own.email, '--name', 'laptop'] }),
    after: async (own) => (own.key = await newest(own, 'api_key')),
  },
  'key.rename': {
    row: (own) => ({ subject: 'key', subjectId: own.key }),
    form: (own) => ({ at: keyPage(own), form: 'Save the name', fill: { name: 'server' } }),
    json: (own) => ({ to: keyPage(own), body: { name: 'server' } }),
    command: (own) => ({ args: ['keys', 'rename', '--id', own.key, '--name', 'server'] }),
  },
  'key.revoke': {
    row: (own) => ({ subject: 'key', subjectId: own.key }),
    form: (own) => ({ at: keyPage(own), form: `${keyPage(own)}/revoke` }),
    json: (own) => ({ to: `${keyPage(own)}/revoke`, body: {} }),
    command: (own) => ({ args: ['keys', 'revoke', '--id', own.key] }),
  },

  'endpoint.add': {
    row: (own) => ({ subject: 'endpoint', subjectId: own.endpoint }),
    form: (own) => ({ form: 'Add the endpoint', fill: { url: own.url }, status: 201 }),
    json: (own) => ({ to: '/account/webhooks', body: { url: own.url, events: [PUBLISHED] } }),
    command: (own) => ({ args: ['webhooks', 'add', '--email', own.email, '--url', own.url] }),
    after: async (own) => (own.endpoint = await newest(own, 'endpoint')),
  },
  'endpoint.change': {
    ...onEndpoint(),
    form: (own) => ({ at: hook(own), form: 'Save', fill: { description: 'For the desk' } }),
    json: (own) => ({
      to: hook(own),
      body: { url: own.url, description: 'For the desk', events: [PUBLISHED] },
    }),
    command: (own) => ({
      args: ['webhooks', 'change', '--id', own.endpoint, '--description', 'For the desk'],
    }),
  },
  'endpoint.set_events': {
    ...onEndpoint(),
    form: (own) => ({ at: hook(own), form: 'Save', fill: { events: true } }), // ticks all of them
    json: (own) => ({
      to: hook(own),
      body: { url: own.url, description: 'For the desk', events: [PUBLISHED, CORRECTED] },
    }),
    command: (own) => ({
      args: [
        'webhooks',
        'set-events',
        '--id',
        own.endpoint,
        '--events',
        `${PUBLISHED},${CORRECTED}`,
      ],
    }),
  },
  'endpoint.disable': onEndpoint('Disable the endpoint', 'disable'),
  'endpoint.enable': onEndpoint('Enable', 'enable'),
  'endpoint.reveal': onEndpoint('Show the secret', 'reveal'),
  'endpoint.rotate': onEndpoint('Make a new secret', 'rotate', { grace: 24 }),
  'endpoint.end_overlap': onEndpoint('End the old secret now', 'end-overlap'),
  'endpoint.test': {
    ...onEndpoint('Send a test', 'test'),
    command: [
      (own) => ({ args: ['webhooks', 'test', '--id', own.endpoint, '--by-server'] }),
      (own) => ({ args: ['webhooks', 'test', '--id', own.endpoint] }), // sends it by itself
    ],
  },
  'delivery.replay': {
    once: publish,
    row: (own) => ({ subject: 'delivery', subjectId: own.delivery }),
    form: (own) => ({ at: `${hook(own)}/deliveries/${own.delivery}`, form: 'Send it again' }),
    json: (own) => ({ to: `${hook(own)}/deliveries/${own.delivery}`, body: {} }),
    command: (own) => ({ args: ['webhooks', 'replay', own.delivery] }),
  },
  'delivery.replay_many': {
    once: failAll,
    row: (own) => ({ subject: 'endpoint', subjectId: own.endpoint }),
    form: (own) => ({ at: `${hook(own)}/replay`, form: 'Replay 1 delivery' }),
    json: (own) => ({ to: `${hook(own)}/replay`, body: { state: 'failed' } }),
    command: (own) => ({
      args: [
        'webhooks',
        'replay',
        '--failed-since',
        '2020-01-01T00:00:00Z',
        '--endpoint',
        own.endpoint,
      ],
    }),
  },
  'endpoint.remove': onEndpoint('Remove it for good', 'remove'),

  ...ALERT_ACTIONS,

  'session.start': {
    row: (own) => ({
      ...{ actor: 'account', actorId: own.id, sessionId: own.started },
      ...{ subject: 'session', subjectId: own.started },
    }),
    form: ({ email }) => ({ form: '/sign-in', fill: { email, password: PASSWORD } }),
    after: async (own) => (own.started = await newest(own, 'session')),
    without: { json: BY_CREDENTIALS, command: BY_CREDENTIALS },
  },
  'session.end': (() => {
    const victim = async (own) => (own.victim = (await signIn(own, own.email)).session);
    return {
      row: (own) => ({ subject: 'session', subjectId: own.victim }),
      form: async (own) => ({ at: SETTINGS, form: hidden({ session: await victim(own) }) }),
      json: async (own) => ({ to: `${SETTINGS}/sessions`, body: { session: await victim(own) } }),
      command: async (own) => ({
        args: ['accounts', 'end-sessions', '--email', own.email, '--id', await victim(own)],
      }),
    };
  })(),
  'session.end_all': {
    form: () => ({ at: SETTINGS, form: 'Sign out everywhere' }),
    json: () => ({ to: `${SETTINGS}/sessions`, body: { all: true } }),
    command: (own) => ({ args: ['accounts', 'end-sessions', '--email', own.email] }),
    after: signInAgain,
  },

  'password.reset_ask': {
    form: ({ email }) => ({ form: '/reset', fill: { email } }),
    command: (own) => ({ args: ['accounts', 'reset-password', '--email', own.email] }),
    without: { json: 'its answer is an e-mail' },
  },
  'password.reset': {
    form: async (own) => {
      const at = await mailed(own, own.email, '/reset');
      return { at, form: '/reset', fill: { password: 'river stone candle' } };
    },
    after: signInAgain,
    without: { json: BY_LINK, command: BY_LINK },
  },
  'password.change': {
    form: () => ({ form: `${SETTINGS}/password`, fill: { newPassword: 'copper river stone' } }),
    json: () => ({ to: `${SETTINGS}/password`, body: { newPassword: 'copper river stone' } }),
    command: (own) => ({
      args: ['accounts', 'password', '--email', own.email, '--password-stdin'],
      input: 'copper river stone\n',
    }),
    after: signInAgain,
  },

  'second_factor.on': {
    form: async (own) => {
      await post(own.me, FACTOR, { do: 'begin' });
      const fill = async (page) => ({ code: await code(page.text('.secret-text')) });
      return { at: FACTOR, form: 'Turn on', fill };
    },
    json: async (own) => ({ to: FACTOR, body: await factorOn(own.me) }),
    without: { command: 'its owner scans the secret with a phone' },
  },
  'recovery_codes.make': {
    form: () => ({ at: FACTOR, form: 'Make new recovery codes' }),
    json: () => ({ to: `${FACTOR}/recovery-codes`, body: {} }),
    without: { command: 'only their owner may see them' },
  },
  'second_factor.off': {
    form: () => ({ form: 'Turn off' }),
    json: () => ({ to: FACTOR, body: { do: 'off' } }),
    command: async (own) => {
      await post(own.me, FACTOR, await factorOn(own.me));
      return { args: ['accounts', 'second-factor-off', '--email', own.email] };
    },
  },

  'address.change_ask': {
    form: (own) => ({
      form: `${SETTINGS}/address`,
      fill: { newEmail: type(own) },
    }),
    json: (own) => ({
      to: `${SETTINGS}/address`,
      body: { newEmail: type(own) },
    }),
    without: {
      command: '`accounts set-address` changes it without asking: that is address.change',
    },
  },
  'address.change': {
    form: async (own) => ({
      at: await mailed(own, own.email, '/confirm-address'),
      form: '/confirm-address',
      next: async (visitor) => {
        const page = await visitor.open(await mailed(own, own.typed, '/confirm-address'));
        const done = await visitor.submit(page.form('/confirm-address'));
        assert.match(done.text('.flash'), /changed/);
      },
    }),
    command: (own) => ({
      args: ['accounts', 'set-address', '--email', own.email, '--to', type(own)],
    }),
    after: (own) => {
      own.email = own.typed;
    },
    without: { json: BY_LINK },
  },

  'account.export': {
    form: () => ({ at: SETTINGS, form: 'Download the file' }),
    json: () => ({ to: `${SETTINGS}/export`, body: {} }),
    command: (own) => ({ args: ['accounts', 'export', '--email', own.email] }),
  },
  'account.delete': {
    form: ({ email }) => ({ form: `${SETTINGS}/delete`, fill: { email } }),
    json: ({ email }) => ({ to: `${SETTINGS}/delete`, body: { email } }),
    command: (own) => ({ args: ['accounts', 'delete', '--email', own.email, '--yes'] }),
  },
  ...DOCUMENT_ACTIONS,
  // the last one: it needs the server stopped
  'secret.rotate': {
    row: (own) => ({ accountId: null, subject: 'master key', subjectId: own.masterKey }),
    command: async (own) => {
      await own.server.stop();
      return { args: ['secret', 'rotate'] };
    },
    after: async (own) =>
      (own.masterKey = (await one(own, "SELECT value FROM meta WHERE name = 'master key'")).value),
    without: { form: 'no server may run', json: 'no server may run' },
  },
};

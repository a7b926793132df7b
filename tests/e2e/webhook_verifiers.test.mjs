// The verifiers shown in docs/webhooks.md, each run as a command on requests signed by the program,
// and two third-party implementations: the stripe package verifies X-SVC-Signature, the
// standardwebhooks package the webhook-* headers.

import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test, { after, before, describe } from 'node:test';
import { Webhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { run } from './lib/child.mjs';
import { instrumented, root } from './lib/settings.mjs';
import { signedHeaders, verifiers } from './lib/webhooks.mjs';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const oldSecret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const thirdSecret = 'whsec_ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=';
const sent = 1_795_000_000;
const body =
  '{"event":"trade.published","filing":{"id":"demo-filing-1"},"note":"caf\u00e9 \u2013"}\n';

const docs = readFileSync(path.join(root, 'docs/webhooks.md'), 'utf8');

const STALE = 'timestamp out of tolerance';
const WRONG = 'wrong signature';
const MALFORMED = 'malformed header';
const MISSING = 'missing header';

/** Both schemes: [name, the change to a valid delivery, the reason or null]. */
const common = [
  ['a good delivery', {}, null],
  ['a body with one byte more', { body: `${body} ` }, WRONG],
  ['a body with one letter changed', { body: body.replace('1', '2') }, WRONG],
  ['another secret', { secret: thirdSecret }, WRONG],
  ['301 seconds later', { now: sent + 301 }, STALE],
  ['301 seconds early', { now: sent - 301 }, STALE],
  ['exactly 300 seconds later', { now: sent + 300 }, null],
  ['exactly 300 seconds early', { now: sent - 300 }, null],
  ['in a rotation, the new secret', { rotating: true }, null],
  ['in a rotation, the old secret', { rotating: true, secret: oldSecret }, null],
  ['in a rotation, a third secret', { rotating: true, secret: thirdSecret }, WRONG],
];

const setting = (name, change) => ({
  headers: (headers) => ({ ...headers, [name]: change(headers[name]) }),
});
const without = (name) => ({
  headers: ({ [name]: _, ...others }) => others,
});

const svc = (change) => setting('x-svc-signature', change);
const ofSvc = [
  ['no header', without('x-svc-signature'), MISSING],
  ['an empty header', svc(() => ''), MALFORMED],
  ['garbage', svc(() => ',=,t,v1,garbage=='), MALFORMED],
  ['bytes that are no text', svc(() => 't=\u00ff\u00fe,v1=\u00e9'), MALFORMED],
  ['a signature that is no text', svc((value) => value.replace(/v1=.*/, 'v1=\u00e9')), WRONG],
  ['no time', svc((value) => value.replace(/^t=\d+,/, '')), MALFORMED],
  ['a time that is no number', svc((value) => value.replace('t=1', 't=1e')), MALFORMED],
  ['a time of many digits', svc((value) => value.replace('t=', `t=${'9'.repeat(30)}`)), MALFORMED],
  ['a time below zero', svc((value) => value.replace('t=', 't=-')), MALFORMED],
  ['no signature', svc((value) => value.replace(/,v1=.*/, '')), MALFORMED],
  ['a signature of another version', svc((value) => value.replace('v1', 'v0')), MALFORMED],
  ['half a signature', svc((value) => value.slice(0, -32)), WRONG],
  ['an empty signature', svc((value) => value.replace(/v1=.*/, 'v1=')), WRONG],
  ['a time one second on', svc((value) => value.replace(`${sent}`, `${sent + 1}`)), WRONG],
  ['a version of later days before it', svc((value) => value.replace(',', ',v2=ff,')), null],
];

const standard = (change) => setting('webhook-signature', change);
const ofStandard = [
  ['no signature header', without('webhook-signature'), MISSING],
  ['no time header', without('webhook-timestamp'), MISSING],
  ['no id header', without('webhook-id'), MISSING],
  ['an empty header', standard(() => ''), MALFORMED],
  ['garbage', standard(() => ' , v1 garbage== ,v1'), MALFORMED],
  ['a signature that is no text', standard(() => 'v1,\u00e9'), WRONG],
  ['a time that is no number', setting('webhook-timestamp', (value) => `${value}x`), MALFORMED],
  ['a signature of another version', standard((value) => value.replace('v1', 'v1a')), MALFORMED],
  ['half a signature', standard((value) => value.slice(0, -20)), WRONG],
  ['another id', setting('webhook-id', (value) => value.replace('dl_0', 'dl_1')), WRONG],
  ['a time one second on', setting('webhook-timestamp', () => `${sent + 1}`), WRONG],
  ['a version of later days before it', standard((value) => `v2,AA== ${value}`), null],
];

const cases = [
  ...[...common, ...ofSvc].map((one) => ['svc', ...one]),
  ...[...common, ...ofStandard].map((one) => ['standard', ...one]),
];

const skipHere = instrumented ? 'the examples are the same whichever build is tested' : false;

describe('examples/webhook-receiver', { skip: skipHere, concurrency: 2 }, () => {
  let folder, signedOnce, signedInRotation;
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'stockact-verifiers-'));
    signedOnce = await signedHeaders({ secret, body, seconds: sent });
    signedInRotation = await signedHeaders({ secret, oldSecret, body, seconds: sent });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A verifier's result for a delivery: null, or the reason. */
  async function verdict([command, ...args], place, [scheme, , change]) {
    const { headers = (all) => all, now = sent } = change;
    const signed = change.rotating ? signedInRotation : signedOnce;
    const lines = Object.entries(headers(signed)).map(([name, value]) => `${name}: ${value}\r\n`);
    writeFileSync(`${place}.headers`, lines.join(''), 'latin1');
    writeFileSync(`${place}.body`, change.body ?? body);
    const { code, stderr } = await run(
      command,
      [...args, scheme, `${place}.headers`, `${place}.body`, `${now}`],
      { env: { ...process.env, WEBHOOK_SECRET: change.secret ?? secret } },
    );
    assert.ok(code === 0 || code === 1, `it ended with ${code}: ${stderr}`);
    return code === 0 ? null : stderr.trimEnd();
  }

  for (const { language, needs, prepare } of verifiers) {
    const skip = needs ? false : `there is no ${language} here`;
    test(
      `in ${language} accepts valid deliveries and gives the reason for invalid ones`,
      { skip },
      async () => {
        const command = await prepare(folder);
        const place = path.join(folder, language);
        const found = [];
        for (const one of cases) found.push([one[0], one[1], await verdict(command, place, one)]);
        assert.deepEqual(
          found,
          cases.map(([scheme, name, , reason]) => [scheme, name, reason]),
        );
        const [program, ...args] = command;
        const absent = await run(program, [...args, 'svc', `${place}.headers`, `${place}.absent`], {
          env: { ...process.env, WEBHOOK_SECRET: secret },
        });
        assert.match(absent.stderr, /^[^\n]*\.absent[^\n]*\n(exit status 2\n)?$/);
        assert.notEqual(absent.code, 0);
      },
    );
  }

  test('is shown in docs/webhooks.md, file by file', () => {
    for (const source of verifiers.flatMap(({ sources }) => sources)) {
      assert.ok(docs.includes(`\n${readFileSync(source, 'utf8')}\`\`\`\n`), source);
    }
  });
});

test('the test vector in docs/webhooks.md has the right signatures', async () => {
  const headers = await signedHeaders({
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    body: '{"test": 2432232314}',
    seconds: 1614265330,
    deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  });
  assert.ok(docs.includes(`\nX-SVC-Signature: ${headers['x-svc-signature']}\n`));
  assert.ok(docs.includes(`\nwebhook-signature: ${headers['webhook-signature']}\n`));
});

describe('third-party implementations', () => {
  const stripe = new Stripe('sk_none').webhooks.signature;
  const stale = /Timestamp outside the tolerance zone/;
  const wrong = /No signatures found matching the expected signature/;

  for (const [when, secrets, good] of [
    ['outside a rotation', { secret }, [secret]],
    ['in a rotation', { secret, oldSecret }, [secret, oldSecret]],
  ]) {
    test(`the stripe package accepts X-SVC-Signature ${when}`, async () => {
      const { 'x-svc-signature': header } = await signedHeaders({
        ...secrets,
        body,
        seconds: sent,
      });
      const verify = (text, key, now) =>
        stripe.verifyHeader(text, header, key, 300, undefined, now * 1000);
      for (const key of good) {
        assert.equal(verify(body, key, sent), true);
        assert.equal(verify(Buffer.from(body), key, sent + 300), true);
        assert.throws(() => verify(body, key, sent + 301), stale);
        assert.throws(() => verify(`${body} `, key, sent), wrong);
      }
      assert.throws(() => verify(body, thirdSecret, sent), wrong);
    });

    test(`the standardwebhooks package accepts the webhook-* headers ${when}`, async (t) => {
      const headers = await signedHeaders({ ...secrets, body, seconds: sent });
      const clock = t.mock.timers;
      clock.enable({ apis: ['Date'], now: sent * 1000 });
      const verify = (text, key, change = {}) =>
        new Webhook(key).verify(text, { ...headers, ...change });
      for (const key of good) {
        clock.setTime((sent - 300) * 1000);
        assert.deepEqual(verify(body, key), JSON.parse(body));
        clock.setTime((sent + 300) * 1000);
        assert.deepEqual(verify(body, key), JSON.parse(body));
        clock.setTime((sent + 301) * 1000);
        assert.throws(() => verify(body, key), /too old/);
        clock.setTime((sent - 301) * 1000);
        assert.throws(() => verify(body, key), /too new/);
        clock.setTime(sent * 1000);
        assert.throws(() => verify(`${body} `, key), /No matching signature/);
        assert.throws(() => verify(body, key, { 'webhook-id': 'dl_0' }), /No matching signature/);
      }
      assert.throws(() => verify(body, thirdSecret), /No matching signature/);
    });
  }

  test('a retry has a new signature and the same id', async () => {
    const first = await signedHeaders({ secret, body, seconds: sent });
    const retry = await signedHeaders({ secret, body, seconds: sent + 30 });
    const changed = Object.keys(first).filter((name) => first[name] !== retry[name]);
    assert.deepEqual(changed.sort(), ['webhook-signature', 'webhook-timestamp', 'x-svc-signature']);
  });
});

// The whole life of an account in Chromium, script on and off: sign-up, the first key, the first
// request, an endpoint, a delivery that fails and is replayed, a rotation, a revocation, a deletion.

import { strict as assert } from 'node:assert';
import { describe, test } from 'node:test';
import { noChromium, useBrowser } from './lib/browser.mjs';
import { run } from './lib/child.mjs';
import { MailSink } from './lib/mail_sink.mjs';
import { checkSilence } from './lib/browser_checks.mjs';
import { PASSWORD, anyEmail, linkIn } from './lib/people.mjs';
import { Receiver, answer } from './lib/receivers.mjs';
import { makeSite } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { assertVerified } from './lib/webhooks.mjs';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** Waits before the second to the sixth attempt (spec 6). */
const RETRIES = [30_000, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE, 720 * MINUTE];
const DOWN = answer(500, '', 'down for <b>maintenance</b>');

/** One person's life: what they use, and what they have seen so far. */
class Story {
  email = anyEmail();

  static async begin(t, browser, script) {
    const story = new Story();
    story.script = script;
    story.sink = await MailSink.start(t);
    story.receiver = await Receiver.start(t, DOWN);
    story.site = await makeSite(t, {
      clock: '2026-03-31T12:00:00Z',
      env: {
        STOCKACT_SMTP_URL: story.sink.url,
        STOCKACT_MAIL_FROM: 'stockact <notices@example.org>',
        STOCKACT_SIGNUP: 'open',
        STOCKACT_CONTACT: 'desk@example.org',
        STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8',
      },
    });
    await story.site.stockact('demo', '--trades', 20, '--as-of', '2026-03-01');
    story.server = await story.site.serve();
    story.page = await browser.open(t, story.server, '/', { script });
    if (script) {
      const permissions = ['clipboard-read', 'clipboard-write'];
      await story.page.context().grantPermissions(permissions);
    }
    return story;
  }

  get main() {
    return this.page.locator('main');
  }

  text(selector) {
    return this.main.locator(selector).first().innerText();
  }

  follow(name) {
    return this.main.getByRole('link', { name, exact: true }).first().click();
  }

  press(name) {
    return this.main.getByRole('button', { name, exact: true }).click();
  }

  /** Presses a button that asks first, and answers. */
  async confirm(summary, yes) {
    await this.main.locator('summary').getByText(summary, { exact: true }).click();
    await this.press(yes);
  }

  heading(name) {
    return this.page.getByRole('heading', { level: 1, name }).waitFor();
  }

  async flash(pattern) {
    await this.page.locator('.flash').waitFor();
    assert.match(await this.page.locator('.flash').innerText(), pattern);
  }

  /** Enters the password where it is asked for before an action. */
  async prove() {
    await this.heading('Enter your password again');
    await this.main.locator('input[name=confirm_password]').fill(PASSWORD);
    await this.press('Continue');
  }

  /** What the reader takes from an example: by its button, or by selecting it. */
  async take(figure) {
    if (!this.script) return (await figure.locator('code').innerText()).trim();
    await figure.getByRole('button', { name: 'Copy' }).click();
    await figure.getByRole('button', { name: 'Copied' }).waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Runs the example of the page: {status, body}. */
  async curl() {
    const args = ['-c', `${this.example} --silent --show-error --write-out '\\n%{http_code}'`];
    const done = await run('sh', args, { env: { PATH: process.env.PATH } });
    assert.equal(done.code, 0, done.stderr);
    const [, body, status] = /^([^]*)\n(\d+)$/.exec(done.stdout);
    return { status: Number(status), body: JSON.parse(body) };
  }

  /** The next request at the receiver, once its attempt is in the log. */
  async received(n) {
    await until(`${n} requests`, () => this.receiver.requests.length === n);
    await until('the attempt is in the log', async () => {
      const [row] = await this.site.database.query(
        'SELECT count(*) AS n FROM delivery WHERE lease_node IS NOT NULL',
      );
      return Number(row.n) === 0;
    });
    return this.receiver.requests[n - 1];
  }
}

async function signUp(story) {
  const { page, sink } = story;
  await page.locator('header').getByRole('link', { name: 'Sign in' }).click();
  await story.follow('Create one');
  await page.getByLabel('E-mail address').fill(story.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await story.press('Create account');
  await story.heading('Check your e-mail');
  const [mail] = await sink.have(1);
  assert.equal(mail.to, story.email);
  const link = linkIn(mail, '/sign-up/confirm');
  assert.ok(mail.body.includes(story.server.url + link), 'the link leads to the server');
  await page.goto(link);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await story.press('Create account');
  await page.waitForURL('**/account');
  assert.match(await story.text(':scope'), /Scout/);
}

/** Plans are set by the operator; the page says whom to ask. */
async function getPlan(story) {
  await story.page.goto('/account/keys');
  assert.match(await story.text(':scope'), /no API access.*ask desk@example\.org/);
  await story.site.stockact('accounts', 'set-plan', '--email', story.email, '--plan', 'pack');
}

async function firstKey(story) {
  const { page } = story;
  await page.reload();
  await page.getByLabel('Name').fill('laptop');
  await story.press('Create it');
  await story.heading('Your new key');
  story.key = await story.take(story.main.locator('.secret figure'));
  assert.match(story.key, /^svc_[\w-]{43}$/);
  story.example = await story.take(story.main.locator('figure', { hasText: 'curl' }));
  const { status, body } = await story.curl();
  assert.equal(status, 200);
  assert.equal(body.data.length, 1);
  await story.follow('I have copied it');
  assert.equal((await page.content()).includes(story.key), false, 'it is shown once');
}

async function firstEndpoint(story) {
  const { page, receiver } = story;
  await page.locator('nav').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByLabel('URL').fill(receiver.url());
  await page.getByLabel('Description').fill('For the desk');
  await story.press('Add the endpoint');
  await story.heading('The endpoint is added');
  story.secret = await story.take(story.main.locator('.secret figure'));
  await story.follow('Go to the endpoint');
  await story.heading('For the desk');
  story.endpoint = new URL(page.url()).pathname;
}

/** The receiver answers 500 to all six attempts. */
async function failedDelivery(story) {
  await story.site.stockact('demo', '--publish', 1, '--rows', 1);
  story.first = await story.received(1);
  for (const [i, wait] of RETRIES.entries()) {
    await story.site.clock.advance(wait);
    await story.received(i + 2);
  }
  const { requests } = story.receiver;
  for (const request of requests) assert.deepEqual(request.body, story.first.body);
  const ids = new Set(requests.map((request) => request.headers['x-svc-delivery-id']));
  assert.equal(ids.size, 1);
}

async function readFailure(story) {
  const { page, receiver } = story;
  await page.goto(story.endpoint);
  await page.getByLabel('State', { exact: true }).selectOption('failed');
  await story.press('Show');
  await page.waitForURL('**/*state=failed*');
  assert.equal(await story.main.getByRole('link', { name: 'trade.published' }).count(), 1);
  await story.follow('trade.published');
  assert.match(await story.text('.facts'), /Failed/);
  const attempts = story.main.locator('article');
  assert.equal(await attempts.count(), receiver.requests.length);
  for (const [i, request] of receiver.requests.entries()) {
    const attempt = attempts.nth(i);
    const seen = await attempt.textContent(); // older requests are folded
    assert.ok(seen.includes(`Attempt ${i + 1}`));
    assert.match(seen, /status 500/);
    assert.match(seen, /DNS look-up.*Connection.*TLS.*Wait.*Total/s);
    assert.ok(seen.includes('down for <b>maintenance</b>'), 'the answer, as text');
    for (const name of ['x-svc-signature', 'webhook-signature', 'x-svc-delivery-id'])
      assert.ok(seen.includes(request.headers[name]), `${name} of attempt ${i + 1}`);
  }
  assert.equal(await story.main.locator('article b').count(), 0);
  const body = await story.main.locator('#body ~ figure code').textContent();
  assert.equal(body, story.first.body.toString());
}

async function replay(story) {
  const { page, receiver, secret } = story;
  receiver.play = answer(204);
  await story.confirm('Replay', 'Send it again');
  await story.flash(/sent again/);
  const again = await story.received(7);
  assert.deepEqual(again.body, story.first.body);
  const { headers } = story.first;
  assert.equal(again.headers['x-svc-delivery-id'], headers['x-svc-delivery-id']);
  assert.notEqual(again.headers['x-svc-signature'], headers['x-svc-signature']);
  assertVerified(again, { now: story.site.clock.now, secrets: [secret] });
  await page.reload();
  assert.match(await story.text('.facts'), /Delivered/);
}

/** Sends a test on the page, and returns the request. */
async function sendTest(story) {
  await story.page.goto(story.endpoint);
  await story.site.clock.advance(10_000); // tests are ten seconds apart
  const n = story.receiver.requests.length;
  await story.press('Send a test');
  await story.heading('Test request');
  return story.received(n + 1);
}

async function rotate(story) {
  const { page, secret: old } = story;
  const now = () => story.site.clock.now;
  await page.goto(story.endpoint);
  const stale = await page.context().newPage(); // a tab from before the rotation
  await stale.goto(story.endpoint);
  await story.confirm('Rotate', 'Make a new secret');
  await story.prove(); // the sign-in was hours ago
  await story.heading('A new secret');
  const second = await story.take(story.main.locator('.secret figure'));
  assert.notEqual(second, old);
  const overlap = { secrets: [second, old] };
  assertVerified(await sendTest(story), { ...overlap, now: now() });

  await stale.locator('summary').getByText('Rotate', { exact: true }).click();
  await stale.getByRole('button', { name: 'Make a new secret' }).click();
  await stale.locator('.faults').waitFor();
  assert.match(await stale.locator('.faults').innerText(), /old secret still signs/);
  await stale.close();
  await page.goto(story.endpoint);
  await story.main.locator('summary').getByText('Rotate', { exact: true }).click();
  await story.press('Make a new secret'); // the browser asks for the tick
  assert.equal(await story.main.locator('input[name=force]:invalid').count(), 1);
  await page.getByLabel('The last rotation is not over').check();
  await story.press('Make a new secret');
  await story.heading('A new secret');
  const third = await story.take(story.main.locator('.secret figure'));
  const forced = { secrets: [third, second], others: [old] };
  assertVerified(await sendTest(story), { ...forced, now: now() });

  await page.goto(story.endpoint);
  await story.press('End the old secret now');
  await story.flash(/Only the current secret/);
  const ended = { secrets: [third], others: [second, old] };
  assertVerified(await sendTest(story), { ...ended, now: now() });
}

async function revoke(story) {
  const { page } = story;
  await page.goto('/account/keys');
  await story.follow('laptop');
  await story.main.locator('summary').getByText('Revoke this key').click();
  assert.match(await story.text('details.confirm form'), /last used .* for .*\/api\/v1\/trades/);
  await story.press('Revoke “laptop”');
  await story.flash(/revoked/);
  const { status, body } = await story.curl();
  assert.equal(status, 401);
  assert.match(JSON.stringify(body), /revoked|unknown|invalid/i);
}

async function deleteAccount(story) {
  const { page, sink, site } = story;
  const left = await site.key({ email: story.email }); // a key that still works
  const [account] = await site.stockact('accounts', 'search', story.email);
  const mails = sink.mails.length;
  await site.clock.advance(11 * MINUTE);
  await page.locator('nav').getByRole('link', { name: 'Settings' }).click();
  await story.follow('Delete the account');
  await page.getByLabel(`Type ${story.email} to confirm`).fill(story.email);
  await page.getByRole('textbox', { name: 'password' }).fill(PASSWORD);
  await story.press('Delete the account');
  await story.flash(/Your account is deleted/);

  const mail = (await sink.have(mails + 1)).at(-1);
  assert.equal(mail.to, story.email);
  assert.equal(mail.headers.subject, 'Your account was deleted');
  const answered = await story.server.get('/api/v1/trades', { key: left });
  assert.equal(answered.status, 401);
  const sent = story.receiver.requests.length;
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  await site.clock.advance(DAY);
  assert.equal(story.receiver.requests.length, sent, 'the endpoint is gone');

  await page.goto(story.endpoint);
  await story.heading('Sign in');
  await page.getByLabel('E-mail address').fill(story.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await story.press('Sign in');
  await page.locator('#f-password-error').waitFor();

  const log = await site.stockact('log', '--account', account.id);
  const [deletion] = log.filter(({ action }) => action === 'account.delete');
  assert.equal(deletion.actorId, account.id);
  for (const action of ['account.sign_up', 'key.mint', 'endpoint.rotate', 'key.revoke'])
    assert.ok(
      log.some((row) => row.action === action),
      `${action} is still in the log`,
    );
  assert.equal(JSON.stringify(log).includes(story.email), false, 'the log has no address');
}

const STORY = [
  signUp,
  getPlan,
  firstKey,
  firstEndpoint,
  failedDelivery,
  readFailure,
  replay,
  rotate,
  revoke,
  deleteAccount,
];

describe('the life of an account', { skip: noChromium, concurrency: 2 }, () => {
  const browser = useBrowser();
  for (const script of [true, false]) {
    test(`from sign-up to deletion, script ${script ? 'on' : 'off'}`, async (t) => {
      const story = await Story.begin(t, browser, script);
      for (const step of STORY) {
        const began = performance.now();
        await step(story);
        t.diagnostic(`${step.name}: ${Math.round(performance.now() - began)} ms`);
      }
      checkSilence(story.page);
    });
  }
});

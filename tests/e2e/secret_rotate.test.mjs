// `stockact secret rotate`: a new master key, under which everything that the old one sealed still
// opens; and `--lost`, when nobody has the old key (docs/operate.md).

import { strict as assert } from 'node:assert';
import { copyFileSync, existsSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import test from 'node:test';
import { run } from './lib/child.mjs';
import { CLOCK, Delivering } from './lib/delivering.mjs';
import { makeMailSite } from './lib/mail_sink.mjs';
import { linkIn, makeOwner, newVisitor, sendForm, signInOnPage } from './lib/people.mjs';
import { PlainReceiver } from './lib/plain_receiver.mjs';
import { oneTimeCode } from './lib/second_factor.mjs';
import { binary } from './lib/settings.mjs';
import { SETTINGS } from './lib/settings_site.mjs';
import { makeSite, onEachDatabase } from './lib/site.mjs';
import { until } from './lib/until.mjs';
import { assertSignedBy } from './lib/webhooks.mjs';

const SERVERS_GONE = 'on PostgreSQL a killed server counts for five seconds';

/** A site where each kind of secret is sealed: an endpoint's two, a second factor, an e-mail. */
async function openSealed(t, database) {
  const { sink, site } = await makeMailSite(t, {
    database,
    clock: CLOCK,
    env: { STOCKACT_WEBHOOK_ALLOW: '127.0.0.0/8' },
  });
  await site.stockact('demo', '--trades', 20, '--as-of', '2026-03-01');
  const receiver = await PlainReceiver.start(t);
  const server = await site.serve();
  const owner = await makeOwner(site, { plan: 'den' });
  const visitor = await signInOnPage(server, owner);
  const page = `${SETTINGS}/second-factor`;
  const setup = await sendForm(visitor, page, {});
  const factor = setup.text('.secret-text');
  const code = await oneTimeCode(factor, site.clock.now);
  const done = await visitor.submit(setup.form(page), { code }, { status: 200 });
  const recovery = done.one('pre code').children[0].data.trim().split('\n');
  const email = await site.account({ plan: 'den' });
  const add = ['webhooks', 'add', '--email', email, '--url', receiver.url(204)];
  const [endpoint] = await site.stockact(...add);
  const [second] = await site.stockact('webhooks', 'rotate', '--id', endpoint.id, '--grace', 20);
  await server.get('/api/v1/trades', { from: '127.0.9.1' }); // counts an address
  await server.stop();
  await site.stockact('accounts', 'reset-password', '--email', email);
  return { site, sink, receiver, owner, factor, recovery, email, endpoint, second };
}

async function signIn(server, owner, code, status = 200) {
  const one = newVisitor(server);
  const page = await one.open(`/sign-in?next=${SETTINGS}`);
  const asked = await one.submit(page.form('/sign-in'), owner, { status: 200 });
  return one.submit(asked.form('/sign-in'), { code }, { status });
}

const keyFile = (site) => site.env.STOCKACT_SECRET_KEY_FILE;
const addressCounts = (site) =>
  site.database.query("SELECT month FROM month_count WHERE kind = 'address'");

/** Everything that was sealed still works. */
async function expectWhole(own, sent) {
  const { site, sink, receiver, owner, factor, endpoint, second } = own;
  await site.clock.advance(31_000); // a code works once
  const server = await site.serve();
  const mails = await sink.have(sink.mails.length > 0 ? sink.mails.length : 1);
  const reset = mails.findLast((mail) => mail.headers.subject === 'Set a new password');
  assert.ok(reset, 'the sealed e-mail arrives');
  assert.ok(linkIn(reset, '/reset'));
  await site.stockact('demo', '--publish', 1, '--rows', 1);
  assertSignedBy((await receiver.have(sent)).at(-1), second.secret, endpoint.secret);
  const page = await signIn(server, owner, await oneTimeCode(factor, site.clock.now));
  assert.equal(page.path, SETTINGS);
  await server.stop();
}

async function refused(site, args, hint) {
  const done = await site.run(args);
  assert.equal(done.code, 1, done.stdout + done.stderr);
  assert.match(done.stderr, hint);
}

onEachDatabase('secret rotate', (database) => {
  test('re-encrypts everything; the old key no longer works', async (t) => {
    const own = await openSealed(t, database);
    const { site } = own;
    const before = readFileSync(keyFile(site));
    assert.equal((await addressCounts(site)).length, 1);
    const [said] = await site.stockact('secret', 'rotate');
    assert.equal(said.endpointSecrets, 1);
    assert.equal(said.secondFactors, 1);
    assert.ok(said.emails >= 1);
    assert.equal(said.unreadable, 0);
    const [logged] = await site.stockact('log', '--action', 'secret.rotate');
    assert.deepEqual(
      [logged.actor, logged.subject, logged.subjectId],
      ['operator', 'master key', said.secretKey],
    );
    assert.match(
      logged.detail,
      /^sealed 1 endpoint secret, 1 second factor and \d+ e-mails? again$/,
    );
    assert.notDeepEqual(readFileSync(keyFile(site)), before);
    assert.deepEqual(readFileSync(said.oldKeyFile), before);
    assert.equal((await addressCounts(site)).length, 0, 'hashes under the old key are deleted');
    await expectWhole(own, 1);
    copyFileSync(said.oldKeyFile, keyFile(site));
    await refused(site, ['serve', '--listen', '127.0.0.1:0'], /this database needs the key/);
  });

  test('is refused while a server runs', async (t) => {
    const own = await Delivering.open(t, { database });
    const server = await own.serve();
    const before = readFileSync(keyFile(own.site));
    await refused(own.site, ['secret', 'rotate'], /stop (it|them all)/);
    assert.deepEqual(readFileSync(keyFile(own.site)), before);
    assert.ok(!existsSync(`${keyFile(own.site)}.next`), 'nothing is written');
    await server.stop();
    await own.site.stockact('secret', 'rotate');
  });

  test('with the key lost, endpoints get new secrets and owners use recovery codes', async (t) => {
    const { site, receiver, owner, factor, recovery, endpoint } = await openSealed(t, database);
    await refused(site, ['secret', 'rotate', '--lost'], /the master key is not lost/);
    rmSync(keyFile(site));
    await refused(site, ['serve', '--listen', '127.0.0.1:0'], /secret rotate --lost/);
    await refused(site, ['webhooks', 'rotate', '--id', endpoint.id], /secret rotate --lost/);
    const [said] = await site.stockact('secret', 'rotate', '--lost');
    assert.equal(said.lostEndpointSecrets, 1);
    assert.equal(said.lostSecondFactors, 1);
    assert.equal(said.disabledEndpoints, 1);
    const [logged] = await site.stockact('log', '--action', 'secret.rotate');
    assert.match(
      logged.detail,
      /^the old key was lost: erased 1 endpoint secret, 1 second factor and \d+ e-mails?; /,
    );
    const server = await site.serve();
    await site.stockact('demo', '--publish', 1, '--rows', 1); // its event is held
    await refused(site, ['webhooks', 'enable', '--id', endpoint.id], /rotate it to get a new one/);
    const rotate = ['webhooks', 'rotate', '--id', endpoint.id];
    const [rotated] = await site.stockact(...rotate);
    assert.equal(rotated.oldSecretUntil, null);
    await site.stockact('webhooks', 'enable', '--id', endpoint.id);
    const [request] = await receiver.have(1);
    assertSignedBy(request, rotated.secret);
    const code = await oneTimeCode(factor, site.clock.now);
    const asked = await signIn(server, owner, code, 422);
    assert.match(asked.text(), /use a recovery code/);
    assert.equal((await signIn(server, owner, recovery[0])).path, SETTINGS);
  });

  test('only a secret that cannot be decrypted is dropped; the others stay', async (t) => {
    const own = await openSealed(t, database);
    const { site, receiver, email, endpoint } = own;
    const add = ['webhooks', 'add', '--email', email, '--url', receiver.url(204)];
    const [broken] = await site.stockact(...add);
    // as an earlier version left it: no mark, and one secret of a key that was lost before
    await site.database.execute("DELETE FROM meta WHERE name = 'master key'");
    const any = (number) =>
      database === 'sqlite' ? `zeroblob(${number})` : `decode(repeat('00', ${number}), 'hex')`;
    await site.database.execute(
      `UPDATE endpoint SET secret_sealed = ${any(72)} WHERE id = '${broken.id}'`,
    );
    const hint = new RegExp(`${broken.id} was not sealed .* run .stockact secret rotate --lost.,`);
    await refused(site, ['serve', '--listen', '127.0.0.1:0'], hint);
    await refused(site, ['webhooks', 'rotate', '--id', broken.id], hint);
    await refused(site, ['secret', 'rotate'], hint);
    const [said] = await site.stockact('secret', 'rotate', '--lost');
    assert.deepEqual(
      [said.endpointSecrets, said.secondFactors, said.lostEndpointSecrets, said.lostSecondFactors],
      [1, 1, 1, 0],
    );
    assert.equal(said.disabledEndpoints, 1);
    const [kept] = await site.stockact('webhooks', 'reveal', '--id', endpoint.id);
    assert.equal(kept.secret, own.second.secret);
    await expectWhole(own, 1);
    const [rotated] = await site.stockact('webhooks', 'rotate', '--id', broken.id);
    await site.stockact('webhooks', 'enable', '--id', broken.id);
    const server = await site.serve();
    assertSignedBy((await receiver.have(2)).at(-1), rotated.secret);
    await server.stop();
  });

  test('webhooks rotate --force replaces a secret that cannot be decrypted', async (t) => {
    const { site, receiver, endpoint } = await openSealed(t, database);
    await site.database.execute(
      `UPDATE endpoint SET secret_sealed = old_secret_sealed, old_secret_sealed = NULL,
       old_secret_until = NULL, id = 'ep_0123456789abcdef' WHERE id = '${endpoint.id}'`,
    ); // a sealed secret is bound to the id
    const id = ['--id', 'ep_0123456789abcdef'];
    for (const verb of ['reveal', 'rotate'])
      await refused(site, ['webhooks', verb, ...id], /webhooks rotate --id ep_\w+ --force/);
    const [rotated] = await site.stockact('webhooks', 'rotate', ...id, '--force');
    assert.equal(rotated.oldSecretUntil, null);
    const server = await site.serve();
    await site.stockact('demo', '--publish', 1, '--rows', 1);
    assertSignedBy((await receiver.have(1)).at(-1), rotated.secret);
    await server.stop();
  });

  test('leaves the old key or the new one valid after a kill at any step', async (t) => {
    const own = await openSealed(t, database);
    const { site } = own;
    let kills = 0;
    const killAt = async (call, n) => {
      const inject = `inject=${call}:signal=KILL:when=${n}`;
      const args = ['-f', '-o', '/dev/null', '-e', `trace=${call}`, '-e', inject];
      const killed = [...args, binary, 'secret', 'rotate'];
      const done = await run('strace', killed, { env: site.env, endsBy: 'SIGKILL' });
      if (done.code !== 0) kills++;
    };
    const points = { write: [1, 2], fsync: [1, 2, 3], link: [1, 2], unlink: [1, 2], rename: [1] };
    if (database === 'sqlite') points.pwrite64 = [2, 5, 9, 14];
    else points.sendto = [4, 7, 10, 13, 16, 19, 22, 25];
    for (const [call, numbers] of Object.entries(points))
      for (const n of numbers) {
        await killAt(call, n);
        await until(SERVERS_GONE, async () => (await site.run(['webhooks', 'list'])).code === 0);
        const reveal = ['webhooks', 'reveal', '--id', own.endpoint.id];
        const [shown] = await site.stockact(...reveal);
        assert.equal(shown.secret, own.second.secret, `${call} ${n}`);
      }
    assert.ok(kills >= 10, `${kills} kills`);
    await expectWhole(own, 1);
  });

  test('a kill before the last step is completed by the next start', async (t) => {
    const own = await openSealed(t, database);
    const { site } = own;
    const before = readFileSync(keyFile(site));
    const inject = ['-e', 'trace=rename', '-e', 'inject=rename:signal=KILL:when=1'];
    await run('strace', ['-f', '-o', '/dev/null', ...inject, binary, 'secret', 'rotate'], {
      env: site.env,
      endsBy: 'SIGKILL',
    });
    assert.deepEqual(readFileSync(keyFile(site)), before);
    assert.ok(existsSync(`${keyFile(site)}.next`));
    await refused(site, ['secret', 'rotate', '--lost'], /not lost: ".*secret\.key\.next" fits/);
    await expectWhole(own, 1);
    await site.stockact('webhooks', 'reveal', '--id', own.endpoint.id); // a server may not rename it
    assert.notDeepEqual(readFileSync(keyFile(site)), before);
    assert.ok(!existsSync(`${keyFile(site)}.next`));
    const left = readdirSync(site.folder).filter((name) => name.startsWith('secret.key.'));
    assert.equal(left.length, 1, 'the old key');
    renameSync(`${site.folder}/${left[0]}`, `${site.folder}/elsewhere`);
  });
});

const writeKey = (file, bytes) => writeFileSync(file, bytes, { mode: 0o600 });
const LOST = ['secret', 'rotate', '--lost'];

test('secret rotate --lost refuses while the key lies beside its file', async (t) => {
  const site = await makeSite(t);
  await (await site.serve()).stop();
  const kept = `${keyFile(site)}.0123456789abcdef`;
  renameSync(keyFile(site), kept);
  await refused(site, LOST, /not lost: ".*key\.0123456789abcdef" fits this database\. Copy it/);
  writeKey(keyFile(site), 'another key of thirty-two bytes.');
  await refused(site, LOST, /not lost: ".*key\.0123456789abcdef" fits/);
  writeKey(keyFile(site), 'damaged');
  await refused(site, LOST, /restore it from your backup, or move it away and run this again/);
});

test('secret rotate --lost keeps each key that it replaces under its own name', async (t) => {
  const site = await makeSite(t);
  await (await site.serve()).stop();
  const others = ['another key of thirty-two bytes.', 'a third one of thirty-two bytes.'];
  const kept = [];
  for (const other of others) {
    writeKey(keyFile(site), other);
    const [said] = await site.stockact(...LOST);
    kept.push(said.oldKeyFile);
  }
  assert.deepEqual(
    kept.map((file) => readFileSync(file, 'utf8')),
    others,
  );
});

test('secret rotate says why it cannot lock the database', async (t) => {
  const site = await makeSite(t);
  await (await site.serve()).stop();
  rmSync(`${site.database.file}.lock`);
  mkdirSync(`${site.database.file}.lock`);
  await refused(site, ['secret', 'rotate'], /cannot create ".*\.lock"/);
});

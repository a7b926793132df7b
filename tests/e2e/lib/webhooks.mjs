// Signed deliveries, made with the program's own signing by tests/unit/webhook_headers.c, and the
// verifiers of examples/webhook-receiver as commands.

import { strict as assert } from 'node:assert';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { verifyStandard, verifySvc } from '../../../examples/webhook-receiver/node/verify.mjs';
import { run } from './child.mjs';
import { programPath } from './programs.mjs';
import { binary, root } from './settings.mjs';

const signer = path.join(path.dirname(binary), 'tests/unit/webhook_headers');
const examples = path.join(root, 'examples/webhook-receiver');
const file = (...parts) => path.join(examples, ...parts);

/**
 * The headers of one attempt, with names in lower case. `seconds` is the time of sending. With
 * `oldSecret` a rotation is in its grace period.
 */
export async function signedHeaders({
  secret,
  oldSecret,
  body,
  seconds,
  deliveryId = 'dl_00112233445566ff',
  event = 'trade.published',
}) {
  const secrets = oldSecret ? [secret, oldSecret] : [secret];
  const args = [event, deliveryId, String(seconds * 1000), ...secrets];
  const { code, stdout, stderr } = await run(signer, args, { input: body });
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split('\n');
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([\w-]+): (.*)$/.exec(line);
      return [name.toLowerCase(), value];
    }),
  );
}

/** The request is signed by these secrets, in this order, and by no other. */
export function assertSignedBy(request, ...secrets) {
  const [stamp, ...values] = request.headers['x-svc-signature'].split(',');
  const expected = secrets.map(
    (secret) =>
      `v1=${createHmac('sha256', secret)
        .update(`${stamp.slice(2)}.${request.body}`)
        .digest('hex')}`,
  );
  assert.deepEqual(values, expected);
}

/**
 * The independent verifier accepts both signatures of a request with each of `secrets`, and with
 * none of `others`; `now` in milliseconds.
 */
export function assertVerified({ headers, body }, { now, secrets, others = [] }) {
  const seconds = Math.floor(now / 1000);
  for (const verify of [verifySvc, verifyStandard]) {
    for (const secret of secrets) verify(secret, headers, body, seconds);
    for (const secret of others)
      assert.throws(() => verify(secret, headers, body, seconds), /wrong signature/);
  }
}

async function compile(command, args, folder) {
  const offline = { GOCACHE: path.join(folder, 'go-cache'), GOPROXY: 'off', GOTOOLCHAIN: 'local' };
  const env = { ...process.env, ...offline };
  const { code, stdout, stderr } = await run(command, args, { cwd: folder, env });
  assert.equal(code, 0, stdout + stderr);
}

/** For each language its interpreter, and `prepare(folder)`, which returns the command to run. */
export const verifiers = [
  {
    language: 'Node',
    needs: process.execPath,
    sources: ['node/verify.mjs'],
    prepare: () => [process.execPath, file('node/command.mjs')],
  },
  {
    language: 'Python',
    needs: programPath('python3'),
    sources: ['python/verify.py'],
    async prepare() {
      // the real interpreter, if python3 is a script that looks for it each time
      const { stdout } = await run('python3', ['-c', 'import sys; print(sys.executable)']);
      return [stdout.trim(), '-B', file('python/command.py')];
    },
  },
  {
    language: 'Go',
    needs: programPath('go'),
    sources: ['go/verify.go'],
    async prepare(folder) {
      const sources = [file('go/verify.go'), file('go/command.go')];
      await compile('go', ['build', '-o', path.join(folder, 'verify-go'), ...sources], folder);
      return [path.join(folder, 'verify-go')];
    },
  },
  {
    language: 'PHP',
    needs: programPath('php'),
    sources: ['php/verify.php'],
    prepare: () => [programPath('php'), '-n', file('php/command.php')],
  },
  {
    language: 'C',
    needs: programPath('cc'),
    sources: ['c/verify.h', 'c/verify.c'],
    async prepare(folder) {
      const sources = [file('c/verify.c'), file('c/command.c'), '-lcrypto'];
      const flags = ['-Wall', '-Wextra', '-Werror', '-O1', '-fsanitize=address,undefined'];
      await compile('cc', [...flags, '-o', path.join(folder, 'verify-c'), ...sources], folder);
      return [path.join(folder, 'verify-c')];
    },
  },
].map((verifier) => ({ ...verifier, sources: verifier.sources.map((name) => file(name)) }));

// Commands whose output is lost: a reader that is gone, a full disk, a closed descriptor. A
// secret that is shown once is lost then, so the command names what it created and what to do.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { run } from './lib/child.mjs';
import { binary } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const EMAIL = 'owner@example.org';
const URL = 'https://hooks.example.org/in';

/** Ways to lose the output of `"$@"`, each with the reason that the message has. */
const LOSSES = {
  // The reader ends before the command begins.
  'a pipe without a reader': [
    `{ read -r go <"$FIFO"; "$@"; echo "status $?" >&2; } | { exec <&-; echo go >"$FIFO"; }`,
    /Broken pipe/,
  ],
  'a full disk': ['"$@" >/dev/full; echo "status $?" >&2', /the disk is full/],
  'a closed descriptor': ['"$@" >&-; echo "status $?" >&2', /Bad file descriptor/],
};

describe('a secret that could not be printed', () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('accounts', 'create', '--email', EMAIL, '--plan', 'den');
    const server = await site.serve(); // creates the master key
    await server.stop();
    const made = await run('mkfifo', [`${site.folder}/fifo`], {});
    assert.equal(made.code, 0);
    return {};
  });

  /** Runs the command with its output lost, and returns its standard error. */
  async function lose(how, args) {
    const { site } = shared;
    const [script, reason] = LOSSES[how];
    const done = await run('sh', ['-c', script, 'sh', binary, ...args], {
      cwd: site.folder,
      env: { ...site.env, FIFO: `${site.folder}/fifo` },
    });
    assert.match(done.stderr, /^status 1$/m, done.stderr);
    assert.match(done.stderr, reason);
    assert.match(
      done.stderr,
      /^stockact: cannot write to standard output.*: some output is lost$/m,
    );
    assert.doesNotMatch(done.stderr + done.stdout, /whsec_/);
    return done.stderr;
  }

  for (const how of Object.keys(LOSSES)) {
    for (const json of [[], ['--json']]) {
      test(`a key, ${how}${json.length > 0 ? ', --json' : ''}`, async () => {
        const { site } = shared;
        const name = `lost by ${how} ${json.length}`;
        const said = await lose(how, ['keys', 'mint', '--email', EMAIL, '--name', name, ...json]);
        const [, id] =
          /stockact: the key (\S+) was created but could not be printed.*`stockact keys revoke --id \1`/.exec(
            said,
          ) ?? [];
        const keys = await site.stockact('keys', 'list', '--email', EMAIL);
        const made = keys.filter((key) => key.name === name);
        assert.deepEqual(
          made.map((key) => key.id),
          [id],
          said,
        );
        assert.ok(!said.includes(`${made[0].prefix}`), 'no part of the key is printed');
        await site.stockact('keys', 'revoke', '--id', id); // as it says
      });
    }

    test(`a secret of a new endpoint, and of a rotation, ${how}`, async () => {
      const { site } = shared;
      const add = ['webhooks', 'add', '--email', EMAIL, '--url', `${URL}/${how.length}`];
      const said = await lose(how, add);
      const [, id] =
        /stockact: the endpoint (\S+) was created, but its secret.*`stockact webhooks reveal --id \1`/.exec(
          said,
        ) ?? [];
      const endpoints = await site.stockact('webhooks', 'list', '--email', EMAIL);
      assert.ok(
        endpoints.some((one) => one.id === id),
        said,
      );
      const rotated = await lose(how, ['webhooks', 'rotate', '--id', id]);
      assert.match(
        rotated,
        new RegExp(`the endpoint ${id} has a new secret.*webhooks reveal --id ${id}\``),
      );
      const [again] = await site.stockact('webhooks', 'reveal', '--id', id); // as it says
      assert.match(again.secret, /^whsec_/);
      await site.stockact('webhooks', 'remove', '--id', id);
    });
  }

  test('a list without a secret says only that it is lost', async () => {
    const said = await lose('a full disk', ['accounts', 'list']);
    assert.equal(said.split('\n').filter((line) => line.startsWith('stockact:')).length, 1, said);
  });
});

// stockact-mcp in a shell: lines in, end of input, lines out.

import { strict as assert } from 'node:assert';
import { run } from './child.mjs';

/** The metadata in `params` of every stateless request. */
const STATELESS = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

/**
 * Sends one request to `command` ({command, args, env}) and returns its result. The program must
 * then exit 0 with nothing on standard error.
 */
export async function ask({ command, args = [], env }, method, params = {}) {
  const request = { jsonrpc: '2.0', id: 1, method, params: { ...STATELESS, ...params } };
  const done = await run(command, args, { env, input: `${JSON.stringify(request)}\n` });
  assert.deepEqual([done.code, done.stderr], [0, '']);
  const lines = done.stdout.trimEnd().split('\n');
  assert.equal(lines.length, 1, done.stdout);
  const answer = JSON.parse(lines[0]);
  assert.equal(answer.error, undefined, lines[0]);
  return answer.result;
}

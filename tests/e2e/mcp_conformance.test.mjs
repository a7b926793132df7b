// The protocol's own conformance suite, run against the server's POST /mcp, and against stockact-mcp
// through lib/mcp_bridge.mjs, because the suite speaks HTTP only. All scenarios that a revision requires of a server run with
// that revision; their expected results are below.
//
// Most scenarios call tools, prompts and resources of the suite's own example server, which no
// other server has. They still run: error responses are part of the protocol, and each message is
// checked against the protocol's schema (`wire-schema-valid`).

import { strict as assert } from 'node:assert';
import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { mcpCommand } from './lib/mcp.mjs';
import { McpBridge } from './lib/mcp_bridge.mjs';
import { instrumented } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';
import { tryTool } from './lib/tools.mjs';

const passes = {};
const unfit = (reason) => (names) => Object.fromEntries(names.map((name) => [name, reason]));
const wantsTool = unfit('it calls a tool of the example server');
const wantsPrompt = unfit('prompts are not offered');
const wantsResource = unfit('resources are not offered');
const wantsInput = unfit('a tool of the example server asks the client for input; ours never do');
const wantsTask = unfit('an extension that is not offered: no call outlives its answer');
const wantsHttp = unfit('it is about HTTP, which ends at the bridge');

/** These bypass the part of the suite that checks messages. */
const UNSEEN = [
  'dns-rebinding-protection',
  'server-session-lifecycle',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'server-stateless',
  'tasks-status-notifications',
];

/** Required by both revisions. */
const OF_BOTH = {
  'tools-list': passes,
  'server-sse-multiple-streams': passes,
  ...unfit('completion belongs to prompts and resources')(['completion-complete']),
  ...wantsTool([
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
  ]),
  ...wantsResource([
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
  ]),
  ...wantsPrompt([
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ]),
  ...wantsHttp(['dns-rebinding-protection']),
};

/**
 * The expected result of each scenario: `passes`; a reason why the whole scenario does not apply;
 * or an object with a reason for each check that does not apply, while all others pass.
 */
const REVISIONS = {
  '2025-11-25': {
    ...OF_BOTH,
    'server-initialize': passes,
    ping: passes,
    ...unfit('there is no log to set a level of')(['logging-set-level']),
    ...wantsTool([
      'tools-call-with-logging',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ]),
    ...wantsResource(['resources-subscribe', 'resources-unsubscribe']),
    ...wantsHttp(['server-sse-polling', 'server-session-lifecycle']),
  },
  '2026-07-28': {
    ...OF_BOTH,
    'server-stateless': {
      ...wantsHttp(['sep-2575-http-server-header-mismatch-400']),
      ...wantsTool([
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ]),
    },
    caching: {
      ...wantsPrompt(['sep-2549-prompts-list-caching-hints']),
      ...wantsResource([
        'sep-2549-resources-list-caching-hints',
        'sep-2549-resources-templates-list-caching-hints',
      ]),
    },
    'input-required-result-unsupported-methods': passes,
    ...wantsResource(['sep-2164-resource-not-found']),
    ...wantsInput([
      'input-required-result-basic-elicitation',
      'input-required-result-basic-sampling',
      'input-required-result-basic-list-roots',
      'input-required-result-request-state',
      'input-required-result-multiple-input-requests',
      'input-required-result-multi-round',
      'input-required-result-missing-input-response',
      'input-required-result-non-tool-request',
      'input-required-result-result-type',
      'input-required-result-tampered-state',
      'input-required-result-capability-check',
      'input-required-result-ignore-extra-params',
      'input-required-result-validate-input',
    ]),
    ...wantsTask([
      'tasks-lifecycle',
      'tasks-capability-negotiation',
      'tasks-wire-fields',
      'tasks-request-state-removal',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-dispatch-and-envelope',
      'tasks-status-notifications',
      'tasks-required-task-error',
      'tasks-mrtr-composition',
    ]),
    ...wantsHttp(['http-header-validation', 'http-custom-header-server-validation']),
  },
};

/** What is otherwise over HTTP: there is no bridge that adds sessions and streams. */
const OVER_HTTP = {
  '2025-11-25': {
    'dns-rebinding-protection': passes,
    ...unfit('it needs a session, and none is issued')(['server-sse-multiple-streams']),
  },
  '2026-07-28': {
    'dns-rebinding-protection': passes,
    'http-header-validation': passes,
    'server-stateless': {
      ...wantsTool([
        'sep-2575-server-rejects-undeclared-capability',
        'sep-2575-missing-capability-http-400',
        'sep-2575-http-server-no-independent-requests-on-stream',
        'sep-2575-server-no-log-without-loglevel',
      ]),
    },
  },
};

/** Runs the suite on a revision: the checks of each scenario, by its name. */
async function runSuite(url, revision, cwd) {
  const args = ['server', '--url', url, '--requirements', revision, '--output-dir', revision];
  const done = await tryTool('@modelcontextprotocol/conformance', 'conformance', args, { cwd });
  const results = path.join(cwd, revision);
  const checks = new Map();
  for (const folder of readdirSync(results)) {
    const [, scenario] = /^server-(.+)-\d{4}-\d\d-\d\dT[\dZ-]+$/.exec(folder);
    checks.set(
      scenario,
      JSON.parse(readFileSync(path.join(results, folder, 'checks.json'), 'utf8')),
    );
  }
  return { checks, output: done.stdout + done.stderr };
}

/** The messages of a scenario's failed checks, by id. */
function failuresOf(checks) {
  const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
  return new Map(failed.map(({ id, errorMessage }) => [id, `${id}: ${errorMessage}`]));
}

const skip = instrumented ? 'the wire is the same whichever build is tested' : false;

/** Each way to the tools: its address, and what is expected otherwise. */
const WAYS = [
  {
    name: 'stockact-mcp',
    reach: async (t, { site, server, key }) =>
      (await McpBridge.start(t, mcpCommand(site, server, key))).url,
    otherwise: {},
  },
  { name: 'POST /mcp', reach: (t, { server }) => `${server.url}/mcp`, otherwise: OVER_HTTP },
];

const cases = WAYS.flatMap((way) =>
  Object.entries(REVISIONS).map(([revision, expected]) => ({
    ...way,
    revision,
    expected: { ...expected, ...way.otherwise[revision] },
  })),
);

describe('the conformance suite', { skip, concurrency: 2 }, () => {
  const shared = useSite({ env: { STOCKACT_BENCH_UNLIMITED: '1' } }, async (site) => {
    await site.stockact('demo', '--trades', 100);
    return { server: await site.serve(), key: await site.key() };
  });

  for (const { name, reach, revision, expected } of cases) {
    test(`${name}: requirements of ${revision}`, async (t) => {
      const url = await reach(t, shared);
      const folder = mkdtempSync(path.join(shared.site.folder, 'conformance-'));
      const { checks, output } = await runSuite(url, revision, folder);
      assert.deepEqual([...checks.keys()].sort(), Object.keys(expected).sort(), output);

      await t.test(`every message of ${revision} matches the schema`, () => {
        for (const [scenario, list] of checks) {
          const seen = list.filter(({ id }) => id.startsWith('wire-schema'));
          const told = seen.map(({ id, status, errorMessage }) => [id, status, errorMessage]);
          const good = UNSEEN.includes(scenario)
            ? []
            : [['wire-schema-valid', 'SUCCESS', undefined]];
          assert.deepEqual(told, good, scenario);
        }
      });

      for (const [scenario, outcome] of Object.entries(expected)) {
        if (typeof outcome === 'string') continue;
        await t.test(`${scenario} of ${revision}`, () => {
          const failures = failuresOf(checks.get(scenario));
          const messages = [...failures.values()].join('\n');
          assert.deepEqual([...failures.keys()].sort(), Object.keys(outcome).sort(), messages);
          const good = checks.get(scenario).some(({ status }) => status === 'SUCCESS');
          assert.ok(good, 'something was checked');
        });
      }
    });
  }
});

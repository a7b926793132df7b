// stockact-mcp and POST /mcp with the command line of the official inspector: the list of tools with
// `--strict`, which rates how well other clients handle the schemas, and a call of each tool, in both
// generations of the protocol.

import { strict as assert } from 'node:assert';
import test, { describe } from 'node:test';
import { checkText, compileTools, mcpCommand } from './lib/mcp.mjs';
import { instrumented } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';
import { tryTool } from './lib/tools.mjs';

const skip = instrumented ? 'what it prints is the same whichever build is tested' : false;

/** Each way to the tools: how the inspector is told to take it. */
const WAYS = {
  'stockact-mcp': ({ site, server, key }) => {
    const { command, env } = mcpCommand(site, server, key);
    return [
      command,
      ...['URL', 'KEY'].flatMap((name) => ['-e', `SVC_API_${name}=${env[`SVC_API_${name}`]}`]),
    ];
  },
  'POST /mcp': ({ server, key }) => [
    `${server.url}/mcp`,
    '--header',
    `Authorization: Bearer ${key}`,
  ],
};

/** Runs the inspector on one method: {code, told: what it printed, stderr}. */
async function inspect(shared, way, ...options) {
  const args = ['--cli', ...WAYS[way](shared), ...options];
  const cwd = shared.site.folder;
  const done = await tryTool('@modelcontextprotocol/inspector', 'mcp-inspector', args, { cwd });
  return { code: done.code, told: done.stdout && JSON.parse(done.stdout), stderr: done.stderr };
}

const ERAS = ['legacy', 'modern'];

/** A call of each tool, with arguments from a trade that has a ticker. */
const CALLS = [
  ['list_trades', ({ politician }) => ({ chamber: politician.chamber, limit: 2 })],
  ['get_politician', ({ politician }) => ({ slug: politician.slug })],
  ['get_ticker', ({ ticker }) => ({ symbol: ticker })],
  ['list_filings', () => ({ limit: 2 })],
  ['find_politician', ({ politician }) => ({ name: politician.name, max_pages: 1 })],
  ['get_conflicted_trades', () => ({ max_pages: 1 })],
  ['get_trade', ({ id }) => ({ id })],
  ['get_coverage', () => ({})],
  ['count_trades', () => ({ group_by: 'party' })],
  ['find_ticker', ({ assetName }) => ({ name: assetName.split(' ')[0] })],
  ['list_corrections', () => ({ limit: 2 })],
  ['get_committee', (_, committee) => ({ id: committee })],
];

describe('the inspector', { skip, concurrency: 2 }, () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 250);
    const [server, key] = [await site.serve(), await site.key()];
    const { data } = await server.json('/api/v1/trades?limit=100', { key });
    const [{ id: committee }] = (await server.json('/api/v1/committees?limit=1')).data;
    return { server, key, committee, trade: data.find(({ ticker }) => ticker !== null) };
  });

  for (const [era, way] of ERAS.flatMap((one) => Object.keys(WAYS).map((way) => [one, way]))) {
    test(`${way}: the list of tools (${era})`, async () => {
      const method = ['--protocol-era', era, '--method', 'tools/list', '--strict'];
      const { code, told, stderr } = await inspect(shared, way, ...method);
      assert.equal(code, 0, stderr);
      assert.equal(compileTools(told.tools).size, 12);
      // The inspector warns about nextCursor, which may be null. It must not warn about arguments,
      // which models fill in.
      const findings = stderr.split('\n').filter((line) => /^ {2}(Path|Issue):/.test(line));
      for (const finding of findings)
        assert.match(finding, /^ {2}(Path: outputSchema\.|Issue: `type` is an array)/);
      assert.match(stderr, /^0 errors, \d+ warnings across \d+ tools\.$/m);
    });
  }

  CALLS.forEach(([name, argumentsOf], i) => {
    const era = ERAS[i % ERAS.length];
    test(`${name} (${era})`, async () => {
      const way = Object.keys(WAYS)[(i >> 1) % 2];
      const pairs = Object.entries(argumentsOf(shared.trade, shared.committee)).map((pair) =>
        pair.join('='),
      );
      const given = pairs.flatMap((pair) => ['--tool-arg', pair]);
      const method = ['--protocol-era', era, '--method', 'tools/call', '--tool-name', name];
      const { code, told, stderr } = await inspect(shared, way, ...method, ...given);
      assert.equal(code, 0, stderr);
      assert.ok(told.structuredContent.data);
      checkText(told.content[0].text, told.structuredContent);
    });
  });
});

// The examples of the documentation, copied from its pages and run: the quick start, and a request of
// the page about trades. Go and R run where they are installed.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { Child, run } from './lib/child.mjs';
import { all } from './lib/html.mjs';
import { makeOwner, newVisitor } from './lib/people.mjs';
import { useSite } from './lib/site.mjs';
import { metric, publish } from './lib/streaming.mjs';
import { until } from './lib/until.mjs';

/** language -> the file it is saved in, the command, and how to ask whether it is installed. */
const LANGUAGES = {
  sh: { file: 'example.sh', command: ['bash'] },
  javascript: { file: 'example.mjs', command: [process.execPath] },
  python: { file: 'example.py', command: ['python3'] },
  go: { file: 'example.go', command: ['go', 'run'], asks: ['go', 'version'] },
  r: { file: 'example.r', command: ['Rscript'], asks: ['Rscript', '-e', 'library(jsonlite)'] },
};

/** Text with its lines and spaces. */
const source = (node) => node.data ?? node.children.map(source).join('');

/** The samples of Go are the middle of a program. */
const inProgram = (code) =>
  /^package /m.test(code)
    ? code
    : `package main\n\nimport (\n"io"\n"log"\n"net/http"\n"os"\n)\n\nfunc main() {\n${code}}\n`;

describe('the examples of the documentation', () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 300);
    const { email } = await makeOwner(site, { plan: 'den' });
    const key = await site.mint({ email, name: 'examples' });
    const server = await site.serve();
    const trades = (await server.get('/api/v1/trades?limit=2')).json.data;
    return { server, key: key.key, trades };
  });

  /** The examples of a page: [{language: code}], one for each choice of languages. */
  async function examples(target) {
    const page = await newVisitor(shared.server).open(target);
    const made = page.all('.tabs').map((choice) => {
      const codes = {};
      for (const language of Object.keys(LANGUAGES)) {
        codes[language] = source(all(`figure[data-language=${language}] code`, choice)[0]);
      }
      return codes;
    });
    assert.notEqual(made.length, 0);
    return made;
  }

  /** The arguments that run it: [program, args, options]; null if the language is not installed. */
  async function prepare(t, language, code) {
    const { file, command, asks } = LANGUAGES[language];
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: os.tmpdir(), GOFLAGS: '' };
    if (process.env.GOROOT) env.GOROOT = process.env.GOROOT;
    const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-example-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    env.GOCACHE = path.join(folder, 'cache');
    const options = { cwd: folder, env };
    const installed = asks
      ? await run(asks[0], asks.slice(1), options).catch(() => ({ code: 127 }))
      : { code: 0 };
    if (installed.code !== 0) {
      t.skip(`${asks[0]} is not installed`);
      return null;
    }
    const whole = language === 'go' ? inProgram(code) : code;
    writeFileSync(path.join(folder, file), whole.replaceAll('svc_YOUR_KEY', shared.key));
    return [command[0], [...command.slice(1), file], options];
  }

  async function runExample(t, language, code) {
    const prepared = await prepare(t, language, code);
    if (prepared === null) return null;
    const done = await run(...prepared);
    assert.equal(done.code, 0, `${code}\n${done.stdout}${done.stderr}`);
    return done.stdout;
  }

  for (const language of Object.keys(LANGUAGES)) {
    test(`quick start, ${language}: the two newest trades`, async (t) => {
      const [first] = await examples('/docs/quick-start');
      const output = await runExample(t, language, first[language]);
      if (output === null) return;
      for (const trade of shared.trades) {
        // A report on paper may state no date.
        const dated = trade.tradeDate === null ? [] : [trade.tradeDate];
        for (const told of [...dated, trade.politician.name, trade.amountRange.label])
          assert.ok(output.includes(told), `${told}\n${output}`);
      }
    });

    test(`quick start, ${language}: a request with a key`, async (t) => {
      const [, keyed] = await examples('/docs/quick-start');
      const output = await runExample(t, language, keyed[language]);
      if (output !== null) assert.match(output, /senate/);
    });

    test(`trades, ${language}: one request`, async (t) => {
      const [only] = await examples('/docs/trades');
      const output = await runExample(t, language, only[language]);
      if (output !== null) assert.ok(output.includes(shared.trades[0].id), output);
    });
  }

  // these publish trades, so they come after the others
  for (const language of Object.keys(LANGUAGES)) {
    test(`stream, ${language}: the next trades`, async (t) => {
      const { server, site } = shared;
      const [only] = await examples('/docs/stream');
      const code = only[language].replace(/^curl/, 'exec curl'); // so that it ends with its shell
      const prepared = await prepare(t, language, code);
      if (prepared === null) return;
      const [program, args, { cwd, env }] = prepared;
      // browsers have EventSource, this Node behind an option
      const options = { ...env, NODE_OPTIONS: '--experimental-eventsource' };
      const child = new Child(program, args, { cwd, env: options, dieWithParent: 'SIGKILL' });
      t.after(() => child.stop('SIGKILL'));
      await until('its stream is open', async () => {
        assert.equal(child.ended, null, child.describe());
        return (await metric(server, 'streams_open')) === 1;
      });
      await publish(site, 1, 2);
      const { data } = await server.json('/api/v1/trades?limit=2', { key: shared.key });
      for (const { id } of data) {
        await until(`${id} is printed`, () => child.stdout.includes(id));
      }
      await child.stop('SIGKILL');
      await until('its stream ends', async () => (await metric(server, 'streams_open')) === 0);
    });
  }
});

// docs/mcp.md matches stockact-mcp: its tools, its messages, and the commands and configurations.

import { strict as assert } from 'node:assert';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { describe } from 'node:test';
import { run } from './lib/child.mjs';
import { mcpCommand } from './lib/mcp.mjs';
import { ask } from './lib/mcp_shell.mjs';
import { mcpProgram } from './lib/mcp_protocol.mjs';
import { root } from './lib/settings.mjs';
import { useSite } from './lib/site.mjs';

const guide = readFileSync(path.join(root, 'docs/mcp.md'), 'utf8');
const SETTINGS = ['SVC_API_URL', 'SVC_API_KEY'];
const ANY_SERVER = 'https://stockact.example.org';

/** The text between a heading and the next one. */
function section(heading) {
  const [, text] = guide.split(new RegExp(`^#+ ${heading}$`, 'm'));
  assert.ok(text, `there is no heading "${heading}"`);
  return text.split(/^#/m)[0];
}

/** The rows of the first table under a heading, each as its cells. */
function table(heading) {
  const lines = section(heading).split('\n');
  const rows = lines.slice(lines.findIndex((line) => line.startsWith('|')) + 2);
  const end = rows.findIndex((line) => !line.startsWith('|'));
  return rows.slice(0, end).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The fenced blocks of a language. */
const blocks = (language) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(
    ([, text]) => text,
  );

const names = (cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name);

/**
 * "`a` (required), `b` (1 to 9; 3 if left out), `c` (x, y or z), `d` (only x), `e` (as c)" in the form of
 * the input schema. "[filters](#filters)" stands for the first column of that table.
 */
function argumentsOf(cell) {
  const told = {};
  const filters = table('Filters').map(([filter]) => filter);
  const all = cell.replace('[filters](#filters)', filters.join(', '));
  for (const [, name, note = ''] of all.matchAll(/`(\w+)`(?: \(([^)]*)\))?/g)) {
    const [, minimum, maximum, absent] =
      /^(\d+) to (\d+)(?:; (\d+) if left out)?$/.exec(note) ?? [];
    told[name] = {
      required: note === 'required',
      range: minimum ? [Number(minimum), Number(maximum), absent && Number(absent)] : null,
      listed: note.startsWith('as ')
        ? told[note.slice(3)].listed
        : /^only | or /.test(note)
          ? note.replace('only ', '').split(/, | or /)
          : null,
    };
  }
  return told;
}

function argumentsOfSchema({ properties, required }, listed) {
  const described = {};
  for (const [name, one] of Object.entries(properties)) {
    const other = /as in (\w+)\.$/.exec(one.description)?.[1];
    if (one.enum ?? other) listed.set(name, one.enum ?? listed.get(other));
    described[name] = {
      required: required.includes(name),
      range: one.type === 'integer' ? [one.minimum, one.maximum, one.default] : null,
      listed: one.type === 'boolean' ? ['true', 'false'] : (one.enum ?? listed.get(name) ?? null),
    };
  }
  return described;
}

/** The string literals of some C sources of the tools. */
function textsOf(sources) {
  const texts = [];
  for (const file of globSync(path.join(root, 'src/mcp', sources))) {
    const source = readFileSync(file, 'utf8');
    for (const [together] of source.matchAll(/"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*/g)) {
      const pieces = [...together.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text]) => text);
      texts.push(pieces.join(''));
    }
  }
  return texts;
}

describe('the guide to the tools', () => {
  const shared = useSite({}, async (site) => {
    await site.stockact('demo', '--trades', 120);
    const server = await site.serve();
    const { tools } = await ask(mcpCommand(site, server), 'tools/list');
    return { server, tools };
  });

  test("lists the program's tools with their arguments and results", () => {
    const told = table('The tools').map(([name, takes, returns]) => ({
      name: names(name)[0],
      arguments: argumentsOf(takes),
      members: names(returns),
    }));
    const listed = new Map(); // a long list is written once
    const described = shared.tools.map(({ name, inputSchema, outputSchema }) => ({
      name,
      arguments: argumentsOfSchema(inputSchema, listed),
      members: Object.keys(outputSchema.properties).filter(
        (one) => !['note', 'rateLimitWarning', 'dataNotice'].includes(one),
      ),
    }));
    assert.equal(described.length, 12);
    assert.deepEqual(told, described);
  });

  test('describes tools that take every filter of the lists that they read', async () => {
    const { paths } = await shared.server.json('/api/v1/openapi.json');
    const ofPages = ['limit', 'cursor', 'fields'];
    const otherNames = ['politician', 'industry', 'committee', 'sort'];
    for (const [tool, path] of [
      ['list_trades', '/api/v1/trades'],
      ['list_corrections', '/api/v1/corrections'],
    ]) {
      const { properties } = shared.tools.find(({ name }) => name === tool).inputSchema;
      const taken = Object.keys(properties).filter((name) => !ofPages.includes(name));
      const filters = paths[path].get.parameters.filter(
        ({ $ref, name }) => !$ref && !otherNames.includes(name),
      );
      assert.deepEqual(taken.sort(), filters.map(({ name }) => name).sort());
      for (const { name, schema } of filters)
        if (schema.enum && properties[name].enum)
          assert.deepEqual(properties[name].enum, schema.enum, name);
    }
  });

  test('quotes what is said about trades', () => {
    const quote = section('Instructions to the model')
      .split('\n')
      .filter((line) => line.startsWith('> '))
      .map((line) => line.slice(2))
      .join(' ');
    const { description } = shared.tools.find(({ name }) => name === 'list_trades');
    assert.ok(description.endsWith(quote), description);
  });

  test("explains the program's error sentences, and no others", () => {
    const explained = table('When a call fails').flatMap(([says]) => says.split(', '));
    const texts = textsOf('*.c');
    for (const says of explained) {
      assert.ok(
        texts.some((text) => text.includes(says)),
        `nothing says "${says}"`,
      );
    }
    const sentences = textsOf('api_answer.c').filter((text) => /^(?:The|There|It) /.test(text));
    assert.ok(sentences.length >= 15);
    for (const text of sentences) {
      assert.ok(
        explained.some((says) => text.startsWith(says)),
        `"${text}" is not explained`,
      );
    }
  });

  test('shows a command that works', async () => {
    const [, request, command] = blocks('sh');
    const [, body] = /-d '(.*)'/.exec(request);
    const over = await shared.server.request('POST', '/mcp', { body, unchecked: true });
    assert.ok(over.json.result.structuredContent.data.counts);
    const done = await run('bash', ['-c', command], {
      env: {
        ...shared.site.env,
        PATH: `${path.dirname(mcpProgram)}:${process.env.PATH}`,
        SVC_API_URL: shared.server.url,
      },
    });
    assert.deepEqual([done.code, done.stderr], [0, '']);
    const [hello, coverage, ...rest] = done.stdout.trimEnd().split('\n').map(JSON.parse);
    assert.equal(hello.result.serverInfo.name, 'stockact');
    assert.ok(coverage.result.structuredContent.data.counts);
    assert.deepEqual(rest, []);
  });

  test('shows a program that works', async (t) => {
    const [program] = blocks('js');
    const folder = path.join(root, 'tests/e2e/.cache'); // where npm's packages are found
    const file = path.join(folder, `guide-${process.pid}.mjs`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, program.replaceAll(ANY_SERVER, shared.server.url));
    t.after(() => rmSync(file));
    const done = await run(process.execPath, [file], {
      env: {
        ...shared.site.env,
        PATH: `${path.dirname(mcpProgram)}:${process.env.PATH}`,
      },
    });
    assert.deepEqual([done.code, done.stderr], [0, '']);
    assert.equal(done.stdout.trimEnd().split('\n').length, 5);
  });

  test('configures hosts with the settings that the program has', async () => {
    const help = (await run(mcpProgram, ['--help'], { env: shared.site.env })).stdout;
    assert.deepEqual(
      [...new Set([...help.matchAll(/\bSVC_\w+/g)].map(([name]) => name))].sort(),
      [...SETTINGS].sort(),
    );
    assert.deepEqual(
      table('Settings').map(([name]) => names(name)[0]),
      SETTINGS,
    );
    const configurations = blocks('json').map((text) => JSON.parse(text));
    const started = configurations.flatMap(
      (one) => Object.values(one.mcpServers ?? one.servers ?? one.context_servers), // prettier-ignore
    );
    assert.equal(started.length, 5);
    for (const { url, headers, command, args = [], env = {} } of started) {
      if (url) {
        assert.deepEqual([url, Object.keys(headers)], [`${ANY_SERVER}/mcp`, ['Authorization']]);
        continue;
      }
      assert.match(
        [command, ...args].join(' '),
        /^(?:ssh .* stockact-mcp|\/usr\/bin\/stockact-mcp)$/,
      );
      assert.ok(Object.keys(env).every((name) => SETTINGS.includes(name)));
    }
    for (const text of [...blocks('sh').slice(3), ...blocks('toml')]) {
      assert.deepEqual(
        [...text.matchAll(/\bSVC_\w+/g)].map(([name]) => name),
        SETTINGS,
      );
      assert.ok(text.includes('/usr/bin/stockact-mcp'));
    }
  });
});

// The harness itself: a reader that accepts too much, or a watcher that misses a crash, would make
// every other test worthless.

import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { Browser, noChromium } from './lib/browser.mjs';
import { run } from './lib/child.mjs';
import { Client } from './lib/client.mjs';
import { openSqlite } from './lib/database.mjs';
import { CookieJar } from './lib/cookies.mjs';
import { markupFaults } from './lib/html_checker.mjs';
import { OpenApi } from './lib/openapi.mjs';
import { checkPage } from './lib/browser_checks.mjs';
import { Page } from './lib/pages.mjs';
import { parseResponse } from './lib/response.mjs';
import { readTable, selected } from './lib/selection.mjs';

const bytes = (text) => Buffer.from(text, 'latin1');

test('the parser reads one response after the other', () => {
  const two = ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab', 'HTTP/1.1 204 No Content\r\n\r\n'];
  const first = parseResponse(bytes(two.join('')));
  assert.equal(first.response.text, 'ab');
  const second = parseResponse(first.rest);
  assert.equal(second.response.status, 204);
  assert.equal(second.rest.length, 0);
});

test('the parser waits for missing bytes', () => {
  const whole = bytes('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n');
  for (let length = 0; length < whole.length; length++) {
    assert.equal(parseResponse(whole.subarray(0, length)), null);
  }
  assert.equal(parseResponse(whole).response.text, 'ab');
});

test('the parser rejects an invalid response', () => {
  const refused = [
    'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\n',
    'HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 00\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n',
    'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ];
  for (const text of refused) {
    assert.throws(() => parseResponse(bytes(text)), assert.AssertionError, JSON.stringify(text));
  }
  const cut = bytes('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc');
  assert.throws(() => parseResponse(cut, { ended: true }), /cut off/);
});

test('the client rejects a response without the common headers', async (t) => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const client = new Client({ host: '127.0.0.1', port: server.address().port });
  await assert.rejects(client.get('/'), /X-RateLimit-Limit/);
  assert.equal((await client.get('/', { unchecked: true })).status, 200);
  client.close();
});

test('a response is checked against its description', () => {
  const api = new OpenApi({
    paths: { '/a/{id}': { get: { responses: { 200: { $ref: '#/components/responses/A' } } } } },
    components: {
      headers: { Count: { required: true, schema: { type: 'integer' } } },
      responses: {
        A: {
          headers: { 'X-Count': { $ref: '#/components/headers/Count' } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } },
        },
      },
      schemas: {
        A: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
      },
    },
  });
  const check = (path, status, headers, body) => {
    const head = [`HTTP/1.1 ${status} X`, ...headers, `Content-Length: ${body.length}`];
    const text = `${head.join('\r\n')}\r\n\r\n${body}`;
    api.check('GET', path, parseResponse(bytes(text)).response);
  };
  const json = 'Content-Type: application/json';
  check('/a/1?b=c', 200, [json, 'X-Count: 1'], '{"a":"b"}');
  assert.throws(() => check('/a/1', 200, [json, 'X-Count: 1'], '{"b":1}'), /additional/);
  assert.throws(() => check('/a/1', 200, [json, 'X-Count: x'], '{}'), /X-Count/);
  assert.throws(() => check('/a/1', 200, [json], '{}'), /lacks X-Count/);
  const csv = 'Content-Type: text/csv';
  assert.throws(() => check('/a/1', 200, [csv, 'X-Count: 1'], 'a'), /may not be text.csv/);
  assert.throws(() => check('/a/1', 404, [json], '{}'), /404 is not described/);
  assert.throws(() => check('/a/1/2', 200, [json], '{}'), /not described/);
});

test("a crash and a sanitizer's report are faults, an exit is not", async () => {
  assert.deepEqual((await run('sh', ['-c', 'exit 3'])).faults, []);
  assert.equal((await run('sh', ['-c', 'kill -SEGV $$'])).faults.length, 1);
  const killed = ['-c', 'kill -KILL $$'];
  assert.deepEqual((await run('sh', killed, { endsBy: 'SIGKILL' })).faults, []);
  assert.equal((await run('sh', killed, { endsBy: 'SIGABRT' })).faults.length, 1);
  const report = 'echo "==1==ERROR: AddressSanitizer: heap-use-after-free" >&2; exit 1';
  assert.equal((await run('sh', ['-c', report])).faults.length, 1);
  assert.equal((await run('/does/not/exist', [])).faults.length, 1);
});

/** How `node --test` ends with the reporter of run.mjs for a file with this text. */
async function exitOf(t, text) {
  const folder = mkdtempSync(path.join(tmpdir(), 'stockact-harness-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(
    path.join(folder, 'one.test.mjs'),
    `import { after, describe, it } from 'node:test';\n${text}`,
  );
  const strict = path.join(import.meta.dirname, 'lib/file_reporter.mjs');
  const to = '--test-reporter-destination=stdout';
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined }; // node refuses a run inside a run
  const ended = await run(
    process.execPath,
    ['--test', `--test-reporter=${strict}`, to, 'one.test.mjs'],
    { cwd: folder, env },
  );
  return ended.code;
}

test('a run fails when a suite fails after its tests', async (t) => {
  const fault = "() => { throw new Error('what the site ran ended badly'); }";
  assert.equal(await exitOf(t, "describe('a', () => { it('b', () => {}); });"), 0);
  assert.equal(await exitOf(t, `describe('a', () => { after(${fault}); it('b', () => {}); });`), 1);
  assert.equal(await exitOf(t, `it('b', ${fault});`), 1);
});

/** Files of tests, the start of each; `turn` counts its runs. */
const PLANTED = {
  passes: "test('a', () => {});",
  fails_once: "test('a', () => assert.notEqual(turn, 1)); test('b', () => {});",
  fails_twice: "test('a', () => assert.equal(turn, 3));",
  fails: "test('a', () => assert.fail());",
  crashes_once: `test('a', async () => {
    if (turn === 1) assert.equal((await run(program, ['kill -SEGV $$'])).signal, null);
  });`,
  crashes_unseen: "test('a', () => run(program, ['kill -ABRT $$']));",
  is_killed: `test('a', async () => {
    const child = new Child(program, ['echo ready; read line'], { open: true });
    await child.waitFor(/ready/);
    await child.stop('SIGKILL');
  });`,
  passes_elsewhere: "(await import('./module.mjs')).good();",
  fails_elsewhere: "test('a', () => {}); (await import('./module.mjs')).bad();",
  reports_later: `test('a', async () => {
    if (turn === 1) assert.fail();
    await run(program, ['echo "WARNING: ThreadSanitizer: data race" >&2; exit 86']);
  });`,
};

/** What run.mjs writes about planted files. */
async function resultOf(t, planted) {
  const folder = mkdtempSync(path.join(tmpdir(), 'stockact-harness-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = path.join(folder, 'stockact');
  writeFileSync(program, '#!/bin/sh\neval "$1"\n', { mode: 0o755 });
  writeFileSync(
    path.join(folder, 'module.mjs'),
    `import { strict as assert } from 'node:assert';
    import test from 'node:test';
    export const good = () => test('b', () => {});
    export const bad = () => test('c', () => assert.fail());`,
  );
  const files = Object.entries(planted).map(([name, text]) => {
    const file = path.join(folder, `${name}.test.mjs`);
    writeFileSync(
      file,
      `import { strict as assert } from 'node:assert';
      import { appendFileSync, readFileSync } from 'node:fs';
      import test from 'node:test';
      import { Child, run } from '${path.join(import.meta.dirname, 'lib/child.mjs')}';
      appendFileSync('${file}.runs', '.');
      const turn = readFileSync('${file}.runs').length;
      const program = '${program}';
      ${text}`,
    );
    return file;
  });
  const result = path.join(folder, 'result');
  const runner = path.join(import.meta.dirname, 'run.mjs');
  const env = {
    ...process.env,
    NODE_TEST_CONTEXT: undefined,
    STOCKACT_TEST_DATABASES: 'sqlite',
    STOCKACT_TEST_COSTS: undefined,
  };
  const { code } = await run(process.execPath, [runner, '--result', result, ...files], { env });
  const [counts, ...lines] = readFileSync(result, 'utf8').trimEnd().split('\n');
  return { code, counts, lines: lines.map((line) => line.replace(/ \(\d+\)/, '')) };
}

test('a file that fails is run again, one whose program crashed is not', async (t) => {
  const { fails_once, ...others } = PLANTED;
  assert.deepEqual(await resultOf(t, { passes: PLANTED.passes, fails_once }), {
    code: 0,
    counts: '3 0 0',
    lines: ['flaky: fails_once, 1 of 3'],
  });
  assert.deepEqual(await resultOf(t, others), {
    code: 1,
    counts: '6 6 0',
    lines: [
      'flaky: fails_twice, 2 of 3',
      'failed: fails, 3 of 3',
      'crashed: crashes_once: stockact ended with SIGSEGV',
      'crashed: crashes_unseen: stockact ended with SIGABRT',
      'failed: fails_elsewhere, 3 of 3',
      'crashed: reports_later: stockact ended with 86',
    ],
  });
});

test('no file is run again if more than ten fail, and a crash is still named', async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 11 }, (_, i) => [`fails_once_${i}`, PLANTED.fails_once]),
  );
  const { code, counts, lines } = await resultOf(t, {
    ...many,
    crashes_unseen: PLANTED.crashes_unseen,
  });
  assert.deepEqual([code, counts], [1, '12 12 0']);
  assert.deepEqual(lines, ['crashed: crashes_unseen: stockact ended with SIGABRT']);
});

test('a reader of an SQLite file waits for a lock', () => {
  const reader = openSqlite(':memory:', { readOnly: false });
  assert.ok(Number(reader.prepare('PRAGMA busy_timeout').get().timeout) >= 10_000);
  reader.close();
});

test('package.json names every package that a module imports', () => {
  const named = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'));
  const folders = [import.meta.dirname, path.join(import.meta.dirname, 'lib')];
  const modules = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => path.join(folder, name)),
  );
  for (const module of modules) {
    for (const [, name] of readFileSync(module, 'utf8').matchAll(
      /^(?:import|} from)\b.*'(.*)';$/gm,
    )) {
      const [, package_] = /^(@[^/]+\/[^/]+|[^@.][^/]*)/.exec(name) ?? [];
      if (!package_ || package_.startsWith('node:')) continue;
      assert.ok(package_ in named.dependencies, `${path.basename(module)} imports ${package_}`);
    }
  }
});

const TABLE = `# a comment
short      3 one  -            answers         what a short file finds
long      30 each real         memory          what a long file finds
driver     4 both redis,real   threads         what a driver does
page       5 one  some-browser races           what some pages do
looks      6 one  browser      answers         what a page looks like
nodes      7 one  redis,nodes  memory,threads  what several servers do
slow      90 each time         races           what takes too long`;

test('the table says what runs when, and on which build, longest first', () => {
  const table = readTable(TABLE);
  const names = ['short', 'long', 'driver', 'page', 'looks', 'nodes', 'slow'];
  const run = (build, gate, files = names) =>
    selected(
      files.map((name) => `/somewhere/${name}.test.mjs`),
      build,
      { gate, table },
    )
      .map((file) => path.basename(file, '.test.mjs'))
      .join(' ');
  assert.equal(run('gcc', true), 'long page driver short');
  assert.equal(run('gcc', false), 'slow long nodes looks page driver short');
  assert.equal(run('asan', true), '');
  assert.equal(run('asan', false), 'long nodes');
  assert.equal(run('tsan', true), 'page');
  assert.equal(run('tsan', false), 'slow nodes page driver');
  assert.throws(() => run('gcc', true, [...names, 'another']), /lacks another/);
  assert.throws(() => run('gcc', true, names.slice(1)), /names no file: short/);
});

test('a line that the table does not allow is an error', () => {
  for (const [line, words] of [
    ['a 3 one - answers', /not a line/],
    ['a 0 one - answers what it is there to find', /not a line/],
    ['a 3 two - answers what it is there to find', /databases: "two"/],
    ['a 3 one redis,luck answers what it is there to find', /needs: "luck"/],
    ['a 3 one - memory,luck what it is there to find', /finds: "luck"/],
  ]) {
    assert.throws(() => readTable(line), words, line);
  }
  assert.throws(() => readTable(`${TABLE}\nshort 3 one - answers once more the same`), /twice/);
});

/** The modules of the harness that a module imports, also by way of others. */
function modulesOf(file, found = new Set()) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(/ from '(\.\/[^']+)'/g)) {
    const module = path.resolve(path.dirname(file), name);
    if (found.has(module)) continue;
    found.add(module);
    modulesOf(module, found);
  }
  return found;
}

const code = (file) => readFileSync(file, 'utf8').replaceAll(/^import.*$|^ *(\/\/|\*).*$/gm, '');

test('the table says of each file what its text says', () => {
  const table = readTable(readFileSync(path.join(import.meta.dirname, 'files'), 'utf8'));
  const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith('.test.mjs'));
  assert.equal(selected(files, 'gcc').length, files.length);
  assert.ok(selected(files, 'gcc', { gate: true }).length <= 150);
  for (const name of files) {
    const { databases, needs } = table.get(path.basename(name, '.test.mjs'));
    const file = path.join(import.meta.dirname, name);
    const modules = [...modulesOf(file)];
    const imports = (module) => modules.some((one) => path.basename(one, '.mjs') === module);
    const own = modules.filter((module) => path.basename(module) !== 'site.mjs');
    const uses = (pattern) => [file, ...own].some((one) => pattern.test(code(one)));
    const each = /\bonEachDatabase\(|\bdatabaseKinds\b/.test(code(file));
    assert.equal(databases !== 'one', each, `${name}: databases`);
    const browser = needs.includes('browser') || needs.includes('some-browser');
    assert.equal(browser, imports('browser'), `${name}: browser`);
    assert.ok(needs.includes('nodes') || !imports('nodes'), `${name}: nodes`);
    const redis = uses(/\bredis: true|\bRedis(Cluster)?\.start\(/);
    assert.equal(needs.includes('redis'), redis, `${name}: redis`);
    assert.equal(needs.includes('real'), uses(/(?<!function )\bsharedData\(/), `${name}: real`);
  }
});

const aPage = (html) => new Page({ status: 200, text: html }, '/here?a=1', []);

test('a form sends what a browser would send', () => {
  const form = aPage(`<form action="there" method="post"><input type=hidden name=once value=1>
    <input name=email value="a@example.org"><textarea name=note>\nfirst\nsecond</textarea>
    <input type=checkbox name=all><input type=checkbox name=news value=yes checked>
    <input name=off disabled value=x><fieldset disabled><input name=inner value=y></fieldset>
    <select name=plan><option value=a>A<option value=b selected>B</select>
    <button name=do value=save>Save</button><button name=do value=drop>Drop</button></form>
    <input name=after form=none>`).form('/there');
  const sent = (...args) => new URLSearchParams(form.pairs(...args)).toString();
  const usual = 'once=1&email=a%40example.org&note=first%0Asecond&news=yes&plan=b';
  assert.equal(sent(), `${usual}&do=save`);
  assert.equal(sent({}, { button: 'Drop' }), `${usual}&do=drop`);
  assert.equal(
    sent({ email: '', all: true, news: false, plan: 'a' }).slice(0, 13),
    'once=1&email=',
  );
  assert.throws(() => form.pairs({ once: '2' }), /nobody can type/);
  assert.throws(() => form.pairs({ plan: 'c' }), /is offered/);
  assert.throws(() => form.pairs({ nothing: '' }), /a control "nothing"/);
});

test('a message beside a field is found by its reference', () => {
  const form = aPage(`<form><input name=a aria-invalid=true aria-describedby="e1 e2">
    <p id=e1 class=error>It is <b>wrong</b>.</p><p id=e2>At most 9.</p><input name=b aria-describedby=e2></form>`)
    .forms[0];
  assert.equal(form.fault('a'), 'It is wrong.');
  assert.equal(form.fault('b'), null);
});

test('a page that leads to another site fails', () => {
  for (const address of ['//evil.example', 'https://evil.example/', '/\\evil.example']) {
    assert.throws(() => aPage('').resolve(address), /another site/);
  }
  assert.equal(aPage('').resolve('?b=2'), '/here?b=2');
});

test('the cookie jar rejects a weak cookie', () => {
  const take = (value) => new CookieJar().take({ head: `HTTP/1.1 200 OK\r\nSet-Cookie: ${value}` });
  take('session=a; Path=/; HttpOnly; SameSite=Lax');
  for (const weak of [
    'session=a; Path=/; SameSite=Lax',
    'session=a; Path=/; HttpOnly',
    'session=a; Path=/; HttpOnly; SameSite=None',
    'session=a; HttpOnly; SameSite=Lax',
    '__Host-session=a; Path=/; HttpOnly; SameSite=Lax',
    'session=a; Path=/; HttpOnly; SameSite=Lax; Domain=example.org',
    'session=a b; Path=/; HttpOnly; SameSite=Lax',
  ]) {
    assert.throws(() => take(weak), weak);
  }
});

test('the checker of markup finds an unclosed element and an unknown property', async () => {
  const faults = await markupFaults([
    { name: '/good', html: '<!doctype html><html lang=en><title>x</title><p>x' },
    { name: '/bad', html: '<!doctype html><html lang=en><title>x</title><div><p>x' },
    { name: '/bad.css', css: 'p { colour: red }' },
  ]);
  assert.deepEqual(
    [...new Set(faults.map((fault) => fault.split(':')[0]))],
    ['/bad', '/bad.css'],
    faults.join('\n'),
  );
});

/** A page that is good; each fault breaks one rule. */
const GOOD = `<!doctype html><html lang=en><title>x</title><meta name=viewport
  content="width=device-width"><link rel=icon href="data:,"><main><h1>x</h1>FAULT</main>`;
const FAULTS = {
  'a picture without a text': [
    '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    /image-alt/,
  ],
  'pale text': [
    '<p style="color:#bbb;background:#fff">Words that nobody reads</p>',
    /color-contrast/,
  ],
  'a wide table': ['<div style="width:2000px">x</div>', /sideways/],
  'a large page': [`<!--${'x'.repeat(21_000)}-->`, /loads \d+ bytes/],
  'an exception': ['<script>nothing.there()</script>', /exception/],
  'a broken picture': ['<img alt=x src="/absent.png">', /console/],
  'another origin': ['<img alt=x src="http://127.0.0.1:9/a.png">', /another origin/],
};

test('the check of a page finds each fault', { skip: noChromium }, async (t) => {
  const browser = await new Browser().launch();
  t.after(() => browser.close());
  const bodies = new Map([['/good', GOOD.replace('FAULT', '')]]);
  for (const [name, [fault]] of Object.entries(FAULTS)) {
    bodies.set(`/${name.replaceAll(' ', '-')}`, GOOD.replace('FAULT', fault));
  }
  const server = http.createServer((request, response) => {
    const body = bodies.get(request.url);
    response.writeHead(body ? 200 : 404, { 'content-type': 'text/html' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const where = { url: `http://127.0.0.1:${server.address().port}` };
  await checkPage(await browser.open(t, where, '/good'));
  for (const [name, [, message]] of Object.entries(FAULTS)) {
    const page = await browser.open(t, where, `/${name.replaceAll(' ', '-')}`);
    await assert.rejects(checkPage(page), message, name);
  }
});

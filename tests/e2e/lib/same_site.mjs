// What a build says, line by line, for script/same: everything that it answers about one database at
// one frozen instant, as {name: text}. Two builds that say the same give equal answers.

import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { run } from './child.mjs';
import { decodedText } from './client.mjs';
import { attribute } from './html.mjs';
import { PASSWORD } from './people.mjs';
import { Page, Visitor } from './pages.mjs';

/** Commands that run until they are ended, reach for the network, or do what a form does, too. */
const NOT_RUN = /^(serve|demo|setup|sync .*|copy.*|bench.*|backup|restore|mcp.*|listen)$/;
/** Headers that differ between any two answers. */
const UNLIKE = ['date', 'x-request-id', 'etag'];
/** An answer that two builds cannot have in common says so in these places. */
const MASKS = [
  [/(name="(?:csrf|once|step)" value=")[^"]*/g, '$1…'],
  [/("(?:requestId|csrf\w*|once|step)":")[^"]*/g, '$1…'],
  [/([?]permit=)[\w-]+/g, '$1…'],
  [/[\d.]+ [KMG]iB/g, '… GiB'],
  [/("seconds":)[\d.]+/g, '$1…'],
  [/("up":"|"Up for">)[^"<]*/g, '$1…'],
  [/, process \d+/g, ', process …'],
  [/("(?:silentMs|diskFreeBytes|logBytes)":)\d+/g, '$1…'],
  [/^((?:disk|log) ?(?:free)? ?[bB]ytes) .*$/gim, '$1 …'],
  [/\b\d+\.\d+\.\d+\+git\d+\.[0-9a-f]+\b/g, 'VERSION'],
  [/(\.[a-z]+\?v=|\/static\/)[0-9a-f]{6,}/g, '$1…'],
];
/** The ids and secrets that an action makes are random. */
const MADE = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID'],
  [/\bsvc_[\w-]{20,}/g, 'SECRET'],
  [/\bsvc_[\w-]{8}/g, 'PREFIX'],
  [/(last used for +)\S+/g, '$1…'],
  [/whsec_[\w+/=]+/g, 'SECRET'],
  [/(lastUsedFor":")[^"]*/g, '$1…'],
  [/(?:=|_|sk)[A-Za-z0-9_-]{20,}/g, 'SECRET'],
  [/\b[a-z]+_[0-9a-f]{16,}/g, 'ID'],
  [/\b[A-Za-z0-9+/_-]{32,}={0,2}/g, 'SECRET'],
];

const masked = (text, masks) => masks.reduce((now, [from, to]) => now.replace(from, to), text);

/** The answer, with its head in alphabetical order. */
function told(response, masks) {
  const head = [...response.headers]
    .filter(([name]) => !UNLIKE.includes(name))
    .map(
      ([name, value]) =>
        `${name}: ${name === 'set-cookie' ? value.replace(/=[^;]*/, '=…') : value}`,
    )
    .sort();
  const isText = /text|json|xml|javascript|csv/.test(response.header('content-type') ?? 'text');
  const body = isText ? decodedText(response) : response.body.toString('base64');
  const lines = [response.status, ...head, '', body].join('\n');
  return masked(lines.replace(/content-length: \d+\n/, ''), isText ? masks : []);
}

/** A visitor of `server` with the session of `other`. */
function sameVisitor(server, other, from) {
  const visitor = new Visitor(server, { from });
  visitor.cookies = other.cookies.copy();
  return visitor;
}

/** What each form of a list offers, one choice at a time: targets. */
function choices(page) {
  return page.forms
    .filter((form) => form.method === 'GET')
    .flatMap((form) =>
      form.controls.flatMap((control) => {
        const name = attribute(control, 'name');
        if (!name) return [];
        const values =
          control.name === 'select'
            ? control.children.map((one) => one.attribs?.value).filter(Boolean)
            : ['on', '2024-02-30', 'nvda'];
        return values.map((value) => `${form.action}?${new URLSearchParams([[name, value]])}`);
      }),
    );
}

/** GET of every page as every visitor, as HTML and as JSON, with each choice of its forms. */
async function readPages(server, { pages, visitors }, save) {
  const queue = new Set(pages);
  for (const target of queue) {
    for (const [as, visitor] of Object.entries(visitors)) {
      const response = await visitor.request('GET', target, { unchecked: true });
      save(`GET ${target} as ${as}`, told(response, MASKS));
      const isPage = response.status === 200 && /html/.test(response.header('content-type') ?? '');
      if (as === 'owner' && isPage && !target.includes('?'))
        choices(new Page(response, target, [])).forEach((one) => queue.add(one));
      const headers = { Accept: 'application/json' };
      const json = await visitor.request('GET', target, { headers, unchecked: true });
      save(`GET ${target} as ${as}, JSON`, told(json, MASKS));
    }
  }
}

/** Values for a parameter of the API: each of an enum, the example, and one that does not fit. */
function valuesOf({ schema = {}, example, examples }) {
  const some = schema.enum ?? schema.items?.enum ?? [];
  const shown = Object.values(examples ?? {}).map(({ value }) => value);
  return [...new Set([...some, example ?? schema.example ?? 'NVDA', ...shown, '2024-01-31', '~'])];
}

/** Every GET of the API: plain, with each value of each parameter, as CSV, and the page after. */
async function readApi(server, { key: usual, unused, ids }, save) {
  const description = await server.json('/api/v1/openapi.json');
  for (const [template, operations] of Object.entries(description.paths)) {
    if (JSON.stringify(operations).includes('text/event-stream')) continue; // never ends
    const key = template.endsWith('/usage') ? unused : usual; // counts are written later
    const parameters = [
      ...(operations.parameters ?? []),
      ...(operations.get?.parameters ?? []),
    ].map((one) =>
      one.$ref ? description.components.parameters[one.$ref.split('/').at(-1)] : one,
    );
    const where = template.replace(
      /\{(\w+)\}/g,
      (_, name) => ids[`${template} ${name}`] ?? ids[name] ?? name,
    );
    const base = where.startsWith('/api') ? where : `/api/v1${where}`;
    const queries = parameters
      .filter((one) => one.in === 'query')
      .flatMap((one) =>
        valuesOf(one).map((value) => `?${new URLSearchParams([[one.name, value]])}`),
      );
    for (const query of ['', ...queries])
      for (const accept of ['application/json', 'text/csv']) {
        const how = { key, headers: { Accept: accept }, unchecked: true };
        const response = await server.get(base + query, how);
        save(`GET ${base}${query}, ${accept}`, told(response, MASKS));
        const cursor = /"nextCursor":"([^"]+)"/.exec(response.text)?.[1];
        if (!cursor || accept !== 'application/json') continue;
        const next = `${base}${query}${query ? '&' : '?'}cursor=${cursor}`;
        save(`GET ${base}${query}, next`, told(await server.get(next, how), MASKS));
      }
    for (const method of ['POST', 'DELETE', 'HEAD'])
      save(
        `${method} ${base}`,
        told(await server.request(method, base, { key, unchecked: true }), MASKS),
      );
    save(`GET ${base} without a key`, told(await server.get(base, { unchecked: true }), MASKS));
  }
}

/** What a person could type into the empty fields of a form. */
function typed(form) {
  const fits = {
    email: 'new@example.org',
    url: 'https://example.org/hook',
    date: '2024-01-31',
    number: '1',
    password: PASSWORD,
    text: 'NVDA',
  };
  const empty = form.controls.filter(
    ({ name, attribs }) =>
      (name === 'input' || name === 'textarea') && !attribs.value && attribs.name,
  );
  const pairs = empty.map(({ attribs }) => [attribs.name, fits[attribs.type ?? 'text']]);
  return Object.fromEntries(pairs.filter(([, value]) => value));
}

/** Every POST form of every page as it stands, and filled in. */
async function sendForms(server, { pages, visitors }, save) {
  const last = (target) => /sign-out|delete|password|address|second-factor/.test(target);
  const ordered = [...pages.filter((one) => !last(one)), ...pages.filter(last)];
  const masks = [...MASKS, ...MADE];
  for (const target of ordered)
    for (const [as, visitor] of Object.entries(visitors)) {
      const first = await visitor.request('GET', target, { unchecked: true });
      if (first.status !== 200 || !/html/.test(first.header('content-type') ?? '')) continue;
      const forms = new Page(first, target, []).forms;
      for (const [i, form] of forms.entries()) {
        if (form.method !== 'POST' || /sign-out/.test(form.action)) continue;
        for (const [how, fill] of [
          ['plain', {}],
          ['filled in', typed(form)],
        ]) {
          const options = { follow: false, unchecked: true };
          const page = await visitor.submit(form, fill, options);
          save(`form ${i} of ${target} as ${as}, ${how}`, told(page.response, masks));
        }
      }
    }
}

/** The commands of `stockact help`. */
export async function commandsOf(site, program) {
  const { stdout } = await site.run(['help'], { program });
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z -]*[a-z])(?: {2,}|$)/gm)].map((one) => one[1]);
  return names.filter((name) => !name.startsWith('stockact'));
}

/** Commands with what they need: first those that show, then those that act. */
const examples = ({ the }) => {
  const email = ['--email', the.owner.email];
  const endpoint = ['--id', the.endpoint.id];
  const by = ['--by', the.reviewer.email];
  const why = [...by, '--reason', 'as the filer said'];
  return [
    ['review', 'show', the.draft],
    ['review', 'batch', '1'],
    ['review', 'sample', '2'],
    ['accounts', 'export', ...email],
    ['accounts', 'sessions', ...email],
    ['accounts', 'search', 'owner'],
    ['keys', 'list', ...email],
    ['keys', 'usage', ...email],
    ['webhooks', 'list', ...email],
    ['webhooks', 'show', ...endpoint],
    ['webhooks', 'deliveries', '--endpoint', the.endpoint.id],
    ['webhooks', 'delivery', '--id', the.delivery.id],
    ['alerts', 'list', ...email],
    ['sweep', '--explain', the.trade],
    ['review', 'claim', the.draft, ...by],
    ['review', 'set', the.draft, '1', 'side=sell', ...by],
    ['review', 'reject', the.draft, ...why],
    ['correct', the.trade, 'owner=spouse', ...why],
    ['withdraw', the.trade, ...why],
    ['reinstate', the.trade, ...why],
    ['sweep'],
    ['demo', '--publish', '1'],
    ['webhooks', 'disable', ...endpoint],
    ['webhooks', 'remove', ...endpoint],
    ['keys', 'revoke', '--id', the.key.id],
    ['accounts', 'set-plan', ...email, '--plan', 'wolf'],
    ['accounts', 'disable', ...email],
  ];
};

/** The help of each command, and each without arguments: as text, on a terminal, and as JSON. */
async function runCommands(site, program, known, save) {
  for (const name of await commandsOf(site, program)) {
    const ways = [['help', ...name.split(' ')]];
    if (!NOT_RUN.test(name))
      ways.push(...[[], ['--json'], ['--pretty']].map((more) => [...name.split(' '), ...more]));
    for (const args of ways) {
      const done = await site.run(args, { program });
      const text = `${done.code}\n${done.stdout}\n${done.stderr}`;
      save(`stockact ${args.join(' ')}`, masked(text, [...MASKS, ...MADE]));
    }
  }
  for (const args of examples(known))
    for (const more of [['--json'], ['--pretty']]) {
      const done = await site.run([...args, ...more], { program });
      const text = `${done.code}\n${done.stdout}\n${done.stderr}`;
      save(`stockact ${args.join(' ')} ${more}`, masked(text, [...MASKS, ...MADE]));
    }
  for (const list of ['--pages', '--actions']) {
    const done = await site.run(['help', list, '--json'], { program });
    save(`stockact help ${list}`, done.stdout);
  }
}

/** Requests and tools of the tool server: what it lists, and each tool with each of its examples. */
async function askTools(site, program, server, { key, ids }, save) {
  const env = { ...site.env, SVC_API_URL: server.url, SVC_API_KEY: key };
  const ask = async (...messages) => {
    const input = messages.map((one) => `${JSON.stringify(one)}\n`).join('');
    const done = await run(`${program}-mcp`, [], { cwd: site.folder, env, input });
    return done.stdout.split('\n').filter(Boolean);
  };
  const start = {
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'same', version: '1' },
    },
  };
  const call = (id, method, params = {}) => ({ jsonrpc: '2.0', id, method, params });
  const lists = ['tools/list', 'resources/list', 'prompts/list', 'resources/templates/list'];
  const said = await ask(start, ...lists.map((method, i) => call(i + 1, method)));
  said.forEach((line) => save(`tool server, message ${JSON.parse(line).id}`, masked(line, MASKS)));
  const listed = said.map(JSON.parse).find(({ id }) => id === 1);
  for (const { name, inputSchema } of listed?.result.tools ?? []) {
    const properties = Object.entries(inputSchema.properties ?? {});
    const required = Object.fromEntries(
      (inputSchema.required ?? []).map((one) => [one, ids[one] ?? 'NVDA']),
    );
    const tries = [
      {},
      required,
      ...properties.flatMap(([one, schema]) =>
        [...(schema.enum ?? []), ids[one] ?? 'NVDA', 3].map((value) => ({
          ...required,
          [one]: value,
        })),
      ),
    ];
    const answers = await ask(
      start,
      ...tries.map((args, i) => call(i + 1, 'tools/call', { name, arguments: args })),
    );
    for (const line of answers.sort())
      save(`tool ${name} ${JSON.stringify(tries[JSON.parse(line).id - 1])}`, masked(line, MASKS));
  }
}

/** Files that the build makes: manual pages, completions, the unit. */
function readBuilt(program, save) {
  const folder = path.join(path.dirname(program), 'deploy');
  for (const name of readdirSync(folder))
    save(`file ${name}`, masked(readFileSync(path.join(folder, name), 'utf8'), MASKS));
}

/** Tables that actions wrote, without what is random or a time of the machine. */
async function readLog(site, program, save) {
  for (const args of [['log'], ['accounts', 'list'], ['status']]) {
    const done = await site.run([...args, '--json'], { program });
    save(`afterwards: stockact ${args}`, masked(done.stdout, [...MASKS, ...MADE]));
  }
}

/** How many answers there are of each kind, and how many are good. */
export function summary(said) {
  const kinds = new Map();
  for (const [name, text] of said) {
    const [kind] = name.split(' ');
    const count = kinds.get(kind) ?? { all: 0, good: 0 };
    kinds.set(kind, { all: count.all + 1, good: count.good + /^(0|[23]\d\d)\n/.test(text) });
  }
  return [...kinds].map(([kind, { all, good }]) => `${kind} ${all}, ${good} good`).join('; ');
}

/**
 * All that `program` says on the site, whose clock stands: Map of name -> text. `known`: {pages,
 * visitors, key, ids}; `listen`: the address, which is the same for both builds.
 */
export async function readBuild(site, program, known, listen) {
  const said = new Map();
  const save = (name, text) => said.set(name, text);
  const server = await site.serve({ program, listen, env: { STOCKACT_BENCH_UNLIMITED: '1' } });
  const who = Object.entries(known.visitors).map(([as, other], i) => [
    as,
    sameVisitor(server, other, `127.0.9.${i + 1}`),
  ]);
  const the = { ...known, visitors: Object.fromEntries(who) };
  readBuilt(program, save);
  await readPages(server, the, save);
  await readApi(server, the, save);
  save(
    'metrics',
    (await server.get('/metrics', { unchecked: true })).text.replace(/ [-\d.e+]+$/gm, ''),
  );
  await askTools(site, program, server, the, save);
  await sendForms(server, the, save);
  await runCommands(site, program, the, save);
  await readLog(site, program, save);
  await server.stop();
  return said;
}

// The tools as hosts have them: stockact-mcp as a child process of an official client, or the server
// over HTTP. SDK 1.x has only
// `initialize` sessions; SDK 2.x has both generations of the protocol. Each way in which one of
// them can talk to a server is a face.
//
// At its end a connection checks standard error. The program prints nothing there unless it cannot
// continue; a sanitizer's report would be there too.

import { strict as assert } from 'node:assert';
import {
  Client as ClientOfToday,
  StreamableHTTPClientTransport as HttpOfToday,
} from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioOfToday } from '@modelcontextprotocol/client/stdio';
import { Client as ClientBefore } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioBefore } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpBefore } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020.js';
import { SESSION_VERSIONS, STATELESS_VERSION, mcpProgram } from './mcp_protocol.mjs';

const SELF = { name: 'stockact-tests', version: '1.0.0' };

/** The command of stockact-mcp for `server` of `site`: {command, args, env}. */
export function mcpCommand(site, server, key) {
  const env = { ...site.env, SVC_API_URL: server.url };
  if (key !== undefined) env.SVC_API_KEY = key;
  return { command: mcpProgram, args: [], env };
}

/** In the place of a command: POST /mcp of `server`. */
export const mcpAddress = (server, key) => ({ url: `${server.url}/mcp`, key });

/** A transport to a command, by `Stdio`, or to an address, by `Http`. */
function reach(target, Stdio, Http) {
  if (target.url === undefined) return new Stdio({ ...target, stderr: 'pipe' });
  const headers = target.key === undefined ? {} : { authorization: `Bearer ${target.key}` };
  return new Http(new URL(target.url), { requestInit: { headers } });
}

const unchanged = (message) => message;

/**
 * Intercepts messages: `outgoing(message)` and `incoming(message)` return the message to pass on.
 */
function intercept(transport, { outgoing = unchanged, incoming = unchanged }) {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => send(outgoing(message), options);
  let listener;
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => listener && ((message, extra) => listener(incoming(message), extra)),
    set: (value) => (listener = value),
  });
}

/** SDK 1.x always requests the newest version it knows; this makes it request `version`. */
const asking =
  (version, outgoing = unchanged) =>
  (message) =>
    outgoing(
      message.method === 'initialize'
        ? { ...message, params: { ...message.params, protocolVersion: version } }
        : message,
    );

const before = (version) => ({
  name: `SDK 1.x, ${version}`,
  version,
  make(command, hooks) {
    const transport = reach(command, StdioBefore, HttpBefore);
    intercept(transport, { ...hooks, outgoing: asking(version, hooks.outgoing) });
    let agreed;
    const setVersion = transport.setProtocolVersion?.bind(transport);
    transport.setProtocolVersion = (told) => {
      agreed = told;
      setVersion?.(told);
    };
    const client = new ClientBefore(SELF);
    const call = (params, options) => client.callTool(params, undefined, options);
    return { client, transport, call, agreed: () => agreed };
  },
});

const today = (name, version, options) => ({
  name: `SDK 2.x, ${name}`,
  version,
  make(command, hooks) {
    const transport = reach(command, StdioOfToday, HttpOfToday);
    intercept(transport, hooks);
    const client = new ClientOfToday(SELF, options);
    const call = (params, more) => client.callTool(params, more);
    return { client, transport, call, agreed: () => client.getNegotiatedProtocolVersion() };
  },
});

/** All faces: {name, version}, with the expected version of the session. */
export const faces = [
  ...SESSION_VERSIONS.map(before),
  ...SESSION_VERSIONS.map((version) =>
    today(`legacy, ${version}`, version, { supportedProtocolVersions: [version] }),
  ),
  today('negotiating', STATELESS_VERSION, { versionNegotiation: { mode: 'auto' } }),
  today('pinned', STATELESS_VERSION, { versionNegotiation: { mode: { pin: STATELESS_VERSION } } }),
];

/** One face of each client and generation. */
export const oneOfEach = faces.filter(({ name }) =>
  ['SDK 1.x, 2025-11-25', 'SDK 2.x, legacy, 2025-11-25', 'SDK 2.x, pinned'].includes(name),
);

function strictChecker() {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: true,
    strictRequired: true,
    allowUnionTypes: true,
    allErrors: true,
  });
  addFormats(ajv);
  return ajv;
}

/**
 * Compiles both schemas of each tool, which must be valid: a map from name to {tool, input,
 * output}, where the last two are functions that throw.
 */
export function compileTools(tools) {
  const ajv = strictChecker();
  const checking = (what, schema) => {
    const check = ajv.compile(schema);
    return (value) => assert.ok(check(value), `${what}: ${ajv.errorsText(check.errors)}`);
  };
  return new Map(
    tools.map((tool) => [
      tool.name,
      {
        tool,
        input: checking(`arguments of ${tool.name}`, tool.inputSchema),
        output: checking(`result of ${tool.name}`, tool.outputSchema),
      },
    ]),
  );
}

/** What a token of the tools' answers has at least, in bytes. */
export const TOKEN_BYTES = 3.5;
export const tokens = (value) =>
  Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value)) / TOKEN_BYTES;

/** One resource is the same as text; a list is a table with a line for each row. */
export function checkText(text, content) {
  if (!Array.isArray(content.data)) {
    assert.deepEqual(JSON.parse(text), content);
    return;
  }
  const [head, ...lines] = text.trimEnd().split('\n');
  const width = head.split('|').length;
  if (content.data.length === 0) assert.equal(head, 'No rows.');
  for (const line of lines.slice(0, content.data.length))
    assert.equal(line.split('|').length, width, line);
  const others = Object.keys(content).filter((name) => name !== 'data');
  assert.deepEqual(
    lines.slice(content.data.length).map((line) => line.slice(0, line.indexOf(': '))),
    others,
  );
  assert.ok(tokens(text) + tokens(content) <= 8000, `${tokens(text) + tokens(content)} tokens`);
}

/** One client with its stockact-mcp. */
export class McpHost {
  #tools = null;
  #made;

  /** Starts `command` (or reaches an address) with a face, until test `t` ends. `hooks`: see `intercept`. */
  static async open(t, face, command, hooks = {}) {
    const host = new McpHost();
    const { client, transport } = (host.#made = face.make(command, hooks));
    let log = '';
    transport.stderr?.on('data', (text) => (log += text));
    t.after(async () => {
      await client.close();
      assert.equal(log, '', 'what it said on standard error');
    });
    await client.connect(transport);
    assert.equal(host.#made.agreed(), face.version);
    return host;
  }

  get client() {
    return this.#made.client;
  }

  /**
   * The tools, listed once, with compiled schemas; see `compileTools`. From then on the client
   * validates results against the output schema.
   */
  tools() {
    this.#tools ??= this.client.listTools().then(({ tools }) => compileTools(tools));
    return this.#tools;
  }

  /** The result of a call, as the client returns it. Options: those of the client. */
  call(name, args, options) {
    return this.#made.call({ name, arguments: args }, options);
  }

  /** The structured content of a call that must succeed, with valid arguments. */
  async ask(name, args = {}, options) {
    const { input, output } = (await this.tools()).get(name);
    input(args);
    const { content, structuredContent, isError } = await this.call(name, args, options);
    assert.ok(!isError, `${name} ${JSON.stringify(args)}: ${content?.[0]?.text}`);
    assert.deepEqual(
      content.map((one) => one.type),
      ['text'],
    );
    checkText(content[0].text, structuredContent);
    output(structuredContent);
    return structuredContent;
  }

  /** The message of a call that must fail. */
  async refusal(name, args) {
    await this.tools();
    const { content, structuredContent, isError } = await this.call(name, args);
    assert.equal(isError, true, `${name} ${JSON.stringify(args)} succeeds`);
    assert.equal(structuredContent, undefined);
    assert.equal(content.length, 1);
    return content[0].text;
  }

  /** Every page of a tool with a nextCursor, as an async iterator. */
  async *pages(name, args) {
    let cursor;
    do {
      const page = await this.ask(name, { ...args, ...(cursor === undefined ? {} : { cursor }) });
      yield page;
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** The data of all pages. */
  async walk(name, args) {
    const rows = [];
    for await (const page of this.pages(name, args)) rows.push(...page.data);
    return rows;
  }
}

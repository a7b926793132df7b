// A peer of stockact-mcp that sends raw bytes and reads raw lines, without an SDK. It checks every
// received line: strict UTF-8, one JSON value, valid JSON-RPC of the protocol, and no part of the
// key on either stream.

import { strict as assert } from 'node:assert';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Child } from './child.mjs';
import { STATELESS_VERSION, mcpProgram } from './mcp_protocol.mjs';
import { checkText } from './mcp.mjs';
import { HANGS_MS, within } from './until.mjs';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const UNSUPPORTED_VERSION = -32022;

const PASSED_ON = ['PATH', 'ASAN_OPTIONS', 'UBSAN_OPTIONS', 'TSAN_OPTIONS'];

/** The metadata of every stateless request. */
export const meta = (more = {}) => ({
  'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
  ...more,
});

/** The environment of a program that calls the API at `url`, without the tests' own variables. */
export function environment({ url, key, env = {} } = {}) {
  const all = Object.fromEntries(
    PASSED_ON.filter((name) => name in process.env).map((name) => [name, process.env[name]]),
  );
  if (url !== undefined) all.SVC_API_URL = url;
  if (key !== undefined) all.SVC_API_KEY = key;
  return { ...all, ...env };
}

const isId = (id) => typeof id === 'string' || Number.isInteger(id);

function checkProgress({ jsonrpc, method, params, ...rest }) {
  assert.deepEqual([jsonrpc, method, rest], ['2.0', 'notifications/progress', {}]);
  assert.ok(isId(params.progressToken));
  assert.ok(Number.isInteger(params.progress) && params.progress > 0);
  assert.equal(typeof params.message, 'string');
}

function checkAnswer({ jsonrpc, id, result, error, ...rest }) {
  assert.equal(jsonrpc, '2.0');
  assert.deepEqual(rest, {});
  assert.notEqual(result === undefined, error === undefined, 'a result or an error');
  if (id === undefined) assert.ok(error, 'only an error goes without an id');
  else assert.ok(isId(id), `id ${JSON.stringify(id)}`);
  if (error) {
    assert.ok(Number.isInteger(error.code));
    assert.equal(typeof error.message, 'string');
    assert.notEqual(error.message, '');
  }
}

/** One output line of the program (latin1) as JSON, after it was checked. */
function readLine(line) {
  const bytes = Buffer.from(line, 'latin1');
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  assert.doesNotMatch(text, /[\u0000-\u001f]/, 'one line, without control characters');
  const value = JSON.parse(text);
  for (const message of Array.isArray(value) ? value : [value]) {
    if ('method' in message) checkProgress(message);
    else checkAnswer(message);
  }
  return value;
}

/** A result of tools/call; `schema` validates its structured content. */
function checkResult(result, validate) {
  const [{ type, text }, ...more] = result.content;
  assert.deepEqual([type, more], ['text', []]);
  assert.equal(typeof result.isError, 'boolean');
  if (result.isError) {
    assert.equal(result.structuredContent, undefined, 'a failure has text only');
    assert.match(text, /^[^\u0000-\u001f]+[.?!]$/, 'sentences on one line');
  } else {
    checkText(text, result.structuredContent);
    assert.ok(validate(result.structuredContent), JSON.stringify(validate.errors));
  }
}

const schemas = addFormats(new Ajv({ strict: false }));
const validators = new Map();

export class Peer {
  /** Received messages that no call has taken yet. */
  waiting = [];
  #from = 0; // in the child's output: where the next line begins
  #searched = 0; // and up to where no end of it stands
  #lastId = 0;
  #version = null;
  #mayFail = false;

  /**
   * Starts a peer that ends with test `t`. Options: `url`, `key` (both settings), `env` (added),
   * `session` (the version of a session to start; without it requests are stateless), `args`,
   * `command` (the program to run instead: [program, ...arguments]).
   */
  static async start(t, options = {}) {
    const peer = new Peer();
    const [command, ...args] = options.command ?? [mcpProgram, ...(options.args ?? [])];
    peer.key = options.key;
    peer.child = new Child(command, args, {
      env: environment(options),
      open: true,
      encoding: 'latin1',
      dieWithParent: 'SIGKILL',
    });
    t.after(() => peer.#finish());
    if (options.session) await peer.initialize(options.session);
    return peer;
  }

  get pid() {
    return this.child.pid;
  }

  async initialize(version) {
    const params = {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    };
    const { result } = await this.request('initialize', params);
    this.#version = result.protocolVersion;
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return result;
  }

  /** Sends bytes unchanged. */
  write(bytes) {
    this.child.stdin.write(bytes);
  }

  /** Sends a message as one line. */
  send(message) {
    this.write(`${JSON.stringify(message)}\n`);
  }

  #readLines() {
    const { stdout } = this.child;
    let end;
    while ((end = stdout.indexOf('\n', this.#searched)) >= 0) {
      this.waiting.push(readLine(stdout.slice(this.#from, end)));
      this.#from = this.#searched = end + 1;
    }
    this.#searched = stdout.length;
  }

  /** Resolves to the first received or future message for which `wanted` holds, and takes it. */
  async take(what, wanted) {
    let look;
    const come = new Promise((resolve, reject) => {
      look = () => {
        try {
          this.#readLines();
        } catch (error) {
          reject(error);
        }
        const at = this.waiting.findIndex(wanted);
        if (at >= 0) resolve(this.waiting.splice(at, 1)[0]);
        else if (this.child.ended) reject(new Error(`${this.child.describe()} before ${what}`));
      };
      this.child.output.on('data', look);
      this.child.exited.then(look);
      look();
    });
    try {
      return await within(HANGS_MS, what, come);
    } finally {
      this.child.output.off('data', look);
    }
  }

  /** Resolves to the next message. */
  next() {
    return this.take('a message', () => true);
  }

  answer(id) {
    return this.take(`an answer to ${id}`, (message) => message.id === id && !message.method);
  }

  /**
   * Sends a request of this peer's generation, without waiting for the response; returns its id.
   */
  begin(method, params = {}, { id = `r${++this.#lastId}`, progressToken } = {}) {
    const own = progressToken === undefined ? {} : { progressToken };
    const more = this.#version || method === 'initialize' ? own : meta(own);
    const all = Object.keys(more).length > 0 ? { ...params, _meta: more } : params;
    this.send({ jsonrpc: '2.0', id, method, params: all });
    return id;
  }

  request(method, params, options) {
    return this.answer(this.begin(method, params, options));
  }

  beginCall(name, args = {}, options) {
    return this.begin('tools/call', { name, arguments: args }, options);
  }

  cancel(requestId) {
    this.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
  }

  async #validator(name) {
    if (validators.size === 0) {
      const { result } = await this.request('tools/list');
      for (const tool of result.tools)
        validators.set(tool.name, schemas.compile(tool.outputSchema));
    }
    return validators.get(name);
  }

  /** The result of a started call, validated against the tool's output schema. */
  async result(name, id) {
    const { result, error } = await this.answer(id);
    assert.equal(error, undefined);
    checkResult(result, await this.#validator(name));
    return result;
  }

  /** Calls a tool; returns its result. */
  call(name, args, options) {
    return this.result(name, this.beginCall(name, args, options));
  }

  /** Calls a tool that must succeed; returns its data. */
  async found(name, args, options) {
    const { isError, content, structuredContent } = await this.call(name, args, options);
    assert.equal(isError, false, content[0].text);
    return structuredContent;
  }

  /** Calls a tool that must fail; returns the message. */
  async refused(name, args, options) {
    const { isError, content } = await this.call(name, args, options);
    assert.equal(isError, true, content[0].text);
    return content[0].text;
  }

  /**
   * Waits until all sent messages have been read, and those with an immediate response are
   * answered.
   */
  async pong() {
    const id = `ping${++this.#lastId}`;
    this.send({ jsonrpc: '2.0', id, method: 'ping' });
    await this.answer(id);
  }

  /** Ends its input and waits for its exit: {code, signal}. */
  async end() {
    this.child.stdin.end();
    return within(HANGS_MS, 'the end', this.child.exited);
  }

  /** Discards its output so far, all of which has been read. */
  forget() {
    this.child.stdout = this.child.stdout.slice(this.#from);
    this.#from = this.#searched = 0;
  }

  /** Expects an exit status other than 0, or output that ends in the middle of a line. */
  mayFail() {
    this.#mayFail = true;
  }

  async #finish() {
    if (!this.child.ended) await this.end();
    assert.deepEqual(this.child.faults(), []);
    if (this.key) {
      assert.ok(!this.child.stdout.includes(this.key), 'the key is not in the output');
      assert.ok(!this.child.stderr.includes(this.key), 'the key is not in the log');
    }
    if (this.#mayFail) return;
    assert.equal(this.child.ended.code, 0, this.child.describe());
    assert.equal(this.child.stderr, '');
    this.#readLines();
    assert.equal(this.#from, this.child.stdout.length, 'the output ends with a line');
  }
}

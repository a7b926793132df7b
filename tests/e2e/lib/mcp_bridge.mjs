// A loopback bridge from streamable HTTP to stockact-mcp, for a suite that speaks HTTP only. It
// passes messages on unchanged: a body becomes a line for a process, a line becomes a body. It adds
// only what HTTP adds to a message: a session id (each session has its own process, all stateless
// requests share one), the status that the stateless protocol gives an error, and a stream if
// something precedes the response.

import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { Child } from './child.mjs';
import { STATELESS_VERSION } from './mcp_protocol.mjs';

const NOT_FOUND = -32601;

/** One stockact-mcp. Each request has a listener for its messages. */
class Peer {
  #child;
  #waiting = new Map();

  constructor({ command, args, env }) {
    this.#child = new Child(command, args, { env, open: true, dieWithParent: 'SIGKILL' });
    let begun = '';
    this.#child.output.on('data', (text) => {
      const lines = (begun + text).split('\n');
      begun = lines.pop();
      for (const line of lines) this.#take(line);
    });
  }

  #take(line) {
    const { id, method, params } = JSON.parse(line);
    const key = JSON.stringify(id);
    if (method === undefined) {
      this.#waiting.get(key)?.answered(line);
      this.#waiting.delete(key);
      return;
    }
    for (const { token, noticed } of this.#waiting.values())
      if (token === params.progressToken) noticed(line);
  }

  notify(line) {
    this.#child.stdin.write(`${line}\n`);
  }

  request({ id, params }, line, listener) {
    const token = params?._meta?.progressToken;
    this.#waiting.set(JSON.stringify(id), { token, ...listener });
    this.#child.stdin.write(`${line}\n`);
  }

  /** It must exit by itself when its input ends, without errors. */
  async end() {
    this.#child.stdin.end();
    const { code } = await this.#child.exited;
    assert.equal(code, 0, this.#child.describe());
    assert.equal(this.#child.stderr, '');
  }
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function send(response, status, line, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(line);
}

/** The HTTP status of a response in the stateless protocol. */
function statusOf(line) {
  const { error } = JSON.parse(line);
  if (error === undefined) return 200;
  return error.code === NOT_FOUND ? 404 : 400;
}

/** The listener of a request that came by HTTP. */
function replying(response, { stateless, headers }) {
  const event = (line) => response.write(`event: message\ndata: ${line}\n\n`);
  return {
    noticed(line) {
      if (!response.headersSent)
        response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
      event(line);
    },
    answered(line) {
      if (!response.headersSent)
        return send(response, stateless ? statusOf(line) : 200, line, headers);
      event(line);
      response.end();
    },
  };
}

export class McpBridge {
  #command;
  #server;
  #stateless;
  #sessions = new Map();

  /**
   * `command`: see mcpCommand. Ends with test `t`, and fails it if a process did not exit cleanly.
   */
  static async start(t, command) {
    const bridge = new McpBridge();
    bridge.#command = command;
    bridge.#stateless = new Peer(command);
    bridge.#server = http.createServer((request, response) => bridge.#handle(request, response));
    await new Promise((resolve) => bridge.#server.listen(0, '127.0.0.1', resolve));
    t.after(() => bridge.#stop());
    return bridge;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}/mcp`;
  }

  async #stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await Promise.all([this.#stateless, ...this.#sessions.values()].map((peer) => peer.end()));
  }

  async #handle(request, response) {
    const session = request.headers['mcp-session-id'];
    if (session !== undefined && !this.#sessions.has(session)) return response.writeHead(404).end();
    if (request.method === 'POST') return this.#post(request, response, session);
    if (request.method !== 'DELETE' || session === undefined)
      return response.writeHead(405, { allow: 'POST, DELETE' }).end();
    const peer = this.#sessions.get(session);
    this.#sessions.delete(session);
    await peer.end();
    response.writeHead(200).end();
  }

  async #post(request, response, session) {
    const line = await bodyOf(request);
    const message = JSON.parse(line);
    const begins =
      message.method === 'initialize' &&
      request.headers['mcp-protocol-version'] !== STATELESS_VERSION;
    if (begins) {
      session = randomUUID();
      this.#sessions.set(session, new Peer(this.#command));
    }
    const stateless = session === undefined;
    const peer = stateless ? this.#stateless : this.#sessions.get(session);
    const headers = begins ? { 'mcp-session-id': session } : {};
    if (message.id === undefined) {
      peer.notify(line);
      response.writeHead(202).end();
    } else {
      peer.request(message, line, replying(response, { stateless, headers }));
    }
  }
}

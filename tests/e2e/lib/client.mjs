// Requests to one server. Connections are kept alive and reused per local address. Every response
// passes the strict parser and the common rules.

import { strict as assert } from 'node:assert';
import { gunzipSync } from 'node:zlib';
import { Connection } from './connection.mjs';
import { checkResponse } from './response_rules.mjs';

/**
 * The bytes of a request. `headers`: an object, or an array of [name, value] if a header repeats.
 */
export function requestText(method, target, { host, headers = {}, body = '' } = {}) {
  const fields = Array.isArray(headers) ? headers : Object.entries(headers);
  const lines = [`${method} ${target} HTTP/1.1`];
  if (!fields.some(([name]) => name.toLowerCase() === 'host')) lines.push(`Host: ${host}`);
  for (const [name, value] of fields) lines.push(`${name}: ${value}`);
  const bytes = Buffer.from(body);
  if (bytes.length > 0) lines.push(`Content-Length: ${bytes.length}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), bytes]);
}

/** Pages are outside /api. */
function asksForHtml(target, fields) {
  const accept = fields.find(([name]) => name.toLowerCase() === 'accept')?.[1] ?? '';
  return !target.startsWith('/api/') && accept.includes('text/html');
}

export class Client {
  #where;
  #host;
  #idle = new Map();

  /** `where`: {host, port} or {path} of a unix socket. */
  constructor(where) {
    this.#where = where;
    this.#host = where.path ? 'localhost' : `${where.host}:${where.port}`;
  }

  /** A new connection, for tests that send raw bytes. */
  connect({ from } = {}) {
    return Connection.open(this.#where, { from });
  }

  /**
   * One request, one response. Options: `key` (bearer), `headers`, `body`, `from` (local address),
   * `forwardedFor` (X-Forwarded-For), `unchecked` (skip the rules for all responses).
   */
  async request(method, target, options = {}) {
    const { key, headers = {}, body, from, forwardedFor, unchecked = false } = options;
    const fields = Array.isArray(headers) ? [...headers] : Object.entries(headers);
    if (key !== undefined) fields.push(['Authorization', `Bearer ${key}`]);
    if (forwardedFor !== undefined) fields.push(['X-Forwarded-For', forwardedFor]);
    const bytes = requestText(method, target, { host: this.#host, headers: fields, body });
    const response = await this.#exchange(method, bytes, from);
    if (!unchecked) checkResponse(response, method, { html: asksForHtml(target, fields) });
    return response;
  }

  async #exchange(method, bytes, from) {
    const idle = this.#idle.get(from) ?? [];
    this.#idle.set(from, idle);
    for (;;) {
      const kept = idle.pop();
      if (kept?.closed) {
        kept.destroy();
        continue;
      }
      const connection = kept ?? (await this.connect({ from }));
      connection.send(bytes);
      const response = await connection.read({ method });
      if (response === null) {
        // the server may have closed a kept connection while the request was on its way
        assert.ok(kept, `closed without a response (${connection.closed})`);
        connection.destroy();
        continue;
      }
      assert.equal(connection.unread.length, 0, 'bytes after the response');
      if (response.closes) connection.end();
      else idle.push(connection);
      return response;
    }
  }

  get(target, options) {
    return this.request('GET', target, options);
  }

  /** GET that must return `status`, parsed as JSON. */
  async json(target, { status = 200, ...options } = {}) {
    const response = await this.get(target, options);
    assert.equal(response.status, status, `GET ${target}: ${response.text}`);
    return response.json;
  }

  /** Every page of a list from `target` on, as an async iterator of parsed bodies. */
  async *pages(target, options) {
    const separator = target.includes('?') ? '&' : '?';
    let next = target;
    for (;;) {
      const page = await this.json(next, options);
      yield page;
      if (page.nextCursor === null) return;
      next = `${target}${separator}cursor=${page.nextCursor}`;
    }
  }

  /** Closes all kept connections. */
  close() {
    for (const connections of this.#idle.values()) {
      for (const connection of connections) connection.destroy();
    }
    this.#idle.clear();
  }
}

/** The body as text, decompressed if it came with gzip. */
export function decodedText(response) {
  const gzip = response.header('content-encoding') === 'gzip';
  return (gzip ? gunzipSync(response.body) : response.body).toString('utf8');
}

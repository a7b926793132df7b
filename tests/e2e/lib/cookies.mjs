// The cookies of one visitor of one server. The jar is strict: a Set-Cookie that a browser would
// ignore or that is weaker than the design (decision 22, RFC 6265bis) fails the test.

import { strict as assert } from 'node:assert';

const SET_COOKIE = /^set-cookie:[ \t]*(.*)$/i;
const PAIR = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)$/;

function parseSetCookie(line) {
  const [pair, ...rest] = line.split(/;\s*/);
  const match = PAIR.exec(pair);
  assert.ok(match, `Set-Cookie: ${line}`);
  const attributes = new Map();
  for (const part of rest) {
    const [name, ...value] = part.split('=');
    attributes.set(name.toLowerCase(), value.join('='));
  }
  const [, name, value] = match;
  assert.equal(attributes.get('path'), '/', `Path of the cookie ${name}`);
  assert.ok(attributes.has('httponly'), `HttpOnly of the cookie ${name}`);
  assert.match(attributes.get('samesite') ?? 'none', /^(Lax|Strict)$/, `SameSite of ${name}`);
  assert.ok(!attributes.has('domain'), `no Domain of the cookie ${name}`);
  if (name.startsWith('__')) assert.ok(attributes.has('secure'), `Secure of the cookie ${name}`);
  const age = attributes.get('max-age');
  const ended = age !== undefined && Number(age) <= 0;
  return { name, value, attributes, ended };
}

export class CookieJar {
  #cookies = new Map();

  copy() {
    const jar = new CookieJar();
    jar.#cookies = new Map(this.#cookies);
    return jar;
  }

  /** Takes the cookies of a response in. */
  take(response) {
    for (const line of response.head.split('\r\n')) {
      const field = SET_COOKIE.exec(line);
      if (!field) continue;
      const cookie = parseSetCookie(field[1]);
      if (cookie.ended) this.#cookies.delete(cookie.name);
      else this.#cookies.set(cookie.name, cookie);
    }
  }

  /** The value of the Cookie header, or '' without cookies. */
  header() {
    return [...this.#cookies.values()].map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  get names() {
    return [...this.#cookies.keys()];
  }

  get(name) {
    return this.#cookies.get(name) ?? null;
  }

  set(name, value) {
    this.#cookies.set(name, { name, value, attributes: new Map() });
  }

  delete(name) {
    this.#cookies.delete(name);
  }

  clear() {
    this.#cookies.clear();
  }

  /** For a browser's context. */
  forBrowser(url) {
    return [...this.#cookies.values()].map(({ name, value }) => ({ name, value, url }));
  }
}

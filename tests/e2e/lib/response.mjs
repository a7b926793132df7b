// A strict parser of HTTP/1.1 responses: it accepts only what RFC 9112 requires of a server, so
// that every response that any test reads also tests the server's framing.

import { strict as assert } from 'node:assert';

const STATUS_LINE = /^HTTP\/1\.1 ([1-5]\d\d) ([\t\x20-\x7e]*)$/;
const FIELD = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t]*?)[ \t]*$/;
// Fields that may occur only once.
const SINGLE = new Set([
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'date',
  'etag',
  'location',
  'retry-after',
  'x-request-id',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
]);

export class Response {
  constructor(status, reason, headers, head) {
    this.status = status;
    this.reason = reason;
    /** Lower-case name -> value; the values of a repeated field are joined with ", ". */
    this.headers = headers;
    /** The head's bytes as text. */
    this.head = head;
    /** @type {Buffer} */
    this.body = Buffer.alloc(0);
  }

  header(name) {
    return this.headers.get(name.toLowerCase()) ?? null;
  }

  get text() {
    return this.body.toString('utf8');
  }

  get json() {
    return JSON.parse(this.text);
  }

  /** Limit, remaining and reset of the minute window. */
  get limit() {
    const number = (name) => Number(this.header(name) ?? NaN);
    return {
      limit: number('x-ratelimit-limit'),
      remaining: number('x-ratelimit-remaining'),
      reset: number('x-ratelimit-reset'),
    };
  }

  get closes() {
    return (this.header('connection') ?? '').toLowerCase() === 'close';
  }
}

function parseHead(text) {
  const [first, ...lines] = text.split('\r\n');
  const status = STATUS_LINE.exec(first);
  assert.ok(status, `status line: ${JSON.stringify(first)}`);
  const headers = new Map();
  for (const line of lines) {
    const field = FIELD.exec(line);
    assert.ok(field, `header line: ${JSON.stringify(line)}`);
    const name = field[1].toLowerCase();
    assert.ok(!(headers.has(name) && SINGLE.has(name)), `${name} stands twice`);
    headers.set(name, headers.has(name) ? `${headers.get(name)}, ${field[2]}` : field[2]);
  }
  return new Response(Number(status[1]), status[2], headers, text);
}

/** Reads chunks from `bytes` at `at`: {body, next}, or null when more is needed. */
function parseChunks(bytes, at) {
  const parts = [];
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    if (end < 0) return null;
    const size = bytes.toString('latin1', at, end);
    assert.match(size, /^[0-9a-fA-F]{1,8}$/, 'chunk size line');
    const length = parseInt(size, 16);
    const start = end + 2;
    if (bytes.length < start + length + 2) return null;
    const close = bytes.toString('latin1', start + length, start + length + 2);
    assert.equal(close, '\r\n', 'end of a chunk (no trailers are expected)');
    parts.push(bytes.subarray(start, start + length));
    at = start + length + 2;
    if (length === 0) return { body: Buffer.concat(parts), next: at };
  }
}

/**
 * The first response in `bytes` to a request of `method`: {response, rest}, or null if it is
 * incomplete. `ended`: the server has closed. Throws if the bytes are not a valid response.
 */
export function parseResponse(bytes, { method = 'GET', ended = false } = {}) {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) {
    assert.ok(bytes.length < 65_536, 'a response head over 64 KiB');
    assert.ok(!ended || bytes.length === 0, `cut off: ${JSON.stringify(bytes.toString('latin1'))}`);
    return null;
  }
  const response = parseHead(bytes.toString('latin1', 0, end));
  const length = response.header('content-length');
  const coding = response.header('transfer-encoding');
  assert.ok(length === null || coding === null, 'both Content-Length and Transfer-Encoding');
  assert.ok(length === null || /^(0|[1-9]\d*)$/.test(length), `Content-Length: ${length}`);
  assert.ok(coding === null || coding === 'chunked', `Transfer-Encoding: ${coding}`);
  let next = end + 4;
  const empty = response.status < 200 || response.status === 204 || response.status === 304;
  if (empty) {
    assert.equal(coding, null, `Transfer-Encoding in a ${response.status}`);
    assert.ok(length === null || response.status === 304, `Content-Length in a ${response.status}`);
  } else if (method !== 'HEAD') {
    if (coding !== null) {
      const chunks = parseChunks(bytes, next);
      if (chunks === null) {
        assert.ok(!ended, 'chunked body cut off');
        return null;
      }
      response.body = chunks.body;
      next = chunks.next;
    } else {
      assert.ok(length !== null, 'a body without Content-Length or chunks');
      if (bytes.length < next + Number(length)) {
        assert.ok(!ended, 'body cut off');
        return null;
      }
      response.body = bytes.subarray(next, next + Number(length));
      next += Number(length);
    }
  }
  return { response, rest: bytes.subarray(next) };
}

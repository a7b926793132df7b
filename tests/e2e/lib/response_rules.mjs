// Rules for every response (spec 1, 7, 8; decisions 18, 21, 24). The client applies them to each
// response it reads.

import { strict as assert } from 'node:assert';

const ERROR_MEMBERS = new Set(['error', 'hint']);
/** Further members: the plan's cap, and the faults of a form by field (decision 22). */
const MEMBERS_BY_STATUS = { 403: ['limit'], 410: ['withdrawnAt', 'reason'], 422: ['fields'] };

function integerHeader(response, name) {
  const value = response.header(name);
  assert.match(value ?? 'absent', /^(0|[1-9]\d*)$/, `${name} on ${response.status}`);
  return Number(value);
}

const WINDOW = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** A cache would show the window of one caller to others. */
function checkWindowHeaders(response) {
  if (/\bpublic\b/.test(response.header('cache-control') ?? '')) {
    for (const name of [...WINDOW, 'RateLimit', 'RateLimit-Policy'])
      assert.equal(response.header(name), null, `${name} on a response for caches`);
    return;
  }
  const [limit, remaining, reset] = WINDOW.map((name) => integerHeader(response, name));
  assert.ok(remaining <= limit, `${remaining} of ${limit} remain`);
  assert.ok(reset % 60 === 0, `a minute window ends with a minute: ${reset}`);
}

function checkErrorBody(response) {
  assert.match(response.header('content-type') ?? '', /^application\/json\b/);
  const body = response.json;
  assert.match(body.error, /^[a-z_]+$/);
  if (response.status === 429) {
    assert.deepEqual(Object.keys(body).sort(), ['error', 'retryAfterSeconds']);
    assert.equal(String(body.retryAfterSeconds), response.header('retry-after'));
    assert.ok(Number.isInteger(body.retryAfterSeconds) && body.retryAfterSeconds >= 1);
    return;
  }
  for (const member of Object.keys(body)) {
    const known = ERROR_MEMBERS.has(member) || MEMBERS_BY_STATUS[response.status]?.includes(member);
    assert.ok(known, `member ${member} in the body of a ${response.status}`);
  }
  if ('hint' in body) assert.ok(typeof body.hint === 'string' && body.hint.length > 0);
}

const REQUIRED_BY_STATUS = new Map([
  [401, ['www-authenticate']],
  [405, ['allow']],
  [429, ['retry-after']],
  [503, ['retry-after']],
]);

/** A page for people: complete, and with a policy that lets nothing in. */
function checkHtml(response) {
  assert.match(response.header('content-type') ?? '', /^text\/html; charset=utf-8$/);
  assert.match(response.header('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(response.text, /^<!doctype html>/i);
}

/**
 * Throws if `response` to a request of `method` breaks a rule. `html`: the request asked for HTML,
 * which an error outside /api then is.
 */
export function checkResponse(response, method, { html = false } = {}) {
  if (response.status < 200) return;
  checkWindowHeaders(response);
  assert.ok(response.header('x-request-id'), 'X-Request-Id');
  assert.ok(response.header('date'), 'Date');
  for (const name of REQUIRED_BY_STATUS.get(response.status) ?? []) {
    assert.ok(response.header(name) !== null, `${name} on ${response.status}`);
  }
  if (response.status < 400 || method === 'HEAD') return;
  const isHtml = html && (response.header('content-type') ?? '').startsWith('text/html');
  if (isHtml) checkHtml(response);
  else checkErrorBody(response);
}

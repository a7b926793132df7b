// Verifies a webhook delivery from stockact. Both functions throw if the delivery is not valid.
//
// secret: the endpoint's secret as displayed, whsec_...
// headers: an object with lower-case names
// body: a Buffer with the raw request body
// now: Unix time in seconds

import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_SECONDS = 300;

/** Checks X-SVC-Signature: t=<t>,v1=<hex>. Key: the whole secret. Text: <t>.<body>. */
export function verifySvc(secret, headers, body, now = Math.floor(Date.now() / 1000)) {
  const header = headers['x-svc-signature'];
  if (header === undefined) throw new Error('missing header');
  let t = '';
  const signatures = [];
  for (const part of header.split(',')) {
    if (part.startsWith('t=')) t = part.slice(2);
    if (part.startsWith('v1=')) signatures.push(part.slice(3));
  }
  const hmac = createHmac('sha256', secret).update(`${t}.`).update(body);
  check(t, now, hmac.digest('hex'), signatures);
}

/** Checks webhook-signature: v1,<base64>. Key: the decoded secret. Text: <id>.<t>.<body>. */
export function verifyStandard(secret, headers, body, now = Math.floor(Date.now() / 1000)) {
  const [id, t, header] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  );
  if (id === undefined || t === undefined || header === undefined) {
    throw new Error('missing header');
  }
  const entries = header.split(' ').filter((entry) => entry.startsWith('v1,'));
  const signatures = entries.map((entry) => entry.slice(3));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const hmac = createHmac('sha256', key).update(`${id}.${t}.`).update(body);
  check(t, now, hmac.digest('base64'), signatures);
}

function check(t, now, expected, signatures) {
  if (!/^[0-9]{1,12}$/.test(t) || signatures.length === 0) throw new Error('malformed header');
  if (Math.abs(now - Number(t)) > TOLERANCE_SECONDS) throw new Error('timestamp out of tolerance');
  if (!signatures.some((signature) => equal(signature, expected))) {
    throw new Error('wrong signature');
  }
}

/** Compares in constant time for equal lengths. */
function equal(a, b) {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

// WEBHOOK_SECRET=whsec_... node command.mjs svc|standard HEADERS BODY [NOW]
// Verifies one delivery saved in two files. Exits 0 if it is valid, 1 with the reason if not.

import { readFileSync } from 'node:fs';
import { verifyStandard, verifySvc } from './verify.mjs';

const [scheme, headersFile, bodyFile, now] = process.argv.slice(2);
const verify = { svc: verifySvc, standard: verifyStandard }[scheme];
const secret = process.env.WEBHOOK_SECRET;
if (!verify || !headersFile || !bodyFile || !secret) {
  console.error('usage: WEBHOOK_SECRET=whsec_... node command.mjs svc|standard HEADERS BODY [NOW]');
  process.exit(2);
}

function readFile(file, encoding) {
  try {
    return readFileSync(file, encoding);
  } catch (error) {
    console.error(error.message);
    process.exit(2);
  }
}

const body = readFile(bodyFile);
const headers = {};
for (const line of readFile(headersFile, 'latin1').split('\n')) {
  const colon = line.indexOf(':');
  if (colon > 0) headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
}
try {
  verify(secret, headers, body, now === undefined ? undefined : Number(now));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

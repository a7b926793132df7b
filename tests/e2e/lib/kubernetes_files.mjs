// deploy/kubernetes/, and two checks against the description of the Kubernetes API: its schemas
// check values, and its types check the names of fields, which the schemas leave open.

import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as apps from 'kubernetes-models/apps/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { parseAllDocuments } from 'yaml';
import { run } from './child.mjs';
import { root } from './settings.mjs';

const MODELS = {
  v1: { models: core, from: 'kubernetes-models/v1' },
  'apps/v1': { models: apps, from: 'kubernetes-models/apps/v1' },
  'policy/v1': { models: policy, from: 'kubernetes-models/policy/v1' },
  'networking.k8s.io/v1': { models: networking, from: 'kubernetes-models/networking.k8s.io/v1' },
};
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

const isOfCluster = (one) => one.kind !== 'Kustomization';

/** All documents of all files. Numbers are YAML 1.1's, as Kubernetes reads them: 0440 is octal. */
export function documents() {
  const folder = path.join(root, 'deploy/kubernetes');
  return readdirSync(folder).flatMap((name) =>
    parseAllDocuments(readFileSync(path.join(folder, name), 'utf8'), { version: '1.1' }).map(
      (one) => one.toJS(),
    ),
  );
}

/** What the schema of its kind says against the values of a document. */
export function faultsOfValues(one) {
  if (!isOfCluster(one)) return [];
  const Model = MODELS[one.apiVersion]?.models[one.kind];
  if (!Model) return [`there is no ${one.kind} in ${one.apiVersion}`];
  try {
    new Model(one).validate();
    return [];
  } catch (error) {
    return [`${one.kind}: ${error.message}`];
  }
}

/** What TypeScript says against the names of fields; uses an empty folder. */
export async function faultsOfNames(folder, all) {
  const lines = all
    .filter(isOfCluster)
    .map(
      (one, i) =>
        `export const d${i}: import('${MODELS[one.apiVersion].from}').I${one.kind} = ${JSON.stringify(one)};`,
    );
  writeFileSync(path.join(folder, 'manifests.ts'), lines.join('\n'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(modules, path.join(folder, 'node_modules'));
  const compiler = path.join(modules, 'typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext'];
  const args = [compiler, ...options, '--target', 'es2022', 'manifests.ts'];
  const done = await run(process.execPath, args, { cwd: folder });
  return done.stdout.split('\n').filter((line) => line.includes('error'));
}

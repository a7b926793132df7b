// HTML and CSS held to the standards by the Nu Html Checker, in one run of the JVM for all files.

import { strict as assert } from 'node:assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from './child.mjs';
import { npmPackages } from './tools.mjs';

const JAR = path.join(npmPackages, 'vnu-jar/build/dist/vnu.jar');

/** It ends in seconds: compiling well or collecting in parallel takes longer than it saves. */
const SHORT_LIVED = ['-Xss4m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Names become file names: "/docs/webhooks" is "docs_webhooks". */
const fileName = (name) => name.replace(/^\//, '').replace(/[^\w.-]/g, '_') || 'index';

/**
 * The checker's errors and warnings about `files`, an array of {name, html} or {name, css}, as
 * lines "NAME:LINE: MESSAGE".
 */
export async function markupFaults(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'stockact-markup-'));
  try {
    const names = new Map();
    files.forEach(({ name, html, css }, index) => {
      const file = path.join(folder, `${index}-${fileName(name)}.${css ? 'css' : 'html'}`);
      writeFileSync(file, css ?? html);
      names.set(file, name);
    });
    const options = ['--stdout', '--exit-zero-always', '--also-check-css', '--format', 'json'];
    const done = await run('java', [...SHORT_LIVED, '-jar', JAR, ...options, ...names.keys()], {
      cwd: folder,
      env: { PATH: process.env.PATH },
    });
    assert.equal(done.code, 0, done.stderr);
    return JSON.parse(done.stdout).messages.map(({ url, lastLine, message, extract }) => {
      const name = names.get(url.replace(/^file:/, '')) ?? url;
      return `${name}:${lastLine ?? 1}: ${message} ${JSON.stringify(extract ?? '')}`;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** They must have none. */
export async function checkMarkup(files) {
  const faults = await markupFaults(files);
  assert.deepEqual(faults, [], faults.join('\n'));
}

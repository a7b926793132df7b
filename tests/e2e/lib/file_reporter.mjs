// A reporter that writes what became of each file, a JSON line {file, passed, failed, skipped} each,
// and lets the run fail when a suite fails. Node counts tests alone: when what runs after the tests
// of a `describe` fails, such as closing a site whose server crashed, `node --test` exits with 0.
//
// An event names the module that has the test, which can be one of lib/. Node reports one file after
// the other, and then its summary, unless the file crashed: then the file itself has failed.

import path from 'node:path';

const nothing = () => ({ passed: 0, failed: 0, skipped: 0, suites: 0 });

function add(count, { type, data }) {
  const isSuite = data.details?.type === 'suite';
  const expected = data.skip !== undefined || data.todo !== undefined;
  if (type === 'test:fail' && data.todo === undefined) count[isSuite ? 'suites' : 'failed']++;
  else if (!isSuite) count[expected ? 'skipped' : 'passed']++;
}

export default async function* perFile(events) {
  const files = new Map();
  let open = nothing(); // of the file that is reported
  const end = (file) => {
    if (!files.has(file)) {
      files.set(file, open);
      open = nothing();
    }
    return files.get(file);
  };
  for await (const event of events) {
    const { type, data } = event;
    if (type === 'test:summary' && data.file) end(data.file);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (type === 'test:fail' && data.todo === undefined) process.exitCode = 1;
    const isFile = data.nesting === 0 && data.file === path.resolve(data.name);
    add(isFile ? end(data.file) : open, event);
  }
  for (const [file, { suites, ...count }] of files) {
    if (suites > 0 && count.failed === 0) count.failed = 1; // what comes after the tests
    yield `${JSON.stringify({ file, ...count })}\n`;
  }
}

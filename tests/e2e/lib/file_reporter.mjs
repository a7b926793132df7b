// A reporter that writes what became of each file, a JSON line {file, passed, failed, skipped} each,
// and lets the run fail when a suite fails. Node counts tests alone: when what runs after the tests
// of a `describe` fails, such as closing a site whose server crashed, `node --test` exits with 0.

export default async function* perFile(events) {
  const files = new Map();
  const countOf = (file) => {
    if (!files.has(file)) files.set(file, { file, passed: 0, failed: 0, skipped: 0, suites: 0 });
    return files.get(file);
  };
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const count = countOf(data.file ?? data.name);
    const isSuite = data.details?.type === 'suite';
    if (type === 'test:fail' && data.todo === undefined) {
      process.exitCode = 1;
      if (isSuite) count.suites++;
      else count.failed++;
    } else if (!isSuite) {
      if (data.skip !== undefined || data.todo !== undefined) count.skipped++;
      else count.passed++;
    }
  }
  for (const { suites, ...count } of files.values()) {
    if (suites > 0 && count.failed === 0) count.failed = 1; // what comes after the tests
    yield `${JSON.stringify(count)}\n`;
  }
}

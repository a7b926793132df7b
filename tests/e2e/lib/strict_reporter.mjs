// A reporter that prints nothing and lets the run fail when a suite fails. Node counts tests alone:
// when what runs after the tests of a `describe` fails, such as closing a site whose server crashed,
// `node --test` still exits with 0.

export default async function* strict(events) {
  for await (const { type, data } of events)
    if (type === 'test:fail' && data.todo === undefined) process.exitCode = 1;
}

// A test reporter that prints nothing, for programs that use the tests' modules and run no tests.

export default async function* quiet(events) {
  for await (const event of events) void event;
}

// Which test files run on which build, and in which order.

/** A thread sanitizer finds nothing where the program has one thread: in stockact-mcp, and in all
 *  commands but `serve`. These files are about those. */
const ONE_THREAD = [
  'command_line',
  'filings',
  'hidden_fields',
  'hostile_documents',
  'ingest_links',
  'lost_output',
  'mcp_answers',
  'mcp_clients',
  'mcp_edges',
  'mcp_guide',
  'mcp_process',
  'mcp_scans',
  'pictures',
  'sync_house',
  'sync_senate',
];

/** Files about the harness itself, about a text that every build prints alike, about limits that
 *  sanitizers exceed, or about real data that the unit tests read on every build. */
const ONE_BUILD = [
  'harness',
  'mcp_inspector',
  'mcpb',
  'memory_limit',
  'openapi-tools',
  'real_documents',
  'real_named',
];

const LEFT_OUT = { gcc: [], asan: ONE_BUILD, tsan: [...ONE_BUILD, ...ONE_THREAD] };

/** These take longest: they begin first, so that none of them runs alone at the end. */
const LONGEST = [
  'real_data',
  'real_documents',
  'real_named',
  'changes',
  'undo',
  'undo_papers',
  'undo_race',
  'operations',
  'openapi-tools',
  'mcp_clients',
  'limits_attack',
  'outages',
  'mcpb',
  'pictures',
  'mcp_process',
  'limits',
  'malformed',
];

const nameOf = (file) => file.split('/').at(-1).replace('.test.mjs', '');

/** The files to run on a build (gcc, asan, tsan), longest first. */
export function selected(files, build) {
  const names = files.map(nameOf);
  for (const name of [...LONGEST, ...ONE_BUILD, ...ONE_THREAD]) {
    if (!names.includes(name)) throw new Error(`lib/selection.mjs names no file: ${name}`);
  }
  const place = (file) => (LONGEST.indexOf(nameOf(file)) + 1 || LONGEST.length + 1) - 1;
  return files
    .filter((file) => !LEFT_OUT[build].includes(nameOf(file)))
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

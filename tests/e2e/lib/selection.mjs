// Which test files run on which build, and in which order.

/** A thread sanitizer finds nothing where the program has one thread: in stockact-mcp, and in all
 *  commands but `serve`. These files are about those; the server beside them only answers. */
const ONE_THREAD = [
  'accounts',
  'audit',
  'batches',
  'chain',
  'chain_edits',
  'command_line',
  'config',
  'copy',
  'copy_answers',
  'copy_broken',
  'database_rule',
  'doctor',
  'doctor_faults',
  'filings',
  'hidden',
  'hidden_fields',
  'hostile_documents',
  'import_output',
  'incomplete_documents',
  'ingest_links',
  'keys_usage',
  'listen',
  'listen_process',
  'lost_output',
  'mcp_answers',
  'mcp_clients',
  'mcp_edges',
  'mcp_guide',
  'mcp_process',
  'mcp_questions',
  'mcp_scans',
  'pictures',
  'readers',
  'ready',
  'real_data',
  'real_filed',
  'reread',
  'scans',
  'scans_hostile',
  'restore',
  'review_page',
  'seats',
  'secret_rotate',
  'setup',
  'status',
  'sync_house',
  'sync_senate',
  'terminal',
  'trigger',
  'webhook_commands',
  'webhook_ports',
  'webhook_verifiers',
];

/** Files about the harness itself, about a text that every build prints alike, about limits that
 *  sanitizers exceed, about real data or many rows that the unit tests read or write on every build,
 *  about engines that fail under several servers (other files lose an engine on every build), or
 *  about what a browser makes of pages that other files request on every build. */
const ONE_BUILD = [
  'account_browser',
  'desk_amendments',
  'desk_batches',
  'desk_rows',
  'desk_together',
  'desk_story',
  'desk_typed',
  'account_keys_looks',
  'account_storm',
  'account_story',
  'admin_browser',
  'alerts_killed',
  'alerts_many',
  'alerts_nodes_killed',
  'bulk_runs',
  'data_limits',
  'data_sizes',
  'deploy_files',
  'docs_browser',
  'examples',
  'exact_accounts',
  'exact_cluster_apart',
  'exact_deliveries',
  'exact_jobs',
  'exact_limits',
  'exact_reading',
  'exact_refusals',
  'harness',
  'mcp_conformance',
  'mcp_inspector',
  'mcpb',
  'memory_limit',
  'nodes_disk',
  'nodes_postgres',
  'nodes_redis',
  'nodes_servers',
  'nodes_silent',
  'nodes_standby',
  'nodes_time',
  'openapi_clients',
  'openapi_tools',
  'operate_guide',
  'operate_servers',
  'pages_forms_browser',
  'pages_timing',
  'questions',
  'quick_start',
  'real_documents',
  'real_scans',
  'scans_bad',
  'scans_costly',
  'real_named',
  'upgrade',
  'upload_browser',
  'web_looks',
  'web_looks_admin',
  'web_looks_data',
  'web_looks_desk',
  'web_looks_docs',
  'web_looks_endpoints',
  'web_looks_found',
  'web_looks_guides',
  'web_looks_owner',
  'web_style',
  'webhook_looks',
];

/**
 * Under the thread sanitizer, threads count and not what they compute. Each entry names a file that
 * runs under it, and files whose servers do the same on the same threads with other values:
 *
 * - workers that answer from the feed while a new one is put in its place;
 * - workers that pass a page's form to the gate, to the threads that hash and to the writer;
 * - workers that count on the limits, and the link to Redis;
 * - the writer of a publication or a correction, and the servers that follow the log of changes;
 * - the dispatcher of webhooks with its queue, the resolver of names, the sender of e-mails;
 * - the background: daily jobs, heartbeats, upkeep, a database that is gone for a while.
 */
const SAME_THREADS = {
  account_sign_in: ['account_factor', 'account_reset', 'account_settings', 'account_sign_up'],
  actions: ['account_keys', 'pages_pace', 'webhook_pages'],
  alerts: ['alerts_criteria', 'alerts_metrics'],
  pages_forms: ['pages_forged'],
  desk: ['desk_attack'],
  data_filings: [
    'data_cache',
    'data_corrections',
    'data_coverage',
    'data_csv',
    'data_delay',
    'data_delay_crawl',
    'data_feeds',
    'data_hostile',
    'data_politician',
    'data_search',
    'data_tickers',
    'data_trade',
    'data_trades',
  ],
  pages: ['contract', 'details', 'extensions', 'filters', 'invented'],
  limits: ['addresses', 'keys', 'limits_month'],
  protocol: ['behind_balancers', 'behind_proxies'],
  committees: ['conflict', 'people', 'tickers'],
  publishing: ['states'],
  undo_race: ['undo', 'undo_attack', 'undo_papers'],
  webhook_held: ['webhook_by_hand', 'webhook_held_killed', 'webhook_rotation'],
};

const LEFT_OUT = {
  gcc: [],
  asan: ONE_BUILD,
  tsan: [...ONE_BUILD, ...ONE_THREAD, ...Object.values(SAME_THREADS).flat()],
};

/** These take longest: they begin first, so that none of them runs alone at the end. */
const LONGEST = [
  'account_story',
  'account_storm',
  'web_looks',
  'web_looks_data',
  'web_looks_docs',
  'web_looks_endpoints',
  'web_looks_found',
  'web_looks_guides',
  'docs_browser',
  'web_looks_admin',
  'web_looks_owner',
  'web_style',
  'webhook_looks',
  'account_browser',
  'desk_story',
  'desk_typed',
  'account_keys_looks',
  'webhook_pages',
  'audit',
  'batches',
  'admin_pages',
  'operating',
  'webhook_held',
  'webhook_by_hand',
  'limits_month',
  'changes',
  'filings',
  'account_keys',
  'listen',
  'accounts',
  'listen_process',
  'webhook_answers',
  'reread',
  'scans',
  'usage',
  'mcpb',
  'mcp_clients',
  'hidden',
  'webhooks',
  'webhook_notices',
  'operations',
  'account_sign_in',
  'real_documents',
  'real_scans',
  'scans_bad',
  'scans_costly',
];

const nameOf = (file) => file.split('/').at(-1).replace('.test.mjs', '');

/** Whether a test file runs on a build. Other programs than test files run on none. */
export const runsOn = (file, build) =>
  file.endsWith('.test.mjs') && !LEFT_OUT[build].includes(nameOf(file));

/** The files to run on a build (gcc, asan, tsan), longest first. */
export function selected(files, build) {
  const names = files.map(nameOf);
  for (const name of [...LONGEST, ...LEFT_OUT.tsan, ...Object.keys(SAME_THREADS)]) {
    if (!names.includes(name)) throw new Error(`lib/selection.mjs names no file: ${name}`);
  }
  for (const name of Object.keys(SAME_THREADS)) {
    if (LEFT_OUT.tsan.includes(name)) throw new Error(`lib/selection.mjs leaves out ${name}`);
  }
  const place = (file) => (LONGEST.indexOf(nameOf(file)) + 1 || LONGEST.length + 1) - 1;
  return files
    .filter((file) => runsOn(file, build))
    .sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1));
}

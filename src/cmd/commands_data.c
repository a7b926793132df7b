/* Commands on the data: imports, documents and conflict signals; see commands.h. */
#include "cmd/commands_parts.h"

static const struct option committees_options[] = {
    {.name = "as-of",
     .value = "YYYY-MM-DD",
     .help = "day on which the list was valid; required without --spans",
     .valid = value_is_day},
    {.name = "spans",
     .value = "SEATS.csv",
     .help = "import seats over time instead, in the format of data/seats.csv"},
    {.name = "names",
     .value = "COMMITTEES.csv",
     .help = "with --spans: names of committees over time, in the format of data/committees.csv"},
};
static const struct option backfill_options[] = {BY_OPTION};
static const struct option coverage_options[] = {
    {.name = "review", .help = "count public filings by what their reviewer was shown instead"},
};
static const struct option sync_options[] = {
    {.name = "year",
     .value = "YYYY",
     .help = "fetch only this year (default: this year and the previous one)",
     .valid = value_is_year},
    {.name = "base-url",
     .value = "URL",
     .help = "fetch from this server instead of the official site; http:// only on loopback",
     .valid = value_is_sync_url},
};
static const struct option reread_options[] = {
    {.name = "by",
     .value = "EMAIL",
     .help = "correct differences in letter case; your e-mail address is recorded",
     .valid = value_is_email},
    {.name = "fields",
     .value = "FIELD,...",
     .help = "with --by: also correct any difference in these fields"},
};
static const struct option members_correct_options[] = {
    AT_OPTION,
    BY_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the corrections log",
     .required = true,
     .valid = value_is_text},
    {.name = "names", .help = "also replace the names with today's"},
    {.name = "dry-run", .help = "change nothing; show what differs"},
};
static const struct option audit_options[] = {
    {.name = "kind",
     .value = "KIND,...",
     .help = "compare only these: symbols, seats, members, reading, log, text (default: all)"},
};
static const struct option sweep_options[] = {
    {.name = "explain",
     .value = "TRADE",
     .help = "write nothing; show how the rule decides this trade"},
};

static const struct command commands[] = {
    {.name = "members import",
     .operands = "FILE...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_members_import,
     .summary = "import members from congress-legislators JSON and CSV; name all files at once",
     .notes = "Name legislators-current.json, legislators-historical.csv (last terms, without "
              "dates) and a JSON file with all terms of former members. Importing the same files "
              "again, in any order, changes nothing."},
    {.name = "members correct",
     OPTIONS(members_correct_options),
     .run = cmd_members_correct,
     .summary = "correct party and state of published trades to those at the filing date",
     .notes = "Run it after you import missing terms. The corrections log gets an entry for each "
              "field of each trade."},
    {.name = "committees import",
     .operands = "[COMMITTEES.json MEMBERSHIP.json]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(committees_options),
     .run = cmd_committees_import,
     .summary = "import the committee seats of one day from congress-legislators, or over time",
     .notes = "The program includes the seats since 2012-11. Import newer or other lists. Days may "
              "be imported in any order. Importing the same files again changes nothing. Invalid "
              "entries are left out and listed. The next `sweep` updates the conflict signals of "
              "public trades."},
    {.name = "tickers import",
     .operands = "FILE...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_tickers_import,
     .summary = "import symbol lists from S&P 500, SEC, Nasdaq and other exchanges"},
    {.name = "oversight import",
     .operands = "FILE",
     .operand_count = 1,
     .run = cmd_oversight_import,
     .summary = "import acts of committees about companies, in the form of data/oversight.csv",
     .notes = "The program includes acts since 2019; the file adds to them and replaces the one "
              "imported before. A wrong line refuses the file. The next `sweep` updates the "
              "conflict signals of public trades."},
    {.name = "backfill senate-stock-watcher",
     .operands = "FILE",
     .operand_count = 1,
     OPTIONS(backfill_options),
     .run = cmd_backfill_stock_watcher,
     .summary = "import and publish the Senate Stock Watcher history"},
    {.name = "ingest",
     .operands = "PATH...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_ingest,
     .summary =
         "import House indexes, House reports and Senate pages, or folders of them, as drafts",
     .notes = "Symbolic links, pipes, sockets and devices inside a folder are skipped, with a line "
              "for each. A PATH may be a link itself. Hidden files are skipped silently."},
    {.name = "reread",
     .operands = "[ID...]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(reread_options),
     .run = cmd_reread,
     .summary = "read kept documents again and list what differs from the public trades",
     .notes = "Without --by nothing changes. A value that a person has set is kept. Each filing is "
              "one transaction; repeat the command to continue an interrupted run."},
    {.name = "sync house",
     .scope = SETTINGS_SYNC,
     OPTIONS(sync_options),
     .run = cmd_sync_house,
     .summary = "fetch the Clerk's indexes and missing reports, one request every two seconds",
     .notes = "If the site refuses, save its files by hand and use `ingest`."},
    {.name = "sync senate",
     .scope = SETTINGS_SYNC,
     OPTIONS(sync_options),
     .run = cmd_sync_senate,
     .summary = "search the Senate's site and fetch missing reports, one request every two seconds",
     .notes = "If the site refuses, save its files by hand and use `ingest`."},
    {.name = "sync status",
     .read = cmd_sync_status,
     .summary = "show the newest document, the last fetch and the documents by state",
     .notes = "Counts the entries of the ledger by their own state. `coverage` counts reports by "
              "chamber, year and state."},
    {.name = "coverage",
     OPTIONS(coverage_options),
     .run = cmd_coverage,
     .summary = "count documents by chamber, year and state"},
    {.name = "sweep",
     OPTIONS(sweep_options),
     .run = cmd_sweep,
     .summary = "recompute the conflict signals of all trades",
     .notes = "SIGTERM and SIGINT stop it between two batches of a thousand trades; committed "
              "batches remain. `--explain` shows the values that the rule looked up, the member's "
              "seats, with a star before the seats that count, and the history of the trade's "
              "signal."},
    {.name = "audit",
     OPTIONS(audit_options),
     .run = cmd_audit,
     .summary = "compare what is published with second sources; list the disagreements",
     .notes = "Exit status 1 if there are disagreements. It changes nothing."},
};

const struct command_group commands_data = COMMAND_GROUP("data", commands);

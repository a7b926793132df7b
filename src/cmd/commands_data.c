/* Commands on the data: imports, documents and conflict signals; see commands.h. */
#include "cmd/commands_parts.h"

static const struct command commands[] = {
    {"members import",
     "import members from congress-legislators JSON and CSV; name all files at once", "FILE...",
     .run = cmd_members_import,
     .notes = "Name legislators-current.json, legislators-historical.csv (last terms, without "
              "dates) and a JSON file with all terms of former members. Importing the same files "
              "again, in any order, changes nothing."},
    {"members correct", "correct party and state of published trades to those at the filing date",
     .run = cmd_members_correct,
     .notes = "Run it after you import missing terms. The corrections log gets an entry for each "
              "field of each trade.",
     OPTIONS(
         AT_OPTION, BY_OPTION, REASON_OPTION("why; recorded in the corrections log", REQUIRED),
         {"names", "also replace the names with today's"},
         {"dry-run", "change nothing; show what differs"})},
    {"committees import",
     "import the committee seats of one day from congress-legislators, or over time",
     "[COMMITTEES.json MEMBERSHIP.json]", .run = cmd_committees_import,
     .notes =
         "The program includes the seats since 2012-11. Import newer or other lists. Days may be "
         "imported in any order. Importing the same files again changes nothing. Invalid entries "
         "are left out and listed. The next `sweep` updates the conflict signals of public trades.",
     OPTIONS(
         {"as-of", "day on which the list was valid; required without --spans", "YYYY-MM-DD",
          value_is_day},
         {"spans", "import seats over time instead, in the format of data/seats.csv", "SEATS.csv"},
         {"names",
          "with --spans: names of committees over time, in the format of data/committees.csv",
          "COMMITTEES.csv"})},
    {"tickers import", "import symbol lists from S&P 500, SEC, Nasdaq and other exchanges",
     "FILE...", .run = cmd_tickers_import},
    {"oversight import",
     "import acts of committees about companies, in the form of data/oversight.csv", "FILE",
     .run = cmd_oversight_import,
     .notes = "The program includes acts since 2019; the file adds to them and replaces the one "
              "imported before. A wrong line refuses the file. The next `sweep` updates the "
              "conflict signals of public trades."},
    {"backfill senate-stock-watcher", "import and publish the Senate Stock Watcher history", "FILE",
     .run = cmd_backfill_stock_watcher, OPTIONS(BY_OPTION)},
    {"ingest",
     "import House indexes, House reports and Senate pages, or folders of them, as drafts",
     "PATH...", .run = cmd_ingest,
     .notes = "Symbolic links, pipes, sockets and devices inside a folder are skipped, with a line "
              "for each. A PATH may be a link itself. Hidden files are skipped silently."},
    {"reread", "read kept documents again and list what differs from the public trades", "[ID...]",
     .run = cmd_reread,
     .notes = "Without --by nothing changes. A value that a person has set is kept. Each filing is "
              "one transaction; repeat the command to continue an interrupted run.",
     OPTIONS(
         {"by", "correct differences in letter case; your e-mail address is recorded", "EMAIL",
          value_is_email},
         {"fields", "with --by: also correct any difference in these fields", "FIELD,..."})},
    {"sync house", "fetch the Clerk's indexes and missing reports, one request every two seconds",
     .scope = SETTINGS_SYNC, .run = cmd_sync_house,
     .notes = "If the site refuses, save its files by hand and use `ingest`.",
     OPTIONS(
         {"year", "fetch only this year (default: this year and the previous one)", "YYYY",
          value_is_year},
         {"base-url",
          "fetch from this server instead of the official site; http:// only on loopback", "URL",
          value_is_sync_url})},
    {"sync senate",
     "search the Senate's site and fetch missing reports, one request every two seconds",
     .scope = SETTINGS_SYNC, .run = cmd_sync_senate,
     .notes = "If the site refuses, save its files by hand and use `ingest`.",
     OPTIONS(
         {"year", "fetch only this year (default: this year and the previous one)", "YYYY",
          value_is_year},
         {"base-url",
          "fetch from this server instead of the official site; http:// only on loopback", "URL",
          value_is_sync_url})},
    {"sync status", "show the newest document, the last fetch and the documents by state",
     .read = cmd_sync_status,
     .notes = "Counts the entries of the ledger by their own state. `coverage` counts reports by "
              "chamber, year and state."},
    {"coverage", "count documents by chamber, year and state", .run = cmd_coverage,
     OPTIONS({"review", "count public filings by what their reviewer was shown instead"})},
    {"sweep", "recompute the conflict signals of all trades", .run = cmd_sweep,
     .notes =
         "SIGTERM and SIGINT stop it between two batches of a thousand trades; committed batches "
         "remain. `--explain` shows the values that the rule looked up, the member's seats, with a "
         "star before the seats that count, and the history of the trade's signal.",
     OPTIONS({"explain", "write nothing; show how the rule decides this trade", "TRADE"})},
    {"audit", "compare what is published with second sources; list the disagreements",
     .run = cmd_audit, .notes = "Exit status 1 if there are disagreements. It changes nothing.",
     OPTIONS(
         {"kind", "compare only these: symbols, seats, members, reading, log, text (default: all)",
          "KIND,..."})},
};

const struct command_group commands_data = COMMAND_GROUP("data", commands);

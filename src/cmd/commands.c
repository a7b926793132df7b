/* The table of subcommands; see commands.h. */
#include "cmd/commands.h"

#include "cmd/commands_parts.h"

static const struct option demo_options[] = {
    {.name = "trades",
     .value = "NUMBER",
     .help = "number of trades (default 5000)",
     .valid = value_is_count},
    {.name = "as-of",
     .value = "YYYY-MM-DD",
     .help = "last day of the data (default: today)",
     .valid = value_is_day},
    {.name = "publish",
     .value = "NUMBER",
     .help = "instead: publish NUMBER more filings live in a database that `demo` filled",
     .valid = value_is_count},
    {.name = "rows",
     .value = "NUMBER",
     .help = "with --publish: trades per filing (default 5)",
     .valid = value_is_count},
    {.name = "every",
     .value = "MILLISECONDS",
     .help = "with --publish: pause between filings (default 0)",
     .valid = value_is_count},
};
static const struct option committees_options[] = {
    {.name = "as-of",
     .value = "YYYY-MM-DD",
     .help = "without --spans, required: the day on which the list was valid",
     .valid = value_is_day},
    {.name = "spans",
     .value = "SEATS.csv",
     .help = "instead: import seats over time, in the form of data/seats.csv"},
    {.name = "names",
     .value = "COMMITTEES.csv",
     .help = "with --spans: names of committees over time, in the form of data/committees.csv"},
};
static const struct option backfill_options[] = {BY_OPTION};
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
     .help = "with --by: also correct these fields, whatever differs"},
};
static const struct option review_options[] = {BY_OPTION};
static const struct option review_list_options[] = {
    {.name = "state", .value = "STATE", .help = "list only drafts in this state"}};
static const struct option review_picture_options[] = {
    {.name = "output",
     .value = "FILE",
     .help = "PNG file to write; an existing file is replaced",
     .required = true},
};
static const struct option review_accept_options[] = {
    BY_OPTION,
    {.name = "despite", .value = "CHECK,...", .help = "accept although these checks failed"},
    {.name = "reason",
     .value = "TEXT",
     .help = "why the failed checks do not matter",
     .valid = value_is_text},
};
static const struct option review_reject_options[] = {
    BY_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why it is rejected; recorded in the history",
     .required = true,
     .valid = value_is_text},
};
static const struct option review_edit_options[] = {
    BY_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the history",
     .valid = value_is_text},
};
static const struct option review_add_row_options[] = {
    BY_OPTION,
    {.name = "page",
     .value = "NUMBER",
     .help = "page of the document that the row is on",
     .valid = value_is_count},
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the history",
     .valid = value_is_text},
};
static const struct option review_new_options[] = {
    BY_OPTION,
    {.name = "filer", .value = "SLUG", .help = "member who filed it"},
    {.name = "filed", .value = "YYYY-MM-DD", .help = "filing date", .valid = value_is_day},
    {.name = "url", .value = "URL", .help = "official URL of the document"},
};
static const struct option publish_options[] = {
    BY_OPTION,
    {.name = "all-accepted", .help = "publish all accepted drafts, oldest filing first"},
    {.name = "backfill",
     .help = "publish as bulk history: send no event, set disclosedAt to the time of the filing"},
};
static const struct option published_options[] = {
    BY_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the corrections log",
     .required = true,
     .valid = value_is_text},
};
static const struct option members_correct_options[] = {
    BY_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the corrections log",
     .required = true,
     .valid = value_is_text},
    {.name = "names", .help = "also replace the names by those of today"},
    {.name = "dry-run", .help = "change nothing; show what differs"},
};
static const struct option check_options[] = {
    {.name = "head",
     .value = "NUMBER:HASH",
     .help = "a head that an earlier check printed: it must still be in the chain",
     .valid = value_is_text},
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

#define OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof *(table)

const struct command commands[] = {
    {.name = "serve",
     .scope = SETTINGS_SERVE,
     .run = cmd_serve,
     .summary = "run the HTTP server",
     .notes = "SIGTERM and SIGINT stop it: it answers the requests in progress, writes its counts "
              "and exits within 12 seconds. Only one server can use an SQLite database at a time. "
              "Other commands can run at the same time."},
    {.name = "demo",
     OPTIONS(demo_options),
     .run = cmd_demo,
     .summary = "fill an empty database with invented data",
     .notes = "Marks the database. Its server says that the data is invented: in the header X-Data "
              "of every response, in /coverage and the OpenAPI document, in the texts for language "
              "models, on its pages and in its log."},
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
     .notes =
         "Run it after an import of terms that were missing. The corrections log gets an entry "
         "for each field of each trade."},
    {.name = "committees import",
     .operands = "[COMMITTEES.json MEMBERSHIP.json]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(committees_options),
     .run = cmd_committees_import,
     .summary = "import the committee seats of one day from congress-legislators, or over time",
     .notes =
         "The program ships with the seats since 2012-11. Import newer lists, or others. Days may "
         "be imported in any order. Importing the same files again changes nothing. Entries "
         "that are not valid are left out and named. The next `sweep` updates the conflict "
         "signals of public trades."},
    {.name = "tickers import",
     .operands = "FILE...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_tickers_import,
     .summary = "import symbol lists from S&P 500, SEC, Nasdaq and other exchanges"},
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
    {.name = "review list",
     OPTIONS(review_list_options),
     .run = cmd_review_list,
     .summary = "list the drafts"},
    {.name = "review show",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_review_show,
     .summary = "compare a draft with what is already public"},
    {.name = "review picture",
     .operands = "ID PAGE",
     .operand_count = 2,
     OPTIONS(review_picture_options),
     .run = cmd_review_picture,
     .summary = "write one page of a draft's document as a PNG picture"},
    {.name = "review suggest",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_review_suggest,
     .summary = "print the text that tesseract reads on a scan; changes nothing"},
    {.name = "review claim",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_options),
     .run = cmd_review_claim,
     .summary = "lock a draft for 30 minutes"},
    {.name = "review accept",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_accept_options),
     .run = cmd_review_accept,
     .summary = "accept a draft in its current state"},
    {.name = "review reject",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_reject_options),
     .run = cmd_review_reject,
     .summary = "reject a draft; claim it to reopen it"},
    {.name = "review set",
     .operands = "ID ROW FIELD VALUE",
     .operand_count = 4,
     OPTIONS(review_edit_options),
     .run = cmd_review_set,
     .summary = "change a field of a row; row 0 is the filing (fields: filed, url)"},
    {.name = "review add-row",
     .operands = "ID [FIELD=VALUE...]",
     .operand_count = OPERANDS_MANY,
     OPTIONS(review_add_row_options),
     .run = cmd_review_add_row,
     .summary = "add a row by hand"},
    {.name = "review delete-row",
     .operands = "ID ROW",
     .operand_count = 2,
     OPTIONS(review_edit_options),
     .run = cmd_review_delete_row,
     .summary = "delete a row from the draft; the history keeps it"},
    {.name = "review set-filer",
     .operands = "ID SLUG|ID",
     .operand_count = 2,
     OPTIONS(review_edit_options),
     .run = cmd_review_set_filer,
     .summary = "set the member who filed it, also for later documents with the same printed name",
     .notes = "A public filing is given to that member with its trades; this needs --reason."},
    {.name = "review new",
     .operands = "house|senate DOCUMENT",
     .operand_count = 2,
     OPTIONS(review_new_options),
     .run = cmd_review_new,
     .summary = "create a draft for a paper filing without a file"},
    {.name = "publish",
     .operands = "[ID...]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(publish_options),
     .run = cmd_publish,
     .summary = "publish accepted drafts"},
    {.name = "correct",
     .operands = "TRADE FIELD VALUE",
     .operand_count = 3,
     OPTIONS(published_options),
     .run = cmd_correct,
     .summary = "change a field of a published trade; the corrections log keeps the old value"},
    {.name = "coverage",
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
    {.name = "withdraw",
     .operands = "TRADE|FILING",
     .operand_count = 1,
     OPTIONS(published_options),
     .run = cmd_withdraw,
     .summary = "withdraw a published trade or filing"},
    {.name = "reinstate",
     .operands = "TRADE|FILING",
     .operand_count = 1,
     OPTIONS(published_options),
     .run = cmd_reinstate,
     .summary = "take a withdrawal back",
     .notes =
         "The trade is public again under its old id and disclosedAt. A filing comes back with "
         "the trades that were withdrawn together with it."},
    {.name = "accounts create",
     OPTIONS(accounts_create_options),
     .run = cmd_accounts_create,
     .summary = "create an account"},
    {.name = "accounts set-plan",
     OPTIONS(accounts_set_plan_options),
     .run = cmd_accounts_set_plan,
     .summary = "change the plan, from the next request on"},
    {.name = "accounts set-role",
     OPTIONS(accounts_set_role_options),
     .run = cmd_accounts_set_role,
     .summary = "change the role"},
    {.name = "accounts disable",
     OPTIONS(account_options),
     .run = cmd_accounts_disable,
     .summary = "disable an account; its keys stop working"},
    {.name = "accounts enable",
     OPTIONS(account_options),
     .run = cmd_accounts_enable,
     .summary = "enable a disabled account"},
    {.name = "accounts password",
     OPTIONS(accounts_password_options),
     .run = cmd_accounts_password,
     .summary = "set the password"},
    {.name = "accounts list", .run = cmd_accounts_list, .summary = "list all accounts"},
    {.name = "keys mint",
     OPTIONS(keys_mint_options),
     .run = cmd_keys_mint,
     .summary = "create an API key and print it; it is not shown again"},
    {.name = "keys list",
     OPTIONS(account_options),
     .run = cmd_keys_list,
     .summary = "list an account's keys, including revoked ones"},
    {.name = "keys revoke",
     OPTIONS(keys_revoke_options),
     .run = cmd_keys_revoke,
     .summary = "revoke a key; every server rejects it from now on"},
    {.name = "webhooks add",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_add_options),
     .run = cmd_webhooks_add,
     .summary = "add an endpoint and print its secret; it is not shown again",
     .notes = "A URL that no delivery can ever reach is rejected. If its name does not resolve, or "
              "resolves to a blocked address at the moment, the output has a warning."},
    {.name = "webhooks list",
     OPTIONS(webhooks_list_options),
     .run = cmd_webhooks_list,
     .summary = "list the endpoints"},
    {.name = "webhooks set-events",
     OPTIONS(webhooks_set_events_options),
     .run = cmd_webhooks_set_events,
     .summary = "set the events that an endpoint receives, from the next one on"},
    {.name = "webhooks enable",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_enable,
     .summary = "enable an endpoint; its held events are sent, oldest first"},
    {.name = "webhooks disable",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_disable,
     .summary = "disable an endpoint; its events are held for 30 days"},
    {.name = "webhooks remove",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_remove,
     .summary = "remove an endpoint permanently"},
    {.name = "webhooks rotate",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_rotate_options),
     .run = cmd_webhooks_rotate,
     .summary = "create a new secret and print it; it is not shown again"},
    {.name = "webhooks test",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_test,
     .summary = "send one signed test request now and show the result"},
    {.name = "webhooks deliveries",
     OPTIONS(webhooks_deliveries_options),
     .run = cmd_webhooks_deliveries,
     .summary = "list deliveries, newest first"},
    {.name = "webhooks replay",
     .operands = "[DELIVERY]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(webhooks_replay_options),
     .run = cmd_webhooks_replay,
     .summary = "send deliveries again with the same ids"},
    {.name = "migrate",
     .run = cmd_migrate,
     .summary = "apply the migrations of this version to the database"},
    {.name = "check",
     OPTIONS(check_options),
     .run = cmd_check,
     .summary = "check the integrity of the database and the chain over publications",
     .notes = "Prints the head of the chain: note it elsewhere and compare it later with --head."},
    {.name = "audit",
     OPTIONS(audit_options),
     .run = cmd_audit,
     .summary = "compare what is published with second sources; list the disagreements",
     .notes = "Exit status 1 if there are disagreements. It changes nothing."},
    {.name = "backup",
     .operands = "FILE",
     .operand_count = 1,
     .run = cmd_backup,
     .summary = "copy an SQLite database while it is in use"},
    {.name = "version", .run = cmd_version, .summary = "show the version"},
};
const size_t commands_count = sizeof commands / sizeof *commands;

const struct option commands_common[] = {
    {.name = "json", .help = "print one JSON object per line"},
    {.name = "help", .help = "print this help"},
};
const size_t commands_common_count = sizeof commands_common / sizeof *commands_common;

/* The number of words in `name` if the arguments begin with them, otherwise 0. */
static int match_words(const char *name, int argc, char **argv)
{
    struct str rest = str_from(name), word;
    int words = 0;
    while (str_split(&rest, ' ', &word)) {
        if (words >= argc || !str_eq(str_from(argv[words]), word))
            return 0;
        words++;
    }
    return words;
}

const struct command *command_find(int argc, char **argv, int *ret_words)
{
    for (size_t i = 0; i < commands_count; i++) {
        int words = match_words(commands[i].name, argc, argv);
        if (words > 0) {
            *ret_words = words;
            return &commands[i];
        }
    }
    return NULL;
}

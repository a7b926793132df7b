/* The table of subcommands; see commands.h. */
#include "cmd/commands.h"

#include "config/values.h"

#define EMAIL_OPTION(help_)                                                                        \
    {                                                                                              \
        .name = "email", .value = "EMAIL", .help = (help_), .required = true,                      \
        .valid = value_is_email                                                                    \
    }
#define PLAN_OPTION                                                                                \
    {                                                                                              \
        .name = "plan", .value = "scout|wolf|pack|den", .help = "the plan", .required = true,      \
        .valid = value_is_plan                                                                     \
    }
#define BY_OPTION(help_)                                                                           \
    {                                                                                              \
        .name = "by", .value = "EMAIL", .help = (help_), .required = true, .valid = value_is_email \
    }

static const struct option demo_options[] = {
    {.name = "trades",
     .value = "N",
     .help = "how many trades (default 5000)",
     .valid = value_is_count},
    {.name = "as-of",
     .value = "DATE",
     .help = "last day of the data (default: today)",
     .valid = value_is_day},
    {.name = "publish",
     .value = "N",
     .help = "publish N further filings live instead",
     .valid = value_is_count},
    {.name = "rows",
     .value = "N",
     .help = "trades in each of them (default 5)",
     .valid = value_is_count},
    {.name = "every",
     .value = "MS",
     .help = "milliseconds between them (default 0)",
     .valid = value_is_count},
};
static const struct option committees_options[] = {
    {.name = "as-of",
     .value = "DATE",
     .help = "the day on which they stood so (default: today in Washington)",
     .valid = value_is_day},
};
static const struct option backfill_options[] = {BY_OPTION("who vouches for it")};
static const struct option sync_options[] = {
    {.name = "year",
     .value = "YYYY",
     .help = "that year alone (default: this one and the one before)",
     .valid = value_is_year},
    {.name = "base-url",
     .value = "URL",
     .help = "another server in the site's place; http:// only on this machine",
     .valid = value_is_sync_url},
};
static const struct option review_options[] = {BY_OPTION("who looks at it")};
static const struct option review_list_options[] = {
    {.name = "state", .value = "STATE", .help = "only those in that state"}};
static const struct option review_picture_options[] = {
    {.name = "output",
     .value = "FILE",
     .help = "the PNG to write; a file of that name is replaced",
     .required = true},
};
static const struct option review_accept_options[] = {
    BY_OPTION("who accepts it"),
    {.name = "despite", .value = "CHECK,...", .help = "failed checks that were looked at"},
    {.name = "reason", .value = "TEXT", .help = "why they do not matter", .valid = value_is_text},
};
static const struct option review_reject_options[] = {
    BY_OPTION("who rejects it"),
    {.name = "reason", .value = "TEXT", .help = "why", .required = true, .valid = value_is_text},
};
static const struct option review_edit_options[] = {
    BY_OPTION("who changes it"),
    {.name = "reason",
     .value = "TEXT",
     .help = "why; the history keeps it",
     .valid = value_is_text},
};
static const struct option review_add_row_options[] = {
    BY_OPTION("who adds it"),
    {.name = "page", .value = "N", .help = "the page where it stands", .valid = value_is_count},
    {.name = "reason",
     .value = "TEXT",
     .help = "why; the history keeps it",
     .valid = value_is_text},
};
static const struct option review_new_options[] = {
    BY_OPTION("who begins it"),
    {.name = "filer", .value = "SLUG", .help = "who filed it"},
    {.name = "filed", .value = "DATE", .help = "when it was filed", .valid = value_is_day},
    {.name = "url", .value = "URL", .help = "the official address of the document"},
};
static const struct option publish_options[] = {
    BY_OPTION("who publishes"),
    {.name = "all-accepted", .help = "every accepted draft, the earliest filing first"},
    {.name = "backfill", .help = "as bulk history: no event, disclosedAt is the filing instant"},
};
static const struct option correct_options[] = {
    BY_OPTION("who corrects it"),
    {.name = "reason",
     .value = "TEXT",
     .help = "why; the corrections log keeps it",
     .required = true,
     .valid = value_is_text},
};
static const struct option sweep_options[] = {
    {.name = "explain",
     .value = "TRADE",
     .help = "write nothing; say how the rule comes to its answer for that trade"},
};
static const struct option withdraw_options[] = {
    BY_OPTION("who withdraws it"),
    {.name = "reason",
     .value = "TEXT",
     .help = "why; the corrections log keeps it",
     .required = true,
     .valid = value_is_text},
};
static const struct option accounts_create_options[] = {
    EMAIL_OPTION("whose account"),
    PLAN_OPTION,
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "the role (default member)",
     .valid = value_is_role},
    {.name = "password-stdin", .help = "read a password from standard input"},
};
static const struct option accounts_set_plan_options[] = {
    EMAIL_OPTION("whose account"), PLAN_OPTION};
static const struct option accounts_set_role_options[] = {
    EMAIL_OPTION("whose account"),
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "the role",
     .required = true,
     .valid = value_is_role},
};
static const struct option accounts_password_options[] = {
    EMAIL_OPTION("whose account"),
    {.name = "password-stdin", .help = "read the password from standard input", .required = true},
};
static const struct option account_options[] = {EMAIL_OPTION("whose account")};
static const struct option keys_mint_options[] = {
    EMAIL_OPTION("whose key"),
    {.name = "name",
     .value = "NAME",
     .help = "what the key is for",
     .required = true,
     .valid = value_is_text},
};
static const struct option keys_revoke_options[] = {
    {.name = "id", .value = "ID", .help = "which key", .required = true}};

#define ENDPOINT_OPTION                                                                            \
    {                                                                                              \
        .name = "id", .value = "ID", .help = "which endpoint", .required = true                    \
    }

static const struct option webhooks_add_options[] = {
    EMAIL_OPTION("whose endpoint"),
    {.name = "url", .value = "URL", .help = "where events are sent", .required = true},
};
static const struct option webhooks_list_options[] = {
    {.name = "email",
     .value = "EMAIL",
     .help = "that account's endpoints alone",
     .valid = value_is_email},
};
static const struct option webhooks_options[] = {ENDPOINT_OPTION};
static const struct option webhooks_rotate_options[] = {
    ENDPOINT_OPTION,
    {.name = "grace",
     .value = "HOURS",
     .help = "how long the old secret signs too, 0 to 24 (default 24)",
     .valid = value_is_grace},
};
static const struct option webhooks_deliveries_options[] = {
    {.name = "endpoint", .value = "ID", .help = "that endpoint's alone"},
    {.name = "limit", .value = "N", .help = "the newest N (default 100)", .valid = value_is_count},
    {.name = "attempts", .value = "DELIVERY", .help = "show the attempts of that delivery instead"},
};
static const struct option webhooks_replay_options[] = {
    {.name = "failed-since",
     .value = "INSTANT",
     .help = "all that failed for good since then",
     .valid = value_is_instant},
    {.name = "expired-since",
     .value = "INSTANT",
     .help = "all that expired since then, while their endpoint was not enabled",
     .valid = value_is_instant},
    {.name = "endpoint", .value = "ID", .help = "of these, that endpoint's alone"},
};

#define OPTIONS(table) .options = (table), .option_count = sizeof(table) / sizeof *(table)

const struct command commands[] = {
    {.name = "serve",
     .scope = SETTINGS_SERVE,
     .run = cmd_serve,
     .summary = "answer the HTTP API until told to stop",
     .notes = "SIGTERM and SIGINT stop it: it answers the requests in progress, writes its counts "
              "and exits within 12 seconds. One server uses an embedded database at a time; the "
              "other commands work beside it."},
    {.name = "demo",
     OPTIONS(demo_options),
     .run = cmd_demo,
     .summary = "fill an empty database with invented data"},
    {.name = "members import",
     .operands = "FILE...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_members_import,
     .summary = "take in congress-legislators JSON and CSV, all files at once"},
    {.name = "committees import",
     .operands = "COMMITTEES.json MEMBERSHIP.json",
     .operand_count = 2,
     OPTIONS(committees_options),
     .run = cmd_committees_import,
     .summary = "take in congress-legislators' committees and seats as they stood on a day",
     .notes = "Days may be imported in any order; the same files again change nothing. Conflict "
              "signals of public trades follow with the next `sweep`."},
    {.name = "tickers import",
     .operands = "FILE...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_tickers_import,
     .summary = "take in lists of symbols: S&P 500, SEC, Nasdaq, other exchanges"},
    {.name = "backfill senate-stock-watcher",
     .operands = "FILE",
     .operand_count = 1,
     OPTIONS(backfill_options),
     .run = cmd_backfill_stock_watcher,
     .summary = "take in bulk history that a person vouches for"},
    {.name = "ingest",
     .operands = "PATH...",
     .operand_count = OPERANDS_MANY,
     .run = cmd_ingest,
     .summary = "read House indexes and reports and Senate pages, or folders of them, into drafts"},
    {.name = "sync house",
     .scope = SETTINGS_SYNC,
     OPTIONS(sync_options),
     .run = cmd_sync_house,
     .summary = "fetch the Clerk's index and the reports that are missing, one in two seconds",
     .notes = "If the site refuses, save its files by hand and use `ingest`."},
    {.name = "sync senate",
     .scope = SETTINGS_SYNC,
     OPTIONS(sync_options),
     .run = cmd_sync_senate,
     .summary = "search the Senate's site and fetch the reports that are missing, the same way",
     .notes = "If the site refuses, save its files by hand and use `ingest`."},
    {.name = "review list",
     OPTIONS(review_list_options),
     .run = cmd_review_list,
     .summary = "show the drafts"},
    {.name = "review show",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_review_show,
     .summary = "show a draft: what is printed, what was read, what publishing would do"},
    {.name = "review picture",
     .operands = "ID PAGE",
     .operand_count = 2,
     OPTIONS(review_picture_options),
     .run = cmd_review_picture,
     .summary = "draw a page of the document, to enter by hand what it says"},
    {.name = "review suggest",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_review_suggest,
     .summary = "show what tesseract reads on the pages of a scan; nothing is entered"},
    {.name = "review claim",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_options),
     .run = cmd_review_claim,
     .summary = "take a draft for half an hour"},
    {.name = "review accept",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_accept_options),
     .run = cmd_review_accept,
     .summary = "accept a draft as it is shown now"},
    {.name = "review reject",
     .operands = "ID",
     .operand_count = 1,
     OPTIONS(review_reject_options),
     .run = cmd_review_reject,
     .summary = "reject a draft"},
    {.name = "review set",
     .operands = "ID ROW FIELD VALUE",
     .operand_count = 4,
     OPTIONS(review_edit_options),
     .run = cmd_review_set,
     .summary = "change a field of a row; row 0 is the filing: filed, url"},
    {.name = "review add-row",
     .operands = "ID [FIELD=VALUE...]",
     .operand_count = OPERANDS_MANY,
     OPTIONS(review_add_row_options),
     .run = cmd_review_add_row,
     .summary = "enter a row by hand"},
    {.name = "review delete-row",
     .operands = "ID ROW",
     .operand_count = 2,
     OPTIONS(review_edit_options),
     .run = cmd_review_delete_row,
     .summary = "take a row out; it stays on record"},
    {.name = "review set-filer",
     .operands = "ID SLUG",
     .operand_count = 2,
     OPTIONS(review_options),
     .run = cmd_review_set_filer,
     .summary = "say who filed it; the printed name is remembered"},
    {.name = "review new",
     .operands = "house|senate DOCUMENT",
     .operand_count = 2,
     OPTIONS(review_new_options),
     .run = cmd_review_new,
     .summary = "begin a draft of a paper that has no file"},
    {.name = "publish",
     .operands = "[ID...]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(publish_options),
     .run = cmd_publish,
     .summary = "make accepted drafts public"},
    {.name = "correct",
     .operands = "TRADE FIELD VALUE",
     .operand_count = 3,
     OPTIONS(correct_options),
     .run = cmd_correct,
     .summary = "change a published field; the corrections log keeps what it was"},
    {.name = "coverage",
     .run = cmd_coverage,
     .summary = "count the documents of the ledger by chamber, year and state"},
    {.name = "sweep",
     OPTIONS(sweep_options),
     .run = cmd_sweep,
     .summary = "judge every trade's conflict signal anew and write what changed",
     .notes = "SIGTERM and SIGINT stop it between two stretches of a thousand trades; what it has "
              "written stays. With `--explain` it shows the values that the rule looked up, the "
              "member's seats, with a star before those that count, and the history of the "
              "trade's signal."},
    {.name = "withdraw",
     .operands = "TRADE|FILING",
     .operand_count = 1,
     OPTIONS(withdraw_options),
     .run = cmd_withdraw,
     .summary = "take a published trade or filing back"},
    {.name = "accounts create",
     OPTIONS(accounts_create_options),
     .run = cmd_accounts_create,
     .summary = "open an account"},
    {.name = "accounts set-plan",
     OPTIONS(accounts_set_plan_options),
     .run = cmd_accounts_set_plan,
     .summary = "change the plan, effective on the next request"},
    {.name = "accounts set-role",
     OPTIONS(accounts_set_role_options),
     .run = cmd_accounts_set_role,
     .summary = "change the role"},
    {.name = "accounts disable",
     OPTIONS(account_options),
     .run = cmd_accounts_disable,
     .summary = "close an account; its keys stop working"},
    {.name = "accounts enable",
     OPTIONS(account_options),
     .run = cmd_accounts_enable,
     .summary = "open a disabled account again"},
    {.name = "accounts password",
     OPTIONS(accounts_password_options),
     .run = cmd_accounts_password,
     .summary = "set the password"},
    {.name = "accounts list", .run = cmd_accounts_list, .summary = "show all accounts"},
    {.name = "keys mint",
     OPTIONS(keys_mint_options),
     .run = cmd_keys_mint,
     .summary = "make an API key; it is shown this once"},
    {.name = "keys list",
     OPTIONS(account_options),
     .run = cmd_keys_list,
     .summary = "show an account's keys, revoked ones too"},
    {.name = "keys revoke",
     OPTIONS(keys_revoke_options),
     .run = cmd_keys_revoke,
     .summary = "end a key at once"},
    {.name = "webhooks add",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_add_options),
     .run = cmd_webhooks_add,
     .summary = "add an endpoint; its secret is shown this once"},
    {.name = "webhooks list",
     OPTIONS(webhooks_list_options),
     .run = cmd_webhooks_list,
     .summary = "show the endpoints"},
    {.name = "webhooks enable",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_enable,
     .summary = "enable an endpoint; what was held for it is sent, the oldest first"},
    {.name = "webhooks disable",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_disable,
     .summary = "send nothing to an endpoint; events are held for 30 days"},
    {.name = "webhooks remove",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_remove,
     .summary = "remove an endpoint for good"},
    {.name = "webhooks rotate",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_rotate_options),
     .run = cmd_webhooks_rotate,
     .summary = "make a new secret; it is shown this once"},
    {.name = "webhooks test",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_test,
     .summary = "send one signed request now and show what came of it"},
    {.name = "webhooks deliveries",
     OPTIONS(webhooks_deliveries_options),
     .run = cmd_webhooks_deliveries,
     .summary = "show the log of deliveries, the newest first"},
    {.name = "webhooks replay",
     .operands = "[DELIVERY]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(webhooks_replay_options),
     .run = cmd_webhooks_replay,
     .summary = "send deliveries again, with their old ids"},
    {.name = "migrate", .run = cmd_migrate, .summary = "bring the database to this version"},
    {.name = "check", .run = cmd_check, .summary = "look for damage in the database"},
    {.name = "backup",
     .operands = "FILE",
     .operand_count = 1,
     .run = cmd_backup,
     .summary = "copy an embedded database while it is in use"},
    {.name = "version", .run = cmd_version, .summary = "show the version"},
};
const size_t commands_count = sizeof commands / sizeof *commands;

const struct option commands_common[] = {
    {.name = "json", .help = "one JSON object per line on standard output"},
    {.name = "help", .help = "this text"},
};
const size_t commands_common_count = sizeof commands_common / sizeof *commands_common;

/* How many of the arguments the command's name takes; 0 when they are others. */
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

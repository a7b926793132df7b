/* Options that several commands share, and those of `accounts`, `keys`, `webhooks`
 * and `listen`. */
#pragma once

#include "cmd/commands.h"
#include "config/values.h"

#define EMAIL_OPTION                                                                               \
    {                                                                                              \
        .name = "email", .value = "EMAIL", .help = "e-mail address of the account",                \
        .required = true, .valid = value_is_email                                                  \
    }
#define PLAN_OPTION                                                                                \
    {                                                                                              \
        .name = "plan", .value = "scout|wolf|pack|den", .help = "plan of the account",             \
        .required = true, .valid = value_is_plan                                                   \
    }
#define BY_OPTION                                                                                  \
    {                                                                                              \
        .name = "by", .value = "EMAIL", .help = "your e-mail address; it is recorded",             \
        .required = true, .valid = value_is_email                                                  \
    }

static const struct option accounts_create_options[] = {
    EMAIL_OPTION,
    PLAN_OPTION,
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account (default member)",
     .valid = value_is_role},
    {.name = "password-stdin", .help = "read a password from standard input"},
};
static const struct option accounts_set_plan_options[] = {EMAIL_OPTION, PLAN_OPTION};
static const struct option accounts_set_role_options[] = {
    EMAIL_OPTION,
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account",
     .required = true,
     .valid = value_is_role},
};
static const struct option accounts_password_options[] = {
    EMAIL_OPTION,
    {.name = "password-stdin", .help = "read the password from standard input", .required = true},
};
static const struct option account_options[] = {EMAIL_OPTION};
#define LINK_OPTION                                                                                \
    {                                                                                              \
        .name = "link", .help = "print the link, and send no e-mail"                               \
    }
static const struct option accounts_invite_options[] = {
    EMAIL_OPTION,
    {.name = "plan",
     .value = "scout|wolf|pack|den",
     .help = "plan of the account (default scout)",
     .valid = value_is_plan},
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "role of the account (default member)",
     .valid = value_is_role},
    LINK_OPTION,
};
static const struct option accounts_link_options[] = {EMAIL_OPTION, LINK_OPTION};
static const struct option accounts_set_address_options[] = {
    EMAIL_OPTION,
    {.name = "to",
     .value = "EMAIL",
     .help = "the new address",
     .required = true,
     .valid = value_is_email},
};
static const struct option accounts_end_sessions_options[] = {
    EMAIL_OPTION,
    {.name = "id", .value = "ID", .help = "only this session, from `accounts sessions`"},
};
static const struct option accounts_delete_options[] = {
    EMAIL_OPTION,
    {.name = "yes", .help = "confirm that this cannot be undone", .required = true},
};
static const struct option keys_mint_options[] = {
    EMAIL_OPTION,
    {.name = "name",
     .value = "NAME",
     .help = "name of the key, such as the program that uses it",
     .required = true,
     .valid = value_is_text},
};
static const struct option keys_revoke_options[] = {
    {.name = "id", .value = "ID", .help = "id of the key, from `keys list`", .required = true}};

static const struct option keys_rename_options[] = {
    {.name = "id", .value = "ID", .help = "id of the key, from `keys list`", .required = true},
    {.name = "name",
     .value = "NAME",
     .help = "new name of the key",
     .required = true,
     .valid = value_is_text},
};
static const struct option keys_usage_options[] = {
    {.name = "id", .value = "ID", .help = "this key, with its days and errors"},
    {.name = "email",
     .value = "EMAIL",
     .help = "instead: all keys of this account, one line each",
     .valid = value_is_email},
};

#define ENDPOINT_OPTION                                                                            \
    {                                                                                              \
        .name = "id", .value = "ID", .help = "id of the endpoint, from `webhooks list`",           \
        .required = true                                                                           \
    }

#define EVENTS_HELP                                                                                \
    "events that it receives, separated by commas: trade.published, trade.corrected, "             \
    "trade.withdrawn, trade.reinstated"

static const struct option webhooks_add_options[] = {
    EMAIL_OPTION,
    {.name = "url", .value = "URL", .help = "URL that receives the events", .required = true},
    {.name = "events",
     .value = "LIST",
     .help = EVENTS_HELP " (default trade.published)",
     .valid = value_is_events},
    {.name = "description", .value = "TEXT", .help = "words of the owner, for lists and e-mails"},
};
static const struct option webhooks_change_options[] = {
    ENDPOINT_OPTION,
    {.name = "url", .value = "URL", .help = "URL that receives the events from now on"},
    {.name = "description", .value = "TEXT", .help = "words of the owner; empty for none"},
};
static const struct option webhooks_set_events_options[] = {
    ENDPOINT_OPTION,
    {.name = "events",
     .value = "LIST",
     .help = EVENTS_HELP,
     .required = true,
     .valid = value_is_events},
};
static const struct option webhooks_list_options[] = {
    {.name = "email",
     .value = "EMAIL",
     .help = "list only this account's endpoints",
     .valid = value_is_email},
};
static const struct option webhooks_options[] = {ENDPOINT_OPTION};
static const struct option webhooks_rotate_options[] = {
    ENDPOINT_OPTION,
    {.name = "grace",
     .value = "HOURS",
     .help = "hours for which the old secret signs too, 0 to 24 (default 24)",
     .valid = value_is_grace},
    {.name = "force",
     .help = "also while the old secret of the last rotation signs; that one then ends at once"},
};
static const struct option webhooks_test_options[] = {
    ENDPOINT_OPTION,
    {.name = "by-server", .help = "let a running server send it, and print the id of the delivery"},
};
static const struct option webhooks_deliveries_options[] = {
    {.name = "endpoint", .value = "ID", .help = "list only this endpoint's deliveries"},
    {.name = "limit",
     .value = "NUMBER",
     .help = "number of deliveries to list (default 100)",
     .valid = value_is_count},
    {.name = "state",
     .value = "pending|delivered|failed|expired",
     .help = "list only deliveries in this state"},
    {.name = "since",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "list only deliveries of events from this instant on",
     .valid = value_is_instant},
    {.name = "until",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "list only deliveries of events before this instant",
     .valid = value_is_instant},
    {.name = "attempts", .value = "DELIVERY", .help = "list the attempts of this delivery instead"},
    {.name = "body", .value = "DELIVERY", .help = "show this delivery and its exact body instead"},
};
static const struct option webhooks_replay_options[] = {
    {.name = "failed-since",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "all deliveries that failed permanently since this instant",
     .valid = value_is_instant},
    {.name = "expired-since",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help =
         "all deliveries that expired since this instant, held for a disabled or paused endpoint",
     .valid = value_is_instant},
    {.name = "endpoint",
     .value = "ID",
     .help = "with --failed-since or --expired-since: only this endpoint's"},
    {.name = "until",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "with --failed-since or --expired-since: only those that ended before this instant",
     .valid = value_is_instant},
    {.name = "count", .help = "replay nothing; print how many deliveries match"},
};

static const struct option listen_options[] = {
    {.name = "to",
     .value = "URL",
     .help = "receiver of the events, such as http://localhost:3000/hook",
     .valid = value_is_line},
    {.name = "print-only", .help = "instead of --to: print the events with their bodies"},
    {.name = "events",
     .value = "LIST",
     .help = "only these, separated by commas: trade.published, trade.corrected, "
             "trade.withdrawn, trade.reinstated (default: all)",
     .valid = value_is_events},
    {.name = "last", .value = "NUMBER", .help = "begin with so many past events, at most 100"},
    {.name = "cursor",
     .value = "CURSOR",
     .help = "begin at the position that an earlier run printed",
     .valid = value_is_cursor},
    {.name = "url",
     .value = "URL",
     .help = "base URL of the server [SVC_API_URL]",
     .valid = value_is_line},
    {.name = "key-file",
     .value = "FILE",
     .help = "file with the API key [SVC_API_KEY]",
     .valid = value_is_line},
    {.name = "secret-file",
     .value = "FILE",
     .help = "file with the signing secret (default: one derived from key and machine)",
     .valid = value_is_line},
};

static const struct option trigger_options[] = {
    {.name = "to",
     .value = "ENDPOINT|URL",
     .help = "the id of an endpoint, or any URL, such as http://localhost:3000/hook",
     .required = true,
     .valid = value_is_line},
    {.name = "secret-file",
     .value = "FILE",
     .help = "for a URL: file with the signing secret (default: that of `listen`)",
     .valid = value_is_line},
};

/* --- data, review, publishing and operation */

static const struct option demo_options[] = {
    {.name = "trades",
     .value = "NUMBER",
     .help = "number of trades (default 5000)",
     .valid = value_is_count},
    {.name = "as-of",
     .value = "YYYY-MM-DD",
     .help = "last day of the data (default: today)",
     .valid = value_is_day},
    {.name = "live",
     .help = "then serve the database, and publish one more filing every 30 seconds"},
    {.name = "publish",
     .value = "NUMBER",
     .help = "instead: publish NUMBER more filings live in a database that `demo` filled",
     .valid = value_is_count},
    {.name = "rows",
     .value = "NUMBER",
     .help = "with --live or --publish: trades per filing (default 5)",
     .valid = value_is_count},
    {.name = "every",
     .value = "TIME",
     .help = "pause between filings, such as 500ms, 30s or 5m (with --publish: none)",
     .valid = value_is_duration},
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
static const struct option secret_rotate_options[] = {
    {.name = "lost",
     .help = "the old key is lost: erase what it sealed; endpoints wait for `webhooks rotate`"},
};
static const struct option check_options[] = {
    {.name = "head",
     .value = "NUMBER:HASH",
     .help = "a head that an earlier check printed: it must still be in the chain",
     .valid = value_is_text},
};
#define BEFORE_OPTION                                                                              \
    {                                                                                              \
        .name = "before", .value = "NUMBER", .help = "continue a list: only smaller numbers",      \
        .valid = value_is_count                                                                    \
    }
#define LIMIT_OPTION                                                                               \
    {                                                                                              \
        .name = "limit", .value = "NUMBER", .help = "number of lines (default 100)",               \
        .valid = value_is_count                                                                    \
    }
static const struct option accounts_search_options[] = {
    {.name = "plan",
     .value = "scout|wolf|pack|den",
     .help = "only accounts with this plan",
     .valid = value_is_plan},
    {.name = "role",
     .value = "member|reviewer|admin",
     .help = "only accounts with this role",
     .valid = value_is_role},
    {.name = "state",
     .value = "any|enabled|disabled|deleted",
     .help = "only accounts in this state (default any: those that are not deleted)"},
    LIMIT_OPTION,
    BEFORE_OPTION,
};
static const struct option log_options[] = {
    {.name = "actor", .value = "ID", .help = "only what this account did"},
    {.name = "account", .value = "ID", .help = "only what concerns this account"},
    {.name = "action",
     .value = "NAME",
     .help = "only this action, or all that begin with it: key.mint, key"},
    {.name = "subject", .value = "ID", .help = "only actions on this key, endpoint or delivery"},
    {.name = "from",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "since this instant",
     .valid = value_is_instant},
    {.name = "to",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "before this instant",
     .valid = value_is_instant},
    {.name = "csv", .help = "print CSV for spreadsheets"},
    LIMIT_OPTION,
    BEFORE_OPTION,
};
static const struct option jobs_runs_options[] = {LIMIT_OPTION, BEFORE_OPTION};
static const struct option mail_list_options[] = {
    {.name = "state",
     .value = "waiting|retrying|given_up|sent",
     .help = "list only e-mails in this state"},
    LIMIT_OPTION,
    BEFORE_OPTION,
};
static const struct option mail_retry_options[] = {
    {.name = "given-up", .help = "all e-mails that were given up"},
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

/* Options that several commands share, and those of `accounts`, `keys` and `webhooks`. */
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
};
static const struct option webhooks_deliveries_options[] = {
    {.name = "endpoint", .value = "ID", .help = "list only this endpoint's deliveries"},
    {.name = "limit",
     .value = "NUMBER",
     .help = "number of deliveries to list (default 100)",
     .valid = value_is_count},
    {.name = "attempts", .value = "DELIVERY", .help = "list the attempts of this delivery instead"},
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
};

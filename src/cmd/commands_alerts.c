/* Commands on alerts; see commands.h. */
#include "account/alerts.h"
#include "cmd/commands_parts.h"

#define ALERT_OPTION                                                                               \
    {                                                                                              \
        .name = "id", .value = "ID", .help = "id of the alert, from `alerts list`",                \
        .required = true                                                                           \
    }
#define CRITERIA                                                                                   \
    {.name = "politician", .value = "SLUG", .help = "a member: slug, id or whole name"},           \
        {.name = "ticker", .value = "SYMBOL", .help = "a symbol"},                                 \
        {.name = "chamber", .value = "house|senate", .help = "filings of this chamber"},           \
        {.name = "seat",                                                                           \
         .value = "ID",                                                                            \
         .help = "trades by members who sat on this committee, such as HSAG"},                     \
        {.name = "sector",                                                                         \
         .value = "NAME",                                                                          \
         .help = "companies of this industry, such as oil_gas"},                                   \
        {.name = "grade", .value = "A|B|C", .help = "flagged with this grade or a better one"},    \
        {.name = "minimum", .value = "BRACKET", .help = "this bracket and higher ones: 50k_100k"}, \
    {                                                                                              \
        .name = "pace", .value = "now|daily|weekly",                                               \
        .help = "when e-mails are sent (default of a new alert: daily)"                            \
    }

static const struct option alerts_list_options[] = {
    {.name = "email",
     .value = "EMAIL",
     .help = "list only this account's alerts",
     .valid = value_is_email},
};
static const struct option alerts_add_options[] = {
    EMAIL_OPTION,
    CRITERIA,
    {.name = "flagged", .help = "only trades with a conflict signal"},
};
static const struct option alerts_change_options[] = {
    ALERT_OPTION,
    CRITERIA,
    {.name = "flagged", .help = "only trades with a conflict signal"},
    {.name = "unflagged", .help = "also trades without a conflict signal"},
};
static const struct option alerts_options[] = {ALERT_OPTION};
static const struct option alerts_confirm_options[] = {EMAIL_OPTION};

static const struct command commands[] = {
    {.name = "alerts list",
     OPTIONS(alerts_list_options),
     .read = cmd_alerts_list,
     .summary = "list the alerts: who gets e-mails about which trades"},
    {.name = "alerts add",
     OPTIONS(alerts_add_options),
     .run = cmd_alerts_add,
     .summary = "add an alert: e-mails about trades that match all criteria",
     .notes = "If the address is not confirmed, stockact first sends an e-mail with a confirmation "
              "link."},
    {.name = "alerts change",
     OPTIONS(alerts_change_options),
     .run = cmd_alerts_change,
     .summary = "change an alert; an empty value removes a criterion"},
    {.name = "alerts pause",
     OPTIONS(alerts_options),
     .run = cmd_alerts_act,
     .act = alerts_pause,
     .summary = "send no e-mails until the alert is resumed"},
    {.name = "alerts resume",
     OPTIONS(alerts_options),
     .run = cmd_alerts_act,
     .act = alerts_resume,
     .summary = "send e-mails again, from the next publication on"},
    {.name = "alerts end",
     OPTIONS(alerts_options),
     .run = cmd_alerts_act,
     .act = alerts_end,
     .summary = "end an alert permanently"},
    {.name = "alerts confirm",
     OPTIONS(alerts_confirm_options),
     .run = cmd_alerts_confirm,
     .act = alerts_confirm_ask,
     .summary = "send the confirmation e-mail again"},
};

const struct command_group commands_alerts = COMMAND_GROUP("alerts", commands);

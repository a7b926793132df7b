/* Commands on alerts; see commands.h. */
#include "account/alerts.h"
#include "cmd/commands_parts.h"

#define ALERT_OPTION OPTION("id", "id of the alert, from `alerts list`", "ID", NULL, REQUIRED)
#define CRITERIA                                                                                   \
    OPTION("politician", "a member: slug, id or whole name", "SLUG"),                              \
        OPTION("ticker", "a symbol", "SYMBOL"),                                                    \
        OPTION("chamber", "filings of this chamber", "house|senate"),                              \
        OPTION("seat", "trades by members who sat on this committee, such as HSAG", "ID"),         \
        OPTION("sector", "companies of this industry, such as oil_gas", "NAME"),                   \
        OPTION("grade", "flagged with this grade or a better one", "A|B|C"),                       \
        OPTION("minimum", "this bracket and higher ones: 50k_100k", "BRACKET"),                    \
        OPTION(                                                                                    \
            "pace", "when e-mails are sent (default of a new alert: daily)", "now|daily|weekly")

static const struct command commands[] = {
    {"alerts list", "list the alerts: who gets e-mails about which trades", .read = cmd_alerts_list,
     OPTIONS({"email", "list only this account's alerts", "EMAIL", value_is_email})},
    {"alerts add", "add an alert: e-mails about trades that match all criteria",
     .run = cmd_alerts_add,
     .notes = "If the address is not confirmed, stockact first sends an e-mail with a confirmation "
              "link.",
     OPTIONS(EMAIL_OPTION, CRITERIA, {"flagged", "only trades with a conflict signal"})},
    {"alerts change", "change an alert; an empty value removes a criterion",
     .run = cmd_alerts_change,
     OPTIONS(
         ALERT_OPTION, CRITERIA, {"flagged", "only trades with a conflict signal"},
         {"unflagged", "also trades without a conflict signal"})},
    {"alerts pause", "send no e-mails until the alert is resumed", .run = cmd_alerts_act,
     .act = alerts_pause, OPTIONS(ALERT_OPTION)},
    {"alerts resume", "send e-mails again, from the next publication on", .run = cmd_alerts_act,
     .act = alerts_resume, OPTIONS(ALERT_OPTION)},
    {"alerts end", "end an alert permanently", .run = cmd_alerts_act, .act = alerts_end,
     OPTIONS(ALERT_OPTION)},
    {"alerts confirm", "send the confirmation e-mail again", .run = cmd_alerts_confirm,
     .act = alerts_confirm_ask, OPTIONS(EMAIL_OPTION)},
};

const struct command_group commands_alerts = COMMAND_GROUP("alerts", commands);

/* Commands on webhooks; see commands.h. */
#include "cmd/commands_parts.h"
#include "webhook/owner.h"

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
    {.name = "description",
     .value = "TEXT",
     .help = "the owner's description, for lists and e-mails"},
};
static const struct option webhooks_change_options[] = {
    ENDPOINT_OPTION,
    {.name = "url", .value = "URL", .help = "URL that receives the events from now on"},
    {.name = "description", .value = "TEXT", .help = "the owner's description; empty for none"},
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
     .help = "hours for which the old secret also signs, 0 to 24 (default 24)",
     .valid = value_is_grace},
    {.name = "force",
     .help = "rotate even if the old secret of the last rotation still signs, or the master key "
             "does not open the secret; the older secret then ends at once"},
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
    {.name = "last", .value = "NUMBER", .help = "begin with this many past events, at most 100"},
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

static const struct command commands[] = {
    {.name = "webhooks add",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_add_options),
     .run = cmd_webhooks_add,
     .act = owner_add,
     .summary = "add an endpoint and print its secret",
     .notes = "A URL that no delivery can ever reach is rejected. If its name does not resolve, or "
              "currently resolves to a blocked address, the output has a warning."},
    {.name = "webhooks list",
     OPTIONS(webhooks_list_options),
     .read = cmd_webhooks_list,
     .summary = "list the endpoints"},
    {.name = "webhooks show",
     OPTIONS(webhooks_options),
     .read = cmd_webhooks_show,
     .summary = "show an endpoint and how its deliveries went in the last 24 hours"},
    {.name = "webhooks change",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_change_options),
     .run = cmd_webhooks_act,
     .act = owner_change,
     .summary = "change the URL or the description; the secret and the queue stay",
     .notes = "The URL is checked as by `webhooks add`."},
    {.name = "webhooks set-events",
     OPTIONS(webhooks_set_events_options),
     .run = cmd_webhooks_act,
     .act = owner_set_events,
     .summary = "set the events that an endpoint receives, from the next one on"},
    {.name = "webhooks enable",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_act,
     .act = owner_enable,
     .summary = "enable an endpoint; its held events are sent, oldest first"},
    {.name = "webhooks disable",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_act,
     .act = owner_disable,
     .summary = "disable an endpoint; its events are held for 30 days"},
    {.name = "webhooks remove",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_act,
     .act = owner_remove,
     .summary = "remove an endpoint permanently"},
    {.name = "webhooks rotate",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_rotate_options),
     .run = cmd_webhooks_secret,
     .act = owner_rotate,
     .summary = "create a new secret and print it; the old one also signs for some hours"},
    {.name = "webhooks end-overlap",
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_act,
     .act = owner_end_overlap,
     .summary = "end the old secret of a rotation now"},
    {.name = "webhooks reveal",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_options),
     .run = cmd_webhooks_secret,
     .act = owner_reveal,
     .summary = "print the current secret; the log of actions records it"},
    {.name = "webhooks test",
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(webhooks_test_options),
     .run = cmd_webhooks_test,
     .summary = "send one signed test request now and show the result"},
    {.name = "webhooks deliveries",
     OPTIONS(webhooks_deliveries_options),
     .run = cmd_webhooks_deliveries,
     .summary = "list deliveries, newest first; or show one",
     .notes = "On a terminal the list has the columns that fit on a line. --json has all of them."},
    {.name = "webhooks replay",
     .operands = "[DELIVERY]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(webhooks_replay_options),
     .run = cmd_webhooks_replay,
     .summary = "send deliveries again with the same ids",
     .notes = "Running servers send them; many deliveries are sent in batches. A replay does not "
              "count as a failure of the endpoint and does not reset its count."},
    {.name = "webhooks stuck",
     .read = cmd_webhooks_stuck,
     .summary = "list the endpoints whose deliveries are late or held",
     .notes = "A delivery is late five minutes after it was due. Up to 1000 deliveries of each "
              "endpoint are counted."},
    {.name = "listen",
     OPTIONS(listen_options),
     .run = cmd_listen,
     .summary = "forward the events of a server to a receiver on this machine, for development",
     .notes = "It calls the API of a server with the key in SVC_API_KEY, and needs no database. "
              "Without --url it uses SVC_API_URL, then http://127.0.0.1:8080. SSL_CERT_FILE names "
              "CA certificates to trust. Each event is sent once, as a POST signed like the "
              "server's own. SIGINT and SIGTERM end it with a summary."},
    {.name = "trigger",
     .operands = "EVENT",
     .operand_count = 1,
     .scope = SETTINGS_WEBHOOKS,
     OPTIONS(trigger_options),
     .run = cmd_trigger,
     .summary = "send one invented event, such as trade.published, to a receiver now",
     .notes = "The request is signed like any other and says that its data is invented (X-Data). "
              "An endpoint gets it with its own secret. A URL needs no database and gets it with "
              "the secret that `listen` uses on this machine with the key in SVC_API_KEY. Nothing "
              "is published, queued or sent again."},
};

const struct command_group commands_webhooks = COMMAND_GROUP("webhooks", commands);

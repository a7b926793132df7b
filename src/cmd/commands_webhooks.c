/* Commands on webhooks; see commands.h. */
#include "cmd/commands_parts.h"
#include "webhook/owner.h"

#define ENDPOINT_OPTION                                                                            \
    OPTION("id", "id of the endpoint, from `webhooks list`", "ID", NULL, REQUIRED)
#define EVENTS_HELP                                                                                \
    "events that it receives, separated by commas: trade.published, trade.corrected, "             \
    "trade.withdrawn, trade.reinstated"
static const struct command commands[] = {
    {"webhooks add", "add an endpoint and print its secret", .scope = SETTINGS_WEBHOOKS,
     .run = cmd_webhooks_add, .act = owner_add,
     .notes = "A URL that no delivery can ever reach is rejected. If its name does not resolve, or "
              "currently resolves to a blocked address, the output has a warning.",
     OPTIONS(
         EMAIL_OPTION, {"url", "URL that receives the events", "URL", NULL, REQUIRED},
         {"events", EVENTS_HELP " (default trade.published)", "LIST", value_is_events},
         {"description", "the owner's description, for lists and e-mails", "TEXT"})},
    {"webhooks list", "list the endpoints", .read = cmd_webhooks_list,
     OPTIONS({"email", "list only this account's endpoints", "EMAIL", value_is_email})},
    {"webhooks show", "show an endpoint and how its deliveries went in the last 24 hours",
     .read = cmd_webhooks_show, OPTIONS(ENDPOINT_OPTION)},
    {"webhooks change", "change the URL or the description; the secret and the queue stay",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_webhooks_act, .act = owner_change,
     .notes = "The URL is checked as by `webhooks add`.",
     OPTIONS(
         ENDPOINT_OPTION, {"url", "URL that receives the events from now on", "URL"},
         {"description", "the owner's description; empty for none", "TEXT"})},
    {"webhooks set-events", "set the events that an endpoint receives, from the next one on",
     .run = cmd_webhooks_act, .act = owner_set_events,
     OPTIONS(ENDPOINT_OPTION, {"events", EVENTS_HELP, "LIST", value_is_events, REQUIRED})},
    {"webhooks enable", "enable an endpoint; its held events are sent, oldest first",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_webhooks_act, .act = owner_enable,
     OPTIONS(ENDPOINT_OPTION)},
    {"webhooks disable", "disable an endpoint; its events are held for 30 days",
     .run = cmd_webhooks_act, .act = owner_disable, OPTIONS(ENDPOINT_OPTION)},
    {"webhooks remove", "remove an endpoint permanently", .run = cmd_webhooks_act,
     .act = owner_remove, OPTIONS(ENDPOINT_OPTION)},
    {"webhooks rotate", "create a new secret and print it; the old one also signs for some hours",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_webhooks_secret, .act = owner_rotate,
     OPTIONS(
         ENDPOINT_OPTION,
         {"grace", "hours for which the old secret also signs, 0 to 24 (default 24)", "HOURS",
          value_is_grace},
         {"force", "rotate even if the old secret of the last rotation still signs, or the master "
                   "key does not open the secret; the older secret then ends at once"})},
    {"webhooks end-overlap", "end the old secret of a rotation now", .run = cmd_webhooks_act,
     .act = owner_end_overlap, OPTIONS(ENDPOINT_OPTION)},
    {"webhooks reveal", "print the current secret; the log of actions records it",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_webhooks_secret, .act = owner_reveal,
     OPTIONS(ENDPOINT_OPTION)},
    {"webhooks test", "send one signed test request now and show the result",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_webhooks_test,
     OPTIONS(
         ENDPOINT_OPTION,
         {"by-server", "let a running server send it, and print the id of the delivery"})},
    {"webhooks deliveries", "list deliveries, newest first; or show one",
     .run = cmd_webhooks_deliveries,
     .notes = "On a terminal the list has the columns that fit on a line. --json has all of them.",
     OPTIONS(
         {"endpoint", "list only this endpoint's deliveries", "ID"},
         {"limit", "number of deliveries to list (default 100)", "NUMBER", value_is_count},
         {"state", "list only deliveries in this state", "pending|delivered|failed|expired"},
         {"since", "list only deliveries of events from this instant on", "YYYY-MM-DDTHH:MM:SSZ",
          value_is_instant},
         {"until", "list only deliveries of events before this instant", "YYYY-MM-DDTHH:MM:SSZ",
          value_is_instant},
         {"attempts", "list the attempts of this delivery instead", "DELIVERY"},
         {"body", "show this delivery and its exact body instead", "DELIVERY"})},
    {"webhooks replay", "send deliveries again with the same ids", "[DELIVERY]",
     .run = cmd_webhooks_replay,
     .notes = "Running servers send them; many deliveries are sent in batches. A replay does not "
              "count as a failure of the endpoint and does not reset its count.",
     OPTIONS(
         {"failed-since", "all deliveries that failed permanently since this instant",
          "YYYY-MM-DDTHH:MM:SSZ", value_is_instant},
         {"expired-since",
          "all deliveries that expired since this instant, held for a disabled or paused endpoint",
          "YYYY-MM-DDTHH:MM:SSZ", value_is_instant},
         {"endpoint", "with --failed-since or --expired-since: only this endpoint's", "ID"},
         {"until",
          "with --failed-since or --expired-since: only those that ended before this instant",
          "YYYY-MM-DDTHH:MM:SSZ", value_is_instant},
         {"count", "replay nothing; print how many deliveries match"})},
    {"webhooks stuck", "list the endpoints whose deliveries are late or held",
     .read = cmd_webhooks_stuck,
     .notes = "A delivery is late five minutes after it was due. Up to 1000 deliveries of each "
              "endpoint are counted."},
    {"listen", "forward the events of a server to a receiver on this machine, for development",
     .run = cmd_listen,
     .notes = "It calls the API of a server with the key in SVC_API_KEY, and needs no database. "
              "Without --url it uses SVC_API_URL, then http://127.0.0.1:8080. SSL_CERT_FILE names "
              "CA certificates to trust. Each event is sent once, as a POST signed like the "
              "server's own. SIGINT and SIGTERM end it with a summary.",
     OPTIONS(
         {"to", "receiver of the events, such as http://localhost:3000/hook", "URL", value_is_line},
         {"print-only", "instead of --to: print the events with their bodies"},
         {"events",
          "only these, separated by commas: trade.published, trade.corrected, trade.withdrawn, "
          "trade.reinstated (default: all)",
          "LIST", value_is_events},
         {"last", "begin with this many past events, at most 100", "NUMBER"},
         {"cursor", "begin at the position that an earlier run printed", "CURSOR", value_is_cursor},
         {"url", "base URL of the server [SVC_API_URL]", "URL", value_is_line},
         {"key-file", "file with the API key [SVC_API_KEY]", "FILE", value_is_line},
         {"secret-file", "file with the signing secret (default: one derived from key and machine)",
          "FILE", value_is_line})},
    {"trigger", "send one invented event, such as trade.published, to a receiver now", "EVENT",
     .scope = SETTINGS_WEBHOOKS, .run = cmd_trigger,
     .notes = "The request is signed like any other and says that its data is invented (X-Data). "
              "An endpoint gets it with its own secret. A URL needs no database and gets it with "
              "the secret that `listen` uses on this machine with the key in SVC_API_KEY. Nothing "
              "is published, queued or sent again.",
     OPTIONS(
         {"to", "the id of an endpoint, or any URL, such as http://localhost:3000/hook",
          "ENDPOINT|URL", value_is_line, REQUIRED},
         {"secret-file", "for a URL: file with the signing secret (default: that of `listen`)",
          "FILE", value_is_line})},
};

const struct command_group commands_webhooks = COMMAND_GROUP("webhooks", commands);

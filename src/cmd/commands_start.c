/* Commands that begin, and that show what is there; see commands.h. */
#include "cmd/commands_parts.h"

static const struct command commands[] = {
    {"serve", "run the HTTP server", .scope = SETTINGS_SERVE, .run = cmd_serve,
     .notes = "SIGTERM and SIGINT stop it: it answers the requests in progress, writes its counts "
              "and exits within 12 seconds. Only one server can use an SQLite database at a time. "
              "Other commands can run at the same time."},
    {"demo", "fill an empty database with invented data", .scope = SETTINGS_SERVE, .run = cmd_demo,
     .notes = "Marks the database. Its server says that the data is invented: in the header X-Data "
              "of every response, in /coverage and the OpenAPI document, in the texts for language "
              "models, on its pages and in its log. With --live it is a server whose data changes "
              "while you develop: webhooks, streams and cursors have something to do.",
     OPTIONS(
         {"trades", "number of trades (default 5000)", "NUMBER", value_is_count},
         {"as-of", "last day of the data (default: today)", "YYYY-MM-DD", value_is_day},
         {"live", "then serve the database, and publish one more filing every 30 seconds"},
         {"publish", "instead: publish NUMBER more filings live in a database that `demo` filled",
          "NUMBER", value_is_count},
         {"rows", "with --live or --publish: trades per filing (default 5)", "NUMBER",
          value_is_count},
         {"every", "pause between filings, such as 500ms, 30s or 5m (with --publish: none)", "TIME",
          value_is_duration})},
    {"setup", "create the database and fill in members, committee seats and symbols",
     .run = cmd_setup,
     .notes = "The lists are part of the program: it needs no network. Run it again after an "
              "upgrade, for the lists of the new version. Import newer ones afterwards."},
    {"status", "show the database, what needs attention and what to do next", .read = cmd_status},
    {"ready", "ask this machine's server whether it accepts requests", .scope = SETTINGS_SERVE,
     .run = cmd_ready,
     .notes = "Sends GET /readyz to the address of the setting `listen`. Exits 0 if the server "
              "accepts requests, and 1 while it starts, stops or does not answer within 3 seconds. "
              "It is the health check of containers."},
    {"doctor", "check everything that a server needs, and say what to fix", .scope = SETTINGS_SERVE,
     .run = cmd_doctor, .list_refused = doctor_list_refused,
     .notes = "Looks at settings, database, Redis, mail server, certificates, files, disk, clock "
              "and the programs that read documents. Each line is ok, warn, fail, or off for what "
              "is not set. Exits 1 if a check failed; warnings alone exit 0. The checks run in "
              "parallel and end within 30 seconds, even if something does not answer. A server may "
              "keep running: the only change is one key in Redis, which expires after ten seconds.",
     OPTIONS(
         {"send-to", "send a test e-mail to this address, as a server does", "ADDRESS",
          value_is_email},
         {"sites", "connect to the official sites too"})},
    {"config check", "check the settings, and the files and the database that they name",
     .scope = SETTINGS_SERVE, .run = cmd_config_check, .list_refused = config_list_refused},
    {"config show", "show every setting, and where its value comes from", .scope = SETTINGS_SERVE,
     .run = cmd_config_show},
    {"version", "show the version and its commit; with --json also the linked libraries",
     .run = cmd_version},
};

const struct command_group commands_start = COMMAND_GROUP("start and look", commands);

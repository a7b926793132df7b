/* Commands that begin, and that show what is there; see commands.h. */
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

static const struct option doctor_options[] = {
    {.name = "send-to",
     .value = "ADDRESS",
     .help = "send a test e-mail to this address, as a server does",
     .valid = value_is_email},
    {.name = "sites", .help = "connect to the official sites too"},
};

static const struct command commands[] = {
    {.name = "serve",
     .scope = SETTINGS_SERVE,
     .run = cmd_serve,
     .summary = "run the HTTP server",
     .notes = "SIGTERM and SIGINT stop it: it answers the requests in progress, writes its counts "
              "and exits within 12 seconds. Only one server can use an SQLite database at a time. "
              "Other commands can run at the same time."},
    {.name = "demo",
     .scope = SETTINGS_SERVE,
     OPTIONS(demo_options),
     .run = cmd_demo,
     .summary = "fill an empty database with invented data",
     .notes = "Marks the database. Its server says that the data is invented: in the header X-Data "
              "of every response, in /coverage and the OpenAPI document, in the texts for language "
              "models, on its pages and in its log. With --live it is a server whose data changes "
              "while you develop: webhooks, streams and cursors have something to do."},
    {.name = "setup",
     .run = cmd_setup,
     .summary = "create the database and fill in members, committee seats and symbols",
     .notes =
         "The lists are part of the program: it needs no network. Run it again after an upgrade, "
         "for the lists of the new version. Import newer ones afterwards."},
    {.name = "status",
     .read = cmd_status,
     .summary = "show the database, what needs attention and what to do next"},
    {.name = "ready",
     .scope = SETTINGS_SERVE,
     .run = cmd_ready,
     .summary = "ask this machine's server whether it accepts requests",
     .notes = "Sends GET /readyz to the address of the setting `listen`. Exits 0 if the server "
              "accepts requests, and 1 while it starts, stops or does not answer within 3 seconds. "
              "It is the health check of containers."},
    {.name = "doctor",
     .scope = SETTINGS_SERVE,
     OPTIONS(doctor_options),
     .run = cmd_doctor,
     .list_refused = doctor_list_refused,
     .summary = "check everything that a server needs, and say what to fix",
     .notes =
         "Looks at settings, database, Redis, mail server, certificates, files, disk, clock and "
         "the programs that read documents. Each line is ok, warn, fail, or off for what is not "
         "set. Exits 1 if a check failed; warnings alone exit 0. The checks run in parallel and "
         "end within 30 seconds, even if something does not answer. A server may keep running: the "
         "only change is one key in Redis, which expires after ten seconds."},
    {.name = "config check",
     .scope = SETTINGS_SERVE,
     .run = cmd_config_check,
     .list_refused = config_list_refused,
     .summary = "check the settings, and the files and the database that they name"},
    {.name = "config show",
     .scope = SETTINGS_SERVE,
     .run = cmd_config_show,
     .summary = "show every setting, and where its value comes from"},
    {.name = "version",
     .run = cmd_version,
     .summary = "show the version and its commit; with --json also the linked libraries"},
};

const struct command_group commands_start = COMMAND_GROUP("start and look", commands);

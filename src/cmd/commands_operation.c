/* Commands that keep a server and its database going; see commands.h. */
#include "cmd/commands_parts.h"

static bool is_export_format(struct str text)
{
    return str_eq(text, STR("csv")) || str_eq(text, STR("jsonl")) || str_eq(text, STR("sqlite"));
}

static const struct command commands[] = {
    {"jobs list", "list the jobs with their last and next run", .read = cmd_jobs_list},
    {"jobs runs", "list the last runs of a job, or of all jobs, newest first", "[NAME]",
     .read = cmd_jobs_runs, .notes = "The last 100 runs of each job are kept.",
     OPTIONS(LIMIT_OPTION, BEFORE_OPTION)},
    {"mail list", "list the e-mails that are not sent, newest first", .read = cmd_mail_list,
     .notes = "An e-mail is tried five times and then given up. It is deleted 30 days later.",
     OPTIONS(
         {"state", "list only e-mails in this state", "waiting|retrying|given_up|sent"},
         LIMIT_OPTION, BEFORE_OPTION)},
    {"mail retry", "try an e-mail again now, up to five times", "[ID]", .run = cmd_mail_retry,
     OPTIONS({"given-up", "all e-mails that were given up"})},
    {"mail drop", "delete an e-mail that is not sent", "ID", .run = cmd_mail_drop},
    {"nodes list", "list the servers of this database and how far they are behind",
     .read = cmd_nodes_list},
    {"nodes forget", "remove a silent server from the list, as it will not come back", "SERVER",
     .run = cmd_nodes_forget,
     .notes = "SERVER is its name in the list, or what the names of several begin with."},
    {"storage", "show the size of the database, its disk and about how many rows it has",
     .read = cmd_storage},
    {"migrate", "apply the migrations of this version to the database", .run = cmd_migrate,
     OPTIONS(
         {"done", "a task after an upgrade, which `stockact status` names, needs no run", "TASK"})},
    {"check", "check the integrity of the database and the chain over publications",
     .run = cmd_check,
     .notes = "Prints the head of the chain: note it elsewhere and compare it later with --head.",
     OPTIONS(
         {"head", "a head that an earlier check printed: it must still be in the chain",
          "NUMBER:HASH", value_is_text})},
    {"backup", "copy an SQLite database while it is in use", "[FILE]", .scope = SETTINGS_SECRET,
     .run = cmd_backup,
     .notes = "With --keep the name is that of the time. A backup that fails the check is removed, "
              "and no older one.",
     OPTIONS(
         {"keep", "make a backup in the folder FILE, verify it, and then remove all but this many",
          "NUMBER", value_is_count},
         {"verify", "restore the backup FILE, or the newest one of a folder, to a temporary place "
                    "beside it, and check that"},
         {"follow", "until it is stopped: copy the database into the folder FILE once a day, and "
                    "its changes every two seconds; --keep is the number of copies (default 8)"},
         {"note", "without FILE: another program has made a backup, for `status` and its alert"})},
    {"restore", "restore a backup to a path that has no SQLite database yet", "FILE",
     .scope = SETTINGS_SECRET, .run = cmd_restore,
     .notes = "Checks the backup, and never replaces a database. The output says which master key "
              "the database needs and whether it is there: a backup does not contain it.",
     OPTIONS(
         {"at", "of a folder of `backup --follow`: the database as it was then (default: the end)",
          "YYYY-MM-DDTHH:MM:SSZ", value_is_instant})},
    {"copy", "move a database to an empty one, SQLite or PostgreSQL, while servers use it",
     "FROM [TO]", .run = cmd_copy,
     .notes = "FROM and TO are sqlite:PATH or postgresql://HOST/NAME. The copy has every change "
              "that is made meanwhile, and every row of it is compared. FROM refuses changes when "
              "the copy is complete: start the servers with TO. An interrupted copy continues when "
              "the command runs again.",
     OPTIONS(
         {"compare", "change nothing: compare both row by row, and print the digest of each table"},
         {"cancel", "without TO: cancel the copy of FROM, which then accepts changes again"})},
    {"snapshot", "write what is published as files of today, with a signed manifest", "FOLDER",
     .scope = SETTINGS_SNAPSHOT, .run = cmd_snapshot,
     .notes = "Works beside a running server. A folder with today's date appears when it is whole; "
              "each manifest names the one before it.",
     OPTIONS(
         {"if-missing", "for timers: succeed if there is one of today already"},
         {"whole", "for yourself: also what visitors do not see yet (STOCKACT_VISITOR_DELAY)"})},
    {"export", "print published trades with the columns of a snapshot, or save them for SQLite",
     "[FILTER=VALUE]...", .scope = SETTINGS_SNAPSHOT, .run = cmd_export,
     .notes = "The filters are those of GET /api/v1/trades, percent-encoded as there: `stockact "
              "export --format csv chamber=senate side=buy`. Works beside a running server.",
     OPTIONS(
         {"format", "how rows are written", "csv|jsonl|sqlite", is_export_format, REQUIRED},
         {"output", "the new file of --format sqlite", "FILE"},
         {"whole", "for yourself: also what visitors do not see yet (STOCKACT_VISITOR_DELAY)"})},
    {"verify", "check the snapshots of a folder or server: signatures, their chain, every file",
     "FOLDER|URL", .run = cmd_verify,
     .notes = "Needs no database. Names every file that was changed, or is missing. A URL is that "
              "of the page, `https://HOST/data`: all files are fetched.",
     OPTIONS(
         {"key",
          "the public key of the newest snapshot, as `stockact snapshot` prints it (default: "
          "stockact.pub beside it)",
          "KEY", value_is_text})},
    {"redate", "move stored times of the future before now", .run = cmd_redate,
     .notes = "For what was published, corrected or withdrawn while a clock was ahead: everything "
              "later would have such times too. Set the clock first. The order stays, the chain "
              "over publications goes on, and the table redated keeps the old times. Callers of "
              "/changes whose cursor names one get history_replaced, and read everything again.",
     OPTIONS(AT_OPTION, REASON_OPTION("why; recorded in the log of actions", REQUIRED))},
    {"secret rotate", "make a new master key and seal everything with it; stop all servers first",
     .scope = SETTINGS_SECRET, .run = cmd_secret_rotate,
     .notes = "The old key stays: older backups need it. A killed run can be repeated.",
     OPTIONS(
         {"lost", "the key is lost: erase what the current key file does not open; endpoints wait "
                  "for `webhooks rotate`"})},
};

const struct command_group commands_operation = COMMAND_GROUP("operation", commands);

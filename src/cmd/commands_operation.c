/* Commands that keep a server and its database going; see commands.h. */
#include "cmd/commands_parts.h"

static const struct option redate_options[] = {
    AT_OPTION,
    {.name = "reason",
     .value = "TEXT",
     .help = "why; recorded in the log of actions",
     .required = true,
     .valid = value_is_text},
};
static const struct option secret_rotate_options[] = {
    {.name = "lost",
     .help = "the key is lost: erase what the current key file does not open; endpoints wait for "
             "`webhooks rotate`"},
};
static const struct option migrate_options[] = {
    {.name = "done",
     .value = "TASK",
     .help = "a task after an upgrade, which `stockact status` names, needs no run"},
};
static const struct option check_options[] = {
    {.name = "head",
     .value = "NUMBER:HASH",
     .help = "a head that an earlier check printed: it must still be in the chain",
     .valid = value_is_text},
};
static const struct option backup_options[] = {
    {.name = "keep",
     .value = "NUMBER",
     .help = "make a backup in the folder FILE, verify it, and then remove all but this many",
     .valid = value_is_count},
    {.name = "verify",
     .help = "restore the backup FILE, or the newest one of a folder, to a temporary place beside "
             "it, and check that"},
    {.name = "follow",
     .help = "until it is stopped: copy the database into the folder FILE once a day, and its "
             "changes every two seconds; --keep is the number of copies (default 8)"},
    {.name = "note",
     .help = "without FILE: another program has made a backup, for `status` and its alert"},
};
static const struct option restore_options[] = {
    {.name = "at",
     .value = "YYYY-MM-DDTHH:MM:SSZ",
     .help = "of a folder of `backup --follow`: the database as it was then (default: the end)",
     .valid = value_is_instant},
};
static const struct option snapshot_options[] = {
    {.name = "if-missing", .help = "for timers: succeed if there is one of today already"},
    {.name = "whole",
     .help = "for yourself: also what visitors do not see yet (STOCKACT_VISITOR_DELAY)"},
};
static const struct option verify_options[] = {
    {.name = "key",
     .value = "KEY",
     .help = "the public key of the newest snapshot, as `stockact snapshot` prints it (default: "
             "stockact.pub beside it)",
     .valid = value_is_text},
};
static const struct option copy_options[] = {
    {.name = "compare",
     .help = "change nothing: compare both row by row, and print the digest of each table"},
    {.name = "cancel",
     .help = "without TO: cancel the copy of FROM, which then accepts changes again"},
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

static const struct command commands[] = {
    {.name = "jobs list",
     .read = cmd_jobs_list,
     .summary = "list the jobs with their last and next run"},
    {.name = "jobs runs",
     .operands = "[NAME]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(jobs_runs_options),
     .read = cmd_jobs_runs,
     .summary = "list the last runs of a job, or of all jobs, newest first",
     .notes = "The last 100 runs of each job are kept."},
    {.name = "mail list",
     OPTIONS(mail_list_options),
     .read = cmd_mail_list,
     .summary = "list the e-mails that are not sent, newest first",
     .notes = "An e-mail is tried five times and then given up. It is deleted 30 days later."},
    {.name = "mail retry",
     .operands = "[ID]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(mail_retry_options),
     .run = cmd_mail_retry,
     .summary = "try an e-mail again now, up to five times"},
    {.name = "mail drop",
     .operands = "ID",
     .operand_count = 1,
     .run = cmd_mail_drop,
     .summary = "delete an e-mail that is not sent"},
    {.name = "nodes list",
     .read = cmd_nodes_list,
     .summary = "list the servers of this database and how far they are behind"},
    {.name = "nodes forget",
     .operands = "SERVER",
     .operand_count = 1,
     .run = cmd_nodes_forget,
     .summary = "remove a silent server from the list, as it will not come back",
     .notes = "SERVER is its name in the list, or what the names of several begin with."},
    {.name = "storage",
     .read = cmd_storage,
     .summary = "show the size of the database, its disk and about how many rows it has"},
    {.name = "migrate",
     OPTIONS(migrate_options),
     .run = cmd_migrate,
     .summary = "apply the migrations of this version to the database"},
    {.name = "check",
     OPTIONS(check_options),
     .run = cmd_check,
     .summary = "check the integrity of the database and the chain over publications",
     .notes = "Prints the head of the chain: note it elsewhere and compare it later with --head."},
    {.name = "backup",
     .scope = SETTINGS_SECRET,
     .operands = "[FILE]",
     .operand_count = OPERANDS_ANY,
     OPTIONS(backup_options),
     .run = cmd_backup,
     .summary = "copy an SQLite database while it is in use",
     .notes = "With --keep the name is that of the time. A backup that fails the check is removed, "
              "and no older one."},
    {.name = "restore",
     .scope = SETTINGS_SECRET,
     .operands = "FILE",
     .operand_count = 1,
     OPTIONS(restore_options),
     .run = cmd_restore,
     .summary = "restore a backup to a path that has no SQLite database yet",
     .notes = "Checks the backup, and never replaces a database. The output says which master key "
              "the database needs and whether it is there: a backup does not contain it."},
    {.name = "copy",
     .operands = "FROM [TO]",
     .operand_count = OPERANDS_MANY,
     OPTIONS(copy_options),
     .run = cmd_copy,
     .summary = "move a database to an empty one, SQLite or PostgreSQL, while servers use it",
     .notes =
         "FROM and TO are sqlite:PATH or postgresql://HOST/NAME. The copy has every change that "
         "is made meanwhile, and every row of it is compared. FROM refuses changes when the "
         "copy is complete: start the servers with TO. An interrupted copy continues when the "
         "command runs again."},
    {.name = "snapshot",
     .scope = SETTINGS_SNAPSHOT,
     .operands = "FOLDER",
     .operand_count = 1,
     OPTIONS(snapshot_options),
     .run = cmd_snapshot,
     .summary = "write what is published as files of today, with a signed manifest",
     .notes = "Works beside a running server. A folder with today's date appears when it is whole; "
              "each manifest names the one before it."},
    {.name = "verify",
     .operands = "FOLDER|URL",
     .operand_count = 1,
     OPTIONS(verify_options),
     .run = cmd_verify,
     .summary = "check the snapshots of a folder or server: signatures, their chain, every file",
     .notes = "Needs no database. Names every file that was changed, or is missing. A URL is that "
              "of the page, `https://HOST/data`: all files are fetched."},
    {.name = "redate",
     OPTIONS(redate_options),
     .run = cmd_redate,
     .summary = "move stored times of the future before now",
     .notes = "For what was published, corrected or withdrawn while a clock was ahead: everything "
              "later would have such times too. Set the clock first. The order stays, the chain "
              "over publications goes on, and the table redated keeps the old times. Callers of "
              "/changes whose cursor names one get history_replaced, and read everything again."},
    {.name = "secret rotate",
     .scope = SETTINGS_SECRET,
     OPTIONS(secret_rotate_options),
     .run = cmd_secret_rotate,
     .summary = "make a new master key and seal everything with it; stop all servers first",
     .notes = "The old key stays: older backups need it. A killed run can be repeated."},
};

const struct command_group commands_operation = COMMAND_GROUP("operation", commands);

/* `stockact migrate` applies migrations. `stockact version` prints the versions of the program and
 * of its schema. */
#include "base/build.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "db/migrate.h"
#include "ingest/ingest.h"
#include "status/libraries.h"

/* --done: an operator says that a task of the upgrade needs no run. */
static enum err read_done(const struct cmd *cmd, int *ret, struct fail *fail)
{
    struct str name = options_value(cmd->options, "done");
    BUF_SCOPED(names, 256);
    *ret = UPGRADE_TASK_COUNT;
    for (int i = 0; i < UPGRADE_TASK_COUNT; i++) {
        struct str known = upgrade_task_info((enum upgrade_task)i)->name;
        buf_fmt(&names, "%s%.*s", i ? ", " : "", STR_ARG(known));
        if (str_eq(name, known))
            *ret = i;
    }
    if (!str_is_null(name) && *ret == UPGRADE_TASK_COUNT)
        return fail_set(
            fail, ERR_INVALID, "--done \"%.*s\" is not a task of an upgrade: %.*s", STR_ARG(name),
            STR_ARG(buf_view(&names)));
    return OK;
}

enum err cmd_migrate(struct cmd *cmd, struct fail *fail)
{
    int done = UPGRADE_TASK_COUNT;
    DB_SCOPED(db);
    TRY(read_done(cmd, &done, fail));
    struct progress *progress = progress_start(cmd->out, migrate_labels);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = store_access_migrate(cmd, &hook, &db, fail);
    progress_stop(progress);
    int applied = 0;
    if (!err) /* of reports that an earlier version imported */
        err = ingest_match_filers(db, false, fail);
    if (!err)
        err = migrate_applied(db, &applied, fail);
    if (!err && done < UPGRADE_TASK_COUNT)
        store_access_done(cmd, db, (enum upgrade_task)done);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_i64(cmd->out, "schema", applied);
        out_end(cmd->out);
    }
    return err;
}

static void put_libraries(struct out *out)
{
    struct library libraries[LIBRARIES_MAX];
    size_t count = libraries_read(libraries);
    struct json_out j;
    BUF_SCOPED(text, 1 << 14);
    json_init(&j, &text);
    json_array_begin(&j);
    for (size_t i = 0; i < count; i++) {
        json_object_begin(&j);
        JSON_KEY_STR(&j, "name", libraries[i].name);
        JSON_KEY_STR(&j, "version", libraries[i].version);
        json_object_end(&j);
    }
    json_array_end(&j);
    out_raw(out, "libraries", buf_view(&text));
}

enum err cmd_version(struct cmd *cmd, struct fail *fail)
{
    if (cmd->out->json) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "version", build.version);
        out_str(cmd->out, "commit", build.commit);
        out_i64(cmd->out, "schema", migrate_latest());
        put_libraries(cmd->out);
        out_end(cmd->out);
    } else {
        out_line(cmd->out, "stockact %.*s", STR_ARG(build.title));
    }
    return OK;
}

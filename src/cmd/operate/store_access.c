/* Access of commands to the store; see store_access.h. */
#include "cmd/operate/store_access.h"

#include "base/clock.h"
#include "cmd/operate/database_place.h"
#include "serve/master_key.h"
#include "store/account/action_log.h"
#include "store/row/change.h"

enum err store_access_open(
    struct cmd *cmd, enum store_mode mode, struct db **ret, struct fail *fail)
{
    if (mode == STORE_MIGRATE)
        return store_access_migrate(cmd, NULL, ret, fail);
    enum err err = database_place_check(cmd->settings, mode != STORE_READ, fail);
    if (!err)
        err = store_open(cmd->settings->database, mode, ret, fail);
    return err == ERR_NOT_FOUND ? database_place_absent(cmd->settings, fail) : err;
}

enum err store_access_migrate(
    struct cmd *cmd, const struct progress_hook *progress, struct db **ret, struct fail *fail)
{
    TRY(database_place_check(cmd->settings, true, fail));
    database_place_prepare(cmd->settings);
    return store_migrate(cmd->settings->database, progress, ret, fail);
}

enum err store_access_read(struct cmd *cmd, store_read_fn *fn, struct fail *fail)
{
    struct store_read read = {.cmd = cmd, .out = cmd->out, .now_ms = clock_wall_ms()};
    arena_init(&read.arena);
    enum err err = store_access_open(cmd, STORE_READ, &read.db, fail);
    if (!err)
        err = fn(&read, fail);
    db_close(read.db);
    arena_finish(&read.arena);
    return err;
}

enum err store_access_write(struct db *db, store_access_write_fn *fn, void *ctx, struct fail *fail)
{
    TRY(db_begin(db, fail));
    enum err err = fn(db, ctx, fail);
    return db_end(db, err, fail);
}

static const struct actor operator= {.kind = ACTOR_KIND_OPERATOR, .role = ROLE_ADMIN};

const struct act *store_reads(struct store_read *read, struct fail *fail)
{
    struct act *act = ARENA_NEW(&read->arena, struct act);
    *act = (struct act){read->db, &operator, read->now_ms, &read->arena, fail, NULL};
    return act;
}

struct act store_access_operator(struct arena *arena, struct fail *fail)
{
    return (struct act){NULL, &operator, clock_wall_ms(), arena, fail, NULL};
}

enum err store_access_act(struct cmd *cmd, struct act *act, act_run *run, void *work)
{
    enum err err = OK;
    if (!act->db)
        err = store_access_open(cmd, STORE_WRITE, &act->db, act->fail);
    if (!err)
        err = db_begin(act->db, act->fail);
    if (err)
        return err;
    TRY(db_end(act->db, run(act, work), act->fail));
    store_access_wait_servers(act->db);
    return OK;
}

struct overruling {
    struct str at, reason;
    int64_t at_ms;
};

static enum err log_overruling(struct db *db, void *ctx, struct fail *fail)
{
    const struct overruling *o = ctx;
    return action_log_add(
        &(struct act){.db = db, .actor = &ACTOR_OPERATOR, .now_ms = o->at_ms, .fail = fail},
        ACTION_CLOCK_OVERRULE, STR_NULL, STR("time"), o->at, o->reason);
}

enum err store_access_overrule_clock(struct cmd *cmd, struct db *db, struct fail *fail)
{
    struct overruling o = {0};
    if (!options_given(cmd->options, "at"))
        return OK;
    if (!options_given(cmd->options, "reason"))
        return fail_set(fail, ERR_INVALID, "--at needs --reason TEXT: the log of actions keeps it");
    o.at = options_value(cmd->options, "at");
    o.reason = options_value(cmd->options, "reason");
    instant_parse(o.at, &o.at_ms); /* the option's `valid` has checked it */
    TRY(store_access_write(db, log_overruling, &o, fail));
    clock_overrule(o.at_ms);
    return OK;
}

static enum err note(struct db *db, void *ctx, struct fail *fail)
{
    return last_run_note(db, *(const enum last_run *)ctx, clock_wall_ms(), fail);
}

void store_access_note(struct db *db, enum last_run run)
{
    struct fail unused;
    enum err ignored = store_access_write(db, note, &run, &unused);
    (void)ignored;
}

static enum err note_done(struct db *db, void *ctx, struct fail *fail)
{
    return upgrade_done(db, *(const enum upgrade_task *)ctx, fail);
}

void store_access_done(struct cmd *cmd, struct db *db, enum upgrade_task task)
{
    unsigned due = 0;
    int schema = 0;
    struct fail unused;
    DB_SCOPED(writing);
    if (upgrade_due(db, &due, &schema, &unused) || !(due >> task & 1))
        return;
    enum err err = store_access_open(cmd, STORE_WRITE, &writing, &unused);
    if (!err)
        err = store_access_write(writing, note_done, &task, &unused);
    (void)err;
}

void store_access_wait_servers(struct db *db)
{
    struct fail fail = {0};
    int64_t seq;
    enum err err = change_last(db, &seq, &fail);
    if (!err)
        err = change_wait_nodes(db, seq, STORE_ACCESS_WAIT_MS, &fail);
    if (err == ERR_TIMEOUT)
        fprintf(stderr, "stockact: %s\n", fail.text);
    else if (err)
        fprintf(
            stderr, "stockact: the change is stored, but not confirmed by running servers: %s\n",
            fail.text);
}

enum err store_access_master_key(
    struct cmd *cmd, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail)
{
    ARENA_SCOPED(arena);
    DB_SCOPED(db);
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    return master_key_open(
        settings_secret_key_file(cmd->settings, &arena), db, MASTER_KEY_READ, true, ret, fail);
}

struct str store_access_base_url(struct cmd *cmd, struct arena *arena)
{
    return str_is_null(cmd->settings->base_url) ? settings_base_url_of(arena, cmd->settings->listen)
                                                : cmd->settings->base_url;
}

/* `stockact snapshot` and `stockact verify`: what is published as files that prove themselves. */
#include "record/snapshot.h"

#include <sys/resource.h>

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "feed/feed.h"
#include "record/record_verify.h"
#include "rule/plan.h"
#include "store/row/credible.h"

enum { LOW_PRIORITY = 10 };

static const struct progress_label writing = {"Writing", NULL, NULL};

static void show_file(struct out *out, const struct manifest_file *file)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "file", file->name);
    out_i64(out, "rows", file->rows);
    out_bytes_unless(out, "bytes", file->bytes, -1);
    out_end(out);
}

static void show(struct out *out, const struct snapshot_want *want, const struct manifest *m)
{
    BUF_SCOPED(key, SIZE_MAX);
    minisign_public_put(&key, &want->key->shown);
    for (size_t i = 0; i < m->file_count; i++)
        show_file(out, &m->files[i]);
    out_begin(out, OUT_BLOCK);
    out_str(out, "snapshot", m->day);
    out_i64(out, "number", m->sequence);
    out_instant(out, "publishedBefore", m->until_ms);
    if (m->withheld)
        out_i64(out, "withheld", m->withheld);
    out_str(out, "key", buf_view(&key));
    out_end(out);
}

/* Visitors see a publication after the delay: the same line as on the pages of now. */
static int64_t line_of(const struct cmd *cmd, int64_t now_ms)
{
    int64_t hours = plan_page_delay(PLAN_SCOUT, cmd->settings->visitor_delay);
    return hours ? now_ms - hours * HOUR_MS + 1 : INSTANT_NONE;
}

static enum err load_and_write(
    struct cmd *cmd, struct feed *feed, const struct minisign_key *key, struct arena *arena,
    struct fail *fail)
{
    DB_SCOPED(db);
    struct manifest *m = ARENA_NEW(arena, struct manifest);
    int64_t seq;
    bool whole = options_given(cmd->options, "whole");
    struct snapshot_want want = {
        .folder = cmd->options->operands[0],
        .feed = feed,
        .now_ms = clock_wall_ms(),
        .whole = whole,
        .key = key,
    };
    want.until_ms = whole ? INSTANT_NONE : line_of(cmd, want.now_ms);
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err) /* a clock that is ahead would show what visitors do not see yet */
        err = credible_check(db, want.now_ms, fail);
    struct progress *progress = progress_start(cmd->out, &writing);
    if (!err)
        err = feed_load(feed, db, &seq, fail);
    want.db = db;
    if (!err)
        err = snapshot_write(&want, arena, m, fail);
    progress_stop(progress);
    if (err == ERR_EXISTS && options_given(cmd->options, "if-missing")) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "note", str_from(fail->text));
        out_end(cmd->out);
        return OK;
    }
    if (!err)
        show(cmd->out, &want, m);
    return err;
}

enum err cmd_snapshot(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    uint8_t master[SECRET_KEY_SIZE];
    struct minisign_key key;
    TRY(store_access_master_key(cmd, master, fail));
    minisign_key_init(&key, str_of((const char *)master, sizeof master));
    mem_wipe(master, sizeof master);
    int low = setpriority(PRIO_PROCESS, 0, LOW_PRIORITY);
    (void)low; /* a machine that refuses it only makes readers wait a little longer */
    struct feed *feed = feed_create();
    rcu_thread_start();
    enum err err = load_and_write(cmd, feed, &key, &arena, fail);
    rcu_thread_stop();
    feed_destroy(feed);
    minisign_key_finish(&key);
    return err;
}

static void show_fault(void *ctx, struct str path, const char *what)
{
    struct out *out = ctx;
    out_begin(out, OUT_BLOCK);
    out_str(out, "fault", path);
    out_state(out, "what", str_from(what), OUT_BAD);
    out_end(out);
}

enum err cmd_verify(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct record_verified found;
    struct str folder = cmd->options->operands[0];
    struct str key =
        options_given(cmd->options, "key") ? options_value(cmd->options, "key") : STR_NULL;
    TRY(record_verify(folder, key, show_fault, cmd->out, &arena, &found, fail));
    if (found.faults)
        return fail_set(
            fail, ERR_CORRUPT, "the snapshots of \"%.*s\" have %lld fault%s", STR_ARG(folder),
            (long long)found.faults, found.faults == 1 ? "" : "s");
    out_begin(cmd->out, OUT_BLOCK);
    out_i64(cmd->out, "snapshots", found.snapshots);
    out_i64(cmd->out, "files", found.files);
    out_str(cmd->out, "newest", found.newest);
    out_str(cmd->out, "key", found.key);
    out_end(cmd->out);
    return OK;
}

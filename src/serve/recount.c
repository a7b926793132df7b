/* Counting the doubts of scans again; see recount.h. */
#include "serve/recount.h"

#include "base/log.h"
#include "store/desk/draft_tally.h"

static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct recount *r = ctx;
    int64_t after = r->after;
    TRY(draft_tally_again(db, &after, &r->more, fail));
    r->after = after;
    return OK;
}

static void go_on(void *ctx, enum err err, const struct fail *fail);

static void post(struct recount *r)
{
    /* A writer that stops takes no more jobs: the next server goes on. */
    enum err ignored = writer_post(r->writer, WRITER_SWEEP, run, go_on, r);
    (void)ignored;
}

static void go_on(void *ctx, enum err err, const struct fail *fail)
{
    struct recount *r = ctx;
    if (err)
        log_line(
            LOG_WARN, "cannot count the doubts of scans again: the next start of a server will",
            LOG_S("reason", str_from(fail->text)));
    else if (r->more)
        post(r);
}

void recount_start(struct recount *r, struct writer *writer)
{
    *r = (struct recount){.writer = writer};
    post(r);
}

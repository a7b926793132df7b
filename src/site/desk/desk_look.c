/* Notes of what was shown; see desk_look.h. */
#include "site/desk/desk_look.h"

#include "store/desk/draft_look.h"

struct look_job {
    struct arena arena;
    struct str filing_id;
    struct draft_look_event event;
};

static enum err run_look(struct db *db, void *ctx, struct fail *fail)
{
    const struct look_job *job = ctx;
    return draft_look_add(db, job->filing_id, &job->event, fail);
}

static void free_look(void *ctx, enum err err, const struct fail *fail)
{
    struct look_job *job = ctx;
    (void)err, (void)fail;
    arena_finish(&job->arena);
    mem_free(job);
}

void desk_look_note(struct page_call *call, int page, int row)
{
    if (http_request(call->x)->method == HTTP_HEAD)
        return;
    struct look_job *job = MEM_NEW(struct look_job);
    arena_init(&job->arena);
    job->filing_id = arena_str(&job->arena, call->segments[0]);
    job->event = (struct draft_look_event){
        .by = arena_str(&job->arena, call->visitor.account.email),
        .page = page,
        .row = row,
        .at = call->now_ms,
    };
    if (writer_post(call->config->writer, WRITER_PUBLISH, run_look, free_look, job))
        free_look(job, ERR_BUSY, NULL);
}

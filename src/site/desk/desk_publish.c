/* POST /desk: publishes the accepted drafts that the page listed, in its order. Each is published
 * alone, so that one that cannot be published leaves the others as they are; the answer is a list.
 */
#include "site/desk/desk_publish.h"

#include "review/published_words.h"
#include "site/frame/handlers.h"
#include "site/frame/page_applied.h"
#include "site/frame/page_call_parts.h"

struct publish_job {
    const struct page_call *call;
    struct str filing_id;
    struct publish_draft_result result;
};

/* page_write has used up the form's number and checked the session. */
static enum err run_nothing(const struct act *act, void *ctx)
{
    (void)act->db, (void)ctx, (void)act->fail;
    return OK;
}

static enum err run_publish(const struct act *act, void *ctx)
{
    struct publish_job *job = ctx;
    return publish_draft(
        act->db, job->filing_id, job->call->visitor.account.email, job->call->now_ms, &job->result,
        act->fail);
}

/* Whether the reason is of this draft; otherwise nothing more can be published now. */
static bool is_of_draft(enum err err)
{
    return err == ERR_REFUSED || err == ERR_NOT_FOUND || err == ERR_EXISTS || err == ERR_INVALID ||
           err == ERR_LIMIT;
}

static void put_result(
    struct page_call *call, struct view *v, const struct publish_job *job, enum err err,
    const struct fail *fail)
{
    view_str(v, "id", job->filing_id);
    view_bool(v, "published", !err);
    view_str(v, "words", err ? str_from(fail->text) : published_words(&job->result, call->arena));
}

static enum err publish_each(struct page_call *call, struct str ids, struct fail *fail)
{
    struct view *list = view_list(call->view, "results");
    int64_t published = 0, refused = 0;
    struct str id;
    while (published + refused < DESK_PUBLISH_MAX && str_next_word(&ids, &id)) {
        struct publish_job job = {.call = call, .filing_id = id};
        enum err err = page_write(call, run_publish, &job, fail);
        bool over = call->reply->no_write != PROBLEM_COUNT; /* the session or the role ended */
        if (err && (over || !is_of_draft(err)))
            return err;
        put_result(call, view_item(list), &job, err, fail);
        *(err ? &refused : &published) += 1;
    }
    view_count(call->view, "published", published);
    view_count(call->view, "refused", refused);
    view_bool(call->view, "anyRefused", refused > 0);
    return OK;
}

enum err desk_publish_act(struct page_call *call, struct fail *fail)
{
    struct str ids = form_value(call->form, "filings");
    if (!str_eq(form_value(call->form, "do"), STR("publish-all")))
        return fail_set(fail, ERR_INVALID, "\"do\" must be publish-all");
    if (!str_trim(ids).n)
        return fail_set(fail, ERR_INVALID, "name the filings to publish");
    enum err err = page_write(call, run_nothing, NULL, fail);
    if (!err)
        err = publish_each(call, ids, fail);
    if (err)
        return err;
    page_wait_applied(call);
    page_show(call, 200, STR("desk_published"), STR("Published"));
    return OK;
}

/* Runs one errand after the other, until a step finds fewer rows than its limit; see upkeep.h. */
#include "webhook/upkeep.h"

#include <string.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/log.h"
#include "store/account/alert.h"
#include "store/account/alert_match.h"
#include "store/account/delivery.h"
#include "store/account/form_number.h"
#include "store/account/mail_queue.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "store/desk/typed.h"
#include "store/run/job.h"
#include "webhook/bounds.h"

typedef enum err upkeep_step(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

enum { RESULT_SIZE_MAX = 1024 };

static upkeep_step *const steps[UPKEEP_RECORD] = {
    [UPKEEP_DUE] = delivery_draw_in,
    [UPKEEP_EXPIRE] = delivery_expire,
    [UPKEEP_ATTEMPTS] = delivery_prune,
    [UPKEEP_TESTS] = delivery_prune_tests,
    [UPKEEP_MAIL] = mail_queue_prune,
    [UPKEEP_ALERTS] = alert_match_prune,
    [UPKEEP_ORPHANS] = alert_match_prune_orphans,
    [UPKEEP_ENDED] = alert_prune_ended,
    [UPKEEP_SESSIONS] = session_prune,
    [UPKEEP_TOKENS] = token_prune,
    [UPKEEP_ONCE] = form_number_prune,
    [UPKEEP_TYPED] = typed_prune,
};

static enum err record(struct db *db, const struct upkeep *upkeep, struct fail *fail)
{
    struct json_out j;
    BUF_SCOPED(text, RESULT_SIZE_MAX);
    json_init(&j, &text);
    json_object_begin(&j);
    JSON_KEY_I64(&j, "deliveriesDue", upkeep->done[UPKEEP_DUE]);
    JSON_KEY_I64(&j, "deliveriesExpired", upkeep->done[UPKEEP_EXPIRE]);
    JSON_KEY_I64(&j, "attemptsDeleted", upkeep->done[UPKEEP_ATTEMPTS]);
    JSON_KEY_I64(&j, "testsDeleted", upkeep->done[UPKEEP_TESTS]);
    JSON_KEY_I64(&j, "mailDeleted", upkeep->done[UPKEEP_MAIL]);
    json_object_end(&j);
    return job_run_record(
        db, job_name(JOB_UPKEEP), upkeep->started_at, clock_wall_ms(), upkeep->next_at,
        buf_view(&text), fail);
}

/* Runs on the writer's thread. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct upkeep *upkeep = ctx;
    upkeep->count = 0;
    if (upkeep->work == UPKEEP_RECORD)
        return record(db, upkeep, fail);
    return steps[upkeep->work](db, clock_wall_ms(), UPKEEP_ROWS, &upkeep->count, fail);
}

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake)
{
    errand_init(&upkeep->errand, writer, WRITER_SWEEP, run, upkeep, wake);
    upkeep->next_at = 0; /* in 1970: at once */
}

void upkeep_finish(struct upkeep *upkeep)
{
    errand_finish(&upkeep->errand);
}

void upkeep_look(struct upkeep *upkeep, int64_t now_ms)
{
    bool stepped_back = now_ms + HOUR_MS < upkeep->next_at;
    if (upkeep->errand.is_out || (now_ms < upkeep->next_at && !stepped_back))
        return;
    upkeep->started_at = now_ms;
    upkeep->next_at = now_ms + HOUR_MS;
    upkeep->work = UPKEEP_DUE;
    memset(upkeep->done, 0, sizeof upkeep->done);
    errand_go(&upkeep->errand);
}

static void say_done(const int64_t *done)
{
    if (done[UPKEEP_DUE])
        log_line(
            LOG_WARN, "webhooks were due too late, the clock was ahead",
            LOG_I("deliveries", done[UPKEEP_DUE]));
    if (done[UPKEEP_EXPIRE] || done[UPKEEP_ATTEMPTS] || done[UPKEEP_TESTS] || done[UPKEEP_MAIL])
        log_line(
            LOG_INFO, "webhook log tidied", LOG_I("deliveries_expired", done[UPKEEP_EXPIRE]),
            LOG_I("attempts_deleted", done[UPKEEP_ATTEMPTS]),
            LOG_I("tests_deleted", done[UPKEEP_TESTS]), LOG_I("mail_deleted", done[UPKEEP_MAIL]));
}

void upkeep_take(struct upkeep *upkeep, bool go_on)
{
    if (!errand_take_back(&upkeep->errand))
        return;
    if (upkeep->errand.err) { /* the next run does the rest */
        log_line(
            LOG_WARN, "old deliveries stay", LOG_S("reason", str_from(upkeep->errand.fail.text)));
        return;
    }
    upkeep->done[upkeep->work] += upkeep->count;
    upkeep->work += upkeep->count < UPKEEP_ROWS;
    if (upkeep->work == UPKEEP_WORK_COUNT)
        say_done(upkeep->done);
    else if (go_on)
        errand_go(&upkeep->errand);
}

/* The dispatcher's thread and its steps; see dispatcher.h. */
#include "webhook/dispatcher.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json_out.h"
#include "base/log.h"
#include "base/thread.h"
#include "mail/sender.h"
#include "store/account/alert.h"
#include "store/account/alert_match.h"
#include "store/account/form_number.h"
#include "store/account/mail_queue.h"
#include "store/account/session.h"
#include "store/account/token.h"
#include "store/desk/typed.h"
#include "store/run/job.h"

/* Runs one errand after the other, until a step finds fewer rows than its limit. */

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
static enum err run_upkeep(struct db *db, void *ctx, struct fail *fail)
{
    struct upkeep *upkeep = ctx;
    upkeep->count = 0;
    if (upkeep->work == UPKEEP_RECORD)
        return record(db, upkeep, fail);
    return steps[upkeep->work](db, clock_wall_ms(), UPKEEP_ROWS, &upkeep->count, fail);
}

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake)
{
    errand_init(&upkeep->errand, writer, WRITER_SWEEP, run_upkeep, upkeep, wake);
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

/* The errand of a group of outcomes. */

/* --- writing, on the writer's thread */

static enum err write_one(
    struct outcomes *outcomes, struct db *db, const struct delivery_outcome *outcome,
    struct delivery_effect *effect, struct fail *fail)
{
    enum err err = delivery_end(db, outcome, effect, fail);
    if (err == ERR_NOT_FOUND) /* the delivery is gone */
        return OK;
    if (!err && outcomes->notice && effect->known &&
        endpoint_notices(&effect->before, &effect->after))
        err = outcomes->notice(db, outcomes->notice_ctx, outcome, effect, fail);
    return err;
}

static enum err run_outcomes(struct db *db, void *ctx, struct fail *fail)
{
    struct outcomes *outcomes = ctx;
    int64_t now_ms = clock_wall_ms(), database_ms;
    enum err err = db_now_ms(db, now_ms, &database_ms, fail);
    for (size_t i = 0; i < outcomes->group_count && !err; i++) {
        outcomes->group[i]->outcome.database_ahead_ms = database_ms - now_ms;
        err = write_one(outcomes, db, &outcomes->group[i]->outcome, &outcomes->effects[i], fail);
    }
    return err;
}

/* --- the loop's side */

/* Servers that write outcomes of the same endpoints then wait for each other and never deadlock.
 * Those of one endpoint stay in the order in which they ended. */
static int by_endpoint(const void *a, const void *b)
{
    const struct attempt *x = *(struct attempt *const *)a, *y = *(struct attempt *const *)b;
    const int64_t keys[][2] = {
        {x->claimed.endpoint_no, y->claimed.endpoint_no},
        {x->outcome.ended_at, y->outcome.ended_at},
        {x->claimed.no, y->claimed.no},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static void go(struct outcomes *outcomes)
{
    size_t max = outcomes->alone ? 1 : OUTCOMES_IN_GROUP;
    struct attempt *attempt;
    assert(outcomes->group_count == 0);
    while (outcomes->group_count < max && (attempt = STAILQ_FIRST(&outcomes->waiting))) {
        STAILQ_REMOVE_HEAD(&outcomes->waiting, ended);
        outcomes->waiting_count--;
        outcomes->group[outcomes->group_count++] = attempt;
    }
    qsort(outcomes->group, outcomes->group_count, sizeof *outcomes->group, by_endpoint);
    uv_timer_stop(&outcomes->timer);
    errand_go(&outcomes->errand);
}

static void on_timer(uv_timer_t *timer)
{
    struct outcomes *outcomes = timer->data;
    if (!outcomes->errand.is_out && outcomes->waiting_count)
        go(outcomes);
}

/* When to write the next group: as soon as it is full or its time is over, but with a pause after a
 * failure. */
static void plan(struct outcomes *outcomes)
{
    if (outcomes->errand.is_out || !outcomes->waiting_count)
        return;
    if (!outcomes->failing && (outcomes->alone || outcomes->waiting_count >= OUTCOMES_IN_GROUP))
        go(outcomes);
    else if (!uv_is_active((uv_handle_t *)&outcomes->timer))
        uv_timer_start(
            &outcomes->timer, on_timer, outcomes->failing ? AGAIN_MS : OUTCOMES_GATHER_MS, 0);
}

static void outcomes_init(
    struct outcomes *outcomes, uv_loop_t *loop, struct writer *writer, uv_async_t *wake)
{
    STAILQ_INIT(&outcomes->waiting);
    uv_timer_init(loop, &outcomes->timer);
    outcomes->timer.data = outcomes;
    errand_init(&outcomes->errand, writer, WRITER_OUTCOME, run_outcomes, outcomes, wake);
}

/* closes its handle: run the loop until then */
static void outcomes_close(struct outcomes *outcomes)
{
    uv_close((uv_handle_t *)&outcomes->timer, NULL);
}

/* when it is empty */
static void outcomes_finish(struct outcomes *outcomes)
{
    errand_finish(&outcomes->errand);
}

static void put_back(struct outcomes *outcomes, struct attempt *attempt)
{
    STAILQ_INSERT_TAIL(&outcomes->waiting, attempt, ended);
    outcomes->waiting_count++;
}

static void outcomes_add(struct outcomes *outcomes, struct attempt *attempt)
{
    put_back(outcomes, attempt);
    plan(outcomes);
}

/* without collecting any longer */
static void outcomes_flush(struct outcomes *outcomes)
{
    if (!outcomes->errand.is_out && !outcomes->failing && outcomes->waiting_count)
        go(outcomes);
}

/* An error of the whole store, which ends when the store recovers; other errors belong to one
 * outcome. */
static bool is_of_store(enum err err)
{
    return err == ERR_UNAVAILABLE || err == ERR_FULL || err == ERR_BUSY || err == ERR_TIMEOUT;
}

static void keep_group(struct outcomes *outcomes)
{
    if (!outcomes->failing)
        log_line(
            LOG_ERROR, "outcomes of webhooks cannot be written, kept in memory",
            LOG_I("outcomes", (int64_t)(outcomes->group_count + outcomes->waiting_count)),
            LOG_S("reason", str_from(outcomes->errand.fail.text)));
    outcomes->alone = outcomes->alone || !is_of_store(outcomes->errand.err);
    outcomes->failing = true;
    for (size_t i = 0; i < outcomes->group_count; i++)
        put_back(outcomes, outcomes->group[i]);
}

static void say_disabled(const struct attempt *attempt, const struct delivery_effect *effect)
{
    if (effect->known && effect->before.state != effect->after.state)
        log_line(
            LOG_WARN, "webhook endpoint is disabled",
            LOG_S("endpoint", attempt->claimed.endpoint_id),
            LOG_S("reason", endpoint_reason_name(endpoint_reason(&effect->after))),
            LOG_I("failures", effect->after.failures));
}

static void release_group(struct outcomes *outcomes)
{
    if (outcomes->failing)
        log_line(LOG_INFO, "outcomes of webhooks are written again");
    outcomes->failing = false;
    outcomes->alone = outcomes->alone && outcomes->waiting_count;
    for (size_t i = 0; i < outcomes->group_count; i++) {
        say_disabled(outcomes->group[i], &outcomes->effects[i]);
        outcomes->written(outcomes->ctx, outcomes->group[i]);
    }
}

/* After a wake-up. True: a group has become durable. */
static bool outcomes_take(struct outcomes *outcomes)
{
    if (!errand_take_back(&outcomes->errand))
        return false;
    bool durable = outcomes->errand.err == OK;
    if (durable)
        release_group(outcomes);
    else
        keep_group(outcomes);
    outcomes->group_count = 0;
    plan(outcomes);
    return durable;
}

struct claims {
    struct str node; /* borrowed */
    size_t damaged;  /* endpoints and events of which the log says it */
    int64_t after_endpoint;
    bool failing; /* was logged */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    size_t bodies_max;
    int64_t in_hand[IN_HAND_MAX]; /* sorted */
    size_t in_hand_count;
    struct arena arena; /* of the claimed rows, until the next claim goes out */
    struct delivery_claims found;
    int64_t ended_at_endpoint;
};

/* The errand of a claim. */

static int compare(const void *a, const void *b)
{
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static bool is_in_hand(void *ctx, int64_t delivery_no)
{
    const struct claims *claims = ctx;
    return bsearch(
               &delivery_no, claims->in_hand, claims->in_hand_count, sizeof delivery_no, compare) !=
           NULL;
}

static int64_t at_most(int64_t value, int64_t max)
{
    return value < max ? value : max;
}

/* Runs on the writer's thread. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct claims *claims = ctx;
    int64_t room = (int64_t)(IN_HAND_MAX - claims->in_hand_count);
    int64_t share = 1 + room / ENDPOINT_SHARE_OF_ROOM;
    int64_t now_ms = clock_wall_ms(), database_ms;
    enum err err = db_now_ms(db, now_ms, &database_ms, fail);
    const struct delivery_claim claim = {
        .node = claims->node,
        .now_ms = now_ms,
        .database_ahead_ms = database_ms - now_ms,
        .limit = (size_t)at_most(room, DELIVERY_CLAIM_MAX),
        .bodies_max = claims->bodies_max,
        .replays_max = REPLAYS_IN_CLAIM,
        .per_endpoint_max = at_most(share, ENDPOINT_IN_FLIGHT_MAX),
        .after_endpoint = claims->after_endpoint,
        .in_hand = is_in_hand,
        .ctx = claims,
    };
    arena_reset(&claims->arena);
    return err ? err
               : delivery_claim(
                     db, &claim, &claims->arena, &claims->found, &claims->ended_at_endpoint, fail);
}

static void claims_init(
    struct claims *claims, struct writer *writer, struct str node, uv_async_t *wake)
{
    claims->node = node;
    arena_init(&claims->arena);
    errand_init(&claims->errand, writer, WRITER_OUTCOME, run, claims, wake);
}

static void claims_finish(struct claims *claims)
{
    errand_finish(&claims->errand);
    arena_finish(&claims->arena);
}

/* in_hand: numbers of deliveries, unsorted, fewer than IN_HAND_MAX; copied. bodies_max: bytes, at
 * least 1. Not while a claim is out. */
static void claims_go(
    struct claims *claims, const int64_t *in_hand, size_t in_hand_count, size_t bodies_max)
{
    assert(!claims->errand.is_out && in_hand_count < IN_HAND_MAX && bodies_max > 0);
    memcpy(claims->in_hand, in_hand, in_hand_count * sizeof *in_hand);
    claims->in_hand_count = in_hand_count;
    qsort(claims->in_hand, in_hand_count, sizeof *in_hand, compare);
    claims->bodies_max = bodies_max;
    errand_go(&claims->errand);
}

static void note_failure(struct claims *claims)
{
    claims->found = (struct delivery_claims){.count = 0};
    if (!claims->failing)
        log_line(
            LOG_ERROR, "webhooks cannot be claimed",
            LOG_S("reason", str_from(claims->errand.fail.text)));
    claims->failing = true;
}

/* The claim that came back, valid until the next goes out; NULL: none. A failed claim is empty and
 * was logged. */
static const struct delivery_claims *claims_take(struct claims *claims)
{
    if (!errand_take_back(&claims->errand))
        return NULL;
    if (claims->errand.err) {
        note_failure(claims);
        return &claims->found;
    }
    if (claims->failing)
        log_line(LOG_INFO, "webhooks are claimed again");
    claims->failing = false;
    claims->after_endpoint = claims->ended_at_endpoint;
    if (claims->found.damaged > claims->damaged) {
        log_line(
            LOG_ERROR, "a damaged endpoint or event is not used: run `stockact check`",
            LOG_S("id", claims->found.damaged_id));
        claims->damaged = claims->found.damaged;
    }
    return &claims->found;
}

enum {
    LAST_OUTCOMES_MS = 1500, /* after the drain, for outcomes to become durable */
    DRAIN_LOOK_MS = 100,     /* interval of checking the clock while draining */
    LEASES_TRIES = 5,
};

enum phase { PHASE_RUNNING, PHASE_DRAINING, PHASE_CLOSING };

struct dispatcher {
    char *node;
    struct writer *writer;
    struct guard guard;
    struct seal_key key;
    struct attempt_sender sender;
    pthread_t thread;

    /* Used by any thread. */
    uv_async_t wake;
    _Atomic bool noticed;
    _Atomic int64_t drain_until_ms; /* of the monotonic clock; 0: not draining */
    _Atomic bool stopping;          /* it will not be woken any more */
    _Atomic uint64_t attempts[ATTEMPT_CLASS_COUNT];
    _Atomic uint64_t in_hand_seen; /* in_hand_count for other threads */

    /* Used by the thread only. */
    uv_loop_t loop;
    uv_timer_t tick;
    enum phase phase;
    bool look;                /* deliveries may be due */
    bool look_after_outcomes; /* look again when written outcomes have freed room */
    struct attempt_list in_hand;
    size_t in_hand_count;
    struct bodies bodies;
    struct claims claims;
    struct outcomes outcomes;
    struct upkeep upkeep;
    struct sender *mail; /* NULL: no mail is sent */
};

/* --- in hand */

static void hold(struct dispatcher *d, struct attempt *attempt)
{
    assert(d->in_hand_count < IN_HAND_MAX);
    TAILQ_INSERT_TAIL(&d->in_hand, attempt, in_hand);
    atomic_store(&d->in_hand_seen, ++d->in_hand_count);
}

static void let_go(void *ctx, struct attempt *attempt)
{
    struct dispatcher *d = ctx;
    TAILQ_REMOVE(&d->in_hand, attempt, in_hand);
    atomic_store(&d->in_hand_seen, --d->in_hand_count);
    bodies_release(&d->bodies, attempt->body);
    attempt_destroy(attempt);
}

/* --- sending */

static void say_failed(const struct attempt *attempt)
{
    log_line(
        LOG_WARN, "webhook attempt failed", LOG_S("endpoint", attempt->claimed.endpoint_id),
        LOG_S("delivery", attempt->claimed.id), LOG_I("attempt", attempt->claimed.attempt),
        LOG_S("class", attempt_class_name(attempt->class)),
        LOG_I("status", attempt->outcome.status));
}

static void on_ended(void *ctx, struct attempt *attempt)
{
    struct dispatcher *d = ctx;
    atomic_fetch_add(&d->attempts[attempt->class], 1);
    if (!attempt->outcome.accepted)
        say_failed(attempt);
    outcomes_add(&d->outcomes, attempt);
}

static void send_one(struct dispatcher *d, const struct delivery_claimed *claimed)
{
    const struct delivery_event_body *event = claimed->event;
    struct body *body = bodies_take(&d->bodies, event->no, event->type, event->body);
    struct attempt *attempt = attempt_create(claimed, body);
    hold(d, attempt);
    if (!attempt_send(attempt, &d->sender))
        on_ended(d, attempt);
}

/* --- claiming */

static void claim_more(struct dispatcher *d)
{
    int64_t numbers[IN_HAND_MAX];
    size_t count = 0;
    struct attempt *attempt;
    if (!d->look || d->claims.errand.is_out || d->in_hand_count == IN_HAND_MAX ||
        d->bodies.bytes >= BODIES_BYTES_MAX)
        return;
    TAILQ_FOREACH(attempt, &d->in_hand, in_hand)
    numbers[count++] = attempt->claimed.no;
    d->look = false;
    claims_go(&d->claims, numbers, count, BODIES_BYTES_MAX - d->bodies.bytes);
}

static void take_claim(struct dispatcher *d)
{
    const struct delivery_claims *found = claims_take(&d->claims);
    if (!found || d->phase != PHASE_RUNNING) /* the leases end with the server */
        return;
    for (size_t i = 0; i < found->count; i++)
        send_one(d, &found->items[i]);
    d->look = d->look || (found->more && found->count);
    d->look_after_outcomes = found->capped || found->more;
}

/* --- the end */

static void cut_all(struct dispatcher *d)
{
    sender_cut(d->mail);
    struct attempt *attempt, *next;
    for (attempt = TAILQ_FIRST(&d->in_hand); attempt; attempt = next) {
        next = TAILQ_NEXT(attempt, in_hand);
        if (!attempt->request)
            continue;
        if (attempt_cut(attempt))
            on_ended(d, attempt);
        else
            let_go(d, attempt);
    }
}

static void close_loop(struct dispatcher *d)
{
    d->phase = PHASE_CLOSING;
    sender_cut(d->mail);
    outgoing_destroy(d->sender.outgoing);
    outcomes_close(&d->outcomes);
    uv_close((uv_handle_t *)&d->tick, NULL);
    uv_close((uv_handle_t *)&d->wake, NULL);
}

static bool is_anything_out(const struct dispatcher *d)
{
    return d->claims.errand.is_out || d->outcomes.errand.is_out || d->upkeep.errand.is_out ||
           sender_is_busy(d->mail);
}

static void on_tick(uv_timer_t *tick);

static void drain(struct dispatcher *d)
{
    int64_t until_ms = atomic_load(&d->drain_until_ms), now_ms = clock_mono_ms();
    if (d->phase == PHASE_RUNNING)
        uv_timer_start(&d->tick, on_tick, DRAIN_LOOK_MS, DRAIN_LOOK_MS);
    d->phase = PHASE_DRAINING;
    if (now_ms >= until_ms)
        cut_all(d);
    sender_stop(d->mail);
    outcomes_flush(&d->outcomes);
    bool done = d->in_hand_count == 0 || now_ms >= until_ms + LAST_OUTCOMES_MS;
    if (done && !is_anything_out(d) && atomic_load(&d->stopping))
        close_loop(d);
}

/* --- the loop */

static void proceed(struct dispatcher *d)
{
    if (d->phase == PHASE_CLOSING)
        return;
    if (atomic_load(&d->drain_until_ms))
        drain(d);
    else
        claim_more(d);
}

static void on_wake(uv_async_t *wake)
{
    struct dispatcher *d = wake->data;
    d->look = atomic_exchange(&d->noticed, false) || d->look;
    if (outcomes_take(&d->outcomes))
        d->look = d->look || d->look_after_outcomes;
    upkeep_take(&d->upkeep, d->phase == PHASE_RUNNING);
    sender_take(d->mail);
    take_claim(d);
    proceed(d);
}

static void on_tick(uv_timer_t *tick)
{
    struct dispatcher *d = tick->data;
    d->look = true;
    if (!atomic_load(&d->drain_until_ms)) {
        upkeep_look(&d->upkeep, clock_wall_ms());
        sender_look(d->mail);
    }
    proceed(d);
}

static void *dispatcher_thread(void *arg)
{
    struct dispatcher *d = arg;
    uv_run(&d->loop, UV_RUN_DEFAULT);
    return NULL;
}

/* --- start */

/* Ends the leases of the server's last run, so that its deliveries are due again. */
static enum err end_leases(struct db *db, void *ctx, struct fail *fail)
{
    const struct dispatcher *d = ctx;
    int64_t now_ms = clock_wall_ms();
    TRY(delivery_end_leases(db, str_from(d->node), now_ms, fail));
    return mail_queue_end_leases(db, str_from(d->node), now_ms, fail);
}

/* Again if PostgreSQL ends it as a deadlock: other servers write outcomes of the same rows if these
 * leases have expired. */
static enum err end_own_leases(struct dispatcher *d, struct fail *fail)
{
    enum err err = ERR_BUSY;
    for (int i = 0; i < LEASES_TRIES && err == ERR_BUSY; i++)
        err = writer_call(d->writer, WRITER_OUTCOME, end_leases, d, fail);
    return err;
}

static void init_loop(struct dispatcher *d)
{
    uv_async_init(&d->loop, &d->wake, on_wake);
    uv_timer_init(&d->loop, &d->tick);
    d->wake.data = d->tick.data = d;
    uv_timer_start(&d->tick, on_tick, 0, LOOK_MS);
    outcomes_init(&d->outcomes, &d->loop, d->writer, &d->wake);
    claims_init(&d->claims, d->writer, str_from(d->node), &d->wake);
    upkeep_init(&d->upkeep, d->writer, &d->wake);
}

/* Frees a dispatcher whose loop has ended. */
static void destroy(struct dispatcher *d)
{
    struct attempt *attempt;
    while ((attempt = STAILQ_FIRST(&d->outcomes.waiting)))
        STAILQ_REMOVE_HEAD(&d->outcomes.waiting, ended);
    while ((attempt = TAILQ_FIRST(&d->in_hand)))
        let_go(d, attempt);
    claims_finish(&d->claims);
    outcomes_finish(&d->outcomes);
    upkeep_finish(&d->upkeep);
    sender_destroy(d->mail);
    int error = uv_loop_close(&d->loop);
    assert(error == 0);
    seal_key_finish(&d->key);
    mem_free(d->node);
    mem_free(d);
}

static enum err start_outgoing(
    struct dispatcher *d, const struct dispatcher_config *config, struct fail *fail)
{
    const struct outgoing_config outgoing = {
        .in_flight_max = IN_HAND_MAX + SENDER_MAX,
        .idle_max = IDLE_CONNECTIONS_MAX,
        .user_agent = config->user_agent,
        .ca_file = config->ca_file,
        .name_servers = config->name_servers,
    };
    d->sender = (struct attempt_sender){
        .guard = &d->guard,
        .key = &d->key,
        .plain_http = config->allow->n > 0,
        .invented = config->invented,
        .ended = on_ended,
        .ctx = d,
    };
    return outgoing_create(&d->loop, &outgoing, &d->sender.outgoing, fail);
}

static enum err start_mail(
    struct dispatcher *d, const struct dispatcher_config *config, struct fail *fail)
{
    const struct sender_config mail = {
        .writer = d->writer,
        .outgoing = d->sender.outgoing,
        .wake = &d->wake,
        .node = config->node,
        .server = config->mail_server,
        .from = config->mail_from,
        .key = config->mail_key,
    };
    return str_is_null(mail.server) ? OK : sender_create(&mail, &d->mail, fail);
}

enum err dispatcher_start(
    const struct dispatcher_config *config, struct dispatcher **ret, struct fail *fail)
{
    struct dispatcher *d = MEM_NEW(struct dispatcher);
    int error = uv_loop_init(&d->loop);
    if (error) {
        mem_free(d);
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    }
    d->node = mem_strdup(config->node);
    d->writer = config->writer;
    d->key = *config->key;
    d->outcomes.notice = config->notice;
    d->outcomes.notice_ctx = config->notice_ctx;
    d->outcomes.written = let_go;
    d->outcomes.ctx = d;
    TAILQ_INIT(&d->in_hand);
    guard_init(&d->guard, config->allow, config->refused_ports, config->listening);
    init_loop(d);
    enum err err = end_own_leases(d, fail);
    if (!err)
        err = start_outgoing(d, config, fail);
    if (!err)
        err = start_mail(d, config, fail);
    if (!err)
        err = thread_start(&d->thread, dispatcher_thread, d, "webhooks", fail);
    if (err) {
        close_loop(d);
        uv_run(&d->loop, UV_RUN_DEFAULT);
        destroy(d);
        return err;
    }
    *ret = d;
    return OK;
}

/* --- for other threads */

void dispatcher_wake(struct dispatcher *d)
{
    atomic_store(&d->noticed, true);
    uv_async_send(&d->wake);
}

void dispatcher_drain(struct dispatcher *d, int64_t time_ms)
{
    atomic_store(&d->drain_until_ms, clock_mono_ms() + time_ms);
    uv_async_send(&d->wake);
}

void dispatcher_stop(struct dispatcher *d)
{
    struct fail fail;
    if (!d)
        return;
    atomic_store(&d->stopping, true);
    if (!atomic_load(&d->drain_until_ms))
        dispatcher_drain(d, 0);
    else
        uv_async_send(&d->wake);
    pthread_join(d->thread, NULL);
    if (d->in_hand_count)
        log_line(
            LOG_ERROR, "outcomes of webhooks are lost, they will be sent again",
            LOG_I("deliveries", (int64_t)d->in_hand_count));
    if (end_own_leases(d, &fail))
        log_line(LOG_WARN, "leases of webhooks stay", LOG_S("reason", str_from(fail.text)));
    destroy(d);
}

void dispatcher_stats(struct dispatcher *d, struct dispatcher_stats *ret)
{
    for (size_t i = 0; i < ATTEMPT_CLASS_COUNT; i++)
        ret->attempts[i] = atomic_load(&d->attempts[i]);
    ret->in_hand = atomic_load(&d->in_hand_seen);
}

/* The tables; see delivery.h. */
#include "rule/delivery.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str delivery_states[DELIVERY_STATE_COUNT] = {
    [DELIVERY_PENDING] = STR_INIT("pending"),
    [DELIVERY_DELIVERED] = STR_INIT("delivered"),
    [DELIVERY_FAILED] = STR_INIT("failed"),
    [DELIVERY_EXPIRED] = STR_INIT("expired"),
};

static const struct str delivery_causes[DELIVERY_CAUSE_COUNT] = {
    [DELIVERY_BY_EVENT] = STR_INIT("event"),
    [DELIVERY_BY_REPLAY] = STR_INIT("replay"),
    [DELIVERY_BY_TEST] = STR_INIT("test"),
};

/* Attempts, by cause. */
static const int tries_max[DELIVERY_CAUSE_COUNT] = {
    [DELIVERY_BY_EVENT] = DELIVERY_TRIES_MAX,
    [DELIVERY_BY_REPLAY] = DELIVERY_TRIES_MAX,
    [DELIVERY_BY_TEST] = 1,
};

static const struct str endpoint_states[ENDPOINT_STATE_COUNT] = {
    [ENDPOINT_ENABLED] = STR_INIT("enabled"),
    [ENDPOINT_DISABLED] = STR_INIT("disabled"),
    [ENDPOINT_PAUSED] = STR_INIT("paused"),
    [ENDPOINT_DELETED] = STR_INIT("deleted"),
};

ENUM_NAME(delivery_state_name, delivery_state, delivery_states[value], DELIVERY_STATE_COUNT)
ENUM_FROM(
    delivery_state_from_name, delivery_state, delivery_states[value], 0, DELIVERY_STATE_COUNT,
    DELIVERY_STATE_COUNT)
ENUM_NAME(delivery_cause_name, delivery_cause, delivery_causes[value], DELIVERY_CAUSE_COUNT)
ENUM_FROM(
    delivery_cause_from_name, delivery_cause, delivery_causes[value], 0, DELIVERY_CAUSE_COUNT,
    DELIVERY_CAUSE_COUNT)
ENUM_NAME(endpoint_state_name, endpoint_state, endpoint_states[value], ENDPOINT_STATE_COUNT)
ENUM_FROM(
    endpoint_state_from_name, endpoint_state, endpoint_states[value], 0, ENDPOINT_STATE_COUNT,
    ENDPOINT_STATE_COUNT)

/* spec 6.4: the wait after the 1st, 2nd, ... attempt */
static const int64_t waits_ms[DELIVERY_TRIES_MAX - 1] = {
    30 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, DELIVERY_WAIT_MAX_MS};

/* The effect of an event on a delivery in a state; `ends`: the next state if no attempt is left. */
static const struct delivery_rule {
    bool known;
    enum delivery_state next, ends;
    bool counts_try; /* an attempt was made */
    bool afresh;     /* starts over with all attempts, due at once */
} delivery_rules[DELIVERY_STATE_COUNT][DELIVERY_EVENT_COUNT] = {
    [DELIVERY_PENDING] =
        {
            [DELIVERY_ACCEPTED] =
                {true, DELIVERY_DELIVERED, DELIVERY_DELIVERED, .counts_try = true},
            [DELIVERY_REFUSED] = {true, DELIVERY_PENDING, DELIVERY_FAILED, .counts_try = true},
            [DELIVERY_GONE] = {true, DELIVERY_PENDING, DELIVERY_FAILED, .counts_try = true},
            [DELIVERY_EXPIRE] = {true, DELIVERY_EXPIRED, DELIVERY_EXPIRED},
            [DELIVERY_REPLAY] = {true, DELIVERY_PENDING, DELIVERY_PENDING, .afresh = true},
        },
    [DELIVERY_DELIVERED] =
        {[DELIVERY_REPLAY] = {true, DELIVERY_PENDING, DELIVERY_PENDING, .afresh = true}},
    /* An outcome may arrive late: a 2xx counts whatever other attempts returned since. */
    [DELIVERY_FAILED] =
        {
            [DELIVERY_ACCEPTED] = {true, DELIVERY_DELIVERED, DELIVERY_DELIVERED},
            [DELIVERY_REPLAY] = {true, DELIVERY_PENDING, DELIVERY_PENDING, .afresh = true},
        },
    [DELIVERY_EXPIRED] =
        {
            [DELIVERY_ACCEPTED] = {true, DELIVERY_DELIVERED, DELIVERY_DELIVERED},
            [DELIVERY_REPLAY] = {true, DELIVERY_PENDING, DELIVERY_PENDING, .afresh = true},
        },
};

/* The next state; ENDPOINT_STATE_COUNT: the event does not apply. */
#define NO ENDPOINT_STATE_COUNT
static const enum endpoint_state endpoint_rules[ENDPOINT_STATE_COUNT][ENDPOINT_EVENT_COUNT] = {
    /*                     FAIL_TENTH         GO                 DISABLE            ENABLE
     *                     PAUSE              RESUME             DELETE */
    [ENDPOINT_ENABLED] =
        {ENDPOINT_DISABLED, ENDPOINT_DISABLED, ENDPOINT_DISABLED, ENDPOINT_ENABLED, ENDPOINT_PAUSED,
         NO, ENDPOINT_DELETED},
    [ENDPOINT_DISABLED] =
        {NO, NO, ENDPOINT_DISABLED, ENDPOINT_ENABLED, ENDPOINT_PAUSED, NO, ENDPOINT_DELETED},
    [ENDPOINT_PAUSED] = {NO, NO, NO, NO, ENDPOINT_PAUSED, ENDPOINT_ENABLED, ENDPOINT_DELETED},
    [ENDPOINT_DELETED] = {NO, NO, NO, NO, NO, NO, NO},
};

static void begin_streak(struct endpoint_is *endpoint)
{
    *endpoint = (struct endpoint_is){.state = endpoint->state, .streak = endpoint->streak + 1};
}

bool endpoint_step(struct endpoint_is *endpoint, enum endpoint_event event)
{
    assert(endpoint->state < ENDPOINT_STATE_COUNT && event < ENDPOINT_EVENT_COUNT);
    enum endpoint_state next = endpoint_rules[endpoint->state][event];
    if (next == NO)
        return false;
    if (next == ENDPOINT_ENABLED)
        begin_streak(endpoint);
    endpoint->gone = event == ENDPOINT_GO || (endpoint->gone && next == ENDPOINT_DISABLED);
    endpoint->state = next;
    return true;
}

/* 1, 2, 4, ... seconds */
static int64_t pause_ms(int pauses)
{
    enum { DOUBLINGS_MAX = 6 }; /* more than the longest pause */
    int64_t ms = (int64_t)SECOND_MS << (pauses < DOUBLINGS_MAX ? pauses : DOUBLINGS_MAX);
    return ms < ENDPOINT_PAUSE_MAX_MS ? ms : ENDPOINT_PAUSE_MAX_MS;
}

/* An attempt that began before the last failure had ended met the same outage. A failure that ended
 * long after this attempt began is the word of another clock. */
static bool overlaps(const struct endpoint_is *endpoint, int64_t started_ms)
{
    return started_ms <= endpoint->failed_at &&
           endpoint->failed_at - started_ms < ENDPOINT_PAUSE_MAX_MS;
}

/* An attempt failed. The delivery counts once per streak. */
static void note_failure(
    struct delivery_is *delivery, struct endpoint_is *endpoint, int64_t started_ms, int64_t now_ms)
{
    if (overlaps(endpoint, started_ms))
        return;
    endpoint->failed_at = now_ms;
    endpoint->next_try_at = now_ms + pause_ms(endpoint->pauses++);
    if (delivery->counted_in == endpoint->streak)
        return;
    delivery->counted_in = endpoint->streak;
    if (++endpoint->failures >= ENDPOINT_FAILURES_MAX)
        endpoint_step(endpoint, ENDPOINT_FAIL_TENTH);
}

bool delivery_step(
    struct delivery_is *delivery, struct endpoint_is *endpoint, enum delivery_event event,
    int64_t started_ms, int64_t now_ms)
{
    assert(delivery->state < DELIVERY_STATE_COUNT && event < DELIVERY_EVENT_COUNT);
    const struct delivery_rule *rule = &delivery_rules[delivery->state][event];
    if (!rule->known)
        return false;
    delivery->tries = rule->afresh ? 0 : delivery->tries + rule->counts_try;
    if (rule->afresh) {
        delivery->cause = DELIVERY_BY_REPLAY;
        delivery->due_at = now_ms;
    }
    delivery->state = delivery->tries < tries_max[delivery->cause] ? rule->next : rule->ends;
    if (!rule->afresh && delivery->state == DELIVERY_PENDING)
        delivery->due_at = now_ms + waits_ms[delivery->tries - 1];
    if (delivery->cause != DELIVERY_BY_EVENT)
        return true;
    if (event == DELIVERY_ACCEPTED && (endpoint->failures || endpoint->pauses))
        begin_streak(endpoint);
    if (event == DELIVERY_GONE)
        endpoint_step(endpoint, ENDPOINT_GO);
    if (event == DELIVERY_REFUSED || event == DELIVERY_GONE)
        note_failure(delivery, endpoint, started_ms, now_ms);
    return true;
}

enum endpoint_reason endpoint_reason(const struct endpoint_is *endpoint)
{
    assert(endpoint->state == ENDPOINT_DISABLED);
    return endpoint->gone                                ? ENDPOINT_IS_GONE
           : endpoint->failures >= ENDPOINT_FAILURES_MAX ? ENDPOINT_BY_FAILURES
                                                         : ENDPOINT_BY_OWNER;
}

struct str endpoint_reason_name(enum endpoint_reason reason)
{
    static const struct str names[] = {
        [ENDPOINT_BY_OWNER] = STR_INIT("owner"),
        [ENDPOINT_BY_FAILURES] = STR_INIT("failures"),
        [ENDPOINT_IS_GONE] = STR_INIT("gone"),
    };
    return names[reason];
}

bool endpoint_is_failing(const struct endpoint_is *endpoint)
{
    return endpoint->state == ENDPOINT_DISABLED ? endpoint_reason(endpoint) != ENDPOINT_BY_OWNER
                                                : endpoint->state == ENDPOINT_ENABLED &&
                                                      endpoint->failures >= ENDPOINT_TELL_FAILURES;
}

bool endpoint_notices(const struct endpoint_is *before, const struct endpoint_is *after)
{
    return endpoint_is_failing(before) != endpoint_is_failing(after) ||
           (endpoint_is_failing(after) && before->state != after->state);
}

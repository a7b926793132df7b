/* Shared by the tests of limits: a struct limits with a fixed master key, callers, and draws at
 * instants written as text. */
#pragma once

#include "unit.h"

#include "base/instant.h"
#include "limits/limits.h"
#include "rule/plan.h"

static const char limits_unit_master_key[] = "0123456789abcdef0123456789abcdef";

/* A Redis that is not stopped answers in this time on any machine. */
enum { LIMITS_UNIT_PATIENT_MS = 3600000 };

static inline int64_t at(const char *text)
{
    int64_t ms;
    if (!instant_parse(str_from(text), &ms))
        fail_msg("no instant: %s", text);
    return ms;
}

static inline struct limits *limits_unit_create(struct limits_sizes sizes)
{
    struct limits_options options = {
        .master_key = str_from(limits_unit_master_key), .sizes = sizes};
    struct limits *limits;
    assert_int_equal(limits_create(&options, &limits, NULL), OK);
    return limits;
}

static inline struct limits_caller keyed(int64_t key_no, enum plan plan)
{
    return (struct limits_caller){
        .keyed = true,
        .key_no = key_no,
        .per_minute = plan_info(plan)->requests_per_minute,
        .per_month = plan_info(plan)->requests_per_month,
    };
}

static inline struct limits_caller anonymous(const char *address)
{
    struct limits_caller caller = {
        .per_minute = ANONYMOUS_PER_MINUTE, .per_month = ANONYMOUS_PER_MONTH};
    if (!address_parse(str_from(address), &caller.address))
        fail_msg("no address: %s", address);
    return caller;
}

static inline struct limits_answer draw_ms(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms)
{
    struct limits_answer answer;
    assert_true(limits_draw(limits, caller, now_ms, &answer, NULL, NULL));
    return answer;
}

static inline struct limits_answer draw(
    struct limits *limits, struct limits_caller caller, const char *now)
{
    return draw_ms(limits, &caller, at(now));
}

static inline struct limits_answer peek(
    struct limits *limits, struct limits_caller caller, const char *now)
{
    struct limits_answer answer;
    limits_peek(limits, &caller, at(now), &answer);
    return answer;
}

/* Draws n times and returns the number of granted draws. */
static inline int draw_many(
    struct limits *limits, struct limits_caller caller, const char *now, int n)
{
    int granted = 0;
    for (int i = 0; i < n; i++)
        granted += draw(limits, caller, now).verdict == LIMITS_GRANTED;
    return granted;
}

#define assert_answer(answer, a_verdict, a_limit, a_remaining, a_retry)                            \
    do {                                                                                           \
        struct limits_answer answer_ = (answer);                                                   \
        assert_int_equal(answer_.verdict, (a_verdict));                                            \
        assert_int_equal(answer_.limit, (a_limit));                                                \
        assert_int_equal(answer_.remaining, (a_remaining));                                        \
        assert_int_equal(answer_.retry_after_s, (a_retry));                                        \
    } while (0)

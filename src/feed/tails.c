/* Interned conflict tails; see tails.h. */
#include "feed/tails.h"

#include <assert.h>

#include "base/hash.h"
#include "feed/topics.h"
#include "noun/trade.h"

enum { SLOTS_FIRST = 64, TAIL_SIZE_MAX = 1 << 20 };

/* The segment of a number, and the number's place in it. */
static uint32_t segment_of(uint32_t number, uint32_t *ret_place)
{
    uint32_t scaled = number / TAILS_FIRST_SEGMENT + 1;
    uint32_t segment = 31 - (uint32_t)__builtin_clz(scaled);
    *ret_place = number - TAILS_FIRST_SEGMENT * ((1u << segment) - 1);
    return segment;
}

static struct tail *get(const struct tails *t, uint32_t number)
{
    uint32_t place, segment = segment_of(tails_index(number), &place);
    return atomic_load_explicit(&t->segments[segment], memory_order_acquire) + place;
}

const struct tail *tails_get(const struct tails *t, uint32_t number)
{
    return get(t, number);
}

uint32_t tails_count(const struct tails *t)
{
    return atomic_load_explicit(&t->n, memory_order_acquire);
}

void tails_step(struct tails *t, uint32_t number, int step)
{
    if (number != TAILS_NONE)
        atomic_fetch_add_explicit(&get(t, number)->trades, (uint32_t)step, memory_order_relaxed);
}

static uint32_t *find_slot(const struct tails *t, struct str reason, uint32_t politician)
{
    uint32_t first = (uint32_t)hash_seeded(reason, politician) & t->mask;
    for (uint32_t i = first;; i = (i + 1) & t->mask) {
        uint32_t *slot = &t->slots[i];
        const struct tail *tail = *slot ? get(t, *slot - 1) : NULL;
        if (!tail || (tail->politician == politician && str_eq(tail->reason, reason)))
            return slot;
    }
}

static void grow_slots(struct tails *t)
{
    mem_free(t->slots);
    t->mask = 2 * t->mask + 1;
    t->slots = mem_array(t->mask + 1, sizeof t->slots[0]);
    for (uint32_t number = 1; number < t->n; number++) {
        const struct tail *tail = get(t, number);
        *find_slot(t, tail->reason, tail->politician) = number + 1;
    }
}

static uint32_t add(
    struct tails *t, struct str reason, uint32_t politician, const struct signal_topic *topic)
{
    BUF_SCOPED(json, TAIL_SIZE_MAX);
    uint32_t number = t->n, place, segment = segment_of(number, &place);
    assert(segment < TAILS_SEGMENTS);
    struct tail *tails = atomic_load(&t->segments[segment]);
    if (!tails) {
        tails = mem_array((size_t)TAILS_FIRST_SEGMENT << segment, sizeof *tails);
        t->bytes += ((size_t)TAILS_FIRST_SEGMENT << segment) * sizeof *tails;
        atomic_store_explicit(&t->segments[segment], tails, memory_order_release);
    }
    shape_trade_tail(&json, reason);
    assert(!json.overflow);
    tails[place] = (struct tail){
        .tag = hash_seeded(buf_view(&json), 1),
        .json = arena_str(&t->arena, buf_view(&json)),
        .reason = arena_str(&t->arena, reason),
        .topic = topic,
        .politician = politician,
    };
    t->bytes += json.n + reason.n;
    atomic_store_explicit(&t->n, number + 1, memory_order_release);
    return number;
}

void tails_init(struct tails *t)
{
    *t = (struct tails){.mask = SLOTS_FIRST - 1};
    t->slots = mem_array(SLOTS_FIRST, sizeof t->slots[0]);
    arena_init(&t->arena);
    uint32_t none = add(t, STR_NULL, 0, NULL);
    assert(none == TAILS_NONE);
}

void tails_finish(struct tails *t)
{
    for (int i = 0; i < TAILS_SEGMENTS; i++)
        mem_free(atomic_load(&t->segments[i]));
    mem_free(t->slots);
    arena_finish(&t->arena);
}

static enum signal_mark mark_of(const struct signal_topic *topic)
{
    static const enum signal_mark marks[CONFLICT_GRADE_COUNT] = {
        [CONFLICT_NO_GRADE] = MARK_IN_FORCE,
        [CONFLICT_GRADE_A] = MARK_A,
        [CONFLICT_GRADE_B] = MARK_B,
        [CONFLICT_GRADE_C] = MARK_C,
    };
    if (topic && topic->basis == CONFLICT_LATER_LIST)
        return topic->grade ? MARK_C_LATER : MARK_LATER;
    return topic ? marks[topic->grade] : MARK_IN_FORCE;
}

uint32_t tails_intern(
    struct tails *t, struct str reason, uint32_t politician, const struct signal_topic *topic)
{
    if (str_is_null(reason))
        return TAILS_NONE;
    uint32_t *slot = find_slot(t, reason, politician);
    uint32_t number = *slot ? *slot - 1 : add(t, reason, politician, topic);
    if (*slot)
        atomic_store_explicit(&get(t, number)->topic, topic, memory_order_release);
    *slot = number + 1;
    if (2 * t->n > t->mask)
        grow_slots(t);
    return number | (uint32_t)mark_of(topic) << MARK_SHIFT;
}

/* Open streams; see stream_slots.h. */
#include "api/stream_slots.h"

#include <stdatomic.h>

#include "base/crypto.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/thread.h"

enum { BUCKETS = 1024 };

struct stream_slots {
    uint32_t in_all, per_caller;
    uint64_t seed; /* of the numbers of callers: random, so that they are no addresses */
    pthread_mutex_t lock;
    struct stream_slot *buckets[BUCKETS]; /* under lock, like the rest */
    struct stream_stats stats;            /* without `events` */
    _Atomic uint64_t events;
};

struct stream_slots *stream_slots_create(uint32_t in_all, uint32_t per_caller)
{
    struct stream_slots *slots = MEM_NEW(struct stream_slots);
    slots->in_all = in_all;
    slots->per_caller = per_caller;
    random_bytes(&slots->seed, sizeof slots->seed);
    pthread_mutex_init(&slots->lock, NULL);
    return slots;
}

void stream_slots_destroy(struct stream_slots *slots)
{
    if (!slots)
        return;
    pthread_mutex_destroy(&slots->lock);
    mem_free(slots);
}

/* A key, or an IPv4 address or IPv6 /64, as a number. */
static uint64_t caller_number(const struct stream_slots *slots, const struct limits_caller *caller)
{
    enum { WHOLE_BITS = 128, NETWORK_BITS = 64 };
    const struct address *address = &caller->address;
    uint8_t who[1 + sizeof address->bytes] = {caller->keyed};
    struct address network =
        address_prefix(address, address_is_ipv4(address) ? WHOLE_BITS : NETWORK_BITS);
    if (caller->keyed)
        memcpy(who + 1, &caller->key_no, sizeof caller->key_no);
    else
        memcpy(who + 1, network.bytes, sizeof network.bytes);
    return hash_seeded(str_of((const char *)who, sizeof who), slots->seed);
}

static struct stream_slot **bucket_of(struct stream_slots *slots, uint64_t caller)
{
    return &slots->buckets[caller % BUCKETS];
}

static enum stream_verdict verdict(
    const struct stream_slots *slots, struct stream_slot *first, uint64_t caller)
{
    uint32_t same = 0;
    if (slots->stats.open >= slots->in_all)
        return STREAM_FULL;
    for (; first; first = first->next)
        same += first->caller == caller;
    return same >= slots->per_caller ? STREAM_CALLER_FULL : STREAM_OPEN;
}

enum stream_verdict stream_slots_open(
    struct stream_slots *slots, const struct limits_caller *caller, struct stream_slot *slot)
{
    *slot = (struct stream_slot){.caller = caller_number(slots, caller)};
    LOCKED(&slots->lock);
    struct stream_slot **first = bucket_of(slots, slot->caller);
    enum stream_verdict result = verdict(slots, *first, slot->caller);
    slots->stats.refused_full += result == STREAM_FULL;
    slots->stats.refused_caller += result == STREAM_CALLER_FULL;
    if (result == STREAM_OPEN) {
        slot->next = *first;
        if (slot->next)
            slot->next->prev = slot;
        *first = slot;
        slots->stats.open++;
        slots->stats.opened++;
    }
    return result;
}

void stream_slots_close(struct stream_slots *slots, struct stream_slot *slot)
{
    LOCKED(&slots->lock);
    if (slot->next)
        slot->next->prev = slot->prev;
    *(slot->prev ? &slot->prev->next : bucket_of(slots, slot->caller)) = slot->next;
    slots->stats.open--;
}

void stream_slots_sent(struct stream_slots *slots, uint64_t events)
{
    atomic_fetch_add_explicit(&slots->events, events, memory_order_relaxed);
}

void stream_slots_stats(struct stream_slots *slots, struct stream_stats *ret)
{
    LOCKED(&slots->lock);
    *ret = slots->stats;
    ret->events = atomic_load_explicit(&slots->events, memory_order_relaxed);
}

/*
 * The open streams, bounded in all and for each caller. A lock is held at the start and the end of
 * a stream, never in its turns. It
 * keeps no address: a caller is a seeded hash.
 */
#pragma once

#include "limits/limits.h"

struct stream_slots;

/* A stream's place; it belongs to the stream. */
struct stream_slot {
    struct stream_slot *prev, *next;
    uint64_t caller;
};

enum stream_verdict { STREAM_OPEN, STREAM_FULL, STREAM_CALLER_FULL };

struct stream_slots *stream_slots_create(uint32_t in_all, uint32_t per_caller);
void stream_slots_destroy(struct stream_slots *slots); /* NULL is ignored */

/* STREAM_OPEN: *slot must stay in place until stream_slots_close. */
enum stream_verdict stream_slots_open(
    struct stream_slots *slots, const struct limits_caller *caller, struct stream_slot *slot);
void stream_slots_close(struct stream_slots *slots, struct stream_slot *slot);
void stream_slots_sent(struct stream_slots *slots, uint64_t events);

struct stream_stats {
    uint64_t open, opened;
    uint64_t refused_full, refused_caller;
    uint64_t events; /* sent */
};

void stream_slots_stats(struct stream_slots *slots, struct stream_stats *ret);

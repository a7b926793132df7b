/*
 * Bodies of events in memory: each once, while a delivery in hand needs it, however many
 * endpoints it goes to. Used on the loop's thread.
 */
#pragma once

#include "base/mem.h"

enum { BODIES_LISTS = 256 };

struct body {
    struct body *next; /* of the same list */
    int64_t event_no;
    size_t users;
    struct str type;
    struct str body;
};

struct bodies {
    struct body *lists[BODIES_LISTS];
    size_t bytes; /* of all bodies */
};

/* Zeroed memory is empty. Every holder releases its body; after the last release nothing is left to
 * free. */
struct body *bodies_take(struct bodies *bodies, int64_t event_no, struct str type, struct str text);
void bodies_release(struct bodies *bodies, struct body *body);

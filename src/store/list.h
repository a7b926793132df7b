/* Results that are gathered row by row and then kept in the caller's arena. Private to src/store.
 */
#pragma once

#include "base/mem.h"

struct list {
    char *items;
    size_t size; /* of one item */
    size_t count;
    size_t room;
};

void list_init(struct list *list, size_t item_size);
void *list_add(struct list *list); /* a zeroed item; earlier ones may move */
/* Copies what was gathered into the arena, frees the list. Never NULL. */
void *list_keep(struct list *list, struct arena *arena);
void list_finish(struct list *list); /* frees; fine after list_keep */

/* Collects result rows and then moves them to the caller's arena. Private to src/store. */
#pragma once

#include "base/mem.h"

struct list {
    char *items;
    size_t size; /* of one item */
    size_t count;
    size_t room;
};

void list_init(struct list *list, size_t item_size);
void *list_add(struct list *list); /* returns a zeroed item; earlier ones may move */
/* Copies the items into the arena and frees the list. Never NULL. */
void *list_keep(struct list *list, struct arena *arena);
void list_finish(struct list *list); /* frees the list; fine after list_keep */

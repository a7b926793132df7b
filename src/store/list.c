/* Collected results; see list.h. */
#include "store/list.h"

#include <string.h>

void list_init(struct list *list, size_t item_size)
{
    *list = (struct list){.size = item_size};
}

void *list_add(struct list *list)
{
    list->items = mem_grow(list->items, list->count, &list->room, list->size);
    void *item = list->items + list->count++ * list->size;
    memset(item, 0, list->size);
    return item;
}

void *list_keep(struct list *list, struct arena *arena)
{
    void *items = arena_alloc(arena, list->count ? list->count * list->size : 1);
    if (list->count)
        memcpy(items, list->items, list->count * list->size);
    list_finish(list);
    return items;
}

void list_finish(struct list *list)
{
    mem_free(list->items);
    list->items = NULL;
}

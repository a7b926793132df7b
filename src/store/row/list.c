/* Collected results; see list.h. */
#include "store/row/list.h"

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

enum err list_end_items(
    struct list *list, struct query *q, struct arena *arena, void *ret_items, size_t *ret_count,
    struct fail *fail)
{
    enum err err = query_end(q, fail);
    if (!err) {
        *ret_count = list->count;
        void *items = list_keep(list, arena);
        memcpy(ret_items, &items, sizeof items);
    }
    list_finish(list);
    return err;
}

void list_finish(struct list *list)
{
    mem_free(list->items);
    list->items = NULL;
}

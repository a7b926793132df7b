/* Lists of texts; see str_list.h. */
#include "base/str_list.h"

void str_list_init(struct str_list *list)
{
    *list = (struct str_list){.count = 0};
    arena_init(&list->arena);
}

void str_list_finish(struct str_list *list)
{
    arena_finish(&list->arena);
    mem_free(list->items);
}

void str_list_add(struct str_list *list, struct str s)
{
    list->items = mem_grow(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] = arena_str(&list->arena, s);
}

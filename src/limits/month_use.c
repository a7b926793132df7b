/* Draws of one month; see month_use.h. */
#include "limits/month_use.h"

#include "base/mem.h"

void month_list_finish(struct month_list *list)
{
    mem_free(list->items);
    *list = (struct month_list){0};
}

void month_use_list(struct month_use *use, struct month_list *list)
{
    if (use->listed)
        return;
    list->items = mem_grow(list->items, list->n, &list->cap, sizeof *list->items);
    list->items[list->n++] = use;
    use->listed = true;
}

void month_use_add(struct month_use *use, int32_t n, struct month_list *list)
{
    if (n < 0 && use->used < (uint32_t)-n)
        n = -(int32_t)use->used;
    if (n > 0 && use->used > UINT32_MAX - (uint32_t)n)
        return;
    use->used += (uint32_t)n;
    use->unwritten += n;
    month_use_list(use, list);
}

void month_use_mirror(struct month_use *use, uint32_t used, bool drawn, struct month_list *list)
{
    if (use->used < used)
        use->used = used;
    if (drawn) {
        use->unwritten++;
        month_use_list(use, list);
    }
}

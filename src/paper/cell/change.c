/* Copies entries; see change.h. */
#include "paper/cell/change.h"

#include "paper/cell/row_field.h"

static void keep_politician(struct politician_ref *p, struct arena *arena)
{
    p->slug = arena_str(arena, p->slug);
    p->name = arena_str(arena, p->name);
    p->party = arena_str(arena, p->party);
    p->state = arena_str(arena, p->state);
}

void change_entry_copy(
    const struct change_entry *entry, struct arena *arena, struct change_entry *ret)
{
    *ret = *entry;
    struct str *const strings[] = {
        &ret->trade_id,
        &ret->filing_id,
        &ret->field,
        &ret->old,
        &ret->new,
        &ret->reason,
        &ret->trade.id,
        &ret->trade.filing_url,
        &ret->trade.conflict_reason,
        &ret->filing.id,
        &ret->filing.source_doc_id,
        &ret->filing.url,
        &ret->filing.politician_id,
    };
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = arena_str(arena, *strings[i]);
    ret->trade.values = row_values_copy(&entry->trade.values, arena);
    keep_politician(&ret->trade.politician, arena);
    keep_politician(&ret->politician, arena);
}

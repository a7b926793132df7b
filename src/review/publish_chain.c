/* Publishes drafts that build on each other; see publish_chain.h. */
#include "review/publish_chain.h"

#include "review/standing.h"

struct publish_chain_run {
    struct db *db;
    struct arena *arena;
    struct str by;
    int64_t now_ms;
    struct publish_chain_item *items;
    size_t count, room;
};

/* The accepted drafts that it builds on, first to last. */
static enum err find_before(
    struct publish_chain_run *run, struct str filing_id, struct difference *ret, struct fail *fail)
{
    struct draft draft;
    struct draft_row_list rows;
    TRY(draft_find(run->db, filing_id, run->arena, &draft, fail));
    return standing_compare(run->db, &draft, run->arena, &rows, ret, fail);
}

static enum err publish_one(struct publish_chain_run *run, struct str filing_id, struct fail *fail)
{
    struct publish_chain_item item = {.filing_id = filing_id};
    TRY(publish_draft(run->db, filing_id, run->by, run->now_ms, &item.result, fail));
    run->items = mem_grow(run->items, run->count, &run->room, sizeof *run->items);
    run->items[run->count++] = item;
    return OK;
}

/* Each publication leaves fewer drafts before this one, and every draft before it is filed earlier:
 * it ends. */
static enum err publish_after(
    struct publish_chain_run *run, struct str filing_id, struct fail *fail)
{
    struct difference difference;
    enum err err = find_before(run, filing_id, &difference, fail);
    while (!err && difference.after_count) {
        err = publish_after(run, difference.after[0], fail);
        if (!err)
            err = find_before(run, filing_id, &difference, fail);
    }
    return err ? err : publish_one(run, filing_id, fail);
}

static struct publish_chain keep(struct publish_chain_run *run)
{
    struct publish_chain chain = {
        .items = ARENA_ARRAY(run->arena, struct publish_chain_item, run->count + 1),
        .count = run->count,
    };
    for (size_t i = 0; i < run->count; i++)
        chain.items[i] = run->items[i];
    return chain;
}

enum err publish_chain(
    struct db *db, struct str filing_id, struct str by, int64_t now_ms, struct arena *arena,
    struct publish_chain *ret, struct fail *fail)
{
    struct publish_chain_run run = {.db = db, .arena = arena, .by = by, .now_ms = now_ms};
    bool own;
    TRY(db_join(db, &own, fail)); /* each publication adds its own events */
    enum err err = publish_after(&run, filing_id, fail);
    err = db_leave(db, own, err, fail);
    if (!err)
        *ret = keep(&run);
    mem_free(run.items);
    return err;
}

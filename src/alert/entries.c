/* The cache of entries; see entries.h. */
#include "alert/entries.h"

#include "base/intmap.h"
#include "store/alert_match.h"
#include "store/change_log.h"

enum { ENTRIES_MAX = 20000 };

struct entries {
    struct db *db;
    struct arena arena;
    struct intmap by_seq; /* struct known_entry */
};

struct entries *entries_create(struct db *db)
{
    struct entries *e = MEM_NEW(struct entries);
    e->db = db;
    arena_init(&e->arena);
    intmap_init(&e->by_seq);
    return e;
}

void entries_destroy(struct entries *e)
{
    if (!e)
        return;
    intmap_finish(&e->by_seq);
    arena_finish(&e->arena);
    mem_free(e);
}

void entries_trim(struct entries *e)
{
    if (e->by_seq.used <= ENTRIES_MAX)
        return;
    intmap_finish(&e->by_seq);
    intmap_init(&e->by_seq);
    arena_reset(&e->arena);
}

struct entry_reading {
    struct arena *arena;
    struct known_entry *entry;
};

static enum err keep(void *ctx, const struct change_entry *change)
{
    struct entry_reading *r = ctx;
    change_entry_copy(change, r->arena, &r->entry->change);
    return OK;
}

static enum err read(struct entries *e, int64_t seq, struct known_entry *ret, struct fail *fail)
{
    struct entry_reading reading = {&e->arena, ret};
    ret->notified_day = DAY_NONE;
    enum err err = change_log_each(e->db, seq - 1, 1, keep, &reading, fail);
    if (!err)
        err = alert_entry_trade(e->db, seq, &ret->trade_no, &ret->notified_day, fail);
    if (err == ERR_NOT_FOUND)
        return OK;
    return err ? err
               : alert_trade_seqs(
                     e->db, ret->trade_no, seq, &e->arena, &ret->seqs, &ret->seq_count, fail);
}

enum err entries_find(
    struct entries *e, int64_t seq, const struct known_entry **ret, struct fail *fail)
{
    *ret = intmap_get(&e->by_seq, (uint64_t)seq);
    if (*ret)
        return OK;
    struct known_entry *entry = ARENA_NEW(&e->arena, struct known_entry);
    enum err err = read(e, seq, entry, fail);
    if (err)
        return err;
    intmap_put(&e->by_seq, (uint64_t)seq, entry);
    *ret = entry;
    return OK;
}

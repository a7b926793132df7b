/* The cache of entries; see entries.h. */
#include "alert/entries.h"

#include "base/intmap.h"
#include "store/account/alert_match.h"
#include "store/public/change_log.h"
#include "store/public/trade_report.h"

enum { ENTRIES_MAX = 20000 };

struct entries {
    struct db *db;
    struct arena arena;
    struct intmap by_seq; /* struct known_entry */
    struct trade_reports reports;
    int64_t reported; /* the filing that they are of; 0: none yet */
};

struct entries *entries_create(struct db *db)
{
    struct entries *e = MEM_NEW(struct entries);
    e->db = db;
    arena_init(&e->arena);
    intmap_init(&e->by_seq);
    trade_reports_init(&e->reports);
    return e;
}

void entries_destroy(struct entries *e)
{
    if (!e)
        return;
    trade_reports_finish(&e->reports);
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
    e->reported = 0;
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

/* Entries come filing by filing. */
static enum err find_report(
    struct entries *e, struct trade_row *row, struct known_entry *ret, struct fail *fail)
{
    int64_t filed_at = ret->change.filing.filed_at;
    enum err err = OK;
    if (e->reported != row->filing_no) {
        trade_reports_finish(&e->reports);
        trade_reports_init(&e->reports);
        e->reported = 0;
        err = trade_reports_add(e->db, row->filing_no, &e->reports, fail);
    }
    if (err)
        return err;
    e->reported = row->filing_no;
    row->trade.id = ret->change.trade_id;
    ret->report = trade_report_of(&e->reports, row, filed_at, instant_day_new_york(filed_at));
    return OK;
}

static enum err read(struct entries *e, int64_t seq, struct known_entry *ret, struct fail *fail)
{
    struct entry_reading reading = {&e->arena, ret};
    struct trade_row row;
    enum err err = change_log_each(e->db, seq - 1, 1, keep, &reading, fail);
    if (!err)
        err = alert_entry_trade(e->db, seq, &row, fail);
    if (err == ERR_NOT_FOUND)
        return OK;
    if (!err)
        err = find_report(e, &row, ret, fail);
    ret->trade_no = err ? 0 : row.no;
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

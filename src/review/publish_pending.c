/* Filings and trades that wait to be written; see publish_pending.h. */
#include "review/publish_pending.h"

#include "conflict/signal.h"
#include "paper/cell/row_field.h"

enum { FILINGS_MAX = 512, TRADES_MAX = 2000 };

struct publish_pending {
    struct db *db;
    int64_t now_ms;
    struct filing_new filings[FILINGS_MAX];
    size_t filing_count;
    struct trade_new trades[TRADES_MAX];
    struct finding *findings[TRADES_MAX];
    size_t trade_count;
    struct arena arena;           /* their texts */
    int64_t numbers[FILINGS_MAX]; /* reserved for filings */
    size_t number_count, numbers_used;
};

struct publish_pending *publish_pending_create(struct db *db, int64_t now_ms)
{
    struct publish_pending *p = MEM_NEW(struct publish_pending);
    p->db = db;
    p->now_ms = now_ms;
    arena_init(&p->arena);
    return p;
}

void publish_pending_destroy(struct publish_pending *p)
{
    if (!p)
        return;
    arena_finish(&p->arena);
    mem_free(p);
}

/* Writing */

static enum err write_signals(struct publish_pending *p, struct fail *fail)
{
    struct str ids[TRADES_MAX];
    struct finding *findings[TRADES_MAX];
    int64_t numbers[TRADES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < p->trade_count; i++) {
        if (!p->findings[i])
            continue;
        char id[TRADE_ID_SIZE_MAX];
        size_t size = trade_id_make(p->trades[i].filing_id, p->trades[i].row, id);
        ids[n] = arena_str(&p->arena, str_of(id, size));
        findings[n++] = p->findings[i];
    }
    TRY(trade_numbers(p->db, ids, n, numbers, fail));
    return signal_put_new(p->db, numbers, findings, n, p->now_ms, fail);
}

enum err publish_pending_write(struct publish_pending *p, struct fail *fail)
{
    enum err err = filing_insert_all(p->db, p->filings, p->filing_count, p->now_ms, fail);
    if (!err)
        err = trade_insert_all(p->db, p->trades, p->trade_count, fail);
    if (!err)
        err = write_signals(p, fail);
    p->filing_count = p->trade_count = 0;
    arena_reset(&p->arena);
    return err;
}

/* Adding */

/* SQLite gives numbers after the greatest in the table, so nothing may wait. */
static enum err reserve(struct publish_pending *p, struct fail *fail)
{
    enum err err = publish_pending_write(p, fail);
    if (!err)
        err = filing_reserve(p->db, p->numbers, FILINGS_MAX, fail);
    p->numbers_used = 0;
    p->number_count = err ? 0 : FILINGS_MAX;
    return err;
}

enum err publish_pending_add_filing(
    struct publish_pending *p, const struct filing_new *filing, int64_t *ret_no, struct fail *fail)
{
    if (p->numbers_used == p->number_count)
        TRY(reserve(p, fail));
    struct filing_new *kept = &p->filings[p->filing_count++];
    *kept = *filing;
    struct str *const texts[] = {
        &kept->id,
        &kept->source_doc_id,
        &kept->url,
        &kept->politician_id,
        &kept->politician_slug,
        &kept->politician_name,
        &kept->party,
        &kept->state,
        &kept->amends,
        &kept->reviewed_by,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        *texts[i] = arena_str(&p->arena, *texts[i]);
    *ret_no = kept->no = p->numbers[p->numbers_used++];
    return OK;
}

enum err publish_pending_add_trade(
    struct publish_pending *p, const struct trade_new *trade, struct finding *finding,
    struct fail *fail)
{
    struct trade_new *kept = &p->trades[p->trade_count];
    *kept = *trade;
    kept->filing_id = arena_str(&p->arena, trade->filing_id);
    kept->values = row_values_copy(&trade->values, &p->arena);
    kept->printed = arena_str(&p->arena, trade->printed);
    p->findings[p->trade_count++] = finding;
    return p->trade_count == TRADES_MAX ? publish_pending_write(p, fail) : OK;
}

bool publish_pending_has(const struct publish_pending *p, struct str filing_id)
{
    for (size_t i = 0; i < p->filing_count; i++)
        if (str_eq(p->filings[i].id, filing_id))
            return true;
    return false;
}

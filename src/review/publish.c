/* Live publication: one filing, one transaction; see publish.h. */
#include "review/publish.h"

#include <assert.h>

#include "event/body.h"
#include "review/publish_write.h"
#include "rule/event_type.h"
#include "store/public/event.h"
#include "store/public/filing.h"
#include "store/public/trade.h"

/* The state of one live publication. */
struct publish_run {
    struct publish_write write;
    struct arena arena;
    const struct draft_filing *filing;
    int64_t filing_no;
    bool was_public[DRAFT_ROW_MAX + 1]; /* rows that are already trades */
};

static enum err note_row(void *ctx, const struct trade_row *row)
{
    struct publish_run *p = ctx;
    struct str id = row->trade.id;
    int64_t number;
    if (id.n > 4 && str_to_i64(str_slice(id, id.n - 4, id.n), &number) && number >= 1)
        p->was_public[number] = true;
    return OK;
}

/* The filing exists: marks its rows that are already trades. */
static enum err stand_on(struct publish_run *p, const struct filing_row *row, struct fail *fail)
{
    p->filing_no = row->no;
    if (row->damaged)
        return fail_set(
            fail, ERR_CORRUPT, "%.*s is damaged: its row does not match its digest",
            STR_ARG(row->filing.id));
    if (row->state == FILING_WITHDRAWN || row->state == FILING_REJECTED)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s", STR_ARG(row->filing.id),
            STR_ARG(filing_state_name(row->state)));
    return trade_each_of_filing(p->write.db, row->no, note_row, p, fail);
}

static enum err put_filing(struct publish_run *p, bool *ret_is_new, struct fail *fail)
{
    struct filing_row row;
    enum err err = filing_find(p->write.db, p->filing->id, &p->arena, &row, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    *ret_is_new = err == ERR_NOT_FOUND;
    TRY(*ret_is_new ? OK : stand_on(p, &row, fail));
    TRY(publish_write_document(&p->write, p->filing, fail));
    if (*ret_is_new)
        TRY(publish_write_filing(&p->write, p->filing, INSTANT_NONE, &p->filing_no, fail));
    return OK;
}

static size_t count_new(const struct publish_run *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->filing->row_count; i++) {
        int row = p->filing->rows[i].row;
        assert(row >= 1 && row <= DRAFT_ROW_MAX);
        count += !p->was_public[row];
    }
    return count;
}

/* Adds one event for all new trades of the filing, with its current body (decision 37). */
static enum err add_event(
    struct publish_run *p, int64_t disclosed_at, size_t *ret_deliveries, struct fail *fail)
{
    struct filing_row row;
    BUF_SCOPED(body, EVENT_BODY_SIZE_MAX);
    int64_t deliveries = 0;
    enum err err = filing_find(p->write.db, p->filing->id, &p->arena, &row, fail);
    if (err)
        return err;
    event_body_put(
        &body, &row.filing, &row.politician, p->filing, p->write.findings, p->was_public,
        disclosed_at);
    if (body.overflow)
        err = fail_set(fail, ERR_LIMIT, "%.*s: the event is too large", STR_ARG(p->filing->id));
    else
        err = event_add(
            &(struct act){.db = p->write.db, .now_ms = p->write.now_ms, .fail = fail},
            event_type_name(EVENT_TRADE_PUBLISHED), p->filing_no, p->write.publication.no,
            buf_view(&body), &deliveries);
    *ret_deliveries = (size_t)deliveries;
    return err;
}

static enum err publish(struct publish_run *p, struct publish_result *ret, struct fail *fail)
{
    struct publish_write *w = &p->write;
    bool is_new = false;
    TRY(publish_write_begin(w, PUBLICATION_LIVE, fail));
    TRY(put_filing(p, &is_new, fail));
    *ret = (struct publish_result){
        .publication = w->publication.no, .filings = 1, .trades = count_new(p)};
    if (!is_new && ret->trades == 0)
        return fail_set(fail, ERR_EXISTS, "%.*s has no new rows", STR_ARG(p->filing->id));
    TRY(publication_add_filing(
        w->db, &w->publication, p->filing_no, p->filing->filed_at, &ret->disclosed_at, fail));
    TRY(publish_write_judge(w, p->filing, fail));
    TRY(publish_write_trades(w, p->filing, p->filing_no, p->was_public, ret->disclosed_at, fail));
    if (ret->trades)
        TRY(add_event(p, ret->disclosed_at, &ret->deliveries, fail));
    return publication_finish(w->db, &w->publication, (int64_t)ret->trades, &ret->change_seq, fail);
}

enum err publish_within(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail)
{
    MEM_FREED struct publish_run *p = MEM_NEW(struct publish_run);
    p->write = (struct publish_write){.db = db, .by = by, .now_ms = now_ms};
    p->filing = filing;
    arena_init(&p->arena);
    enum err err = publish(p, ret, fail);
    publish_write_finish(&p->write);
    arena_finish(&p->arena);
    return err;
}

enum err publish_live(
    struct db *db, const struct draft_filing *filing, struct str by, int64_t now_ms,
    struct publish_result *ret, struct fail *fail)
{
    struct publish_result result;
    TRY(db_begin(db, fail));
    enum err err = publish_within(db, filing, by, now_ms, &result, fail);
    err = db_end(db, err, fail);
    if (!err)
        *ret = result;
    return err;
}

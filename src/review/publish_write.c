/* Writes one filing to the store; see publish_write.h. */
#include "review/publish_write.h"

#include <assert.h>

#include "base/hash.h"
#include "conflict/signal.h"
#include "paper/cell/row_field.h"
#include "store/public/document.h"
#include "store/public/filing.h"
#include "store/public/member.h"
#include "store/public/trade.h"

/*
 * Buffers the filings and trades of a bulk publication and writes them in groups, because a request
 * costs PostgreSQL as much as many rows. Only the steps of a publication call this
 * (publish_write.h).
 */

struct publish_pending;

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

static struct publish_pending *publish_pending_create(struct db *db, int64_t now_ms)
{
    struct publish_pending *p = MEM_NEW(struct publish_pending);
    p->db = db;
    p->now_ms = now_ms;
    arena_init(&p->arena);
    return p;
}

/* NULL is fine */
static void publish_pending_destroy(struct publish_pending *p)
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

/* Writes everything buffered. */
static enum err publish_pending_write(struct publish_pending *p, struct fail *fail)
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

/* Buffers a new filing that is public at once; its number is *ret_no. Copies the filing and its
 * trades. No other filing may be inserted meanwhile. */
static enum err publish_pending_add_filing(
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

/* `finding` (NULL: no signal) must live until the trade is written. */
static enum err publish_pending_add_trade(
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

/* Whether a filing with this id is buffered. */
static bool publish_pending_has(const struct publish_pending *p, struct str filing_id)
{
    for (size_t i = 0; i < p->filing_count; i++)
        if (str_eq(p->filings[i].id, filing_id))
            return true;
    return false;
}

static bool is_bulk(const struct publish_write *w)
{
    return w->publication.kind == PUBLICATION_BACKFILL;
}

static struct publish_pending *pending(struct publish_write *w)
{
    if (!w->pending)
        w->pending = publish_pending_create(w->db, w->publication.at);
    return w->pending;
}

enum err publish_write_begin(struct publish_write *w, enum publication_kind kind, struct fail *fail)
{
    return publication_begin(w->db, kind, w->by, w->now_ms, &w->publication, fail);
}

void publish_write_finish(struct publish_write *w)
{
    judge_destroy(w->judge);
    publish_pending_destroy(w->pending);
    arena_finish(&w->arena);
    mem_free(w->findings);
    w->judge = NULL;
    w->pending = NULL;
    w->findings = NULL;
}

enum err publish_write_document(
    struct publish_write *w, const struct draft_filing *f, struct fail *fail)
{
    const struct draft_document *d = f->document;
    if (!d)
        w->document_version = f->document_version;
    if (w->document == d)
        return OK;
    /* One data file holds many filings; a paper holds one filing and has the same URL. */
    struct document document = {
        .kind = d->kind,
        .source_id = d->name,
        .url = is_bulk(w) ? STR_NULL : f->url,
        .chamber = is_bulk(w) ? CHAMBER_NONE : f->chamber,
        .state = is_bulk(w) ? DOCUMENT_BULK : DOCUMENT_DRAFT,
        .reason = STR_NULL,
        .bytes = d->bytes,
    };
    for (int i = 0; i < SHA256_SIZE; i++)
        document.sha256[i] = d->sha256[i];
    w->document = d;
    return document_put(w->db, &document, w->now_ms, &w->document_version, fail);
}

/* Members that this transaction has looked up. */
struct publish_member {
    struct member member;
    struct publish_member *next;
};

static enum err find_member(
    struct publish_write *w, struct str id, const struct member **ret, struct fail *fail)
{
    struct publish_member **slot = &w->members[hash_str(id) % PUBLISH_MEMBER_SLOTS];
    for (const struct publish_member *m = *slot; m; m = m->next) {
        if (str_eq(m->member.id, id)) {
            *ret = &m->member;
            return OK;
        }
    }
    struct member member;
    TRY(member_find(w->db, id, &w->arena, &member, fail));
    struct publish_member *known = arena_alloc(&w->arena, sizeof *known);
    *known = (struct publish_member){member, *slot};
    *slot = known;
    *ret = &known->member;
    return OK;
}

/* The filing that it amends may wait itself. */
static enum err amend(
    struct publish_write *w, struct str filing_id, int64_t *ret_no, struct fail *fail)
{
    if (str_is_null(filing_id))
        return OK;
    bool waits = w->pending && publish_pending_has(w->pending, filing_id);
    TRY(waits ? publish_write_rest(w, fail) : OK);
    return publication_amend(w->db, &w->publication, filing_id, ret_no, fail);
}

enum err publish_write_filing(
    struct publish_write *w, const struct draft_filing *f, int64_t published_at, int64_t *ret_no,
    struct fail *fail)
{
    const struct member *member;
    TRY(find_member(w, f->politician_id, &member, fail));
    struct filing_new filing = {
        .id = f->id,
        .chamber = f->chamber,
        .source_doc_id = f->source_doc_id,
        .url = f->url,
        .politician_id = member->id,
        .politician_slug = member->slug,
        .politician_name = member->name,
        .member_no = member->no,
        .party = f->party,
        .state = f->state,
        .filed_at = f->filed_at,
        .amends = f->amends,
        .document_version = w->document_version,
        .review = is_bulk(w) ? FILING_REVIEW_BULK : FILING_REVIEW_ROW,
        .reviewed_by = w->by,
        .reviewed_at = w->now_ms,
        .publication_no = published_at == INSTANT_NONE ? 0 : w->publication.no,
        .published_at = published_at,
    };
    if (!filing.publication_no)
        return filing_insert(w->db, &filing, w->now_ms, ret_no, fail);
    TRY(amend(w, f->amends, &filing.amends_no, fail));
    return publish_pending_add_filing(pending(w), &filing, ret_no, fail);
}

enum err publish_write_judge(
    struct publish_write *w, const struct draft_filing *f, struct fail *fail)
{
    const struct member *member;
    TRY(find_member(w, f->politician_id, &member, fail));
    struct judge_trade trade = {.chamber = f->chamber, .member_no = member->no};
    if (!w->judge)
        w->judge = judge_create();
    if (f->row_count > w->finding_room) {
        w->finding_room = f->row_count;
        w->findings = mem_realloc(w->findings, w->finding_room * sizeof(struct finding *));
    }
    for (size_t i = 0; i < f->row_count; i++) {
        const struct draft_row *row = &f->rows[i];
        trade.confirmed = str_is_null(row->values.ticker);
        trade.ticker = trade.confirmed ? row->company : row->values.ticker;
        trade.asset_type = row->values.asset_type;
        trade.asset_name = row->values.asset_name;
        trade.day = row->values.trade_date == DAY_NONE ? instant_day_new_york(f->filed_at)
                                                       : row->values.trade_date;
        TRY(judge_find(w->judge, w->db, &trade, &w->findings[i], fail));
    }
    return OK;
}

static enum err find_number(
    struct db *db, struct str filing_id, int row, int64_t *ret, struct fail *fail)
{
    char id[TRADE_ID_SIZE_MAX];
    return trade_number(db, str_of(id, trade_id_make(filing_id, row, id)), ret, fail);
}

static enum err put_signals(
    struct publish_write *w, const struct draft_filing *f, const bool *skip, struct fail *fail)
{
    MEM_FREED int64_t *numbers = mem_array(f->row_count + 1, sizeof *numbers);
    struct finding **findings = mem_array(f->row_count + 1, sizeof *findings);
    size_t count = 0;
    enum err err = OK;
    for (size_t i = 0; i < f->row_count && !err; i++) {
        if (!w->findings[i] || (skip && skip[f->rows[i].row]))
            continue;
        err = find_number(w->db, f->id, f->rows[i].row, &numbers[count], fail);
        findings[count++] = w->findings[i];
    }
    if (!err)
        err = signal_put_new(w->db, numbers, findings, count, w->publication.at, fail);
    mem_free(findings);
    return err;
}

enum err publish_write_trades(
    struct publish_write *w, const struct draft_filing *f, int64_t filing_no, const bool *skip,
    int64_t disclosed_at, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < f->row_count && !err; i++) {
        const struct draft_row *row = &f->rows[i];
        assert(row->row >= 1 && row->row <= DRAFT_ROW_MAX);
        if (skip && skip[row->row])
            continue;
        const struct trade_new trade = {
            .filing_no = filing_no,
            .filing_id = f->id,
            .row = row->row,
            .page = row->page,
            .values = row->values,
            .notified_date = row->notified_date,
            .cap_gains = row->cap_gains,
            .company = row->company,
            .printed = row->printed,
            .document_version = w->document_version,
            .publication_no = w->publication.no,
            .disclosed_at = disclosed_at,
        };
        err = is_bulk(w) ? publish_pending_add_trade(pending(w), &trade, w->findings[i], fail)
                         : trade_insert(w->db, &trade, fail);
    }
    return err || is_bulk(w) ? err : put_signals(w, f, skip, fail);
}

enum err publish_write_rest(struct publish_write *w, struct fail *fail)
{
    return w->pending ? publish_pending_write(w->pending, fail) : OK;
}

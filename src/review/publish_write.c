/* Writes one filing to the store; see publish_write.h. */
#include "review/publish_write.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "conflict/signal.h"
#include "review/publish_pending.h"
#include "store/public/document.h"
#include "store/public/filing.h"
#include "store/public/member.h"
#include "store/public/trade.h"

static bool is_bulk(const struct publish_write *w)
{
    return w->publication.kind == PUBLICATION_BACKFILL;
}

static struct publish_pending *pending(struct publish_write *w)
{
    if (!w->pending)
        w->pending = publish_pending_create(w->db, w->now_ms);
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
    int64_t *numbers = mem_array(f->row_count + 1, sizeof *numbers);
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
        err = signal_put_new(w->db, numbers, findings, count, w->now_ms, fail);
    mem_free(numbers);
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

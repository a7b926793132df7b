/* Publishing an accepted draft; see publish_draft.h. */
#include "review/publish_draft.h"

#include "conflict/signal.h"
#include "review/correct.h"
#include "review/correct_filing.h"
#include "review/obstacle.h"
#include "review/office.h"
#include "review/publish_bulk.h"
#include "review/held_rows.h"
#include "review/standing.h"
#include "event/transaction.h"
#include "review/unread.h"
#include "review/withdraw.h"
#include "store/desk/draft_history.h"
#include "store/public/filing.h"
#include "store/public/publication.h"
#include "store/public/trade.h"
#include "store/row/change.h"

struct publish_draft_run {
    struct db *db;
    struct arena arena;
    struct str by;
    int64_t now_ms;
    struct draft draft;
    struct draft_row_list rows;
    struct difference difference;
    struct str reason; /* of corrections and withdrawals */
    struct publish_draft_result result;
};

/* --- conditions */

/* The draft of the amended filing, which is marked as amended afterwards. */
static enum err lock_amended(struct publish_draft_run *p, struct fail *fail)
{
    struct draft amended;
    enum err err = str_is_null(p->draft.is.amends)
                       ? OK
                       : draft_lock(p->db, p->draft.is.amends, &p->arena, &amended, fail);
    return err == ERR_NOT_FOUND ? OK : err; /* bulk history has no draft */
}

static enum err load(struct publish_draft_run *p, struct str filing_id, struct fail *fail)
{
    enum draft_state next;
    TRY(publication_lock(p->db, fail));
    TRY(draft_lock(p->db, filing_id, &p->arena, &p->draft, fail));
    if (p->draft.entry == DRAFT_ENTRY_SECOND || p->draft.entry == DRAFT_ENTRY_THIRD)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is typed by two people and not accepted yet",
            STR_ARG(filing_id));
    if (!draft_step(p->draft.state, DRAFT_PUBLISH, &next))
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s; only an accepted draft can be published",
            STR_ARG(filing_id), STR_ARG(report_state_name(p->draft.shown)));
    p->draft.state = next;
    struct str accepted = p->draft.difference;
    TRY(standing_compare(p->db, &p->draft, &p->arena, &p->rows, &p->difference, fail));
    if (p->difference.after_count)
        return fail_set(
            fail, ERR_REFUSED, "%.*s builds on %.*s, which is accepted: publish that first",
            STR_ARG(filing_id), STR_ARG(p->difference.after[0]));
    if (!str_eq(standing_text(&p->difference, &p->arena), accepted))
        return fail_set(
            fail, ERR_REFUSED,
            "what %.*s is compared with changed after it was accepted: claim it, review it and "
            "accept it again",
            STR_ARG(filing_id));
    TRY(obstacle_check_values(p->db, &p->draft, &p->difference, &p->arena, fail));
    TRY(lock_amended(p, fail));
    p->reason =
        str_is_null(p->draft.is.amends)
            ? arena_fmt(&p->arena, "%.*s was read again", STR_ARG(filing_id))
            : arena_fmt(
                  &p->arena, "%.*s amends %.*s", STR_ARG(filing_id), STR_ARG(p->draft.is.amends));
    return OK;
}

/* --- new trades */

/* What was read on a scan only helps the person who checks the row. It is not published as printed,
 * because nobody has compared it with the page letter by letter. */
static struct str printed_of(const struct draft_row_stored *row)
{
    return str_is_null(row->sources) ? row->printed : STR_NULL;
}

static struct draft_row to_row(const struct draft_row_stored *row)
{
    return (struct draft_row){
        .row = row->row,
        .page = row->page,
        .values = row->values,
        .notified_date = row->notified_date,
        .cap_gains = row->cap_gains,
        .company = row->company,
        .printed = printed_of(row),
    };
}

/* The rows that become trades of this filing. */
static struct draft_row *new_rows(struct publish_draft_run *p, size_t *ret_count)
{
    struct draft_row *rows = ARENA_ARRAY(&p->arena, struct draft_row, p->difference.count + 1);
    *ret_count = 0;
    for (size_t i = 0; i < p->difference.count; i++)
        if (p->difference.items[i].kind == DIFFERENCE_ADDED)
            rows[(*ret_count)++] = to_row(p->difference.items[i].row);
    return rows;
}

static enum err make_filing(
    struct publish_draft_run *p, struct draft_filing *ret, struct fail *fail)
{
    const struct draft_new *is = &p->draft.is;
    struct office office;
    struct filing_row amended;
    TRY(office_at(
        p->db, is->politician_id, is->chamber, is->filed_at, is->filer_state, &p->arena, &office,
        fail));
    bool link = !str_is_null(is->amends);
    enum err err = link ? filing_find(p->db, is->amends, &p->arena, &amended, fail) : OK;
    if (err && err != ERR_NOT_FOUND)
        return err;
    *ret = (struct draft_filing){
        .id = is->filing_id,
        .chamber = is->chamber,
        .source_doc_id = is->source_doc_id,
        .url = is->url,
        .politician_id = is->politician_id,
        .party = office.party,
        .state = office.state,
        .filed_at = is->filed_at,
        .amends = link && !err ? is->amends : STR_NULL,
        .document_version = is->document_version,
    };
    ret->rows = new_rows(p, &ret->row_count);
    return OK;
}

static enum err add_new(struct publish_draft_run *p, struct fail *fail)
{
    struct draft_filing filing;
    struct filing_row known;
    struct publish_result published;
    TRY(make_filing(p, &filing, fail));
    enum err err = filing_find(p->db, filing.id, &p->arena, &known, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    if (!err && filing.row_count == 0)
        return OK;
    TRY(publish_within(p->db, &filing, p->by, p->now_ms, &published, fail));
    p->draft.publication_no = p->result.publication = published.publication;
    p->result.disclosed_at = published.disclosed_at;
    p->result.deliveries = published.deliveries;
    p->result.added = published.trades;
    p->result.change_seq = published.change_seq;
    return OK;
}

/* --- public trades */

/* Stores the matched trade in the row, so that later claims need not match it again. */
static enum err remember_trade(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    struct draft_row_stored row = *item->row;
    if (item->trade->row || !str_is_null(row.trade_id))
        return OK;
    row.trade_id = item->trade->id;
    return draft_row_update(p->db, p->draft.no, &row, p->now_ms, fail);
}

/* A trade of another filing keeps its company where this report has none. */
static enum err confirm_company(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    struct str company = item->row->company;
    bool changed = false;
    if (!item->trade->row && str_is_null(company))
        return OK;
    TRY(trade_set_company(p->db, item->trade->id, company, &changed, fail));
    return changed ? signal_refresh(p->db, item->trade->id, p->now_ms, fail) : OK;
}

/* The trade's position in this document, for trades of this filing. */
static enum err link_source(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    const struct draft_row_stored *row = item->row;
    TRY(confirm_company(p, item, fail));
    if (!item->trade->row)
        return remember_trade(p, item, fail);
    return trade_set_source(
        p->db, item->trade->id, row->page, row->notified_date, row->cap_gains, printed_of(row),
        p->draft.is.document_version, fail);
}

static enum err correct_trade(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    struct correct_result corrected = {0};
    struct row_values values = item->row->values;
    TRY(correct_values(
        p->db, item->trade->id, &item->trade->values, &values, p->by, p->reason, p->now_ms,
        &corrected, fail));
    p->result.change_seq = corrected.change_seq;
    p->result.corrected++;
    return link_source(p, item, fail);
}

static enum err withdraw_trade(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    p->result.withdrawn++;
    TRY(item->row ? remember_trade(p, item, fail) : OK);
    return withdraw_within(
        p->db, item->trade->id, p->by, p->reason, p->now_ms, &p->result.change_seq, fail);
}

static enum err act_on(
    struct publish_draft_run *p, const struct difference_item *item, struct fail *fail)
{
    switch (item->kind) {
    case DIFFERENCE_SAME:
        p->result.linked++;
        return link_source(p, item, fail);
    case DIFFERENCE_CHANGED:
        return correct_trade(p, item, fail);
    case DIFFERENCE_REMOVED:
        return withdraw_trade(p, item, fail);
    case DIFFERENCE_HELD:
        p->result.held++;
        return OK;
    case DIFFERENCE_OPEN:
        return fail_set(fail, ERR_REFUSED, "row %d is open: choose its trade", item->row->row);
    case DIFFERENCE_OVERTAKEN:
        p->result.overtaken++;
        return OK;
    case DIFFERENCE_ADDED:
    case DIFFERENCE_NOTHING:
    case DIFFERENCE_KIND_COUNT:
        break;
    }
    return OK;
}

/* --- the filing and its drafts, afterwards */

static enum err mark_amended(struct publish_draft_run *p, struct fail *fail)
{
    struct str amends = p->draft.is.amends;
    struct draft amended;
    enum draft_state next;
    if (str_is_null(amends))
        return OK;
    enum err err = filing_set_amends(p->db, p->draft.is.filing_id, amends, fail);
    if (!err)
        err = filing_set_amended(p->db, amends, fail);
    if (!err)
        err = draft_lock(p->db, amends, &p->arena, &amended, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    if (!draft_step(amended.state, DRAFT_AMEND, &next))
        return OK;
    amended.state = next;
    return draft_update(p->db, &amended, fail);
}

/* Marks the filing itself as amended if it was already: by the report that overtook it, or by
 * marked rows. */
static enum err stay_amended(struct publish_draft_run *p, struct fail *fail)
{
    struct filing_row own;
    struct str id = p->draft.is.filing_id, by = p->difference.overtaken_by;
    enum draft_state next;
    if (!str_is_null(by)) {
        TRY(filing_set_amended(p->db, id, fail));
        TRY(filing_set_amends(p->db, by, id, fail));
    }
    TRY(filing_find(p->db, id, &p->arena, &own, fail));
    if (own.state == FILING_AMENDED && draft_step(p->draft.state, DRAFT_AMEND, &next))
        p->draft.state = next;
    return OK;
}

/* The date of a public filing follows the document: bulk history has the day alone, and a Senate
 * page prints the minute. disclosedAt stays. */
static enum err correct_filed(struct publish_draft_run *p, struct fail *fail)
{
    const struct draft_new *is = &p->draft.is;
    const struct filing_correction correction = {
        .filed_at = is->filed_at,
        .printed_state = is->filer_state,
        .by = p->by,
        .reason = arena_fmt(&p->arena, "the document of %.*s states it", STR_ARG(is->filing_id)),
        .now_ms = p->now_ms,
    };
    struct filing_corrected corrected = {0};
    struct filing_row filing;
    enum err err = filing_find(p->db, is->filing_id, &p->arena, &filing, fail);
    if (err || filing.filing.filed_at == is->filed_at)
        return err == ERR_NOT_FOUND ? OK : err;
    TRY(correct_filing(p->db, &filing, &correction, &corrected, fail));
    p->result.change_seq = corrected.change_seq;
    return OK;
}

/* A paper filing is typed by one person, or by two. */
static enum err set_entry(struct publish_draft_run *p, struct fail *fail)
{
    const struct draft *d = &p->draft;
    enum filing_entry entry = !d->is.manual                   ? FILING_ENTRY_NONE
                              : d->entry == DRAFT_ENTRY_TWICE ? FILING_ENTRY_DOUBLE
                                                              : FILING_ENTRY_SINGLE;
    return filing_set_entry(p->db, d->is.filing_id, entry, fail);
}

static enum err finish(struct publish_draft_run *p, struct fail *fail)
{
    const struct draft_event event = {
        .at = p->now_ms,
        .by = p->by,
        .action = draft_action_name(DRAFT_PUBLISH),
        .new = published_line_make(
            &(struct published_line){
                .added = p->result.added,
                .corrected = p->result.corrected,
                .withdrawn = p->result.withdrawn,
                .linked = p->result.linked,
                .held = p->result.held,
                .overtaken = p->result.overtaken,
            },
            &p->arena),
    };
    struct str reviewer =
        str_is_null(p->draft.second_by) ? p->draft.accepted_by : p->draft.second_by;
    TRY(filing_set_reviewed(
        p->db, p->draft.is.filing_id, reviewer, p->draft.accepted_at, p->draft.second_at,
        p->draft.is.document_version, fail));
    TRY(set_entry(p, fail));
    TRY(mark_amended(p, fail));
    TRY(stay_amended(p, fail));
    TRY(draft_update(p->db, &p->draft, fail));
    return draft_history_add(p->db, p->draft.no, &event, fail);
}

/* A paper filing that was withdrawn as unread is reinstated with its first trades (unread.h). */
static enum err bring_back(struct publish_draft_run *p, bool *ret_back, struct fail *fail)
{
    struct filing_row filing;
    enum err err = filing_find(p->db, p->draft.is.filing_id, &p->arena, &filing, fail);
    if (err || filing.state != FILING_WITHDRAWN)
        return err == ERR_NOT_FOUND ? OK : err;
    *ret_back = true;
    return unread_reinstate(p->db, &filing, p->by, p->now_ms, fail);
}

static enum err publish(struct publish_draft_run *p, struct str filing_id, struct fail *fail)
{
    bool back = false;
    TRY(load(p, filing_id, fail));
    TRY(bring_back(p, &back, fail));
    TRY(add_new(p, fail));
    if (back) /* after the notice of its trades: the feed has them already */
        TRY(change_add(p->db, STR("filing"), filing_id, &p->result.change_seq, fail));
    for (size_t i = 0; i < p->difference.count; i++)
        TRY(act_on(p, &p->difference.items[i], fail));
    /* The feed counts lateness from the source of a trade. Without new trades, there is no other
     * notice of the rows that are held back (held_rows.h). */
    if (p->result.linked || !p->result.publication)
        TRY(change_add(p->db, STR("filing"), filing_id, &p->result.change_seq, fail));
    TRY(correct_filed(p, fail));
    return finish(p, fail);
}

enum err publish_draft(
    struct db *db, struct str filing_id, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail)
{
    struct publish_draft_run p = {.db = db, .by = by, .now_ms = now_ms};
    p.result.disclosed_at = INSTANT_NONE;
    REVIEW_TRANSACTION(t);
    TRY(review_begin(&t, db, now_ms, fail));
    arena_init(&p.arena);
    enum err err = publish(&p, filing_id, fail);
    arena_finish(&p.arena);
    TRY(err);
    TRY(review_end(&t, fail));
    *ret = p.result;
    return OK;
}

/* --- bulk history */

static enum err add_bulk(
    struct publish_draft_run *p, struct publish_bulk *bulk, struct str filing_id, struct fail *fail)
{
    struct draft_filing filing;
    TRY(load(p, filing_id, fail));
    if (p->difference.count != p->difference.of_kind[DIFFERENCE_ADDED] +
                                   p->difference.of_kind[DIFFERENCE_HELD] +
                                   p->difference.of_kind[DIFFERENCE_NOTHING])
        return fail_set(
            fail, ERR_REFUSED, "%.*s changes public trades: publish it without --backfill",
            STR_ARG(filing_id));
    TRY(make_filing(p, &filing, fail));
    TRY(publish_bulk_add(bulk, &filing, fail));
    TRY(publish_bulk_write(
        bulk, fail)); /* set_entry changes it, and the next draft is compared with it */
    TRY(set_entry(p, fail));
    const struct published_line line = {
        .added = filing.row_count, .held = p->difference.of_kind[DIFFERENCE_HELD]};
    const struct draft_event event = {
        .at = p->now_ms,
        .by = p->by,
        .action = draft_action_name(DRAFT_PUBLISH),
        .new = published_line_bulk(&line, &p->arena),
    };
    p->result.added += filing.row_count;
    p->result.held += p->difference.of_kind[DIFFERENCE_HELD];
    TRY(draft_update(p->db, &p->draft, fail));
    return draft_history_add(p->db, p->draft.no, &event, fail);
}

enum err publish_drafts_bulk(
    struct db *db, const struct str *filing_ids, size_t count, struct str by, int64_t now_ms,
    struct publish_draft_result *ret, struct fail *fail)
{
    struct publish_draft_run p = {.db = db, .by = by, .now_ms = now_ms};
    struct publish_result published;
    struct publish_bulk *bulk;
    enum err err = publish_bulk_open(db, META_DATA_REAL, by, now_ms, &bulk, fail);
    if (err)
        return err;
    arena_init(&p.arena);
    for (size_t i = 0; i < count && !err; i++)
        err = add_bulk(&p, bulk, filing_ids[i], fail);
    err = publish_bulk_close(bulk, err, &published, fail);
    arena_finish(&p.arena);
    if (err)
        return err;
    p.result.publication = published.publication;
    p.result.disclosed_at = INSTANT_NONE;
    p.result.change_seq = published.change_seq;
    *ret = p.result;
    return OK;
}

bool publish_draft_refused(enum err err)
{
    return err == ERR_REFUSED || err == ERR_NOT_FOUND || err == ERR_EXISTS || err == ERR_INVALID ||
           err == ERR_LIMIT;
}

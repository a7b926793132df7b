/* Adds unread paper filings to the ledger; see unread_paper.h. */
#include "ingest/unread_paper.h"

#include "store/desk/draft.h"
#include "store/desk/draft_history.h"
#include "store/public/document.h"

static const struct str unread = STR_INIT("a paper filing whose trades have not been entered yet");

static enum err record_entry(
    struct db *db, const struct unread_paper *paper, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    const struct draft_filing *f = &paper->filing;
    struct document_entry entry;
    int64_t no;
    enum err err =
        document_find(db, chamber_name(f->chamber), f->source_doc_id, arena, &entry, fail);
    if (err == ERR_NOT_FOUND)
        entry = (struct document_entry){
            .kind = chamber_name(f->chamber),
            .source_id = f->source_doc_id,
            .chamber = f->chamber,
            .state = DOCUMENT_NEEDS_MANUAL,
            .reason = unread,
            .filed_day = DAY_NONE,
            .filer_district = DOCUMENT_DISTRICT_NONE,
            .indexed_at = INSTANT_NONE,
            .index_gone_at = INSTANT_NONE,
        };
    else if (err)
        return err;
    if (str_is_null(entry.url))
        entry.url = f->url;
    if (entry.filed_day == DAY_NONE)
        entry.filed_day = instant_day_new_york(f->filed_at);
    if (entry.year == 0)
        entry.year = day_year(instant_day_new_york(f->filed_at));
    if (str_is_null(entry.filer))
        entry.filer = paper->filer;
    return document_record(db, &entry, now_ms, &no, fail);
}

static enum err add_draft(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms,
    struct fail *fail)
{
    const struct draft_filing *f = &paper->filing;
    const struct draft_new draft = {
        .filing_id = f->id,
        .chamber = f->chamber,
        .source_doc_id = f->source_doc_id,
        .url = f->url,
        .manual = true,
        .politician_id = f->politician_id,
        .filer = paper->filer,
        .filer_district = DRAFT_DISTRICT_NONE,
        .filed_at = f->filed_at,
        .report_day = DAY_NONE,
        .reason = unread,
        .checks = STR("[]"),
    };
    const struct draft_event event = {
        .at = now_ms, .by = by, .action = STR("new"), .reason = unread};
    int64_t no = 0;
    TRY(draft_insert(db, &draft, now_ms, &no, fail));
    return draft_history_add(db, no, &event, fail);
}

static enum err record_draft(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms,
    struct arena *arena, bool *ret_added, struct fail *fail)
{
    struct draft draft;
    enum err err = draft_lock(db, paper->filing.id, arena, &draft, fail);
    *ret_added = err == ERR_NOT_FOUND;
    if (err == ERR_NOT_FOUND)
        return add_draft(db, paper, by, now_ms, fail);
    if (err || draft.state != DRAFT_WAITING)
        return err;
    if (str_is_null(draft.is.politician_id))
        draft.is.politician_id = paper->filing.politician_id;
    if (draft.is.filed_at == INSTANT_NONE)
        draft.is.filed_at = paper->filing.filed_at;
    return draft_update(db, &draft, fail);
}

enum err unread_paper_record(
    struct db *db, const struct unread_paper *paper, struct str by, int64_t now_ms, bool *ret_added,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    TRY(record_entry(db, paper, now_ms, &arena, fail));
    return record_draft(db, paper, by, now_ms, &arena, ret_added, fail);
}

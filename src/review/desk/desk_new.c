/* Drafts created by hand; see desk.h. */
#include "review/desk/desk_parts.h"
#include "store/public/document.h"
#include "store/public/known.h"

struct draft_new desk_paper(
    enum chamber chamber, struct str source_id, struct str url, int64_t filed_at,
    struct arena *arena)
{
    return (struct draft_new){
        .filing_id =
            arena_fmt(arena, "%.*s-%.*s", STR_ARG(chamber_name(chamber)), STR_ARG(source_id)),
        .chamber = chamber,
        .source_doc_id = source_id,
        .url = url,
        .manual = true,
        .filer_district = DRAFT_DISTRICT_NONE,
        .filed_at = filed_at,
        .report_day = DAY_NONE,
        .reason = STR("entered by hand"),
        .checks = STR("[]"),
    };
}

/* Fills in missing fields from the document's index entry. A document without an entry gets one, so
 * that coverage counts it. */
static enum err ask_ledger(
    const struct desk *desk, struct draft_new *draft, struct arena *arena, struct fail *fail)
{
    struct document_entry entry;
    int64_t no;
    enum err err = document_find(
        desk->db, chamber_name(draft->chamber), draft->source_doc_id, arena, &entry, fail);
    if (err == ERR_NOT_FOUND) {
        entry = (struct document_entry){
            .kind = chamber_name(draft->chamber),
            .source_id = draft->source_doc_id,
            .url = draft->url,
            .chamber = draft->chamber,
            .state = DOCUMENT_NEEDS_MANUAL,
            .reason = STR("entered by hand"),
            .year = draft->filed_at == INSTANT_NONE
                        ? 0
                        : day_year(instant_day_new_york(draft->filed_at)),
            .filed_day = DAY_NONE,
            .filer_district = DOCUMENT_DISTRICT_NONE,
            .indexed_at = INSTANT_NONE,
            .index_gone_at = INSTANT_NONE,
        };
        return document_record(desk->db, &entry, desk->now_ms, &no, fail);
    }
    if (err)
        return err;
    if (draft->filed_at == INSTANT_NONE && entry.filed_day != DAY_NONE)
        draft->filed_at = instant_from_new_york(entry.filed_day, 0);
    if (str_is_null(draft->url))
        draft->url = entry.url;
    draft->filer = entry.filer;
    draft->filer_state = entry.filer_state;
    draft->filer_district = entry.filer_district;
    return OK;
}

/* Before anything is written, so that a refusal leaves no draft without a filer. */
static enum err check_filer(
    const struct desk *desk, const struct draft_new *draft, struct str filer, struct arena *arena,
    struct fail *fail)
{
    struct member to;
    if (str_is_null(filer))
        return OK;
    TRY(member_find(desk->db, filer, arena, &to, fail));
    return desk_check_filer(desk, &to, draft->chamber, draft->filed_at, fail);
}

static enum err begin_by_hand(
    const struct desk *desk, struct draft_new *draft, struct str filer, struct arena *arena,
    struct fail *fail)
{
    const struct draft_event event = {.at = desk->now_ms, .by = desk->by, .action = STR("new")};
    struct draft known;
    int64_t no = 0;
    enum err err = draft_find(desk->db, draft->filing_id, arena, &known, fail);
    if (!err)
        return fail_set(fail, ERR_EXISTS, "%.*s already has a draft", STR_ARG(draft->filing_id));
    if (err != ERR_NOT_FOUND)
        return err;
    TRY(ask_ledger(desk, draft, arena, fail));
    TRY(check_filer(desk, draft, filer, arena, fail));
    TRY(draft_insert(desk->db, draft, desk->now_ms, &no, fail));
    return draft_history_add(desk->db, no, &event, fail);
}

enum err desk_new(
    const struct desk *desk, const struct draft_new *draft, struct str filer, struct fail *fail)
{
    struct draft_new made = *draft;
    ARENA_SCOPED(arena);
    bool own;
    TRY(str_is_null(draft->url) ? OK : desk_check_url(draft->url, fail));
    TRY(db_join(desk->db, &own, fail));
    enum err err = begin_by_hand(desk, &made, filer, &arena, fail);
    if (!err)
        err = known_changed(desk->db, STR_NULL, fail);
    err = db_leave(desk->db, own, err, fail);
    return err;
}

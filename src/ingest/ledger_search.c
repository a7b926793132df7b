/* Writes a row of the Senate's search into the ledger, as the index does for the House. A search
 * covers only a range of days, so no entry is marked as gone. */
#include "address/official_url.h"
#include "ingest/ledger.h"

static enum err add_entry(
    const struct ledger *l, const struct ingest_row *row, struct str filer, int64_t now_ms,
    struct arena *arena, struct fail *fail)
{
    int64_t no;
    const struct document_entry entry = {
        .kind = LEDGER_SENATE,
        .source_id = row->id,
        .url = official_url_senate(arena, row->paper, row->id),
        .chamber = CHAMBER_SENATE,
        .state = DOCUMENT_AWAITING_DOCUMENT,
        .reason = STR("listed by the search; the document is not imported yet"),
        .year = day_year(row->filed_day),
        .filed_day = row->filed_day,
        .filer = filer,
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = now_ms,
        .index_gone_at = INSTANT_NONE,
    };
    ledger_emit_line(
        l, row->id, INGEST_AWAITING_DOCUMENT, arena_fmt(arena, "senate-%.*s", STR_ARG(row->id)), 0,
        STR_NULL);
    return document_record(l->db, &entry, now_ms, &no, fail);
}

enum err ledger_row(
    const struct ledger *l, const struct ingest_row *row, int64_t now_ms, struct arena *arena,
    struct fail *fail)
{
    struct document_entry entry;
    int64_t no;
    struct str filer = arena_fmt(arena, "%.*s, %.*s", STR_ARG(row->last), STR_ARG(row->first));
    enum err err = document_find(l->db, LEDGER_SENATE, row->id, arena, &entry, fail);
    if (err == ERR_NOT_FOUND)
        return add_entry(l, row, filer, now_ms, arena, fail);
    bool same = !err && entry.indexed_at != INSTANT_NONE && str_eq(entry.filer, filer) &&
                entry.filed_day == row->filed_day;
    if (err || same)
        return err;
    entry.filer = filer;
    entry.filed_day = row->filed_day;
    entry.year = day_year(row->filed_day);
    entry.indexed_at = now_ms;
    if (str_is_null(entry.url))
        entry.url = official_url_senate(arena, row->paper, row->id);
    TRY(document_record(l->db, &entry, now_ms, &no, fail));
    if (entry.state == DOCUMENT_AWAITING_DOCUMENT)
        return ledger_match_entry(l, &entry, arena, fail);
    return ledger_refresh(l, &entry, now_ms, arena, fail);
}

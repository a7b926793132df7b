/* Lists and errors from an official site; see ingest.h. */
#include "ingest/ingest_parts.h"
#include "store/public/known.h"

enum err ingest_search(
    struct ingest *in, const struct ingest_row *rows, size_t count, int64_t now_ms,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    enum err err = db_begin(in->ledger.db, fail);
    if (err)
        return err;
    for (size_t i = 0; i < count && !err; i++)
        err = ledger_row(&in->ledger, &rows[i], now_ms, &arena, fail);
    if (!err)
        err = ledger_match_filers(&in->ledger, false, &arena, fail);
    if (!err)
        err = known_changed(in->ledger.db, STR_NULL, fail);
    return db_end(in->ledger.db, err, fail);
}

enum err ingest_searched(struct ingest *in, int year, int64_t now_ms, struct fail *fail)
{
    struct db *db = in->ledger.db;
    ARENA_SCOPED(arena);
    int64_t no;
    TRY(db_begin(db, fail));
    const struct document_entry entry = {
        .kind = LEDGER_SEARCH,
        .source_id = arena_fmt(&arena, "%d", year),
        .chamber = CHAMBER_SENATE,
        .state = DOCUMENT_INDEXED,
        .year = year,
        .filed_day = instant_day_new_york(now_ms),
        .filer_district = DOCUMENT_DISTRICT_NONE,
        .indexed_at = now_ms,
        .index_gone_at = INSTANT_NONE,
    };
    enum err err = document_record(db, &entry, now_ms, &no, fail);
    if (!err)
        err = ledger_match_filers(&in->ledger, false, &arena, fail);
    if (!err)
        err = known_changed(db, STR_NULL, fail);
    return db_end(db, err, fail);
}

enum err ingest_refuse(
    struct ingest *in, struct str kind, struct str source_id, struct str reason, int64_t now_ms,
    struct fail *fail)
{
    struct document_entry entry;
    ARENA_SCOPED(arena);
    int64_t no;
    TRY(db_begin(in->ledger.db, fail));
    enum err err = document_find(in->ledger.db, kind, source_id, &arena, &entry, fail);
    if (!err && entry.state == DOCUMENT_AWAITING_DOCUMENT) {
        entry.state = DOCUMENT_REFUSED;
        entry.reason = reason;
        err = document_record(in->ledger.db, &entry, now_ms, &no, fail);
    }
    return db_end(in->ledger.db, err, fail);
}

/* Counts of the ledger for admins; see sync_state.h. */
#include "store/run/sync_state.h"

#include "base/closed_list.h"

static const struct str source_names[SYNC_SOURCE_COUNT] = {
    [SYNC_SOURCE_HOUSE] = STR_INIT("house"),
    [SYNC_SOURCE_SENATE] = STR_INIT("senate"),
    [SYNC_SOURCE_FILE] = STR_INIT("file"),
};

ENUM_NAME(sync_source_name, sync_source, source_names[value], SYNC_SOURCE_COUNT)

static enum err count(
    struct db *db, enum sync_source source, struct sync_state *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT state, count(*), count(index_gone_at), max(indexed_at) FROM document"
        " WHERE kind = $1 GROUP BY state",
        V(source_names[source]));
    while (query_row(&q)) {
        enum document_state state;
        int64_t indexed_at = query_get_opt_i64(&q, 3, INSTANT_NONE);
        if (!document_state_from_name(query_get_str(&q, 0), &state))
            continue; /* the CHECK of the table has no other */
        ret->documents[state] = query_get_i64(&q, 1);
        ret->gone += query_get_i64(&q, 2);
        if (indexed_at > ret->indexed_at)
            ret->indexed_at = indexed_at;
    }
    return query_end(&q, fail);
}

enum err sync_state_read(
    struct db *db, enum sync_source source, struct arena *arena, struct sync_state *ret,
    struct fail *fail)
{
    *ret = (struct sync_state){
        .newest_id = STR_NULL, .newest_at = INSTANT_NONE, .indexed_at = INSTANT_NONE};
    TRY(count(db, source, ret, fail));
    QUERY(
        q, db,
        "SELECT d.source_id, v.seen_at FROM document_version v JOIN document d"
        " ON d.no = v.document_no WHERE d.kind = $1 ORDER BY v.no DESC LIMIT 1",
        V(source_names[source]));
    if (query_row(&q)) {
        ret->newest_id = query_text(&q, 0, arena);
        ret->newest_at = query_get_i64(&q, 1);
    }
    return query_end(&q, fail);
}

enum err sync_state_drafts(
    struct db *db, int64_t *ret_waiting, int64_t *ret_accepted, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT (SELECT count(*) FROM draft WHERE state IN ('draft', 'in_review')),"
        " (SELECT count(*) FROM draft WHERE state = 'accepted')");
    *ret_waiting = *ret_accepted = 0;
    if (query_row(&q)) {
        *ret_waiting = query_get_i64(&q, 0);
        *ret_accepted = query_get_i64(&q, 1);
    }
    return query_end(&q, fail);
}

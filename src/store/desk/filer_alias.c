/* Aliases of filers; see filer_alias.h. A missing state is stored as '' and a missing district as
 * -1, so that both can be part of the key. */
#include "store/desk/filer_alias.h"

static void bind_key(struct query *q, const struct filer_alias *alias)
{
    query_str(q, chamber_name(alias->chamber));
    query_str(q, alias->name);
    query_str(q, str_is_null(alias->state) ? STR("") : alias->state);
    query_i64(q, alias->district);
}

enum err filer_alias_find(
    struct db *db, struct filer_alias *alias, struct arena *arena, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT m.id FROM filer_alias a JOIN member m ON m.no = a.member_no"
        " WHERE a.chamber = $1 AND a.name_folded = $2 AND a.state = $3 AND a.district = $4");
    bind_key(&q, alias);
    if (query_row(&q))
        alias->politician_id = query_text(&q, 0, arena);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "no reviewer has matched that filer yet");
}

enum err filer_alias_put(
    struct db *db, const struct filer_alias *alias, int64_t now_ms, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO filer_alias (chamber, name_folded, state, district, member_no, by_email, at)"
        " SELECT $1, $2, $3, $4, m.no, $5, $6 FROM member m WHERE m.id = $7"
        " ON CONFLICT (chamber, name_folded, state, district) DO UPDATE"
        " SET member_no = excluded.member_no, by_email = excluded.by_email, at = excluded.at");
    bind_key(&q, alias);
    query_str(&q, alias->by);
    query_i64(&q, now_ms);
    query_str(&q, alias->politician_id);
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no member \"%.*s\"", STR_ARG(alias->politician_id));
}

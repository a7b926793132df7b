/* Members by their displayed names; see member.h. */
#include "store/public/member.h"
#include "store/row/like.h"
#include "store/row/list.h"

static struct member read_row(const struct query *q, struct arena *arena)
{
    return (struct member){
        .no = query_get_i64(q, 0),
        .id = query_text(q, 1, arena),
        .slug = query_text(q, 2, arena),
        .name = query_text(q, 3, arena),
        .birthday = DAY_NONE,
    };
}

enum err member_find_name(
    struct db *db, struct str name, struct arena *arena, struct member *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, id, slug, name FROM member"
        " WHERE lower(name) = lower($1) LIMIT 2",
        V(name));
    bool found = query_row(&q);
    if (found)
        *ret = read_row(&q, arena);
    bool several = found && query_row(&q);
    TRY(query_end(&q, fail));
    if (!found || several)
        return fail_set(
            fail, ERR_NOT_FOUND, "%s \"%.*s\"", found ? "several members are" : "no member is",
            STR_ARG(name));
    return OK;
}

enum err member_search(
    struct db *db, struct str words, int64_t limit, struct arena *arena, struct member_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, id, slug, name FROM member"
        " WHERE lower(name) LIKE lower($1) ESCAPE '\\' ORDER BY name, no LIMIT $2",
        V(like_words(words, arena)), V(limit));
    return list_read(&q, arena, ret, fail, read_row(&q, arena));
}

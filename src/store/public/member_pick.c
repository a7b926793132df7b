/* Members by parts of their names; see member_pick.h. */
#include "store/public/member_pick.h"

#include "store/public/member.h"
#include "store/row/list.h"

/* Slugs are folded names. $1 to $5 are patterns. */
#define HAS(word)                                                                                  \
    " AND (m.slug LIKE " word " OR EXISTS (SELECT 1 FROM member_name n WHERE n.member_no = m.no"   \
    " AND lower(n.first_name || ' ' || coalesce(n.last_name, m.last_name, '')) LIKE " word "))"

static const char find_sql[] =
    "SELECT m.slug, m.name, t.state, t.district, t.end_day FROM member m"
    " JOIN member_term t ON t.member_no = m.no AND t.position = (SELECT max(l.position)"
    " FROM member_term l WHERE l.member_no = m.no AND l.chamber = $6)"
    " WHERE 1 = 1" HAS("$1") HAS("$2") HAS("$3") HAS("$4")
        HAS("$5") " ORDER BY t.end_day IS NULL, t.end_day DESC, m.slug LIMIT $7";

enum err member_pick_find(
    struct db *db, struct str words, enum chamber chamber, int64_t limit, struct arena *arena,
    struct member_pick *ret, struct fail *fail)
{
    struct str word;
    QUERY(q, db, find_sql);
    for (int i = 0; i < MEMBER_PICK_WORDS; i++) {
        bool any = str_split(&words, ' ', &word);
        query_str(&q, any ? arena_fmt(arena, "%%%.*s%%", STR_ARG(word)) : STR("%"));
    }
    query_str(&q, chamber_name(chamber));
    query_i64(&q, limit);
    return list_read(
        &q, arena, ret, fail,
        (struct member_picked){
            .slug = query_text(&q, 0, arena),
            .name = query_text(&q, 1, arena),
            .state = query_text(&q, 2, arena),
            .district = (int)query_get_opt_i64(&q, 3, MEMBER_DISTRICT_NONE),
            .end = (int32_t)query_get_opt_i64(&q, 4, DAY_NONE),
        });
}

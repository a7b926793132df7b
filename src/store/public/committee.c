/* Committees; see committee.h. */
#include "store/public/committee.h"

#include "base/hash.h"
#include "base/intmap.h"
#include "store/row/list.h"

enum { TITLE_SIZE_MAX = 2048 };

static enum err put_id(struct db *db, const struct committee *c, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO committee (id, chamber) VALUES ($1, $2)"
        " ON CONFLICT (id) DO UPDATE SET chamber = excluded.chamber",
        V(c->id), V(chamber_name(c->chamber)));
}

enum err committee_list(
    struct db *db, int64_t version_no, const struct committee *c, struct fail *fail)
{
    TRY(put_id(db, c, fail));
    QUERY(
        q, db,
        "INSERT INTO committee_listed (version_no, committee_no, name, parent_no)"
        " SELECT CAST($1 AS BIGINT), c.no, CAST($3 AS TEXT), p.committee_no FROM committee c"
        " LEFT JOIN (SELECT l.committee_no FROM committee_listed l JOIN committee o"
        " ON o.no = l.committee_no WHERE l.version_no = $1 AND o.id = $4) p ON 1 = 1"
        " WHERE c.id = $2 AND (CAST($4 AS TEXT) IS NULL OR p.committee_no IS NOT NULL)",
        V(version_no), V(c->id), V(c->name), V(c->parent));
    TRY(query_end(&q, fail));
    if (query_changes(&q) == 0)
        return fail_set(
            fail, ERR_NOT_FOUND, "%.*s: there is no committee \"%.*s\"", STR_ARG(c->id),
            STR_ARG(c->parent));
    return OK;
}

enum err committee_was_listed(
    struct db *db, struct str id, int32_t day, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail,
        "SELECT 1 FROM committee c JOIN committee_listed l ON l.committee_no = c.no"
        " JOIN committee_version v ON v.no = l.version_no"
        " WHERE c.id = $1 AND v.as_of_day <= $2 LIMIT 1",
        V(id), V(day));
}

static enum err find_version(
    struct db *db, int32_t as_of, int64_t *ret_no, uint8_t ret_sha256[static SHA256_SIZE],
    struct fail *fail)
{
    *ret_no = 0;
    QUERY(q, db, "SELECT no, sha256 FROM committee_version WHERE as_of_day = $1", V(as_of));
    if (query_row(&q)) {
        struct str sha256 = query_get_blob(&q, 1);
        *ret_no = query_get_i64(&q, 0);
        memset(ret_sha256, 0, SHA256_SIZE);
        if (sha256.n == SHA256_SIZE)
            memcpy(ret_sha256, sha256.p, SHA256_SIZE);
    }
    return query_end(&q, fail);
}

static enum err remove_version(struct db *db, int64_t no, struct fail *fail)
{
    static const char *const statements[] = {
        "DELETE FROM committee_seat WHERE version_no = $1",
        "DELETE FROM committee_listed WHERE version_no = $1",
        "DELETE FROM committee_version WHERE no = $1",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        TRY(query_run(db, fail, statements[i], V(no)));
    return OK;
}

enum err committee_version_begin(
    struct db *db, int32_t as_of, const uint8_t sha256[static SHA256_SIZE], int64_t now_ms,
    int64_t *ret_no, struct fail *fail)
{
    uint8_t known[SHA256_SIZE];
    int64_t no;
    enum err err = find_version(db, as_of, &no, known, fail);
    if (!err && no && memcmp(known, sha256, SHA256_SIZE) == 0) {
        *ret_no = 0;
        return OK;
    }
    if (!err && no)
        err = remove_version(db, no, fail);
    if (err)
        return err;
    return query_number(
        db, ret_no, fail,
        "INSERT INTO committee_version (as_of_day, sha256, imported_at) VALUES ($1, $2, $3)"
        " RETURNING no",
        V(as_of), V_BLOB(sha256, SHA256_SIZE), V(now_ms));
}

enum err committee_seat_add(
    struct db *db, int64_t version_no, const struct committee_seat_new *s, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO committee_seat (version_no, committee_no, member_no, role, chamber, side,"
        " rank) SELECT CAST($1 AS BIGINT), c.no, m.no, CAST($4 AS TEXT), CAST($5 AS TEXT),"
        " CAST($6 AS TEXT), CAST($7 AS BIGINT) FROM committee c JOIN committee_listed l"
        " ON l.committee_no = c.no AND l.version_no = $1, member m"
        " WHERE c.id = $2 AND m.id = $3",
        V(version_no), V(s->committee), V(s->member), V(seat_role_name(s->role)),
        V(chamber_name(s->chamber)), V(s->side), V_OPT(s->rank, 0));
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no committee \"%.*s\" or no member \"%.*s\"",
        STR_ARG(s->committee), STR_ARG(s->member));
}

enum err committee_versions(
    struct db *db, struct arena *arena, struct committee_version **ret, size_t *ret_count,
    struct fail *fail)
{
    QUERY(q, db, "SELECT no, as_of_day FROM committee_version ORDER BY as_of_day");
    return list_read_items(
        &q, arena, ret, ret_count, fail,
        (struct committee_version){query_get_i64(&q, 0), (int32_t)query_get_i64(&q, 1)});
}

/* Reads a row of HELD; copies the title into the buffer. */
static struct committee_held read_held(const struct query *q, struct buf *title)
{
    struct str parent = query_get_str(q, 4);
    buf_reset(title);
    committee_title(title, query_get_str(q, 3), parent);
    return (struct committee_held){
        .version_no = query_get_i64(q, 0),
        .member = query_get_str(q, 1),
        .id = query_get_str(q, 2),
        .name = query_get_str(q, 3),
        .title = buf_view(title),
        .subcommittee = !str_is_null(parent),
        .chamber = chamber_from_name(query_get_str(q, 5)),
        .role = seat_role_from_name(query_get_str(q, 6)),
    };
}

#define HELD                                                                                       \
    "SELECT s.version_no, m.id, c.id, l.name, p.name, s.chamber, s.role"                           \
    " FROM committee_seat s JOIN committee c ON c.no = s.committee_no"                             \
    " JOIN committee_version v ON v.no = s.version_no JOIN member m ON m.no = s.member_no"         \
    " JOIN committee_listed l ON l.version_no = s.version_no AND l.committee_no = s.committee_no"  \
    " LEFT JOIN committee_listed p ON p.version_no = l.version_no"                                 \
    " AND p.committee_no = l.parent_no"

/* Most versions list a committee with the same words, so the arena holds each text once. */
static void keep_words(struct intmap *by_id, struct arena *arena, struct committee_held *seat)
{
    uint64_t key = hash_str(seat->id);
    struct committee_held *known = intmap_get(by_id, key);
    if (!known || !str_eq(known->id, seat->id) || !str_eq(known->name, seat->name) ||
        !str_eq(known->title, seat->title)) {
        known = ARENA_NEW(arena, struct committee_held);
        known->id = arena_str(arena, seat->id);
        known->name = arena_str(arena, seat->name);
        known->title = arena_str(arena, seat->title);
        intmap_put(by_id, key, known);
    }
    seat->id = known->id;
    seat->name = known->name;
    seat->title = known->title;
}

/* Runs the started query. */
static enum err read_all_held(
    struct query *q, struct arena *arena, struct committee_held **ret, size_t *ret_count,
    struct fail *fail)
{
    SCOPED(intmap_finish) struct intmap by_id;
    SCOPED(list_finish) struct list list;
    BUF_SCOPED(title, TITLE_SIZE_MAX);
    struct str member = STR_NULL;
    intmap_init(&by_id);
    list_init(&list, sizeof(struct committee_held));
    while (query_row(q)) {
        struct committee_held *seat = list_add(&list);
        *seat = read_held(q, &title);
        keep_words(&by_id, arena, seat);
        if (!str_eq(member, seat->member))
            member = arena_str(arena, seat->member);
        seat->member = member;
    }
    TRY(query_end(q, fail));
    *ret_count = list.count;
    *ret = list_keep(&list, arena);
    return OK;
}

enum err committee_seats_of(
    struct db *db, int64_t member_no, struct arena *arena, struct committee_held **ret,
    size_t *ret_count, struct fail *fail)
{
    QUERY(q, db, HELD " WHERE s.member_no = $1 ORDER BY v.as_of_day, c.id", V(member_no));
    return read_all_held(&q, arena, ret, ret_count, fail);
}

enum err committee_seats_since(
    struct db *db, int32_t day, struct arena *arena, struct committee_held **ret, size_t *ret_count,
    struct fail *fail)
{
    QUERY(q, db, HELD " WHERE v.as_of_day >= $1 ORDER BY m.id, v.as_of_day, c.id", V(day));
    return read_all_held(&q, arena, ret, ret_count, fail);
}

enum err committee_each_seated(
    struct db *db, committee_listed_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT v.no, c.id FROM committee_version v JOIN committee_listed l ON l.version_no = v.no"
        " JOIN committee c ON c.no = l.committee_no WHERE EXISTS (SELECT 1 FROM committee_seat s"
        " WHERE s.version_no = l.version_no AND s.committee_no = l.committee_no)"
        " ORDER BY v.as_of_day, c.id");
    while (query_row(&q))
        visit(ctx, query_get_i64(&q, 0), query_get_str(&q, 1));
    return query_end(&q, fail);
}

enum err committee_each_seat(
    struct db *db, int64_t version_no, committee_seat_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT c.id, m.id, s.role FROM committee_seat s JOIN committee c ON c.no = s.committee_no"
        " JOIN member m ON m.no = s.member_no WHERE s.version_no = $1 ORDER BY c.id",
        V(version_no));
    while (query_row(&q))
        visit(
            ctx, query_get_str(&q, 0), query_get_str(&q, 1),
            seat_role_from_name(query_get_str(&q, 2)));
    return query_end(&q, fail);
}

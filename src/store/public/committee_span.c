/* Imported spans of seats; see committee_span.h. */
#include "store/public/committee_span.h"

#include "base/progress_hook.h"

#include "base/codec.h"
#include "base/crypto.h"
#include "db/row_digest.h"
#include "store/row/list.h"
#include "store/row/meta.h"

/* The row of the meta table with the digest of the stored spans. */
static const struct str META_NAME = STR_INIT("committee_spans");

static void put_field(struct buf *b, struct str text)
{
    buf_str(b, text);
    buf_char(b, '\0');
}

static struct str identify(const struct committee_spans *s, char ret[static 2 * SHA256_SIZE])
{
    uint8_t digest[SHA256_SIZE];
    BUF_SCOPED(all, SIZE_MAX);
    for (size_t i = 0; i < s->span_count; i++) {
        const struct seat_span *span = &s->spans[i];
        put_field(&all, span->member);
        put_field(&all, span->committee);
        put_field(&all, span->title);
        buf_fmt(&all, "%d %d;", span->from, span->to);
    }
    for (size_t i = 0; i < s->naming_count; i++) {
        put_field(&all, s->namings[i].committee);
        put_field(&all, s->namings[i].name);
        buf_fmt(&all, "%d;", s->namings[i].from);
    }
    for (size_t i = 0; i < s->day_count; i++)
        buf_fmt(&all, "%d;", s->days[i]);
    sha256(buf_view(&all), digest);
    hex_encode(digest, sizeof digest, ret);
    return str_of(ret, 2 * SHA256_SIZE);
}

/* True if the stored spans have that digest. */
static enum err is_stored(struct db *db, struct str digest, bool *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str stored = STR_NULL;
    enum err err = meta_get(db, META_NAME, &arena, &stored, fail);
    *ret = !err && str_eq(stored, digest);
    return err == ERR_NOT_FOUND ? OK : err;
}

static enum err remove_all(struct db *db, struct fail *fail)
{
    static const char *const statements[] = {
        "DELETE FROM committee_span",
        "DELETE FROM committee_span_list",
        "DELETE FROM committee_span_name",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        TRY(query_run(db, fail, statements[i]));
    return OK;
}

static enum err add_span(struct db *db, const struct seat_span *span, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO committee_span (member_id, committee_id, title, from_day, to_day)"
        " VALUES ($1, $2, $3, $4, $5)",
        V(span->member), V(span->committee), V(span->title), V(span->from),
        V_OPT(span->to, DAY_NONE));
}

static enum err add_day(struct db *db, int32_t day, struct fail *fail)
{
    return query_run(db, fail, "INSERT INTO committee_span_list (day) VALUES ($1)", V(day));
}

static enum err add_naming(struct db *db, const struct committee_naming *naming, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO committee_span_name (committee_id, from_day, name) VALUES ($1, $2, $3)",
        V(naming->committee), V(naming->from), V(naming->name));
}

enum err committee_span_put(
    struct db *db, const struct committee_spans *s, const struct progress_hook *progress,
    bool *ret_changed, struct fail *fail)
{
    char hex[2 * SHA256_SIZE];
    struct str digest = identify(s, hex);
    bool stored = false;
    enum err err = is_stored(db, digest, &stored, fail);
    *ret_changed = !err && !stored;
    if (err || stored)
        return err;
    err = remove_all(db, fail);
    for (size_t i = 0; i < s->span_count && !err; i++) {
        progress_tell(progress, (int64_t)i, (int64_t)s->span_count);
        err = add_span(db, &s->spans[i], fail);
    }
    progress_tell(progress, (int64_t)s->span_count, (int64_t)s->span_count);
    for (size_t i = 0; i < s->day_count && !err; i++)
        err = add_day(db, s->days[i], fail);
    for (size_t i = 0; i < s->naming_count && !err; i++)
        err = add_naming(db, &s->namings[i], fail);
    if (!err)
        err = row_seal_all(db, ROW_DIGEST_COMMITTEE_SPAN, ROW_DIGEST_COMMITTEE_SPAN_NAME, fail);
    return err ? err : meta_set(db, META_NAME, digest, fail);
}

enum err committee_span_days(
    struct db *db, struct arena *arena, int32_t **ret, size_t *ret_count, struct fail *fail)
{
    QUERY(q, db, "SELECT day FROM committee_span_list ORDER BY day");
    return list_read_items(&q, arena, ret, ret_count, fail, (int32_t)query_get_i64(&q, 0));
}

enum err committee_span_names(
    struct db *db, struct arena *arena, struct committee_naming **ret, size_t *ret_count,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT committee_id, name, from_day FROM committee_span_name"
        " ORDER BY committee_id, from_day");
    return list_read_items(
        &q, arena, ret, ret_count, fail,
        (struct committee_naming){
            query_text(&q, 0, arena), query_text(&q, 1, arena), (int32_t)query_get_i64(&q, 2)});
}

enum err committee_span_of(
    struct db *db, struct str member_id, struct arena *arena, struct seat_span **ret,
    size_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT committee_id, member_id, title, from_day, to_day FROM committee_span"
        " WHERE member_id = $1 OR CAST($1 AS TEXT) IS NULL"
        " ORDER BY member_id, committee_id, from_day",
        V(member_id));
    return list_read_items(
        &q, arena, ret, ret_count, fail,
        (struct seat_span){
            .committee = query_text(&q, 0, arena),
            .member = query_text(&q, 1, arena),
            .title = query_text(&q, 2, arena),
            .from = (int32_t)query_get_i64(&q, 3),
            .to = (int32_t)query_get_opt_i64(&q, 4, DAY_NONE),
        });
}

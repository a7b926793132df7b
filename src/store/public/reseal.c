/* Renews digests of published rows; see reseal.h. */
#include "store/public/reseal.h"

#include "db/chain.h"
#include "db/row_digest.h"
#include "store/row/change.h"

/* A row as it is, and the digest stored with it: zeros if there is none. */
struct sealed {
    int64_t no; /* 0: none, or not published yet */
    uint8_t stored[SHA256_SIZE], is[SHA256_SIZE];
    uint8_t source[SHA256_SIZE]; /* trades only */
    bool damaged;
};

static void compare(const struct query *q, int column, struct sealed *s)
{
    struct str stored = query_get_blob(q, column);
    if (stored.n == SHA256_SIZE)
        memcpy(s->stored, stored.p, SHA256_SIZE);
    s->damaged |= memcmp(s->stored, s->is, SHA256_SIZE) != 0;
}

/* --- trades */

enum {
    TRADE_DIGEST_AT = ROW_DIGEST_TRADE_COUNT,
    TRADE_SOURCE_AT = TRADE_DIGEST_AT + 1,
    TRADE_NO_AT = TRADE_SOURCE_AT + ROW_DIGEST_TRADE_SOURCE_COUNT,
};

#define TRADE_SELECT                                                                               \
    "SELECT " ROW_DIGEST_TRADE_COLUMNS ", t.digest, " ROW_DIGEST_TRADE_SOURCE_COLUMNS              \
    ", t.no FROM trade t"

static void read_trade(struct query *q, struct sealed *ret)
{
    *ret = (struct sealed){.no = 0};
    if (!query_row(q))
        return;
    ret->no = query_get_i64(q, TRADE_NO_AT);
    row_digest_stored_trade(q, 0, TRADE_SOURCE_AT, ret->is, ret->source);
    ret->damaged = !row_digest_equals(q, ROW_DIGEST_TRADE_COUNT - 1, ret->source);
    compare(q, TRADE_DIGEST_AT, ret);
}

static enum err find_trade(struct db *db, struct str id, struct sealed *ret, struct fail *fail)
{
    QUERY(q, db, TRADE_SELECT " WHERE t.id = $1", V(id));
    read_trade(&q, ret);
    return query_end(&q, fail);
}

static enum err find_trade_no(struct db *db, int64_t no, struct sealed *ret, struct fail *fail)
{
    QUERY(q, db, TRADE_SELECT " WHERE t.no = $1", V(no));
    read_trade(&q, ret);
    return query_end(&q, fail);
}

/* --- filings */

#define FILING_SELECT                                                                              \
    "SELECT " ROW_DIGEST_FILING_COLUMNS ", f.digest, (SELECT l.no FROM chain l"                    \
    " WHERE l.row_no = f.publication_no AND l.noun = 'publication' LIMIT 1) FROM filing f"         \
    " LEFT JOIN member m ON m.no = f.member_no"

/* A filing whose publication has no entry yet can have no digest either: the entry will bring it.
 */
static void read_filing(struct query *q, struct sealed *ret)
{
    *ret = (struct sealed){.no = 0};
    if (!query_row(q) || (query_is_null(q, ROW_DIGEST_FILING_COUNT) &&
                          query_is_null(q, ROW_DIGEST_FILING_COUNT + 1)))
        return;
    ret->no = query_get_i64(q, 0);
    row_digest(q, 0, ROW_DIGEST_FILING, ret->is);
    compare(q, ROW_DIGEST_FILING_COUNT, ret);
}

static enum err find_filing(struct db *db, struct str id, struct sealed *ret, struct fail *fail)
{
    QUERY(q, db, FILING_SELECT " WHERE f.id = $1", V(id));
    read_filing(&q, ret);
    return query_end(&q, fail);
}

static enum err find_filing_no(struct db *db, int64_t no, struct sealed *ret, struct fail *fail)
{
    QUERY(q, db, FILING_SELECT " WHERE f.no = $1", V(no));
    read_filing(&q, ret);
    return query_end(&q, fail);
}

/* --- both */

static enum err was_damaged(
    struct db *db, enum chain_noun noun, int64_t no, bool *ret, struct fail *fail)
{
    return query_any(
        db, ret, fail, "SELECT 1 FROM chain WHERE row_no = $1 AND noun = $2 LIMIT 1", V(no),
        V(chain_noun_name(noun)));
}

/* Servers that loaded the row before it was damaged know it under its old id and instant, which the
 * notice of the withdrawal may no longer name: they load everything again. */
static enum err state_damage(
    struct db *db, enum chain_noun damage, const struct sealed *s, struct fail *fail)
{
    TRY(chain_append(db, damage, s->no, s->stored, s->is, fail));
    return change_add(db, STR("feed"), STR(""), NULL, fail);
}

/* `name` is the row's in messages. */
static enum err begin(
    struct db *db, const struct sealed *s, enum chain_noun damage, enum reseal_allows allows,
    struct str name, struct reseal *ret, struct fail *fail)
{
    bool damaged_before = false;
    ret->no = s->no;
    memcpy(ret->before, s->is, SHA256_SIZE);
    if (s->no == 0)
        return OK;
    if (s->damaged && allows == RESEAL_DAMAGED)
        return state_damage(db, damage, s, fail);
    if (s->damaged)
        return fail_set(
            fail, ERR_CORRUPT,
            "%.*s is damaged: its row does not match its digest. Put its columns back from a "
            "backup, or withdraw it",
            STR_ARG(name));
    if (allows != RESEAL_NEVER_DAMAGED)
        return OK;
    TRY(was_damaged(db, damage, s->no, &damaged_before, fail));
    if (damaged_before)
        return fail_set(
            fail, ERR_REFUSED, "%.*s was withdrawn while its row was damaged: it stays withdrawn",
            STR_ARG(name));
    return OK;
}

enum err reseal_trade_begin(
    struct db *db, struct str id, enum reseal_allows allows, struct reseal *ret, struct fail *fail)
{
    struct sealed s;
    TRY(find_trade(db, id, &s, fail));
    return begin(db, &s, CHAIN_DAMAGE, allows, id, ret, fail);
}

enum err reseal_trade_begin_no(struct db *db, int64_t no, struct reseal *ret, struct fail *fail)
{
    struct sealed s;
    TRY(find_trade_no(db, no, &s, fail));
    return begin(db, &s, CHAIN_DAMAGE, RESEAL_WHOLE, STR("a trade"), ret, fail);
}

enum err reseal_trade_end(struct db *db, const struct reseal *r, struct fail *fail)
{
    struct sealed s;
    if (r->no == 0)
        return OK;
    enum err err = find_trade_no(db, r->no, &s, fail);
    if (err || (!s.damaged && memcmp(r->before, s.is, SHA256_SIZE) == 0))
        return err;
    TRY(query_run(
        db, fail, "UPDATE trade SET source_digest = $2, digest = $3 WHERE no = $1", V(r->no),
        V_BLOB(s.source, SHA256_SIZE), V_BLOB(s.is, SHA256_SIZE)));
    return chain_append(db, CHAIN_TRADE, r->no, r->before, s.is, fail);
}

enum err reseal_filing_begin(
    struct db *db, struct str id, enum reseal_allows allows, struct reseal *ret, struct fail *fail)
{
    struct sealed s;
    TRY(find_filing(db, id, &s, fail));
    return begin(db, &s, CHAIN_FILING_DAMAGE, allows, id, ret, fail);
}

enum err reseal_filing_begin_no(struct db *db, int64_t no, struct reseal *ret, struct fail *fail)
{
    struct sealed s;
    TRY(find_filing_no(db, no, &s, fail));
    return begin(db, &s, CHAIN_FILING_DAMAGE, RESEAL_WHOLE, STR("the filing"), ret, fail);
}

enum err reseal_filing_end(struct db *db, const struct reseal *r, struct fail *fail)
{
    struct sealed s;
    if (r->no == 0)
        return OK;
    enum err err = find_filing_no(db, r->no, &s, fail);
    if (err || (!s.damaged && memcmp(r->before, s.is, SHA256_SIZE) == 0))
        return err;
    TRY(query_run(
        db, fail, "UPDATE filing SET digest = $2 WHERE no = $1", V(r->no),
        V_BLOB(s.is, SHA256_SIZE)));
    return chain_append(db, CHAIN_FILING, r->no, r->before, s.is, fail);
}

/* Appends to the chain over publications; see chain.h. */
#include "db/chain.h"

#include <assert.h>

#include "base/codec.h"
#include "base/closed_list.h"
#include "db/dialect.h"
#include "db/row_digest.h"

static const struct str nouns[CHAIN_NOUN_COUNT] = {
    [CHAIN_PUBLICATION] = STR_INIT("publication"),
    [CHAIN_TRADE] = STR_INIT("trade"),
    [CHAIN_FILING] = STR_INIT("filing"),
    [CHAIN_CORRECTION] = STR_INIT("correction"),
    [CHAIN_DAMAGE] = STR_INIT("damage"),
    [CHAIN_FILING_DAMAGE] = STR_INIT("filing_damage"),
};

ENUM_NAME(chain_noun_name, chain_noun, nouns[value], CHAIN_NOUN_COUNT)

void chain_hash(
    const struct chain_entry *e, const uint8_t previous[static SHA256_SIZE],
    uint8_t ret[static SHA256_SIZE])
{
    struct digest d;
    digest_begin(&d, STR("stockact chain 1"));
    digest_bytes(&d, previous, SHA256_SIZE);
    digest_i64(&d, e->no);
    digest_str(&d, chain_noun_name(e->noun));
    digest_i64(&d, e->row_no);
    digest_bytes(&d, e->has_before ? e->before : NULL, SHA256_SIZE);
    digest_bytes(&d, e->digest, SHA256_SIZE);
    digest_end(&d, ret);
}

enum err chain_head(struct db *db, struct chain_head *ret, struct fail *fail)
{
    bool whole = false;
    *ret = (struct chain_head){.no = 0};
    QUERY(
        q, db,
        "SELECT n.value, l.hash FROM counter n LEFT JOIN chain l ON l.no = n.value"
        " WHERE n.name = 'chain'");
    if (query_row(&q)) {
        struct str hash = query_get_blob(&q, 1);
        ret->no = query_get_i64(&q, 0);
        whole = ret->no == 0 || (hash.n == SHA256_SIZE && ret->no < INT64_MAX);
        if (ret->no && whole)
            memcpy(ret->hash, hash.p, SHA256_SIZE);
    }
    TRY(query_end(&q, fail));
    if (!whole)
        return fail_set(
            fail, ERR_CORRUPT,
            "entry %lld of the chain over publications is missing: run `stockact check`",
            (long long)ret->no);
    return OK;
}

static enum err insert(struct db *db, const struct chain_entry *e, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO chain (no, noun, row_no, before, digest, hash)"
        " VALUES ($1, $2, $3, $4, $5, $6)",
        V(e->no), V(chain_noun_name(e->noun)), V(e->row_no),
        V_BLOB(e->has_before ? e->before : NULL, SHA256_SIZE), V_BLOB(e->digest, SHA256_SIZE),
        V_BLOB(e->hash, SHA256_SIZE));
}

enum err chain_append(
    struct db *db, enum chain_noun noun, int64_t row_no, const uint8_t *before,
    const uint8_t digest[static SHA256_SIZE], struct fail *fail)
{
    struct chain_head head;
    assert(db_in_transaction(db));
    TRY(chain_head(db, &head, fail));
    struct chain_entry e = {
        .no = head.no + 1, .noun = noun, .row_no = row_no, .has_before = before != NULL};
    if (before)
        memcpy(e.before, before, SHA256_SIZE);
    memcpy(e.digest, digest, SHA256_SIZE);
    chain_hash(&e, head.hash, e.hash);
    TRY(insert(db, &e, fail));
    return query_run(db, fail, "UPDATE counter SET value = $1 WHERE name = 'chain'", V(e.no));
}

/* --- publications */

/* $2 is the number of the entry. A row that changed since had the digest that the first later entry
 * about it calls `before`. */
#define DIGEST_THEN(T, NOUNS)                                                                      \
    "coalesce((SELECT l.before FROM chain l WHERE l.row_no = " T ".no AND l.noun IN " NOUNS        \
    " AND l.no > $2 ORDER BY l.no LIMIT 1), " T ".digest)"
#define FILING_THEN DIGEST_THEN("f", "('filing', 'filing_damage')")
#define TRADE_THEN DIGEST_THEN("t", "('trade', 'damage')")

/* The same if nothing can have changed since: $2 is 0. */
#define DIGEST_NOW(T) T ".digest"

#define FILINGS_OF(DIGEST)                                                                         \
    "SELECT f.no, " DIGEST " FROM filing f WHERE f.publication_no = $1 AND $2 >= 0 ORDER BY f.no"
#define TRADES_OF(DIGEST)                                                                          \
    "SELECT t.no, " DIGEST " FROM publication p JOIN trade t ON t.publication_no = p.no"           \
    " AND t.disclosed_at BETWEEN p.range_start AND p.range_end"                                    \
    " WHERE p.no = $1 AND $2 >= 0 ORDER BY t.disclosed_at, t.id"

static enum err put_rows(
    struct digest *d, struct db *db, const char *sql, int64_t publication_no, int64_t entry_no,
    struct fail *fail)
{
    int64_t count = 0;
    QUERY(q, db, sql, V(publication_no), V(entry_no));
    for (; query_row(&q); count++) {
        struct str digest = query_get_blob(&q, 1);
        digest_i64(d, query_get_i64(&q, 0));
        digest_bytes(d, digest.p, digest.n);
    }
    digest_str(d, STR_NULL); /* the end of the list */
    digest_i64(d, count);
    return query_end(&q, fail);
}

static enum err put_publication(
    struct digest *d, struct db *db, int64_t publication_no, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    QUERY(
        q, db, "SELECT " ROW_DIGEST_PUBLICATION_COLUMNS " FROM publication p WHERE p.no = $1",
        V(publication_no));
    if (query_row(&q)) {
        row_digest(&q, 0, ROW_DIGEST_PUBLICATION, digest);
        digest_bytes(d, digest, sizeof digest);
    }
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no publication %lld", (long long)publication_no);
}

enum err chain_content(
    struct db *db, int64_t publication_no, int64_t entry_no, uint8_t ret[static SHA256_SIZE],
    struct fail *fail)
{
    struct digest d;
    digest_begin(&d, STR("stockact content 1"));
    enum err err = put_publication(&d, db, publication_no, fail);
    if (!err)
        err = put_rows(
            &d, db, entry_no ? FILINGS_OF(FILING_THEN) : FILINGS_OF(DIGEST_NOW("f")),
            publication_no, entry_no, fail);
    if (!err)
        err = put_rows(
            &d, db, entry_no ? TRADES_OF(TRADE_THEN) : TRADES_OF(DIGEST_NOW("t")), publication_no,
            entry_no, fail);
    digest_end(&d, ret);
    return err;
}

enum { BATCH_MAX = 500, FILING_TEXT_MAX = 100 };

struct filing_batch {
    int64_t no[BATCH_MAX];
    uint8_t digest[BATCH_MAX][SHA256_SIZE];
    size_t n;
};

static enum err read_filings(
    struct db *db, int64_t publication_no, int64_t after, struct filing_batch *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ROW_DIGEST_FILING_COLUMNS
        " FROM filing f LEFT JOIN member m ON m.no = f.member_no"
        " WHERE f.publication_no = $1 AND f.no > $2 AND f.digest IS NULL"
        " ORDER BY f.no LIMIT $3",
        V(publication_no), V(after), V(BATCH_MAX));
    ret->n = 0;
    while (query_row(&q) && ret->n < BATCH_MAX) {
        ret->no[ret->n] = query_get_i64(&q, 0);
        row_digest(&q, 0, ROW_DIGEST_FILING, ret->digest[ret->n++]);
    }
    return query_end(&q, fail);
}

static enum err write_filings_at_once(
    struct db *db, const char *sql, const struct filing_batch *batch, struct fail *fail)
{
    BUF_SCOPED(rows, BATCH_MAX * FILING_TEXT_MAX);
    for (size_t i = 0; i < batch->n; i++) {
        char digest[2 * SHA256_SIZE];
        hex_encode(batch->digest[i], SHA256_SIZE, digest);
        buf_fmt(
            &rows, "%s[%lld,\"%.*s\"]", i ? "," : "[", (long long)batch->no[i], (int)sizeof digest,
            digest);
    }
    buf_char(&rows, ']');
    assert(!rows.overflow);
    return query_run(db, fail, sql, V(buf_view(&rows)));
}

static enum err write_filings(struct db *db, const struct filing_batch *batch, struct fail *fail)
{
    const char *at_once = dialect_text(db_kind(db), DIALECT_FILING_DIGESTS);
    enum err err = OK;
    if (at_once)
        return batch->n ? write_filings_at_once(db, at_once, batch, fail) : OK;
    for (size_t i = 0; i < batch->n && !err; i++)
        err = query_run(
            db, fail, "UPDATE filing SET digest = $2 WHERE no = $1", V(batch->no[i]),
            V_BLOB(batch->digest[i], SHA256_SIZE));
    return err;
}

static enum err digest_filings(struct db *db, int64_t publication_no, struct fail *fail)
{
    MEM_FREED struct filing_batch *batch = MEM_NEW(struct filing_batch);
    enum err err;
    int64_t after = 0;
    do {
        err = read_filings(db, publication_no, after, batch, fail);
        if (!err)
            err = write_filings(db, batch, fail);
        if (batch->n)
            after = batch->no[batch->n - 1];
    } while (!err && batch->n == BATCH_MAX);
    return err;
}

enum err chain_add_publication(struct db *db, int64_t publication_no, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    TRY(digest_filings(db, publication_no, fail));
    TRY(chain_content(db, publication_no, 0, digest, fail));
    return chain_append(db, CHAIN_PUBLICATION, publication_no, NULL, digest, fail);
}

static enum err correction_digest(
    struct db *db, int64_t no, uint8_t ret[static SHA256_SIZE], struct fail *fail)
{
    QUERY(
        q, db, "SELECT " ROW_DIGEST_CORRECTION_COLUMNS " FROM correction c WHERE c.no = $1", V(no));
    if (query_row(&q))
        row_digest(&q, 0, ROW_DIGEST_CORRECTION, ret);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no correction %lld", (long long)no);
}

enum err chain_add_correction(struct db *db, int64_t correction_no, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    TRY(correction_digest(db, correction_no, digest, fail));
    return chain_append(db, CHAIN_CORRECTION, correction_no, NULL, digest, fail);
}

enum err chain_renew(struct db *db, enum chain_noun noun, int64_t row_no, struct fail *fail)
{
    uint8_t before[SHA256_SIZE], digest[SHA256_SIZE];
    QUERY(
        q, db, "SELECT digest FROM chain WHERE row_no = $1 AND noun = $2 ORDER BY no DESC LIMIT 1",
        V(row_no), V(chain_noun_name(noun)));
    bool known = query_row(&q) && query_get_blob(&q, 0).n == SHA256_SIZE;
    if (known)
        memcpy(before, query_get_blob(&q, 0).p, SHA256_SIZE);
    enum err err = query_end(&q, fail);
    if (err || !known)
        return err;
    TRY(noun == CHAIN_PUBLICATION ? chain_content(db, row_no, 0, digest, fail)
                                  : correction_digest(db, row_no, digest, fail));
    return chain_append(db, noun, row_no, before, digest, fail);
}

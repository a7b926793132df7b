/* Many new filings at once; see filing.h. */
#include "store/public/filing_bulk.h"

#include <assert.h>

#include "db/bulk.h"
#include "db/dialect.h"
#include "db/row_digest.h"
#include "store/public/filing.h"
#include "store/row/id.h"
#include "store/row/list.h"
#include "store/row/node.h"

/* Those with a row or more for each trade or filing. change_log is filled after the rules are back,
 * and has no foreign keys. */
static const struct str tables[] = {
    STR_INIT("filing"),
    STR_INIT("finding_history"),
    STR_INIT("trade"),
    STR_INIT("trade_finding"),
};

struct statements {
    struct arena *arena;
    struct list drop, add; /* of const char * */
};

static bool is_filled(struct str table)
{
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (str_eq(tables[i], table))
            return true;
    return false;
}

static void keep(struct list *list, struct arena *arena, struct str text)
{
    const char **statement = list_add(list);
    *statement = arena_str(arena, text).p;
}

/* Rows of `what` begin with a table, the statement that drops a rule and the one that adds it. */
static enum err read(
    struct db *db, enum dialect what, struct statements *statements, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), what);
    if (!sql)
        return OK;
    QUERY(q, db, sql);
    while (query_row(&q)) {
        if (!is_filled(query_get_str(&q, 0)))
            continue;
        keep(&statements->drop, statements->arena, query_get_str(&q, 1));
        keep(&statements->add, statements->arena, query_get_str(&q, 2));
    }
    return query_end(&q, fail);
}

static enum err run(struct db *db, const char *const *statements, size_t count, struct fail *fail)
{
    for (size_t i = 0; i < count; i++)
        TRY(db_exec(db, statements[i], fail));
    return OK;
}

static enum err drop_all(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    struct statements statements = {.arena = arena};
    list_init(&statements.drop, sizeof(const char *));
    list_init(&statements.add, sizeof(const char *));
    enum err err = read(db, DIALECT_PLAIN_INDEXES, &statements, fail);
    if (!err)
        err = read(db, DIALECT_FOREIGN_KEYS, &statements, fail);
    const char **drop = list_keep(&statements.drop, arena);
    size_t count = statements.drop.count;
    const struct bulk_rules rules = {list_keep(&statements.add, arena), count};
    list_finish(&statements.drop);
    list_finish(&statements.add);
    if (!err)
        err = run(db, drop, count, fail);
    if (!err)
        *ret = rules;
    return err;
}

static enum err has_trades(struct db *db, bool *ret, struct fail *fail)
{
    return query_any(db, ret, fail, "SELECT 1 FROM trade LIMIT 1");
}

/* Without them it is only slower, so a lock that others hold, and tables of another user, do not
 * matter. */
static enum err try_to_drop(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    TRY(db_savepoint(db, fail));
    enum err err = drop_all(db, arena, ret, fail);
    if (err == ERR_BUSY || err == ERR_REFUSED)
        return db_savepoint_rollback(db, fail);
    return err ? err : db_savepoint_release(db, fail);
}

enum err bulk_rules_drop(
    struct db *db, struct arena *arena, struct bulk_rules *ret, struct fail *fail)
{
    bool trades = false;
    int64_t servers, seq;
    struct str label;
    assert(db_in_transaction(db));
    *ret = (struct bulk_rules){NULL, 0};
    if (!dialect_text(db_kind(db), DIALECT_PLAIN_INDEXES))
        return OK;
    db_be_patient(db);
    enum err err = node_slowest(db, arena, &servers, &seq, &label, fail);
    if (err || servers)
        return err;
    err = has_trades(db, &trades, fail);
    return err || trades ? err : try_to_drop(db, arena, ret, fail);
}

enum err bulk_rules_add(struct db *db, const struct bulk_rules *rules, struct fail *fail)
{
    return run(db, rules->add, rules->count, fail);
}

#define COLUMNS                                                                                    \
    "filing (no, id, chamber, source_doc_id, url, member_no, member_name, member_party,"           \
    " member_state, filed_at, state, created_at, review, reviewed_by, reviewed_at,"                \
    " amends_no, document_version_no, publication_no, published_at, digest)"

enum err filing_numbers(
    struct db *db, const struct str *ids, size_t n, int64_t *ret, struct fail *fail)
{
    return id_numbers(
        db, DIALECT_FILING_NUMBERS_OF, "SELECT no FROM filing WHERE id = $1", ids, n, ret, fail);
}

enum err filing_reserve(struct db *db, int64_t *ret, size_t count, struct fail *fail)
{
    size_t n = 0;
    assert(db_in_transaction(db));
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_FILING_NUMBERS), V((int64_t)count));
    while (query_row(&q) && n < count)
        ret[n++] = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    assert(err || n == count);
    return err;
}

static struct row_cell number(int64_t value, int64_t none)
{
    return (struct row_cell){value == none ? STR_NULL : STR(""), value};
}

/* The columns of its digest, in the order of ROW_DIGEST_FILING_COLUMNS. */
static void digest_new(const struct filing_new *f, int64_t now_ms, uint8_t ret[static SHA256_SIZE])
{
    const struct row_cell cells[ROW_DIGEST_FILING_COUNT] = {
        number(f->no, 0),
        {f->id, 0},
        {chamber_name(f->chamber), 0},
        {f->source_doc_id, 0},
        {f->url, 0},
        {f->politician_id, 0},
        {f->politician_slug, 0},
        {f->politician_name, 0},
        {f->party, 0},
        {f->state, 0},
        number(f->filed_at, INSTANT_NONE),
        {filing_state_name(FILING_PUBLISHED), 0},
        {STR_NULL, 0},
        {filing_review_name(f->review), 0},
        {f->reviewed_by, 0},
        number(f->reviewed_at, INSTANT_NONE),
        number(f->amends_no, 0),
        number(f->document_version, 0),
        number(f->publication_no, 0),
        number(f->published_at, INSTANT_NONE),
        {STR_NULL, 0}, /* not withdrawn */
        number(now_ms, INSTANT_NONE),
    };
    row_cells_digest(cells, ROW_DIGEST_FILING, ret);
}

static void put(struct bulk *b, const struct filing_new *f, int64_t now_ms)
{
    uint8_t digest[SHA256_SIZE];
    digest_new(f, now_ms, digest);
    bulk_i64(b, f->no);
    bulk_str(b, f->id);
    bulk_str(b, chamber_name(f->chamber));
    bulk_str(b, f->source_doc_id);
    bulk_str(b, f->url);
    bulk_i64(b, f->member_no);
    bulk_str(b, f->politician_name);
    bulk_str(b, f->party);
    bulk_str(b, f->state);
    bulk_i64(b, f->filed_at);
    bulk_str(b, filing_state_name(FILING_PUBLISHED));
    bulk_i64(b, now_ms);
    bulk_str(b, filing_review_name(f->review));
    bulk_str(b, f->reviewed_by);
    bulk_opt_i64(b, f->reviewed_at, INSTANT_NONE);
    bulk_opt_i64(b, f->amends_no, 0);
    bulk_opt_i64(b, f->document_version, 0);
    bulk_i64(b, f->publication_no);
    bulk_i64(b, f->published_at);
    bulk_blob(b, str_of((const char *)digest, sizeof digest));
}

enum err filing_insert_all(
    struct db *db, const struct filing_new *filings, size_t count, int64_t now_ms,
    struct fail *fail)
{
    static const struct bulk_text text = {
        "INSERT INTO " COLUMNS " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,"
        " $14, $15, $16, $17, $18, $19, $20)",
        "COPY " COLUMNS " FROM STDIN (FORMAT binary)", 20};
    struct bulk bulk;
    if (count == 0)
        return OK;
    bulk_begin(&bulk, db, &text);
    for (size_t i = 0; i < count; i++)
        put(&bulk, &filings[i], now_ms);
    enum err err = bulk_end(&bulk, OK, fail);
    if (err == ERR_EXISTS)
        (void)fail_set(
            fail, err, "one of %zu filings already exists; the first is \"%.*s\"", count,
            STR_ARG(filings[0].id));
    return err;
}

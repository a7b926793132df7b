/* Trades; see trade.h. */
#include "store/public/trade.h"

#include <assert.h>
#include <stdio.h>

#include "db/bulk.h"
#include "paper/cell/cells.h"
#include "store/public/finding_digest.h"
#include "store/public/reseal.h"
#include "store/row/id.h"

/* Reads the columns of a trade. */

enum { FILING = 2 + ROW_VALUES_COLUMN_COUNT, PUBLICATION, WITHDRAWN };

static_assert((int)WITHDRAWN + 2 == (int)ROW_DIGEST_TRADE_COUNT, "the columns are those covered");

void trade_columns_read(
    const struct query *q, int at, struct trade *t, struct trade_others *ret_others)
{
    struct row_cell cells[ROW_CELLS_MAX];
    uint8_t digest[SHA256_SIZE];
    row_cells_read(q, at, ROW_DIGEST_TRADE, cells);
    row_cells_digest(cells, ROW_DIGEST_TRADE, digest);
    t->id = cells[0].text;
    t->disclosed_at = row_cell_number(&cells[1], 0);
    t->values = row_values_of(cells + 2);
    *ret_others = (struct trade_others){
        .filing_no = row_cell_number(&cells[FILING], 0),
        .publication_no = row_cell_number(&cells[PUBLICATION], 0),
        .withdrawn_at = row_cell_number(&cells[WITHDRAWN], INSTANT_NONE),
        .damaged = !row_digest_equals(q, at + ROW_DIGEST_TRADE_COUNT, digest),
    };
}

void trade_columns_read_filing(const struct query *q, int at, struct trade *t)
{
    t->filing_url = query_get_str(q, at);
    t->politician = (struct politician_ref){
        .chamber = chamber_from_name(query_get_str(q, at + 1)),
        .party = query_get_str(q, at + 2),
        .state = query_get_str(q, at + 3),
        .slug = query_get_str(q, at + 4),
        .name = query_get_str(q, at + 5),
    };
}

size_t trade_id_make(struct str filing_id, int row, char ret[static TRADE_ID_SIZE_MAX])
{
    int n = snprintf(ret, TRADE_ID_SIZE_MAX, "%.*s-%04d", STR_ARG(filing_id), row);
    assert(n > 0 && n < TRADE_ID_SIZE_MAX);
    return (size_t)n;
}

struct str trade_id_filing(struct str trade_id)
{
    size_t end = trade_id.n;
    while (end && trade_id.p[end - 1] != '-')
        end--;
    return end ? str_slice(trade_id, 0, end - 1) : STR_NULL;
}

int64_t trade_id_row(struct str trade_id)
{
    int64_t row;
    size_t filing_n = trade_id_filing(trade_id).n;
    bool found = filing_n && str_to_i64(str_slice(trade_id, filing_n + 1, trade_id.n), &row);
    return found ? row : 0;
}

/* Writing */

#define INSERT_COLUMNS                                                                             \
    "trade (id, filing_no, publication_no, disclosed_at, position, ticker, asset_name,"            \
    " asset_type, side, amount_bucket, trade_day, owner_type, details, notified_day, page,"        \
    " document_version_no, printed, source_digest, digest, cap_gains, company, company_digest)"
#define INSERT_VALUES                                                                              \
    " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,"    \
    " $19, $20, $21, $22)"

struct trade_digests {
    uint8_t row[SHA256_SIZE], source[SHA256_SIZE], company[SHA256_SIZE];
    struct str of_company; /* null: it has none */
};

static struct str digest_company(
    struct str id, struct str company, uint8_t space[static SHA256_SIZE])
{
    struct digest d;
    if (str_is_null(company))
        return STR_NULL;
    digest_begin(&d, STR("stockact trade company 1"));
    digest_str(&d, id);
    digest_str(&d, company);
    digest_end(&d, space);
    return str_of((const char *)space, SHA256_SIZE);
}

bool trade_company_damaged(struct str id, struct str company, struct str digest)
{
    uint8_t space[SHA256_SIZE];
    struct str is = digest_company(id, company, space);
    return str_is_null(is) != str_is_null(digest) || !str_eq(is, digest);
}

static void digest_new(const struct trade_new *t, struct str id, struct trade_digests *ret)
{
    const struct row_digest_trade covered = {
        .id = id,
        .filing_no = t->filing_no,
        .publication_no = t->publication_no,
        .disclosed_at = t->disclosed_at,
        .values = &t->values,
        .position = t->row,
        .page = t->page,
        .notified_date = t->notified_date,
        .document_version = t->document_version,
        .printed = t->printed,
    };
    row_digest_new_trade(&covered, ret->row, ret->source);
    ret->of_company = digest_company(id, t->company, ret->company);
}

enum err trade_insert(struct db *db, const struct trade_new *t, struct fail *fail)
{
    char id[TRADE_ID_SIZE_MAX];
    struct str id_text = {id, trade_id_make(t->filing_id, t->row, id)};
    struct trade_digests digests;
    digest_new(t, id_text, &digests);
    QUERY(
        q, db, "INSERT INTO " INSERT_COLUMNS INSERT_VALUES " ON CONFLICT (id) DO NOTHING",
        V(id_text), V(t->filing_no), V(t->publication_no), V(t->disclosed_at), V(t->row));
    row_values_bind(&q, &t->values);
    query_opt_i64(&q, t->notified_date, DAY_NONE);
    query_opt_i64(&q, t->page, 0);
    query_opt_i64(&q, t->document_version, 0);
    query_str(&q, t->printed);
    query_blob(&q, digests.source, sizeof digests.source);
    query_blob(&q, digests.row, sizeof digests.row);
    cap_gains_bind(&q, t->cap_gains);
    query_str(&q, t->company);
    query_blob(&q, digests.of_company.p, digests.of_company.n);
    return query_end_or(&q, ERR_EXISTS, fail, "trade \"%.*s\" already exists", STR_ARG(id_text));
}

static void put_new(struct bulk *b, const struct trade_new *t)
{
    char id[TRADE_ID_SIZE_MAX];
    struct str id_text = {id, trade_id_make(t->filing_id, t->row, id)};
    struct trade_digests digests;
    digest_new(t, id_text, &digests);
    bulk_str(b, id_text);
    bulk_i64(b, t->filing_no);
    bulk_i64(b, t->publication_no);
    bulk_i64(b, t->disclosed_at);
    bulk_i64(b, t->row);
    row_values_put(b, &t->values);
    bulk_opt_i64(b, t->notified_date, DAY_NONE);
    bulk_opt_i64(b, t->page, 0);
    bulk_opt_i64(b, t->document_version, 0);
    bulk_str(b, t->printed);
    bulk_blob(b, str_of((const char *)digests.source, sizeof digests.source));
    bulk_blob(b, str_of((const char *)digests.row, sizeof digests.row));
    bulk_opt_i64(b, (int)t->cap_gains - CAP_GAINS_NO, -1);
    bulk_str(b, t->company);
    bulk_blob(b, digests.of_company);
}

enum err trade_insert_all(
    struct db *db, const struct trade_new *trades, size_t count, struct fail *fail)
{
    static const struct bulk_text text = {
        "INSERT INTO " INSERT_COLUMNS INSERT_VALUES,
        "COPY " INSERT_COLUMNS " FROM STDIN (FORMAT binary)", 22};
    struct bulk bulk;
    if (count == 0)
        return OK;
    bulk_begin(&bulk, db, &text);
    for (size_t i = 0; i < count; i++)
        put_new(&bulk, &trades[i]);
    enum err err = bulk_end(&bulk, OK, fail);
    if (err == ERR_EXISTS)
        (void)fail_set(
            fail, err, "one of %zu trades already exists; the first is of filing \"%.*s\"", count,
            STR_ARG(trades[0].filing_id));
    return err;
}

#define NUMBER "SELECT no FROM trade WHERE id = $1"

enum err trade_number(struct db *db, struct str id, int64_t *ret, struct fail *fail)
{
    QUERY(q, db, NUMBER, V(id));
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no trade \"%.*s\"", STR_ARG(id));
}

enum err trade_numbers(
    struct db *db, const struct str *ids, size_t n, int64_t *ret, struct fail *fail)
{
    enum err err = id_numbers(db, DIALECT_TRADE_NUMBERS, NUMBER, ids, n, ret, fail);
    for (size_t i = 0; i < n && !err; i++)
        if (!ret[i])
            err = fail_set(fail, ERR_NOT_FOUND, "there is no trade \"%.*s\"", STR_ARG(ids[i]));
    return err;
}

enum err trade_withdraw(
    struct db *db, struct str id, bool with_filing, int64_t now_ms, struct str reason,
    struct fail *fail)
{
    struct reseal seal;
    struct query q;
    TRY(reseal_trade_begin(db, id, RESEAL_DAMAGED, &seal, fail));
    query_with(
        &q, db,
        "UPDATE trade SET withdrawn_at = $2, withdrawn_reason = $3, withdrawn_with_filing = $4"
        " WHERE id = $1 AND withdrawn_at IS NULL",
        V(id), V(now_ms), V(reason), V(with_filing));
    TRY(query_end(&q, fail));
    if (query_changes(&q) > 0)
        return reseal_trade_end(db, &seal, fail);
    query_with(&q, db, "SELECT 1 FROM trade WHERE id = $1", V(id));
    bool found = query_row(&q);
    TRY(query_end(&q, fail));
    return found ? fail_set(fail, ERR_EXISTS, "%.*s is already withdrawn", STR_ARG(id))
                 : fail_set(fail, ERR_NOT_FOUND, "there is no trade \"%.*s\"", STR_ARG(id));
}

enum err trade_reinstate(struct db *db, struct str id, struct fail *fail)
{
    struct reseal seal;
    enum err err = reseal_trade_begin(db, id, RESEAL_NEVER_DAMAGED, &seal, fail);
    if (err)
        return err;
    QUERY(
        q, db,
        "UPDATE trade SET withdrawn_at = NULL, withdrawn_reason = NULL, withdrawn_with_filing = 0"
        " WHERE id = $1 AND withdrawn_at IS NOT NULL",
        V(id));
    err =
        query_end_or(&q, ERR_NOT_FOUND, fail, "there is no withdrawn trade \"%.*s\"", STR_ARG(id));
    return err ? err : reseal_trade_end(db, &seal, fail);
}

enum err trade_each_withdrawn_with(
    struct db *db, int64_t filing_no, trade_id_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT t.id FROM filing f JOIN trade t ON t.id > f.id || '-' AND t.id < f.id || '.'"
        " AND t.filing_no = f.no WHERE f.no = $1 AND t.withdrawn_with_filing = 1 ORDER BY t.id",
        V(filing_no));
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0));
    return query_end(&q, fail);
}

enum err trade_public_since(struct db *db, struct str id, int64_t *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT coalesce((SELECT max(c.at) FROM correction c WHERE c.trade_id = t.id"
        " AND c.kind = 'reinstated'), p.at) FROM trade t JOIN publication p"
        " ON p.no = t.publication_no WHERE t.id = $1 AND t.withdrawn_at IS NULL",
        V(id));
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no public trade \"%.*s\"", STR_ARG(id));
}

enum err trade_correct(struct db *db, struct str id, const struct row_values *v, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_trade_begin(db, id, RESEAL_WHOLE, &seal, fail));
    QUERY(
        q, db,
        "UPDATE trade SET ticker = $2, asset_name = $3, asset_type = $4, side = $5,"
        " amount_bucket = $6, trade_day = $7, owner_type = $8, details = $9"
        " WHERE id = $1 AND withdrawn_at IS NULL",
        V(id));
    row_values_bind(&q, v);
    TRY(query_end_or(&q, ERR_NOT_FOUND, fail, "there is no public trade \"%.*s\"", STR_ARG(id)));
    return reseal_trade_end(db, &seal, fail);
}

enum err trade_set_source(
    struct db *db, struct str id, int page, int32_t notified_date, enum cap_gains cap_gains,
    struct str printed, int64_t document_version, struct fail *fail)
{
    struct reseal seal;
    TRY(reseal_trade_begin(db, id, RESEAL_WHOLE, &seal, fail));
    QUERY(
        q, db,
        "UPDATE trade SET page = $2, notified_day = $3, printed = $4, document_version_no = $5,"
        " cap_gains = $6 WHERE id = $1",
        V(id), V_OPT(page, 0), V_OPT(notified_date, DAY_NONE), V(printed),
        V_OPT(document_version, 0));
    cap_gains_bind(&q, cap_gains);
    TRY(query_end(&q, fail));
    return reseal_trade_end(db, &seal, fail);
}

enum err trade_set_company(
    struct db *db, struct str id, struct str company, bool *ret_changed, struct fail *fail)
{
    uint8_t space[SHA256_SIZE];
    struct str digest = digest_company(id, company, space);
    QUERY(
        q, db,
        "UPDATE trade SET company = $2, company_digest = $3 WHERE id = $1"
        " AND coalesce(company, '') <> coalesce($2, '')",
        V(id), V(company));
    query_blob(&q, digest.p, digest.n);
    TRY(query_end(&q, fail));
    *ret_changed = query_changes(&q) > 0;
    return OK;
}

/* Reading */

#define ROW_COLUMNS TRADE_COLUMNS ", t.no, t.notified_day, t.page, t.cap_gains"

enum { ROW_COLUMN_COUNT = TRADE_COLUMN_COUNT + 4 };

/* Strings belong to the query's row. */
static struct trade_row read_row(const struct query *q)
{
    struct trade_row row = {.no = query_get_i64(q, TRADE_COLUMN_COUNT)};
    struct trade_others others;
    trade_columns_read(q, 0, &row.trade, &others);
    row.filing_no = others.filing_no;
    row.publication_no = others.publication_no;
    row.withdrawn_at = others.withdrawn_at;
    row.damaged = others.damaged;
    row.notified_date = (int32_t)query_get_opt_i64(q, TRADE_COLUMN_COUNT + 1, DAY_NONE);
    row.page = (int)query_get_i64(q, TRADE_COLUMN_COUNT + 2);
    row.trade.cap_gains = cap_gains_read(q, TRADE_COLUMN_COUNT + 3);
    return row;
}

static enum err visit_all(struct query *q, trade_visit *visit, void *ctx, struct fail *fail)
{
    enum err stop = OK;
    while (!stop && query_row(q)) {
        struct trade_row row = read_row(q);
        stop = visit(ctx, &row);
    }
    TRY(query_end(q, fail));
    return stop;
}

enum err trade_each(struct db *db, trade_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, "SELECT " ROW_COLUMNS " FROM trade t ORDER BY t.disclosed_at, t.id");
    return visit_all(&q, visit, ctx, fail);
}

enum err trade_each_of_publication(
    struct db *db, int64_t publication_no, trade_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " ROW_COLUMNS " FROM publication p JOIN trade t ON t.publication_no = p.no"
        " AND t.disclosed_at BETWEEN p.range_start AND p.range_end"
        " WHERE p.no = $1 AND t.withdrawn_at IS NULL ORDER BY t.disclosed_at, t.id",
        V(publication_no));
    return visit_all(&q, visit, ctx, fail);
}

enum err trade_each_of_filing(
    struct db *db, int64_t filing_no, trade_visit *visit, void *ctx, struct fail *fail)
{
    /* A filing's trades are adjacent by id: from "<filing>-" to before "<filing>.". */
    QUERY(
        q, db,
        "SELECT " ROW_COLUMNS " FROM filing f JOIN trade t ON t.id > f.id || '-'"
        " AND t.id < f.id || '.' AND t.filing_no = f.no WHERE f.no = $1 ORDER BY t.id",
        V(filing_no));
    return visit_all(&q, visit, ctx, fail);
}

enum err trade_each_shown(
    struct db *db, int64_t filing_no, int64_t limit, trade_visit *visit, void *ctx,
    struct fail *fail)
{
    enum { FINDING_AT = ROW_COLUMN_COUNT + TRADE_FILING_COLUMN_COUNT };
    enum err stop = OK;
    QUERY(
        q, db,
        "SELECT " ROW_COLUMNS ", " TRADE_FILING_COLUMNS ", n.reason, n.evidence, n.sha256"
        " FROM filing f JOIN trade t ON t.id > f.id || '-' AND t.id < f.id || '.'"
        " AND t.filing_no = f.no JOIN member m ON m.no = f.member_no"
        " LEFT JOIN trade_finding s ON s.trade_no = t.no LEFT JOIN finding n ON n.no = s.finding_no"
        " WHERE f.no = $1 AND t.withdrawn_at IS NULL ORDER BY t.disclosed_at DESC, t.id DESC"
        " LIMIT $2",
        V(filing_no), V(limit));
    while (!stop && query_row(&q)) {
        struct trade_row row = read_row(&q);
        trade_columns_read_filing(&q, ROW_COLUMN_COUNT, &row.trade);
        row.trade.conflict_reason = query_get_str(&q, FINDING_AT);
        row.damaged = row.damaged || finding_columns_damaged(&q, FINDING_AT);
        stop = visit(ctx, &row);
    }
    TRY(query_end(&q, fail));
    return stop;
}

static void keep_strings(struct trade *t, struct arena *arena)
{
    struct str *const all[] = {
        &t->id,
        &t->values.ticker,
        &t->values.asset_name,
        &t->values.details,
        &t->filing_url,
        &t->conflict_reason,
        &t->politician.slug,
        &t->politician.name,
        &t->politician.party,
        &t->politician.state,
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = arena_str(arena, *all[i]);
}

enum {
    SOURCE_AT = ROW_COLUMN_COUNT + TRADE_FILING_COLUMN_COUNT,
    DOCUMENT_AT = SOURCE_AT + ROW_DIGEST_TRADE_SOURCE_COUNT + 1,
    FILING_AT = DOCUMENT_AT + 5,
    COMPANY_AT = FILING_AT + ROW_DIGEST_FILING_COUNT + 1,
    FILER_AT = COMPANY_AT + 2,
};

#define FOUND_COLUMNS                                                                              \
    ROW_COLUMNS ", " TRADE_FILING_COLUMNS ", " ROW_DIGEST_TRADE_SOURCE_COLUMNS                     \
                ", t.source_digest, d.kind, v.sha256, n.reason, n.evidence, "                      \
                "n.sha256, " ROW_DIGEST_FILING_COLUMNS ", f.digest, "                              \
                "t.company, t.company_digest"
#define FOUND_TABLES                                                                               \
    " FROM trade t JOIN filing f ON f.no = t.filing_no JOIN member m ON m.no = f.member_no"        \
    " LEFT JOIN document_version v ON v.no = t.document_version_no"                                \
    " LEFT JOIN document d ON d.no = v.document_no"                                                \
    " LEFT JOIN trade_finding s ON s.trade_no = t.no"                                              \
    " LEFT JOIN finding n ON n.no = s.finding_no"

static void read_source(const struct query *q, struct arena *arena, struct trade_source *ret)
{
    *ret = (struct trade_source){
        .filing_id = query_text(q, FILING_AT + 1, arena),
        .row = (int)query_get_i64(q, SOURCE_AT),
        .page = (int)query_get_i64(q, SOURCE_AT + 1),
        .notified_date = (int32_t)query_get_opt_i64(q, SOURCE_AT + 2, DAY_NONE),
        .printed = cells_shown(query_text(q, SOURCE_AT + 4, arena), arena),
        .withdrawn_reason = query_text(q, SOURCE_AT + 5, arena),
        .company = query_text(q, COMPANY_AT, arena),
        .document_kind = query_text(q, DOCUMENT_AT, arena),
        .document_id = query_text(q, FILING_AT + 3, arena),
        .politician_id = query_text(q, FILING_AT + 5, arena),
        .filed_at = query_get_i64(q, FILING_AT + 10),
    };
    struct str sha256 = query_get_blob(q, DOCUMENT_AT + 1);
    if (sha256.n == sizeof ret->document_sha256)
        memcpy(ret->document_sha256, sha256.p, sha256.n);
}

/* Strings belong to the query's row. */
static struct trade_row read_found(const struct query *q)
{
    struct trade_row row = read_row(q);
    trade_columns_read_filing(q, ROW_COLUMN_COUNT, &row.trade);
    row.trade.conflict_reason = query_get_str(q, DOCUMENT_AT + 2);
    row.damaged =
        row.damaged || row_digest_differs(q, SOURCE_AT, ROW_DIGEST_TRADE_SOURCE) ||
        row_digest_differs(q, FILING_AT, ROW_DIGEST_FILING) ||
        finding_columns_damaged(q, DOCUMENT_AT + 2) ||
        trade_company_damaged(
            row.trade.id, query_get_str(q, COMPANY_AT), query_get_blob(q, COMPANY_AT + 1));
    return row;
}

enum err trade_find(
    struct db *db, struct str id, struct arena *arena, struct trade_row *ret,
    struct trade_source *ret_source, struct fail *fail)
{
    QUERY(q, db, "SELECT " FOUND_COLUMNS FOUND_TABLES " WHERE t.id = $1", V(id));
    if (query_row(&q)) {
        *ret = read_found(&q);
        keep_strings(&ret->trade, arena);
        if (ret_source)
            read_source(&q, arena, ret_source);
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "there is no trade \"%.*s\"", STR_ARG(id));
}

enum err trade_each_source(
    struct db *db, int64_t before_ms, trade_source_visit *visit, void *ctx, struct fail *fail)
{
    enum err stop = OK;
    QUERY(
        q, db,
        "SELECT " FOUND_COLUMNS ", m.first_name, m.last_name,"
        " (SELECT w.district FROM member_term w WHERE w.member_no = f.member_no"
        " AND w.chamber = f.chamber AND w.start_day <= f.filed_at / 86400000"
        " ORDER BY w.start_day DESC LIMIT 1)" FOUND_TABLES
        " WHERE t.withdrawn_at IS NULL AND t.disclosed_at < $1 ORDER BY t.disclosed_at, t.id",
        V(before_ms));
    while (!stop && query_row(&q)) {
        ARENA_SCOPED(arena);
        struct trade_source source;
        const struct trade_row row = read_found(&q);
        const struct trade_filer filer = {
            .first = query_get_str(&q, FILER_AT),
            .last = query_get_str(&q, FILER_AT + 1),
            .district = (int)query_get_opt_i64(&q, FILER_AT + 2, -1),
        };
        read_source(&q, &arena, &source);
        stop = visit(ctx, &row, &source, &filer);
    }
    TRY(query_end(&q, fail));
    return stop;
}

enum err trade_each_symbol_of(
    struct db *db, struct str politician_id, trade_symbol_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT DISTINCT t.asset_name, coalesce(t.ticker, t.company) FROM trade t"
        " JOIN filing f ON f.no = t.filing_no JOIN member m ON m.no = f.member_no"
        " WHERE m.id = $1 AND t.withdrawn_at IS NULL"
        " AND (t.ticker IS NOT NULL OR t.company IS NOT NULL)",
        V(politician_id));
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0), query_get_str(&q, 1));
    return query_end(&q, fail);
}

enum err trade_newest(struct db *db, int64_t before_ms, int64_t *ret, struct fail *fail)
{
    *ret = INSTANT_NONE;
    return query_number(
        db, ret, fail,
        "SELECT disclosed_at FROM trade WHERE disclosed_at < $1 ORDER BY disclosed_at DESC LIMIT 1",
        V(before_ms));
}

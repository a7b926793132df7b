/* Digests of published rows; see row_digest.h. */
#include "db/row_digest.h"

#include <string.h>

#define SEALED(KIND, TABLE, TYPES)                                                                 \
    [ROW_DIGEST_##KIND] = {                                                                        \
        STR_INIT("stockact " TABLE " 1"),                                                          \
        TYPES,                                                                                     \
        {TABLE,                                                                                    \
         "SELECT " ROW_DIGEST_##KIND##_COLUMNS ", " TABLE ".digest FROM " TABLE " ORDER BY " TABLE \
                                               ".no",                                              \
         "SELECT count(*) FROM " TABLE " WHERE digest IS NULL"},                                   \
        "SELECT " ROW_DIGEST_##KIND##_COLUMNS " FROM " TABLE " WHERE " TABLE                       \
                                              ".digest IS NULL LIMIT 100",                         \
        "UPDATE " TABLE " SET digest = $2 WHERE no = $1"}

/* The types of the columns: t text, i integer, b bytes. The first one of a sealed kind is `no`. */
static const struct {
    struct str name;
    const char *types;
    struct row_table table;
    const char *unsealed, *seal;
} kinds[ROW_DIGEST_COUNT] = {
    [ROW_DIGEST_TRADE] = {STR_INIT("stockact trade 1"), "titttttittiiib"},
    [ROW_DIGEST_TRADE_SOURCE] = {STR_INIT("stockact trade source 1"), "iiiitti"},
    [ROW_DIGEST_FILING] =
        {STR_INIT("stockact filing 1"), "ittttttttt"
                                        "itttt"
                                        "iiiiiii"},
    [ROW_DIGEST_CORRECTION] =
        {STR_INIT("stockact correction 1"), "ittti"
                                            "ttttt"
                                            "iii"},
    [ROW_DIGEST_PUBLICATION] =
        {STR_INIT("stockact publication 1"), "itit"
                                             "iiii"},
    SEALED(ACCOUNT, "account", "ittttiitiiiibbit"),
    SEALED(API_KEY, "api_key", "itibttii"),
    SEALED(SESSION, "session", "itiiiittib"),
    SEALED(
        TOKEN, "token",
        "iittttt"
        "iiiibtt"),
    SEALED(RECOVERY_CODE, "recovery_code", "iibii"),
    SEALED(
        ENDPOINT, "endpoint",
        "itit"
        "bbitiitti"),
};

void row_cells_read(
    const struct query *q, int at, enum row_digest kind, struct row_cell ret[ROW_CELLS_MAX])
{
    for (const char *type = kinds[kind].types; *type; type++, at++, ret++) {
        if (*type == 't')
            ret->text = query_get_str(q, at);
        else if (*type == 'b')
            ret->text = query_get_blob(q, at);
        else if (query_is_null(q, at))
            ret->text = STR_NULL;
        else
            *ret = (struct row_cell){STR(""), query_get_i64(q, at)};
    }
}

static void put_cells(struct digest *d, const struct row_cell *cell, const char *types, size_t n)
{
    for (size_t i = 0; i < n; i++, cell++) {
        if (types[i] == 't')
            digest_str(d, cell->text);
        else if (types[i] == 'b')
            digest_bytes(d, cell->text.p, cell->text.n);
        else if (str_is_null(cell->text))
            digest_str(d, STR_NULL);
        else
            digest_i64(d, cell->number);
    }
}

void row_cells_digest(
    const struct row_cell *cells, enum row_digest kind, uint8_t ret[static SHA256_SIZE])
{
    struct digest d;
    digest_begin(&d, kinds[kind].name);
    put_cells(&d, cells, kinds[kind].types, strlen(kinds[kind].types));
    digest_end(&d, ret);
}

void row_digest(
    const struct query *q, int at, enum row_digest kind, uint8_t ret[static SHA256_SIZE])
{
    struct row_cell cells[ROW_CELLS_MAX];
    row_cells_read(q, at, kind, cells);
    row_cells_digest(cells, kind, ret);
}

void row_digest_stored_trade(
    const struct query *q, int at, int source_at, uint8_t ret[static SHA256_SIZE],
    uint8_t ret_source[static SHA256_SIZE])
{
    struct row_cell cells[ROW_CELLS_MAX];
    row_digest(q, source_at, ROW_DIGEST_TRADE_SOURCE, ret_source);
    row_cells_read(q, at, ROW_DIGEST_TRADE, cells);
    cells[ROW_DIGEST_TRADE_COUNT - 1].text = str_of((const char *)ret_source, SHA256_SIZE);
    row_cells_digest(cells, ROW_DIGEST_TRADE, ret);
}

bool row_digest_equals(const struct query *q, int column, const uint8_t digest[static SHA256_SIZE])
{
    struct str stored = query_get_blob(q, column);
    return stored.n == SHA256_SIZE && memcmp(stored.p, digest, SHA256_SIZE) == 0;
}

bool row_digest_differs(const struct query *q, int at, enum row_digest kind)
{
    uint8_t digest[SHA256_SIZE];
    row_digest(q, at, kind, digest);
    return !row_digest_equals(q, at + (int)strlen(kinds[kind].types), digest);
}

void row_digest_new_trade(
    const struct row_digest_trade *t, uint8_t ret[static SHA256_SIZE],
    uint8_t ret_source[static SHA256_SIZE])
{
    const struct row_values *v = t->values;
    struct digest d;
    digest_begin(&d, kinds[ROW_DIGEST_TRADE_SOURCE].name);
    digest_i64(&d, t->position);
    digest_opt_i64(&d, t->page, 0);
    digest_opt_i64(&d, t->notified_date, DAY_NONE);
    digest_opt_i64(&d, t->document_version, 0);
    digest_str(&d, t->printed);
    digest_str(&d, STR_NULL);
    digest_i64(&d, 0);
    digest_end(&d, ret_source);
    digest_begin(&d, kinds[ROW_DIGEST_TRADE].name);
    digest_str(&d, t->id);
    digest_i64(&d, t->disclosed_at);
    digest_str(&d, v->ticker);
    digest_str(&d, v->asset_name);
    digest_str(&d, asset_type_name(v->asset_type));
    digest_str(&d, side_name(v->side));
    digest_str(&d, bracket_key(v->bracket));
    digest_opt_i64(&d, v->trade_date, DAY_NONE);
    digest_str(&d, owner_name(v->owner));
    digest_str(&d, str_is_null(v->details) ? STR("") : v->details);
    digest_i64(&d, t->filing_no);
    digest_i64(&d, t->publication_no);
    digest_str(&d, STR_NULL);
    digest_bytes(&d, ret_source, SHA256_SIZE);
    digest_end(&d, ret);
}

/* Sealed kinds */

enum { SEAL_BATCH = 100 }; /* the LIMIT of the statements */

bool row_is_damaged(const struct query *q, int at, enum row_digest kind)
{
    return !query_is_null(q, at + (int)strlen(kinds[kind].types)) &&
           row_digest_differs(q, at, kind);
}

const struct row_table *row_table(enum row_digest kind)
{
    return &kinds[kind].table;
}

enum err row_seal_values(
    struct db *db, enum row_digest kind, const char *sql, const struct query_value *values,
    size_t n, struct fail *fail)
{
    struct {
        int64_t no;
        uint8_t digest[SHA256_SIZE];
    } rows[SEAL_BATCH];
    size_t count;
    do {
        struct query q;
        count = 0;
        query_with_values(&q, db, sql, values, n);
        while (query_row(&q) && count < SEAL_BATCH) {
            rows[count].no = query_get_i64(&q, 0);
            row_digest(&q, 0, kind, rows[count++].digest);
        }
        TRY(query_end(&q, fail));
        for (size_t i = 0; i < count; i++)
            TRY(query_run(
                db, fail, kinds[kind].seal, V(rows[i].no), V_BLOB(rows[i].digest, SHA256_SIZE)));
    } while (count == SEAL_BATCH);
    return OK;
}

enum err row_seal_all(struct db *db, enum row_digest kind, struct fail *fail)
{
    return row_seal_values(db, kind, kinds[kind].unsealed, NULL, 0, fail);
}

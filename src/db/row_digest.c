/* Digests of published rows; see row_digest.h. */
#include "db/row_digest.h"

/* A table of which rows are sealed; `key` is the condition on its first KEYS columns. PAGE makes
 * row_seal_all read in pages. */
#define SEALED_PAGED(KIND, TABLE, FROM, COLUMNS, TYPES, KEYS, key, PAGE)                           \
    [ROW_DIGEST_##KIND] = {                                                                        \
        STR_INIT("stockact " TABLE " 1"),                                                          \
        TYPES,                                                                                     \
        {TABLE, "SELECT " COLUMNS ", digest FROM " FROM,                                           \
         "SELECT count(*) FROM " TABLE " WHERE digest IS NULL", KEYS},                             \
        "SELECT " COLUMNS " FROM " FROM " WHERE digest IS NULL" PAGE,                              \
        "UPDATE " TABLE " SET digest = $1 WHERE " key,                                             \
        sizeof(PAGE) > 1}
#define SEALED_AS(KIND, TABLE, FROM, TYPES)                                                        \
    SEALED_PAGED(                                                                                  \
        KIND, TABLE, FROM, ROW_DIGEST_##KIND##_COLUMNS, TYPES, 1, "no = $2",                       \
        " AND no > $1 ORDER BY no LIMIT 1000")
#define SEALED(KIND, TABLE, TYPES) SEALED_AS(KIND, TABLE, TABLE, TYPES)
#define SEALED_BY(KIND, TABLE, COLUMNS, TYPES, KEYS, key)                                          \
    SEALED_PAGED(KIND, TABLE, TABLE, COLUMNS, TYPES, KEYS, key, "")

/* The types of the columns: t text, i integer, b bytes. */
static const struct {
    struct str name;
    const char *types;
    struct row_table table;
    const char *unsealed, *seal;
    bool paged;
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
    SEALED_AS(ENDPOINT, "endpoint", "endpoint e", "ititbbitiitti"),
    SEALED(EVENT, "event", "ittiiit"),
    SEALED(DOCUMENT_VERSION, "document_version", "iibiitb"),
    SEALED(ALERT, "alert", "itittittttittii"),
    SEALED_BY(
        ALERT_PERSON, "alert_person", ROW_DIGEST_ALERT_PERSON_COLUMNS, "ibbti", 1,
        "account_no = $2"),
    SEALED_BY(
        ACCOUNT_ADDRESS, "account_address", ROW_DIGEST_ACCOUNT_ADDRESS_COLUMNS, "ti", 2,
        "email = $2 AND account_no = $3"),
    SEALED_BY(TICKER, "ticker", "no, symbol, company, industry, source", "itttt", 1, "no = $2"),
    SEALED_BY(
        MEMBER, "member", "no, id, slug, name, first_name, last_name, birthday, listed_day",
        "ittttt"
        "ii",
        1, "no = $2"),
    SEALED_BY(
        MEMBER_NAME, "member_name", "member_no, position, first_name, last_name", "iitt", 2,
        "member_no = $2 AND position = $3"),
    SEALED_BY(
        MEMBER_TERM, "member_term",
        "member_no, position, chamber, state, district, party, start_day, end_day, senate_class",
        "iittitiii", 2, "member_no = $2 AND position = $3"),
    SEALED_BY(COMMITTEE, "committee", "no, id, chamber", "itt", 1, "no = $2"),
    SEALED_BY(
        COMMITTEE_VERSION, "committee_version", "no, as_of_day, sha256, imported_at", "iibi", 1,
        "no = $2"),
    SEALED_BY(
        COMMITTEE_LISTED, "committee_listed", "version_no, committee_no, name, parent_no", "iiti",
        2, "version_no = $2 AND committee_no = $3"),
    SEALED_BY(
        COMMITTEE_SEAT, "committee_seat",
        "version_no, committee_no, member_no, role, chamber, side, rank", "iiittti", 3,
        "version_no = $2 AND committee_no = $3 AND member_no = $4"),
    SEALED_BY(
        COMMITTEE_SPAN, "committee_span", "member_id, committee_id, from_day, title, to_day",
        "ttiti", 3, "member_id = $2 AND committee_id = $3 AND from_day = $4"),
    SEALED_BY(COMMITTEE_SPAN_LIST, "committee_span_list", "day", "i", 1, "day = $2"),
    SEALED_BY(
        COMMITTEE_SPAN_NAME, "committee_span_name", "committee_id, from_day, name", "tit", 2,
        "committee_id = $2 AND from_day = $3"),
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

enum { KEYS_MAX = 3, KEY_SIZE_MAX = 1000, PAGE = 1000 /* the LIMIT of SEALED */ };

bool row_is_damaged(const struct query *q, int at, enum row_digest kind)
{
    return !query_is_null(q, at + (int)strlen(kinds[kind].types)) &&
           row_digest_differs(q, at, kind);
}

void row_key_put(struct buf *b, const struct query *q, int at, enum row_digest kind)
{
    struct row_cell cells[ROW_CELLS_MAX];
    row_cells_read(q, at, kind, cells);
    for (size_t i = 0; i < kinds[kind].table.keys; i++)
        if (kinds[kind].types[i] == 't')
            buf_fmt(b, "%s%.*s", i ? " " : "", STR_ARG(cells[i].text));
        else
            buf_fmt(b, "%s%lld", i ? " " : "", (long long)cells[i].number);
}

enum err row_look_values(
    struct db *db, enum row_digest kind, const char *sql, const struct query_value *values,
    size_t n, struct fail *fail)
{
    BUF_SCOPED(key, KEY_SIZE_MAX);
    struct query q;
    query_with_values(&q, db, sql, values, n);
    while (query_row(&q) && !key.n)
        if (row_is_damaged(&q, 0, kind))
            row_key_put(&key, &q, 0, kind);
    TRY(query_end(&q, fail));
    return !key.n ? OK
                  : fail_set(
                        fail, ERR_CORRUPT,
                        "row %.*s of %s is damaged: it does not match its digest. Put its columns "
                        "back from a backup",
                        STR_ARG(buf_view(&key)), kinds[kind].table.name);
}

const struct row_table *row_table(enum row_digest kind)
{
    return &kinds[kind].table;
}

/* A row to be sealed. */
struct unsealed {
    struct unsealed *next;
    struct query_value values[1 + KEYS_MAX]; /* its digest and its key */
};

static struct unsealed *read_unsealed(
    const struct query *q, enum row_digest kind, struct arena *arena)
{
    struct unsealed *ret = ARENA_NEW(arena, struct unsealed);
    uint8_t *digest = arena_alloc(arena, SHA256_SIZE);
    struct row_cell cells[ROW_CELLS_MAX];
    row_cells_read(q, 0, kind, cells);
    row_cells_digest(cells, kind, digest);
    ret->next = NULL;
    ret->values[0] = V_BLOB(digest, SHA256_SIZE);
    for (size_t i = 0; i < kinds[kind].table.keys; i++)
        ret->values[1 + i] =
            kinds[kind].types[i] == 't' ? V(arena_str(arena, cells[i].text)) : V(cells[i].number);
    return ret;
}

/* *ret_count, and *ret_last: how many, and the number of the last one if numbers are the keys. */
static enum err seal_some(
    struct db *db, enum row_digest kind, struct query *q, int64_t *ret_last, size_t *ret_count,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct unsealed *first = NULL, **last = &first;
    for (*ret_count = 0; query_row(q); last = &(*last)->next, ++*ret_count)
        *last = read_unsealed(q, kind, &arena);
    TRY(query_end(q, fail));
    for (const struct unsealed *row = first; row; row = row->next) {
        TRY(query_run_values(db, kinds[kind].seal, row->values, 1 + kinds[kind].table.keys, fail));
        *ret_last = row->values[1].number;
    }
    return OK;
}

enum err row_seal_values(
    struct db *db, enum row_digest kind, const char *sql, const struct query_value *values,
    size_t n, struct fail *fail)
{
    struct query q;
    int64_t last;
    size_t count;
    query_with_values(&q, db, sql, values, n);
    return seal_some(db, kind, &q, &last, &count, fail);
}

enum err row_seal_all(struct db *db, enum row_digest first, enum row_digest last, struct fail *fail)
{
    for (int kind = (int)last; kind >= (int)first; kind--) {
        int64_t no = INT64_MIN;
        size_t count;
        do {
            const struct query_value after = V(no);
            struct query q;
            query_with_values(&q, db, kinds[kind].unsealed, &after, kinds[kind].paged);
            TRY(seal_some(db, (enum row_digest)kind, &q, &no, &count, fail));
        } while (kinds[kind].paged && count == PAGE);
    }
    return OK;
}

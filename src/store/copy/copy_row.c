/* Rows of any table; see copy_row.h. */
#include "store/copy/copy_row.h"

#include <endian.h>

#include "base/codec.h"

enum { CHUNK_BYTES = 8 << 20, CHUNK_ROWS_MIN = 16, CHUNK_ROWS_MAX = 20000 };

static void put_hex(struct buf *to, struct str bytes)
{
    char *p = buf_reserve(to, 2 * bytes.n);
    if (!p)
        return;
    hex_encode(bytes.p, bytes.n, p);
    buf_commit(to, 2 * bytes.n);
}

void copy_row_key(struct buf *to, const struct query *q, const struct copy_table *table)
{
    buf_reset(to);
    for (size_t i = 0; i < table->key_count; i++) {
        int column = (int)table->key[i];
        if (i)
            buf_char(to, ' ');
        if (table->columns[column].type == COPY_INT)
            buf_i64(to, query_get_i64(q, column));
        else
            put_hex(to, query_get_blob(q, column));
    }
}

int copy_row_compare_keys(const struct copy_table *table, struct str a, struct str b)
{
    for (size_t i = 0; i < table->key_count; i++) {
        struct str x = STR(""), y = STR("");
        int64_t m = 0, n = 0;
        str_split(&a, ' ', &x);
        str_split(&b, ' ', &y);
        if (table->columns[table->key[i]].type != COPY_INT) {
            int order = str_cmp(x, y); /* digits of bytes are in the order of the bytes */
            if (order)
                return order;
        } else if (str_to_i64(x, &m) && str_to_i64(y, &n) && m != n) {
            return m < n ? -1 : 1;
        }
    }
    return 0;
}

static bool bind_cell(struct query *q, enum copy_type type, struct str cell, struct arena *arena)
{
    if (type == COPY_INT) {
        int64_t number;
        if (!str_to_i64(cell, &number))
            return false;
        query_i64(q, number);
        return true;
    }
    size_t n = cell.n / 2;
    uint8_t *bytes = arena_alloc(arena, n + 1);
    if (cell.n % 2 || !hex_decode(cell, bytes, n))
        return false;
    struct str value = str_of((const char *)bytes, n);
    if (type == COPY_TEXT)
        query_str(q, value);
    else
        query_blob(q, value.p, value.n);
    return true;
}

void copy_row_bind_key(
    struct query *q, const struct copy_table *table, struct str key, struct arena *arena)
{
    struct str cell;
    bool valid = true;
    for (size_t i = 0; valid && i < table->key_count; i++)
        valid = str_split(&key, ' ', &cell) &&
                bind_cell(q, table->columns[table->key[i]].type, cell, arena);
    if ((!valid || !str_is_null(key)) && !q->err)
        q->err = fail_set(
            &q->fail, ERR_CORRUPT, "table copy_change has a text that is no key of table %.*s",
            STR_ARG(table->name));
}

void copy_chunk_start(
    struct query *q, struct db *db, const struct copy_table *table, const struct buf *key,
    int64_t rows, struct arena *arena)
{
    query_start(q, db, key ? table->next : table->first);
    if (key)
        copy_row_bind_key(q, table, buf_view(key), arena);
    query_i64(q, rows);
}

int64_t copy_chunk_rows(int64_t rows, int64_t bytes)
{
    int64_t fit = rows ? CHUNK_BYTES / (bytes / rows + 1) : 0;
    return fit < CHUNK_ROWS_MIN ? CHUNK_ROWS_MIN : fit > CHUNK_ROWS_MAX ? CHUNK_ROWS_MAX : fit;
}

struct str copy_row_name(const struct copy_table *table, struct str key, struct arena *arena)
{
    BUF_SCOPED(b, 200);
    buf_str(&b, table->name);
    struct str cell;
    for (size_t i = 0; i < table->key_count && str_split(&key, ' ', &cell); i++) {
        uint8_t text[64];
        bool words = table->columns[table->key[i]].type == COPY_TEXT && cell.n / 2 < sizeof text &&
                     hex_decode(cell, text, cell.n / 2);
        buf_char(&b, ' ');
        buf_str(&b, words ? str_of((const char *)text, cell.n / 2) : cell);
    }
    return arena_str(arena, buf_view(&b));
}

enum err copy_row_too_long(const struct copy_table *table, struct fail *fail)
{
    return fail_set(
        fail, ERR_CORRUPT, "a row of table %.*s is too long to be copied", STR_ARG(table->name));
}

static void put_u64(struct buf *to, uint64_t value)
{
    value = htobe64(value);
    buf_put(to, &value, sizeof value);
}

void copy_row_bytes(struct buf *to, const struct query *q, const struct copy_table *table)
{
    static const char tags[COPY_TYPE_COUNT] = {'i', 't', 'b'};
    for (size_t i = 0; i < table->column_count; i++) {
        enum copy_type type = table->columns[i].type;
        if (query_is_null(q, (int)i)) {
            buf_char(to, 'n');
            continue;
        }
        buf_char(to, tags[type]);
        if (type == COPY_INT) {
            put_u64(to, (uint64_t)query_get_i64(q, (int)i));
            continue;
        }
        struct str bytes = query_get_blob(q, (int)i);
        put_u64(to, bytes.n);
        buf_str(to, bytes);
    }
}

void copy_row_write(struct bulk *bulk, const struct query *q, const struct copy_table *table)
{
    for (size_t i = 0; i < table->column_count; i++) {
        int column = (int)i;
        enum copy_type type = table->columns[i].type;
        if (query_is_null(q, column))
            bulk_null(bulk);
        else if (type == COPY_INT)
            bulk_i64(bulk, query_get_i64(q, column));
        else if (type == COPY_TEXT)
            bulk_str(bulk, query_get_str(q, column));
        else
            bulk_blob(bulk, query_get_blob(q, column));
    }
}

void copy_digest_begin(struct copy_digest *digest, const struct copy_table *table)
{
    BUF_SCOPED(b, 1 << 16);
    buf_fmt(&b, "%.*s\n", STR_ARG(table->name));
    for (size_t i = 0; i < table->column_count; i++) {
        const struct copy_column *c = &table->columns[i];
        buf_fmt(&b, "%.*s %d %d\n", STR_ARG(c->name), (int)c->type, c->key);
    }
    sha256(buf_view(&b), digest->bytes);
}

void copy_digest_add(struct copy_digest *digest, struct str row)
{
    uint8_t both[2 * SHA256_SIZE];
    memcpy(both, digest->bytes, SHA256_SIZE);
    sha256(row, both + SHA256_SIZE);
    sha256(str_of((const char *)both, sizeof both), digest->bytes);
}

/* Many rows at once; see bulk.h. PostgreSQL's binary form: a header, for each row the number of its
 * columns and for each column its length and bytes, and -1 at the end. */
#include "db/bulk.h"

#include <assert.h>
#include <endian.h>

#include <sqlite3.h>

#include "db/db_driver.h"

enum {
    SEND_SIZE = 1 << 16,    /* bytes that wait before they are sent */
    OUT_SIZE_MAX = 1 << 17, /* longer values are sent by themselves */
};

static const char header[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0"; /* no flags, no extension */

static void failed(struct bulk *b, enum err err)
{
    b->err = err;
    if (b->db->in_transaction && !b->db->doomed)
        b->db->doomed = err;
}

static void send(struct bulk *b)
{
    if (!b->err) {
        enum err err = b->db->driver->copy_put(b->db, b->out.p, b->out.n, &b->fail);
        if (err)
            failed(b, err);
    }
    buf_reset(&b->out);
}

static void put(struct bulk *b, const void *p, size_t n)
{
    if (b->out.n + n > SEND_SIZE)
        send(b);
    if (n <= SEND_SIZE) {
        buf_put(&b->out, p, n);
    } else if (!b->err) {
        enum err err = b->db->driver->copy_put(b->db, p, n, &b->fail);
        if (err)
            failed(b, err);
    }
}

static void put_u16(struct bulk *b, uint16_t value)
{
    value = htobe16(value);
    put(b, &value, sizeof value);
}

static void put_u32(struct bulk *b, uint32_t value)
{
    value = htobe32(value);
    put(b, &value, sizeof value);
}

void bulk_begin(struct bulk *b, struct db *db, const struct bulk_text *text)
{
    assert(!db->query && db->in_transaction && text->columns <= DB_PARAMETERS_MAX);
    *b = (struct bulk){.db = db, .text = text};
    buf_init(&b->out, OUT_SIZE_MAX);
    if (!db->driver->copy_start)
        return;
    enum err err = db->doomed ? fail_set(&b->fail, db->doomed, "an earlier statement failed")
                              : db->driver->ready(db, &b->fail);
    if (!err)
        err = db->driver->copy_start(db, text->copy, &b->fail);
    if (err) {
        failed(b, err);
        return;
    }
    b->copying = true;
    db->query = &b->query; /* nothing else may run */
    put(b, header, sizeof header);
}

/* Before a value. */
static void column_begin(struct bulk *b)
{
    if (b->column == 0 && b->db->driver->copy_start)
        put_u16(b, (uint16_t)b->text->columns);
    else if (b->column == 0)
        query_start(&b->query, b->db, b->text->insert);
    b->column++;
}

/* After a value. */
static void column_end(struct bulk *b)
{
    if (b->column < b->text->columns)
        return;
    b->column = 0;
    if (b->db->driver->copy_start)
        return;
    enum err err = query_end(&b->query, b->err ? NULL : &b->fail);
    if (err && !b->err)
        b->err = err;
}

void bulk_null(struct bulk *b)
{
    bulk_blob(b, STR_NULL);
}

void bulk_i64(struct bulk *b, int64_t value)
{
    column_begin(b);
    if (b->db->driver->copy_start) {
        uint64_t bytes = htobe64((uint64_t)value);
        put_u32(b, sizeof bytes);
        put(b, &bytes, sizeof bytes);
    } else {
        query_i64(&b->query, value);
    }
    column_end(b);
}

void bulk_opt_i64(struct bulk *b, int64_t value, int64_t none)
{
    if (value == none)
        bulk_null(b);
    else
        bulk_i64(b, value);
}

static void put_bytes(struct bulk *b, struct str value)
{
    put_u32(b, str_is_null(value) ? UINT32_MAX : (uint32_t)value.n);
    if (!str_is_null(value))
        put(b, value.p, value.n);
}

void bulk_str(struct bulk *b, struct str value)
{
    column_begin(b);
    if (b->db->driver->copy_start)
        put_bytes(b, value);
    else
        query_str(&b->query, value);
    column_end(b);
}

void bulk_blob(struct bulk *b, struct str value)
{
    column_begin(b);
    if (b->db->driver->copy_start)
        put_bytes(b, value);
    else
        query_blob(&b->query, value.p, value.n);
    column_end(b);
}

enum err bulk_end(struct bulk *b, enum err err, struct fail *fail)
{
    if (b->copying) {
        bool whole = !err && !b->err;
        assert(!whole || b->column == 0);
        if (whole) {
            put_u16(b, UINT16_MAX);
            send(b);
        }
        struct fail *why = b->err ? NULL : &b->fail;
        enum err ended = b->db->driver->copy_stop(b->db, whole && !b->err, why);
        if (ended && !b->err)
            failed(b, ended);
        b->db->query = NULL;
    } else if (b->column > 0 && !b->db->driver->copy_start) { /* an unfinished row */
        assert(err);
        b->query.err = err;
        enum err same = query_end(&b->query, NULL);
        (void)same;
    }
    buf_finish(&b->out);
    if (err)
        return err;
    if (b->err && fail)
        *fail = b->fail;
    return b->err;
}

enum err bulk_unchecked(struct db *db, struct fail *fail)
{
    assert(!db->in_transaction);
    if (db_kind(db) != DB_SQLITE)
        return OK;
    sqlite3_db_config(db_sqlite_handle(db), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    return db_exec(db, "PRAGMA foreign_keys = OFF", fail);
}

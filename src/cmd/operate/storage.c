/* `stockact storage`: the database and its disk. */
#include "cmd/operate/store_access.h"
#include "store/run/storage.h"

static void put_tables(struct store_read *read, const struct storage *storage)
{
    struct json_out j;
    BUF_SCOPED(text, 1 << 16);
    json_init(&j, &text);
    json_array_begin(&j);
    for (size_t i = 0; i < storage->table_count; i++) {
        const struct storage_table *table = &storage->tables[i];
        json_object_begin(&j);
        JSON_KEY_STR(&j, "name", table->name);
        JSON_KEY_I64(&j, "rows", table->rows);
        json_key(&j, STR("bytes"));
        if (table->bytes < 0)
            json_no_value(&j);
        else
            json_i64(&j, table->bytes);
        json_object_end(&j);
    }
    json_array_end(&j);
    out_raw(read->out, "tables", buf_view(&text));
}

static void put_rows(struct out *out, const struct storage_table *table)
{
    if (out_is_page(out)) {
        out_begin(out, OUT_TABLE);
        out_str(out, "table", table->name);
        out_i64(out, "rows", table->rows);
        if (table->bytes >= 0)
            out_bytes_unless(out, "size", table->bytes, -1);
        out_end(out);
        return;
    }
    out_line(out, "rows of %-17.*s%lld", STR_ARG(table->name), (long long)table->rows);
}

enum err cmd_storage(struct store_read *read, struct fail *fail)
{
    struct storage s;
    struct str kind = db_kind(read->db) == DB_SQLITE ? STR("SQLite") : STR("PostgreSQL");
    TRY(storage_read(read->db, &read->arena, &s, fail));
    out_begin(read->out, OUT_BLOCK);
    out_str(read->out, "database", db_name(read->db));
    out_str(read->out, "kind", kind);
    out_str(read->out, "version", s.version);
    out_bytes_unless(read->out, "bytes", s.bytes, -1);
    out_bytes_unless(read->out, "freeBytes", s.free_bytes, -1);
    out_bytes_unless(read->out, "logBytes", s.log_bytes, -1);
    out_bytes_unless(read->out, "reserveBytes", s.reserve_bytes, -1);
    out_bytes_unless(read->out, "diskBytes", s.disk_bytes, -1);
    out_bytes_unless(read->out, "diskFreeBytes", s.disk_free, -1);
    if (read->out->json)
        put_tables(read, &s);
    out_end(read->out);
    for (size_t i = 0; i < s.table_count && !read->out->json; i++)
        if (s.tables[i].rows || s.tables[i].bytes > 0)
            put_rows(read->out, &s.tables[i]);
    return OK;
}

/* /admin/storage: the database, its disk and the versions. */
#include "base/build.h"
#include "db/migrate.h"
#include "site/admin/admin_parts.h"
#include "site/frame/handlers.h"
#include "status/libraries.h"
#include "status/words.h"
#include "store/run/storage.h"

/* `name` as a number and `nameText` in words; null: not known. */
static void put_bytes(struct page_call *call, const char *name, const char *text, int64_t bytes)
{
    if (bytes < 0) {
        view_null(call->view, name);
        view_null(call->view, text);
        return;
    }
    view_int(call->view, name, bytes);
    view_str(call->view, text, words_bytes(call->arena, bytes));
}

static void put_libraries(struct page_call *call)
{
    struct library libraries[LIBRARIES_MAX];
    size_t count = libraries_read(libraries);
    struct view *table = table_begin(call->view, "libraries", "Library|Version", "");
    for (size_t i = 0; i < count; i++) {
        struct view *row = table_row(table);
        view_str(row, "name", libraries[i].name);
        view_str(row, "version", libraries[i].version);
    }
}

static void put_redis(struct page_call *call)
{
    struct limits_redis redis = {.used = false};
    if (call->config->limits)
        limits_redis(call->config->limits, &redis);
    view_bool(call->view, "redis", redis.used);
    view_bool(call->view, "redisReady", redis.ready);
    view_str(
        call->view, "redisVersion",
        redis.version[0] ? arena_str(call->arena, str_from(redis.version)) : STR_NULL);
}

enum err admin_storage_load(struct page_call *call, struct fail *fail)
{
    struct storage s;
    int schema = 0; /* a newer program may have migrated the database */
    bool embedded = db_kind(call->db) == DB_SQLITE;
    TRY(storage_read(call->db, call->arena, &s, fail));
    TRY(migrate_applied(call->db, &schema, fail));
    view_bool(call->view, "embedded", embedded);
    view_text(call->view, "kind", embedded ? "SQLite" : "PostgreSQL");
    view_str(call->view, "databaseVersion", s.version);
    view_str(call->view, "version", build.version);
    view_int(call->view, "schema", schema);
    put_redis(call);
    put_libraries(call);
    put_bytes(call, "bytes", "bytesText", s.bytes);
    put_bytes(call, "freeBytes", "freeBytesText", s.free_bytes);
    put_bytes(call, "logBytes", "logBytesText", s.log_bytes);
    put_bytes(call, "reserveBytes", "reserveBytesText", s.reserve_bytes);
    view_bool(call->view, "released", s.reserve_bytes == 0);
    put_bytes(call, "diskBytes", "diskBytesText", s.disk_bytes);
    put_bytes(call, "diskFreeBytes", "diskFreeBytesText", s.disk_free);
    struct view *table = table_begin(
        call->view, "tables", embedded ? "Table|#Rows, about" : "Table|#Rows, about|#Size", "");
    for (size_t i = 0; i < s.table_count; i++) {
        if (!s.tables[i].rows)
            continue;
        struct view *row = table_row(table);
        view_str(row, "name", s.tables[i].name);
        view_count(row, "rows", s.tables[i].rows);
        view_str(
            row, "size",
            s.tables[i].bytes < 0 ? STR_NULL : words_bytes(call->arena, s.tables[i].bytes));
    }
    return OK;
}

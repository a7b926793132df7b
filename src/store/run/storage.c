/* Sizes of the database; see storage.h. */
#include "store/run/storage.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "db/dialect.h"
#include "store/row/list.h"

static int64_t file_bytes(struct arena *arena, struct str path, const char *suffix)
{
    struct stat st;
    struct str file = arena_fmt(arena, "%.*s%s", STR_ARG(path), suffix);
    return stat(file.p, &st) == 0 ? (int64_t)st.st_size : 0;
}

static void read_files(struct db *db, struct arena *arena, struct storage *ret)
{
    struct statvfs fs;
    struct str path = arena_str(arena, db_name(db));
    char *real = realpath(path.p, NULL);
    if (real)
        path = arena_str(arena, str_from(real));
    free(real);
    ret->log_bytes = file_bytes(arena, path, "-wal");
    ret->reserve_bytes = file_bytes(arena, path, ".ballast");
    if (statvfs(path.p, &fs) == 0) {
        ret->disk_bytes = (int64_t)(fs.f_blocks * fs.f_frsize);
        ret->disk_free = (int64_t)(fs.f_bavail * fs.f_frsize);
    }
}

enum err storage_read_size(
    struct db *db, struct arena *arena, struct storage *ret, struct fail *fail)
{
    *ret =
        (struct storage){.log_bytes = -1, .reserve_bytes = -1, .disk_bytes = -1, .disk_free = -1};
    if (db_kind(db) == DB_SQLITE)
        read_files(db, arena, ret);
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_SIZE));
    if (query_row(&q)) {
        ret->version = query_text(&q, 0, arena);
        ret->bytes = query_get_i64(&q, 1);
        ret->free_bytes = query_get_opt_i64(&q, 2, -1);
    }
    return query_end(&q, fail);
}

static int by_size(const void *a, const void *b)
{
    const struct storage_table *x = a, *y = b;
    int order = (x->bytes < y->bytes) - (x->bytes > y->bytes);
    order = order ? order : (x->rows < y->rows) - (x->rows > y->rows);
    return order ? order : str_cmp(x->name, y->name);
}

static enum err read_tables(
    struct db *db, struct arena *arena, struct storage *ret, struct fail *fail)
{
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_TABLE_SIZES));
    TRY(list_read_items(
        &q, arena, &ret->tables, &ret->table_count, fail,
        (struct storage_table){
            query_text(&q, 0, arena), query_get_i64(&q, 1), query_get_opt_i64(&q, 2, -1)}));
    if (ret->table_count)
        qsort(ret->tables, ret->table_count, sizeof *ret->tables, by_size);
    return OK;
}

enum err storage_read(struct db *db, struct arena *arena, struct storage *ret, struct fail *fail)
{
    TRY(storage_read_size(db, arena, ret, fail));
    return read_tables(db, arena, ret, fail);
}

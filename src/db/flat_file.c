/* SQLite files for others; see flat_file.h. */
#include "db/flat_file.h"

#include <sqlite3.h>

#include "db/sqlite_error.h"

static void note(struct flat_file *f, int code)
{
    if (!f->code && code != SQLITE_OK && code != SQLITE_DONE)
        f->code = code;
}

static void run(struct flat_file *f, const struct buf *sql)
{
    BUF_SCOPED(text, SIZE_MAX);
    buf_str(&text, buf_view(sql));
    buf_char(&text, '\0');
    if (!f->code)
        note(f, sqlite3_exec(f->handle, text.p, NULL, NULL, NULL));
}

static void run_text(struct flat_file *f, const char *sql)
{
    if (!f->code)
        note(f, sqlite3_exec(f->handle, sql, NULL, NULL, NULL));
}

void flat_open(struct flat_file *f, struct str path)
{
    *f = (struct flat_file){.path = path};
    note(f, sqlite3_open(path.p, &f->handle));
    sqlite3_extended_result_codes(f->handle, 1);
    run_text(
        f, "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
           "PRAGMA temp_store = MEMORY; BEGIN");
}

void flat_table(
    struct flat_file *f, struct str name, const struct flat_column *columns, size_t count,
    struct str key)
{
    BUF_SCOPED(table, SIZE_MAX);
    BUF_SCOPED(indexes, SIZE_MAX);
    BUF_SCOPED(insert, SIZE_MAX);
    sqlite3_finalize(f->insert);
    f->insert = NULL;
    buf_fmt(&table, "CREATE TABLE \"%.*s\" (", STR_ARG(name));
    buf_fmt(&insert, "INSERT INTO \"%.*s\" VALUES (", STR_ARG(name));
    for (size_t i = 0; i < count; i++) {
        const struct flat_column *c = &columns[i];
        buf_fmt(&table, "\"%.*s\" %s", STR_ARG(c->name), c->type);
        buf_text(&insert, i ? ", ?" : "?");
        if (!str_is_null(c->refers_to)) {
            buf_fmt(&table, " REFERENCES \"%.*s\" (id)", STR_ARG(c->refers_to));
            buf_fmt(
                &indexes, "CREATE INDEX \"%.*s_%.*s\" ON \"%.*s\" (\"%.*s\");", STR_ARG(name),
                STR_ARG(c->name), STR_ARG(name), STR_ARG(c->name));
        }
        buf_text(&table, ", ");
    }
    buf_fmt(&table, "PRIMARY KEY (%.*s))", STR_ARG(key));
    buf_text(&insert, ")");
    run(f, &table);
    run(f, &indexes);
    if (!f->code)
        note(f, sqlite3_prepare_v2(f->handle, insert.p, (int)insert.n, &f->insert, NULL));
}

void flat_row(struct flat_file *f, const struct str *values, size_t count)
{
    for (size_t i = 0; i < count && !f->code; i++)
        note(
            f, values[i].n
                   ? sqlite3_bind_text(f->insert, (int)i + 1, values[i].p, (int)values[i].n, NULL)
                   : sqlite3_bind_null(f->insert, (int)i + 1));
    if (f->code)
        return;
    note(f, sqlite3_step(f->insert));
    sqlite3_reset(f->insert);
}

void flat_search(struct flat_file *f, struct str table, struct str columns)
{
    BUF_SCOPED(sql, SIZE_MAX);
    buf_fmt(
        &sql,
        "CREATE VIRTUAL TABLE \"%.*s_fts\" USING fts5 (%.*s, content = \"%.*s\");"
        "INSERT INTO \"%.*s_fts\" (\"%.*s_fts\") VALUES ('rebuild')",
        STR_ARG(table), STR_ARG(columns), STR_ARG(table), STR_ARG(table), STR_ARG(table));
    run(f, &sql);
}

enum err flat_close(struct flat_file *f, struct fail *fail)
{
    sqlite3_finalize(f->insert);
    run_text(f, "COMMIT");
    enum err err = f->code ? sqlite_error(f->handle, f->code, f->path, fail) : OK;
    sqlite3_close(f->handle);
    return err;
}

/* The tables of a database; see copy_schema.h. */
#include "store/copy/copy_schema.h"

#include "base/search.h"
#include "db/dialect.h"
#include "store/row/list.h"

enum { TEXT_SIZE_MAX = 8192 };

/* As SQLite and PostgreSQL call them. */
static const struct str type_names[COPY_TYPE_COUNT][2] = {
    [COPY_INT] = {STR_INIT("integer"), STR_INIT("bigint")},
    [COPY_TEXT] = {STR_INIT("text"), STR_INIT("text")},
    [COPY_BYTES] = {STR_INIT("blob"), STR_INIT("bytea")},
};

bool copy_schema_leaves_out(struct str table)
{
    static const struct str names[] = {
        STR_INIT("migration"),   STR_INIT("node"),       STR_INIT("copy_mark"),
        STR_INIT("copy_change"), STR_INIT("copy_later"),
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(names[i], table))
            return true;
    return false;
}

/* Reading */

static enum err type_of(
    struct db *db, struct str table, const struct copy_column *column, struct str name,
    enum copy_type *ret, struct fail *fail)
{
    for (int t = 0; t < COPY_TYPE_COUNT; t++) {
        if (str_eq(name, type_names[t][db_kind(db) == DB_POSTGRESQL])) {
            *ret = (enum copy_type)t;
            return OK;
        }
    }
    return fail_set(
        fail, ERR_CORRUPT, "%.*s: column %.*s of table %.*s has the type %.*s, which is unknown",
        STR_ARG(db_name(db)), STR_ARG(column->name), STR_ARG(table), STR_ARG(name));
}

struct schema_reader {
    struct db *db;
    struct arena *arena;
    struct list tables;  /* struct copy_table */
    struct list columns; /* struct copy_column, of the last table */
};

static struct copy_table *last_table(struct schema_reader *r)
{
    struct copy_table *tables = (void *)r->tables.items;
    return r->tables.count ? &tables[r->tables.count - 1] : NULL;
}

static void end_table(struct schema_reader *r)
{
    struct copy_table *table = last_table(r);
    if (!table)
        return;
    table->column_count = r->columns.count;
    table->columns = list_keep(&r->columns, r->arena);
    list_init(&r->columns, sizeof(struct copy_column));
}

static enum err read_column(
    struct schema_reader *r, const struct query *q, struct str table, struct fail *fail)
{
    struct copy_table *last = last_table(r);
    if (!last || !str_eq(last->name, table)) {
        end_table(r);
        last = list_add(&r->tables);
        *last = (struct copy_table){.name = arena_str(r->arena, table)};
    }
    struct copy_column *column = list_add(&r->columns);
    *column = (struct copy_column){
        .name = query_text(q, 1, r->arena),
        .key = (int)query_get_i64(q, 3),
    };
    if (column->key > COPY_KEY_MAX)
        return fail_set(fail, ERR_CORRUPT, "the key of table %.*s is too long", STR_ARG(table));
    if (column->key) {
        last->key[column->key - 1] = r->columns.count - 1;
        last->key_count++;
    }
    return type_of(r->db, table, column, query_get_str(q, 2), &column->type, fail);
}

/* Texts */

static const char *kept(struct arena *arena, struct buf *text)
{
    const char *p = arena_str(arena, buf_view(text)).p;
    buf_finish(text);
    return p;
}

static void put_names(struct buf *text, const struct copy_table *table)
{
    for (size_t i = 0; i < table->column_count; i++)
        buf_fmt(text, "%s\"%.*s\"", i ? ", " : "", STR_ARG(table->columns[i].name));
}

/* "a", "b": the key, each with `after` behind it. */
static void put_key(struct buf *text, const struct copy_table *table, const char *after)
{
    for (size_t i = 0; i < table->key_count; i++)
        buf_fmt(
            text, "%s\"%.*s\"%s", i ? ", " : "", STR_ARG(table->columns[table->key[i]].name),
            after);
}

static void put_parameters(struct buf *text, size_t count)
{
    for (size_t i = 1; i <= count; i++)
        buf_fmt(text, "%s$%zu", i > 1 ? ", " : "", i);
}

static void put_where_key(struct buf *text, const struct copy_table *table)
{
    buf_text(text, " WHERE (");
    put_key(text, table, "");
    buf_text(text, ") = (");
    put_parameters(text, table->key_count);
    buf_char(text, ')');
}

static void begin_select(struct buf *text, const struct copy_table *table)
{
    buf_init(text, TEXT_SIZE_MAX);
    buf_text(text, "SELECT ");
    put_names(text, table);
    buf_fmt(text, " FROM \"%.*s\"", STR_ARG(table->name));
}

static void end_page(struct buf *text, const struct copy_table *table, size_t parameter)
{
    buf_text(text, " ORDER BY ");
    put_key(text, table, "");
    buf_fmt(text, " LIMIT $%zu", parameter);
}

static void write_texts(struct copy_table *table, struct arena *arena)
{
    struct buf b;
    begin_select(&b, table);
    end_page(&b, table, 1);
    table->first = kept(arena, &b);

    begin_select(&b, table);
    buf_text(&b, " WHERE (");
    put_key(&b, table, "");
    buf_text(&b, ") > (");
    put_parameters(&b, table->key_count);
    buf_char(&b, ')');
    end_page(&b, table, table->key_count + 1);
    table->next = kept(arena, &b);

    begin_select(&b, table);
    buf_text(&b, " ORDER BY ");
    put_key(&b, table, " DESC");
    buf_text(&b, " LIMIT 1");
    table->last = kept(arena, &b);

    begin_select(&b, table);
    put_where_key(&b, table);
    table->one = kept(arena, &b);

    buf_init(&b, TEXT_SIZE_MAX);
    buf_fmt(&b, "SELECT count(*) FROM \"%.*s\"", STR_ARG(table->name));
    table->count = kept(arena, &b);

    buf_init(&b, TEXT_SIZE_MAX);
    buf_fmt(&b, "DELETE FROM \"%.*s\"", STR_ARG(table->name));
    put_where_key(&b, table);
    table->remove = kept(arena, &b);

    buf_init(&b, TEXT_SIZE_MAX);
    buf_fmt(&b, "INSERT INTO \"%.*s\" (", STR_ARG(table->name));
    put_names(&b, table);
    buf_text(&b, ") VALUES (");
    put_parameters(&b, table->column_count);
    buf_char(&b, ')');
    table->insert.insert = kept(arena, &b);

    buf_init(&b, TEXT_SIZE_MAX);
    buf_fmt(&b, "COPY \"%.*s\" (", STR_ARG(table->name));
    put_names(&b, table);
    buf_text(&b, ") FROM STDIN (FORMAT binary)");
    table->insert.copy = kept(arena, &b);
    table->insert.columns = (int)table->column_count;
}

static enum err finish_table(struct copy_table *table, struct arena *arena, struct fail *fail)
{
    if (table->key_count == 0)
        return fail_set(fail, ERR_CORRUPT, "table %.*s has no primary key", STR_ARG(table->name));
    if (table->column_count > DB_PARAMETERS_MAX)
        return fail_set(fail, ERR_CORRUPT, "table %.*s has too many columns", STR_ARG(table->name));
    write_texts(table, arena);
    return OK;
}

enum err copy_schema_read(
    struct db *db, struct arena *arena, struct copy_schema *ret, struct fail *fail)
{
    struct schema_reader r = {.db = db, .arena = arena};
    enum err err = OK;
    list_init(&r.tables, sizeof(struct copy_table));
    list_init(&r.columns, sizeof(struct copy_column));
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_COLUMNS));
    while (query_row(&q)) {
        struct str table = query_get_str(&q, 0);
        if (!err && !copy_schema_leaves_out(table))
            err = read_column(&r, &q, table, fail);
    }
    enum err end = query_end(&q, err ? NULL : fail);
    err = err ? err : end;
    end_table(&r);
    ret->count = r.tables.count;
    ret->tables = list_keep(&r.tables, arena);
    list_finish(&r.tables);
    list_finish(&r.columns);
    for (size_t i = 0; !err && i < ret->count; i++)
        err = finish_table(&ret->tables[i], arena, fail);
    return err;
}

/* Comparing */

static bool same_columns(const struct copy_table *a, const struct copy_table *b)
{
    if (a->column_count != b->column_count)
        return false;
    for (size_t i = 0; i < a->column_count; i++) {
        const struct copy_column *x = &a->columns[i], *y = &b->columns[i];
        if (!str_eq(x->name, y->name) || x->type != y->type || x->key != y->key)
            return false;
    }
    return true;
}

enum err copy_schema_compare(
    const struct copy_schema *a, const struct copy_schema *b, struct fail *fail)
{
    for (size_t i = 0; i < a->count || i < b->count; i++) {
        if (i == a->count || i == b->count || !str_eq(a->tables[i].name, b->tables[i].name))
            return fail_set(
                fail, ERR_REFUSED, "only one of the databases has the table %.*s",
                STR_ARG((i < a->count ? a : b)->tables[i].name));
        if (!same_columns(&a->tables[i], &b->tables[i]))
            return fail_set(
                fail, ERR_REFUSED, "table %.*s has different columns in the two databases",
                STR_ARG(a->tables[i].name));
    }
    return OK;
}

const struct copy_table *copy_schema_find(const struct copy_schema *schema, struct str name)
{
    size_t at = FIRST_NOT(i, schema->count, str_cmp(schema->tables[i].name, name) < 0);
    return at < schema->count && str_eq(schema->tables[at].name, name) ? &schema->tables[at] : NULL;
}

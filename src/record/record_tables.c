/* The tables of a snapshot; see record_tables.h. */
#include "record/record_tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/csv_in.h"
#include "base/json_in.h"
#include "db/flat_file.h"
#include "record/datapackage.h"
#include "record/record_rows.h"

enum { COLUMNS_MAX = CSV_FIELDS_MAX, YEAR_FIRST = 1990, YEARS = 128 };

/* One table while it is filled. */
struct table_fill {
    struct flat_file *file;
    struct flat_column columns[COLUMNS_MAX];
    size_t count;
    /* Rows by year, and those of them that have the column. */
    size_t dated; /* the column that says the year; `count`: none does */
    int64_t rows[YEARS], known[YEARS][COLUMNS_MAX];
};

static const char *sqlite_type(struct str type)
{
    static const struct {
        struct str name;
        const char *is;
    } types[] = {
        {STR_INIT("integer"), "INTEGER"},
        {STR_INIT("boolean"), "INTEGER"},
        {STR_INIT("number"), "REAL"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq(type, types[i].name))
            return types[i].is;
    return "TEXT";
}

static struct str member(const json_t *object, const char *key)
{
    return str_from(json_string_value(json_object_get(object, key)));
}

/* The table that the column refers to; null: none. */
static struct str target_of(const json_t *schema, struct str column)
{
    const json_t *keys = json_object_get(schema, "foreignKeys");
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const json_t *key = json_array_get(keys, i);
        if (str_eq(member(key, "fields"), column))
            return member(json_object_get(key, "reference"), "resource");
    }
    return STR_NULL;
}

static bool is_required(const json_t *field)
{
    return json_is_true(json_object_get(json_object_get(field, "constraints"), "required"));
}

static struct str table_name(struct str resource)
{
    return str_ends(resource, STR("-csv")) ? str_slice(resource, 0, resource.n - 4) : resource;
}

static void add_table(struct table_fill *t, const json_t *resource)
{
    BUF_SCOPED(names, SIZE_MAX);
    const json_t *schema = json_object_get(resource, "schema");
    const json_t *fields = json_object_get(schema, "fields");
    const json_t *key = json_object_get(schema, "primaryKey");
    t->dated = json_array_size(fields);
    for (size_t i = 0; i < json_array_size(fields) && i < COLUMNS_MAX; i++) {
        const json_t *field = json_array_get(fields, i);
        struct str name = member(field, "name"), type = member(field, "type");
        if (t->dated > i && str_starts(type, STR("date")) && is_required(field))
            t->dated = i;
        t->columns[t->count++] =
            (struct flat_column){name, sqlite_type(type), table_name(target_of(schema, name))};
    }
    for (size_t i = 0; i < json_array_size(key); i++)
        buf_fmt(&names, "%s\"%s\"", i ? ", " : "", json_string_value(json_array_get(key, i)));
    flat_table(
        t->file, table_name(member(resource, "name")), t->columns, t->count, buf_view(&names));
}

/* As text: truths as 1 and 0, lists and objects as JSON. */
static struct str value_text(const json_t *value, struct arena *arena)
{
    if (json_is_string(value))
        return str_from(json_string_value(value));
    if (json_is_boolean(value))
        return json_is_true(value) ? STR("1") : STR("0");
    if (!value || json_is_null(value))
        return STR_NULL;
    MEM_FREED char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    return arena_str(arena, str_from(text));
}

static void add_row(struct table_fill *t, const struct str *values)
{
    int64_t year = 0;
    if (t->dated < t->count && values[t->dated].n > 4)
        (void)str_to_i64(str_slice(values[t->dated], 0, 4), &year);
    size_t of = year > YEAR_FIRST && year < YEAR_FIRST + YEARS ? (size_t)(year - YEAR_FIRST) : 0;
    t->rows[of]++;
    for (size_t i = 0; i < t->count; i++)
        t->known[of][i] += values[i].n > 0;
    flat_row(t->file, values, t->count);
}

/* How many rows of each year have a column that may be empty. */
static void put_completeness(const struct table_fill *t, const json_t *resource)
{
    const json_t *fields = json_object_get(json_object_get(resource, "schema"), "fields");
    for (size_t i = 0; i < t->count; i++) {
        json_t *field = json_array_get(fields, i), *years = json_array();
        for (int of = 0; of < YEARS; of++) {
            if (!t->rows[of])
                continue;
            json_t *year = json_object();
            json_object_set_new(year, "year", of ? json_integer(YEAR_FIRST + of) : json_null());
            json_object_set_new(year, "known", json_integer(t->known[of][i]));
            json_object_set_new(year, "notKnown", json_integer(t->rows[of] - t->known[of][i]));
            json_array_append_new(years, year);
        }
        if (is_required(field))
            json_decref(years);
        else
            json_object_set_new(field, "completeness", years);
    }
}

static enum err add_json(struct table_fill *t, struct str line, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str values[COLUMNS_MAX];
    SCOPED(json_in_close) struct json_in j = {.root = NULL};
    TRY(json_in_open_object(&j, STR("a row"), line, fail));
    for (size_t i = 0; i < t->count; i++)
        values[i] = value_text(json_object_get(j.root, t->columns[i].name.p), &arena);
    add_row(t, values);
    return OK;
}

static enum err add_csv(struct table_fill *t, struct str record, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct csv_in c;
    csv_in_init(&c, record, &arena);
    if (!csv_in_next(&c) || (size_t)c.count != t->count)
        return fail_set(fail, ERR_CORRUPT, "a row of the table is not whole");
    add_row(t, c.field);
    return OK;
}

/* Whether a value goes on in the next line. */
static bool is_open(struct str text)
{
    size_t quotes = 0;
    for (size_t i = 0; i < text.n; i++)
        quotes += text.p[i] == '"';
    return quotes % 2;
}

static enum err add_rows(struct table_fill *t, struct str path, bool csv, struct fail *fail)
{
    BUF_SCOPED(record, SIZE_MAX);
    SCOPED(record_lines_close) struct record_lines l;
    struct str line;
    bool header = csv;
    enum err err = OK;
    record_lines_open(&l, path);
    while (!err && !t->file->code && record_lines_next(&l, &line)) {
        buf_str(&record, line);
        buf_char(&record, '\n');
        if (csv && is_open(buf_view(&record)))
            continue;
        if (!header)
            err = (csv ? add_csv : add_json)(t, buf_view(&record), fail);
        header = false;
        buf_reset(&record);
    }
    return err;
}

/* Of trades the flat form; changes are not rows of the record. */
static bool is_table(const json_t *resource)
{
    const json_t *key = json_object_get(json_object_get(resource, "schema"), "primaryKey");
    return json_array_size(key) && !str_eq(member(resource, "name"), STR("trades"));
}

static void put_about(struct buf *b, const json_t *resources)
{
    static const char *const facets[] = {
        "chamber", "party", "side", "late_status", "conflict_grade"};
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "title", STR("Stock trades that members of the U.S. Congress disclosed"));
    JSON_KEY_OBJECT(&j, "databases");
    JSON_KEY_OBJECT(&j, "stockact");
    JSON_KEY_OBJECT(&j, "tables");
    for (size_t i = 0; i < json_array_size(resources); i++) {
        const json_t *resource = json_array_get(resources, i);
        const json_t *fields = json_object_get(json_object_get(resource, "schema"), "fields");
        struct str name = table_name(member(resource, "name"));
        if (!is_table(resource))
            continue;
        json_key(&j, name);
        json_object_begin(&j);
        if (str_eq(name, STR("trades"))) {
            JSON_KEY_STR(&j, "sort_desc", STR("disclosed_at"));
            JSON_KEY_ARRAY(&j, "facets");
            for (size_t k = 0; k < sizeof facets / sizeof *facets; k++)
                json_str(&j, str_from(facets[k]));
            json_array_end(&j);
        }
        JSON_KEY_OBJECT(&j, "columns");
        for (size_t k = 0; k < json_array_size(fields); k++) {
            json_key(&j, member(json_array_get(fields, k), "name"));
            json_str(&j, member(json_array_get(fields, k), "description"));
        }
        json_object_end(&j);
        json_object_end(&j);
    }
    json_object_end(&j);
    json_object_end(&j);
    json_object_end(&j);
    json_object_end(&j);
    buf_char(b, '\n');
}

/* Full text over what people look for. */
static void add_search(struct flat_file *f)
{
    flat_search(
        f, STR("trades"), STR("politician_name, asset_name, ticker, description, conflict_reason"));
}

static enum err fill(
    struct flat_file *f, struct str folder, const json_t *resources, struct fail *fail)
{
    for (size_t i = 0; i < json_array_size(resources); i++) {
        ARENA_SCOPED(arena);
        const json_t *resource = json_array_get(resources, i);
        struct str file = member(resource, "path");
        struct table_fill t = {.file = f};
        if (!is_table(resource))
            continue;
        add_table(&t, resource);
        TRY(add_rows(
            &t, arena_fmt(&arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(file)),
            str_eq(member(resource, "format"), STR("csv")), fail));
        put_completeness(&t, resource);
    }
    add_search(f);
    return OK;
}

enum err record_tables_write(
    struct str folder, struct buf *package, struct arena *arena, struct fail *fail)
{
    BUF_SCOPED(about, SIZE_MAX);
    struct str path = arena_fmt(arena, "%.*s/" RECORD_TABLES_NAME, STR_ARG(folder));
    struct flat_file f;
    struct json_in j;
    struct fail why;
    TRY(json_in_open_object(&j, STR("datapackage.json"), buf_view(package), fail));
    const json_t *resources = json_object_get(j.root, "resources");
    flat_open(&f, path);
    enum err filled = fill(&f, folder, resources, &why);
    enum err err = flat_close(&f, fail);
    if (filled && !err)
        err = fail_set(fail, filled, "%s", why.text);
    put_about(&about, resources);
    char *counted = json_dumps(j.root, JSON_COMPACT);
    buf_reset(package);
    buf_fmt(package, "%s\n", counted);
    free(counted);
    json_in_close(&j);
    TRY(err);
    TRY(record_file_flush(path.p, fail));
    return record_file_write(
        arena_fmt(arena, "%.*s/" RECORD_TABLES_ABOUT, STR_ARG(folder)).p, buf_view(&about), fail);
}

/* --- trades alone */

static void add_column(void *ctx, const struct shape_field *field, bool required)
{
    struct table_fill *t = ctx;
    t->columns[t->count++] =
        (struct flat_column){field->csv, sqlite_type(datapackage_type(field->kind)), STR_NULL};
}

/* The first rows are the header, which begins the table. */
static int take(void *ctx, struct str rows)
{
    ARENA_SCOPED(arena);
    struct table_fill *t = ctx;
    struct csv_in c;
    csv_in_init(&c, rows, &arena);
    if (!t->count && csv_in_next(&c)) {
        record_csv_each(add_column, t);
        flat_table(t->file, STR("trades"), t->columns, t->count, STR("id"));
    }
    while (csv_in_next(&c))
        flat_row(t->file, c.field, t->count);
    return t->file->code ? EIO : 0; /* flat_close says why */
}

enum err record_tables_export(
    struct str path, const struct record_from *from, int64_t *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct flat_file f;
    struct table_fill t = {.file = &f};
    struct record_file rows = {.take = take, .ctx = &t};
    struct fail why;
    if (access(path.p, F_OK) == 0)
        return fail_set(fail, ERR_EXISTS, "\"%.*s\" is there already", STR_ARG(path));
    struct str fresh = arena_fmt(&arena, "%.*s.new", STR_ARG(path));
    (void)unlink(fresh.p); /* of a killed run */
    flat_open(&f, fresh);
    enum err read = record_parts[0].put(&rows, from, &why);
    add_search(&f);
    enum err err = flat_close(&f, fail);
    if (read && !err)
        err = fail_set(fail, read, "%s", why.text);
    if (!err)
        err = record_file_flush(fresh.p, fail);
    if (!err && rename(fresh.p, path.p) != 0)
        err = fail_set(fail, ERR_IO, "cannot rename \"%.*s\"", STR_ARG(fresh));
    if (err)
        (void)unlink(fresh.p);
    *ret = rows.rows;
    return err;
}

/* jansson values; see json_value.h. */
#include "mcp/json_value.h"

static int put_dumped(const char *text, size_t n, void *ctx)
{
    buf_put(ctx, text, n);
    return 0;
}

void json_put(struct buf *b, const json_t *value)
{
    json_dump_callback(value, put_dumped, b, JSON_ENCODE_ANY | JSON_COMPACT);
}

/* --- tables */

enum { COLUMNS_MAX = 96 };

struct table_column {
    const char *outer, *name; /* outer: the member that is an object; NULL: the row itself */
};

static const json_t *cell_of(const json_t *row, const struct table_column *column)
{
    return json_object_get(column->outer ? json_object_get(row, column->outer) : row, column->name);
}

static void add_column(struct table_column *columns, size_t *count, struct table_column new)
{
    for (size_t i = 0; i < *count; i++)
        if (columns[i].outer == new.outer
                ? strcmp(columns[i].name, new.name) == 0
                : columns[i].outer &&new.outer && strcmp(columns[i].outer, new.outer) == 0 &&
                      strcmp(columns[i].name, new.name) == 0)
            return;
    if (*count < COLUMNS_MAX)
        columns[(*count)++] = new;
}

static void add_columns(struct table_column *columns, size_t *count, json_t *row)
{
    const char *name, *inner;
    json_t *value, *part;
    json_object_foreach(row, name, value)
    {
        if (json_is_object(value)) {
            json_object_foreach(value, inner, part) if (!json_is_null(part))
                add_column(columns, count, (struct table_column){name, inner});
        } else if (!json_is_null(value)) {
            add_column(columns, count, (struct table_column){NULL, name});
        }
    }
}

/* Texts as they are, on one line; anything else as JSON. */
static void put_cell(struct buf *b, const json_t *value)
{
    struct str text = json_text(value);
    if (json_is_string(value))
        for (size_t i = 0; i < text.n; i++)
            buf_char(b, text.p[i] == '|' || (unsigned char)text.p[i] < ' ' ? ' ' : text.p[i]);
    else if (value && !json_is_null(value))
        json_put(b, value);
}

void json_put_table(struct buf *b, const json_t *result)
{
    struct table_column columns[COLUMNS_MAX];
    json_t *data = json_object_get(result, "data"), *row, *value;
    const char *name;
    size_t count = 0, i;
    json_array_foreach(data, i, row)
    {
        add_columns(columns, &count, row);
    }
    for (size_t k = 0; k < count; k++)
        buf_fmt(
            b, "%s%s%s%s", k ? "|" : "", columns[k].outer ? columns[k].outer : "",
            columns[k].outer ? "." : "", columns[k].name);
    buf_text(b, count ? "\n" : "No rows.\n");
    json_array_foreach(data, i, row)
    {
        for (size_t k = 0; k < count; k++) {
            if (k)
                buf_char(b, '|');
            put_cell(b, cell_of(row, &columns[k]));
        }
        buf_char(b, '\n');
    }
    json_object_foreach((json_t *)(uintptr_t)result, name, value)
    {
        if (value == data)
            continue;
        buf_fmt(b, "%s: ", name);
        put_cell(b, value);
        buf_text(b, json_is_null(value) ? "null\n" : "\n");
    }
}

/*
 * Reads the SEC's JSON of companies with their exchanges: {"fields": [column names], "data":
 * [[cells in that order], ...]}.
 */
#include <jansson.h>

#include "base/utf8.h"
#include "conflict/tickers_read.h"

struct shape {
    size_t width;
    size_t symbol, name; /* the positions of these fields */
};

static struct str text_of(const json_t *value)
{
    return json_is_string(value)
               ? str_trim(str_of(json_string_value(value), json_string_length(value)))
               : STR_NULL;
}

/* The position of the only field of that name. */
static bool find_field(const json_t *fields, struct str name, size_t *ret)
{
    size_t found = 0;
    for (size_t i = 0; i < json_array_size(fields); i++)
        if (str_eq(text_of(json_array_get(fields, i)), name)) {
            *ret = i;
            found++;
        }
    return found == 1;
}

static enum err read_rows(
    struct tickers_read *r, const struct import_file *file, const json_t *rows,
    const struct shape *shape, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < json_array_size(rows) && !err; i++) {
        const json_t *row = json_array_get(rows, i);
        if (!json_is_array(row) || json_array_size(row) != shape->width)
            return fail_set(
                fail, ERR_INVALID, "%.*s: data %zu: not an array of %zu cells", STR_ARG(file->name),
                i + 1, shape->width);
        const struct tickers_line line = {
            .symbol = text_of(json_array_get(row, shape->symbol)),
            .name = text_of(json_array_get(row, shape->name)),
        };
        err = tickers_read_line(r, file, TICKERS_SEC, &line, i + 1, fail);
    }
    return err;
}

enum err tickers_read_sec(struct tickers_read *r, const struct import_file *file, struct fail *fail)
{
    json_error_t error;
    struct shape shape;
    struct str text = utf8_without_mark(file->text);
    json_t *root = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return fail_set(
            fail, ERR_INVALID, "%.*s: line %d: not JSON: %s", STR_ARG(file->name), error.line,
            error.text);
    const json_t *fields = json_object_get(root, "fields"), *rows = json_object_get(root, "data");
    shape.width = json_array_size(fields);
    enum err err;
    if (!json_is_array(rows) || !find_field(fields, STR("ticker"), &shape.symbol) ||
        !find_field(fields, STR("name"), &shape.name))
        err = fail_set(
            fail, ERR_INVALID,
            "%.*s: not the SEC's list (\"fields\" with \"ticker\" and \"name\", and \"data\")",
            STR_ARG(file->name));
    else
        err = tickers_read_begin(r, file, TICKERS_SEC, fail);
    if (!err)
        err = read_rows(r, file, rows, &shape, fail);
    json_decref(root);
    return err;
}

/* The CSV reader; see csv_in.h. */
#include "base/csv_in.h"

#include <utf8proc.h>

#include "base/utf8.h"

static bool csv_fail(struct csv_in *c, const char *error)
{
    c->error = error;
    return false;
}

void csv_in_init(struct csv_in *c, struct str text, struct arena *arena)
{
    *c =
        (struct csv_in){.rest = utf8_without_mark(text), .arena = arena, .line = 1, .next_line = 1};
}

static char at(const struct csv_in *c, size_t i)
{
    return i < c->rest.n ? c->rest.p[i] : '\0';
}

/* The length of the record end at i; 0: the record continues. */
static size_t line_end(const struct csv_in *c, size_t i)
{
    if (at(c, i) == '\n')
        return 1;
    return at(c, i) == '\r' && at(c, i + 1) == '\n' ? 2 : 0;
}

/* The quoted field that opens at 0; sets *ret_end just after the closing quote. */
static bool quoted_field(struct csv_in *c, struct str *ret, size_t *ret_end)
{
    size_t i = 1, doubled = 0;
    for (;; i++) {
        if (i >= c->rest.n)
            return csv_fail(c, "a quoted field does not end");
        if (c->rest.p[i] == '\n')
            c->next_line++;
        if (c->rest.p[i] != '"')
            continue;
        if (at(c, i + 1) != '"' || i + 1 >= c->rest.n)
            break;
        doubled++;
        i++;
    }
    *ret = str_slice(c->rest, 1, i);
    *ret_end = i + 1;
    if (doubled == 0)
        return true;
    char *copy = arena_alloc(c->arena, ret->n), *to = copy;
    for (size_t k = 0; k < ret->n; k++) {
        *to++ = ret->p[k];
        if (ret->p[k] == '"')
            k++;
    }
    *ret = str_of(copy, (size_t)(to - copy));
    return true;
}

static bool plain_field(struct csv_in *c, struct str *ret, size_t *ret_end)
{
    size_t i = 0;
    while (i < c->rest.n && c->rest.p[i] != ',' && !line_end(c, i)) {
        if (c->rest.p[i] == '"')
            return csv_fail(c, "a quotation mark inside a field without quotes");
        if (c->rest.p[i] == '\r')
            return csv_fail(c, "a carriage return inside a line");
        i++;
    }
    *ret = str_slice(c->rest, 0, i);
    *ret_end = i;
    return true;
}

static bool utf8_valid(struct str s)
{
    for (size_t i = 0; i < s.n;) {
        utf8proc_int32_t c;
        utf8proc_ssize_t size =
            utf8proc_iterate((const utf8proc_uint8_t *)s.p + i, (utf8proc_ssize_t)(s.n - i), &c);
        if (size <= 0 || c == 0)
            return false;
        i += (size_t)size;
    }
    return true;
}

static bool record(struct csv_in *c)
{
    for (c->count = 0;;) {
        struct str field;
        size_t end;
        if (c->count == CSV_FIELDS_MAX)
            return csv_fail(c, "too many fields");
        if (!(at(c, 0) == '"' ? quoted_field(c, &field, &end) : plain_field(c, &field, &end)))
            return false;
        if (field.n > CSV_FIELD_SIZE_MAX)
            return csv_fail(c, "a field is too long");
        if (!utf8_valid(field))
            return csv_fail(c, "not UTF-8 text");
        c->field[c->count++] = field;
        c->rest = str_slice(c->rest, end, c->rest.n);
        if (c->rest.n == 0)
            return true;
        size_t eol = line_end(c, 0);
        if (eol) {
            c->rest = str_slice(c->rest, eol, c->rest.n);
            c->next_line++;
            return true;
        }
        if (c->rest.p[0] != ',')
            return csv_fail(c, "something follows a closing quotation mark");
        c->rest = str_slice(c->rest, 1, c->rest.n);
    }
}

bool csv_in_next(struct csv_in *c)
{
    if (c->error)
        return false;
    for (size_t eol; (eol = line_end(c, 0)) != 0;) {
        c->rest = str_slice(c->rest, eol, c->rest.n);
        c->next_line++;
    }
    c->line = c->next_line;
    return c->rest.n > 0 && record(c);
}

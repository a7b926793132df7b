/* Reads multipart/form-data; see form.h. Browsers write it in one way (the HTML standard,
 * "multipart form data"), and nothing else is accepted: no text before the first part or after the
 * last one, no transfer encodings, no nested parts. */
#include "html/form_parts.h"

#include <string.h>

enum { LINES_MAX = 8 }; /* header lines of a part */

struct multipart {
    struct form *form;
    struct str delimiter; /* CRLF, two hyphens and the boundary */
    struct str rest;      /* of the body, from the end of a delimiter */
    size_t field_bytes;
    const char *const *lists;
    struct fail *fail;
};

/* What the head of a part says. */
struct part {
    struct str name, file_name; /* null: not said */
};

static enum err invalid(const struct multipart *m, const char *why)
{
    return fail_set(m->fail, ERR_INVALID, "the upload is not multipart/form-data: %s", why);
}

/* --- parameters: ; name=value, or ; name="value" */

/* A quote ends the value where the next parameter or the line's end follows: browsers write other
 * quotes as %22, and some programs as \". */
static ptrdiff_t quote_end(struct str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] != '"')
            continue;
        struct str after = str_trim(str_slice(s, i + 1, s.n));
        if (after.n == 0 || after.p[0] == ';')
            return (ptrdiff_t)i;
    }
    return -1;
}

/* Takes one parameter off *rest, which begins with its ';'. */
static bool take_parameter(struct str *rest, struct str *ret_name, struct str *ret_value)
{
    struct str s = str_trim(str_slice(*rest, 1, rest->n));
    ptrdiff_t equals = str_find_char(s, '=');
    if (rest->p[0] != ';' || equals <= 0)
        return false;
    *ret_name = str_slice(s, 0, (size_t)equals);
    s = str_slice(s, (size_t)equals + 1, s.n);
    if (s.n > 0 && s.p[0] == '"') {
        s = str_slice(s, 1, s.n);
        ptrdiff_t end = quote_end(s);
        if (end < 0)
            return false;
        *ret_value = str_slice(s, 0, (size_t)end);
        *rest = str_trim(str_slice(s, (size_t)end + 1, s.n));
        return true;
    }
    ptrdiff_t end = str_find_char(s, ';');
    size_t n = end < 0 ? s.n : (size_t)end;
    *ret_value = str_trim(str_slice(s, 0, n));
    *rest = str_slice(s, n, s.n);
    return true;
}

/* The value of a header before its parameters, which are left in *rest. */
static struct str take_first(struct str *rest)
{
    ptrdiff_t end = str_find_char(*rest, ';');
    size_t n = end < 0 ? rest->n : (size_t)end;
    struct str first = str_trim(str_slice(*rest, 0, n));
    *rest = str_slice(*rest, n, rest->n);
    return first;
}

/* --- the boundary */

static bool is_boundary_char(char c)
{
    return ascii_is_alpha(c) || ascii_is_digit(c) || (c && strchr("'()+_,-./:=?", c));
}

static bool is_boundary(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_boundary_char(s.p[i]))
            return false;
    return s.n > 0 && s.n <= FORM_BOUNDARY_MAX;
}

static enum err take_boundary(struct multipart *m, struct str content_type)
{
    struct str name, value, boundary = STR_NULL;
    if (!str_eq_nocase(take_first(&content_type), STR("multipart/form-data")))
        return invalid(m, "wrong Content-Type");
    while (content_type.n > 0) {
        if (!take_parameter(&content_type, &name, &value))
            return invalid(m, "its type has a parameter without a value");
        if (!str_eq_nocase(name, STR("boundary")))
            continue;
        if (!str_is_null(boundary))
            return invalid(m, "its type has two boundaries");
        boundary = value;
    }
    if (!is_boundary(boundary))
        return invalid(m, "its type has no valid boundary");
    m->delimiter = arena_fmt(m->form->arena, "\r\n--%.*s", STR_ARG(boundary));
    return OK;
}

/* --- the head of a part */

static enum err take_disposition(struct multipart *m, struct str value, struct part *part)
{
    struct str name, is;
    if (!str_is_null(part->name))
        return invalid(m, "a part has two dispositions");
    if (!str_eq_nocase(take_first(&value), STR("form-data")))
        return invalid(m, "a part is not form-data");
    while (value.n > 0) {
        if (!take_parameter(&value, &name, &is))
            return invalid(m, "a part has a parameter without a value");
        struct str *to = str_eq_nocase(name, STR("name"))       ? &part->name
                         : str_eq_nocase(name, STR("filename")) ? &part->file_name
                                                                : NULL;
        if (to && !str_is_null(*to))
            return invalid(m, "a part has two names");
        if (to)
            *to = is;
    }
    return str_is_null(part->name) ? invalid(m, "a part has no name") : OK;
}

static enum err take_line(struct multipart *m, struct str line, struct part *part)
{
    ptrdiff_t colon = str_find_char(line, ':');
    if (colon <= 0)
        return invalid(m, "invalid header line in a part");
    struct str name = str_slice(line, 0, (size_t)colon);
    struct str value = str_trim(str_slice(line, (size_t)colon + 1, line.n));
    if (str_eq_nocase(name, STR("content-disposition")))
        return take_disposition(m, value, part);
    if (str_eq_nocase(name, STR("content-transfer-encoding")) &&
        !str_eq_nocase(value, STR("binary")) && !str_eq_nocase(value, STR("8bit")) &&
        !str_eq_nocase(value, STR("7bit")))
        return invalid(m, "a part has a transfer encoding");
    return OK;
}

static enum err take_head(struct multipart *m, struct part *part)
{
    *part = (struct part){0};
    size_t left = FORM_PART_HEAD_MAX;
    for (int lines = 0; lines <= LINES_MAX; lines++) {
        ptrdiff_t end = str_find(str_slice(m->rest, 0, left), STR("\r\n"));
        if (end < 0)
            return m->rest.n > left
                       ? fail_set(m->fail, ERR_LIMIT, "the headers of a part are too long")
                       : invalid(m, "it ends within the head of a part");
        struct str line = str_slice(m->rest, 0, (size_t)end);
        m->rest = str_slice(m->rest, (size_t)end + 2, m->rest.n);
        left -= (size_t)end + 2;
        if (line.n == 0)
            return str_is_null(part->name) ? invalid(m, "a part has no disposition") : OK;
        enum err err = take_line(m, line, part);
        if (err)
            return err;
    }
    return fail_set(m->fail, ERR_LIMIT, "the upload has a part with too many headers");
}

/* --- parts */

static enum err add_file(struct multipart *m, struct str name, struct str bytes)
{
    struct form *form = m->form;
    if (name.n == 0 && bytes.n == 0)
        return OK;
    if (form->file_count == FORM_FILES_MAX)
        return fail_set(
            m->fail, ERR_LIMIT, "the upload has more than %d files: send them in several uploads",
            FORM_FILES_MAX);
    if (!form->files)
        form->files = ARENA_ARRAY(form->arena, struct form_file, FORM_FILES_MAX);
    form->files[form->file_count++] = (struct form_file){name, bytes};
    return OK;
}

static enum err add_field(struct multipart *m, struct str name, struct str value)
{
    m->field_bytes += name.n + value.n;
    if (m->field_bytes > FORM_SIZE_MAX)
        return fail_set(m->fail, ERR_LIMIT, "the form is larger than %d KiB", FORM_SIZE_MAX / 1024);
    return form_add(m->form, name, value, m->lists, m->fail);
}

static enum err take_part(struct multipart *m)
{
    struct part part;
    enum err err = take_head(m, &part);
    if (err)
        return err;
    /* An empty part has its head's last line end in front of its delimiter. */
    struct str from = str_of(m->rest.p - 2, m->rest.n + 2);
    ptrdiff_t end = str_find(from, m->delimiter);
    if (end < 0)
        return invalid(m, "it ends within a part");
    struct str bytes = end == 0 ? STR("") : str_slice(from, 2, (size_t)end);
    m->rest = str_slice(from, (size_t)end + m->delimiter.n, from.n);
    return str_is_null(part.file_name) ? add_field(m, part.name, bytes)
                                       : add_file(m, part.file_name, bytes);
}

/* What follows a delimiter: a part, or the end. */
static enum err take_rest(struct multipart *m)
{
    static const struct str end = STR_INIT("--"), next = STR_INIT("\r\n");
    for (size_t parts = 0; str_starts(m->rest, next); parts++) {
        if (parts == FORM_FIELDS_MAX + FORM_FILES_MAX)
            return fail_set(m->fail, ERR_LIMIT, "the upload has more than %zu parts", parts);
        m->rest = str_slice(m->rest, next.n, m->rest.n);
        enum err err = take_part(m);
        if (err)
            return err;
    }
    if (!str_starts(m->rest, end))
        return invalid(m, "unexpected bytes after a boundary");
    struct str after = str_slice(m->rest, end.n, m->rest.n);
    return after.n == 0 || str_eq(after, next)
               ? OK
               : invalid(m, "unexpected bytes after the last boundary");
}

enum err form_read_multipart(
    struct form *form, struct arena *arena, struct str content_type, struct str body,
    const char *const *lists, struct fail *fail)
{
    form_init(form, arena);
    struct multipart m = {.form = form, .lists = lists, .fail = fail};
    enum err err = take_boundary(&m, content_type);
    if (!err && !str_starts(body, str_slice(m.delimiter, 2, m.delimiter.n)))
        err = invalid(&m, "it does not begin with its boundary");
    if (!err) {
        m.rest = str_slice(body, m.delimiter.n - 2, body.n);
        err = take_rest(&m);
    }
    if (err)
        form_init(form, arena);
    return err;
}

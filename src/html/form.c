/* Reads urlencoded bodies, and values of forms; see form.h. */
#include "html/form.h"

#include <stdio.h>

#include "base/codec.h"
#include "base/json_in.h"
#include "base/utf8.h"

/* Faults of a form, and the form as part of a view. */

enum { FAULT_TEXT_MAX = 512 };

static const struct form_complaint *complaint_of(const struct form *form, struct str name)
{
    const struct form_complaint *complaint = form ? form->complaints : NULL;
    while (complaint && !str_eq(complaint->name, name))
        complaint = complaint->next;
    return complaint;
}

static void add_fault(struct form *form, const char *name, struct str text)
{
    if (name && complaint_of(form, str_from(name)))
        return;
    struct form_complaint *complaint = ARENA_NEW(form->arena, struct form_complaint);
    complaint->name = arena_str(form->arena, str_from(name));
    complaint->text = text;
    if (form->last_complaint)
        form->last_complaint->next = complaint;
    else
        form->complaints = complaint;
    form->last_complaint = complaint;
}

/* "the name is too long" becomes "The name is too long." */
static struct str sentence(struct arena *arena, struct str text)
{
    bool stopped = text.n > 0 && strchr(".!?", text.p[text.n - 1]);
    if (text.n == 0)
        return STR("This value is not valid.");
    return arena_fmt(
        arena, "%c%.*s%s", ascii_upper(text.p[0]), STR_ARG(str_slice(text, 1, text.n)),
        stopped ? "" : ".");
}

void form_fault(struct form *form, const char *name, const struct fail *fail)
{
    add_fault(form, name, sentence(form->arena, str_from(fail->text)));
}

void form_fault_text(struct form *form, const char *name, const char *format, ...)
{
    char text[FAULT_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_fault(form, name, arena_str(form->arena, str_from(text)));
}

bool form_is_faulty(const struct form *form)
{
    return form->complaints;
}

/* fields.NAME, with its name and its fault. */
static struct view *field(struct view *view, const struct form *form, const char *name)
{
    struct view *fields = view_member(view, "fields");
    if (!fields)
        fields = view_object(view, "fields");
    struct view *field = view_object(fields, name);
    const struct form_complaint *complaint = complaint_of(form, str_from(name));
    view_text(field, "name", name);
    view_str(field, "error", complaint ? complaint->text : STR_NULL);
    return field;
}

void form_show(struct view *view, const struct form *form, const char *name, struct str initial)
{
    view_typed(field(view, form, name), "value", form ? form_value(form, name) : initial);
}

void form_show_secret(struct view *view, const struct form *form, const char *name)
{
    view_null(field(view, form, name), "value");
}

void form_show_check(struct view *view, const struct form *form, const char *name, bool initial)
{
    view_bool(field(view, form, name), "checked", form ? form_checked(form, name) : initial);
}

static struct view *add_option(struct view *options, const struct form_option *option)
{
    struct view *item = view_item(options);
    view_str(item, "value", option->value);
    view_str(item, "label", option->label);
    return item;
}

void form_show_choice(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count)
{
    struct view *to = field(view, form, name);
    struct str value = form ? form_value(form, name) : initial;
    view_typed(to, "value", value);
    struct view *list = view_list(to, "options");
    for (size_t i = 0; i < count; i++)
        view_bool(add_option(list, &options[i]), "selected", str_eq(options[i].value, value));
}

static bool is_word_of(struct str words, struct str value)
{
    struct str word;
    while (str_next_word(&words, &word))
        if (str_eq(word, value))
            return true;
    return false;
}

void form_show_choices(
    struct view *view, const struct form *form, const char *name, struct str initial,
    const struct form_option *options, size_t count)
{
    struct view *list = view_list(field(view, form, name), "options");
    for (size_t i = 0; i < count; i++) {
        bool selected =
            form ? form_has(form, name, options[i].value) : is_word_of(initial, options[i].value);
        view_bool(add_option(list, &options[i]), "selected", selected);
    }
}

void form_show_faults(struct view *view, const struct form *form)
{
    view_bool(view, "hasFaults", form && form_is_faulty(form));
    struct view *faults = view_list(view, "faults");
    for (const struct form_complaint *complaint = form ? form->complaints : NULL; complaint;
         complaint = complaint->next) {
        struct view *item = view_item(faults);
        view_str(item, "name", complaint->name);
        view_str(item, "error", complaint->text);
    }
}

void form_init(struct form *form, struct arena *arena)
{
    *form = (struct form){.arena = arena};
}

static bool is_listed(const char *const *names, struct str name)
{
    for (; names && *names; names++)
        if (str_eq(str_from(*names), name))
            return true;
    return false;
}

struct str form_value(const struct form *form, const char *name)
{
    size_t at = 0;
    return form_next(form, name, &at);
}

static bool form_may_repeat(const char *const *lists, struct str name)
{
    return is_listed(lists, name);
}

/* Adds a pair, whose texts are in the arena. ERR_INVALID, ERR_LIMIT: it may not be in a form. */
static enum err form_add(
    struct form *form, struct str name, struct str value, const char *const *lists,
    struct fail *fail)
{
    const struct str both[] = {name, value};
    if (name.n == 0)
        return fail_set(fail, ERR_INVALID, "the form has a field without a name");
    if (name.n > FORM_NAME_MAX)
        return fail_set(
            fail, ERR_LIMIT, "the form has a field with a name of more than %d bytes",
            FORM_NAME_MAX);
    for (size_t i = 0; i < sizeof both / sizeof *both; i++) {
        if (!utf8_is_valid(both[i]))
            return fail_set(fail, ERR_INVALID, "the form is not UTF-8");
        if (str_find_char(both[i], '\0') >= 0)
            return fail_set(fail, ERR_INVALID, "the form has a NUL character");
    }
    if (!is_listed(lists, name))
        for (size_t i = 0; i < form->count; i++)
            if (str_eq(form->pairs[i].name, name))
                return fail_set(
                    fail, ERR_INVALID, "the form has the field \"%.*s\" twice", STR_ARG(name));
    if (form->count == FORM_FIELDS_MAX)
        return fail_set(fail, ERR_LIMIT, "the form has more than %d fields", FORM_FIELDS_MAX);
    form->pairs[form->count++] = (struct form_pair){name, value};
    return OK;
}

static enum err form_check_size(struct str body, struct fail *fail)
{
    if (body.n > FORM_SIZE_MAX)
        return fail_set(fail, ERR_LIMIT, "the form is larger than %d KiB", FORM_SIZE_MAX / 1024);
    return OK;
}

/* --- urlencoded */

/* Decodes %XX and "+". false: '%' without two digits. */
static bool decode(struct arena *arena, struct str text, struct str *ret)
{
    char *to = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '%') {
            uint8_t byte;
            if (!hex_decode(str_slice(text, i + 1, i + 3), &byte, 1))
                return false;
            c = (char)byte;
            i += 2;
        } else if (c == '+') {
            c = ' ';
        }
        to[n++] = c;
    }
    *ret = str_of(to, n);
    return true;
}

static enum err read_pair(
    struct form *form, struct str pair, const char *const *lists, struct fail *fail)
{
    struct str name, value;
    ptrdiff_t equals = str_find_char(pair, '=');
    size_t name_n = equals < 0 ? pair.n : (size_t)equals;
    if (!decode(form->arena, str_slice(pair, 0, name_n), &name) ||
        !decode(form->arena, str_slice(pair, name_n + 1, pair.n), &value))
        return fail_set(
            fail, ERR_INVALID,
            "the form has a percent sign without two hexadecimal digits after it");
    return form_add(form, name, value, lists, fail);
}

enum err form_read_urlencoded(
    struct form *form, struct arena *arena, struct str body, const char *const *lists,
    struct fail *fail)
{
    struct str pair;
    form_init(form, arena);
    enum err err = form_check_size(body, fail);
    while (!err && str_split(&body, '&', &pair))
        if (pair.n > 0)
            err = read_pair(form, pair, lists, fail);
    if (err)
        form_init(form, arena);
    return err;
}

/* --- values */

struct str form_next(const struct form *form, const char *name, size_t *at)
{
    while (*at < form->count) {
        const struct form_pair *pair = &form->pairs[(*at)++];
        if (str_eq(pair->name, str_from(name)))
            return pair->value;
    }
    return STR_NULL;
}

bool form_has(const struct form *form, const char *name, struct str value)
{
    struct str sent;
    for (size_t at = 0; !str_is_null(sent = form_next(form, name, &at));)
        if (str_eq(sent, value))
            return true;
    return false;
}

bool form_checked(const struct form *form, const char *name)
{
    return str_eq(form_value(form, name), STR("on"));
}

int64_t form_number(struct form *form, const char *name, int64_t min, int64_t max)
{
    int64_t number;
    struct str value = form_value(form, name);
    if (!str_is_null(value) && str_to_i64(str_trim(value), &number) && number >= min &&
        number <= max)
        return number;
    form_fault_text(
        form, name, "Enter a whole number from %lld to %lld.", (long long)min, (long long)max);
    return min;
}

/* Reads a flat JSON object as a form. */

static enum err add_text(
    struct form *form, struct str name, const json_t *text, const char *const *lists,
    struct fail *fail)
{
    struct str value = str_of(json_string_value(text), json_string_length(text));
    return form_add(form, name, arena_str(form->arena, value), lists, fail);
}

static enum err add_array(
    struct form *form, struct str name, const json_t *array, const char *const *lists,
    struct fail *fail)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *item = json_array_get(array, i);
        if (!json_is_string(item))
            return fail_set(
                fail, ERR_INVALID, "\"%.*s\" has an item that is not a string", STR_ARG(name));
        TRY(add_text(form, name, item, lists, fail));
    }
    return OK;
}

static enum err add_member(
    struct form *form, struct str name, const json_t *value, const char *const *lists,
    struct fail *fail)
{
    bool list = form_may_repeat(lists, name);
    switch (json_typeof(value)) {
    case JSON_STRING:
        return add_text(form, name, value, lists, fail);
    case JSON_INTEGER:
        return form_add(
            form, name, arena_fmt(form->arena, "%lld", (long long)json_integer_value(value)), lists,
            fail);
    case JSON_TRUE:
        return form_add(form, name, STR("on"), lists, fail);
    case JSON_FALSE:
    case JSON_NULL:
        return OK;
    case JSON_ARRAY:
        if (list)
            return add_array(form, name, value, lists, fail);
        break;
    case JSON_OBJECT:
    case JSON_REAL:
        break;
    }
    return fail_set(
        fail, ERR_INVALID,
        list ? "\"%.*s\" is not a string or an array of strings"
             : "\"%.*s\" is not a string, a whole number, true, false or null",
        STR_ARG(name));
}

enum err form_read_json(
    struct form *form, struct arena *arena, struct str body, const char *const *lists,
    struct fail *fail)
{
    struct json_in in;
    form_init(form, arena);
    enum err err = form_check_size(body, fail);
    if (!err)
        err = json_in_open_object(&in, STR("the body"), body, fail);
    if (err)
        return err;
    for (void *at = json_object_iter(in.root); at && !err;
         at = json_object_iter_next(in.root, at)) {
        struct str name = arena_str(arena, str_from(json_object_iter_key(at)));
        err = add_member(form, name, json_object_iter_value(at), lists, fail);
    }
    json_in_close(&in);
    if (err)
        form_init(form, arena);
    return err;
}

/* Reads multipart/form-data. Browsers write it in one way (the HTML standard,
 * "multipart form data"), and nothing else is accepted: no text before the first part or after the
 * last one, no transfer encodings, no nested parts. */

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
        TRY(take_line(m, line, part));
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
    TRY(take_head(m, &part));
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
        TRY(take_part(m));
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

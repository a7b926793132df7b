/* Reads urlencoded bodies, and values of forms; see form.h. */
#include "html/form.h"

#include "base/codec.h"
#include "base/utf8.h"
#include "html/form_parts.h"

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

bool form_may_repeat(const char *const *lists, struct str name)
{
    return is_listed(lists, name);
}

enum err form_add(
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

enum err form_check_size(struct str body, struct fail *fail)
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

/* Parses the command line by tables; see options.h. */
#include "config/options.h"

#include <assert.h>
#include <limits.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "config/values.h"
#include "names/likeness.h"

enum { QUOTED_MAX = 100 }; /* bytes of an invalid value in its message, so that the rest fits too */

void options_init(struct options *o)
{
    *o = (struct options){0};
}

void options_finish(struct options *o)
{
    mem_free(o->operands);
    *o = (struct options){0};
}

void options_know_one(struct options *o, const struct option *option)
{
    assert(o->known_count < OPTIONS_MAX);
    o->known[o->known_count++] = option;
}

void options_know(struct options *o, const struct option *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        options_know_one(o, &table[i]);
}

static ptrdiff_t find_option(const struct options *o, struct str name)
{
    for (size_t i = 0; i < o->known_count; i++)
        if (str_eq(str_from(o->known[i]->name), name))
            return (ptrdiff_t)i;
    return -1;
}

/* What the option takes, in a message. */
static const char *accepted(const struct option *option)
{
    return option->valid == value_is_text ? "one line without hidden characters" : option->value;
}

static enum err set_value(struct options *o, size_t at, struct str value, struct fail *fail)
{
    const struct option *option = o->known[at];
    if (!str_is_null(o->values[at]))
        return fail_set(fail, ERR_INVALID, "--%s is given twice", option->name);
    bool valid = option->valid ? option->valid(value) : value.n > 0;
    if (option->value && !valid) {
        struct str quoted = utf8_cut(value, QUOTED_MAX);
        return fail_set(
            fail, ERR_INVALID, "invalid value \"%.*s%s\" for --%s: expected %s", STR_ARG(quoted),
            quoted.n < value.n ? "..." : "", option->name, accepted(option));
    }
    o->values[at] = value;
    return OK;
}

static enum err unknown_option(const struct options *o, struct str name, struct fail *fail)
{
    const char *like = NULL;
    int best = INT_MAX;
    for (size_t i = 0; i < o->known_count; i++) {
        struct str known = str_from(o->known[i]->name);
        int slips = likeness_slips(name, known), edits = likeness_edits(name, known, slips);
        if (edits < best && edits <= slips) {
            best = edits;
            like = o->known[i]->name;
        }
    }
    struct str quoted = utf8_cut(name, QUOTED_MAX);
    return fail_set(
        fail, ERR_INVALID, "unknown option \"--%.*s%s\"%s%s%s", STR_ARG(quoted),
        quoted.n < name.n ? "..." : "", like ? " (did you mean \"--" : "", like ? like : "",
        like ? "\"?)" : "");
}

/* Parses the option at argv[*i]. If its value is the next argument, increments *i. */
static enum err parse_option(struct options *o, int argc, char **argv, int *i, struct fail *fail)
{
    struct str name = str_from(argv[*i] + 2);
    ptrdiff_t equals = str_find_char(name, '=');
    struct str value = STR_NULL;
    if (equals >= 0) {
        value = str_slice(name, (size_t)equals + 1, name.n);
        name = str_slice(name, 0, (size_t)equals);
    }
    ptrdiff_t at = find_option(o, name);
    if (at < 0)
        return unknown_option(o, name, fail);
    if (!o->known[at]->value) {
        if (!str_is_null(value))
            return fail_set(fail, ERR_INVALID, "--%.*s takes no value", STR_ARG(name));
        return set_value(o, (size_t)at, name, fail);
    }
    if (str_is_null(value)) {
        if (*i + 1 >= argc)
            return fail_set(
                fail, ERR_INVALID, "--%.*s needs a value: %s", STR_ARG(name), o->known[at]->value);
        value = str_from(argv[++*i]);
    }
    return set_value(o, (size_t)at, value, fail);
}

enum err options_parse(struct options *o, int argc, char **argv, struct fail *fail)
{
    bool options_end = false;
    o->operands = mem_array((size_t)argc + 1, sizeof *o->operands);
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i];
        bool dashed = text[0] == '-' && text[1];
        if (options_end || !dashed) {
            o->operands[o->operand_count++] = str_from(text);
        } else if (strcmp(text, "--") == 0) {
            options_end = true;
        } else if (text[1] != '-') {
            return fail_set(
                fail, ERR_INVALID, "unknown option \"%s\": options begin with two dashes", text);
        } else {
            TRY(parse_option(o, argc, argv, &i, fail));
        }
    }
    return OK;
}

enum err options_check_required(const struct options *o, struct fail *fail)
{
    for (size_t i = 0; i < o->known_count; i++)
        if (o->known[i]->required && str_is_null(o->values[i]))
            return fail_set(
                fail, ERR_INVALID, "missing option --%s%s%s", o->known[i]->name,
                o->known[i]->value ? " " : "", o->known[i]->value ? o->known[i]->value : "");
    return OK;
}

struct str options_value(const struct options *o, const char *name)
{
    ptrdiff_t at = find_option(o, str_from(name));
    assert(at >= 0);
    return o->values[at];
}

struct str options_find(const struct options *o, const char *name)
{
    ptrdiff_t at = find_option(o, str_from(name));
    return at < 0 ? STR_NULL : o->values[at];
}

bool options_knows(const struct options *o, const char *name)
{
    return find_option(o, str_from(name)) >= 0;
}

bool options_given(const struct options *o, const char *name)
{
    return !str_is_null(options_value(o, name));
}

int64_t options_i64(const struct options *o, const char *name, int64_t none)
{
    struct str text = options_value(o, name);
    int64_t value = none;
    if (!str_is_null(text))
        str_to_i64(text, &value);
    return value;
}

/* Reads arguments by their table; see argument.h. */
#include "mcp/argument.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/utf8.h"
#include "mcp/json_value.h"
#include "noun/lists.h"

/* --- accepted values, in words and as a schema */

static void put_names(struct buf *b, const struct shape_list *list)
{
    for (int i = 1; i < list->count; i++) {
        if (i > 1)
            buf_str(b, i + 1 == list->count ? STR(" or ") : STR(", "));
        buf_str(b, list->name_of(i));
    }
}

static void put_accepted(struct buf *b, const struct argument *a)
{
    switch (a->kind) {
    case ARGUMENT_TEXT:
        if (str_is_null(a->form))
            buf_fmt(b, "a string of at most %zu characters", a->length_max);
        else
            buf_str(b, a->form);
        break;
    case ARGUMENT_SLUG:
        buf_str(b, STR("a slug, which find_politician finds for a name"));
        break;
    case ARGUMENT_WHEN:
        buf_str(b, STR("a date, or an ISO 8601 instant with an offset"));
        break;
    case ARGUMENT_DAY:
        buf_str(b, STR("a date"));
        break;
    case ARGUMENT_TRUTH:
        buf_str(b, STR("true or false"));
        break;
    case ARGUMENT_SET:
        buf_str(b, STR("different names with commas between them: "));
        put_names(b, a->list);
        break;
    case ARGUMENT_LISTED:
        put_names(b, a->list);
        break;
    case ARGUMENT_INTEGER:
        buf_fmt(b, "an integer from %" PRId64 " to %" PRId64, a->min, a->max);
        break;
    }
    if (!str_is_null(a->example))
        buf_fmt(b, ", for example %.*s", STR_ARG(a->example));
}

enum { BRIEF_LIST_MAX = 20 };

static void put_set_pattern(struct json_out *j, const struct shape_list *list)
{
    char space[1024];
    struct buf b = buf_over(space, sizeof space);
    shape_set_pattern(&b, list);
    JSON_KEY_STR(j, "pattern", buf_view(&b));
}

static void put_kind(struct json_out *j, const struct argument *a, enum argument_detail detail)
{
    static const struct str types[] = {
        [ARGUMENT_TEXT] = STR_INIT("string"),   [ARGUMENT_SLUG] = STR_INIT("string"),
        [ARGUMENT_WHEN] = STR_INIT("string"),   [ARGUMENT_DAY] = STR_INIT("string"),
        [ARGUMENT_LISTED] = STR_INIT("string"), [ARGUMENT_SET] = STR_INIT("string"),
        [ARGUMENT_TRUTH] = STR_INIT("boolean"), [ARGUMENT_INTEGER] = STR_INIT("integer"),
    };
    JSON_KEY_STR(j, "type", types[a->kind]);
    bool is_short = a->list && a->list->count <= BRIEF_LIST_MAX;
    if ((detail == ARGUMENT_BRIEF && a->kind != ARGUMENT_INTEGER && !is_short) ||
        (detail == ARGUMENT_WITHOUT_LONG_LIST && a->kind == ARGUMENT_LISTED && !is_short))
        return;
    switch (a->kind) {
    case ARGUMENT_SLUG:
        JSON_KEY_STR(j, "pattern", a->several ? STR("^[A-Za-z0-9,-]*$") : STR("^[A-Za-z0-9-]*$"));
        JSON_KEY_I64(j, "maxLength", (int64_t)a->length_max);
        break;
    case ARGUMENT_TEXT:
        JSON_KEY_I64(j, "maxLength", (int64_t)a->length_max);
        break;
    case ARGUMENT_DAY:
        JSON_KEY_STR(j, "format", STR("date"));
        break;
    case ARGUMENT_WHEN: /* no format covers both forms */
        JSON_KEY_STR(j, "pattern", STR("^\\d{4}-\\d\\d-\\d\\d([Tt ].+)?$"));
        break;
    case ARGUMENT_TRUTH:
        break;
    case ARGUMENT_SET:
        put_set_pattern(j, a->list);
        break;
    case ARGUMENT_LISTED:
        JSON_KEY_ARRAY(j, "enum");
        for (int i = 1; i < a->list->count; i++)
            json_str(j, a->list->name_of(i));
        json_array_end(j);
        break;
    case ARGUMENT_INTEGER:
        JSON_KEY_I64(j, "minimum", a->min);
        JSON_KEY_I64(j, "maximum", a->max);
        if (a->if_absent != ARGUMENT_NO_NUMBER)
            JSON_KEY_I64(j, "default", a->if_absent);
        break;
    }
}

static void put_argument(struct json_out *j, const struct argument *a, enum argument_detail detail)
{
    json_key(j, a->name);
    json_object_begin(j);
    bool brief = detail == ARGUMENT_BRIEF;
    put_kind(j, a, detail);
    if (!brief)
        JSON_KEY_STR(j, "description", a->description);
    if (!brief && !str_is_null(a->example)) {
        JSON_KEY_ARRAY(j, "examples");
        if (a->kind == ARGUMENT_INTEGER)
            json_raw(j, a->example);
        else
            json_str(j, a->example);
        json_array_end(j);
    }
    json_object_end(j);
}

void arguments_schema_json(
    struct json_out *j, const struct argument *arguments, const enum argument_detail *details)
{
    const struct argument *a;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    JSON_KEY_OBJECT(j, "properties");
    for (a = arguments; !str_is_null(a->name); a++)
        put_argument(j, a, details ? details[a - arguments] : ARGUMENT_WHOLE);
    json_object_end(j);
    JSON_KEY_ARRAY(j, "required");
    for (a = arguments; !str_is_null(a->name); a++)
        if (a->required)
            json_str(j, a->name);
    json_array_end(j);
    JSON_KEY_BOOL(j, "additionalProperties", false);
    json_object_end(j);
}

/* --- reading */

static size_t count_characters(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += ((unsigned char)text.p[i] & 0xc0) != 0x80; /* jansson returns only valid UTF-8 */
    return n;
}

/* The element as the API spells it; null: none. */
static struct str listed(const struct shape_list *list, struct str text)
{
    int value = shape_list_find(list, text);
    return value ? list->name_of(value) : STR_NULL;
}

/* 9999-12-31T23:59:59.999Z */
static const int64_t last_ms = 253402300799999;

static bool read_when(const struct argument *a, struct str text, int64_t *ret_ms)
{
    int32_t day;
    if (!day_parse(text, &day))
        return instant_parse(text, ret_ms);
    *ret_ms = ((int64_t)day + a->to_end) * DAY_MS;
    *ret_ms -= *ret_ms > last_ms; /* of the year 10000 there is no instant */
    return true;
}

/* Callers give a truth value as such or as text. */
static struct str text_of(const json_t *value)
{
    if (json_is_boolean(value))
        return json_is_true(value) ? STR("true") : STR("false");
    return json_text(value);
}

/* In JSON Schema 25.0 is an integer. */
static bool read_integer(const json_t *value, int64_t *ret)
{
    const double exact_max = 9007199254740992.0;
    double real = json_real_value(value);
    if (json_is_integer(value))
        *ret = json_integer_value(value);
    else if (json_is_real(value) && fabs(real) < exact_max && real == trunc(real))
        *ret = (int64_t)real;
    else
        return false;
    return true;
}

static bool is_slug(const struct argument *a, struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!ascii_is_alnum(text.p[i]) && text.p[i] != '-' && !(a->several && text.p[i] == ','))
            return false;
    return true;
}

static bool read_value(const struct argument *a, const json_t *value, struct argument_value *ret)
{
    int32_t day;
    ret->text = json_text(value);
    switch (a->kind) {
    case ARGUMENT_TEXT:
        return !str_is_null(ret->text) && count_characters(ret->text) <= a->length_max;
    case ARGUMENT_SLUG:
        return !str_is_null(ret->text) && ret->text.n <= a->length_max && is_slug(a, ret->text);
    case ARGUMENT_WHEN:
        return !str_is_null(ret->text) && read_when(a, ret->text, &ret->number);
    case ARGUMENT_DAY:
        if (str_is_null(ret->text) || !day_parse(ret->text, &day))
            return false;
        ret->number = day;
        return true;
    case ARGUMENT_LISTED:
        ret->text = listed(a->list, text_of(value));
        return !str_is_null(ret->text);
    case ARGUMENT_SET:
        return !str_is_null(ret->text) && shape_set_parse(a->list, ret->text, &ret->number);
    case ARGUMENT_TRUTH:
        ret->text = listed(&shape_truths, text_of(value));
        return !str_is_null(ret->text);
    case ARGUMENT_INTEGER:
        return read_integer(value, &ret->number) && ret->number >= a->min && ret->number <= a->max;
    }
    return false;
}

static bool is_absent(const json_t *value)
{
    return !value || json_is_null(value) ||
           (json_is_string(value) && json_string_length(value) == 0);
}

static bool has_argument(const struct argument *arguments, struct str name)
{
    while (!str_is_null(arguments->name) && !str_eq(arguments->name, name) &&
           !str_eq(arguments->alias, name))
        arguments++;
    return !str_is_null(arguments->name);
}

/* Quotes the beginning of a name: it comes from the caller and can be long. */
static void put_name(struct buf *b, struct str name)
{
    enum { SHOWN_MAX = 60 };
    json_quote(b, utf8_cut(name, SHOWN_MAX));
}

static bool all_known(const struct argument *arguments, const json_t *object, struct buf *complaint)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (has_argument(arguments, str_from(name)))
            continue;
        put_name(complaint, str_from(name));
        buf_str(complaint, STR(" is not an argument of this tool"));
        buf_str(
            complaint, str_is_null(arguments->name) ? STR("; it takes none") : STR("; it takes "));
        for (const struct argument *a = arguments; !str_is_null(a->name); a++)
            buf_fmt(complaint, "%s%.*s", a > arguments ? ", " : "", STR_ARG(a->name));
        buf_char(complaint, '.');
        return false;
    }
    return true;
}

static bool in_order(
    const struct argument *arguments, const struct argument_value *values, struct buf *complaint)
{
    for (const struct argument *end = arguments; !str_is_null(end->name); end++) {
        const struct argument_value *to = &values[end - arguments];
        if (str_is_null(end->begin) || str_is_null(to->text))
            continue;
        const struct argument_value *from = argument_value_named(arguments, values, end->begin);
        if (str_is_null(from->text) || from->number <= to->number)
            continue;
        buf_fmt(complaint, "%.*s must not be after %.*s.", STR_ARG(end->begin), STR_ARG(end->name));
        return false;
    }
    return true;
}

bool arguments_read(
    const struct argument *arguments, const json_t *object,
    struct argument_value ret_values[static ARGUMENTS_MAX], struct buf *complaint)
{
    if (!all_known(arguments, object, complaint))
        return false;
    for (const struct argument *a = arguments; !str_is_null(a->name); a++) {
        const json_t *value = json_object_get(object, a->name.p);
        if (!value && !str_is_null(a->alias))
            value = json_object_get(object, a->alias.p);
        assert(a - arguments < ARGUMENTS_MAX);
        struct argument_value *to = &ret_values[a - arguments];
        *to = (struct argument_value){.number = a->if_absent};
        if (is_absent(value) ? !a->required : read_value(a, value, to))
            continue;
        buf_str(complaint, a->name);
        buf_str(complaint, is_absent(value) ? STR(" is required: ") : STR(" must be "));
        put_accepted(complaint, a);
        buf_char(complaint, '.');
        return false;
    }
    return in_order(arguments, ret_values, complaint);
}

bool argument_is_given(const struct argument *argument, const struct argument_value *value)
{
    return argument->kind == ARGUMENT_INTEGER ? value->number != ARGUMENT_NO_NUMBER
                                              : !str_is_null(value->text);
}

const struct argument_value *argument_value_named(
    const struct argument *arguments, const struct argument_value *values, struct str name)
{
    size_t i = 0;
    while (!str_eq(arguments[i].name, name)) {
        assert(!str_is_null(arguments[i].name));
        i++;
    }
    return &values[i];
}

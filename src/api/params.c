/* The reader of parameters; see params.h. */
#include "api/params.h"

#include <string.h>

#include "base/fold.h"
#include "base/utf8.h"
#include "core/model.h"

enum {
    SLUG_SIZE_MAX = 100,
    TEXT_SIZE_MAX = 100,
    SEARCH_FOLDED_MAX = 4 * TEXT_SIZE_MAX,
    NAME_SHOWN_MAX = 64,
    STATE_SIZE = 2,
};

/* One reader and one description per type. Readers get a value that is not empty. */

static bool read_ticker(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    char normal[TICKER_SIZE_MAX];
    size_t n = ticker_normalize(text, normal);
    ret->text = n ? arena_str(arena, str_of(normal, n)) : STR_NULL;
    return n > 0;
}

/* A Bioguide id: a letter and six digits. */
static bool is_bioguide(struct str text)
{
    if (text.n != 7 || !ascii_is_alpha(text.p[0]))
        return false;
    for (size_t i = 1; i < text.n; i++)
        if (!ascii_is_digit(text.p[i]))
            return false;
    return true;
}

bool param_politician(struct str text, struct arena *arena, struct str *ret)
{
    if (text.n == 0 || text.n > SLUG_SIZE_MAX)
        return false;
    bool id = is_bioguide(text);
    char *normal = arena_alloc(arena, text.n);
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-')
            return false;
        normal[i] = id ? ascii_upper(c) : ascii_lower(c);
    }
    *ret = str_of(normal, text.n);
    return true;
}

static bool read_slug(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return param_politician(text, arena, &ret->text);
}

static bool read_choice(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    for (size_t i = 0; !str_is_null(p->choices[i]); i++) {
        if (str_eq(p->choices[i], text)) {
            ret->number = (int64_t)i + 1;
            return true;
        }
    }
    return false;
}

static bool read_listed(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    for (int i = 1; i < p->list->count; i++) {
        if (str_eq(p->list->name_of(i), text)) {
            ret->number = i;
            return true;
        }
    }
    return false;
}

static bool read_day(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    int32_t day;
    if (!day_parse(text, &day))
        return false;
    ret->number = day;
    return true;
}

static bool read_state(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return text.n == STATE_SIZE && text.p[0] >= 'A' && text.p[0] <= 'Z' && text.p[1] >= 'A' &&
           text.p[1] <= 'Z';
}

static bool read_text(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return text.n <= TEXT_SIZE_MAX && utf8_is_line(text);
}

bool param_fold(struct str text, struct arena *arena, struct str *ret)
{
    char space[SEARCH_FOLDED_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (!fold_words(&b, text) || b.overflow)
        return false;
    *ret = arena_str(arena, buf_view(&b));
    return true;
}

/* The text stays as given: the link to the next page repeats it. */
static bool read_search(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    struct str folded;
    return text.n <= TEXT_SIZE_MAX && utf8_is_line(text) && param_fold(text, arena, &folded);
}

static bool read_instant(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return instant_parse(text, &ret->number);
}

static bool read_integer(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return str_to_i64(text, &ret->number) && ret->number >= p->min && ret->number <= p->max;
}

static void schema_ticker(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", TICKER_SIZE_MAX);
    JSON_KEY_STR(j, "pattern", STR("^[A-Za-z0-9.\\-/^$]+$"));
}

static void schema_slug(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", SLUG_SIZE_MAX);
    JSON_KEY_STR(j, "pattern", STR("^[A-Za-z0-9-]+$"));
}

static void schema_choice(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    json_key(j, STR("enum"));
    json_array_begin(j);
    for (size_t i = 0; !str_is_null(p->choices[i]); i++)
        json_str(j, p->choices[i]);
    json_array_end(j);
}

static void schema_listed(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    json_key(j, STR("enum"));
    json_array_begin(j);
    for (int i = 1; i < p->list->count; i++)
        json_str(j, p->list->name_of(i));
    json_array_end(j);
}

static void schema_day(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "format", STR("date"));
}

static void schema_state(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "pattern", STR("^[A-Z]{2}$"));
}

static void schema_text(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", TEXT_SIZE_MAX);
}

static void schema_instant(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "format", STR("date-time"));
}

static void schema_integer(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("integer"));
    JSON_KEY_I64(j, "minimum", p->min);
    JSON_KEY_I64(j, "maximum", p->max);
}

static void schema_cursor(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
}

static const struct {
    bool (*read)(const struct param *, struct str, struct arena *, struct param_value *);
    void (*schema)(struct json_out *, const struct param *);
    struct str accepts; /* null: it is worked out */
} types[PARAM_TYPE_COUNT] = {
    [PARAM_TYPE_TICKER] =
        {read_ticker, schema_ticker, STR_INIT("1 to 32 of A-Z a-z 0-9 . - / ^ $")},
    [PARAM_TYPE_SLUG] =
        {read_slug, schema_slug,
         STR_INIT("a slug such as ada-lindqvist or an id: letters, digits and -")},
    [PARAM_TYPE_CHOICE] = {read_choice, schema_choice, {NULL, 0}},
    [PARAM_TYPE_LISTED] = {read_listed, schema_listed, {NULL, 0}},
    [PARAM_TYPE_DAY] = {read_day, schema_day, STR_INIT("a date such as 2026-11-20")},
    [PARAM_TYPE_STATE] = {read_state, schema_state, STR_INIT("two capital letters such as VT")},
    [PARAM_TYPE_TEXT] = {read_text, schema_text, STR_INIT("a text of at most 100 bytes")},
    [PARAM_TYPE_SEARCH] =
        {read_search, schema_text, STR_INIT("letters or digits, at most 100 bytes in all")},
    [PARAM_TYPE_INSTANT] =
        {read_instant, schema_instant,
         STR_INIT("an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z")},
    [PARAM_TYPE_INTEGER] = {read_integer, schema_integer, {NULL, 0}},
    [PARAM_TYPE_CURSOR] =
        {NULL, schema_cursor, STR_INIT("the nextCursor of the page before, unchanged")},
};

void param_accepts(struct buf *b, const struct param *param)
{
    if (!str_is_null(types[param->type].accepts)) {
        buf_str(b, types[param->type].accepts);
    } else if (param->type == PARAM_TYPE_INTEGER) {
        buf_fmt(b, "an integer from %lld to %lld", (long long)param->min, (long long)param->max);
    } else if (param->type == PARAM_TYPE_LISTED) {
        for (int i = 1; i < param->list->count; i++) {
            if (i > 1)
                buf_text(b, i + 1 == param->list->count ? " or " : ", ");
            buf_str(b, param->list->name_of(i));
        }
    } else {
        for (size_t i = 0; !str_is_null(param->choices[i]); i++) {
            if (i)
                buf_text(b, str_is_null(param->choices[i + 1]) ? " or " : ", ");
            buf_str(b, param->choices[i]);
        }
    }
}

void param_schema(struct json_out *j, const struct param *param)
{
    json_object_begin(j);
    types[param->type].schema(j, param);
    if (!str_is_null(param->absent_text)) {
        json_key(j, STR("default"));
        if (param->type == PARAM_TYPE_INTEGER)
            json_i64(j, param_absent[param - param_table].number);
        else
            json_str(j, param->absent_text);
    }
    json_object_end(j);
}

/* Refusals. The hint is built only here, so a good request pays nothing for it. */

static bool refuse(struct param_refusal *ret, struct str hint)
{
    *ret = (struct param_refusal){ERROR_INVALID_PARAMETER, hint};
    return false;
}

static struct str shown(struct str name)
{
    return str_slice(name, 0, NAME_SHOWN_MAX);
}

static bool refuse_unknown(
    uint32_t takes, struct str name, struct arena *arena, struct param_refusal *ret)
{
    struct buf b;
    buf_init(&b, 1024);
    buf_fmt(&b, "There is no parameter \"%.*s\" here; ", STR_ARG(shown(name)));
    buf_text(&b, takes ? "this endpoint takes" : "this endpoint takes none.");
    const char *before = " ";
    for (int id = 0; id < PARAM_COUNT; id++) {
        if (takes & PARAM_BIT(id)) {
            buf_text(&b, before);
            buf_str(&b, param_table[id].name);
            before = ", ";
        }
    }
    if (takes)
        buf_char(&b, '.');
    struct str hint = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return refuse(ret, hint);
}

static bool refuse_value(const struct param *p, struct arena *arena, struct param_refusal *ret)
{
    struct buf b;
    buf_init(&b, 1024);
    buf_fmt(&b, "\"%.*s\" takes ", STR_ARG(p->name));
    param_accepts(&b, p);
    buf_char(&b, '.');
    struct str hint = arena_str(arena, buf_view(&b));
    buf_finish(&b);
    return refuse(ret, hint);
}

static bool refuse_again(const struct param *p, struct arena *arena, struct param_refusal *ret)
{
    struct str hint;
    if (str_is_null(p->alias))
        hint = arena_fmt(arena, "\"%.*s\" is given more than once.", STR_ARG(p->name));
    else
        hint = arena_fmt(
            arena, "\"%.*s\" is given more than once; \"%.*s\" is another name for it.",
            STR_ARG(p->name), STR_ARG(p->alias));
    return refuse(ret, hint);
}

static enum param_id find(uint32_t takes, struct str name)
{
    for (int id = 0; id < PARAM_COUNT; id++)
        if ((takes & PARAM_BIT(id)) &&
            (str_eq(param_table[id].name, name) ||
             (!str_is_null(param_table[id].alias) && str_eq(param_table[id].alias, name))))
            return (enum param_id)id;
    return PARAM_COUNT;
}

bool params_read(
    uint32_t takes, enum cursor_resource resource, const struct query_pairs *pairs,
    enum query_verdict verdict, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal)
{
    ret_values->given = 0;
    memcpy(ret_values->at, param_absent, sizeof ret_values->at);

    for (size_t i = 0; i < pairs->count; i++) {
        struct str name = pairs->pairs[i].name, text = pairs->pairs[i].value;
        enum param_id id = find(takes, name);
        if (id == PARAM_COUNT)
            return refuse_unknown(takes, name, arena, ret_refusal);

        const struct param *p = &param_table[id];
        struct param_value *value = &ret_values->at[id];
        if (!str_is_null(value->text))
            return refuse_again(p, arena, ret_refusal);
        ret_values->given |= PARAM_BIT(id);
        if (p->type == PARAM_TYPE_CURSOR) {
            if (!cursor_decode(text, resource, &ret_values->cursor)) {
                *ret_refusal = (struct param_refusal){ERROR_INVALID_CURSOR, STR_NULL};
                return false;
            }
            value->text = text;
            continue;
        }
        value->text = text;
        if (text.n == 0 || !types[p->type].read(p, text, arena, value))
            return refuse_value(p, arena, ret_refusal);
    }
    switch (verdict) {
    case QUERY_OK:
        return true;
    case QUERY_BAD_ESCAPE:
        return refuse(
            ret_refusal,
            STR("The query string has a % that is not followed by two hexadecimal digits."));
    case QUERY_TOO_MANY:
        break;
    }
    return refuse(ret_refusal, STR("The query string has too many parameters."));
}

bool params_want_csv(const struct query_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (str_eq(pairs->pairs[i].name, param_table[PARAM_FORMAT].name) &&
            str_eq(pairs->pairs[i].value, param_table[PARAM_FORMAT].choices[PARAM_FORMAT_CSV - 1]))
            return true;
    return false;
}

/* Parses and describes the values of parameters; see param.h. */
#include "noun/param.h"

#include <assert.h>

#include "base/fold.h"
#include "base/hidden.h"
#include "market/committee.h"
#include "noun/lists.h"
#include "rule/cursor.h"
#include "rule/model.h"

enum {
    SLUG_SIZE_MAX = 100,
    TEXT_SIZE_MAX = 100,
    SEARCH_FOLDED_MAX = 4 * TEXT_SIZE_MAX,
};

/* One parser and one schema per type. Parsers get a text that is not empty. */

static bool parse_ticker(
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

static bool parse_slug(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return param_politician(text, arena, &ret->text);
}

static bool parse_id(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    if (!cursor_id_is_valid(text))
        return false;
    char *normal = arena_alloc(arena, text.n);
    for (size_t i = 0; i < text.n; i++)
        normal[i] = ascii_lower(text.p[i]);
    ret->text = str_of(normal, text.n);
    return true;
}

static bool parse_committee(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    char *normal = arena_alloc(arena, text.n);
    for (size_t i = 0; i < text.n; i++)
        normal[i] = ascii_upper(text.p[i]);
    ret->text = str_of(normal, text.n);
    return committee_id_valid(ret->text);
}

static bool parse_listed(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    ret->number = shape_list_find(p->list, text);
    return ret->number != 0;
}

static bool parse_day(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    int32_t day;
    if (!day_parse(text, &day))
        return false;
    ret->number = day;
    return true;
}

static bool parse_text(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return text.n <= TEXT_SIZE_MAX && hidden_free_line(text);
}

/* The usual parties, which may be shortened to their first letter. */
static const struct str parties[] = {
    STR_INIT("Democrat"), STR_INIT("Republican"), STR_INIT("Independent"), STR_INIT("Libertarian")};

enum { PARTY_COUNT = sizeof parties / sizeof *parties };

/* `number` of a usual party is its place in the list, from 1; of another text it is 0. */
static bool parse_party(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    for (int i = 0; i < PARTY_COUNT; i++)
        if (str_eq_nocase(parties[i], text) || str_eq_nocase(str_slice(parties[i], 0, 1), text))
            ret->number = i + 1;
    return parse_text(p, text, arena, ret);
}

struct str param_party(const struct param_value *value)
{
    return value->number ? parties[value->number - 1] : value->text;
}

bool param_fold(struct str text, struct arena *arena, struct str *ret)
{
    char space[SEARCH_FOLDED_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (!fold_words(&b, text, FOLD_SEARCH) || b.overflow)
        return false;
    *ret = arena_str(arena, buf_view(&b));
    return true;
}

/* The text stays as given: the link to the next page repeats it. */
static bool parse_search(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    struct str folded;
    return text.n <= TEXT_SIZE_MAX && hidden_free_line(text) && param_fold(text, arena, &folded);
}

static bool parse_instant(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return instant_parse(text, &ret->number);
}

static bool parse_integer(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return str_to_i64(text, &ret->number) && ret->number >= p->min && ret->number <= p->max;
}

static bool parse_set(
    const struct param *p, struct str text, struct arena *arena, struct param_value *ret)
{
    return shape_set_parse(p->list, text, &ret->number);
}

static void schema_ticker(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", p->max ? p->max * (TICKER_SIZE_MAX + 1) : TICKER_SIZE_MAX);
    JSON_KEY_STR(
        j, "pattern", p->max ? STR("^[A-Za-z0-9.\\-/^$, ]+$") : STR("^[A-Za-z0-9.\\-/^$]+$"));
}

static void schema_slug(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", p->max ? p->max * (SLUG_SIZE_MAX + 1) : SLUG_SIZE_MAX);
    JSON_KEY_STR(j, "pattern", p->max ? STR("^[A-Za-z0-9, -]+$") : STR("^[A-Za-z0-9-]+$"));
}

static void schema_id(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
    JSON_KEY_I64(j, "maxLength", CURSOR_ID_SIZE_MAX);
    JSON_KEY_STR(j, "pattern", STR("^[A-Za-z0-9._-]+$"));
}

static void schema_committee(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "pattern", STR("^[A-Za-z]{4}([0-9]{2})?$"));
}

static void schema_listed(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_ARRAY(j, "enum");
    for (int i = 1; i < p->list->count; i++)
        json_str(j, p->list->name_of(i));
    json_array_end(j);
}

static void schema_day(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "format", STR("date"));
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

/* A pattern of the names, with dots that stand for themselves. */
static void schema_set(struct json_out *j, const struct param *p)
{
    char space[1024];
    struct buf b = buf_over(space, sizeof space);
    shape_set_pattern(&b, p->list);
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_STR(j, "pattern", buf_view(&b));
}

static void schema_cursor(struct json_out *j, const struct param *p)
{
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_I64(j, "minLength", 1);
}

static const struct {
    bool (*parse)(const struct param *, struct str, struct arena *, struct param_value *);
    void (*schema)(struct json_out *, const struct param *);
    struct str accepts; /* null: it is worked out */
} types[PARAM_TYPE_COUNT] = {
    [PARAM_TYPE_TICKER] =
        {parse_ticker, schema_ticker, STR_INIT("1 to 32 characters from A-Z a-z 0-9 . - / ^ $")},
    [PARAM_TYPE_SLUG] =
        {parse_slug, schema_slug,
         STR_INIT("a slug such as ada-lindqvist or an id: letters, digits and -")},
    [PARAM_TYPE_ID] = {parse_id, schema_id, {NULL, 0}},
    [PARAM_TYPE_COMMITTEE] =
        {parse_committee, schema_committee,
         STR_INIT("the id of a committee such as HSBA, or of a subcommittee such as HSBA16")},
    [PARAM_TYPE_LISTED] = {parse_listed, schema_listed, {NULL, 0}},
    [PARAM_TYPE_DAY] = {parse_day, schema_day, STR_INIT("a date such as 2026-11-20")},
    [PARAM_TYPE_PARTY] =
        {parse_party, schema_text,
         STR_INIT("Democrat, Republican, Independent or Libertarian, or the first letter of one, "
                  "or another party of a trade")},
    [PARAM_TYPE_SEARCH] =
        {parse_search, schema_text, STR_INIT("letters or digits, at most 100 bytes in all")},
    [PARAM_TYPE_INSTANT] =
        {parse_instant, schema_instant,
         STR_INIT("an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z")},
    [PARAM_TYPE_INTEGER] = {parse_integer, schema_integer, {NULL, 0}},
    [PARAM_TYPE_SET] = {parse_set, schema_set, {NULL, 0}},
    [PARAM_TYPE_CURSOR] =
        {NULL, schema_cursor, STR_INIT("the nextCursor of the previous page, unchanged")},
};

/* Several values, in their normal forms. */
static bool parse_several(
    const struct param *param, struct str text, struct arena *arena, struct param_value *ret)
{
    BUF_SCOPED(all, SIZE_MAX);
    struct str one;
    int64_t n = 0;
    while (str_split(&text, ',', &one)) {
        one = str_trim(one);
        if (!one.n || ++n > param->max || !types[param->type].parse(param, one, arena, ret))
            return false;
        buf_fmt(&all, "%s%.*s", n > 1 ? "," : "", STR_ARG(ret->text));
    }
    ret->text = arena_str(arena, buf_view(&all));
    return true;
}

static bool is_several(const struct param *param)
{
    return param->max > 1 && param->type != PARAM_TYPE_INTEGER;
}

bool param_parse(
    const struct param *param, struct str text, struct arena *arena, struct param_value *ret)
{
    ret->text = text;
    ret->number = 0;
    if (text.n > 0 && is_several(param) && str_find(text, STR(",")) >= 0)
        return parse_several(param, text, arena, ret);
    return text.n > 0 && types[param->type].parse(param, text, arena, ret);
}

static const struct param_value *value_named(
    const struct param_table *table, const struct param_value *values, struct str name)
{
    size_t i = 0;
    while (!str_eq(param_table_at(table, i)->name, name)) {
        i++;
        assert(i < table->count);
    }
    return &values[i];
}

const struct param *param_backward(
    const struct param_table *table, const struct param_value *values)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct param *end = param_table_at(table, i);
        if (str_is_null(end->begin) || str_is_null(values[i].text))
            continue;
        const struct param_value *begin = value_named(table, values, end->begin);
        if (!str_is_null(begin->text) && begin->number > values[i].number)
            return end;
    }
    return NULL;
}

static void put_names(struct buf *b, const struct shape_list *list, const char *last)
{
    for (int i = 1; i < list->count; i++) {
        if (i > 1)
            buf_text(b, i + 1 == list->count ? last : ", ");
        buf_str(b, list->name_of(i));
    }
}

void param_accepts(struct buf *b, const struct param *param)
{
    if (param->type == PARAM_TYPE_LISTED)
        put_names(b, param->list, " or ");
    else if (param->type == PARAM_TYPE_SET)
        buf_text(b, "different names with commas between them: "), put_names(b, param->list, ", ");
    else if (param->type == PARAM_TYPE_INTEGER)
        buf_fmt(b, "an integer from %lld to %lld", (long long)param->min, (long long)param->max);
    else if (param->type == PARAM_TYPE_ID)
        buf_fmt(b, "an id such as %.*s: letters, digits and -", STR_ARG(param->example));
    else
        buf_str(b, types[param->type].accepts);
    if (is_several(param))
        buf_fmt(b, ", or up to %lld of them with commas between", (long long)param->max);
}

void param_schema(struct json_out *j, const struct param *param)
{
    json_object_begin(j);
    types[param->type].schema(j, param);
    if (!str_is_null(param->absent_text)) {
        json_key(j, STR("default"));
        if (param->type == PARAM_TYPE_INTEGER)
            json_i64(j, param->absent);
        else
            json_str(j, param->absent_text);
    }
    json_object_end(j);
}

/* Descriptions of objects, printed; see schema.h. */
#include "noun/schema.h"

#include <assert.h>

#include "noun/change.h"
#include "noun/committee.h"
#include "noun/coverage.h"
#include "noun/dates.h"
#include "noun/details.h"
#include "noun/feed_rows.h"
#include "noun/filing.h"
#include "noun/group.h"
#include "noun/rows.h"
#include "noun/source.h"
#include "noun/trade.h"
#include "noun/usage.h"

enum { DESCRIPTION_SIZE_MAX = 1024 };

/* Members that a Trade has only if a parameter asks for them (decision 48). */
static const struct shape_field trade_optional[] = {
    {TOLD_OBJECT("details", &shape_details), OR_NULL,
     SAYS("Present only with fields=details. What the filing states beyond the asset's name; null "
          "where it states nothing of the kind.")},
    {TOLD_OBJECT("dates", &shape_dates),
     SAYS("Present only with fields=dates. When the trade was reported, when its report was due, "
          "and whether it was late.")},
};

#define OPTIONAL_COUNT (sizeof trade_optional / sizeof *trade_optional)

/* These have exactly their members in this version. */
static bool is_closed(const struct shape_object *object)
{
    return object == &shape_trade || object == &shape_politician_ref ||
           object == &shape_amount_range || object == &shape_filing;
}

static const struct shape_object *const schemas[] = {
    &shape_trade,
    &shape_politician_ref,
    &shape_amount_range,
    &shape_filing,
    &shape_details,
    &shape_dates,
    &shape_politician_activity,
    &shape_politician_profile,
    &shape_politician_summary,
    &shape_committee,
    &shape_service,
    &shape_politician_counts,
    &shape_group,
    &shape_group_columns,
    &shape_committee_summary,
    &shape_committee_detail,
    &shape_committee_ref,
    &shape_committee_member,
    &shape_committee_oversight,
    &shape_committee_congress,
    &shape_industry_summary,
    &shape_industry_detail,
    &shape_ticker_activity,
    &shape_ticker_summary,
    &shape_ticker_company,
    &shape_ticker_aggregates,
    &shape_trade_detail,
    &shape_trade_source,
    &shape_filing_detail,
    &shape_known_report,
    &shape_filing_source,
    &shape_reviewer,
    &shape_conflict,
    &shape_conflict_committee,
    &shape_conflict_map_entry,
    &shape_conflict_jurisdiction,
    &shape_conflict_industry,
    &shape_confirmed_company,
    &shape_correction,
    &shape_change,
    &shape_event,
    &shape_event_filing,
    &shape_event_change,
    &shape_backfill_range,
    &shape_coverage,
    &shape_coverage_count,
    &shape_coverage_index,
    &shape_coverage_review,
    &shape_coverage_document,
    &shape_coverage_sample,
    &shape_coverage_sample_group,
    &shape_coverage_sample_month,
    &shape_coverage_sample_field,
    &shape_backfill,
    &shape_usage,
    &shape_usage_key,
    &shape_usage_window,
    &shape_usage_day,
    &shape_usage_error,
};

#define SCHEMA_COUNT (sizeof schemas / sizeof(struct shape_object *))

const struct shape_object *schema_at(size_t i)
{
    return i < SCHEMA_COUNT ? schemas[i] : NULL;
}

const struct schema_style schema_in_openapi = {STR_INIT("#/components/schemas/"), .links = true};
const struct schema_style schema_in_defs = {STR_INIT("#/$defs/"), .links = false};

const struct shape_object *schema_named(struct str name)
{
    const struct shape_object *object;
    for (size_t i = 0; (object = schema_at(i)) && !str_eq(object->name, name);)
        i++;
    return object;
}

const struct shape_field *schema_member_at(const struct shape_object *object, size_t i)
{
    if (i < object->count)
        return &object->fields[i];
    return object->more ? schema_member_at(object->more, i - object->count) : NULL;
}

enum schema_type {
    SCHEMA_STRING,
    SCHEMA_INTEGER,
    SCHEMA_NUMBER, /* with a fraction */
    SCHEMA_BOOLEAN,
    SCHEMA_REF,  /* another schema */
    SCHEMA_LIST, /* an array of another schema, or of the names in `list` */
    SCHEMA_OPEN, /* an object with any members */
};

static enum schema_type type_of(const struct shape_field *field)
{
    switch (field->kind) {
    case SHAPE_DOLLARS:
    case SHAPE_COUNT:
    case SHAPE_INTEGER:
    case SHAPE_ORDINAL:
        return SCHEMA_INTEGER;
    case SHAPE_SECONDS:
    case SHAPE_SHARE:
        return SCHEMA_NUMBER;
    case SHAPE_BOOLEAN:
    case SHAPE_MAYBE:
    case SHAPE_PRESENT:
        return SCHEMA_BOOLEAN;
    case SHAPE_OBJECT:
    case SHAPE_POINTER:
        return SCHEMA_REF;
    case SHAPE_JSON_LIST:
    case SHAPE_ROWS:
    case SHAPE_NAMES:
    case SHAPE_LIST:
        return SCHEMA_LIST;
    case SHAPE_JSON:
        return field->object ? SCHEMA_REF : SCHEMA_OPEN;
    case SHAPE_STRING:
    case SHAPE_TEXT_OF:
    case SHAPE_NUMBERED:
    case SHAPE_LISTED:
    case SHAPE_CONSTANT:
    case SHAPE_DAY:
    case SHAPE_MONTH:
    case SHAPE_INSTANT:
    case SHAPE_DIGEST:
        break;
    }
    return SCHEMA_STRING;
}

/* Replaces [words](page) by its words. After a colon, drops the colon and the link, which only says
 * where to read more. */
static void put_without_links(struct buf *b, struct str text)
{
    static const struct str colon = STR_INIT(": ");
    ptrdiff_t turn;
    while ((turn = str_find(text, STR("]("))) >= 0) {
        ptrdiff_t open = str_find_char(text, '[');
        struct str page = str_slice(text, (size_t)turn + 2, text.n);
        ptrdiff_t end = str_find_char(page, ')');
        assert(open >= 0 && open < turn && end > 0);
        struct str before = str_slice(text, 0, (size_t)open);
        if (str_ends(before, colon)) {
            buf_str(b, str_slice(before, 0, before.n - colon.n));
        } else {
            buf_str(b, before);
            buf_str(b, str_slice(text, (size_t)open + 1, (size_t)turn));
        }
        text = str_slice(page, (size_t)end + 1, page.n);
    }
    buf_str(b, text);
}

static void put_description(struct json_out *j, struct str text, const struct schema_style *style)
{
    char space[DESCRIPTION_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (!style->links) {
        put_without_links(&b, text);
        assert(!b.overflow);
        text = buf_view(&b);
    }
    JSON_KEY_STR(j, "description", text);
}

static void put_ref(struct json_out *j, struct str name, const struct schema_style *style)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_str(&b, style->prefix);
    buf_str(&b, name);
    JSON_KEY_STR(j, "$ref", buf_view(&b));
}

static void put_ref_or_null(struct json_out *j, struct str name, const struct schema_style *style)
{
    JSON_KEY_ARRAY(j, "anyOf");
    json_object_begin(j);
    put_ref(j, name, style);
    json_object_end(j);
    json_raw(j, STR("{\"type\":\"null\"}"));
    json_array_end(j);
}

static void put_type(struct json_out *j, struct str type, bool nullable)
{
    json_key(j, STR("type"));
    if (!nullable) {
        json_str(j, type);
        return;
    }
    json_array_begin(j);
    json_str(j, type);
    json_str(j, STR("null"));
    json_array_end(j);
}

static void put_names(struct json_out *j, const struct shape_field *member)
{
    JSON_KEY_ARRAY(j, "enum");
    for (int i = 1; i < member->list->count; i++)
        json_str(j, member->list->name_of(i));
    if (member->nullable)
        json_no_value(j);
    json_array_end(j);
}

static struct str type_name(enum schema_type type)
{
    return type == SCHEMA_INTEGER   ? STR("integer")
           : type == SCHEMA_NUMBER  ? STR("number")
           : type == SCHEMA_BOOLEAN ? STR("boolean")
                                    : STR("string");
}

static void put_member(
    struct json_out *j, const struct shape_field *member, const struct schema_style *style)
{
    json_object_begin(j);
    switch (type_of(member)) {
    case SCHEMA_REF:
        if (member->nullable)
            put_ref_or_null(j, member->object->name, style);
        else
            put_ref(j, member->object->name, style);
        break;
    case SCHEMA_OPEN:
        put_type(j, STR("object"), member->nullable);
        JSON_KEY_BOOL(j, "additionalProperties", true);
        break;
    case SCHEMA_LIST:
        JSON_KEY_STR(j, "type", STR("array"));
        JSON_KEY_OBJECT(j, "items");
        if (member->list) {
            put_type(j, type_name(SCHEMA_STRING), false);
            put_names(j, member);
        } else {
            put_ref(j, member->object->name, style);
        }
        json_object_end(j);
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_NUMBER:
    case SCHEMA_BOOLEAN:
        put_type(j, type_name(type_of(member)), member->nullable);
        if (!str_is_null(member->format))
            JSON_KEY_STR(j, "format", member->format);
        if (member->kind == SHAPE_STRING && !str_is_null(member->constant))
            JSON_KEY_STR(j, "const", member->constant);
        if (member->list)
            put_names(j, member);
        break;
    }
    put_description(j, member->description, style);
    json_object_end(j);
}

void schema_json(
    struct json_out *j, const struct shape_object *schema, const struct schema_style *style)
{
    const struct shape_field *member;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    put_description(j, schema->description, style);
    JSON_KEY_ARRAY(j, "required");
    for (size_t i = 0; (member = schema_member_at(schema, i)); i++)
        if (!member->optional)
            json_str(j, member->name);
    json_array_end(j);
    JSON_KEY_OBJECT(j, "properties");
    for (size_t i = 0; (member = schema_member_at(schema, i)); i++) {
        json_key(j, member->name);
        put_member(j, member, style);
    }
    for (size_t i = 0; schema == &shape_trade && i < OPTIONAL_COUNT; i++) {
        json_key(j, trade_optional[i].name);
        put_member(j, &trade_optional[i], style);
    }
    json_object_end(j);
    if (is_closed(schema))
        JSON_KEY_BOOL(j, "additionalProperties", false);
    json_object_end(j);
}

void schema_type_put(struct buf *b, const struct shape_field *member)
{
    switch (type_of(member)) {
    case SCHEMA_LIST:
        buf_str(b, STR("array of "));
        buf_str(b, member->list ? type_name(SCHEMA_STRING) : member->object->name);
        break;
    case SCHEMA_REF:
        buf_str(b, member->object->name);
        break;
    case SCHEMA_OPEN:
        buf_str(b, STR("object"));
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_NUMBER:
    case SCHEMA_BOOLEAN:
        buf_str(b, type_name(type_of(member)));
        break;
    }
    if (member->nullable)
        buf_str(b, STR(" or null"));
}

/* Descriptions of objects; see schema.h. */
#include "api/schema.h"

#include "wire/filing.h"
#include "wire/lists.h"
#include "wire/trade.h"

#define MEMBER(text) .name = STR_INIT(text)
#define COUNT(text, what)                                                                          \
    {                                                                                              \
        MEMBER(text), .type = SCHEMA_INTEGER, .description = STR_INIT(what)                        \
    }
#define END                                                                                        \
    {                                                                                              \
        .name = { NULL, 0 }                                                                        \
    }

/* decision 9 */
static const struct schema_member committee[] = {
    {MEMBER("id"), .description = STR_INIT("Committee id of the congressional data set.")},
    {MEMBER("name"), .description = STR_INIT("Name of the committee or subcommittee.")},
    {MEMBER("role"), .description = STR_INIT("chair, ranking_member, vice_chair or member.")},
    END,
};

static const struct schema_member profile[] = {
    {MEMBER("id"), .description = STR_INIT("Bioguide id; demo-NNNN for invented members.")},
    {MEMBER("slug"), .description = STR_INIT("Identifier used in the path; never changes.")},
    {MEMBER("name"), .description = STR_INIT("Display name.")},
    {MEMBER("chamber"), .list = &wire_chambers,
     .description = STR_INIT("Today's, or the last one served in.")},
    {MEMBER("party"), .nullable = true,
     .description = STR_INIT("Today's party: Democrat, Republican, Independent and others.")},
    {MEMBER("state"), .nullable = true, .description = STR_INIT("Two-letter code.")},
    {MEMBER("district"), .type = SCHEMA_INTEGER, .nullable = true,
     .description = STR_INIT("House district, 0 at large; null for senators.")},
    {MEMBER("inOffice"), .type = SCHEMA_BOOLEAN, .description = STR_INIT("Serving today.")},
    {MEMBER("committees"), .type = SCHEMA_LIST, .ref = STR_INIT("Committee"),
     .description = STR_INIT("Today's seats, as far as they were imported.")},
    END,
};

static const struct schema_member politician_counts[] = {
    COUNT("trades", "All published trades."),
    COUNT("buys", "Of them purchases."),
    COUNT("sells", "Of them full and partial sales."),
    COUNT("exchanges", "Of them exchanges."),
    COUNT("conflicts", "Of them with a conflict signal."),
    COUNT("filings", "Published filings, those without trades included."),
    END,
};

static const struct schema_member politician_activity[] = {
    {MEMBER("profile"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianProfile"),
     .description = STR_INIT("Who the politician is today.")},
    {MEMBER("recentTrades"), .type = SCHEMA_LIST, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The newest 25.")},
    {MEMBER("counts"), .type = SCHEMA_REF, .ref = STR_INIT("PoliticianCounts"),
     .description = STR_INIT("Over all trades.")},
    {MEMBER("lastActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Newest disclosedAt; null when nothing was disclosed.")},
    END,
};

/* decision 10 */
static const struct schema_member ticker_aggregates[] = {
    COUNT("trades", "All published trades."),
    COUNT("buys", "Of them purchases."),
    COUNT("sells", "Of them full and partial sales."),
    COUNT("exchanges", "Of them exchanges."),
    COUNT("politicians", "How many politicians disclosed them."),
    COUNT("conflicts", "Of the trades, those with a conflict signal."),
    {MEMBER("firstActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Oldest disclosedAt; null when nothing was traded.")},
    {MEMBER("lastActivity"), .nullable = true, .format = STR_INIT("date-time"),
     .description = STR_INIT("Newest disclosedAt; null when nothing was traded.")},
    END,
};

static const struct schema_member ticker_activity[] = {
    {MEMBER("ticker"), .description = STR_INIT("The symbol in its normal form.")},
    {MEMBER("companyName"), .nullable = true,
     .description = STR_INIT("From public symbol lists; null when not known.")},
    {MEMBER("industry"), .nullable = true,
     .description = STR_INIT("From the curated industry map; null when not known.")},
    {MEMBER("recentTrades"), .type = SCHEMA_LIST, .ref = STR_INIT("Trade"),
     .description = STR_INIT("The newest 25.")},
    {MEMBER("aggregates"), .type = SCHEMA_REF, .ref = STR_INIT("TickerAggregates"),
     .description = STR_INIT("Over all trades.")},
    END,
};

static const struct schema schemas[] = {
    {.closed = true, .wire = &wire_trade},
    {.closed = true, .wire = &wire_politician_ref},
    {.closed = true, .wire = &wire_amount_range},
    {.closed = true, .wire = &wire_filing},
    {STR_INIT("PoliticianActivity"), STR_INIT("What one member of Congress disclosed."),
     .own = politician_activity},
    {STR_INIT("PoliticianProfile"), STR_INIT("A member of Congress as of today."), .own = profile},
    {STR_INIT("Committee"), STR_INIT("A seat on a committee."), .own = committee},
    {STR_INIT("PoliticianCounts"), STR_INIT("Counts over all trades of a politician."),
     .own = politician_counts},
    {STR_INIT("TickerActivity"), STR_INIT("What was disclosed in one symbol."),
     .own = ticker_activity},
    {STR_INIT("TickerAggregates"), STR_INIT("Counts over all trades in a symbol."),
     .own = ticker_aggregates},
};

struct str schema_name(const struct schema *schema)
{
    return schema->wire ? schema->wire->name : schema->name;
}

struct str schema_description(const struct schema *schema)
{
    return schema->wire ? schema->wire->description : schema->description;
}

const struct schema *schema_at(size_t i)
{
    return i < sizeof schemas / sizeof *schemas ? &schemas[i] : NULL;
}

const struct schema *schema_named(struct str name)
{
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        if (str_eq(schema_name(&schemas[i]), name))
            return &schemas[i];
    return NULL;
}

static enum schema_type type_of(enum wire_kind kind)
{
    switch (kind) {
    case WIRE_DOLLARS:
        return SCHEMA_INTEGER;
    case WIRE_PRESENT:
        return SCHEMA_BOOLEAN;
    case WIRE_OBJECT:
        return SCHEMA_REF;
    case WIRE_STRING:
    case WIRE_LISTED:
    case WIRE_CONSTANT:
    case WIRE_DAY:
    case WIRE_INSTANT:
        break;
    }
    return SCHEMA_STRING;
}

bool schema_member_at(const struct schema *schema, size_t i, struct schema_member *ret)
{
    if (!schema->wire) {
        if (str_is_null(schema->own[i].name))
            return false;
        *ret = schema->own[i];
        return true;
    }
    if (i >= schema->wire->count)
        return false;
    const struct wire_field *field = &schema->wire->fields[i];
    *ret = (struct schema_member){
        .name = field->name,
        .type = type_of(field->kind),
        .nullable = field->nullable,
        .format = field->format,
        .ref = field->object ? field->object->name : STR_NULL,
        .list = field->list,
        .description = field->description,
    };
    return true;
}

static void put_ref(struct json_out *j, struct str name)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_str(&b, STR("#/components/schemas/"));
    buf_str(&b, name);
    JSON_KEY_STR(j, "$ref", buf_view(&b));
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

static void put_names(struct json_out *j, const struct schema_member *member)
{
    json_key(j, STR("enum"));
    json_array_begin(j);
    for (int i = 1; i < member->list->count; i++)
        json_str(j, member->list->name_of(i));
    if (member->nullable)
        json_no_value(j);
    json_array_end(j);
}

static struct str type_name(enum schema_type type)
{
    return type == SCHEMA_INTEGER   ? STR("integer")
           : type == SCHEMA_BOOLEAN ? STR("boolean")
                                    : STR("string");
}

static void put_member(struct json_out *j, const struct schema_member *member)
{
    json_object_begin(j);
    switch (member->type) {
    case SCHEMA_REF:
        put_ref(j, member->ref);
        break;
    case SCHEMA_LIST:
        JSON_KEY_STR(j, "type", STR("array"));
        json_key(j, STR("items"));
        json_object_begin(j);
        put_ref(j, member->ref);
        json_object_end(j);
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_BOOLEAN:
        put_type(j, type_name(member->type), member->nullable);
        if (!str_is_null(member->format))
            JSON_KEY_STR(j, "format", member->format);
        if (member->list)
            put_names(j, member);
        break;
    }
    JSON_KEY_STR(j, "description", member->description);
    json_object_end(j);
}

void schema_json(struct json_out *j, const struct schema *schema)
{
    struct schema_member member;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    JSON_KEY_STR(j, "description", schema_description(schema));
    json_key(j, STR("required"));
    json_array_begin(j);
    for (size_t i = 0; schema_member_at(schema, i, &member); i++)
        json_str(j, member.name);
    json_array_end(j);
    json_key(j, STR("properties"));
    json_object_begin(j);
    for (size_t i = 0; schema_member_at(schema, i, &member); i++) {
        json_key(j, member.name);
        put_member(j, &member);
    }
    json_object_end(j);
    if (schema->closed)
        JSON_KEY_BOOL(j, "additionalProperties", false);
    json_object_end(j);
}

void schema_type_put(struct buf *b, const struct schema_member *member)
{
    switch (member->type) {
    case SCHEMA_LIST:
        buf_str(b, STR("array of "));
        buf_str(b, member->ref);
        break;
    case SCHEMA_REF:
        buf_str(b, member->ref);
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_BOOLEAN:
        buf_str(b, type_name(member->type));
        break;
    }
    if (member->nullable)
        buf_str(b, STR(" or null"));
}

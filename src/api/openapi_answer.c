/* Writes schemas of bodies by the shape of the operation; see openapi_answer.h. */
#include "api/openapi_answer.h"

#include "rule/page.h"

/* The members of lists beside `data`. */
static const struct {
    struct str name, schema;
    bool of_sequence; /* SHAPE_SEQUENCE alone */
    bool of_endless;  /* of lists without an end: SHAPE_SEQUENCE and SHAPE_EVENTS */
    bool of_groups;   /* SHAPE_GROUPS alone */
} members[] = {
    {STR_INIT("nextCursor"),
     STR_INIT("{\"type\":[\"string\",\"null\"],\"description\":\"Pass it as cursor to get the next "
              "page; null on the last page.\"}"),
     false, false},
    {STR_INIT("lastSeq"),
     STR_INIT("{\"type\":\"integer\",\"description\":\"seq of the last entry, or of the newest one "
              "if data is empty.\"}"),
     true, true},
    {STR_INIT("lastCursor"),
     STR_INIT("{\"type\":\"string\",\"description\":\"Position of the last entry. Pass it as "
              "cursor to continue at any time, also from an empty page.\"}"),
     false, true},
    {STR_INIT("totals"), STR_INIT("{\"$ref\":\"#/components/schemas/TradeSums\"}"),
     .of_groups = true},
    {STR_INIT("overlaps"),
     STR_INIT("{\"type\":\"boolean\",\"description\":\"True if a trade can be in several groups: "
              "then they do not add up to the totals.\"}"),
     .of_groups = true},
};

static bool has(enum operation_shape shape, size_t member)
{
    if (members[member].of_sequence)
        return shape == SHAPE_SEQUENCE;
    if (members[member].of_groups)
        return shape == SHAPE_GROUPS;
    return !members[member].of_endless || shape == SHAPE_SEQUENCE || shape == SHAPE_EVENTS;
}

static void put_ref(struct json_out *j, struct str schema)
{
    char space[160];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, "#/components/schemas/");
    buf_str(&b, schema);
    json_object_begin(j);
    JSON_KEY_STR(j, "$ref", buf_view(&b));
    json_object_end(j);
}

static void put_list(struct json_out *j, const struct operation *operation)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("array"));
    JSON_KEY_I64(j, "maxItems", PAGE_LIMIT_MAX);
    json_key(j, STR("items"));
    put_ref(j, operation->schema);
    json_object_end(j);
}

static void put_single(struct json_out *j, const struct operation *operation)
{
    if (str_is_null(operation->other_schema)) {
        put_ref(j, operation->schema);
        return;
    }
    json_object_begin(j);
    JSON_KEY_ARRAY(j, "anyOf");
    put_ref(j, operation->schema);
    put_ref(j, operation->other_schema);
    json_array_end(j);
    json_object_end(j);
}

static void put_properties(struct json_out *j, const struct operation *operation)
{
    bool list = operation->shape != SHAPE_SINGLE;
    JSON_KEY_ARRAY(j, "required");
    json_str(j, STR("data"));
    for (size_t i = 0; list && i < sizeof members / sizeof *members; i++)
        if (has(operation->shape, i))
            json_str(j, members[i].name);
    json_array_end(j);
    JSON_KEY_OBJECT(j, "properties");
    json_key(j, STR("data"));
    if (list)
        put_list(j, operation);
    else
        put_single(j, operation);
    for (size_t i = 0; list && i < sizeof members / sizeof *members; i++) {
        if (!has(operation->shape, i))
            continue;
        json_key(j, members[i].name);
        json_raw(j, members[i].schema);
    }
    json_object_end(j);
}

void openapi_answer_put(struct json_out *j, const struct operation *operation)
{
    bool other = operation->shape == SHAPE_OTHER;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    if (other)
        JSON_KEY_STR(j, "description", STR("An OpenAPI 3.1 document."));
    else
        put_properties(j, operation);
    JSON_KEY_BOOL(j, "additionalProperties", other);
    json_object_end(j);
}

void openapi_errors_put(struct json_out *j)
{
    JSON_KEY_RAW(
        j, "Error",
        STR("{\"type\":\"object\",\"description\":\"Every error except rate_limited.\","
            "\"required\":[\"error\"],\"properties\":{"
            "\"error\":{\"type\":\"string\",\"description\":\"Machine-readable code.\"},"
            "\"hint\":{\"type\":\"string\",\"description\":\"Guidance for people; not stable.\"}"
            "}}"));
    JSON_KEY_RAW(
        j, "Gone",
        STR("{\"type\":\"object\",\"description\":\"The body of 410 for what was withdrawn.\","
            "\"required\":[\"error\",\"hint\",\"withdrawnAt\",\"reason\"],\"properties\":{"
            "\"error\":{\"type\":\"string\",\"const\":\"gone\"},"
            "\"hint\":{\"type\":\"string\",\"description\":\"Guidance for people; not stable.\"},"
            "\"withdrawnAt\":{\"type\":\"string\",\"format\":\"date-time\","
            "\"description\":\"When it was withdrawn.\"},"
            "\"reason\":{\"type\":\"string\",\"description\":\"Why, as in /corrections.\"}}}"));
    JSON_KEY_RAW(
        j, "RateLimited",
        STR("{\"type\":\"object\",\"description\":\"The body of 429; it has no other members.\","
            "\"required\":[\"error\",\"retryAfterSeconds\"],\"properties\":{"
            "\"error\":{\"type\":\"string\",\"const\":\"rate_limited\"},"
            "\"retryAfterSeconds\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"As "
            "Retry-After.\"}},\"additionalProperties\":false}"));
}

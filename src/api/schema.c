/* Descriptions of objects, printed; see schema.h. */
#include "api/schema.h"

struct str schema_name(const struct schema *schema)
{
    return schema->wire ? schema->wire->name : schema->name;
}

struct str schema_description(const struct schema *schema)
{
    return schema->wire ? schema->wire->description : schema->description;
}

const struct schema *schema_named(struct str name)
{
    const struct schema *schema;
    for (size_t i = 0; (schema = schema_at(i)) && !str_eq(schema_name(schema), name);)
        i++;
    return schema;
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

static void put_ref_or_null(struct json_out *j, struct str name)
{
    json_key(j, STR("anyOf"));
    json_array_begin(j);
    json_object_begin(j);
    put_ref(j, name);
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
        if (member->nullable)
            put_ref_or_null(j, member->ref);
        else
            put_ref(j, member->ref);
        break;
    case SCHEMA_OPEN:
        put_type(j, STR("object"), member->nullable);
        JSON_KEY_BOOL(j, "additionalProperties", true);
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
    case SCHEMA_OPEN:
        buf_str(b, STR("object"));
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

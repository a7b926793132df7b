/* Descriptions of objects, printed; see schema.h. */
#include "noun/schema.h"

#include <assert.h>

enum { DESCRIPTION_SIZE_MAX = 1024 };

const struct schema_style schema_in_openapi = {STR_INIT("#/components/schemas/"), .links = true};
const struct schema_style schema_in_defs = {STR_INIT("#/$defs/"), .links = false};

struct str schema_name(const struct schema *schema)
{
    return schema->shape ? schema->shape->name : schema->name;
}

struct str schema_description(const struct schema *schema)
{
    return schema->shape ? schema->shape->description : schema->description;
}

const struct schema *schema_named(struct str name)
{
    const struct schema *schema;
    for (size_t i = 0; (schema = schema_at(i)) && !str_eq(schema_name(schema), name);)
        i++;
    return schema;
}

static enum schema_type type_of(enum shape_kind kind)
{
    switch (kind) {
    case SHAPE_DOLLARS:
    case SHAPE_DAYS:
        return SCHEMA_INTEGER;
    case SHAPE_MAYBE:
    case SHAPE_PRESENT:
        return SCHEMA_BOOLEAN;
    case SHAPE_OBJECT:
        return SCHEMA_REF;
    case SHAPE_STRING:
    case SHAPE_LISTED:
    case SHAPE_CONSTANT:
    case SHAPE_DAY:
    case SHAPE_INSTANT:
        break;
    }
    return SCHEMA_STRING;
}

bool schema_member_at(const struct schema *schema, size_t i, struct schema_member *ret)
{
    if (!schema->shape) {
        size_t own = 0;
        while (!str_is_null(schema->own[own].name) && own < i)
            own++;
        if (!str_is_null(schema->own[own].name)) {
            *ret = schema->own[own];
            return true;
        }
        i -= own;
    }
    const struct shape_object *shape = schema->shape ? schema->shape : schema->more;
    if (!shape || i >= shape->count)
        return false;
    const struct shape_field *field = &shape->fields[i];
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
    json_key(j, STR("anyOf"));
    json_array_begin(j);
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
           : type == SCHEMA_NUMBER  ? STR("number")
           : type == SCHEMA_BOOLEAN ? STR("boolean")
                                    : STR("string");
}

static void put_member(
    struct json_out *j, const struct schema_member *member, const struct schema_style *style)
{
    json_object_begin(j);
    switch (member->type) {
    case SCHEMA_REF:
        if (member->nullable)
            put_ref_or_null(j, member->ref, style);
        else
            put_ref(j, member->ref, style);
        break;
    case SCHEMA_OPEN:
        put_type(j, STR("object"), member->nullable);
        JSON_KEY_BOOL(j, "additionalProperties", true);
        break;
    case SCHEMA_LIST:
        JSON_KEY_STR(j, "type", STR("array"));
        json_key(j, STR("items"));
        json_object_begin(j);
        if (member->list) {
            put_type(j, type_name(SCHEMA_STRING), false);
            put_names(j, member);
        } else {
            put_ref(j, member->ref, style);
        }
        json_object_end(j);
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_NUMBER:
    case SCHEMA_BOOLEAN:
        put_type(j, type_name(member->type), member->nullable);
        if (!str_is_null(member->format))
            JSON_KEY_STR(j, "format", member->format);
        if (!str_is_null(member->constant))
            JSON_KEY_STR(j, "const", member->constant);
        if (member->list)
            put_names(j, member);
        break;
    }
    put_description(j, member->description, style);
    json_object_end(j);
}

void schema_json(struct json_out *j, const struct schema *schema, const struct schema_style *style)
{
    struct schema_member member;
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    put_description(j, schema_description(schema), style);
    json_key(j, STR("required"));
    json_array_begin(j);
    for (size_t i = 0; schema_member_at(schema, i, &member); i++)
        json_str(j, member.name);
    json_array_end(j);
    json_key(j, STR("properties"));
    json_object_begin(j);
    for (size_t i = 0; schema_member_at(schema, i, &member); i++) {
        json_key(j, member.name);
        put_member(j, &member, style);
    }
    for (const struct schema_member *m = schema->optional; m && !str_is_null(m->name); m++) {
        json_key(j, m->name);
        put_member(j, m, style);
    }
    json_object_end(j);
    if (schema->closed)
        JSON_KEY_BOOL(j, "additionalProperties", false);
    json_object_end(j);
}

/* Marks this schema and those it refers to, by their places in the table. */
static void mark_reached(uint64_t *marks, const struct schema *schema)
{
    struct schema_member member;
    size_t place = 0;
    while (schema_at(place) && schema_at(place) != schema)
        place++;
    assert(schema_at(place)); /* every reference is in the table */
    uint64_t mark = UINT64_C(1) << place;
    if (*marks & mark)
        return;
    *marks |= mark;
    for (size_t i = 0; schema_member_at(schema, i, &member); i++)
        if (!str_is_null(member.ref))
            mark_reached(marks, schema_named(member.ref));
    for (const struct schema_member *m = schema->optional; m && !str_is_null(m->name); m++)
        if (!str_is_null(m->ref))
            mark_reached(marks, schema_named(m->ref));
}

void schema_defs_json(struct json_out *j, const struct schema *const *roots, size_t count)
{
    uint64_t marks = 0;
    for (size_t i = 0; i < count; i++)
        mark_reached(&marks, roots[i]);
    json_object_begin(j);
    for (size_t i = 0; schema_at(i); i++) {
        if (marks >> i & 1) {
            json_key(j, schema_name(schema_at(i)));
            schema_json(j, schema_at(i), &schema_in_defs);
        }
    }
    json_object_end(j);
}

void schema_type_put(struct buf *b, const struct schema_member *member)
{
    switch (member->type) {
    case SCHEMA_LIST:
        buf_str(b, STR("array of "));
        buf_str(b, member->list ? type_name(SCHEMA_STRING) : member->ref);
        break;
    case SCHEMA_REF:
        buf_str(b, member->ref);
        break;
    case SCHEMA_OPEN:
        buf_str(b, STR("object"));
        break;
    case SCHEMA_STRING:
    case SCHEMA_INTEGER:
    case SCHEMA_NUMBER:
    case SCHEMA_BOOLEAN:
        buf_str(b, type_name(member->type));
        break;
    }
    if (member->nullable)
        buf_str(b, STR(" or null"));
}

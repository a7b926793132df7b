/* datapackage.json; see datapackage.h. */
#include "record/datapackage.h"

#include "base/codec.h"
#include "noun/extra.h"
#include "noun/lists.h"
#include "record/record_rows.h"

struct str datapackage_type(enum shape_kind kind)
{
    switch (kind) {
    case SHAPE_DAY:
        return STR("date");
    case SHAPE_MONTH:
        return STR("yearmonth");
    case SHAPE_INSTANT:
        return STR("datetime");
    case SHAPE_DOLLARS:
    case SHAPE_COUNT:
    case SHAPE_INTEGER:
    case SHAPE_ORDINAL:
        return STR("integer");
    case SHAPE_SECONDS:
    case SHAPE_SHARE:
        return STR("number");
    case SHAPE_BOOLEAN:
    case SHAPE_MAYBE:
    case SHAPE_PRESENT:
        return STR("boolean");
    case SHAPE_JSON:
    case SHAPE_OBJECT:
    case SHAPE_POINTER:
        return STR("object");
    case SHAPE_JSON_LIST:
    case SHAPE_ROWS:
    case SHAPE_NAMES:
    case SHAPE_LIST:
        return STR("array");
    default:
        return STR("string");
    }
}

/* A description without the targets of its links, which are pages of the site. */
static void put_description(struct json_out *j, struct str text)
{
    BUF_SCOPED(b, SIZE_MAX);
    for (size_t i = 0; i < text.n; i++) {
        ptrdiff_t end = -1;
        if (str_starts(str_slice(text, i, text.n), STR("](")))
            end = str_find_char(str_slice(text, i, text.n), ')');
        if (end > 0)
            i += (size_t)end;
        else if (text.p[i] != '[')
            buf_char(&b, text.p[i]);
    }
    JSON_KEY_STR(j, "description", buf_view(&b));
}

static void put_member(
    struct json_out *j, struct str name, struct str type, bool required, const struct shape_list *l,
    struct str description)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "name", name);
    JSON_KEY_STR(j, "type", type);
    if (description.n)
        put_description(j, description);
    JSON_KEY_OBJECT(j, "constraints");
    JSON_KEY_BOOL(j, "required", required);
    if (l) {
        JSON_KEY_ARRAY(j, "enum");
        for (int i = 1; i < l->count; i++)
            json_str(j, l->name_of(i));
        json_array_end(j);
    }
    json_object_end(j);
    json_object_end(j);
}

static const struct shape_list *list_of(const struct shape_field *field)
{
    return field->kind == SHAPE_LISTED ? field->list : NULL;
}

/* `required` is the object's: all columns of an object that may be null are empty then. */
static void put_column(void *ctx, const struct shape_field *field, bool required)
{
    put_member(
        ctx, field->csv, datapackage_type(field->kind), required && !field->nullable,
        list_of(field), field->description);
}

static void put_members(struct json_out *j, const struct shape_object *object)
{
    for (size_t i = 0; i < object->count; i++) {
        const struct shape_field *field = &object->fields[i];
        put_member(
            j, field->name, datapackage_type(field->kind), !field->nullable, list_of(field),
            field->description);
    }
    if (object->more)
        put_members(j, object->more);
}

static void put_fields(struct json_out *j, const struct record_part *part)
{
    json_array_begin(j);
    if (part->csv)
        record_csv_each(put_column, j);
    else
        put_members(j, part->object);
    for (int field = 1; field < SHAPE_FIELDS_COUNT && !part->csv && part->extra; field++)
        put_member(
            j, shape_fields.name_of(field), STR("object"), false, NULL,
            shape_extra_object(field)->description);
    json_array_end(j);
}

static void put_key(struct json_out *j, const struct record_part *part)
{
    struct str rest = str_from(part->key ? part->key : "id"), name;
    JSON_KEY_ARRAY(j, "primaryKey");
    while (rest.n && str_split(&rest, ',', &name))
        json_str(j, name);
    json_array_end(j);
    if (!part->refers)
        return;
    rest = str_from(part->refers);
    JSON_KEY_ARRAY(j, "foreignKeys");
    while (str_split(&rest, ',', &name)) {
        struct str field = STR_NULL;
        str_split(&name, '=', &field);
        json_object_begin(j);
        JSON_KEY_STR(j, "fields", field);
        JSON_KEY_OBJECT(j, "reference");
        JSON_KEY_STR(j, "resource", name);
        JSON_KEY_STR(j, "fields", STR("id"));
        json_object_end(j);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_resource(
    struct json_out *j, const struct record_part *part, const struct manifest_file *file)
{
    char hash[sizeof "sha256:" - 1 + 2 * SHA256_SIZE] = "sha256:";
    hex_encode(file->sha256, SHA256_SIZE, hash + sizeof "sha256:" - 1);
    json_object_begin(j);
    JSON_KEY_STR(j, "name", str_from(part->title));
    JSON_KEY_STR(j, "path", file->name);
    JSON_KEY_STR(j, "format", part->csv ? STR("csv") : STR("ndjson"));
    JSON_KEY_STR(j, "compression", STR("gz"));
    JSON_KEY_STR(j, "encoding", STR("utf-8"));
    JSON_KEY_I64(j, "bytes", file->bytes);
    JSON_KEY_STR(j, "hash", str_of(hash, sizeof hash));
    JSON_KEY_OBJECT(j, "schema");
    json_key(j, STR("fields"));
    put_fields(j, part);
    put_key(j, part);
    json_object_end(j);
    json_object_end(j);
}

void datapackage_put(struct buf *b, const struct manifest *m)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "name", STR("stockact"));
    JSON_KEY_STR(&j, "title", STR("Stock trades that members of the U.S. Congress disclosed"));
    JSON_KEY_STR(&j, "version", m->day);
    JSON_KEY_INSTANT(&j, "created", m->created_at);
    JSON_KEY_ARRAY(&j, "resources");
    for (size_t i = 0; i < m->file_count; i++)
        put_resource(&j, &record_parts[i], &m->files[i]);
    json_array_end(&j);
    json_object_end(&j);
    buf_char(b, '\n');
}

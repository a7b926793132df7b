/* Writes the descriptions of tools/list; see tool.h. */
#include <assert.h>

#include "mcp/tool.h"

static const struct shape_object *schema_of(const struct tool *tool)
{
    const struct shape_object *schema =
        tool->schema ? schema_named(str_from(tool->schema)) : tool->own_schema;
    assert(schema);
    return schema;
}

static void put_ref(struct json_out *j, const struct shape_object *schema)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    buf_str(&b, STR("#/$defs/"));
    buf_str(&b, schema->name);
    json_object_begin(j);
    JSON_KEY_STR(j, "$ref", buf_view(&b));
    json_object_end(j);
}

static void put_data(struct json_out *j, const struct tool *tool)
{
    json_key(j, STR("data"));
    if (tool->answers == TOOL_ANSWER_ONE) {
        put_ref(j, schema_of(tool));
        return;
    }
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("array"));
    json_key(j, STR("items"));
    put_ref(j, schema_of(tool));
    json_object_end(j);
}

static void put_text_member(
    struct json_out *j, struct str name, bool nullable, struct str description)
{
    json_key(j, name);
    json_object_begin(j);
    JSON_KEY_RAW(j, "type", nullable ? STR("[\"string\",\"null\"]") : STR("\"string\""));
    JSON_KEY_STR(j, "description", description);
    json_object_end(j);
}

static bool has_next_cursor(const struct tool *tool)
{
    return tool->answers == TOOL_ANSWER_PAGE || tool->answers == TOOL_ANSWER_SCAN;
}

static void put_properties(struct json_out *j, const struct tool *tool)
{
    json_object_begin(j);
    put_data(j, tool);
    if (has_next_cursor(tool))
        put_text_member(
            j, STR("nextCursor"), true, STR("Pass it as cursor to continue; null at the end."));
    if (tool->answers == TOOL_ANSWER_SCAN)
        put_text_member(
            j, STR("cutShort"), false,
            STR("Why the scan ended before max_pages; absent if it did not. Continue with "
                "nextCursor."));
    if (tool->answers == TOOL_ANSWER_MATCHES) {
        json_key(j, STR("scan"));
        put_ref(j, tool->own_scan_schema);
    }
    put_text_member(
        j, STR("note"), false,
        STR("Present if there is something to know about the result, or something else to try."));
    put_text_member(
        j, STR("dataNotice"), false,
        STR("Present if the server serves demonstration data: nothing in the result is real."));
    put_text_member(
        j, STR("rateLimitWarning"), false,
        STR("Present if a caller without an API key has few requests left."));
    json_object_end(j);
}

/* Schemas of the API come with all schemas that they refer to. A tool's own refer to none. */
static void put_defs(struct json_out *j, const struct tool *tool)
{
    const struct shape_object *const schemas[] = {schema_of(tool), tool->own_scan_schema};
    if (tool->schema) {
        schema_defs_json(j, schemas, 1);
        return;
    }
    json_object_begin(j);
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        json_key(j, schemas[i]->name);
        schema_json(j, schemas[i], &schema_in_defs);
    }
    json_object_end(j);
}

static void put_output_schema(struct json_out *j, const struct tool *tool)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    json_key(j, STR("properties"));
    put_properties(j, tool);
    JSON_KEY_ARRAY(j, "required");
    json_str(j, STR("data"));
    if (has_next_cursor(tool))
        json_str(j, STR("nextCursor"));
    if (tool->answers == TOOL_ANSWER_MATCHES)
        json_str(j, STR("scan"));
    json_array_end(j);
    json_key(j, STR("$defs"));
    put_defs(j, tool);
    json_object_end(j);
}

static void put_annotations(struct json_out *j)
{
    json_object_begin(j);
    JSON_KEY_BOOL(j, "readOnlyHint", true);
    JSON_KEY_BOOL(j, "destructiveHint", false);
    JSON_KEY_BOOL(j, "idempotentHint", true);
    JSON_KEY_BOOL(j, "openWorldHint", false);
    json_object_end(j);
}

void tool_list_json(struct json_out *j)
{
    const struct tool *tool;
    json_array_begin(j);
    for (size_t i = 0; (tool = tool_at(i)); i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "name", tool->name);
        JSON_KEY_STR(j, "title", tool->title);
        JSON_KEY_STR(j, "description", tool->description);
        json_key(j, STR("inputSchema"));
        arguments_schema_json(j, tool->arguments);
        json_key(j, STR("outputSchema"));
        put_output_schema(j, tool);
        json_key(j, STR("annotations"));
        put_annotations(j);
        json_object_end(j);
    }
    json_array_end(j);
}

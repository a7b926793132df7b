/* Writes the descriptions of tools/list; see tool.h. */
#include "mcp/tool.h"

#define ANSWER(kind) (1u << (kind))
#define OF_MANY                                                                                    \
    (ANSWER(TOOL_ANSWER_PAGE) | ANSWER(TOOL_ANSWER_GROUPS) | ANSWER(TOOL_ANSWER_SCAN) |            \
     ANSWER(TOOL_ANSWER_MATCHES))
#define OBJECT "{\"type\":\"object\"}"

/* The members of results, without those that any result may have (note, dataNotice,
 * rateLimitWarning). What is in them the reference of the API says: whole schemas would be most of
 * what a model reads before it asks anything. */
static const struct result_member {
    struct str name, schema;
    unsigned answers;
    bool optional;
} members[] = {
    {STR_INIT("data"), STR_INIT(OBJECT), ANSWER(TOOL_ANSWER_ONE), false},
    {STR_INIT("data"), STR_INIT("{\"type\":\"array\",\"items\":" OBJECT "}"), OF_MANY, false},
    {STR_INIT("totals"), STR_INIT(OBJECT), ANSWER(TOOL_ANSWER_GROUPS), false},
    {STR_INIT("overlaps"), STR_INIT("{\"type\":\"boolean\"}"), ANSWER(TOOL_ANSWER_GROUPS), false},
    {STR_INIT("nextCursor"), STR_INIT("{\"type\":[\"string\",\"null\"]}"),
     OF_MANY & ~ANSWER(TOOL_ANSWER_MATCHES), false},
    {STR_INIT("cutShort"), STR_INIT("{\"type\":\"string\"}"), ANSWER(TOOL_ANSWER_SCAN), true},
    {STR_INIT("scan"), STR_INIT(OBJECT), ANSWER(TOOL_ANSWER_MATCHES), false},
};

enum { MEMBERS = sizeof members / sizeof *members };

static void put_output_schema(struct json_out *j, const struct tool *tool)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    JSON_KEY_OBJECT(j, "properties");
    for (int i = 0; i < MEMBERS; i++)
        if (members[i].answers & ANSWER(tool->answers)) {
            json_key(j, members[i].name);
            json_raw(j, members[i].schema);
        }
    json_object_end(j);
    JSON_KEY_ARRAY(j, "required");
    for (int i = 0; i < MEMBERS; i++)
        if ((members[i].answers & ANSWER(tool->answers)) && !members[i].optional)
            json_str(j, members[i].name);
    json_array_end(j);
    json_object_end(j);
}

/* An argument is described by the first tool that has it, and a list is written once. */
static enum argument_detail detail_of(size_t tool, const struct argument *argument)
{
    enum argument_detail detail = ARGUMENT_WHOLE;
    for (size_t i = 0; i <= tool; i++)
        for (const struct argument *a = tool_at(i)->arguments; !str_is_null(a->name); a++) {
            if (a == argument)
                return detail;
            if (str_eq(a->name, argument->name) && str_eq(a->description, argument->description))
                return ARGUMENT_BRIEF;
            if (argument->list && a->list == argument->list)
                detail = ARGUMENT_WITHOUT_LONG_LIST;
        }
    return detail;
}

static void put_input_schema(struct json_out *j, size_t tool)
{
    enum argument_detail details[ARGUMENTS_MAX] = {ARGUMENT_WHOLE};
    const struct argument *arguments = tool_at(tool)->arguments;
    for (size_t i = 0; !str_is_null(arguments[i].name); i++)
        details[i] = detail_of(tool, &arguments[i]);
    arguments_schema_json(j, arguments, details);
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
        put_input_schema(j, i);
        json_key(j, STR("outputSchema"));
        put_output_schema(j, tool);
        json_key(j, STR("annotations"));
        json_raw(j, STR("{\"readOnlyHint\":true,\"openWorldHint\":false}"));
        json_object_end(j);
    }
    json_array_end(j);
}

/* Streams in the OpenAPI document; see openapi_stream.h. */
#include "api/openapi_stream.h"

#include "api/example.h"
#include "api/stream_texts.h"
#include "edge/headers.h"

enum { EXAMPLE_SIZE_MAX = 16 * 1024 };

void openapi_stream_put_parameter(struct json_out *j)
{
    json_object_begin(j);
    JSON_KEY_STR(j, "name", STR(STREAM_RESUME_NAME));
    JSON_KEY_STR(j, "in", STR("header"));
    JSON_KEY_STR(j, "description", STR(STREAM_RESUME_MEANING));
    JSON_KEY_OBJECT(j, "schema");
    JSON_KEY_STR(j, "type", STR("string"));
    json_object_end(j);
    json_object_end(j);
}

void openapi_stream_put_content(struct json_out *j)
{
    BUF_SCOPED(example, EXAMPLE_SIZE_MAX);
    json_key(j, media_type(MEDIA_EVENTS));
    json_object_begin(j);
    JSON_KEY_RAW(
        j, "schema",
        STR("{\"type\":\"string\",\"description\":\"Server-sent events. An event `trade` has a "
            "Trade as data, and its position as id. An event `position` at the start says where "
            "the stream begins.\"}"));
    json_key(j, STR("example"));
    example_stream(&example);
    json_str(j, buf_view(&example));
    json_object_end(j);
}

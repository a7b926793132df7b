/* Writes the OpenAPI document; see openapi.h. */
#include "api/openapi.h"

#include <assert.h>

#include "api/example.h"
#include "api/openapi_answer.h"
#include "api/openapi_webhooks.h"
#include "api/operation.h"
#include "api/stream_texts.h"
#include "edge/headers.h"
#include "noun/csv.h"
#include "noun/lists.h"
#include "noun/schema.h"
#include "rule/invented.h"

/* Keys in the OpenAPI document. */

/* A key may be in either header. */
#define ANY_KEY "{\"bearerKey\":[]},{\"headerKey\":[]}"

/* The member `security`, of the document or of an operation that differs from it. */
static void openapi_put_security(struct json_out *j, bool needs_key)
{
    JSON_KEY_RAW(j, "security", needs_key ? STR("[" ANY_KEY "]") : STR("[{}," ANY_KEY "]"));
}

static void openapi_put_security_schemes(struct json_out *j)
{
    JSON_KEY_RAW(
        j, "securitySchemes",
        STR("{\"bearerKey\":{\"type\":\"http\",\"scheme\":\"bearer\",\"bearerFormat\":\"svc_ and "
            "43 URL-safe base64 characters\",\"description\":\"Preferred. Wins over X-Api-Key "
            "whatever it holds.\"},"
            "\"headerKey\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-Api-Key\","
            "\"description\":\"The same key in its own header.\"}}"));
}

/* Streams in the OpenAPI document. */

enum { EXAMPLE_SIZE_MAX = 16 * 1024 };

/* Last-Event-ID as a parameter. */
static void openapi_stream_put_parameter(struct json_out *j)
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

/* The content of a 200. */
static void openapi_stream_put_content(struct json_out *j)
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

enum { EXAMPLE_WITHDRAWN_S = 1795248765 };

static void put_ref(struct json_out *j, const char *folder, struct str name)
{
    char space[160];
    struct buf b = buf_over(space, sizeof space);
    buf_text(&b, "#/components/");
    buf_text(&b, folder);
    buf_char(&b, '/');
    buf_str(&b, name);
    json_object_begin(j);
    JSON_KEY_STR(j, "$ref", buf_view(&b));
    json_object_end(j);
}

static void put_header_ref(struct json_out *j, enum header_id id)
{
    json_key(j, header_info(id)->name);
    put_ref(j, "headers", header_info(id)->name);
}

/* The headers of a response: those of every response, those of its status, and those of the
 * operation (NULL: the response is an error). */
static void put_headers(
    struct json_out *j, int status, const struct operation *operation, bool list, bool demo)
{
    JSON_KEY_OBJECT(j, "headers");
    for (int id = 0; id < HEADER_COUNT; id++)
        if (header_info((enum header_id)id)->always)
            put_header_ref(j, (enum header_id)id);
    if (demo)
        put_header_ref(j, HEADER_DATA);
    if (status == 200 || status == 304)
        put_header_ref(j, HEADER_ETAG);
    if (list && (status == 200 || status == 304))
        put_header_ref(j, HEADER_LINK);
    if (operation && operation->tells_waiting)
        put_header_ref(j, HEADER_WAITING);
    if (operation && operation->params.csv) {
        put_header_ref(j, HEADER_NEXT_CURSOR);
        put_header_ref(j, HEADER_DISPOSITION);
    }
    if (status == 401)
        put_header_ref(j, HEADER_AUTHENTICATE);
    if (status == 405)
        put_header_ref(j, HEADER_ALLOW);
    if (status == 429 || status == 503)
        put_header_ref(j, HEADER_RETRY_AFTER);
    json_object_end(j);
}

/* --- parameters */

static void put_parameter(
    struct json_out *j, const char *in, struct str name, struct str description, bool required)
{
    JSON_KEY_STR(j, "name", name);
    JSON_KEY_STR(j, "in", str_from(in));
    if (required)
        JSON_KEY_BOOL(j, "required", true);
    JSON_KEY_STR(j, "description", description);
}

/* A parameter of the query, under its name or its alias. */
static void put_query_parameter(
    struct json_out *j, const struct param *param, struct str name, struct str description)
{
    json_object_begin(j);
    put_parameter(j, "query", name, description, false);
    json_key(j, STR("schema"));
    param_schema(j, param);
    if (!str_is_null(param->example) && param->type != PARAM_TYPE_INTEGER)
        JSON_KEY_STR(j, "example", param->example);
    json_object_end(j);
}

static void put_filter(struct json_out *j, const struct param *param)
{
    char space[128];
    struct buf b = buf_over(space, sizeof space);
    put_query_parameter(j, param, param->name, param->description);
    if (str_is_null(param->alias))
        return;
    buf_fmt(&b, "An alias of %.*s.", STR_ARG(param->name));
    put_query_parameter(j, param, param->alias, buf_view(&b));
}

static void put_parameters(struct json_out *j, const struct operation *operation)
{
    const struct operation_segment *segment = &operation->segment;
    JSON_KEY_ARRAY(j, "parameters");
    if (!str_is_null(segment->name)) {
        json_object_begin(j);
        put_parameter(j, "path", segment->name, segment->description, true);
        JSON_KEY_OBJECT(j, "schema");
        JSON_KEY_STR(j, "type", STR("string"));
        json_object_end(j);
        JSON_KEY_STR(j, "example", segment->example);
        json_object_end(j);
    }
    const struct param *param;
    for (size_t i = 0; (param = param_set_at(&operation->params, i)); i++) {
        if (operation->params.filters && i < operation->params.filters->count)
            put_filter(j, param);
        else if (param >= page_param_info(PAGE_PARAM_TRADE_SORT))
            put_query_parameter(j, param, param->name, param->description);
        else
            put_ref(j, "parameters", param->name);
    }
    if (operation->shape == SHAPE_STREAM)
        openapi_stream_put_parameter(j);
    json_array_end(j);
}

/* --- responses */

/* The page as a file; the columns are in x-csv-response (docs/adr/0026-csv-as-content.md). */
static void put_csv_content(struct json_out *j)
{
    BUF_SCOPED(example, 16 * 1024);
    json_key(j, STR("text/csv")); /* without parameters: tools compare it as text */
    json_object_begin(j);
    JSON_KEY_RAW(
        j, "schema",
        STR("{\"type\":\"string\",\"description\":\"A page with format=csv: RFC 4180, a header "
            "line on every page.\"}"));
    json_key(j, STR("example"));
    example_csv(&example);
    json_str(j, buf_view(&example));
    json_object_end(j);
}

static void put_export_content(struct json_out *j)
{
    BUF_SCOPED(example, EXAMPLE_SIZE_MAX);
    JSON_KEY_RAW(
        j, "text/csv",
        STR("{\"schema\":{\"type\":\"string\",\"description\":\"RFC 4180, with one header "
            "line; with after too.\"}}"));
    json_key(j, media_type(MEDIA_LINES));
    json_object_begin(j);
    JSON_KEY_RAW(
        j, "schema", STR("{\"type\":\"string\",\"description\":\"A Trade on each line.\"}"));
    json_key(j, STR("example"));
    example_line(&example);
    json_str(j, buf_view(&example));
    json_object_end(j);
}

/* No entity tag: it is never the same twice. */
static void put_streamed(struct json_out *j, bool endless, bool demo)
{
    JSON_KEY_OBJECT(j, "200");
    JSON_KEY_STR(
        j, "description", endless ? STR("The stream. It has no end.") : STR("The whole file."));
    put_headers(j, 0, NULL, false, demo);
    JSON_KEY_OBJECT(j, "content");
    (endless ? openapi_stream_put_content : put_export_content)(j);
    json_object_end(j);
    json_object_end(j);
}

static void put_success(struct json_out *j, const struct operation *operation, bool demo)
{
    bool list = operation->params.paged;
    JSON_KEY_OBJECT(j, "200");
    JSON_KEY_STR(
        j, "description",
        list ? STR("A page. nextCursor and Link refer to the next page.") : STR("The resource."));
    put_headers(j, 200, operation, list, demo);
    JSON_KEY_OBJECT(j, "content");
    json_key(j, media_type(MEDIA_JSON));
    json_object_begin(j);
    json_key(j, STR("schema"));
    openapi_answer_put(j, operation);
    if (operation->shape != SHAPE_OTHER) {
        BUF_SCOPED(example, 16 * 1024);
        example_answer(&example, operation->schema);
        JSON_KEY_RAW(j, "example", buf_view(&example));
    }
    json_object_end(j);
    if (operation->params.csv)
        put_csv_content(j);
    json_object_end(j);
    json_object_end(j);

    JSON_KEY_OBJECT(j, "304");
    JSON_KEY_STR(
        j, "description",
        STR("If-None-Match has the current entity tag: nothing has changed. There is no body."));
    put_headers(j, 304, operation, list, demo);
    json_object_end(j);
}

static void put_error_example(struct json_out *j, enum error_code error)
{
    BUF_SCOPED(body, 2048);
    if (error == ERROR_RATE_LIMITED)
        error_body_rate_limited(&body, 42);
    else if (error == ERROR_GONE)
        error_body_gone(
            &body, EXAMPLE_WITHDRAWN_S * 1000LL, STR("Filed by another person of this name."));
    else
        error_body(&body, error, STR_NULL);
    json_key(j, error_info(error)->code);
    json_object_begin(j);
    JSON_KEY_STR(j, "summary", error_info(error)->condition);
    JSON_KEY_RAW(j, "value", buf_view(&body));
    json_object_end(j);
}

/* {"error": one of the codes, "hint"?: text} */
static void put_error_schema(struct json_out *j, const enum error_code *codes, size_t n)
{
    if (codes[0] == ERROR_RATE_LIMITED) {
        put_ref(j, "schemas", STR("RateLimited"));
        return;
    }
    if (codes[0] == ERROR_GONE && n == 1) {
        put_ref(j, "schemas", STR("Gone"));
        return;
    }
    json_object_begin(j);
    JSON_KEY_ARRAY(j, "allOf");
    put_ref(j, "schemas", STR("Error"));
    json_object_begin(j);
    JSON_KEY_STR(j, "type", STR("object"));
    JSON_KEY_OBJECT(j, "properties");
    JSON_KEY_OBJECT(j, "error");
    JSON_KEY_STR(j, "type", STR("string"));
    JSON_KEY_ARRAY(j, "enum");
    for (size_t i = 0; i < n; i++)
        json_str(j, error_info(codes[i])->code);
    json_array_end(j);
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
    json_array_end(j);
    json_object_end(j);
}

static void put_error(
    struct json_out *j, int status, const enum error_code *codes, size_t n, bool demo)
{
    char number[12];
    struct buf key = buf_over(number, sizeof number), description;
    buf_i64(&key, status);
    json_key(j, buf_view(&key));
    json_object_begin(j);

    buf_init(&description, 4096);
    for (size_t i = 0; i < n; i++) {
        if (i)
            buf_text(&description, "\n\n");
        buf_char(&description, '`');
        buf_str(&description, error_info(codes[i])->code);
        buf_text(&description, "`: ");
        buf_str(&description, error_info(codes[i])->condition);
    }
    JSON_KEY_STR(j, "description", buf_view(&description));
    buf_finish(&description);

    put_headers(j, status, NULL, false, demo);
    JSON_KEY_OBJECT(j, "content");
    json_key(j, media_type(MEDIA_JSON));
    json_object_begin(j);
    json_key(j, STR("schema"));
    put_error_schema(j, codes, n);
    JSON_KEY_OBJECT(j, "examples");
    for (size_t i = 0; i < n; i++)
        put_error_example(j, codes[i]);
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
    json_object_end(j);
}

/* Statuses in ascending order, as in the table. Codes with the same status are one response. */
static void put_errors(struct json_out *j, const struct operation *operation, bool demo)
{
    enum error_code codes[ERROR_COUNT];
    size_t n = 0;
    for (int i = 0; i <= ERROR_COUNT; i++) {
        bool end = i == ERROR_COUNT;
        if (n && (end || error_info((enum error_code)i)->status != error_info(codes[0])->status)) {
            put_error(j, error_info(codes[0])->status, codes, n, demo);
            n = 0;
        }
        if (!end && operation_has_error(operation, (enum error_code)i))
            codes[n++] = (enum error_code)i;
    }
}

/* The columns of a header line. */
static void put_columns(struct json_out *j, const char *name, int64_t fields)
{
    BUF_SCOPED(line, 4096);
    struct str rest, column;
    json_key(j, str_from(name));
    json_array_begin(j);
    shape_trade_csv_header(&line, fields);
    rest = buf_view(&line);
    while (str_split(&rest, ',', &column))
        json_str(j, column);
    json_array_end(j);
}

static void put_csv(struct json_out *j)
{
    JSON_KEY_OBJECT(j, "x-csv-response");
    JSON_KEY_STR(
        j, "description",
        STR("The body of a 200 with format=csv: RFC 4180 with CRLF, a header line on every page, "
            "null as an empty field. limit and cursor work as with JSON. fields adds columns at "
            "the end, those of details before those of dates."));
    JSON_KEY_STR(j, "mediaType", media_type(MEDIA_CSV));
    put_columns(j, "columns", 0);
    put_columns(j, "columnsWithDetails", 1 << SHAPE_FIELDS_DETAILS);
    put_columns(j, "columnsWithDates", 1 << SHAPE_FIELDS_DATES);
    json_object_end(j);
}

static void put_operation(struct json_out *j, const struct operation *operation, bool demo)
{
    json_key(j, str_from(operation->path));
    json_object_begin(j);
    JSON_KEY_OBJECT(j, "get");
    JSON_KEY_ARRAY(j, "tags");
    json_str(
        j, operation->about_key              ? STR("Usage")
           : operation->shape == SHAPE_OTHER ? STR("Description")
                                             : STR("Disclosures"));
    json_array_end(j);
    JSON_KEY_STR(j, "operationId", operation->name);
    JSON_KEY_STR(j, "summary", operation->summary);
    JSON_KEY_STR(j, "description", operation->description);
    if (operation->keyed)
        openapi_put_security(j, true);
    put_parameters(j, operation);
    JSON_KEY_OBJECT(j, "responses");
    if (operation_is_streamed(operation))
        put_streamed(j, operation->shape == SHAPE_STREAM, demo);
    else
        put_success(j, operation, demo);
    put_errors(j, operation, demo);
    json_object_end(j);
    if (operation->params.csv)
        put_csv(j);
    json_object_end(j);
    json_object_end(j);
}

/* --- components */

static void put_component_headers(struct json_out *j, bool demo)
{
    JSON_KEY_OBJECT(j, "headers");
    for (int id = 0; id < HEADER_COUNT; id++) {
        const struct header_info *header = header_info((enum header_id)id);
        if (id == HEADER_DATA && !demo)
            continue;
        json_key(j, header->name);
        json_object_begin(j);
        JSON_KEY_STR(j, "description", header->description);
        JSON_KEY_OBJECT(j, "schema");
        JSON_KEY_STR(j, "type", header->integer ? STR("integer") : STR("string"));
        json_object_end(j);
        json_key(j, STR("example"));
        if (header->integer)
            json_raw(j, header->example);
        else
            json_str(j, header->example);
        json_object_end(j);
    }
    json_object_end(j);
}

static void put_component_parameters(struct json_out *j)
{
    JSON_KEY_OBJECT(j, "parameters");
    for (int id = 0; id < PAGE_PARAM_TRADE_SORT; id++) {
        const struct param *param = page_param_info((enum page_param)id);
        json_key(j, param->name);
        put_query_parameter(j, param, param->name, param->description);
    }
    json_object_end(j);
}

static void put_component_schemas(struct json_out *j)
{
    JSON_KEY_OBJECT(j, "schemas");
    for (size_t i = 0; schema_at(i); i++) {
        json_key(j, schema_at(i)->name);
        schema_json(j, schema_at(i), &schema_in_openapi);
    }
    openapi_errors_put(j);
    json_object_end(j);
}

static void put_info(struct json_out *j, struct str base_url, struct str description, bool demo)
{
    JSON_KEY_OBJECT(j, "info");
    JSON_KEY_STR(j, "title", STR("stockact: congressional trade disclosures"));
    JSON_KEY_STR(j, "version", STR("1"));
    JSON_KEY_STR(
        j, "summary", STR("Stock trades disclosed by members of the U.S. Congress, read only."));
    JSON_KEY_STR(j, "description", description);
    if (demo)
        JSON_KEY_STR(j, "x-data", STR(INVENTED_VALUE));
    JSON_KEY_OBJECT(j, "contact");
    JSON_KEY_STR(j, "name", STR("The operator of this server"));
    JSON_KEY_STR(j, "url", base_url);
    json_object_end(j);
    JSON_KEY_RAW(
        j, "license", STR("{\"name\":\"Apache-2.0 (the program)\",\"identifier\":\"Apache-2.0\"}"));
    json_object_end(j);
}

void openapi_put(struct buf *b, struct str base_url, struct str description, bool demo)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "openapi", STR("3.1.0"));
    put_info(&j, base_url, description, demo);
    JSON_KEY_ARRAY(&j, "servers");
    json_object_begin(&j);
    JSON_KEY_STR(&j, "url", base_url);
    JSON_KEY_STR(&j, "description", STR("This server."));
    json_object_end(&j);
    json_array_end(&j);
    JSON_KEY_RAW(
        &j, "tags",
        STR("[{\"name\":\"Disclosures\",\"description\":\"Trades, people, tickers and source "
            "filings.\"},{\"name\":\"Usage\",\"description\":\"What your key was used for.\"},"
            "{\"name\":\"Description\",\"description\":\"The description of the "
            "API.\"},{\"name\":\"Webhooks\",\"description\":\"Requests that the server sends to "
            "you.\"}]"));
    openapi_put_security(&j, false);

    JSON_KEY_OBJECT(&j, "paths");
    for (int id = 0; id < OPERATION_COUNT; id++)
        if (!str_is_null(operation_info((enum operation_id)id)->name))
            put_operation(&j, operation_info((enum operation_id)id), demo);
    json_object_end(&j);

    openapi_put_webhooks(&j);
    JSON_KEY_OBJECT(&j, "components");
    put_component_schemas(&j);
    put_component_parameters(&j);
    put_component_headers(&j, demo);
    openapi_put_security_schemes(&j);
    json_object_end(&j);
    json_object_end(&j);
}

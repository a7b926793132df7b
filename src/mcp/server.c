/* Requests of both eras; see server.h. */
#include "mcp/server.h"

#include "base/codec.h"
#include "rule/invented.h"

enum { TOOL_LIST_FRESH_MS = 3600 * 1000, BATCH_MAX = 1000, INSTRUCTIONS_SIZE_MAX = 2048 };

/* Instructions for the model that concern all tools. */
static const struct str instructions = STR_INIT(
    "Disclosures of stock trades by members of the U.S. Congress, read from the official House and "
    "Senate reports and reviewed by people. Start with find_politician for a person, find_ticker "
    "for a company, count_trades for how many, how much and who most, get_conflicted_trades for "
    "committees and industries, list_trades for everything else: it filters by day, chamber, "
    "party, state, side, owner, asset and amount. When a result has a note, do what it says before "
    "you answer. A missing trade may be undisclosed or not read yet: get_coverage says how "
    "complete the data is. When you report a trade, give its amount as a range and cite filingUrl. "
    "When you report a conflict signal, say that it is editorial and not an allegation.");

void server_init(
    struct server *s, struct client *client, bool anonymous, rpc_write *write, void *ctx)
{
    *s = (struct server){0};
    rpc_init(&s->rpc, write, ctx);
    calls_init(&s->calls, client, &s->rpc, anonymous);
    for (int era = 0; era < ERA_COUNT; era++)
        buf_init(&s->tool_lists[era], SIZE_MAX);
}

void server_finish(struct server *s)
{
    calls_finish(&s->calls);
    for (int era = 0; era < ERA_COUNT; era++)
        buf_finish(&s->tool_lists[era]);
    rpc_finish(&s->rpc);
}

/* --- methods */

typedef void answer_method(struct server *s, struct rpc_request *r, const json_t *params);

static void refuse(struct server *s, struct rpc_request *r, enum rpc_code code, const char *reason)
{
    rpc_error(&s->rpc, r, code, reason, STR_NULL);
}

/* Results of the stateless era say how long they are valid, and that they are the same for all. */
static void put_cache_hints(struct json_out *j)
{
    JSON_KEY_I64(j, "ttlMs", TOOL_LIST_FRESH_MS);
    JSON_KEY_STR(j, "cacheScope", STR("public"));
}

/* The introduction of both eras. The list of tools never changes, so there is no listChanged. */
static void put_introduction(struct json_out *j, bool invented)
{
    char space[INSTRUCTIONS_SIZE_MAX];
    struct buf text = buf_over(space, sizeof space);
    if (invented)
        buf_str(&text, STR(INVENTED_NOTICE " "));
    buf_str(&text, instructions);
    JSON_KEY_RAW(j, "capabilities", STR("{\"tools\":{}}"));
    JSON_KEY_STR(j, "instructions", buf_view(&text));
}

/* The members of a written object, without its braces. */
static struct str members_of(const struct buf *object)
{
    return str_slice(buf_view(object), 1, object->n - 1);
}

static void discover(struct server *s, struct rpc_request *r, const json_t *params)
{
    BUF_SCOPED(b, SIZE_MAX);
    struct json_out j;
    json_init(&j, &b);
    json_object_begin(&j);
    json_key(&j, STR("supportedVersions"));
    protocol_stateless_versions_json(&j);
    put_introduction(&j, s->calls.invented);
    put_cache_hints(&j);
    json_object_end(&j);
    rpc_result(&s->rpc, r, members_of(&b));
}

static void initialize(struct server *s, struct rpc_request *r, const json_t *params)
{
    BUF_SCOPED(b, SIZE_MAX);
    struct json_out j;
    struct str asked = json_text(json_object_get(params, "protocolVersion"));
    if (str_is_null(asked)) {
        refuse(s, r, RPC_INVALID_PARAMS, "params.protocolVersion is missing or not a string");
        return;
    }
    s->session_version = protocol_session_version(asked);
    json_init(&j, &b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "protocolVersion", s->session_version);
    json_key(&j, STR("serverInfo"));
    protocol_server_info_json(&j);
    put_introduction(&j, s->calls.invented);
    json_object_end(&j);
    rpc_result(&s->rpc, r, members_of(&b));
}

static void ping(struct server *s, struct rpc_request *r, const json_t *params)
{
    rpc_result(&s->rpc, r, STR(""));
}

static void list_tools(struct server *s, struct rpc_request *r, const json_t *params)
{
    struct buf *b = &s->tool_lists[r->era];
    if (json_object_get(params, "cursor")) {
        refuse(s, r, RPC_INVALID_PARAMS, "invalid cursor: the list has one page");
        return;
    }
    if (b->n == 0) {
        struct json_out j;
        json_init(&j, b);
        json_object_begin(&j);
        json_key(&j, STR("tools"));
        tool_list_json(&j);
        if (r->era == ERA_STATELESS)
            put_cache_hints(&j);
        json_object_end(&j);
    }
    rpc_result(&s->rpc, r, members_of(b));
}

static void call_tool(struct server *s, struct rpc_request *r, const json_t *params)
{
    const json_t *arguments = json_object_get(params, "arguments");
    struct str name = json_text(json_object_get(params, "name"));
    const struct tool *tool = tool_named(name);
    if (str_is_null(name)) {
        refuse(s, r, RPC_INVALID_PARAMS, "params.name is missing or not a string");
    } else if (!tool) {
        struct fail fail;
        (void)fail_set(
            &fail, ERR_NOT_FOUND, "unknown tool: %.*s", STR_ARG(str_slice(name, 0, 100)));
        refuse(s, r, RPC_INVALID_PARAMS, fail.text);
    } else if (arguments && !json_is_object(arguments) && !json_is_null(arguments)) {
        refuse(s, r, RPC_INVALID_PARAMS, "params.arguments is not an object");
    } else {
        calls_begin(&s->calls, tool, json_is_object(arguments) ? arguments : NULL, r);
    }
}

static const struct method {
    struct str name;
    answer_method *in_era[ERA_COUNT]; /* NULL: not in that era */
    bool before_session;              /* allowed before a session has begun */
    bool alone;                       /* not allowed in a batch */
} methods[] = {
    {STR_INIT("server/discover"), {[ERA_STATELESS] = discover}, false},
    {STR_INIT("initialize"), {[ERA_SESSION] = initialize}, true, .alone = true},
    {STR_INIT("ping"), {[ERA_SESSION] = ping}, true},
    {STR_INIT("tools/list"), {list_tools, list_tools}, false},
    {STR_INIT("tools/call"), {call_tool, call_tool}, false},
};

static const struct method *method_named(struct str name)
{
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (str_eq(methods[i].name, name))
            return &methods[i];
    return NULL;
}

/* --- requests */

static void refuse_version(struct server *s, struct rpc_request *r, struct str asked)
{
    BUF_SCOPED(b, SIZE_MAX);
    struct json_out j;
    json_init(&j, &b);
    json_object_begin(&j);
    json_key(&j, STR("supported"));
    protocol_stateless_versions_json(&j);
    JSON_KEY_STR(&j, "requested", asked);
    json_object_end(&j);
    rpc_error(&s->rpc, r, RPC_UNSUPPORTED_VERSION, "unsupported protocol version", buf_view(&b));
}

/* Checks the metadata, and refuses the request if it is invalid. The version comes first, because
 * other versions may require other metadata. */
static bool accept_meta(struct server *s, struct rpc_request *r, const struct request_meta *meta)
{
    if (str_is_null(meta->version))
        refuse(
            s, r, RPC_INVALID_PARAMS,
            "params._meta lacks io.modelcontextprotocol/protocolVersion, a string");
    else if (!protocol_is_stateless_version(meta->version))
        refuse_version(s, r, meta->version);
    else if (!meta->has_capabilities)
        refuse(
            s, r, RPC_INVALID_PARAMS,
            "params._meta lacks io.modelcontextprotocol/clientCapabilities, an object");
    else
        return true;
    return false;
}

static void take_request(
    struct server *s, const struct rpc_message *message, struct rpc_batch *batch)
{
    struct request_meta meta;
    struct rpc_request r;
    request_meta_read(message->params, &meta);
    request_init(
        &r, meta.is_stateless ? ERA_STATELESS : ERA_SESSION, message->id, meta.progress_token,
        batch);
    const struct method *method = method_named(message->method);
    bool no_session = !meta.is_stateless && str_is_null(s->session_version);
    if (calls_has(&s->calls, message->id))
        refuse(s, &r, RPC_INVALID_REQUEST, "a request with this id is in progress");
    else if (meta.is_stateless && !accept_meta(s, &r, &meta))
        return;
    else if (method && no_session && !method->before_session)
        refuse(
            s, &r, RPC_INVALID_PARAMS,
            "params._meta lacks io.modelcontextprotocol/protocolVersion, and no session has begun "
            "with initialize");
    else if (!method || !method->in_era[r.era])
        refuse(s, &r, RPC_METHOD_NOT_FOUND, "unknown method");
    else if (batch && method->alone)
        refuse(s, &r, RPC_INVALID_REQUEST, "this method is not allowed in a batch");
    else
        method->in_era[r.era](s, &r, message->params);
}

static void take_message(struct server *s, const json_t *value, struct rpc_batch *batch)
{
    struct rpc_message message;
    struct rpc_request r;
    rpc_message_read(value, &message);
    switch (message.kind) {
    case RPC_MESSAGE_REQUEST:
        take_request(s, &message, batch);
        break;
    case RPC_MESSAGE_NOTIFICATION:
        if (str_eq(message.method, STR("notifications/cancelled")))
            calls_cancel(&s->calls, json_object_get(message.params, "requestId"));
        break;
    case RPC_MESSAGE_RESPONSE:
        break;
    case RPC_MESSAGE_INVALID:
        if (!message.id) {
            rpc_stray_error(&s->rpc, batch, message.code, message.reason);
            break;
        }
        request_init(&r, ERA_SESSION, message.id, NULL, batch);
        rpc_error(&s->rpc, &r, message.code, message.reason, STR_NULL);
        break;
    }
}

/* --- lines */

static void take_batch(struct server *s, const json_t *array, size_t count_max)
{
    if (!protocol_has_batches(s->session_version)) {
        rpc_stray_error(
            &s->rpc, NULL, RPC_INVALID_REQUEST,
            "batches are allowed only in a session of version 2025-03-26");
    } else if (json_array_size(array) == 0) {
        rpc_stray_error(&s->rpc, NULL, RPC_INVALID_REQUEST, "the batch is empty");
    } else if (json_array_size(array) > count_max) {
        struct fail fail;
        (void)fail_set(&fail, ERR_LIMIT, "the batch has more than %zu messages", count_max);
        rpc_stray_error(&s->rpc, NULL, RPC_INVALID_REQUEST, fail.text);
    } else {
        struct rpc_batch *batch = rpc_batch_open();
        for (size_t i = 0; i < json_array_size(array); i++)
            take_message(s, json_array_get(array, i), batch);
        rpc_batch_close(&s->rpc, batch);
    }
}

void server_take_line(struct server *s, struct str line)
{
    struct fail fail;
    if (str_is_null(line)) {
        rpc_stray_error(&s->rpc, NULL, RPC_INVALID_REQUEST, "the line is longer than 1 MiB");
        return;
    }
    if (str_trim(line).n == 0)
        return;
    json_t *value = rpc_message_parse(line, &fail);
    if (!value)
        rpc_stray_error(&s->rpc, NULL, RPC_PARSE_ERROR, fail.text);
    else if (json_is_array(value))
        take_batch(s, value, BATCH_MAX);
    else
        take_message(s, value, NULL);
    json_decref(value);
}

/* --- Streamable HTTP */

/* A header of the stateless era, which must repeat what the body says. */
static bool agrees(struct str header, struct str body)
{
    static const struct str begin = STR_INIT("=?base64?"), end = STR_INIT("?=");
    BUF_SCOPED(b, SIZE_MAX);
    if (str_is_null(body) || !str_starts(header, begin) || !str_ends(header, end))
        return str_is_null(body) || str_eq(header, body);
    return base64_decode(&b, str_slice(header, begin.n, header.n - end.n)) &&
           str_eq(buf_view(&b), body);
}

/* The first header that does not agree with the request; NULL: all do. */
static const char *disagreeing(
    const struct post *post, const struct rpc_message *message, const struct request_meta *meta)
{
    bool named = str_eq(message->method, STR("tools/call"));
    if (!agrees(post->version, meta->version))
        return "MCP-Protocol-Version";
    if (!agrees(post->method, message->method))
        return "Mcp-Method";
    if (named && !agrees(post->name, json_text(json_object_get(message->params, "name"))))
        return "Mcp-Name";
    return NULL;
}

/* What the headers say about a message. False: it is refused. */
static bool accept_headers(struct server *s, const struct post *post, const json_t *value)
{
    struct rpc_message message;
    struct request_meta meta;
    struct rpc_request r;
    struct fail fail;
    const char *header;
    rpc_message_read(value, &message);
    request_meta_read(message.params, &meta);
    bool is_request = message.kind == RPC_MESSAGE_REQUEST;
    request_init(&r, ERA_STATELESS, message.id, NULL, NULL);
    if (meta.is_stateless && is_request && (header = disagreeing(post, &message, &meta))) {
        (void)fail_set(&fail, ERR_INVALID, "the header %s does not repeat the body", header);
        rpc_error(&s->rpc, &r, RPC_HEADER_MISMATCH, fail.text, STR_NULL);
    } else if (is_request && !meta.is_stateless && protocol_is_stateless_version(post->version)) {
        refuse(
            s, &r, RPC_INVALID_PARAMS,
            "params._meta lacks io.modelcontextprotocol/protocolVersion, a string");
    } else if (!meta.is_stateless && post->session.n > 0) {
        refuse(s, &r, RPC_SESSION_UNKNOWN, "there is no such session: send no Mcp-Session-Id");
    } else if (!meta.is_stateless && str_is_null(s->session_version)) {
        refuse_version(s, &r, post->version);
    } else {
        rpc_no_answer(&s->rpc, &r);
        return true;
    }
    return false;
}

void server_take_post(struct server *s, const struct post *post)
{
    struct fail fail;
    json_t *value = rpc_message_parse(post->body, &fail);
    struct str version = str_is_null(post->version) ? STR("2025-03-26") : post->version;
    s->rpc.quiet = true;
    s->session_version = protocol_is_session_version(version) ? version : STR_NULL;
    if (!value)
        rpc_stray_error(&s->rpc, NULL, RPC_PARSE_ERROR, fail.text);
    else if (json_is_array(value))
        take_batch(s, value, POST_BATCH_MAX);
    else if (accept_headers(s, post, value))
        take_message(s, value, NULL);
    json_decref(value);
}

void server_refuse_post(struct server *s, const char *reason)
{
    rpc_stray_error(&s->rpc, NULL, RPC_INVALID_REQUEST, reason);
    s->rpc.status = 403;
}

/*
 * POST /mcp: the tools for language models over HTTP (docs/adr/0046-mcp-over-http.md). A worker
 * runs what the message asks for to its end; what the tools ask of the API is answered in the same
 * exchange. One POST is one request of its caller, whatever it asks.
 */
#include "address/address.h"
#include "api/api_call.h"
#include "api/context.h"
#include "api/resources.h"
#include "edge/headers.h"
#include "http/bounds.h"
#include "mcp/server.h"

/* "host:port" of an origin or of a base URL, and the same without its port. */
static struct str authority_of(struct str url)
{
    ptrdiff_t at = str_find(url, STR("://"));
    struct str rest = at < 0 ? STR_NULL : str_slice(url, (size_t)at + 3, url.n);
    ptrdiff_t end = str_find_char(rest, '/');
    return end < 0 ? rest : str_slice(rest, 0, (size_t)end);
}

static struct str without_port(struct str authority)
{
    ptrdiff_t end;
    if (str_starts(authority, STR("[")))
        return (end = str_find_char(authority, ']')) < 0 ? authority
                                                         : str_slice(authority, 1, (size_t)end);
    end = str_find_char(authority, ':');
    return end < 0 ? authority : str_slice(authority, 0, (size_t)end);
}

/* A name that another site can point at this server is not one of ours. */
static bool is_our_host(const struct api *api, struct str authority)
{
    struct address address;
    struct str host = without_port(authority);
    return str_eq_nocase(authority, authority_of(api->config.base_url)) ||
           str_eq_nocase(host, STR("localhost")) || address_parse(host, &address);
}

/* Pages of other sites, and names that lead here without being ours. NULL: neither. */
static const char *foreign(const struct api *api, const struct http_request *request)
{
    struct str host = http_header(request, STR("host"));
    struct str origin = http_header(request, STR("origin"));
    struct str from = authority_of(origin);
    if (!str_is_null(host) && !is_our_host(api, host))
        return "the header Host names another server";
    if (!str_is_null(origin) && !str_eq_nocase(from, host) &&
        !str_eq_nocase(from, authority_of(api->config.base_url)))
        return "the header Origin names another site";
    return NULL;
}

static void write_line(void *ctx, struct str line)
{
    buf_str(ctx, str_slice(line, 0, line.n - 1));
}

static void answer_tools(struct api_call *call, struct server *server, void *worker)
{
    struct call *asked;
    while ((asked = calls_next_asked(&server->calls))) {
        call->api->ask(call, buf_view(&asked->target), worker);
        const struct client_answer answer = {
            .reason = "",
            .status = http_reply_status(call->x),
            .body = buf_view(http_body(call->x)),
            .content_type = STR("application/json"),
            .head = buf_view(http_head_lines(call->x)),
        };
        calls_answer(asked, &answer);
        http_reply_reset(call->x);
    }
}

void mcp_run(struct api_call *call, void *worker)
{
    const struct http_request *request = call->request;
    const char *reason = foreign(call->api, request);
    const struct post post = {
        .body = request->body,
        .version = http_header(request, STR("mcp-protocol-version")),
        .method = http_header(request, STR("mcp-method")),
        .name = http_header(request, STR("mcp-name")),
        .session = http_header(request, STR("mcp-session-id")),
    };
    SCOPED(server_finish) struct server server;
    BUF_SCOPED(out, HTTP_REPLY_MAX);
    server_init(&server, NULL, call->caller == CALLER_ANONYMOUS, write_line, &out);
    server.calls.invented = api_is_demo(call->api);
    if (reason)
        server_refuse_post(&server, reason);
    else
        server_take_post(&server, &post);
    answer_tools(call, &server, worker);
    http_status(call->x, out.n > 0 ? server.rpc.status : 202);
    http_head_raw(call->x, headers_common(out.n > 0 ? MEDIA_JSON : MEDIA_NONE));
    buf_str(http_body(call->x), buf_view(&out));
}

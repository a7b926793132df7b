/* Any response of the HTTP API, to each tool: status, headers and body. A success is one line of
 * the JSON in the body, in the form that the tool promises. A failure is one sentence or more,
 * printable and without line breaks, whatever the server wrote. */
#include "fuzz.h"

#include <jansson.h>

#include "mcp/api_answer.h"
#include "mcp/tool.h"

enum { ERRORS = 8, HEADERS = 6 };

static const enum err errors[ERRORS] = {
    OK, OK, OK, ERR_TIMEOUT, ERR_LIMIT, ERR_REFUSED, ERR_UNAVAILABLE, ERR_IO};

static const char *const header_names[HEADERS] = {
    "X-RateLimit-Limit", "X-RateLimit-Remaining",
    "X-RateLimit-Reset", "Retry-After",
    "Location",          "X-Data",
};

/* The linker puts this function in the place of client_header (meson.build). */
struct str __wrap_client_header(const struct client_answer *answer, const char *name);
struct str __wrap_client_header(const struct client_answer *answer, const char *name)
{
    const struct str *values = answer->of;
    for (size_t i = 0; i < HEADERS; i++)
        if (!answer->err && str_eq(str_from(name), str_from(header_names[i])))
            return values[i];
    return STR_NULL;
}

/* As libcurl has a header: no byte below a space but a tab. A line that begins with "-": none. */
static struct str take_header(struct str *rest, struct arena *arena)
{
    struct str line = fuzz_line(rest);
    if (str_starts(line, STR("-")))
        return STR_NULL;
    char *text = arena_alloc(arena, line.n + 1);
    for (size_t i = 0; i < line.n; i++)
        text[i] = line.p[i] < ' ' && line.p[i] >= 0 ? '\t' : line.p[i];
    return str_of(text, line.n);
}

static const struct tool *take_tool(struct str *rest)
{
    size_t count = 0;
    while (tool_at(count))
        count++;
    return tool_at(fuzz_byte(rest) % count);
}

static void check_one_line(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        assert((unsigned char)text.p[i] >= ' ' && text.p[i] != 0x7f);
}

static json_t *load(struct str text)
{
    return json_loadb(text.p, text.n, JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL, NULL);
}

static void check_success(
    const struct api_answer *answer, const struct client_answer *from, const struct tool *tool)
{
    json_t *body = load(from->body), *text = load(answer->text);
    assert(from->err == OK && from->status == 200 && !answer->worth_retrying);
    assert(str_find_char(answer->text, '\n') < 0 && str_find_char(answer->text, '\r') < 0);
    assert(!body == !text && (!body || json_equal(body, text)));
    assert(tool->answers == TOOL_ANSWER_ONE ? answer->page.is_one : answer->page.is_list);
    json_decref(body);
    json_decref(text);
}

static void check_failure(const struct api_answer *answer)
{
    assert(answer->text.n > 0 && str_ends(answer->text, STR(".")));
    check_one_line(answer->text);
}

static void check_rate(const struct api_rate *rate)
{
    struct buf b;
    buf_init(&b, 4096);
    assert(rate->limit >= -1 && rate->remaining >= -1 && rate->reset_s >= -1);
    api_rate_warning(&b, rate);
    check_one_line(buf_view(&b));
    assert(!b.overflow);
    buf_finish(&b);
}

static void check_answer(const struct client_answer *from, const struct tool *tool)
{
    struct api_answer answer;
    struct buf space;
    buf_init(&space, SIZE_MAX);
    api_answer_read(from, tool, &space, &answer);
    if (answer.success)
        check_success(&answer, from, tool);
    else
        check_failure(&answer);
    check_rate(&answer.rate);
    api_answer_finish(&answer);
    buf_finish(&space);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size), values[HEADERS];
    struct arena arena;
    arena_init(&arena);
    const struct tool *tool = take_tool(&rest);
    enum err err = errors[fuzz_byte(&rest) % ERRORS];
    int status = 100 + (fuzz_byte(&rest) << 8 | fuzz_byte(&rest)) % 500;
    struct str type = take_header(&rest, &arena);
    for (size_t i = 0; i < HEADERS; i++)
        values[i] = take_header(&rest, &arena);
    const struct client_answer from = {
        .err = err,
        .reason = err ? "the reason" : "",
        .status = err ? 0 : status,
        .body = rest,
        .content_type = type,
        .of = values,
    };
    check_answer(&from, tool);
    arena_finish(&arena);
    return 0;
}

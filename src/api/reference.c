/* Expands the directives of the reference; see reference.h. */
#include "api/reference.h"

#include <assert.h>

#include "api/example.h"
#include "api/operation.h"
#include "api/samples.h"
#include "api/stream_texts.h"
#include "api/web.h"
#include "base/build.h"
#include "edge/headers.h"
#include "feed/feed.h"
#include "feed/trade_filter.h"
#include "noun/csv.h"
#include "noun/schema.h"
#include "rule/model.h"
#include "rule/plan_term.h"

/* Indents JSON. */

static void new_line(struct buf *b, int depth)
{
    buf_char(b, '\n');
    for (int i = 0; i < depth; i++)
        buf_text(b, "  ");
}

/* Copies a string with its quotes. Returns the position after it. */
static size_t put_string(struct buf *b, struct str json, size_t at)
{
    size_t end = at + 1;
    while (end < json.n && json.p[end] != '"')
        end += json.p[end] == '\\' ? 2 : 1;
    buf_str(b, str_slice(json, at, end + 1));
    return end + 1;
}

void json_indent(struct buf *b, struct str json)
{
    int depth = 0;
    for (size_t i = 0; i < json.n;) {
        char c = json.p[i];
        if (c == '"') {
            i = put_string(b, json, i);
            continue;
        }
        if (c == '}' || c == ']')
            new_line(b, --depth);
        buf_char(b, c);
        if (c == ':')
            buf_char(b, ' ');
        else if (c == ',')
            new_line(b, depth);
        else if (c == '{' || c == '[')
            new_line(b, ++depth);
        i++;
    }
}

enum { EXAMPLE_SIZE_MAX = 64 * 1024 };

/* --- blocks: each function appends complete lines */

/* The anchor of the section that describes the operation; null: none does. */
static struct str section_of(const struct operation *operation)
{
    struct str text = web_reference(), line, anchor = STR_NULL;
    while (str_split(&text, '\n', &line)) {
        ptrdiff_t mark = str_find(line, STR(" {#"));
        if (str_starts(line, STR("## ")) && mark >= 0)
            anchor = str_slice(line, (size_t)mark + 3, line.n - 1);
        if (str_starts(line, STR("{{operation ")) && str_ends(line, STR("}}")) &&
            str_eq(str_slice(line, sizeof "{{operation", line.n - 2), operation->name))
            return anchor;
    }
    return STR_NULL;
}

/* `argument`: "linked" to their sections, or null. */
static void put_operations(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "| endpoint | returns |\n|---|---|\n");
    for (int id = 0; id < OPERATION_COUNT; id++) {
        const struct operation *operation = operation_info((enum operation_id)id);
        struct str anchor = argument.n ? section_of(operation) : STR_NULL;
        if (str_is_null(operation->name))
            continue;
        if (str_is_null(anchor))
            buf_fmt(b, "| `GET %s` |", operation->path);
        else
            buf_fmt(b, "| [`GET %s`](#%.*s) |", operation->path, STR_ARG(anchor));
        buf_fmt(b, " %.*s |\n", STR_ARG(operation->summary));
    }
}

static void put_parameters(struct buf *b, const struct operation *operation)
{
    const struct operation_segment *segment = &operation->segment;
    const struct param *param;
    if (operation->shape != SHAPE_STREAM && str_is_null(segment->name) &&
        !param_set_at(&operation->params, 0))
        return;
    buf_text(b, "\n| parameter | accepts | default | meaning |\n|---|---|---|---|\n");
    if (!str_is_null(segment->name))
        buf_fmt(
            b, "| `%.*s` (path) | a path segment, percent-encoded | | %.*s |\n",
            STR_ARG(segment->name), STR_ARG(segment->description));
    for (size_t i = 0; (param = param_set_at(&operation->params, i)); i++) {
        buf_fmt(b, "| `%.*s` | ", STR_ARG(param->name));
        param_accepts(b, param);
        buf_fmt(b, " | %.*s | %.*s |\n", STR_ARG(param->absent_text), STR_ARG(param->description));
    }
    if (operation->shape == SHAPE_STREAM)
        buf_text(
            b, "| `" STREAM_RESUME_NAME "` (header) | " STREAM_RESUME_ACCEPTS
               " | | " STREAM_RESUME_MEANING " |\n");
}

static void put_errors_of(struct buf *b, const struct operation *operation)
{
    const char *before = "\nErrors: ";
    for (int i = 0; i < ERROR_COUNT; i++) {
        const struct error_info *error = error_info((enum error_code)i);
        if (error->scope != ERROR_SCOPE_REQUEST &&
            operation_has_error(operation, (enum error_code)i)) {
            buf_fmt(b, "%s`%d %.*s`", before, error->status, STR_ARG(error->code));
            before = ", ";
        }
    }
    buf_text(b, ". [All errors](#errors).\n");
}

/* The path with an example instead of its parameter. */
static void put_example_path(struct buf *b, const struct operation *operation)
{
    struct str path = str_from(operation->path);
    ptrdiff_t brace = str_find_char(path, '{');
    buf_str(b, brace < 0 ? path : str_slice(path, 0, (size_t)brace));
    if (brace >= 0)
        buf_str(b, operation->segment.example);
    else if (operation->params.paged)
        buf_text(b, "?limit=1");
}

static const struct operation *operation_named(struct str name)
{
    for (int id = 0; id < OPERATION_COUNT; id++)
        if (str_eq(operation_info((enum operation_id)id)->name, name))
            return operation_info((enum operation_id)id);
    assert(!"unknown operation");
    return NULL;
}

static void put_answer(struct buf *b, struct str argument, struct str base_url)
{
    BUF_SCOPED(example, EXAMPLE_SIZE_MAX);
    if (operation_named(argument)->shape == SHAPE_STREAM) {
        buf_text(b, "```text\n");
        example_stream(b);
        b->n--; /* one line end of two */
        buf_text(b, "```\n");
        return;
    }
    example_answer(&example, operation_named(argument)->schema);
    buf_text(b, "```json\n");
    json_indent(b, buf_view(&example));
    buf_text(b, "\n```\n");
}

/* A request with a key, in several languages. `argument`: the path. */
static void put_request(struct buf *b, struct str argument, struct str base_url)
{
    BUF_SCOPED(url, EXAMPLE_SIZE_MAX);
    buf_str(&url, base_url);
    buf_str(&url, argument);
    samples_put(b, buf_view(&url), true);
}

static void put_operation(struct buf *b, struct str argument, struct str base_url)
{
    const struct operation *operation = operation_named(argument);
    BUF_SCOPED(url, EXAMPLE_SIZE_MAX);
    buf_str(&url, base_url);
    put_example_path(&url, operation);
    buf_fmt(b, "```http\nGET %s\n```\n\n%.*s\n", operation->path, STR_ARG(operation->description));
    if (operation->shape == SHAPE_STREAM)
        samples_stream_put(b, buf_view(&url));
    else if (operation->shape != SHAPE_EXPORT)
        samples_put(b, buf_view(&url), operation->keyed);
    buf_char(b, '\n');
    if (operation->shape != SHAPE_EXPORT)
        put_answer(b, argument, base_url);
    put_parameters(b, operation);
    put_errors_of(b, operation);
}

static void put_names(struct buf *b, const struct shape_list *list)
{
    buf_text(b, list->count > 2 ? "one of " : "always ");
    for (int i = 1; i < list->count; i++)
        buf_fmt(b, "%s`%.*s`", i > 1 ? ", " : "", STR_ARG(list->name_of(i)));
    buf_text(b, ". ");
}

static void put_object(struct buf *b, struct str argument, struct str base_url)
{
    const struct shape_object *schema = schema_named(argument);
    const struct shape_field *member;
    assert(schema);
    buf_fmt(
        b, "### %.*s {#%.*s}\n\n%.*s\n\n| member | type | meaning |\n|---|---|---|\n",
        STR_ARG(argument), STR_ARG(argument), STR_ARG(schema->description));
    for (size_t i = 0; (member = schema_member_at(schema, i)); i++) {
        buf_fmt(b, "| `%.*s` | ", STR_ARG(member->name));
        if (!member->object) {
            schema_type_put(b, member);
        } else {
            buf_char(b, '[');
            schema_type_put(b, member);
            buf_fmt(b, "](#%.*s)", STR_ARG(member->object->name));
        }
        buf_text(b, " | ");
        if (member->list)
            put_names(b, member->list);
        buf_fmt(b, "%.*s |\n", STR_ARG(member->description));
    }
}

/* Writes 1000000 as 1,000,000. */
static void put_number(struct buf *b, int64_t value)
{
    if (value >= 1000) {
        put_number(b, value / 1000);
        buf_fmt(b, ",%03d", (int)(value % 1000));
    } else {
        buf_i64(b, value);
    }
}

static void put_brackets(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "| `amountBucket` | `label` | `min` | `max` |\n|---|---|---:|---:|\n");
    for (int i = 1; i < BRACKET_COUNT; i++) {
        const struct bracket_info *bracket = bracket_info((enum bracket)i);
        buf_fmt(
            b, "| `%.*s` | %.*s | %lld | ", STR_ARG(bracket->key), STR_ARG(bracket->label),
            (long long)bracket->min);
        if (bracket->max == BRACKET_OPEN)
            buf_text(b, "null");
        else
            buf_i64(b, bracket->max);
        buf_text(b, " |\n");
    }
}

static void put_plans(struct buf *b, struct str argument, struct str base_url)
{
    const struct plan_term *term;
    buf_text(b, "| plan |");
    for (int plan = 0; plan < PLAN_COUNT; plan++)
        buf_fmt(
            b, " %.*s%s |", STR_ARG(plan_info((enum plan)plan)->name),
            plan == PLAN_SCOUT ? " (free)" : "");
    buf_text(b, "\n|---|");
    for (int plan = 0; plan < PLAN_COUNT; plan++)
        buf_text(b, "---:|");
    for (size_t i = 0; (term = plan_term_at(i)); i++) {
        buf_fmt(b, "\n| %.*s |", STR_ARG(term->label));
        for (int plan = 0; plan < PLAN_COUNT; plan++) {
            buf_char(b, ' ');
            term->put(b, plan_info((enum plan)plan));
            buf_text(b, " |");
        }
    }
    buf_char(b, '\n');
}

static void put_limits(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "| caller | per minute | per month |\n|---|---:|---:|\n| without a key | ");
    put_number(b, ANONYMOUS_PER_MINUTE);
    buf_text(b, " | ");
    put_number(b, ANONYMOUS_PER_MONTH);
    buf_text(b, " |\n");
    for (int i = 0; i < PLAN_COUNT; i++) {
        const struct plan_info *plan = plan_info((enum plan)i);
        if (plan_has_api_access((enum plan)i)) {
            buf_fmt(b, "| a key of %.*s | ", STR_ARG(plan->name));
            put_number(b, plan->requests_per_minute);
            buf_text(b, " | ");
            put_number(b, plan->requests_per_month);
            buf_text(b, " |\n");
        }
    }
}

static void put_errors(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "| error | status | when |\n|---|---|---|\n");
    for (int i = 0; i < ERROR_COUNT; i++) {
        const struct error_info *error = error_info((enum error_code)i);
        buf_fmt(
            b, "| `%.*s` | %d | %.*s |\n", STR_ARG(error->code), error->status,
            STR_ARG(error->condition));
    }
}

static void put_headers(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "| header | meaning |\n|---|---|\n");
    for (int id = 0; id < HEADER_COUNT; id++)
        if (header_info((enum header_id)id)->always)
            buf_fmt(
                b, "| `%.*s` | %.*s |\n", STR_ARG(header_info((enum header_id)id)->name),
                STR_ARG(header_info((enum header_id)id)->description));
}

static void put_csv_columns(struct buf *b, struct str argument, struct str base_url)
{
    buf_text(b, "```csv\n");
    shape_trade_csv_header(b, 0);
    buf_text(b, "\n```\n");
}

static const struct {
    struct str name;
    void (*put)(struct buf *b, struct str argument, struct str base_url);
} directives[] = {
    {STR_INIT("operations"), put_operations},
    {STR_INIT("operation"), put_operation},
    {STR_INIT("answer"), put_answer},
    {STR_INIT("request"), put_request},
    {STR_INIT("object"), put_object},
    {STR_INIT("brackets"), put_brackets},
    {STR_INIT("plans"), put_plans},
    {STR_INIT("limits"), put_limits},
    {STR_INIT("errors"), put_errors},
    {STR_INIT("headers"), put_headers},
    {STR_INIT("csv_columns"), put_csv_columns},
};

static void put_directive(struct buf *b, struct str text, struct str base_url)
{
    struct str name, argument = text;
    str_split(&argument, ' ', &name);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++) {
        if (str_eq(directives[i].name, name)) {
            directives[i].put(b, argument, base_url);
            return;
        }
    }
    assert(!"unknown directive");
}

/* Lists the filters that use an index, or the others: "`ticker`, `since`, `conflict=true`". A
 * filter that is of both kinds is listed with its values. */
static void put_filters(struct buf *b, bool indexed)
{
    const char *before = "";
    for (size_t i = 0; i < trade_filter_params.count; i++) {
        const struct trade_filter *filter = trade_filter_at(i);
        bool both = filter->seek && filter->test;
        for (int value = 1; value < (both ? filter->param.list->count : 2); value++) {
            if (trade_filter_is_listed(filter, &(struct param_value){.number = value}) != indexed)
                continue;
            buf_fmt(b, "%s`%.*s", before, STR_ARG(filter->param.name));
            if (both)
                buf_fmt(b, "=%.*s", STR_ARG(filter->param.list->name_of(value)));
            buf_char(b, '`');
            before = ", ";
        }
    }
}

/* "org.example.www": the namespace of a server in the registry of MCP. */
static void put_reversed_host(struct buf *b, struct str base_url)
{
    struct str host = str_slice(base_url, (size_t)str_find(base_url, STR("://")) + 3, base_url.n);
    size_t end = 0;
    while (end < host.n && (ascii_is_alnum(host.p[end]) || strchr("-.", host.p[end])))
        end++;
    for (size_t from = end; end; end = from ? --from : 0) {
        while (from && host.p[from - 1] != '.')
            from--;
        buf_str(b, str_slice(host, from, end));
        if (from)
            buf_char(b, '.');
    }
}

static void put_value(struct buf *b, struct str name, struct str base_url)
{
    if (str_eq(name, STR("base_url"))) {
        buf_str(b, base_url);
    } else if (str_eq(name, STR("reversed_host"))) {
        put_reversed_host(b, base_url);
    } else if (str_eq(name, STR("version"))) {
        buf_str(b, build.version);
    } else if (str_eq(name, STR("indexed_filters"))) {
        put_filters(b, true);
    } else if (str_eq(name, STR("scanned_filters"))) {
        put_filters(b, false);
    } else {
        assert(str_eq(name, STR("anonymous_minute")));
        buf_i64(b, ANONYMOUS_PER_MINUTE);
    }
}

static void put_line(struct buf *b, struct str line, struct str base_url)
{
    for (;;) {
        ptrdiff_t open = str_find(line, STR("{{")), close = str_find(line, STR("}}"));
        if (open < 0 || close < open) {
            buf_str(b, line);
            return;
        }
        buf_str(b, str_slice(line, 0, (size_t)open));
        put_value(b, str_slice(line, (size_t)open + 2, (size_t)close), base_url);
        line = str_slice(line, (size_t)close + 2, line.n);
    }
}

void reference_expand(struct buf *b, struct str text, struct str base_url)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        bool block = str_starts(line, STR("{{")) && str_ends(line, STR("}}")) &&
                     !str_starts(line, STR("{{base_url}}"));
        if (block) {
            put_directive(b, str_slice(line, 2, line.n - 2), base_url);
        } else {
            put_line(b, line, base_url);
            if (!str_is_null(text))
                buf_char(b, '\n');
        }
    }
}

struct str reference_section(struct str text, struct str anchor)
{
    struct str line;
    const char *from = NULL, *end = text.p + text.n;
    while (str_split(&text, '\n', &line)) {
        if (!str_starts(line, STR("## ")))
            continue;
        if (from) {
            end = line.p;
            break;
        }
        ptrdiff_t mark = str_find(line, STR(" {#"));
        if (mark >= 0 && str_eq(str_slice(line, (size_t)mark + 3, line.n - 1), anchor))
            from = line.p + line.n;
    }
    return from ? str_trim(str_of(from, (size_t)(end - from))) : STR_NULL;
}

void reference_plain(struct buf *b, struct str text)
{
    struct str line;
    bool in_code = false, left_out = false;
    while (str_split(&text, '\n', &line)) {
        bool fence = str_starts(line, STR("```"));
        in_code ^= fence;
        left_out |= in_code && samples_is_more(line);
        ptrdiff_t mark = line.n && line.p[0] == '#' ? str_find(line, STR(" {#")) : -1;
        if (!left_out) {
            buf_str(b, mark < 0 ? line : str_slice(line, 0, (size_t)mark));
            if (!str_is_null(text))
                buf_char(b, '\n');
        } else if (fence && !in_code) { /* its end, and the empty line after it */
            left_out = false;
            str_split(&text, '\n', &line);
        }
    }
}

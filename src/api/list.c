/* Pages of lists; see list.h. */
#include "api/list.h"

#include "api/context.h"

enum { LINK_SIZE_MAX = 4096 };

void list_end(const struct cursor *next, struct list_end *ret)
{
    struct buf b = buf_over(ret->text, sizeof ret->text);
    ret->next = STR_NULL;
    ret->after = STR("],\"nextCursor\":null}");
    if (next) {
        buf_str(&b, STR("],\"nextCursor\":\""));
        size_t from = b.n;
        cursor_encode(&b, next);
        ret->next = str_slice(buf_view(&b), from, b.n);
        buf_str(&b, STR("\"}"));
        ret->after = buf_view(&b);
    }
}

size_t list_limit(const struct param_values *params)
{
    return (size_t)params->page[PAGE_PARAM_LIMIT].number;
}

int64_t list_fields(const struct param_values *params)
{
    return params->page[PAGE_PARAM_FIELDS].number;
}

const struct cursor *list_after(const struct param_values *params)
{
    return str_is_null(params->page[PAGE_PARAM_CURSOR].text) ? NULL : &params->cursor;
}

bool list_values_pass(struct api_call *call, bool of_members)
{
    const struct param_table *filters = call->operation->params.filters;
    BUF_SCOPED(fits, SIZE_MAX);
    BUF_SCOPED(hint, SIZE_MAX);
    for (size_t i = 0; i < filters->count; i++) {
        const struct param *param = param_table_at(filters, i);
        const struct param_value *value = &call->params.filters[i];
        if (str_is_null(value->text) ||
            feed_value_exists(call->api->config.feed, param, value, of_members, &fits))
            continue;
        buf_fmt(&hint, "\"%.*s\" must be ", STR_ARG(param->name));
        param_accepts(&hint, param);
        buf_fmt(&hint, ". %.*s.", STR_ARG(buf_view(&fits)));
        reply_error(call, ERROR_INVALID_PARAMETER, arena_str(http_arena(call->x), buf_view(&hint)));
        return false;
    }
    return true;
}

void list_reply(struct api_call *call, const struct feed_page *page, const struct list_end *end)
{
    reply_page(
        call, &(struct reply_page){
                  .before = STR("{\"data\":["),
                  .rows = page->rows,
                  .count = page->count,
                  .after = end->after,
                  .fields = list_fields(&call->params),
              });
    list_link(call, end);
}

static void put_param(struct buf *b, const struct param *param, const struct param_value *value)
{
    if (str_is_null(value->text))
        return;
    buf_str(b, param->name);
    buf_char(b, '=');
    query_encode(b, value->text);
    buf_char(b, '&');
}

void list_link(struct api_call *call, const struct list_end *end)
{
    MEM_UNFILLED char space[LINK_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    if (str_is_null(end->next))
        return;
    buf_str(&b, STR("Link: <"));
    buf_str(&b, call->api->config.base_url);
    buf_text(&b, call->operation->path);
    buf_char(&b, '?');
    const struct param_table *filters = call->operation->params.filters;
    for (size_t i = 0; filters && i < filters->count; i++)
        put_param(&b, param_table_at(filters, i), &call->params.filters[i]);
    for (int id = 0; id < PAGE_PARAM_COUNT; id++)
        if (id != PAGE_PARAM_CURSOR)
            put_param(&b, page_param_info(id), &call->params.page[id]);
    buf_str(&b, STR("cursor=")); /* base64url: nothing to encode */
    buf_str(&b, end->next);
    buf_str(&b, STR(">; rel=\"next\"\r\n"));
    if (!b.overflow)
        http_head_raw(call->x, buf_view(&b));
}

void list_waiting(struct api_call *call, struct str politician)
{
    const struct feed *feed = call->api->config.feed;
    struct feed_politician p = {.waiting = 0};
    bool of_all = str_is_null(politician);
    if (!of_all && !feed_politician(feed, politician, 0, INSTANT_NONE, &p))
        return;
    int64_t waiting = of_all ? feed_waiting(feed) : p.waiting;
    if (waiting)
        http_head(
            call->x, header_info(HEADER_WAITING)->name,
            arena_fmt(http_arena(call->x), "%lld", (long long)waiting));
}

void list_ongoing(struct feed_politician *politician, struct arena *arena)
{
    size_t n = politician->service_count;
    if (!n || !politician->in_office)
        return;
    struct member_service *service = ARENA_ARRAY(arena, struct member_service, n);
    memcpy(service, politician->service, n * sizeof *service);
    service[0].until = DAY_NONE;
    politician->service = service;
}

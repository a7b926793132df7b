/* Refuses parties that there are not; see party.h. */
#include "api/party.h"

#include "api/context.h"
#include "api/reply.h"

static void refuse(struct api_call *call, const struct param *param)
{
    enum { HINT_MAX = 1024, LISTED_MAX = 900 };
    BUF_SCOPED(b, HINT_MAX);
    buf_fmt(&b, "\"%.*s\" must be ", STR_ARG(param->name));
    param_accepts(&b, param);
    buf_text(&b, ". Parties of trades: ");
    size_t none = b.n;
    feed_parties(call->api->config.feed, &b, STR(", "), LISTED_MAX);
    if (b.n == none)
        buf_text(&b, "none");
    buf_char(&b, '.');
    reply_error(call, ERROR_INVALID_PARAMETER, arena_str(http_arena(call->x), buf_view(&b)));
}

bool party_passes(struct api_call *call, bool of_members)
{
    const struct feed *feed = call->api->config.feed;
    const struct param_table *filters = call->operation->params.filters;
    for (size_t i = 0; i < filters->count; i++) {
        const struct param *param = param_table_at(filters, i);
        const struct param_value *value = &call->params.filters[i];
        if (param->type != PARAM_TYPE_PARTY || str_is_null(value->text) || value->number ||
            feed_has_party(feed, value->text) ||
            (of_members && feed_has_member_party(feed, value->text)))
            continue;
        refuse(call, param);
        return false;
    }
    return true;
}

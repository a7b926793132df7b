/* A filter by party; see list_party.h. */
#include "site/data/list_party.h"

#include "feed/feed.h"

bool list_party_check(struct page_call *call, const char *field, const struct param_value *value)
{
    enum { LISTED_MAX = 400 };
    const struct feed *feed = call->config->feed;
    BUF_SCOPED(parties, 2 * LISTED_MAX);
    if (value->number) /* one that is always known */
        return true;
    rcu_read_begin();
    bool known = feed_has_party(feed, value->text) || feed_has_member_party(feed, value->text);
    feed_parties(feed, &parties, STR(", "), LISTED_MAX);
    rcu_read_end();
    if (!known)
        form_fault_text(
            call->query_form, field, "No member and no trade has this party. Trades have: %.*s.",
            STR_ARG(buf_view(&parties)));
    return known;
}

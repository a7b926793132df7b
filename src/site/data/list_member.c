/* The filter of a list by member; see list_member.h. */
#include "site/data/list_member.h"

#include "feed/feed.h"
#include "html/link.h"
#include "noun/param.h"
#include "site/frame/reader.h"
#include "site/frame/trade_words.h"

enum { OFFERED_MAX = 12 };

static bool is_known(const struct page_call *call, struct str text)
{
    struct feed_politician found;
    struct str slug;
    if (!param_politician(text, call->arena, &slug))
        return false;
    rcu_read_begin();
    bool known = feed_politician(
        call->config->feed, slug, instant_day_utc(call->now_ms), INSTANT_NONE, &found);
    rcu_read_end();
    return known;
}

/* Inside a read of the feed. */
static void search(struct page_call *call, struct str text, struct feed_people_page *ret)
{
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    *ret = (struct feed_people_page){.count = 0};
    filter.until_ms = reader_until(call);
    if (param_fold(text, call->arena, &filter.q))
        feed_people(
            call->config->feed, &filter, NULL, FEED_PAGE_MAX, instant_day_utc(call->now_ms), ret);
}

struct str list_member_settle(struct page_call *call, struct str text)
{
    if (is_known(call, text))
        return text;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    rcu_read_begin();
    search(call, text, page);
    struct str slug = page->count == 1 ? arena_str(call->arena, page->rows[0].slug) : text;
    rcu_read_end();
    return slug;
}

bool list_member_check(struct page_call *call, const char *field, struct str text)
{
    if (is_known(call, text))
        return true;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    rcu_read_begin();
    search(call, text, page);
    rcu_read_end();
    form_fault_text(
        call->query_form, field,
        page->count ? "Several members have a name like this. Choose one."
                    : "No member of Congress matches this name.");
    return false;
}

/* --- several */

/* The address with this member only, from the first page. */
static struct str link_to(
    const struct page_call *call, struct str path, struct str field, struct str slug)
{
    const struct form *form = call->query_form;
    struct link_param params[FORM_FIELDS_MAX];
    size_t count = 0;
    bool has_member = false;
    for (size_t i = 0; i < form->count; i++) {
        const struct form_pair *pair = &form->pairs[i];
        bool is_member = str_eq(pair->name, field);
        if (!str_eq(pair->name, STR("cursor")) && !(is_member && has_member))
            params[count++] = (struct link_param){pair->name, is_member ? slug : pair->value};
        has_member |= is_member;
    }
    return link_make(call->arena, path, params, count);
}

static void put_member(
    struct page_call *call, struct view *row, struct str href, const struct feed_politician *p)
{
    view_str(row, "href", href);
    view_str(row, "name", p->name);
    view_fmt(
        row, "label", "%.*s%s%.*s", STR_ARG(words_chamber(p->chamber)), p->state.n ? ", " : "",
        STR_ARG(p->state));
}

/* Those with trades first, then others in office. */
void list_member_offer(struct page_call *call, struct str path, const char *field)
{
    struct view *shown = view_member(view_member(call->view, "fields"), field);
    struct view *list = view_list(shown, "members");
    struct str text = form_value(call->query_form, field);
    size_t offered = 0;
    view_bool(shown, "hasMembers", false);
    view_null(shown, "othersHref");
    if (str_is_null(text) || is_known(call, text))
        return;
    struct feed_people_page *page = ARENA_NEW(call->arena, struct feed_people_page);
    rcu_read_begin();
    search(call, text, page);
    for (int pass = 0; pass < 3; pass++)
        for (size_t i = 0; i < page->count && offered < OFFERED_MAX; i++) {
            const struct feed_politician *p = &page->rows[i];
            if (pass == (p->counts.trades ? 0 : p->in_office ? 1 : 2)) {
                put_member(call, view_item(list), link_to(call, path, str_from(field), p->slug), p);
                offered++;
            }
        }
    rcu_read_end();
    if (offered < page->count) {
        const struct link_param q = {STR("q"), text};
        view_str(shown, "othersHref", link_make(call->arena, STR("/politicians"), &q, 1));
    }
    view_bool(shown, "hasMembers", offered > 0);
}

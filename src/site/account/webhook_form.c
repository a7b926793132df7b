/* The form of an endpoint; see webhook_form.h. */
#include "site/account/webhook_form.h"

#include "rule/event_type.h"
#include "webhook/owner.h"

const char *const webhook_form_lists[] = {"events", NULL};

enum { EVENTS_SIZE = 256 };

static const char *const event_labels[EVENT_TYPE_COUNT] = {
    [EVENT_TRADE_PUBLISHED] = "trade.published: trades became public",
    [EVENT_TRADE_CORRECTED] = "trade.corrected: fields of public trades changed",
    [EVENT_TRADE_WITHDRAWN] = "trade.withdrawn: trades left the lists",
    [EVENT_TRADE_REINSTATED] = "trade.reinstated: withdrawn trades are public again",
};

/* Commas become the spaces between the values of a choice. */
static struct str with_spaces(struct arena *arena, struct str events)
{
    struct str copy = arena_str(arena, events);
    char *p = arena_alloc(arena, copy.n + 1);
    for (size_t i = 0; i < copy.n; i++)
        p[i] = (char)(copy.p[i] == ',' ? ' ' : copy.p[i]);
    return str_of(p, copy.n);
}

void webhook_form_show(
    struct page_call *call, const struct form *form, const struct endpoint *endpoint)
{
    struct form_option options[EVENT_TYPE_COUNT];
    size_t count = 0;
    for (int type = EVENT_NONE + 1; type < EVENT_TYPE_COUNT; type++)
        options[count++] = (struct form_option){
            event_type_name((enum event_type)type), str_from(event_labels[type])};
    struct str events = endpoint ? endpoint->events : event_type_name(EVENT_TRADE_PUBLISHED);
    form_show(call->view, form, "url", endpoint ? endpoint->url : STR(""));
    form_show(
        call->view, form, "description",
        endpoint && !str_is_null(endpoint->description) ? endpoint->description : STR(""));
    form_show_choices(call->view, form, "events", with_spaces(call->arena, events), options, count);
}

struct str webhook_form_events(const struct page_call *call)
{
    char space[EVENTS_SIZE];
    struct buf b = buf_over(space, sizeof space);
    size_t at = 0;
    for (struct str one; !str_is_null(one = form_next(call->form, "events", &at));) {
        if (b.n)
            buf_char(&b, ',');
        buf_str(&b, one);
    }
    return b.n && !b.overflow ? arena_str(call->arena, buf_view(&b)) : STR_NULL;
}

bool webhook_form_check(struct page_call *call, struct fail *fail)
{
    struct target target;
    struct str url = form_value(call->form, "url"), events = webhook_form_events(call), unused;
    if (str_is_null(url) || str_trim(url).n == 0)
        page_fault(call, "url", "enter the URL that receives the events");
    else if (destination_parse(call->config->webhook_rules, url, call->arena, &target, fail))
        form_fault(call->form, "url", fail);
    if (str_is_null(events))
        page_fault(call, "events", "choose at least one event");
    else if (!event_types_are_valid(events))
        page_fault(call, "events", "choose events from the list");
    if (owner_check_description(form_value(call->form, "description"), &unused, fail))
        form_fault(call->form, "description", fail);
    return !form_is_faulty(call->form);
}

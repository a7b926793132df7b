/* The form of an endpoint: url, description, events. Private to src/site. */
#pragma once

#include "site/frame/page_call.h"
#include "store/account/endpoint.h"

extern const char *const webhook_form_lists[]; /* for the table of pages */

/* Shows the form, for this endpoint or, if it is NULL, for a new one. `form` is what was posted to
 * it; NULL: nothing, or a form of another kind. */
void webhook_form_show(
    struct page_call *call, const struct form *form, const struct endpoint *endpoint);

/* The chosen events with commas between them, for the actions. Null: none is chosen. */
struct str webhook_form_events(const struct page_call *call);

/* Checks the URL and the description by the rules of the action, and that an event is chosen.
 * False: faults are beside the fields. */
bool webhook_form_check(struct page_call *call, struct fail *fail);

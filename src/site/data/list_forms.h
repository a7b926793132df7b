/* The forms of a list beside its page: JSON, feeds, CSV, with its filters. Private to
 * src/site/data. */
#pragma once

#include "html/link.h"
#include "site/frame/page_call.h"

/* Puts the links that the partial `list_forms` shows into the view, and names JSON and the feeds in
 * the head of the page. `list` is the address of the list, "/trades"; a form that has no page is
 * left out, and so is CSV for visitors whose plan has none. */
void list_forms(
    struct page_call *call, struct str list, const struct link_param *filters, size_t count);

/* The same for a list that the API has at another address. */
void list_forms_json(
    struct page_call *call, struct str list, struct str json, const struct link_param *filters,
    size_t count);

/* For a form whose query is not valid: the reply is the page of the list, with the faults beside
 * the fields, unless it is a redirect already. */
enum err list_forms_fault(struct page_call *call, struct str list, struct fail *fail);

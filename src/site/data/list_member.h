/*
 * The filter of a list by member: its field takes a slug, an id, or a name in any spelling. A name
 * of one member redirects to the URL with the slug; for several members, the page links to each.
 * Private to src/site/data.
 */
#pragma once

#include "site/frame/page_call.h"

/* The slug of the only member that matches the text. Returns the text itself if it is a slug or id,
 * or if no or several members match. */
struct str list_member_settle(struct page_call *call, struct str text);

/* Whether the text is a slug or an id. If not, the field has a fault: no member or several
 * members match it. */
bool list_member_check(struct page_call *call, const char *field, struct str text);

/* Puts links to the address with each of several members into fields.FIELD.members. Call it after
 * form_show; `path` is the address of the list. */
void list_member_offer(struct page_call *call, struct str path, const char *field);

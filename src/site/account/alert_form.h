/* The form of an alert, and an alert as a view. Private to src/site/account. */
#pragma once

#include "site/frame/page_call.h"
#include "store/account/alert.h"

/* Shows the form, for this alert or, if it is NULL, for a new one. `form` is what was posted to it;
 * NULL: nothing, or a form of another kind. */
enum err alert_form_show(
    struct page_call *call, const struct form *form, const struct alert *alert, struct fail *fail);

/* Reads the posted form. *ret_good is false if a field has a fault. */
enum err alert_form_read(
    struct page_call *call, struct alert_rule *ret, enum alert_pace *ret_pace, bool *ret_good,
    struct fail *fail);

/* id, href, about, pace, paceText, state, badge, createdAt, lastEmailAt, emails, and the criteria.
 */
void alert_view_put(struct page_call *call, struct view *v, const struct alert *alert);

/* Sets confirmed, mail, refused, refusedAt, refusedReason: the state of the owner's address.
 */
enum err alert_view_person(struct page_call *call, struct fail *fail);

/*
 * Change of the address, by its owner or the operator. Functions with `struct db` write inside a
 * transaction unless they say otherwise.
 */
#pragma once

#include "account/subject.h"

/* Over a struct subject: sends a link to both addresses. ERR_INVALID: not an address, or the
 * present one. ERR_REFUSED: no mail server is set. ERR_LIMIT: the new address got a link less than
 * five minutes ago. Whether another account has the address is only said to who opens the link that
 * it gets. */
act_run address_change_ask;

/* For the page of the link; reads. *ret_email, in the arena: the address that the account gets. */
enum err address_change_find(
    const struct act *act, struct str token, struct str *ret_email, bool *ret_is_new);

/* One side confirms. *ret_done: the other had, and the address is changed; the old one gets a
 * notice. ERR_NOT_FOUND: the link. ERR_EXISTS: another account has the address. */
enum err address_change_confirm(const struct act *act, struct str token, bool *ret_done);

/* The pending change of an account; reads. ERR_NOT_FOUND: none. */
struct address_change {
    struct str email; /* in the arena */
    int64_t expires_at;
    bool old_confirmed, new_confirmed;
};
enum err address_change_pending(
    const struct act *act, int64_t account_no, struct address_change *ret);

/* Over a struct subject, by the operator, at once. */
act_run address_set;

/* What the actions on an endpoint share: its lock, and the row of the action log. Private to
 * src/webhook. */
#pragma once

#include "store/account/account.h"
#include "webhook/owner.h"

/* The endpoint of an action that changes it: locks its account first, also a disabled one, as
 * account_lock_row wants it. */
enum err owner_take(const struct act *act, struct owner_endpoint *is, struct account *ret_account);

/* Writes the row of the log. `detail` is for a person, without secrets; null: none. */
enum err owner_note(
    const struct act *act, enum action action, const struct endpoint *endpoint, struct str detail);

/* The same, and reads the endpoint again. */
enum err owner_done(
    const struct act *act, struct owner_endpoint *is, enum action action, struct str detail);

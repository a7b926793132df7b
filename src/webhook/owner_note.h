/* What the actions on an endpoint share: its lock, and the row of the action log. Private to
 * src/webhook. */
#pragma once

#include "store/account/account.h"
#include "store/account/action_log.h"
#include "store/account/endpoint.h"

/* Like owner_find, for an action that changes the endpoint: locks its account first, also a
 * disabled one, as account_lock_row wants it. */
enum err owner_take(
    struct db *db, const struct actor *actor, struct str id, struct arena *arena,
    struct endpoint *ret, struct account *ret_account, struct fail *fail) MUST_CHECK;

/* `detail` is for a person, without secrets; null: none. */
enum err owner_note(
    struct db *db, const struct actor *actor, enum action action, const struct endpoint *endpoint,
    struct str detail, int64_t now_ms, struct fail *fail) MUST_CHECK;

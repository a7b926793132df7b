/*
 * Webhook endpoints. The secret is sealed with the master key before it comes here (XChaCha20-
 * Poly1305, the endpoint's id as associated data). Functions that alter one write the change notice
 * `endpoint`; call them inside a write transaction.
 */
#pragma once

#include "base/mem.h"
#include "store/db.h"

enum endpoint_state {
    ENDPOINT_ENABLED,
    ENDPOINT_DISABLED, /* by ten failures or by its owner; new events are held */
    ENDPOINT_PAUSED,   /* above the cap after a downgrade */
    ENDPOINT_DELETED,  /* kept for the history of its deliveries */
    ENDPOINT_STATE_COUNT
};

enum { ENDPOINT_ID_SIZE = 19 };

struct endpoint {
    int64_t no;
    struct str id; /* "ep_" + 16 hex digits */
    int64_t account_no;
    struct str account_email;
    struct str url;
    struct str secret_sealed;
    enum endpoint_state state;
    int64_t failures; /* deliveries that failed since the last 2xx */
    int64_t created_at;
};

void endpoint_id_make(char ret[static ENDPOINT_ID_SIZE]); /* before sealing: the seal binds to it */

/* ERR_LIMIT: the plan's cap, checked under a lock on the account. ERR_NOT_FOUND: no such account.
 */
enum err endpoint_add(
    struct db *db, struct str email, struct str id, struct str url, struct str secret_sealed,
    int64_t now_ms, struct fail *fail) MUST_CHECK;

struct endpoint_list {
    struct endpoint *items;
    size_t count;
};

/* email null: of every account. Oldest first, without deleted ones. */
enum err endpoint_list(
    struct db *db, struct str email, struct arena *arena, struct endpoint_list *ret,
    struct fail *fail) MUST_CHECK;

/* Enabling zeroes the failures. ERR_NOT_FOUND: none, or deleted. */
enum err endpoint_set_state(
    struct db *db, struct str id, enum endpoint_state state, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

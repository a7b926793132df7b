/*
 * Webhook endpoints. The caller seals the secret with the master key (XChaCha20-Poly1305, the
 * endpoint's id as associated data). Functions that change an endpoint write the change notice
 * `endpoint` unless they say otherwise; call them inside a write transaction.
 */
#pragma once

#include "db/db.h"
#include "rule/delivery.h"
#include "store/row/act.h"

enum { ENDPOINT_ID_SIZE = 19 };

struct endpoint {
    int64_t no;
    struct str id; /* "ep_" + 16 hex digits */
    int64_t account_no;
    struct str account_id;
    struct str account_email;
    struct str url;
    struct str secret_sealed;
    struct str old_secret_sealed; /* also signs, until old_until; null: none */
    int64_t old_secret_until;
    struct endpoint_is is;
    int64_t created_at;
    struct str events;      /* the types that it receives (rule/event_type.h) */
    struct str description; /* the owner's words; null: none */
    bool damaged;           /* its row does not match its digest: nothing is sent to it */
};

/* Bytes of UTF-8. */
enum { ENDPOINT_DESCRIPTION_MAX = 200 };

/* Call it before sealing the secret, because the seal binds to the id. */
void endpoint_id_make(char ret[static ENDPOINT_ID_SIZE]);

/* It receives trade.published. ERR_LIMIT: the plan's cap, checked with the account locked.
 * ERR_NOT_FOUND: no such account. */
enum err endpoint_add(
    const struct act *act, struct str email, struct str id, struct str url,
    struct str secret_sealed);

struct endpoint_list {
    struct endpoint *items;
    size_t count;
};

/* Oldest first, without deleted ones. email null: of all accounts. */
enum err endpoint_list(const struct act *act, struct str email, struct endpoint_list *ret);

/* Finds an endpoint that is not deleted. ERR_NOT_FOUND: none. */
enum err endpoint_find(const struct act *act, struct str id, struct endpoint *ret);

/* Its number, also if it is deleted. ERR_NOT_FOUND: there was never one. */
enum err endpoint_number(struct db *db, struct str id, int64_t *ret, struct fail *fail);

enum err endpoint_find_no(
    struct db *db, int64_t no, struct arena *arena, struct endpoint *ret, struct fail *fail);

/* Changes its state (rule/delivery.h). Enabling it makes its waiting deliveries due at once, oldest
 * first; deleting it expires them. ERR_NOT_FOUND: none, or deleted. ERR_REFUSED: not allowed from
 * its state. */
enum err endpoint_do(const struct act *act, struct str id, enum endpoint_event event);

/* Writes the result of a step (rule/delivery.h), without a change notice. *ret_written is false if
 * the endpoint changed since `before` was read; it then stays unchanged. */
enum err endpoint_write(
    const struct act *act, int64_t no, const struct endpoint_is *before,
    const struct endpoint_is *after, bool *ret_written);

/* Sets its address and description (null: none). The secret and the queue stay. ERR_NOT_FOUND:
 * none, or deleted. */
enum err endpoint_set_address(
    const struct act *act, struct str id, struct str url, struct str description);

/* Sets a new secret; the old one also signs until `old_until` (INSTANT_NONE: no longer).
 * ERR_NOT_FOUND: none, or deleted. ERR_REFUSED: an older secret still signs; `force` ends it. */
enum err endpoint_rotate(
    const struct act *act, struct str id, struct str secret_sealed, int64_t old_until, bool force);

/* Ends the overlap of a rotation: the old secret signs no longer. ERR_NOT_FOUND: none, or deleted.
 * ERR_REFUSED: only one secret signs. */
enum err endpoint_end_overlap(const struct act *act, struct str id);

/* Sets the types that it receives from the next event on. `events` is valid (rule/event_type.h).
 * ERR_NOT_FOUND: none, or deleted. */
enum err endpoint_set_events(const struct act *act, struct str id, struct str events);

/* Empties the deleted endpoints of an account that is being deleted: URLs, descriptions, secrets,
 * and what was sent to and answered by receivers. */
enum err endpoint_erase_all(const struct act *act, int64_t account_no);

/* SQL for endpoints that get deliveries, and for their state. `e` is the endpoint, `a` its account,
 * `d` a delivery. */

/* The members of struct endpoint_is, as columns. */
#define ENDPOINT_IS "e.state, e.failures, e.streak, e.gone, e.pauses, e.failed_at, e.next_try_at"

/* Reads ENDPOINT_IS, whose first column is number `first` of the row. */
struct endpoint_is endpoint_is_read(const struct query *q, int first);

#define ENDPOINT_IS_OPEN "(e.state = 'enabled' AND a.disabled_at IS NULL)"

/* Gets at least what a person sends, a replay or a test. */
#define ENDPOINT_TAKES_BY_HAND "(e.state <> 'deleted' AND a.disabled_at IS NULL)"

/* Is sent when it is due; any other delivery is held. */
#define DELIVERY_MAY_GO                                                                            \
    "(" ENDPOINT_IS_OPEN " OR (d.cause <> 'event' AND " ENDPOINT_TAKES_BY_HAND "))"

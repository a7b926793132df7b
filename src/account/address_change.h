/*
 * Change of the address, by its owner or the operator. Functions with `struct db` write inside a
 * transaction unless they say otherwise.
 */
#pragma once

#include "account/config.h"
#include "store/account/account.h"

/* Sends a link to both addresses. ERR_INVALID: not an address, or the present one. ERR_REFUSED: no
 * mail server is set. ERR_LIMIT: the new address got a link less than five minutes ago. Whether
 * another account has the address is only said to who opens the link that it gets. */
enum err address_change_ask(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str email, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* For the page of the link; reads. *ret_email, in the arena: the address that the account gets. */
enum err address_change_find(
    struct db *db, struct str token, int64_t now_ms, struct arena *arena, struct str *ret_email,
    bool *ret_is_new, struct fail *fail) MUST_CHECK;

/* One side confirms. *ret_done: the other had, and the address is changed; the old one gets a
 * notice. ERR_NOT_FOUND: the link. ERR_EXISTS: another account has the address. */
enum err address_change_confirm(
    struct db *db, const struct account_config *config, struct str token, int64_t now_ms,
    bool *ret_done, struct fail *fail) MUST_CHECK;

/* The pending change of an account; reads. ERR_NOT_FOUND: none. */
struct address_change {
    struct str email; /* in the arena */
    int64_t expires_at;
    bool old_confirmed, new_confirmed;
};
enum err address_change_pending(
    struct db *db, int64_t account_no, int64_t now_ms, struct arena *arena,
    struct address_change *ret, struct fail *fail) MUST_CHECK;

/* By the operator, at once. */
enum err address_set(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, struct str email, int64_t now_ms, struct fail *fail) MUST_CHECK;

/* Invitations that are open, for admins: tokens (store/account/token.h) that were not used and have
 * not expired. */
#pragma once

#include "store/account/token.h"

struct invitation {
    int64_t no;
    struct str email;
    enum plan plan;
    enum role role;
    struct str by_id;    /* account that invited; null: the operator */
    struct str by_email; /* null: the operator */
    bool works;          /* false: the account that invited is no working admin any more */
    int64_t created_at, expires_at;
};

struct invitation_list {
    struct invitation *items;
    size_t count;
    bool more;
};

/* The newest first, at most `limit`. Strings live in the arena. */
enum err invitation_list(
    struct db *db, int64_t now_ms, size_t limit, struct arena *arena, struct invitation_list *ret,
    struct fail *fail) MUST_CHECK;

/* Inside a write transaction. ERR_NOT_FOUND: accepted, withdrawn, replaced or expired. */
enum err invitation_withdraw(struct db *db, int64_t no, int64_t now_ms, struct fail *fail)
    MUST_CHECK;

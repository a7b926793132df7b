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
enum err invitation_list(const struct act *act, size_t limit, struct invitation_list *ret);

/* Inside a write transaction. ERR_NOT_FOUND: accepted, withdrawn, replaced or expired. */
enum err invitation_withdraw(const struct act *act, int64_t no);

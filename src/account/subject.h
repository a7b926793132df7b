/* The account that an action of an owner, an admin or the operator is about. */
#pragma once

#include "account/config.h"
#include "store/account/account.h"
#include "webhook/owner.h"

/* What an action reads of it, and what it leaves. Strings of what it leaves live in the arena. */
struct subject {
    /* As the caller read it, and then as it is afterwards. Named by its number, not by an address
     * that may have moved to another account since a page was shown. Number 0: not read yet. */
    struct account account;
    struct str email; /* of the account, if it was not read, or of one that is not made yet */
    struct str to;    /* a new address */
    enum plan plan;
    enum role role;
    struct str hash;                 /* of a new password; empty: none */
    struct str session;              /* the id of one; null: all */
    struct str link;                 /* to pass on; null: none */
    int64_t count;                   /* of sessions that ended */
    struct owner_plan_effect effect; /* of a new plan */
};

/* Reads the account, unless the caller did. ERR_NOT_FOUND: there is none with this address. */
enum err subject_find(const struct act *act, struct subject *is);

/* Reads it again, and writes the row of the log. `detail` may be null. */
enum err subject_done(
    const struct act *act, struct subject *is, enum action action, struct str detail);

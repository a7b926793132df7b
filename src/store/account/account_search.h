/* Accounts as admins look for them. */
#pragma once

#include "rule/plan.h"
#include "store/row/act.h"

enum { ACCOUNT_SEARCH_TEXT_MAX = 100 };

enum account_search_state {
    ACCOUNT_ANY, /* not deleted */
    ACCOUNT_ENABLED,
    ACCOUNT_DISABLED,
    ACCOUNT_DELETED,
    ACCOUNT_SEARCH_STATE_COUNT
};

struct str account_search_state_name(enum account_search_state state);
bool account_search_state_from_name(struct str name, enum account_search_state *ret);

struct account_search {
    struct str text; /* part of the address or of the id, in any case; null: any */
    struct str plan; /* key of a plan; null: any */
    struct str role; /* null: any */
    enum account_search_state state;
    int64_t before; /* accounts with a smaller number, for the next page; 0: the newest */
};

struct account_found {
    int64_t no;
    struct str id, email; /* email is empty if it is deleted */
    enum plan plan;
    enum role role;
    int64_t created_at;
    int64_t disabled_at, deleted_at; /* INSTANT_NONE: not */
    bool has_password, has_second_factor;
    int64_t keys;         /* active ones */
    int64_t endpoints;    /* not deleted ones */
    int64_t signed_in_at; /* the last sign-in that the log of actions has; INSTANT_NONE: none */
};

struct account_found_list {
    struct account_found *items;
    size_t count;
    bool more;
};

/* The newest first, at most `limit`. Text above ACCOUNT_SEARCH_TEXT_MAX bytes finds nothing.
 * Strings live in the arena. */
enum err account_search(
    const struct act *act, const struct account_search *search, size_t limit,
    struct account_found_list *ret);

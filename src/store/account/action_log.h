/*
 * The log of actions: who did what, on what, when, and from which session. Rows are only appended
 * (the database refuses changes), in the transaction of the action itself. A row contains no
 * e-mail address and no secret, so that it can stay when an account is deleted.
 */
#pragma once

#include "rule/action.h"
#include "store/row/act.h"

struct str actor_kind_name(enum actor_kind kind);

/* The same by nobody who is signed in: what a link from an e-mail, or a password, may do. */
struct act act_of_visitor(const struct act *act);

/* ERR_REFUSED: neither an admin nor the operator. */
enum err actor_check_admin(const struct actor *actor, struct fail *fail);

struct action_entry {
    int64_t no; /* in the order of commits within one server */
    int64_t at;
    enum actor_kind actor;
    struct str actor_id;     /* of an account, else null */
    struct str session_id;   /* null: none */
    struct str action;       /* its name, which a newer version may have and this one not */
    struct str account_id;   /* the account that is concerned; null: none */
    struct str subject_kind; /* "account", "key", "endpoint", ...; null: the account itself */
    struct str subject_id;
    struct str detail; /* for a person, such as "plan pack"; null: none */
};

/* Appends one row. `subject_kind` and `subject_id` may be null strings, and so may `detail`. */
enum err action_log_add(
    const struct act *act, enum action action, struct str account_id, struct str subject_kind,
    struct str subject_id, struct str detail);

/* Appends a row whose subject is the account itself. */
enum err action_log_account(
    const struct act *act, enum action action, struct str account_id, struct str detail);

/* Which rows; each null or INSTANT_NONE member matches all. */
struct action_filter {
    struct str actor_id;
    struct str account_id;
    struct str about_id; /* actor or concerned account: an owner's own log */
    struct str action;   /* a name, or the part before the dot */
    struct str subject_id;
    int64_t from_ms; /* lower bound of `at` */
    int64_t to_ms;   /* `at` is before it */
    int64_t before;  /* rows with a smaller number, for the next page; 0: the newest */
};

struct action_list {
    struct action_entry *items;
    size_t count;
};

/* The newest rows first, at most `limit`. Strings live in the arena. An index serves each filter.
 * For times, rows must be at most a day out of the order of their numbers. */
enum err action_log_list(
    const struct act *act, const struct action_filter *filter, int64_t limit,
    struct action_list *ret);

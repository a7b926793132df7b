/*
 * The log of actions: who did what, on what, when, and from which session. Rows are only appended
 * (the database refuses changes), in the transaction of the action itself. A row contains no
 * e-mail address and no secret, so that it can stay when an account is deleted.
 */
#pragma once

#include "base/mem.h"
#include "db/db.h"
#include "rule/action.h"
#include "rule/role.h"

enum actor_kind {
    ACTOR_KIND_VISITOR, /* nobody is signed in: holds a password, or a link from an e-mail */
    ACTOR_KIND_ACCOUNT,
    ACTOR_KIND_OPERATOR, /* the command line: may do everything */
    ACTOR_KIND_COUNT
};

struct str actor_kind_name(enum actor_kind kind);

/* Who acts. The strings outlive the action. */
struct actor {
    enum actor_kind kind;
    /* of an account */
    struct str account_id;
    int64_t account_no;
    enum role role;
    struct str session_id;
};

#define ACTOR_OPERATOR ((struct actor){.kind = ACTOR_KIND_OPERATOR, .role = ROLE_ADMIN})
#define ACTOR_VISITOR ((struct actor){.kind = ACTOR_KIND_VISITOR})

/* ERR_REFUSED: neither an admin nor the operator. */
enum err actor_check_admin(const struct actor *actor, struct fail *fail) MUST_CHECK;

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
    struct db *db, const struct actor *actor, enum action action, struct str account_id,
    struct str subject_kind, struct str subject_id, struct str detail, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* Appends a row whose subject is the account itself. */
enum err action_log_account(
    struct db *db, const struct actor *actor, enum action action, struct str account_id,
    struct str detail, int64_t now_ms, struct fail *fail) MUST_CHECK;

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
    struct db *db, const struct action_filter *filter, int64_t limit, struct arena *arena,
    struct action_list *ret, struct fail *fail) MUST_CHECK;

/*
 * Accounts, which own keys and endpoints and may review. E-mail addresses are unique, ignoring
 * case. Functions that change an account write the change notice `account` (key: the account's id);
 * call them inside a write transaction.
 */
#pragma once

#include "base/mem.h"
#include "core/plan.h"
#include "core/role.h"
#include "store/db/db.h"

struct account {
    int64_t no;       /* row number, for joins inside the store */
    struct str id;    /* "acc_" + 16 hex digits */
    struct str email; /* as given */
    enum plan plan;
    enum role role;
    int64_t created_at;
    int64_t disabled_at;      /* INSTANT_NONE: not disabled */
    struct str password_hash; /* null: none set */
};

/* ERR_EXISTS: the address already has an account. ERR_INVALID: not an address. Strings in *ret live
 * in the arena. */
enum err account_create(
    struct db *db, struct str email, enum plan plan, enum role role, int64_t now_ms,
    struct arena *arena, struct account *ret, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND names the address in *fail. */
enum err account_find(
    struct db *db, struct str email, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;
enum err account_find_id(
    struct db *db, struct str id, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;

/* Like account_find, inside a write transaction: locks the row until its end, so that concurrent
 * checks of one account's cap each see the rows that the others added. ERR_REFUSED: disabled. */
enum err account_lock(
    struct db *db, struct str email, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;

struct account_list {
    struct account *items;
    size_t count;
};

enum err account_list(
    struct db *db, struct arena *arena, struct account_list *ret, struct fail *fail) MUST_CHECK;

/* ERR_NOT_FOUND as above. Setting the current value again is fine. */
enum err account_set_plan(struct db *db, struct str email, enum plan plan, struct fail *fail)
    MUST_CHECK;
enum err account_set_role(struct db *db, struct str email, enum role role, struct fail *fail)
    MUST_CHECK;
enum err account_disable(struct db *db, struct str email, int64_t now_ms, struct fail *fail)
    MUST_CHECK;
enum err account_enable(struct db *db, struct str email, struct fail *fail) MUST_CHECK;
/* hash: the text form of the password hash (Argon2id), never the password */
enum err account_set_password(struct db *db, struct str email, struct str hash, struct fail *fail)
    MUST_CHECK;

/*
 * Accounts, which own keys and endpoints and may review. E-mail addresses are unique, ignoring
 * case. A deleted account is found by its id only. Functions that change an account write the
 * change notice `account` (key: the account's id); call them inside a write transaction.
 */
#pragma once

#include "rule/plan.h"
#include "rule/role.h"
#include "store/row/act.h"

struct account {
    int64_t no;       /* row number, for joins inside the store */
    struct str id;    /* "acc_" + 16 hex digits */
    struct str email; /* as given */
    enum plan plan;
    enum role role;
    int64_t created_at;
    int64_t disabled_at;      /* INSTANT_NONE: not disabled */
    struct str password_hash; /* null: none set */
    int64_t password_at;      /* when it was set; INSTANT_NONE: unknown or none set */
    int64_t deleted_at;       /* INSTANT_NONE: not deleted. Then email is empty */
    int64_t totp_at;          /* when the second factor was turned on; INSTANT_NONE: it is off */
    int64_t totp_step;        /* the last 30-second step whose code was used; 0: none */
    struct str totp_sealed;   /* secret of the second factor; null: it is off */
    struct str totp_pending;  /* sealed secret that waits for its first code; null: none */
    int64_t confirmed_at;     /* a link in an e-mail proved the address; INSTANT_NONE: none did */
    bool damaged;             /* its columns do not give its digest: it opens nothing */
};

/* ERR_CORRUPT: it is damaged. Functions that return one account call it. */
enum err account_check(const struct account *account, struct fail *fail);

/* ERR_EXISTS: the address already has an account. ERR_INVALID: not an address. Strings in *ret live
 * in the arena. */
enum err account_create(
    const struct act *act, struct str email, enum plan plan, enum role role, struct account *ret);

/* ERR_NOT_FOUND names the address in *fail. */
enum err account_find(const struct act *act, struct str email, struct account *ret);
enum err account_find_id(const struct act *act, struct str id, struct account *ret);

enum err account_find_no(const struct act *act, int64_t no, struct account *ret);

/* Like account_find, inside a write transaction: locks the row until its end, so that concurrent
 * checks of one account's cap each see the rows that the others added. ERR_REFUSED: disabled. */
enum err account_lock(const struct act *act, struct str email, struct account *ret);

struct account_list {
    struct account *items;
    size_t count;
};

enum err account_list(const struct act *act, struct account_list *ret);

/* ERR_NOT_FOUND as above. Setting the current value again is fine. */
enum err account_set_plan(const struct act *act, struct str email, enum plan plan);
enum err account_set_role(const struct act *act, struct str email, enum role role);
enum err account_disable(const struct act *act, struct str email);
enum err account_enable(const struct act *act, struct str email);

/* --- by number, for actions of people who are signed in */

/* Locks the row until the end of the transaction, also that of a disabled account. Take this lock
 * before those of endpoints and of the change counter: two transactions on one account then wait
 * for each other and never deadlock. ERR_NOT_FOUND: deleted. */
enum err account_lock_row(const struct act *act, int64_t no, struct account *ret);
/* The same for an account that must work. ERR_REFUSED: disabled. */
enum err account_lock_no(const struct act *act, int64_t no, struct account *ret);

/* hash: the text form of the password hash (Argon2id), never the password. ERR_BUSY: the password
 * is not the one with old_hash (null: none) any more. */
enum err account_replace_password(
    const struct act *act, int64_t no, struct str old_hash, struct str hash);

/* ERR_EXISTS: another account has the address. The address is valid, and not confirmed. The former
 * one of a reviewer is kept: store/desk/same_person.h. */
enum err account_set_email(const struct act *act, int64_t no, struct str email);

/* A link in an e-mail to the account's address was followed. */
enum err account_confirm(const struct act *act, int64_t no);

struct account_totp {
    struct str sealed;  /* null: off */
    int64_t at;         /* INSTANT_NONE: off */
    int64_t step;       /* 0: no code was used */
    struct str pending; /* null: none */
};

enum err account_set_totp(const struct act *act, int64_t no, const struct account_totp *totp);
/* ERR_REFUSED: a code of this step or a later one was used. */
enum err account_use_totp_step(struct db *db, int64_t no, int64_t step, struct fail *fail);

/* Erases addresses, password and second factor, takes role and plan away, and disables the account.
 * ERR_NOT_FOUND: deleted before. Keys, endpoints, sessions, mail and tokens are the caller's. */
enum err account_erase(const struct act *act, int64_t no);

/* The number of admins that are not disabled, as this transaction leaves them. Call it after a
 * function that adds a change notice: of two transactions, the second then sees the first. */
enum err account_count_admins(const struct act *act, int64_t *ret);

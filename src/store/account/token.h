/*
 * Tokens: secrets that are sent by e-mail as part of a link, or that join the two steps of a
 * sign-in (docs/adr/0024-accounts.md). Only their SHA-256 is stored. A token works once and until
 * it expires. All functions but token_find are called inside a write transaction.
 */
#pragma once

#include "base/crypto.h"
#include "base/instant.h"
#include "rule/plan.h"
#include "rule/role.h"
#include "store/row/act.h"

enum { TOKEN_SIZE = 43 }; /* base64url of 32 bytes */

enum token_purpose {
    TOKEN_SIGN_UP,     /* confirms the address of a new account */
    TOKEN_RESET,       /* sets a new password */
    TOKEN_ADDRESS_OLD, /* confirms a change of address at the old one */
    TOKEN_ADDRESS_NEW, /* ... and at the new one */
    TOKEN_INVITATION,  /* makes an account for this address */
    TOKEN_SIGN_IN,     /* the password was right, the code is missing */
    TOKEN_PURPOSE_COUNT
};

/* How long they work. */
enum { TOKEN_LINK_HOURS = 1, TOKEN_INVITATION_DAYS = 7, TOKEN_SIGN_IN_MINUTES = 10 };

struct token {
    int64_t no;
    enum token_purpose purpose;
    int64_t account_no;       /* 0: none yet */
    struct str email;         /* of a sign-up or an invitation; the new one of a change */
    struct str password_hash; /* of a sign-up */
    enum plan plan;           /* of an invitation */
    enum role role;
    struct str by_id; /* account that invited; null: the operator */
    int64_t tries;    /* wrong codes so far */
    int64_t created_at, expires_at;
    int64_t used_at; /* INSTANT_NONE: not used yet */
};

/* Adds a token with the members purpose to by_id of `token`. Writes its text, which the caller
 * wipes. */
enum err token_add(const struct act *act, const struct token *token, char text[static TOKEN_SIZE]);

/* A random text like that of a token, for a secret that is stored elsewhere. */
void token_text_make(char ret[static TOKEN_SIZE]);

/* A token that was not used and has not expired. ERR_NOT_FOUND: there is none. Strings live in the
 * arena. */
enum err token_find(
    const struct act *act, enum token_purpose purpose, struct str text, struct token *ret);

/* Marks it as used. Of concurrent uses one succeeds. ERR_NOT_FOUND: it was used, or is gone. */
enum err token_use(const struct act *act, int64_t no);

/* Counts a wrong code. *ret_tries: including this one. */
enum err token_try(const struct act *act, int64_t no, int64_t *ret_tries);

/* The wrong codes of all the account's tokens of this purpose that have not expired. */
enum err token_tries_of(
    const struct act *act, enum token_purpose purpose, int64_t account_no, int64_t *ret);

/* The newest token of this purpose for the account, used or not, that has not expired. */
enum err token_find_of(
    const struct act *act, enum token_purpose purpose, int64_t account_no, struct token *ret);

/* Delete the tokens of one purpose, or all of an account. */
enum err token_drop(const struct act *act, enum token_purpose purpose, int64_t account_no);
enum err token_drop_all(const struct act *act, int64_t account_no);
/* ... of one address, in any letter case */
enum err token_drop_email(const struct act *act, enum token_purpose purpose, struct str email);

/* Deletes expired tokens, at most `limit`. */
enum err token_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);

/* Recovery codes of a second factor, as SHA-256. Functions that write are called inside a write
 * transaction. */

/* Replaces all codes of the account. */
enum err recovery_code_replace(
    const struct act *act, int64_t account_no, const uint8_t (*sha256)[SHA256_SIZE], size_t n);

/* Uses up the code. ERR_NOT_FOUND: unknown or used. Of concurrent uses one succeeds. */
enum err recovery_code_use(
    const struct act *act, int64_t account_no, const uint8_t sha256[static SHA256_SIZE]);

/* The number of codes that were not used. */
enum err recovery_code_count(const struct act *act, int64_t account_no, int64_t *ret);

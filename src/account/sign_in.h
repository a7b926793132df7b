/*
 * Sign-in, re-authentication and sign-out.
 *
 * A sign-in has two halves (config.h), and with a second factor one more step:
 *
 *     sign_in_check (worker: limits, password) -> sign_in_write (writer: session, or a token that
 *     asks for the code) -> sign_in_code (writer: session)
 *
 * An unknown address, a wrong password and a disabled account get the same sentence after the same
 * work: limits, one look-up, one Argon2id.
 */
#pragma once

#include "account/attempts.h"
#include "account/config.h"
#include "account/password.h"
#include "account/subject.h"
#include "store/account/account.h"
#include "store/account/session.h"
#include "store/account/token.h"

enum {
    SIGN_IN_CODE_TRIES = 5,      /* wrong codes of one sign-in */
    SIGN_IN_CODE_TRIES_ALL = 10, /* ... of an account in ten minutes; then recovery codes only */
};

/* What a sign-in led to. The caller wipes the token. */
struct sign_in_done {
    bool code_needed;               /* the token is for sign_in_code; else it is the cookie */
    char token[SESSION_TOKEN_SIZE]; /* no NUL */
    struct session session;         /* unless code_needed; strings in the arena */
    struct account account;
    bool must_set_up; /* the setting demands a second factor that the account does not have yet */
    bool wrong_code;  /* of sign_in_code: no session; `why` says it, and the try is counted */
    const char *why;
};

/* Somebody comes in: with a password, a code, or a link from an e-mail. */
struct arrival {
    /* What was typed, and where. */
    struct str email, password, code;
    struct str text; /* of the token: of the link, or of the step before */
    struct str mark; /* of the browser (sign_in.h); null: none */
    const struct address *client;
    const struct session_origin *origin; /* of the session that begins */
    struct attempts *attempts;           /* NULL: not limited (tests) */
    /* What the first half, on a worker, leaves for the second. Strings live in its arena. */
    struct account account;
    struct token token;
    char hash[PASSWORD_HASH_SIZE]; /* of the password; of a sign-in: replaces one with old
                                      parameters; empty: none */
    struct attempt_draw draw;      /* given back when the session begins */
    const char *field;             /* that is wrong, "email" or "password" */
    int64_t retry_s;               /* when to try again; 0: it does not matter */
    /* What came of it. */
    struct sign_in_done done;
};

/* Each over a struct arrival.
 *
 * Check reads only. ERR_REFUSED: the sentence. ERR_LIMIT, ERR_UNAVAILABLE, ERR_BUSY: try again,
 * after retry_s seconds. Write. ERR_REFUSED: the account or its password changed since the check.
 *
 * Code: of the authenticator, or a recovery code. A wrong one is OK with done.wrong_code, because
 * the transaction must be kept: after five the token is used up. ERR_NOT_FOUND: the token is
 * unknown, used or expired: begin again. */
act_run sign_in_check, sign_in_write, sign_in_code;

/* Begins a session for an account whose owner has proved it in another way: a confirmed sign-up, an
 * invitation, a reset. Asks for the code if there is a second factor. */
enum err sign_in_begin(
    const struct act *act, const struct account *account, const struct session_origin *origin,
    struct sign_in_done *ret);

/* --- re-authentication */

/* Reads only. ERR_REFUSED: the password is wrong. Others as in sign_in_check. Attempts count for
 * the session alone. */
enum err sign_in_prove_check(
    struct attempts *attempts, const struct account *account, struct str session_id,
    struct str password, int64_t now_ms, int64_t *ret_retry_s, struct fail *fail);

/* Marks the session as re-authenticated for ten minutes. `code` is read if the account has a second
 * factor. *ret_right is false, and *ret_why for the person, if the code is wrong. ERR_NOT_FOUND:
 * the session has ended. */
enum err sign_in_prove_write(
    const struct act *act, int64_t session_no, int64_t account_no, struct str code, bool *ret_right,
    const char **ret_why);

/* --- sign-out */

/* Over a struct subject: ends one session of the account, or all. ERR_NOT_FOUND: it has none with
 * this id; sign_out_own does nothing then, because it was ended elsewhere in the meantime. */
act_run sign_out, sign_out_own;

/*
 * The mark of a browser that has signed in before (docs/adr/0042-known-browsers.md; OWASP's "device
 * cookie"): wrong passwords from elsewhere do not lock it out. It opens nothing: a sign-in from it
 * needs the password, and the code, like any other.
 *
 * The text is stored nowhere. It is an id and two HMACs: over the e-mail address, which is checked
 * before the account is looked up, so that no answer depends on whether there is one; and over the
 * account and the hash of its password, so that a new password ends all marks.
 */

enum { KNOWN_BROWSER_SIZE = 118, KNOWN_BROWSER_DAYS = 365 };

/* No NUL. The account's password_hash is the one that is stored. */
void known_browser_make(
    const struct account_config *config, const struct account *account, int64_t now_ms,
    char ret[static KNOWN_BROWSER_SIZE]);

/* The id that its attempts are counted by, a part of `mark`. Null: `mark` is null, forged, older
 * than KNOWN_BROWSER_DAYS, or made for another address. */
struct str known_browser_id(
    const struct account_config *config, struct str email, struct str mark, int64_t now_ms);

/* Of a mark that has an id: it was made for this account, which has the same password still. */
bool known_browser_holds(
    const struct account_config *config, const struct account *account, struct str mark);

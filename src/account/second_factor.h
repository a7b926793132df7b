/*
 * The second factor of an account: a secret that an authenticator shares, sealed at rest, and ten
 * recovery codes. A code works once, and so does a recovery code.
 *
 *     off -> second_factor_begin -> pending -> second_factor_on (first code) -> on -> off
 *
 * A pending secret is sealed for the session that began, and ends after an hour: somebody who had
 * the account for a moment cannot leave a secret there for the owner to turn on.
 *
 * All functions but second_factor_show are called inside a write transaction.
 */
#pragma once

#include "account/config.h"
#include "account/recovery.h"
#include "account/totp.h"
#include "account/subject.h"

enum { SECOND_FACTOR_SETUP_MS = 60 * 60 * 1000 };

/* What the page of the setup shows. The strings live in the arena. */
struct second_factor_setup {
    struct str secret_text; /* base32 in groups of four */
    struct str address;     /* otpauth://..., of the QR code */
};

/* Makes a new pending secret, or keeps the one that this session made in the last hour: a second
 * look at the page shows the same. ERR_REFUSED: the second factor is on. */
enum err second_factor_begin(
    const struct act *act, int64_t account_no, struct str session_id,
    struct second_factor_setup *ret);

/* The pending secret, without writing. ERR_NOT_FOUND: this session began no setup in the last hour,
 * or the secret was sealed with another master key. */
enum err second_factor_show(
    const struct account_config *config, const struct account *account, struct str session_id,
    int64_t now_ms, struct arena *arena, struct second_factor_setup *ret, struct fail *fail);

/* Ends a setup, of whichever session. The account is locked. */
enum err second_factor_drop_pending(const struct act *act, const struct account *account);

/* Turns it on with the first code, and makes recovery codes, which the caller shows once and wipes.
 * ERR_INVALID: the code is wrong. ERR_REFUSED: the actor's session has no setup under way. Ends the
 * account's other sessions; the owner gets an e-mail. */
enum err second_factor_on(
    const struct act *act, int64_t account_no, struct str code, struct recovery_codes *ret);

/* Over a struct subject. ERR_REFUSED: it is off, or the setting demands it of this role (an
 * operator may). */
act_run second_factor_off;

/* Replaces the recovery codes. ERR_REFUSED: the second factor is off. */
enum err second_factor_new_codes(
    const struct act *act, int64_t account_no, struct recovery_codes *ret);

/* Uses up a code or a recovery code. *ret_right: it was right. *ret_why: for the person, if it was
 * not. The account is locked. ERR_CORRUPT: the secret was sealed with another master key. */
enum err second_factor_use(
    const struct act *act, const struct account *account, struct str code, bool *ret_right,
    const char **ret_why);

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
#include "account/subject.h"

/*
 * Time-based one-time passwords (RFC 6238, by liboath): SHA-1, six digits, steps of 30 seconds, as
 * every authenticator has them. A code of the step before or after the present one is accepted.
 */

enum { TOTP_SECRET_SIZE = 20, TOTP_DIGITS = 6, TOTP_STEP_S = 30 };

/* Six digits, with spaces anywhere. */
bool totp_shaped(struct str code);

/* *ret_step: the step whose code it is. False: of none of the three. A code that is not shaped is
 * wrong. */
bool totp_matches(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str code, int64_t now_ms,
    int64_t *ret_step);

/* In the arena: the secret in base32, as people type it (groups of four), and the address that a QR
 * code has: otpauth://totp/... `issuer` and `account` may be any text. */
struct str totp_text(const uint8_t secret[static TOTP_SECRET_SIZE], struct arena *arena);
struct str totp_address(
    const uint8_t secret[static TOTP_SECRET_SIZE], struct str issuer, struct str account,
    struct arena *arena);

/* Recovery codes: sixteen characters in groups of four, 80 random bits, such as
 * `k7mq-2nfa-xw4p-6rtb`. They replace the code of a second factor, once each. */

enum { RECOVERY_COUNT = 10, RECOVERY_SIZE = 19 };

struct recovery_codes {
    char text[RECOVERY_COUNT][RECOVERY_SIZE + 1]; /* end in NUL */
};

void recovery_make(struct recovery_codes *ret);
void recovery_finish(struct recovery_codes *codes); /* wipes */

/* The SHA-256 of a code as somebody typed it: in any letter case, with or without hyphens and
 * spaces. False: not the form of a code. */
bool recovery_hash(struct str typed, uint8_t ret[static SHA256_SIZE]);

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

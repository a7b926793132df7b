/*
 * Time-based one-time passwords (RFC 6238, by liboath): SHA-1, six digits, steps of 30 seconds, as
 * every authenticator has them. A code of the step before or after the present one is accepted.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

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

/*
 * The token of forms against cross-site requests. It is an HMAC of the session's cookie, or of the
 * visitor's, so nothing is stored and it changes with the sign-in. Each page prints it with a
 * different random mask, so that compression does not reveal the secret byte by byte (BREACH).
 */
#pragma once

#include "base/crypto.h"

enum { CSRF_TOKEN_SIZE = 86 }; /* base64url of a mask and the masked HMAC */

struct csrf_key {
    uint8_t bytes[SHA256_SIZE];
};

void csrf_key_init(struct csrf_key *ret, struct str master_key);

/* Writes a token for the holder of the cookie `seed`; no NUL. */
void csrf_token_make(const struct csrf_key *key, struct str seed, char ret[static CSRF_TOKEN_SIZE]);

/* Compares in constant time. False for a null or malformed token. */
bool csrf_token_valid(const struct csrf_key *key, struct str seed, struct str token);

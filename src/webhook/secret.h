/*
 * The signing secret of an endpoint: `whsec_` and the base64 of 32 random bytes (decision 35). The
 * owner sees that text; at rest it is sealed with the master key, bound to the endpoint's id.
 */
#pragma once

#include "base/seal.h"
#include "store/account/endpoint.h"

enum {
    SECRET_TEXT_SIZE = 50,
    SECRET_SEALED_SIZE = SECRET_TEXT_SIZE + SEAL_OVERHEAD,
};

struct secret {
    char text[SECRET_TEXT_SIZE + 1]; /* ends in NUL */
};

void secret_make(struct secret *ret);
void secret_finish(struct secret *secret); /* wipes */
struct str secret_text(const struct secret *secret);

/* The key that seals endpoints' secrets. seal_key_finish wipes it. */
void secret_seal_key(struct seal_key *ret, struct str master_key);

/* endpoint_id: see endpoint_id_make of store/account/endpoint.h. */
void secret_seal(
    const struct seal_key *key, struct str endpoint_id, const struct secret *secret,
    uint8_t ret[static SECRET_SEALED_SIZE]);

/* ERR_CORRUPT: see seal_open. On success, end the opened secret with secret_finish. */
enum err secret_open(
    const struct seal_key *key, struct str endpoint_id, struct str sealed, struct secret *ret,
    struct fail *fail);

/* Checks that a sealed secret opens with the given master key, before the secret is used or
 * replaced. */

/* ERR_REFUSED: the secret is lost: the master key was, and `stockact secret rotate --lost` erased
 * it. */
enum err secret_check_kept(const struct endpoint *endpoint, struct fail *fail);

/* ERR_REFUSED: the secret was not sealed with this key, or is lost. */
enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail);

/* Checks that a sealed secret opens with the given master key, before the secret is used or
 * replaced. Private to src/webhook. */
#pragma once

#include "store/account/endpoint.h"
#include "webhook/secret.h"

/* ERR_REFUSED: the secret is lost: the master key was, and `stockact secret rotate --lost` erased
 * it. */
enum err secret_check_kept(const struct endpoint *endpoint, struct fail *fail);

/* ERR_REFUSED: the secret was not sealed with this key, or is lost. */
enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail);

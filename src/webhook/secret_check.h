/* Checks that a sealed secret opens with the given master key, before the secret is used or
 * replaced. Private to src/webhook. */
#pragma once

#include "store/endpoint.h"
#include "webhook/secret.h"

/* The master key was lost, and `stockact secret rotate --lost` erased the secret. */
bool secret_is_lost(const struct endpoint *endpoint);

/* ERR_REFUSED: the secret is lost. */
enum err secret_check_kept(const struct endpoint *endpoint, struct fail *fail) MUST_CHECK;

/* ERR_REFUSED: the secret was not sealed with this key, or is lost. */
enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail) MUST_CHECK;

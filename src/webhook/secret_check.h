/* Checks that sealed secrets open with the given master key, so that a lost or wrong key is noticed
 * before anything is sealed with it or sent, and not by receivers. */
#pragma once

#include "store/endpoint.h"
#include "webhook/secret.h"

/* ERR_REFUSED: it was sealed with another key. */
enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail) MUST_CHECK;
/* The same for every endpoint in the store. */
enum err secret_check_all(struct db *db, const struct seal_key *key, struct fail *fail) MUST_CHECK;

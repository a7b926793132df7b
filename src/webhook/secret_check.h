/* Whether sealed secrets open with the master key at hand: a lost or wrong one is found out before
 * anything is sealed with it or sent, not by receivers. */
#pragma once

#include "store/endpoint.h"
#include "webhook/secret.h"

/* ERR_REFUSED: it was sealed with another key. */
enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail) MUST_CHECK;
/* The same for every endpoint in the store. */
enum err secret_check_all(struct db *db, const struct seal_key *key, struct fail *fail) MUST_CHECK;

/* Opens sealed secrets to check the key; see secret_check.h. */
#include "webhook/secret_check.h"

static bool is_lost(const struct endpoint *endpoint)
{
    return endpoint->secret_sealed.n == 0;
}

enum err secret_check_kept(const struct endpoint *endpoint, struct fail *fail)
{
    return is_lost(endpoint)
               ? fail_set(
                     fail, ERR_REFUSED,
                     "the secret of endpoint %.*s was lost with the server's master key: rotate it "
                     "to get a new one",
                     STR_ARG(endpoint->id))
               : OK;
}

enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail)
{
    struct secret secret;
    TRY(secret_check_kept(endpoint, fail));
    if (secret_open(key, endpoint->id, endpoint->secret_sealed, &secret, NULL))
        return fail_set(
            fail, ERR_REFUSED,
            "the secret of endpoint %.*s was not sealed with this master key. If its key is lost, "
            "get a new one: `stockact webhooks rotate --id %.*s --force`",
            STR_ARG(endpoint->id), STR_ARG(endpoint->id));
    secret_finish(&secret);
    return OK;
}

/* Opens sealed secrets to check the key; see secret_check.h. */
#include "webhook/secret_check.h"

enum err secret_check(
    const struct seal_key *key, const struct endpoint *endpoint, struct fail *fail)
{
    struct secret secret;
    if (secret_open(key, endpoint->id, endpoint->secret_sealed, &secret, NULL))
        return fail_set(
            fail, ERR_REFUSED, "the secret of endpoint %.*s was not sealed with this master key",
            STR_ARG(endpoint->id));
    secret_finish(&secret);
    return OK;
}

enum err secret_check_all(struct db *db, const struct seal_key *key, struct fail *fail)
{
    struct arena arena;
    struct endpoint_list list = {0};
    arena_init(&arena);
    enum err err = endpoint_list(db, STR_NULL, &arena, &list, fail);
    for (size_t i = 0; i < list.count && !err; i++)
        err = secret_check(key, &list.items[i], fail);
    arena_finish(&arena);
    return err;
}

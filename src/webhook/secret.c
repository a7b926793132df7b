/* Secrets of endpoints; see secret.h. */
#include "webhook/secret.h"

#include <assert.h>

#include "base/codec.h"
#include "store/public/sealed.h"

/* Opens sealed secrets to check the key. */

static bool is_lost(const struct endpoint *endpoint)
{
    return endpoint->secret_sealed.n == 0;
}

enum err secret_check_kept(const struct endpoint *endpoint, struct fail *fail)
{
    return is_lost(endpoint) ? fail_set(
                                   fail, ERR_REFUSED,
                                   "the secret of endpoint %.*s was lost with the server's master "
                                   "key: rotate it to get a new one",
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

enum { SECRET_RANDOM_SIZE = 32 };

void secret_make(struct secret *ret)
{
    uint8_t bytes[SECRET_RANDOM_SIZE];
    struct buf text = buf_over(ret->text, SECRET_TEXT_SIZE);
    random_bytes(bytes, sizeof bytes);
    buf_text(&text, "whsec_");
    base64_encode(&text, bytes, sizeof bytes);
    assert(text.n == SECRET_TEXT_SIZE && !text.overflow);
    ret->text[SECRET_TEXT_SIZE] = 0;
    mem_wipe(bytes, sizeof bytes);
}

void secret_finish(struct secret *secret)
{
    mem_wipe(secret, sizeof *secret);
}

struct str secret_text(const struct secret *secret)
{
    return str_of(secret->text, SECRET_TEXT_SIZE);
}

void secret_seal_key(struct seal_key *ret, struct str master_key)
{
    seal_key_init(ret, master_key, STR(SEALED_ENDPOINT));
}

void secret_seal(
    const struct seal_key *key, struct str endpoint_id, const struct secret *secret,
    uint8_t ret[static SECRET_SEALED_SIZE])
{
    seal(key, endpoint_id, secret_text(secret), ret);
}

enum err secret_open(
    const struct seal_key *key, struct str endpoint_id, struct str sealed, struct secret *ret,
    struct fail *fail)
{
    SCOPED(secret_finish) struct secret opened;
    TRY(seal_open(key, endpoint_id, sealed, opened.text, SECRET_TEXT_SIZE, fail));
    opened.text[SECRET_TEXT_SIZE] = 0;
    *ret = opened;
    return OK;
}

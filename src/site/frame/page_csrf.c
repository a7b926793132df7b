/* Makes and compares tokens; see page_csrf.h. */
#include "site/frame/page_csrf.h"

#include <assert.h>

#include "base/codec.h"

enum { BOTH = 2 * SHA256_SIZE };

void csrf_key_init(struct csrf_key *ret, struct str master_key)
{
    hkdf_sha256(master_key, STR("csrf"), ret->bytes);
}

static void sum(const struct csrf_key *key, struct str seed, uint8_t ret[static SHA256_SIZE])
{
    hmac_sha256(str_of((const char *)key->bytes, sizeof key->bytes), seed, ret);
}

void csrf_token_make(const struct csrf_key *key, struct str seed, char ret[static CSRF_TOKEN_SIZE])
{
    uint8_t both[BOTH], real[SHA256_SIZE];
    struct buf text = buf_over(ret, CSRF_TOKEN_SIZE);
    random_bytes(both, SHA256_SIZE);
    sum(key, seed, real);
    for (size_t i = 0; i < SHA256_SIZE; i++)
        both[SHA256_SIZE + i] = both[i] ^ real[i];
    base64url_encode(&text, both, sizeof both);
    assert(text.n == CSRF_TOKEN_SIZE && !text.overflow);
}

bool csrf_token_valid(const struct csrf_key *key, struct str seed, struct str token)
{
    uint8_t both[BOTH], real[SHA256_SIZE];
    struct buf bytes = buf_over(both, sizeof both);
    if (token.n != CSRF_TOKEN_SIZE || !base64url_decode(&bytes, token) || bytes.n != sizeof both)
        return false;
    for (size_t i = 0; i < SHA256_SIZE; i++)
        both[SHA256_SIZE + i] ^= both[i];
    sum(key, seed, real);
    return crypto_equal(both + SHA256_SIZE, real, sizeof real);
}

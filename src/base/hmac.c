/* HMAC-SHA-256 from precomputed halves; see hmac.h. The digest contexts of OpenSSL 3 are heap
 * objects, and copying them costs more than hashing. The plain context is deprecated, but copies as
 * a struct. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/hmac.h"

#include <assert.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(
    sizeof(SHA256_CTX) == sizeof(((struct hmac_state *)0)->inner), "the halves are whole contexts");

enum { HMAC_BLOCK = SHA256_CBLOCK };

/* The digest's state after one block: the key, padded with zeros, each byte xor `pad`. */
static void half_init(uint8_t *ret, struct str key, uint8_t pad)
{
    uint8_t block[HMAC_BLOCK] = {0};
    SHA256_CTX context;
    if (key.n)
        memcpy(block, key.p, key.n);
    for (size_t i = 0; i < sizeof block; i++)
        block[i] ^= pad;
    if (SHA256_Init(&context) != 1 || SHA256_Update(&context, block, sizeof block) != 1)
        abort();
    memcpy(ret, &context, sizeof context);
    OPENSSL_cleanse(block, sizeof block);
    OPENSSL_cleanse(&context, sizeof context);
}

static void half_sum(const uint8_t *half, const struct str *parts, size_t count, uint8_t *ret)
{
    SHA256_CTX context;
    memcpy(&context, half, sizeof context);
    for (size_t i = 0; i < count; i++)
        if (SHA256_Update(&context, parts[i].p, parts[i].n) != 1)
            abort();
    if (SHA256_Final(ret, &context) != 1)
        abort();
}

void hmac_init(struct hmac_state *state, struct str key)
{
    assert(key.n <= HMAC_BLOCK);
    half_init(state->inner, key, 0x36);
    half_init(state->outer, key, 0x5c);
}

void hmac_finish(struct hmac_state *state)
{
    OPENSSL_cleanse(state, sizeof *state);
}

void hmac_sum(const struct hmac_state *state, struct str data, uint8_t ret[static SHA256_SIZE])
{
    hmac_sum_parts(state, &data, 1, ret);
}

void hmac_sum_parts(
    const struct hmac_state *state, const struct str *parts, size_t count,
    uint8_t ret[static SHA256_SIZE])
{
    uint8_t inner[SHA256_SIZE];
    half_sum(state->inner, parts, count, inner);
    half_sum(state->outer, &(struct str){(const char *)inner, sizeof inner}, 1, ret);
}

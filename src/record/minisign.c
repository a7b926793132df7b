/* Signatures in the form of minisign; see minisign.h. libsodium was initialised if the program
 * could hash a password; sodium_init is harmless again. */
#include "record/minisign.h"

#include <sodium.h>

#include "base/codec.h"
#include "base/crypto.h"
#include "base/mem.h"

_Static_assert(MINISIGN_PUBLIC_SIZE == crypto_sign_PUBLICKEYBYTES, "room for a public key");
_Static_assert(MINISIGN_SECRET_SIZE == crypto_sign_SECRETKEYBYTES, "room for a secret key");

enum { MARK_SIZE = 2, DIGEST_SIZE = 64, SIGNATURE_SIZE = crypto_sign_BYTES };

#define KEY_MARK "Ed"
#define SIGNATURE_MARK "ED" /* of the digest, not of the text */
#define TRUSTED "trusted comment: "

void minisign_key_init(struct minisign_key *ret, struct str master_key)
{
    uint8_t seed[SHA256_SIZE], digest[SHA256_SIZE];
    int ready = sodium_init();
    (void)ready; /* negative: there are no random numbers, and these need none */
    hkdf_sha256(master_key, STR("signature of snapshots 1"), seed);
    crypto_sign_seed_keypair(ret->shown.key, ret->secret, seed);
    mem_wipe(seed, sizeof seed);
    sha256(str_of((const char *)ret->shown.key, MINISIGN_PUBLIC_SIZE), digest);
    memcpy(ret->shown.id, digest, MINISIGN_ID_SIZE);
}

void minisign_key_finish(struct minisign_key *key)
{
    mem_wipe(key, sizeof *key);
}

/* One line in base64: a mark, the id of the key, and the rest. */
static void put_packed(
    struct buf *b, const char *mark, const struct minisign_public *key, const void *p, size_t n)
{
    uint8_t packed[MARK_SIZE + MINISIGN_ID_SIZE + SIGNATURE_SIZE];
    memcpy(packed, mark, MARK_SIZE);
    memcpy(packed + MARK_SIZE, key->id, MINISIGN_ID_SIZE);
    memcpy(packed + MARK_SIZE + MINISIGN_ID_SIZE, p, n);
    base64_encode(b, packed, MARK_SIZE + MINISIGN_ID_SIZE + n);
}

/* False: the line is not of this form. */
static bool read_packed(
    struct str line, const char *mark, uint8_t ret_id[static MINISIGN_ID_SIZE], void *ret, size_t n)
{
    BUF_SCOPED(packed, MARK_SIZE + MINISIGN_ID_SIZE + SIGNATURE_SIZE);
    if (!base64_decode(&packed, line) || packed.n != MARK_SIZE + MINISIGN_ID_SIZE + n ||
        memcmp(packed.p, mark, MARK_SIZE) != 0)
        return false;
    memcpy(ret_id, packed.p + MARK_SIZE, MINISIGN_ID_SIZE);
    memcpy(ret, packed.p + MARK_SIZE + MINISIGN_ID_SIZE, n);
    return true;
}

void minisign_public_put(struct buf *b, const struct minisign_public *key)
{
    put_packed(b, KEY_MARK, key, key->key, sizeof key->key);
}

void minisign_public_file_put(struct buf *b, const struct minisign_public *key)
{
    buf_text(b, "untrusted comment: public key of the snapshots of stockact\n");
    minisign_public_put(b, key);
    buf_char(b, '\n');
}

enum err minisign_public_read(struct str file, struct minisign_public *ret, struct fail *fail)
{
    struct str comment = STR_NULL, line = STR_NULL;
    if (!str_split(&file, '\n', &comment) || !str_split(&file, '\n', &line) ||
        !read_packed(line, KEY_MARK, ret->id, ret->key, sizeof ret->key))
        return fail_set(fail, ERR_INVALID, "it is not a public key of minisign");
    return OK;
}

static void digest_of(struct str text, uint8_t ret[static DIGEST_SIZE])
{
    crypto_generichash(ret, DIGEST_SIZE, (const uint8_t *)text.p, text.n, NULL, 0);
}

/* What the second signature is over: the first one and the comment. */
static void put_all(struct buf *b, const uint8_t *signature, struct str comment)
{
    buf_put(b, signature, SIGNATURE_SIZE);
    buf_str(b, comment);
}

void minisign_sign(
    struct buf *b, const struct minisign_key *key, struct str text, struct str comment)
{
    uint8_t digest[DIGEST_SIZE], signature[SIGNATURE_SIZE], over_all[SIGNATURE_SIZE];
    BUF_SCOPED(all, SIZE_MAX);
    digest_of(text, digest);
    crypto_sign_detached(signature, NULL, digest, sizeof digest, key->secret);
    put_all(&all, signature, comment);
    crypto_sign_detached(over_all, NULL, (const uint8_t *)all.p, all.n, key->secret);
    buf_text(b, "untrusted comment: verify with stockact.pub beside this file\n");
    put_packed(b, SIGNATURE_MARK, &key->shown, signature, sizeof signature);
    buf_fmt(b, "\n" TRUSTED "%.*s\n", STR_ARG(comment));
    base64_encode(b, over_all, sizeof over_all);
    buf_char(b, '\n');
}

enum err minisign_verify(
    const struct minisign_public *key, struct str text, struct str file, struct fail *fail)
{
    uint8_t id[MINISIGN_ID_SIZE], digest[DIGEST_SIZE], signature[SIGNATURE_SIZE];
    BUF_SCOPED(all, SIZE_MAX);
    BUF_SCOPED(over_all, SIGNATURE_SIZE);
    struct str unsigned_line = STR_NULL, line = STR_NULL, comment = STR_NULL, last = STR_NULL;
    if (!str_split(&file, '\n', &unsigned_line) || !str_split(&file, '\n', &line) ||
        !str_split(&file, '\n', &comment) || !str_split(&file, '\n', &last) ||
        !str_starts(comment, STR(TRUSTED)) || !base64_decode(&over_all, last) ||
        over_all.n != SIGNATURE_SIZE ||
        !read_packed(line, SIGNATURE_MARK, id, signature, sizeof signature))
        return fail_set(fail, ERR_INVALID, "it is not a signature of minisign");
    if (memcmp(id, key->id, sizeof id) != 0)
        return fail_set(fail, ERR_CORRUPT, "another key than the public one signed it");
    digest_of(text, digest);
    put_all(&all, signature, str_slice(comment, STR(TRUSTED).n, comment.n));
    if (crypto_sign_verify_detached(signature, digest, sizeof digest, key->key) != 0)
        return fail_set(fail, ERR_CORRUPT, "the signature does not match");
    if (crypto_sign_verify_detached(
            (const uint8_t *)over_all.p, (const uint8_t *)all.p, all.n, key->key) != 0)
        return fail_set(fail, ERR_CORRUPT, "the comment of the signature was changed");
    return OK;
}

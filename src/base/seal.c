/* Sealing by libsodium; see seal.h. */
#include "base/seal.h"

#include <sodium.h>
#include <stdlib.h>

#include "base/mem.h"

enum { NONCE_SIZE = crypto_aead_xchacha20poly1305_ietf_NPUBBYTES };

_Static_assert(
    SEAL_OVERHEAD == NONCE_SIZE + crypto_aead_xchacha20poly1305_ietf_ABYTES, "as seal.h draws it");
_Static_assert(
    sizeof(struct seal_key) == crypto_aead_xchacha20poly1305_ietf_KEYBYTES, "a whole key");

void seal_key_init(struct seal_key *ret, struct str master_key, struct str purpose)
{
    if (sodium_init() < 0)
        abort();
    hkdf_sha256(master_key, purpose, ret->bytes);
}

void seal_key_finish(struct seal_key *key)
{
    mem_wipe(key, sizeof *key);
}

void seal(const struct seal_key *key, struct str owner, struct str secret, uint8_t *ret)
{
    random_bytes(ret, NONCE_SIZE);
    if (crypto_aead_xchacha20poly1305_ietf_encrypt(
            ret + NONCE_SIZE, NULL, (const uint8_t *)secret.p, secret.n, (const uint8_t *)owner.p,
            owner.n, NULL, ret, key->bytes) != 0)
        abort();
}

enum err seal_open(
    const struct seal_key *key, struct str owner, struct str sealed, void *ret, size_t size,
    struct fail *fail)
{
    const uint8_t *from = (const uint8_t *)sealed.p;
    if (sealed.n == size + SEAL_OVERHEAD &&
        crypto_aead_xchacha20poly1305_ietf_decrypt(
            ret, NULL, NULL, from + NONCE_SIZE, sealed.n - NONCE_SIZE, (const uint8_t *)owner.p,
            owner.n, from, key->bytes) == 0)
        return OK;
    memset(ret, 0, size);
    return fail_set(
        fail, ERR_CORRUPT,
        "cannot decrypt the secret of %.*s: the master key differs, or the secret was altered",
        STR_ARG(owner));
}

/* Addresses as keyed hashes; see address_key.h. */
#include "limits/address_key.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/crypto.h"
#include "base/mem.h"
#include "base/thread.h"

const uint32_t address_level_factor[ADDRESS_LEVELS_MAX] = {1, 10, 100};

/* Prefix lengths in bytes of the 16-byte normal form. */
enum {
    IPV4_OWN = 128,
    IPV4_GROUP = 112,
    IPV6_OWN = 64,
    IPV6_SITE = 48,
    IPV6_GROUP = 32,
    UNIX_OWN = 0, /* has no prefix: no address can give the same bytes */
};

/* The hash of one month. Created once and kept until the process ends: a server sees few months. */
struct month_salt {
    int32_t month;
    struct hmac_state hmac;
    struct month_salt *next;
};

struct address_salts {
    uint8_t master_key[SHA256_SIZE];
    size_t master_key_n;
    _Atomic(const struct month_salt *) latest; /* the last one used */
    pthread_mutex_t lock;                      /* guards the list */
    struct month_salt *list;
};

struct address_salts *address_salts_create(struct str master_key)
{
    struct address_salts *salts = MEM_NEW(struct address_salts);
    assert(master_key.n <= sizeof salts->master_key);
    memcpy(salts->master_key, master_key.p, master_key.n);
    salts->master_key_n = master_key.n;
    atomic_init(&salts->latest, NULL);
    pthread_mutex_init(&salts->lock, NULL);
    return salts;
}

void address_salts_destroy(struct address_salts *salts)
{
    if (!salts)
        return;
    for (struct month_salt *salt = salts->list, *next; salt; salt = next) {
        next = salt->next;
        hmac_finish(&salt->hmac);
        mem_free(salt);
    }
    pthread_mutex_destroy(&salts->lock);
    mem_wipe(salts, sizeof *salts);
    mem_free(salts);
}

static struct month_salt *salt_create(const struct address_salts *salts, int32_t month)
{
    struct month_salt *salt = MEM_NEW(struct month_salt);
    uint8_t key[SHA256_SIZE];
    char info[32];
    int n = snprintf(info, sizeof info, "addr%04d-%02d", month / 12, month % 12 + 1);
    assert(n > 0 && (size_t)n < sizeof info);
    hkdf_sha256(
        str_of((const char *)salts->master_key, salts->master_key_n), str_of(info, (size_t)n), key);
    salt->month = month;
    hmac_init(&salt->hmac, str_of((const char *)key, sizeof key));
    mem_wipe(key, sizeof key);
    return salt;
}

static const struct hmac_state *salt_of(struct address_salts *salts, int32_t month)
{
    const struct month_salt *latest = atomic_load_explicit(&salts->latest, memory_order_acquire);
    if (latest && latest->month == month)
        return &latest->hmac;
    LOCKED(&salts->lock);
    struct month_salt *salt = salts->list;
    while (salt && salt->month != month)
        salt = salt->next;
    if (!salt) {
        salt = salt_create(salts, month);
        salt->next = salts->list;
        salts->list = salt;
    }
    atomic_store_explicit(&salts->latest, salt, memory_order_release);
    return &salt->hmac;
}

static struct address_key key_of(
    const struct hmac_state *hmac, const struct address *address, uint8_t bits)
{
    struct address prefix = address_prefix(address, bits);
    uint8_t text[1 + sizeof prefix.bytes], sum[SHA256_SIZE];
    struct address_key key;
    text[0] = bits;
    memcpy(text + 1, prefix.bytes, sizeof prefix.bytes);
    hmac_sum(hmac, str_of((const char *)text, sizeof text), sum);
    memcpy(key.bytes, sum, sizeof key.bytes);
    return key;
}

void address_keys_make(
    struct address_salts *salts, int32_t month, const struct address *address,
    struct address_keys *ret)
{
    const struct hmac_state *hmac = salt_of(salts, month);
    struct address_keys keys = {.ipv4 = address_is_ipv4(address), .n = 1};
    if (address_is_unix(address)) {
        keys.levels[0] = keys.group = key_of(hmac, address, UNIX_OWN);
    } else if (keys.ipv4) {
        keys.levels[0] = key_of(hmac, address, IPV4_OWN);
        keys.group = key_of(hmac, address, IPV4_GROUP);
    } else {
        keys.n = ADDRESS_LEVELS_MAX;
        keys.levels[0] = key_of(hmac, address, IPV6_OWN);
        keys.levels[1] = key_of(hmac, address, IPV6_SITE);
        keys.levels[2] = keys.group = key_of(hmac, address, IPV6_GROUP);
    }
    for (size_t i = 0; i < keys.n; i++)
        memcpy(keys.levels[i].bytes, keys.group.bytes, ADDRESS_KEY_ROUTE);
    *ret = keys;
}

uint32_t address_key_word(const struct address_key *key, size_t offset)
{
    uint32_t word;
    assert(offset + sizeof word <= sizeof key->bytes);
    memcpy(&word, key->bytes + offset, sizeof word);
    return word;
}

bool address_key_eq(const struct address_key *a, const struct address_key *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

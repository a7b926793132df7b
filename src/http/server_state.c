/* server_state. */
#include "http/server_state.h"

#include <assert.h>

#include "base/crypto.h"
#include "base/hash.h"
#include "base/thread.h"

/* Connections per address. */

struct peers_slot {
    uint8_t address[16];
    uint32_t count; /* 0: free */
};

struct peers {
    pthread_mutex_t lock;
    struct peers_slot *slots; /* open addressing, linear probing; never more than half full */
    size_t mask;
    size_t per_address_max;
    uint64_t seed; /* random, because clients choose their addresses */
};

struct peers *peers_create(size_t connections_max, size_t per_address_max)
{
    struct peers *peers = MEM_NEW(struct peers);
    size_t size = 16;
    while (size < connections_max * 2)
        size *= 2;
    pthread_mutex_init(&peers->lock, NULL);
    peers->slots = mem_array(size, sizeof *peers->slots);
    peers->mask = size - 1;
    peers->per_address_max = per_address_max;
    random_bytes(&peers->seed, sizeof peers->seed);
    return peers;
}

void peers_destroy(struct peers *peers)
{
    if (!peers)
        return;
    pthread_mutex_destroy(&peers->lock);
    mem_free(peers->slots);
    mem_free(peers);
}

static void group_of(const uint8_t address[static 16], uint8_t ret[static 16])
{
    static const uint8_t v4_mapped[12] = {[10] = 0xff, [11] = 0xff};
    memcpy(ret, address, 16);
    if (memcmp(address, v4_mapped, sizeof v4_mapped) != 0)
        memset(ret + 8, 0, 8);
}

static size_t home_of(const struct peers *peers, const uint8_t group[static 16])
{
    return hash_seeded(str_of((const char *)group, 16), peers->seed) & peers->mask;
}

/* The slot of this group, or the free slot where it belongs. */
static struct peers_slot *find(struct peers *peers, const uint8_t group[static 16])
{
    size_t i = home_of(peers, group);
    while (peers->slots[i].count > 0 && memcmp(peers->slots[i].address, group, 16) != 0)
        i = (i + 1) & peers->mask;
    return &peers->slots[i];
}

/* Moves entries so that the hole breaks no probe sequence. */
static void close_hole(struct peers *peers, size_t hole)
{
    for (size_t i = (hole + 1) & peers->mask; peers->slots[i].count > 0;
         i = (i + 1) & peers->mask) {
        size_t home = home_of(peers, peers->slots[i].address);
        if (((i - home) & peers->mask) >= ((i - hole) & peers->mask)) {
            peers->slots[hole] = peers->slots[i];
            hole = i;
        }
    }
    peers->slots[hole].count = 0;
}

bool peers_acquire(struct peers *peers, const uint8_t address[static 16])
{
    uint8_t group[16];
    group_of(address, group);
    LOCKED(&peers->lock);
    struct peers_slot *slot = find(peers, group);
    bool granted = slot->count < peers->per_address_max;
    if (granted) {
        memcpy(slot->address, group, 16);
        slot->count++;
    }
    return granted;
}

void peers_release(struct peers *peers, const uint8_t address[static 16])
{
    uint8_t group[16];
    group_of(address, group);
    LOCKED(&peers->lock);
    struct peers_slot *slot = find(peers, group);
    assert(slot->count > 0);
    if (--slot->count == 0)
        close_hole(peers, (size_t)(slot - peers->slots));
}

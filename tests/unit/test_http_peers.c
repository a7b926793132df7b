#include "unit.h"

#include <string.h>

#include "http/server_state.h"

enum { MAX = 1000, EACH = 3 };

static void v4(uint8_t ret[static 16], uint32_t n)
{
    memset(ret, 0, 16);
    ret[10] = ret[11] = 0xff;
    for (int i = 0; i < 4; i++)
        ret[15 - i] = (uint8_t)(n >> 8 * i);
}

static void v6(uint8_t ret[static 16], uint8_t subnet, uint8_t host)
{
    memset(ret, 0, 16);
    ret[0] = 0x20;
    ret[1] = 0x01;
    ret[7] = subnet;
    ret[15] = host;
}

static void address_has_maximum_length(void **state)
{
    struct peers *peers = peers_create(MAX, EACH);
    uint8_t one[16], other[16];
    v4(one, 1);
    v4(other, 2);
    for (int i = 0; i < EACH; i++)
        assert_true(peers_acquire(peers, one));
    assert_false(peers_acquire(peers, one));
    assert_true(peers_acquire(peers, other));
    peers_release(peers, one);
    assert_true(peers_acquire(peers, one));
    assert_false(peers_acquire(peers, one));
    peers_destroy(peers);
}

static void ipv6_counts_by_64_bits(void **state)
{
    struct peers *peers = peers_create(MAX, EACH);
    uint8_t address[16];
    for (uint8_t host = 0; host < EACH; host++) {
        v6(address, 1, host);
        assert_true(peers_acquire(peers, address));
    }
    v6(address, 1, 200);
    assert_false(peers_acquire(peers, address));
    v6(address, 2, 200);
    assert_true(peers_acquire(peers, address));
    peers_destroy(peers);
}

/* Compares with a plain array, with a full table and changing addresses. */
static void counts_stay_right_while_addresses_come_and_go(void **state)
{
    enum { ADDRESSES = 400 };
    struct peers *peers = peers_create(MAX, EACH);
    int counts[ADDRESSES] = {0};
    int open = 0;
    uint64_t random = 1;
    for (int step = 0; step < 200000; step++) {
        random = random * UINT64_C(6364136223846793005) + 1;
        uint32_t n = (uint32_t)(random >> 33) % ADDRESSES;
        uint8_t address[16];
        v4(address, n * 2654435761u);
        if (counts[n] > 0 && (random >> 62)) {
            peers_release(peers, address);
            counts[n]--;
            open--;
        } else if (open < MAX) {
            bool granted = peers_acquire(peers, address);
            assert_int_equal(granted, counts[n] < EACH);
            counts[n] += granted;
            open += granted;
        }
    }
    peers_destroy(peers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(address_has_maximum_length),
        cmocka_unit_test(ipv6_counts_by_64_bits),
        cmocka_unit_test(counts_stay_right_while_addresses_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

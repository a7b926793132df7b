/* CRC-16 with the polynomial 0x1021, as Redis Cluster uses it; see redis_slot.h. */
#include "limits/redis_slot.h"

enum { POLYNOMIAL = 0x1021, HIGHEST = 0x8000 };

static uint16_t crc16(struct str text)
{
    uint16_t crc = 0;
    for (size_t i = 0; i < text.n; i++) {
        crc ^= (uint16_t)((uint8_t)text.p[i] << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & HIGHEST ? crc << 1 ^ POLYNOMIAL : crc << 1);
    }
    return crc;
}

uint16_t redis_slot_of(struct str key)
{
    ptrdiff_t begin = str_find_char(key, '{');
    if (begin >= 0) {
        struct str rest = str_slice(key, (size_t)begin + 1, key.n);
        ptrdiff_t end = str_find_char(rest, '}');
        if (end > 0)
            key = str_slice(rest, 0, (size_t)end);
    }
    return crc16(key) % REDIS_SLOTS;
}

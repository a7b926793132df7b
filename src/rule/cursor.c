/* Cursors as text; see cursor.h. */
#include "rule/cursor.h"

#include <assert.h>

#include "base/codec.h"
#include "base/hash.h"

enum {
    VERSION = 1,
    INSTANT_AT = 2,
    ID_AT = 10,
    CHECKSUM_SIZE = 8,
    FRAME_SIZE = ID_AT + CHECKSUM_SIZE, /* everything but the id */
    BINARY_SIZE_MAX = FRAME_SIZE + CURSOR_ID_SIZE_MAX,
};

_Static_assert(CURSOR_TEXT_SIZE_MAX == (BINARY_SIZE_MAX * 4 + 2) / 3, "base64url of the most");

/* Part of the format: changing it invalidates every cursor in use. */
static const uint64_t checksum_seed = 0x73746f636b616374;

static void put_u64(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (56 - 8 * i));
}

static uint64_t get_u64(const uint8_t *from)
{
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | from[i];
    return value;
}

static uint64_t checksum(const uint8_t *p, size_t n)
{
    return hash_seeded(str_of((const char *)p, n), checksum_seed);
}

bool cursor_id_is_valid(struct str id)
{
    if (id.n == 0 || id.n > CURSOR_ID_SIZE_MAX)
        return false;
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        if (!ascii_is_alpha(c) && !ascii_is_digit(c) && c != '-' && c != '_' && c != '.')
            return false;
    }
    return true;
}

struct cursor cursor_at(enum cursor_resource resource, int64_t at_ms, struct str id)
{
    assert(cursor_id_is_valid(id));
    struct cursor c = {.resource = resource, .at_ms = at_ms, .id_n = (uint8_t)id.n};
    memcpy(c.id, id.p, id.n);
    return c;
}

void cursor_encode(struct buf *b, const struct cursor *cursor)
{
    uint8_t binary[BINARY_SIZE_MAX];
    size_t n = ID_AT + cursor->id_n;
    assert(cursor_id_is_valid(cursor_id(cursor)));
    binary[0] = VERSION;
    binary[1] = (uint8_t)cursor->resource;
    put_u64(binary + INSTANT_AT, (uint64_t)cursor->at_ms);
    memcpy(binary + ID_AT, cursor->id, cursor->id_n);
    put_u64(binary + n, checksum(binary, n));
    base64url_encode(b, binary, n + CHECKSUM_SIZE);
}

bool cursor_decode(struct str text, enum cursor_resource resource, struct cursor *ret)
{
    if (str_is_null(text) || text.n > CURSOR_TEXT_SIZE_MAX)
        return false;
    char space[BINARY_SIZE_MAX];
    struct buf b = buf_over(space, sizeof space);
    bool good = base64url_decode(&b, text) && !b.overflow && b.n > FRAME_SIZE;
    if (good) {
        const uint8_t *binary = (const uint8_t *)b.p;
        size_t n = b.n - CHECKSUM_SIZE;
        struct str id = str_of(b.p + ID_AT, n - ID_AT);
        good = binary[0] == VERSION && binary[1] == (uint8_t)resource && cursor_id_is_valid(id) &&
               get_u64(binary + n) == checksum(binary, n);
        if (good)
            *ret = cursor_at(resource, (int64_t)get_u64(binary + INSTANT_AT), id);
    }
    return good;
}

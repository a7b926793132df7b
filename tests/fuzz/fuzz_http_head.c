/* However a stream of bytes is cut into pieces, the same requests, headers, bodies and refusals
 * come out of it. The first eight bytes choose the pieces. */
#include <assert.h>
#include <string.h>

#include "http_drive.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t whole(void *ctx, size_t left)
{
    return left;
}

static size_t single(void *ctx, size_t left)
{
    return 1;
}

static size_t random_piece(void *ctx, size_t left)
{
    uint64_t *state = ctx;
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    size_t n = 1 + (*state >> 58);
    return n < left ? n : left;
}

struct result {
    struct buf outcome, details;
};

static void drive(struct str bytes, http_drive_piece *piece, void *ctx, struct result *ret)
{
    buf_init(&ret->outcome, 1 << 20);
    buf_init(&ret->details, 16 << 20);
    http_drive(bytes, piece, ctx, &ret->outcome, &ret->details);
}

static void finish(struct result *r)
{
    buf_finish(&r->outcome);
    buf_finish(&r->details);
}

static void assert_same(const struct result *a, const struct result *b)
{
    assert(str_eq(buf_view(&a->outcome), buf_view(&b->outcome)));
    assert(str_eq(buf_view(&a->details), buf_view(&b->details)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t seed;
    if (size < sizeof seed)
        return 0;
    memcpy(&seed, data, sizeof seed);
    struct str bytes = str_of((const char *)data + sizeof seed, size - sizeof seed);
    struct result at_once, in_pieces, in_bytes;
    drive(bytes, whole, NULL, &at_once);
    drive(bytes, random_piece, &seed, &in_pieces);
    drive(bytes, single, NULL, &in_bytes);
    assert_same(&at_once, &in_pieces);
    assert_same(&at_once, &in_bytes);
    finish(&at_once);
    finish(&in_pieces);
    finish(&in_bytes);
    return 0;
}

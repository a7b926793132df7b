/* A stream of bytes gives the same requests, headers, bodies and refusals however it is cut into
 * pieces. The first eight bytes choose the pieces: long, short, or single bytes. */
#include "fuzz.h"

#include "http_drive.h"

static size_t whole(void *ctx, size_t left)
{
    return left;
}

struct cuts {
    uint64_t state;
    unsigned shift; /* pieces of 1 to 2^(64 - shift) bytes */
};

static size_t random_piece(void *ctx, size_t left)
{
    struct cuts *cuts = ctx;
    cuts->state = cuts->state * UINT64_C(6364136223846793005) + 1442695040888963407;
    size_t n = 1 + (size_t)(cuts->shift == 64 ? 0 : cuts->state >> cuts->shift);
    return n < left ? n : left;
}

struct result {
    struct buf outcome, details;
};

static void drive(struct str bytes, http_drive_piece *piece, void *ctx, struct result *ret)
{
    if (!ret->outcome.max) {
        buf_init(&ret->outcome, 1 << 20);
        buf_init(&ret->details, 16 << 20);
    }
    buf_reset(&ret->outcome);
    buf_reset(&ret->details);
    http_drive(bytes, piece, ctx, &ret->outcome, &ret->details);
    assert(!ret->outcome.overflow && !ret->details.overflow);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct result at_once, in_pieces; /* kept between runs, like http_drive's state */
    static const unsigned shifts[] = {64, 62, 60, 58, 58, 56, 54, 54};
    struct str bytes = fuzz_text(data, size);
    if (size < sizeof(uint64_t))
        return 0;
    uint64_t seed = fuzz_number(&bytes);
    struct cuts cuts = {seed, shifts[seed % 8]};
    drive(bytes, whole, NULL, &at_once);
    drive(bytes, random_piece, &cuts, &in_pieces);
    assert(str_eq(buf_view(&at_once.outcome), buf_view(&in_pieces.outcome)));
    assert(str_eq(buf_view(&at_once.details), buf_view(&in_pieces.details)));
    return 0;
}

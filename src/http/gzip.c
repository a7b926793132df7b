/* Whole bodies to gzip; see gzip.h. ADR 11 has the figures, and why ISA-L. */
#include "http/gzip.h"

#include <assert.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <isa-l/igzip_lib.h>
#include <pthread.h>

#include "base/mem.h"

enum {
    LEVEL_CODES_GIVEN = 0,
    LEVEL_CODES_FITTED = 1, /* 2 and 3 cost more for 1 %, and 3 differs between processors */
    HEADER_AND_TRAILER = 10 + 8,
    STORED_BLOCK_MAX = 65535, /* incompressible data is stored in blocks with 5-byte heads */
    STORED_BLOCK_HEAD = 5,
};

struct gzip_codes {
    struct isal_hufftables tables;
};

/* Per thread; a body touches only the pages of `tokens` that it needs. */
struct state {
    struct isal_zstream stream;
    uint8_t tokens[ISAL_DEF_LVL1_DEFAULT]; /* where codes are fitted */
};

/* ISA-L's pointers lack const where it only reads. */
union readable {
    const char *text;
    uint8_t *bytes;
    const struct isal_hufftables *codes;
    struct isal_hufftables *tables;
};

/* ISA-L's AVX code leaves the upper halves of the vector registers in use. From then on each switch
 * between the C library's AVX code and our SSE code costs some hundred cycles, in this thread and
 * in threads that it starts: every response, compressed or not, cost a quarter more. */
#ifdef __x86_64__
__attribute__((target("avx"), noinline)) static void clear_upper_halves(void)
{
    _mm256_zeroupper();
}
#endif

static void tidy_vectors(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx"))
        clear_upper_halves();
#endif
}

static pthread_key_t state_key;

static void make_key(void)
{
    int error = pthread_key_create(&state_key, mem_free);
    assert(error == 0);
}

static struct state *thread_state(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    struct state *state = pthread_getspecific(state_key);
    if (!state) {
        state = MEM_NEW(struct state);
        pthread_setspecific(state_key, state);
    }
    return state;
}

struct gzip_codes *gzip_codes_create(struct str sample)
{
    struct gzip_codes *codes = MEM_NEW(struct gzip_codes);
    struct isal_huff_histogram histogram = {0};
    union readable in = {.text = sample.p};
    assert(sample.n <= INT32_MAX);
    isal_update_histogram(in.bytes, (int)sample.n, &histogram);
    int error = isal_create_hufftables(&codes->tables, &histogram); /* a code for every symbol */
    tidy_vectors();
    assert(error == 0);
    return codes;
}

void gzip_codes_destroy(struct gzip_codes *codes)
{
    mem_free(codes);
}

static size_t bound(size_t n)
{
    return n + STORED_BLOCK_HEAD * (n / STORED_BLOCK_MAX + 1) + HEADER_AND_TRAILER;
}

static void begin(struct state *state, const struct gzip_codes *codes)
{
    struct isal_zstream *stream = &state->stream;
    isal_deflate_stateless_init(stream);
    stream->gzip_flag = IGZIP_GZIP;
    stream->end_of_stream = 1;
    if (codes) {
        union readable given = {.codes = &codes->tables};
        stream->level = LEVEL_CODES_GIVEN;
        stream->hufftables = given.tables;
    } else {
        stream->level = LEVEL_CODES_FITTED;
        stream->level_buf = state->tokens;
        stream->level_buf_size = sizeof state->tokens;
    }
}

bool gzip_put(struct buf *b, struct str body, const struct gzip_codes *codes)
{
    size_t size_max = bound(body.n);
    assert(size_max <= UINT32_MAX);
    char *room = buf_reserve(b, size_max);
    if (!room)
        return false;
    struct state *state = thread_state();
    struct isal_zstream *stream = &state->stream;
    union readable in = {.text = body.p};
    begin(state, codes);
    stream->next_in = in.bytes;
    stream->avail_in = (uint32_t)body.n;
    stream->next_out = (uint8_t *)room;
    stream->avail_out = (uint32_t)size_max;
    int result = isal_deflate_stateless(stream);
    tidy_vectors();
    assert(result == COMP_OK);
    buf_commit(b, stream->total_out);
    return true;
}

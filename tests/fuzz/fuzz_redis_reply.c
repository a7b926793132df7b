/* Any bytes from Redis, in pieces. The reader gives a reply, waits for more, or ends with a reason.
 * A reply is a clock, numbers or a reason, and numbers round-trip. */
#include "fuzz.h"

#include <stdio.h>

#include "limits/redis_reply.h"
#include "limits/redis_slot.h"

static const int64_t last_ms = INT64_C(253402300799999); /* of the year 9999 */

static redisReader *open_reader(struct redis_reply_bound *bound)
{
    redisReader *reader = redisReaderCreate();
    assert(reader);
    redis_reply_bind(bound, reader);
    return reader;
}

static void check_numbers(const int64_t *numbers, size_t n)
{
    int64_t again[REDIS_CALL_NUMBERS_MAX];
    struct redis_reply_bound bound;
    redisReader *reader = open_reader(&bound);
    char text[32 * (REDIS_CALL_NUMBERS_MAX + 1)];
    void *reply = NULL;
    size_t again_n;
    int size = snprintf(text, sizeof text, "*%zu\r\n", n);
    for (size_t i = 0; i < n; i++)
        size +=
            snprintf(text + size, sizeof text - (size_t)size, ":%lld\r\n", (long long)numbers[i]);
    assert(redisReaderFeed(reader, text, (size_t)size) == REDIS_OK);
    assert(redisReaderGetReply(reader, &reply) == REDIS_OK && reply);
    assert(!redis_reply_numbers(reply, again, &again_n) && again_n == n);
    for (size_t i = 0; i < n; i++)
        assert(numbers[i] == again[i]);
    freeReplyObject(reply);
    redisReaderFree(reader);
}

static void check_reply(const redisReply *reply)
{
    int64_t numbers[REDIS_CALL_NUMBERS_MAX], ms;
    size_t n;
    bool is_clock = redis_reply_clock(reply, &ms);
    char version[REDIS_VERSION_SIZE];
    if (redis_reply_version(reply, version))
        assert(!is_clock && strnlen(version, sizeof version) < sizeof version && version[0]);
    struct redis_redirect to;
    if (redis_reply_redirect(reply, "same", &to)) {
        assert(to.slot < REDIS_SLOTS && to.place.host[0] && to.place.port > 0);
        assert(!is_clock && redis_reply_refusal(reply) == REDIS_REFUSES_NOTHING);
    }
    const char *wrong = redis_reply_numbers(reply, numbers, &n);
    assert(!is_clock || (ms >= 0 && ms <= last_ms && wrong));
    assert(n <= REDIS_CALL_NUMBERS_MAX && (wrong != NULL) == (n == 0));
    if (n)
        check_numbers(numbers, n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    size_t piece = fuzz_byte(&rest) % 64 + 1;
    struct redis_reply_bound bound;
    redisReader *reader = open_reader(&bound);
    while (rest.n && !reader->err) {
        struct str part = str_slice(rest, 0, piece);
        rest = str_slice(rest, part.n, rest.n);
        assert(redisReaderFeed(reader, part.p, part.n) == REDIS_OK);
        for (void *reply = NULL; redisReaderGetReply(reader, &reply) == REDIS_OK && reply;) {
            check_reply(reply);
            freeReplyObject(reply);
        }
    }
    assert(!reader->err || reader->errstr[0]);
    redisReaderFree(reader);
    return 0;
}

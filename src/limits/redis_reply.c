/* Replies of Redis as values; see redis_reply.h. */
#include "limits/redis_reply.h"

#include "base/instant.h"
#include "limits/redis_slot.h"

enum { SECOND_US = 1000000 };

/* 9999-12-31T23:59:59Z */
static const int64_t last_second = 253402300799;

/* NULL ends the reader with an error, as when memory runs out. */
static void *create_array(const redisReadTask *task, int elements)
{
    const struct redis_reply_bound *bound = task->privdata;
    return elements > REDIS_CALL_NUMBERS_MAX ? NULL : bound->before->createArray(task, elements);
}

void redis_reply_bind(struct redis_reply_bound *bound, redisReader *reader)
{
    bound->before = reader->fn;
    bound->functions = *reader->fn;
    bound->functions.createArray = create_array;
    reader->fn = &bound->functions;
    reader->privdata = bound;
}

static bool read_number(const redisReply *reply, int64_t max, int64_t *ret)
{
    return reply->type == REDIS_REPLY_STRING &&
           str_to_i64(str_of(reply->str, (size_t)reply->len), ret) && *ret >= 0 && *ret <= max;
}

bool redis_reply_clock(const redisReply *reply, int64_t *ret_ms)
{
    int64_t seconds, microseconds;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements != 2 ||
        !read_number(reply->element[0], last_second, &seconds) ||
        !read_number(reply->element[1], SECOND_US - 1, &microseconds))
        return false;
    *ret_ms = seconds * SECOND_MS + microseconds / (SECOND_US / SECOND_MS);
    return true;
}

static bool is_version_char(char c)
{
    return ascii_is_alnum(c) || c == '.' || c == '-';
}

bool redis_reply_version(const redisReply *reply, char ret[static REDIS_VERSION_SIZE])
{
    static const struct str name = STR_INIT("redis_version:");
    if (reply->type != REDIS_REPLY_STRING)
        return false;
    struct str rest = str_of(reply->str, (size_t)reply->len), line;
    while (str_split(&rest, '\n', &line)) {
        if (!str_starts(line, name))
            continue;
        size_t n = 0;
        for (struct str value = str_slice(line, name.n, line.n);
             n < value.n && n < REDIS_VERSION_SIZE - 1 && is_version_char(value.p[n]); n++)
            ret[n] = value.p[n];
        ret[n] = '\0';
        return n > 0;
    }
    return false;
}

/* "MOVED 3999 host:port", or ASK */
bool redis_reply_redirect(const redisReply *reply, const char *same, struct redis_redirect *ret)
{
    if (reply->type != REDIS_REPLY_ERROR)
        return false;
    struct redis_redirect redirect = {.ask = false};
    struct str rest = str_of(reply->str, (size_t)reply->len), kind, slot;
    int64_t number;
    if (!str_split(&rest, ' ', &kind) || !str_split(&rest, ' ', &slot) || str_is_null(rest))
        return false;
    redirect.ask = str_eq(kind, STR("ASK"));
    if ((!redirect.ask && !str_eq(kind, STR("MOVED"))) || !slot.n || !ascii_is_digit(slot.p[0]) ||
        !str_to_i64(slot, &number) || number >= REDIS_SLOTS ||
        !redis_place_of_node(rest, same, &redirect.place))
        return false;
    redirect.slot = (uint16_t)number;
    *ret = redirect;
    return true;
}

enum redis_refusal redis_reply_refusal(const redisReply *reply)
{
    if (reply->type != REDIS_REPLY_ERROR)
        return REDIS_REFUSES_NOTHING;
    struct str text = str_of(reply->str, (size_t)reply->len);
    if (str_starts(text, STR("TRYAGAIN")))
        return REDIS_REFUSES_NOW;
    return str_starts(text, STR("CLUSTERDOWN")) ? REDIS_REFUSES_CALL : REDIS_REFUSES_NOTHING;
}

const char *redis_reply_numbers(
    const redisReply *reply, int64_t numbers[static REDIS_CALL_NUMBERS_MAX], size_t *ret_n)
{
    *ret_n = 0;
    if (reply->type == REDIS_REPLY_ERROR)
        return reply->str;
    if (reply->type != REDIS_REPLY_ARRAY || reply->elements > REDIS_CALL_NUMBERS_MAX)
        return "an answer of another form";
    if (reply->elements == 0)
        return "its clock is not where it was";
    for (size_t i = 0; i < reply->elements; i++) {
        if (reply->element[i]->type != REDIS_REPLY_INTEGER)
            return "an answer of another form";
        numbers[i] = reply->element[i]->integer;
    }
    *ret_n = reply->elements;
    return NULL;
}

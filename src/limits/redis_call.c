/* Calls to Redis as values; see redis_call.h. */
#include "limits/redis_call.h"

#include <assert.h>
#include <hiredis/hiredis.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/codec.h"
#include "base/mem.h"
#include "limits/redis_slot.h"

void redis_script_init(struct redis_script *script, const char *text)
{
    uint8_t digest[REDIS_SHA1_HEX / 2];
    script->text = text;
    if (EVP_Digest(text, strlen(text), digest, NULL, EVP_sha1(), NULL) != 1)
        abort();
    hex_encode(digest, sizeof digest, script->sha1);
}

/* The end of a command, which redis_call_stamp writes: both arguments have a fixed length. */
#define STAMP "$1\r\n%d\r\n$15\r\n%015lld\r\n"
enum { UNTIL_SIZE = 15, STAMP_SIZE = 7 + 5 + UNTIL_SIZE + 2 };
static const int64_t until_max = 999999999999999;

void redis_call_stamp(struct redis_call *call, bool is_new, int64_t until_ms)
{
    char text[STAMP_SIZE + 1];
    int64_t until = until_ms < 0 ? 0 : until_ms > until_max ? until_max : until_ms;
    int n = snprintf(text, sizeof text, STAMP, is_new, (long long)until);
    assert(n == STAMP_SIZE && call->command_n > STAMP_SIZE);
    memcpy(call->command + call->command_n - STAMP_SIZE, text, STAMP_SIZE);
}

struct redis_call *redis_call_create(
    const struct redis_script *script, size_t key_count, const struct str *arguments, size_t n)
{
    enum { AROUND = 5 };
    static const char is_new[] = "0", until[UNTIL_SIZE + 1] = "000000000000000";
    const char *words[REDIS_CALL_ARGUMENTS_MAX + AROUND];
    size_t sizes[REDIS_CALL_ARGUMENTS_MAX + AROUND];
    char keys[24];
    struct redis_call *call = MEM_NEW(struct redis_call);
    assert(n && n <= REDIS_CALL_ARGUMENTS_MAX);
    words[0] = "EVALSHA";
    sizes[0] = strlen(words[0]);
    words[1] = script->sha1;
    sizes[1] = sizeof script->sha1;
    words[2] = keys;
    sizes[2] = (size_t)snprintf(keys, sizeof keys, "%zu", key_count);
    for (size_t i = 0; i < n; i++) {
        words[3 + i] = arguments[i].p;
        sizes[3 + i] = arguments[i].n;
    }
    words[3 + n] = is_new;
    sizes[3 + n] = sizeof is_new - 1;
    words[4 + n] = until;
    sizes[4 + n] = UNTIL_SIZE;
    long long size = redisFormatCommandArgv(&call->command, (int)(n + AROUND), words, sizes);
    if (size < 0)
        no_memory(0);
    call->command_n = (size_t)size;
    call->slot = redis_slot_of(arguments[0]);
    return call;
}

struct redis_call *redis_call_of_words(
    enum redis_call_kind kind, const char *const *words, size_t n)
{
    struct redis_call *call = MEM_NEW(struct redis_call);
    call->kind = kind;
    long long size =
        redisFormatCommandArgv(&call->command, (int)n, (const char **)(uintptr_t)words, NULL);
    if (size < 0)
        no_memory(0);
    call->command_n = (size_t)size;
    return call;
}

void redis_call_finish(struct redis_call *call, const int64_t *numbers, size_t n)
{
    if (call->answered)
        call->answered(call->ctx, numbers, n);
    if (call->kind == REDIS_CALL_GREETING)
        mem_wipe(call->command, call->command_n); /* it may have the password */
    redisFreeCommand(call->command);
    mem_free(call);
}

void redis_call_list_init(struct redis_call_list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

void redis_call_add(struct redis_call_list *list, struct redis_call *call)
{
    call->next = NULL;
    *list->end = call;
    list->end = &call->next;
}

struct redis_call *redis_call_take(struct redis_call_list *list)
{
    struct redis_call *call = list->first;
    if (call) {
        list->first = call->next;
        if (!list->first)
            list->end = &list->first;
    }
    return call;
}

void redis_call_take_all(struct redis_call_list *from, struct redis_call_list *to)
{
    *to = *from;
    if (!to->first)
        to->end = &to->first;
    redis_call_list_init(from);
}

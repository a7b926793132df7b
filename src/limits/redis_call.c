/* Calls to Redis as values; see redis_call.h. */
#include "limits/redis_call.h"

#include <assert.h>
#include <hiredis/hiredis.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/codec.h"
#include "base/mem.h"
#include "base/no_memory.h"

void redis_script_init(struct redis_script *script, const char *text)
{
    uint8_t digest[REDIS_SHA1_HEX / 2];
    script->text = text;
    if (EVP_Digest(text, strlen(text), digest, NULL, EVP_sha1(), NULL) != 1)
        abort();
    hex_encode(digest, sizeof digest, script->sha1);
}

struct redis_call *redis_call_create(
    const struct redis_script *script, size_t key_count, const struct str *arguments, size_t n,
    int64_t until_ms)
{
    enum { AROUND = 4 };
    const char *words[REDIS_CALL_ARGUMENTS_MAX + AROUND];
    size_t sizes[REDIS_CALL_ARGUMENTS_MAX + AROUND];
    char keys[24], until[24];
    struct redis_call *call = MEM_NEW(struct redis_call);
    assert(n <= REDIS_CALL_ARGUMENTS_MAX);
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
    words[3 + n] = until;
    sizes[3 + n] = (size_t)snprintf(until, sizeof until, "%lld", (long long)until_ms);
    long long size = redisFormatCommandArgv(&call->command, (int)(n + AROUND), words, sizes);
    if (size < 0)
        no_memory(0);
    call->command_n = (size_t)size;
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

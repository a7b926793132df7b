/* Any bytes as Redis's answer to INFO: words have their characters, numbers are not negative. */
#include "fuzz.h"

#include <string.h>

#include "limits/redis_look.h"

static void check_word(const char *word)
{
    assert(strnlen(word, REDIS_LOOK_WORD_SIZE) < REDIS_LOOK_WORD_SIZE);
    for (; *word; word++)
        assert(ascii_is_alpha(*word) || ascii_is_digit(*word) || strchr(".-", *word));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct redis_look look = {.memory = -1, .memory_max = -1, .evicted = -1};
    redis_look_read(fuzz_text(data, size), &look);
    const char *const words[] = {look.version, look.mode, look.cluster, look.role, look.policy};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        check_word(words[i]);
    assert(look.memory >= -1 && look.memory_max >= -1 && look.evicted >= -1);
    assert(!look.informed && !look.refused[0] && !look.clock_ms);
    return 0;
}

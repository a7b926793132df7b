/* The answer to INFO: lines of "name:value"; see redis_look.h. The peer may be another's: a value
 * of any form gives a word of letters, digits, dots and hyphens, or nothing. */
#include <stddef.h>
#include <string.h>

#include "limits/redis_look.h"

static const struct {
    const char *name;
    size_t at; /* in struct redis_look */
    bool number;
} lines[] = {
    {"redis_version", offsetof(struct redis_look, version), false},
    {"redis_mode", offsetof(struct redis_look, mode), false},
    {"cluster_state", offsetof(struct redis_look, cluster), false},
    {"role", offsetof(struct redis_look, role), false},
    {"maxmemory_policy", offsetof(struct redis_look, policy), false},
    {"used_memory", offsetof(struct redis_look, memory), true},
    {"maxmemory", offsetof(struct redis_look, memory_max), true},
    {"evicted_keys", offsetof(struct redis_look, evicted), true},
};

static bool is_word(struct str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (!ascii_is_alpha(value.p[i]) && !ascii_is_digit(value.p[i]) &&
            !memchr(".-", value.p[i], 2))
            return false;
    return value.n && value.n < REDIS_LOOK_WORD_SIZE;
}

static void take_value(void *to, bool number, struct str value)
{
    int64_t n;
    if (number && str_to_i64(value, &n) && n >= 0)
        *(int64_t *)to = n;
    if (!number && is_word(value)) {
        memcpy(to, value.p, value.n);
        ((char *)to)[value.n] = '\0';
    }
}

static void take_line(struct str line, struct redis_look *ret)
{
    ptrdiff_t colon = str_find_char(line, ':');
    struct str name = str_slice(line, 0, colon < 0 ? 0 : (size_t)colon);
    for (size_t i = 0; name.n && i < sizeof lines / sizeof *lines; i++)
        if (str_eq(name, str_from(lines[i].name)))
            take_value(
                (char *)ret + lines[i].at, lines[i].number,
                str_trim(str_slice(line, name.n + 1, line.n)));
}

void redis_look_read(struct str info, struct redis_look *ret)
{
    while (info.n) {
        ptrdiff_t end = str_find_char(info, '\n');
        size_t n = end < 0 ? info.n : (size_t)end;
        take_line(str_slice(info, 0, n), ret);
        info = str_slice(info, n + (end >= 0), info.n);
    }
}

/* Recovery codes; see recovery.h. */
#include "account/recovery.h"

#include "base/mem.h"

enum { LETTERS = 16, GROUP = 4 };

/* Without 0, 1, 8, 9, which look like letters: RFC 4648's base32 in small letters. */
static const char alphabet[] = "abcdefghijklmnopqrstuvwxyz234567";

static void make_one(char ret[static RECOVERY_SIZE + 1])
{
    uint8_t random[LETTERS];
    size_t at = 0;
    random_bytes(random, sizeof random);
    for (size_t i = 0; i < LETTERS; i++) {
        if (i && i % GROUP == 0)
            ret[at++] = '-';
        ret[at++] = alphabet[random[i] & 31];
    }
    ret[at] = '\0';
    mem_wipe(random, sizeof random);
}

void recovery_make(struct recovery_codes *ret)
{
    for (size_t i = 0; i < RECOVERY_COUNT; i++)
        make_one(ret->text[i]);
}

void recovery_finish(struct recovery_codes *codes)
{
    mem_wipe(codes, sizeof *codes);
}

bool recovery_hash(struct str typed, uint8_t ret[static SHA256_SIZE])
{
    char letters[LETTERS];
    size_t n = 0;
    for (size_t i = 0; i < typed.n; i++) {
        char c = ascii_lower(typed.p[i]);
        if (c == '-' || c == ' ')
            continue;
        if (n == LETTERS || !c || !memchr(alphabet, c, sizeof alphabet - 1))
            return false;
        letters[n++] = c;
    }
    if (n == LETTERS)
        sha256(str_of(letters, n), ret);
    mem_wipe(letters, sizeof letters);
    return n == LETTERS;
}

/* Recovery codes: sixteen characters in groups of four, 80 random bits, such as
 * `k7mq-2nfa-xw4p-6rtb`. They replace the code of a second factor, once each. */
#pragma once

#include "base/crypto.h"

enum { RECOVERY_COUNT = 10, RECOVERY_SIZE = 19 };

struct recovery_codes {
    char text[RECOVERY_COUNT][RECOVERY_SIZE + 1]; /* end in NUL */
};

void recovery_make(struct recovery_codes *ret);
void recovery_finish(struct recovery_codes *codes); /* wipes */

/* The SHA-256 of a code as somebody typed it: in any letter case, with or without hyphens and
 * spaces. False: not the form of a code. */
bool recovery_hash(struct str typed, uint8_t ret[static SHA256_SIZE]);

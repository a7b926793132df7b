/* Closed lists of words, written as one text with a space between two: easy to read and to add to,
 * and short enough to be walked. */
#pragma once

#include "base/str.h"

static inline bool word_listed(const char *list, struct str word)
{
    while (*list) {
        size_t same = 0;
        while (same < word.n && list[same] == word.p[same])
            same++;
        if (same == word.n && (list[same] == ' ' || list[same] == '\0'))
            return true;
        while (*list && *list++ != ' ')
            ;
    }
    return false;
}

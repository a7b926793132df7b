/* Ids in file names; see paper_id.h. */
#include "paper/paper_id.h"

enum { HOUSE_MIN = 7, HOUSE_MAX = 8, UUID_SIZE = 36, STATE_SIZE = 2, DISTRICT_MAX = 99 };

struct str paper_id_house(struct str name)
{
    struct str found = STR_NULL;
    for (size_t i = 0; i < name.n;) {
        size_t end = i;
        while (end < name.n && ascii_is_digit(name.p[end]))
            end++;
        if (end - i >= HOUSE_MIN && end - i <= HOUSE_MAX)
            found = str_slice(name, i, end);
        i = end > i ? end : i + 1;
    }
    return found;
}

static bool is_uuid(struct str text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = ascii_lower(text.p[i]);
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? c != '-' : !ascii_is_digit(c) && !(c >= 'a' && c <= 'f'))
            return false;
    }
    return text.n == UUID_SIZE;
}

struct str paper_id_senate(struct str name, struct arena *arena)
{
    for (size_t i = 0; i + UUID_SIZE <= name.n; i++) {
        struct str part = str_slice(name, i, i + UUID_SIZE);
        if (!is_uuid(part))
            continue;
        char *lower = arena_alloc(arena, UUID_SIZE);
        for (size_t c = 0; c < UUID_SIZE; c++)
            lower[c] = ascii_lower(part.p[c]);
        return str_of(lower, UUID_SIZE);
    }
    return STR_NULL;
}

bool paper_id_district(struct str text, struct str *ret_state, int *ret_district)
{
    int64_t district;
    if (text.n <= STATE_SIZE || !ascii_is_alpha(text.p[0]) || !ascii_is_alpha(text.p[1]) ||
        !str_to_i64(str_slice(text, STATE_SIZE, text.n), &district) || district < 0 ||
        district > DISTRICT_MAX)
        return false;
    *ret_state = str_slice(text, 0, STATE_SIZE);
    *ret_district = (int)district;
    return true;
}

/* Bioguide ids; see bioguide.h. */
#include "market/bioguide.h"

bool bioguide_is_valid(struct str id)
{
    if (id.n != 7 || id.p[0] < 'A' || id.p[0] > 'Z')
        return false;
    for (size_t i = 1; i < id.n; i++)
        if (!ascii_is_digit(id.p[i]))
            return false;
    return true;
}

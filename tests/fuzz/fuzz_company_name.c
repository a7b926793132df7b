/* Two lines as names of companies: the order does not matter, letter case and surrounding spaces do
 * not either, and every name is the same as itself if it has words. */
#include "fuzz.h"

#include <string.h>

#include "market/company_name.h"

enum { NAME_MAX = 390 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char space[NAME_MAX + 2];
    struct str rest = fuzz_text(data, size), a = fuzz_line(&rest), b = fuzz_line(&rest);
    if (a.n > NAME_MAX)
        return 0;
    enum company_name found = company_name_compare(a, b);
    assert(company_name_compare(b, a) == found);
    for (size_t i = 0; i < a.n; i++)
        space[i + 1] = ascii_upper(a.p[i]);
    space[0] = space[a.n + 1] = ' ';
    assert(company_name_compare(str_of(space, a.n + 2), b) == found);
    enum company_name self = company_name_compare(a, a);
    assert(self == COMPANY_NAME_SAME || (self == COMPANY_NAME_OTHER && found == self));
    return 0;
}

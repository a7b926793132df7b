/* The curated names; see aliases.h. */
#include "people/aliases.h"

#include <assert.h>

#include "base/csv_in.h"

enum { ALIASES_MAX = 1000 };

extern const char member_aliases_csv[];
extern const size_t member_aliases_csv_size;

void aliases_read(struct arena *arena, struct aliases *ret)
{
    struct csv_in csv;
    struct alias *items = ARENA_ARRAY(arena, struct alias, ALIASES_MAX);
    size_t count = 0;
    csv_in_init(&csv, str_of(member_aliases_csv, member_aliases_csv_size), arena);
    bool header = csv_in_next(&csv);
    assert(header && csv.count == 4);
    while (csv_in_next(&csv)) {
        assert(csv.count == 4 && count < ALIASES_MAX);
        items[count++] = (struct alias){csv.field[0], csv.field[1], csv.field[2]};
    }
    assert(!csv.error);
    *ret = (struct aliases){items, count};
}

/* The table of messages; see flash.h. */
#include "site/frame/flash.h"

#include <assert.h>

#define ROW(flash, name, text) [flash] = {STR_INIT(name), STR_INIT(text)},

static const struct flash_info infos[FLASH_COUNT] = {FLASHES(ROW)};

const struct flash_info *flash_info(enum flash flash)
{
    assert(flash < FLASH_COUNT);
    return &infos[flash];
}

struct str flash_join(enum flash flash, struct str filing_id, struct arena *arena)
{
    struct str name = flash_info(flash)->name;
    if (!filing_id.n || filing_id.n > FLASH_FILING_MAX)
        return name;
    return arena_fmt(arena, "%.*s_%.*s", STR_ARG(name), STR_ARG(filing_id));
}

static bool is_filing_id(struct str text)
{
    bool good = text.n > 0 && text.n <= FLASH_FILING_MAX;
    for (size_t i = 0; good && i < text.n; i++)
        good = ascii_is_alnum(text.p[i]) || text.p[i] == '-';
    return good;
}

enum flash flash_split(struct str value, struct str *ret_filing_id)
{
    struct str rest = value, name;
    str_split(&rest, '_', &name);
    *ret_filing_id = is_filing_id(rest) ? rest : STR_NULL;
    for (int i = FLASH_NONE + 1; i < FLASH_COUNT; i++)
        if (str_eq(infos[i].name, name))
            return (enum flash)i;
    *ret_filing_id = STR_NULL;
    return FLASH_NONE;
}

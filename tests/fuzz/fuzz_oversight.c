/* Any bytes as a file of acts of oversight: either an error that names the file and a line, or acts
 * with days in order, each worded in one line. */
#include "fuzz.h"

#include "base/hidden.h"
#include "market/committee.h"
#include "market/oversight.h"

enum { TODAY = 20700 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fail fail = {0};
    struct oversight_list list;
    ARENA_SCOPED(arena);
    const struct import_file file = {STR("acts"), fuzz_text(data, size)};
    enum err err = oversight_read(&file, TODAY, &arena, &list, &fail);
    assert(!err || (err == ERR_INVALID && strstr(fail.text, "acts: line ") == fail.text));
    for (size_t i = 0; !err && i < list.count; i++) {
        const struct oversight *act = &list.items[i];
        char symbol[TICKER_SIZE_MAX], space[1000];
        struct buf b = buf_over(space, sizeof space);
        oversight_put(&b, act);
        assert(!b.overflow && hidden_free_line(buf_view(&b)));
        assert(committee_id_valid(act->committee) && act->from <= act->to && act->to <= TODAY);
        assert(str_eq(str_of(symbol, ticker_normalize(act->symbol, symbol)), act->symbol));
        assert(
            oversight_epoch(act, 1, act->from) == 1 && oversight_epoch(act, 1, act->to + 1) == 2);
    }
    return 0;
}

/* Groups of the sample; see sample.h. */
#include "rule/sample.h"

#include <assert.h>

#include "base/closed_list.h"

static const struct str kind_names[SAMPLE_KIND_COUNT] = {
    [SAMPLE_ELECTRONIC] = STR_INIT("electronic"), [SAMPLE_PAPER] = STR_INIT("paper")};

static const struct {
    enum chamber chamber;
    enum sample_kind kind;
} strata[SAMPLE_STRATA] = {
    {CHAMBER_HOUSE, SAMPLE_ELECTRONIC},
    {CHAMBER_HOUSE, SAMPLE_PAPER},
    {CHAMBER_SENATE, SAMPLE_ELECTRONIC},
    {CHAMBER_SENATE, SAMPLE_PAPER},
};

ENUM_NAME(sample_kind_name, sample_kind, kind_names[value], SAMPLE_KIND_COUNT)

enum chamber sample_stratum_chamber(int stratum)
{
    assert(stratum >= 0 && stratum < SAMPLE_STRATA);
    return strata[stratum].chamber;
}

enum sample_kind sample_stratum_kind(int stratum)
{
    assert(stratum >= 0 && stratum < SAMPLE_STRATA);
    return strata[stratum].kind;
}

int sample_stratum(enum chamber chamber, enum sample_kind kind)
{
    for (int i = 0; i < SAMPLE_STRATA; i++)
        if (strata[i].chamber == chamber && strata[i].kind == kind)
            return i;
    assert(!"a chamber and a kind");
    return 0;
}

/* One draw at a time, in a circle that starts one stratum later every day. */
void sample_divide(
    int64_t rows, int32_t day, const int64_t trades[static SAMPLE_STRATA],
    int64_t ret[static SAMPLE_STRATA])
{
    int at = (int)((uint32_t)day % SAMPLE_STRATA);
    memset(ret, 0, SAMPLE_STRATA * sizeof *ret);
    for (int idle = 0; rows > 0 && idle < SAMPLE_STRATA; at = (at + 1) % SAMPLE_STRATA) {
        bool room = ret[at] < trades[at];
        ret[at] += room;
        rows -= room;
        idle = room ? 0 : idle + 1;
    }
}

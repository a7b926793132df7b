/* Moods of states; see mood.h. */
#include "cmd/term/mood.h"

/* A word means the same wherever it is a state. */
static const struct {
    struct str state;
    enum out_mood mood;
} moods[] = {
    {STR_INIT("delivered"), OUT_GOOD},
    {STR_INIT("enabled"), OUT_GOOD},
    {STR_INIT("sent"), OUT_GOOD},
    {STR_INIT("ok"), OUT_GOOD},
    {STR_INIT("pending"), OUT_WAITING},
    {STR_INIT("waiting"), OUT_WAITING},
    {STR_INIT("retrying"), OUT_WAITING},
    {STR_INIT("running"), OUT_WAITING},
    {STR_INIT("paused"), OUT_DOUBTFUL},

    {STR_INIT("interrupted"), OUT_DOUBTFUL},
    {STR_INIT("failed"), OUT_BAD},
    {STR_INIT("expired"), OUT_BAD},
    {STR_INIT("given_up"), OUT_BAD},
};

enum out_mood mood_of(struct str state)
{
    for (size_t i = 0; i < sizeof moods / sizeof *moods; i++)
        if (str_eq(moods[i].state, state))
            return moods[i].mood;
    return OUT_PLAIN;
}

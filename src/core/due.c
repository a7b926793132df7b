/* Due dates; see due.h. */
#include "core/due.h"

#include <assert.h>

int32_t due_day(int32_t traded, int32_t notified)
{
    if (notified != DAY_NONE && traded != DAY_NONE && notified < traded)
        notified = DAY_NONE;
    if (notified == DAY_NONE)
        return traded == DAY_NONE ? DAY_NONE : traded + DUE_DAYS_TRADED;
    int32_t by_notice = notified + DUE_DAYS_NOTIFIED;
    if (traded == DAY_NONE)
        return by_notice;
    int32_t by_trade = traded + DUE_DAYS_TRADED;
    return by_notice < by_trade ? by_notice : by_trade;
}

int32_t due_days_late(int32_t due, int32_t filed)
{
    assert(due != DAY_NONE && filed != DAY_NONE);
    return filed > due ? filed - due : 0;
}

/* Congresses; see congress.h. */
#include "market/congress.h"

#include <assert.h>

enum { FIRST_YEAR = 1789, YEARS = 2, FIRST_DAY_OF_JANUARY = 3 };

int congress_of(int32_t day)
{
    int year, month, of_month;
    day_to_civil(day, &year, &month, &of_month);
    if (month == 1 && of_month < FIRST_DAY_OF_JANUARY)
        year--;
    return (year - FIRST_YEAR) / YEARS + 1;
}

int32_t congress_first_day(int number)
{
    int32_t day;
    bool good = day_from_civil(FIRST_YEAR + YEARS * (number - 1), 1, FIRST_DAY_OF_JANUARY, &day);
    assert(good);
    return day;
}

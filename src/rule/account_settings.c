/* Names of the settings of accounts; see account_settings.h. */
#include "rule/account_settings.h"

static bool find_name(const struct str *names, size_t n, struct str name, size_t *ret)
{
    for (size_t i = 0; i < n; i++) {
        if (str_eq(names[i], name)) {
            *ret = i;
            return true;
        }
    }
    return false;
}

bool account_signup_from_name(struct str name, enum account_signup *ret)
{
    static const struct str names[SIGNUP_COUNT] = {
        [SIGNUP_OFF] = STR_INIT("off"),
        [SIGNUP_INVITE] = STR_INIT("invite"),
        [SIGNUP_OPEN] = STR_INIT("open"),
    };
    size_t found;
    if (!find_name(names, SIGNUP_COUNT, name, &found))
        return false;
    *ret = (enum account_signup)found;
    return true;
}

bool account_demand_from_name(struct str name, enum account_demand *ret)
{
    static const struct str names[SECOND_FACTOR_COUNT] = {
        [SECOND_FACTOR_OFF] = STR_INIT("off"),
        [SECOND_FACTOR_REVIEWERS] = STR_INIT("reviewers"),
    };
    size_t found;
    if (!find_name(names, SECOND_FACTOR_COUNT, name, &found))
        return false;
    *ret = (enum account_demand)found;
    return true;
}

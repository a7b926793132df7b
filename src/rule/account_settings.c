/* Names of the settings of accounts; see account_settings.h. */
#include "rule/account_settings.h"

#include "base/closed_list.h"

static const struct str signups[SIGNUP_COUNT] = {
    [SIGNUP_OFF] = STR_INIT("off"),
    [SIGNUP_INVITE] = STR_INIT("invite"),
    [SIGNUP_OPEN] = STR_INIT("open"),
};

static const struct str demands[SECOND_FACTOR_COUNT] = {
    [SECOND_FACTOR_OFF] = STR_INIT("off"),
    [SECOND_FACTOR_REVIEWERS] = STR_INIT("reviewers"),
};

ENUM_FIND(account_signup_from_name, account_signup, signups[value], 0, SIGNUP_COUNT)
ENUM_FIND(account_demand_from_name, account_demand, demands[value], 0, SECOND_FACTOR_COUNT)

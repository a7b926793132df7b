/* The closed lists of two settings of accounts: who may make one, and who must have a second
 * factor.
 */
#pragma once

#include "base/str.h"

enum account_signup {
    SIGNUP_OFF,    /* the operator makes accounts */
    SIGNUP_INVITE, /* admins invite people too */
    SIGNUP_OPEN,   /* anyone may sign up */
    SIGNUP_COUNT
};

/* Who must have a second factor. Everybody may. */
enum account_demand { SECOND_FACTOR_OFF, SECOND_FACTOR_REVIEWERS, SECOND_FACTOR_COUNT };

/* "off", "invite", "open"; false: none of them. */
bool account_signup_from_name(struct str name, enum account_signup *ret);
/* "off", "reviewers" */
bool account_demand_from_name(struct str name, enum account_demand *ret);

/*
 * Change of the password by somebody who is re-authenticated, or by the operator. Inside a write
 * transaction.
 */
#pragma once

#include "account/subject.h"

/* Over a struct subject; password_make (account/password.h) made the hash. Ends all sessions but
 * the actor's; the owner gets an e-mail. ERR_BUSY: the password is not the one that the caller
 * read. */
act_run password_change;

/* What follows every new password: the sessions but `kept_session`, the links, the half sign-ins
 * and the setup of a second factor end, the owner gets an e-mail, and the action is logged. */
enum err password_change_settle(
    const struct act *act, enum action action, const struct account *account,
    struct str kept_session);

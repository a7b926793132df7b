/*
 * What admins and the operator do to accounts. Every function is called inside a write transaction,
 * checks the actor, and writes the action log.
 *
 * On a page, removing the role of the last admin or disabling it is ERR_REFUSED. The operator may
 * do both, and can create another admin. Neither can delete the last one (account/delete.h).
 */
#pragma once

#include "account/subject.h"

/* Each over a struct subject. The actor is an admin or the operator, else ERR_REFUSED.
 * ERR_NOT_FOUND: the account is deleted. Other errors as in store/account/account.h. Owners get an
 * e-mail about a new role, a disabled and an enabled account, and about endpoints that a new plan
 * pauses or resumes. The sessions of a disabled account end. */
act_run manage_create, manage_set_plan, manage_set_role, manage_disable, manage_enable;

/* After a change: ERR_REFUSED if `before` was an admin that works, and there is none now. */
enum err manage_check_admins(const struct act *act, const struct account *before);

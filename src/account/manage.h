/*
 * What admins and the operator do to accounts. Every function is called inside a write transaction,
 * checks the actor, and writes the action log.
 *
 * On a page, removing the role of the last admin or disabling it is ERR_REFUSED. The operator may
 * do both, and can create another admin. Neither can delete the last one (account/delete.h).
 */
#pragma once

#include "account/config.h"
#include "store/account/account.h"
#include "webhook/owner.h"

/* The actor is an admin or the operator, else ERR_REFUSED. The account is named by its number, not
 * by an address that may have moved to another account since a page was shown; ERR_NOT_FOUND: it is
 * deleted. Other errors as in store/account/account.h. Owners get an e-mail about a new role, a
 * disabled and an enabled account, and about endpoints that a new plan pauses or resumes. *ret is
 * the account afterwards, in the arena.
 */

/* hash: of the password; empty: none is set. */
enum err manage_create(
    struct db *db, const struct actor *actor, struct str email, enum plan plan, enum role role,
    struct str hash, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;
enum err manage_set_plan(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, enum plan plan, int64_t now_ms, struct arena *arena,
    struct owner_plan_effect *ret_effect, struct account *ret, struct fail *fail) MUST_CHECK;
enum err manage_set_role(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, enum role role, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;
/* Its sessions end. */
enum err manage_disable(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;
enum err manage_enable(
    struct db *db, const struct account_config *config, const struct actor *actor,
    int64_t account_no, int64_t now_ms, struct arena *arena, struct account *ret,
    struct fail *fail) MUST_CHECK;

/* After a change: ERR_REFUSED if `before` was an admin that works, and there is none now. */
enum err manage_check_admins(struct db *db, const struct account *before, struct fail *fail)
    MUST_CHECK;

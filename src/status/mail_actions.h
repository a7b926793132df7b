/* What admins and the operator do with e-mails that are not sent. Call it inside a write
 * transaction. Each function checks the actor (ERR_REFUSED: no admin) and writes the action log. */
#pragma once

#include "store/account/action_log.h"
#include "store/account/mail_queue.h"

/* Errors of mail_queue_retry and mail_queue_drop. */
enum err mail_action_retry(
    struct db *db, const struct actor *actor, int64_t no, int64_t now_ms,
    struct fail *fail) MUST_CHECK;
enum err mail_action_retry_given_up(
    struct db *db, const struct actor *actor, int64_t now_ms, int64_t *ret_count,
    struct fail *fail) MUST_CHECK;
enum err mail_action_drop(
    struct db *db, const struct actor *actor, int64_t no, int64_t now_ms,
    struct fail *fail) MUST_CHECK;

/* Actions on e-mails; see mail_actions.h. */
#include "status/mail_actions.h"

#include <stdio.h>

enum { NUMBER_SIZE = 24, DETAIL_SIZE = 64 };

static enum err log_one(
    struct db *db, const struct actor *actor, enum action action, int64_t no, int64_t now_ms,
    struct fail *fail)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", (long long)no);
    return action_log_add(
        db, actor, action, STR_NULL, STR("mail"), str_from(number), STR_NULL, now_ms, fail);
}

enum err mail_action_retry(
    struct db *db, const struct actor *actor, int64_t no, int64_t now_ms, struct fail *fail)
{
    int64_t database_ms = now_ms;
    enum err err = actor_check_admin(actor, fail);
    if (!err)
        err = db_now_ms(db, now_ms, &database_ms, fail);
    if (!err)
        err = mail_queue_retry(db, no, database_ms, fail);
    return err ? err : log_one(db, actor, ACTION_MAIL_RETRY, no, now_ms, fail);
}

enum err mail_action_retry_given_up(
    struct db *db, const struct actor *actor, int64_t now_ms, int64_t *ret_count, struct fail *fail)
{
    char detail[DETAIL_SIZE];
    *ret_count = 0;
    enum err err = actor_check_admin(actor, fail);
    if (!err)
        err = mail_queue_retry_given_up(db, now_ms, ret_count, fail);
    if (err || !*ret_count)
        return err;
    snprintf(detail, sizeof detail, "all that were given up: %lld", (long long)*ret_count);
    return action_log_add(
        db, actor, ACTION_MAIL_RETRY, STR_NULL, STR("mail"), STR_NULL, str_from(detail), now_ms,
        fail);
}

enum err mail_action_drop(
    struct db *db, const struct actor *actor, int64_t no, int64_t now_ms, struct fail *fail)
{
    int64_t database_ms = now_ms;
    enum err err = actor_check_admin(actor, fail);
    if (!err)
        err = db_now_ms(db, now_ms, &database_ms, fail);
    if (!err)
        err = mail_queue_drop(db, no, database_ms, fail);
    return err ? err : log_one(db, actor, ACTION_MAIL_DROP, no, now_ms, fail);
}

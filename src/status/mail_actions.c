/* Actions on e-mails; see mail_actions.h. */
#include "status/mail_actions.h"

#include <stdio.h>

enum { NUMBER_SIZE = 24, DETAIL_SIZE = 64 };

static enum err log_one(const struct act *act, enum action action, int64_t no)
{
    char number[NUMBER_SIZE];
    snprintf(number, sizeof number, "%lld", (long long)no);
    return action_log_add(act, action, STR_NULL, STR("mail"), str_from(number), STR_NULL);
}

enum err mail_action_retry(const struct act *act, void *work)
{
    const int64_t no = *(const int64_t *)work;
    int64_t database_ms = act->now_ms;
    TRY(actor_check_admin(act->actor, act->fail));
    TRY(db_now_ms(act->db, act->now_ms, &database_ms, act->fail));
    TRY(mail_queue_retry(act->db, no, database_ms, act->fail));
    return log_one(act, ACTION_MAIL_RETRY, no);
}

enum err mail_action_retry_given_up(const struct act *act, void *work)
{
    int64_t *ret_count = work;
    char detail[DETAIL_SIZE];
    *ret_count = 0;
    enum err err = actor_check_admin(act->actor, act->fail);
    if (!err)
        err = mail_queue_retry_given_up(act->db, act->now_ms, ret_count, act->fail);
    if (err || !*ret_count)
        return err;
    snprintf(detail, sizeof detail, "all that were given up: %lld", (long long)*ret_count);
    return action_log_add(
        act, ACTION_MAIL_RETRY, STR_NULL, STR("mail"), STR_NULL, str_from(detail));
}

enum err mail_action_drop(const struct act *act, void *work)
{
    const int64_t no = *(const int64_t *)work;
    int64_t database_ms = act->now_ms;
    TRY(actor_check_admin(act->actor, act->fail));
    TRY(db_now_ms(act->db, act->now_ms, &database_ms, act->fail));
    TRY(mail_queue_drop(act->db, no, database_ms, act->fail));
    return log_one(act, ACTION_MAIL_DROP, no);
}

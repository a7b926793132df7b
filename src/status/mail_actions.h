/* What admins and the operator do with e-mails that are not sent. Call it inside a write
 * transaction. Each function checks the actor (ERR_REFUSED: no admin) and writes the action log. */
#pragma once

#include "store/account/action_log.h"
#include "store/account/mail_queue.h"

/* Over the number of the e-mail, an int64_t; retry_given_up sets it to how many there were. Errors
 * of mail_queue_retry and mail_queue_drop. */
act_run mail_action_retry, mail_action_retry_given_up, mail_action_drop;

/*
 * Mail to the owner of endpoints: rows (store/account/mail_queue.h) written in the transaction of
 * the event they report. A server without a mail server writes none.
 */
#pragma once

#include "store/account/account.h"
#include "store/account/delivery.h"
#include "webhook/owner.h"

/* An outcome_notice (dispatcher.h) that lists the failing endpoints of the account. It is the one
 * mail of its kind in an hour: a later one waits for the end of the hour, and is replaced or
 * removed when the list changes until then. ctx: a struct str, the public base URL for links. */
enum err notice_failures(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail);

/* A plan change paused or resumed endpoints. Writes nothing if it did neither. */
enum err notice_plan(
    const struct act *act, struct str base_url, const struct account *account,
    const struct owner_plan_effect *effect);

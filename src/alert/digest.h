/*
 * Queues the e-mails of one pace: one to each person whose alerts have something new. An e-mail and
 * the marks that its matches were sent are written in one transaction, so that a killed server
 * sends each at least once. A person gets at most one e-mail for each period: its id is made of
 * account, pace and period, and the queue takes each id once. Alerts whose pace was changed to
 * `now` since may have another one.
 *
 *   - A trade that an earlier e-mail to the person had is listed again only for what changed since.
 *   - A trade that was withdrawn before it was sent is left out. An e-mail is never empty.
 */
#pragma once

#include "alert/work.h"
#include "base/seal.h"
#include "html/mustache.h"
#include "rule/alert.h"

struct digest_config {
    struct str base_url;             /* public, for links, without a final slash */
    const struct seal_key *mail_key; /* seals the bodies in the queue */
    const struct mustache *template; /* web/alert_mail.mustache */
};

struct digest_result {
    int64_t emails;
    int64_t left_out; /* people whose matches had nothing to say */
    int64_t too_long; /* people whose e-mail exceeds the limit even without trades: it is dropped */
};

/* `period` is unique for each e-mail of this pace to a person. ERR_BUSY: the run was stopped; the
 * next one does the rest. */
enum err digest_run(
    const struct alert_work *work, const struct digest_config *config, enum alert_pace pace,
    struct str period, struct digest_result *ret, struct fail *fail);

/*
 * The job "alerts" of `serve`: matches what was published, and queues e-mails. Its thread has a low
 * priority, a read connection of its own and the writer's lowest class, so that a publication never
 * waits for it. It looks after each change notice and once a second:
 *
 *     new entries of the sequence of changes -> passes (alert/pass.h) -> e-mails at once
 *     07:00 in Washington, Mondays too       -> e-mails of a day, of a week (alert/digest.h)
 *
 * One server does the work at a time: the job's row has a lease (store/run/job.h), which a run
 * claims and renews. A run that finds nothing to do is not recorded.
 */
#pragma once

#include "base/seal.h"
#include "config/settings.h"
#include "db/writer.h"

struct alert_job;

struct alert_job_config {
    const struct settings *settings; /* smtp_url is set */
    struct writer *writer;
    struct str node;   /* the id of this server's heartbeat */
    struct str server; /* this server, for people */
    struct str base_url;
    const struct seal_key *mail_key;
};

/* Everything in the config is borrowed until alert_job_stop. */
enum err alert_job_start(
    const struct alert_job_config *config, struct alert_job **ret, struct fail *fail);

/* There may be new entries. From any thread. */
void alert_job_wake(struct alert_job *job);

/* NULL is ignored. */
void alert_job_put_metrics(struct alert_job *job, struct buf *b);

/* Ends a current run after its transaction. Call it before the writer is stopped. NULL is ignored.
 */
void alert_job_stop(struct alert_job *job);

/*
 * The checks of `stockact doctor`. Each runs in a process of its own, all at the same time: one
 * that hangs is killed after DOCTOR_TIME_MAX_MS, and one that crashes stops no other. A check waits
 * for a peer no longer than DOCTOR_PEER_MAX_MS, and says what it found and what to do. It writes
 * nothing that stays. Private to src/cmd/operate.
 */
#pragma once

#include "cmd/term/command.h"

enum { DOCTOR_TIME_MAX_MS = 30000, DOCTOR_PEER_MAX_MS = 10000, DOCTOR_TRIALS = 9 };

struct doctor {
    struct cmd *cmd;
    const struct settings *settings;
    bool whole;         /* `doctor` runs it, with its options, and no other command */
    struct arena arena; /* of the running check */
    int64_t now_ms;
    int results; /* descriptor that takes what the check says */
};

/* `fix`: what to do about it; null: nothing. The mood of a check that is off is OUT_PLAIN. */
void doctor_say(
    struct doctor *d, const char *check, enum out_mood mood, struct str found, struct str fix);

/* A host as a URL has it: an IPv6 address in brackets. */
struct str doctor_host(struct doctor *d, const char *host);

typedef void doctor_check_fn(struct doctor *d);

doctor_check_fn doctor_settings;
doctor_check_fn doctor_server;
doctor_check_fn doctor_database;
doctor_check_fn doctor_hosts;
doctor_check_fn doctor_redis;
doctor_check_fn doctor_mail;
doctor_check_fn doctor_purge;
doctor_check_fn doctor_sites;
doctor_check_fn doctor_files;
doctor_check_fn doctor_certificates;
doctor_check_fn doctor_disk;
doctor_check_fn doctor_clock;
doctor_check_fn doctor_documents;

/* One check of the table, running. */
struct doctor_child {
    pid_t pid; /* 0: it could not be started */
    int fd;    /* what it says; -1: closed */
    struct buf said;
};

/* Starts the check in a child. */
void doctor_start(struct doctor *d, doctor_check_fn *check, struct doctor_child *ret);
/* Waits until all have ended, kills those that have not at the deadline, and reports how each
 * ended: ret_ends[i] is NULL if it did so by itself. */
void doctor_wait(
    struct doctor_child *children, size_t count, int time_max_ms, const char **ret_ends);

/* Reads what a child said, one finding after the other. */
struct doctor_finding {
    enum out_mood mood;
    struct str check, found, fix; /* fix may be empty */
};
bool doctor_next(struct str *said, struct doctor_finding *ret);

/* Runs all checks and calls fn with each finding, in order. `whole`: `doctor` does, whose options
 * choose checks. */
typedef void doctor_finding_fn(void *ctx, const struct doctor_finding *f);
void doctor_each(struct cmd *cmd, bool whole, doctor_finding_fn *fn, void *ctx);

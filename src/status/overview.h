/*
 * The state of the service in one look, and what in it needs a person: what `stockact status`
 * prints and the page /admin shows. overview_read reads; overview_judge is a pure function of what
 * was read.
 */
#pragma once

#include "status/condition.h"
#include "status/list_age.h"
#include "store/account/alert.h"
#include "store/account/delivery_stuck.h"
#include "store/account/mail_queue.h"
#include "store/row/node.h"
#include "store/run/job.h"
#include "store/run/storage.h"
#include "store/run/sync_state.h"

enum {
    OVERVIEW_MAIL_LATE_MS = 15 * MINUTE_MS, /* an e-mail that waits for longer is late */
    OVERVIEW_JOB_LATE_MS = 90 * MINUTE_MS,  /* a job that is due for longer is late */
    OVERVIEW_SYNC_OLD_DAYS = 3,             /* no complete fetch for longer is old */
    OVERVIEW_BEHIND_MAX = 1000,             /* change notices */
    OVERVIEW_STUCK_MAX = 100,               /* stuck endpoints that are read */
    OVERVIEW_BACKUP_OLD_HOURS = 26,         /* a nightly backup is missing */
    OVERVIEW_MORE_MAX = 64,                 /* items that a caller may add to those judged */
};

/* The settings that decide what should run. */
struct overview_config {
    int64_t now_ms;
    bool mail; /* a mail server is set */
    struct job_daily daily;
    condition_set told; /* conditions that a server or `doctor` has found */
};

struct overview {
    struct node_list nodes;
    struct mail_counts mail;
    struct delivery_stuck_list stuck;
    struct alert_counts alerts;
    struct job_list jobs;
    struct sync_state sync[SYNC_SOURCE_COUNT];
    int64_t drafts_waiting, drafts_accepted;
    struct storage storage;
    struct list_ages lists;
    bool embedded;        /* an SQLite file */
    bool held;            /* a server has it open, which may be loading or frozen */
    int64_t commit_wait;  /* vitals_commit_wait: commits wait for a standby; -1: they do not */
    bool real;            /* data that is worth a backup */
    int64_t backup_at;    /* INSTANT_NONE: never */
    int64_t future;       /* the newest publication, if the clock was ahead; INSTANT_NONE */
    unsigned upgrade_due; /* one bit for each enum upgrade_task */
    int upgraded_from;
    struct str moved_to; /* another database: this one takes no more changes */
};

/* Everything lives in the arena. */
enum err overview_read(
    struct db *db, int64_t now_ms, struct arena *arena, struct overview *ret, struct fail *fail);

struct overview_item {
    enum condition condition;
    enum condition_level level;
    struct str topic;   /* "mail" */
    struct str label;   /* "Mail": the name of the page */
    struct str text;    /* one sentence or two */
    struct str command; /* that shows more, without `stockact` */
    struct str page;    /* that shows more */
};

struct overview_items {
    struct overview_item *items;
    size_t count; /* 0: nothing needs a person */
};

/* Urgent ones first; OVERVIEW_MORE_MAX fit behind. Strings live in the arena. Of a database that
 * was moved, only that is said. */
struct overview_items overview_judge(
    const struct overview *overview, const struct overview_config *config, struct arena *arena);

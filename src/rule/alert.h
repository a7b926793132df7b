/*
 * Alerts: subscriptions to e-mails about trades (decision 38, docs/alerts.md). What a rule matches,
 * as a pure function, and the closed lists of an alert.
 */
#pragma once

#include "rule/model.h"

enum alert_state {
    ALERT_NONE,
    ALERT_ENABLED,
    ALERT_PAUSED,  /* by its owner */
    ALERT_CAPPED,  /* above the cap of the plan; resumed when there is room */
    ALERT_REFUSED, /* the mail server refused the address for good */
    ALERT_ENDED,   /* for ever; it is no longer listed */
    ALERT_STATE_COUNT
};

enum alert_pace {
    ALERT_PACE_NONE,
    ALERT_NOW,    /* one e-mail for each publication */
    ALERT_DAILY,  /* one a day, in the morning of Washington */
    ALERT_WEEKLY, /* one a week, on Monday morning */
    ALERT_PACE_COUNT
};

struct str alert_state_name(enum alert_state state);
enum alert_state alert_state_from_name(struct str name); /* ALERT_NONE: no such state */
struct str alert_pace_name(enum alert_pace pace);
enum alert_pace alert_pace_from_name(struct str name); /* ALERT_PACE_NONE: no such pace */

/* The criteria of an alert. All that are given must hold. */
struct alert_rule {
    int64_t member_no;    /* 0: any member */
    struct str ticker;    /* normal form; null: any asset */
    enum chamber chamber; /* of the filing; CHAMBER_NONE: either */
    struct str committee; /* id of a committee that the member sits on; null: any */
    int industry;         /* of the company; 0: any */
    bool flagged;         /* only trades with a conflict signal */
    int grade;            /* only signals of this grade (1: A) or a better one; 0: any */
    enum bracket minimum; /* brackets whose lower bound is at least that of this one */
};

enum { ALERT_SYMBOLS_MAX = 8 };

/* What rules see of a trade. */
struct alert_trade {
    int64_t member_no;
    enum chamber chamber;
    struct str symbols[ALERT_SYMBOLS_MAX]; /* that find the trade, as filed and later ones */
    size_t symbol_count;
    int industry; /* 0: not known */
    enum bracket bracket;
    bool flagged;
    int grade;                    /* of its signal; 0: it has none */
    const struct str *committees; /* ids of the member's seats on the day of the trade */
    size_t committee_count;
};

/* False for a rule without a criterion. */
bool alert_rule_has_criterion(const struct alert_rule *rule);

bool alert_rule_equals(const struct alert_rule *a, const struct alert_rule *b);

/* A seat on a subcommittee is one on its committee. */
bool alert_rule_matches(const struct alert_rule *rule, const struct alert_trade *trade);

/* --- times: every morning at this minute of the day in Washington, weekly on Monday */

enum { ALERT_MINUTE = 7 * 60 };

/* The first instant after now_ms at which digests of this pace are due. */
int64_t alert_next_due(enum alert_pace pace, int64_t now_ms);
/* The date in Washington of the newest such instant up to now_ms: the name of the period. */
int32_t alert_period_day(enum alert_pace pace, int64_t now_ms);

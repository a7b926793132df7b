/*
 * What conflict signals are about: the industry and the committees of the evidence behind each
 * reason. Findings are only ever added (store/public/finding.h), so what was read stays true, and a
 * call reads only what is new. One thread adds; readers call between rcu_read_begin and
 * rcu_read_end.
 */
#pragma once

#include <stdatomic.h>

#include "base/intmap.h"
#include "market/conflict.h"
#include "store/public/finding.h"

/* A committee that the evidence of some signal names, or the committee of such a subcommittee. */
struct topic_committee {
    struct str id;    /* four letters, and two digits of a subcommittee */
    struct str title; /* "House Committee on Agriculture" */
    uint32_t parent;  /* its number; of a full committee: its own */
};

/* What one reason is about. */
struct signal_topic {
    int industry; /* market/industry.h */
    enum conflict_basis basis;
    enum conflict_grade grade; /* CONFLICT_NO_GRADE: of a rule before there were grades */
    uint32_t committee_count;
    const uint32_t *committees; /* numbers of those with a seat */
    const struct str *names;    /* that the evidence gives them */
};

/* More committees than Congress has had since its lists begin. A signal is not found by those that
 * are above. */
enum { TOPIC_COMMITTEES_MAX = 4096 };

struct topics {
    struct arena arena;
    int64_t last;            /* writer only: number of the last finding that was read */
    struct intmap by_reason; /* writer only: struct signal_topic, by hash */
    _Atomic uint32_t committee_count;
    _Atomic(const struct topic_committee *) committees[TOPIC_COMMITTEES_MAX];
};

void topics_init(struct topics *t);
void topics_finish(struct topics *t);

/* --- writer only */

/* Evidence that cannot be read has no topic. */
void topics_add(struct topics *t, const struct finding *finding);
/* Adds the findings above the last one. */
enum err topics_read(struct topics *t, struct db *db, struct fail *fail);
/* NULL: no finding with this reason was added. */
const struct signal_topic *topics_find(const struct topics *t, struct str reason);

/* --- readers */

uint32_t topics_committee_count(const struct topics *t);
const struct topic_committee *topics_committee(const struct topics *t, uint32_t number);
/* The number of a committee, in capital letters; UINT32_MAX: no signal names it. */
uint32_t topics_committee_with(const struct topics *t, struct str id);

/* The topics that a filter asks for. */
struct topic_choice {
    int industry; /* 0: any */
    bool of_committee;
    uint32_t committee; /* with of_committee: itself, or one of its subcommittees */
};

/* `topic` can be NULL, which only a choice of everything keeps. */
bool topics_keep(
    const struct topics *t, const struct topic_choice *choice, const struct signal_topic *topic);

/*
 * What conflict signals are about: the industry and the committees of the evidence behind each
 * reason, in memory. Findings are only ever added (store/finding.h), so what was read stays true,
 * and a call reads only what is new. Used by several threads.
 */
#pragma once

#include "base/mem.h"
#include "store/db/db.h"

struct topics;

/* A committee that the evidence of some signal names, or the committee of such a subcommittee. */
struct topic_committee {
    struct str id;    /* four letters, and two digits of a subcommittee */
    struct str title; /* "House Committee on Agriculture" */
    uint32_t parent;  /* its number; of a full committee: its own */
};

/* What one reason is about. */
struct signal_topic {
    uint32_t no;  /* 0, 1, ... */
    int industry; /* core/industry.h */
    uint32_t committee_count;
    const uint32_t *committees; /* numbers of those with a seat */
};

/* `tag_of` gives the key of a reason. */
struct topics *topics_create(uint64_t (*tag_of)(struct str reason));
void topics_destroy(struct topics *topics);

/* Reads the new findings, and holds the topics until topics_close: they do not change meanwhile.
 * ERR_CORRUPT: the evidence of a finding cannot be read. */
enum err topics_open(struct topics *topics, struct db *db, struct fail *fail) MUST_CHECK;
void topics_close(struct topics *topics);

/* --- while open */

/* NULL: no finding has this reason yet, or it is damaged. */
const struct signal_topic *topics_find(const struct topics *topics, uint64_t tag);
uint32_t topics_count(const struct topics *topics);

uint32_t topics_committee_count(const struct topics *topics);
const struct topic_committee *topics_committee(const struct topics *topics, uint32_t number);
/* NULL: no signal names it. */
const struct topic_committee *topics_committee_with(const struct topics *topics, struct str id);

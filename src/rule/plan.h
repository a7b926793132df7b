/*
 * Plans and what they allow (spec 5, spec 8), as one table that code, OpenAPI, docs and tests read.
 * A cap of 0 means none. Members of features that do not exist yet say so.
 */
#pragma once

#include "rule/api_key.h"

enum plan { PLAN_SCOUT, PLAN_WOLF, PLAN_PACK, PLAN_DEN, PLAN_COUNT };

struct plan_info {
    struct str key;  /* as stored and in the API: "pack" */
    struct str name; /* as shown: "Pack" */
    uint32_t requests_per_minute;
    uint32_t requests_per_month;
    uint32_t active_keys;
    uint32_t webhook_endpoints;
    uint32_t alerts;
    uint32_t page_delay_hours; /* of what pages show; visitors without an account have Scout's */
    bool csv_export;
    bool commercial_use;
};

enum {
    ANONYMOUS_PER_MINUTE = 10,
    ANONYMOUS_PER_MONTH = 1000,
    /* Of a private link of a plan that has no such limits. Plans with CSV have LINKS_MAX links. */
    LINK_PER_MINUTE = 10,
    LINK_PER_MONTH = 10000,
    LINKS_MAX = 10,
};

const struct plan_info *plan_info(enum plan plan);

/* Hours of delay of a plan's pages where the operator chose that many for the plans with one. */
uint32_t plan_page_delay(enum plan plan, int64_t chosen_hours);
bool plan_from_key(struct str key, enum plan *ret);

/* How many active keys of the kind an account of the plan may have. */
uint32_t plan_keys(enum plan plan, enum key_kind kind);

/* True for a plan that has a minute window (spec 5, plan rule 1). */
bool plan_has_api_access(enum plan plan);

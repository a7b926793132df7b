/*
 * Plans and what they allow (spec 5, spec 8), as one table that code, OpenAPI, docs and tests read.
 * A cap of 0 means none. Members of features that do not exist yet say so.
 */
#pragma once

#include "base/str.h"

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
};

const struct plan_info *plan_info(enum plan plan);

/* Hours of delay of a plan's pages where the operator chose that many for the plans with one. */
uint32_t plan_page_delay(enum plan plan, int64_t chosen_hours);
bool plan_from_key(struct str key, enum plan *ret);

/* True for a plan that has a minute window (spec 5, plan rule 1). */
bool plan_has_api_access(enum plan plan);

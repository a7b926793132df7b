/* The plan table; see plan.h. */
#include "rule/plan.h"

#include <assert.h>

#include "base/closed_list.h"

/* spec 5, "Plans" */
static const struct plan_info plans[PLAN_COUNT] = {
    [PLAN_SCOUT] =
        {
            .key = STR_INIT("scout"),
            .name = STR_INIT("Scout"),
            .page_delay_hours = 48,
        },
    [PLAN_WOLF] =
        {
            .key = STR_INIT("wolf"),
            .name = STR_INIT("Wolf"),
            .alerts = 25,
            .csv_export = true,
        },
    [PLAN_PACK] =
        {
            .key = STR_INIT("pack"),
            .name = STR_INIT("Pack"),
            .requests_per_minute = 60,
            .requests_per_month = 100000,
            .active_keys = 3,
            .webhook_endpoints = 3,
            .alerts = 100,
            .csv_export = true,
        },
    [PLAN_DEN] =
        {
            .key = STR_INIT("den"),
            .name = STR_INIT("Den"),
            .requests_per_minute = 300,
            .requests_per_month = 1000000,
            .active_keys = 10,
            .webhook_endpoints = 10,
            .alerts = 500,
            .csv_export = true,
            .commercial_use = true,
        },
};

const struct plan_info *plan_info(enum plan plan)
{
    assert(plan < PLAN_COUNT);
    return &plans[plan];
}

uint32_t plan_page_delay(enum plan plan, int64_t chosen_hours)
{
    return plan_info(plan)->page_delay_hours ? (uint32_t)chosen_hours : 0;
}

ENUM_FIND(plan_from_key, plan, plans[value].key, 0, PLAN_COUNT)

uint32_t plan_keys(enum plan plan, enum key_kind kind)
{
    const struct plan_info *info = plan_info(plan);
    return kind == KEY_API ? info->active_keys : info->csv_export ? LINKS_MAX : 0;
}

bool plan_has_api_access(enum plan plan)
{
    return plan_info(plan)->requests_per_minute > 0;
}

/* The rows of the table of plans; see plan_term.h. */
#include "rule/plan_term.h"

/* 1000000 as 1,000,000 */
static void put_number(struct buf *b, uint32_t value)
{
    if (value >= 1000) {
        put_number(b, value / 1000);
        buf_fmt(b, ",%03u", value % 1000);
    } else {
        buf_fmt(b, "%u", value);
    }
}

static void put_count(struct buf *b, uint32_t count)
{
    if (count)
        put_number(b, count);
    else
        buf_text(b, "none");
}

static void put_per_minute(struct buf *b, const struct plan_info *plan)
{
    put_count(b, plan->requests_per_minute);
}

static void put_per_month(struct buf *b, const struct plan_info *plan)
{
    put_count(b, plan->requests_per_month);
}

static void put_keys(struct buf *b, const struct plan_info *plan)
{
    put_number(b, plan->active_keys);
}

static void put_endpoints(struct buf *b, const struct plan_info *plan)
{
    put_number(b, plan->webhook_endpoints);
}

static void put_alerts(struct buf *b, const struct plan_info *plan)
{
    put_number(b, plan->alerts);
}

static void put_csv(struct buf *b, const struct plan_info *plan)
{
    buf_text(b, plan->csv_export ? "yes" : "no");
}

static void put_delay(struct buf *b, const struct plan_info *plan)
{
    if (plan->page_delay_hours)
        buf_fmt(b, "%u hours", plan->page_delay_hours);
    else
        buf_text(b, "none");
}

static void put_license(struct buf *b, const struct plan_info *plan)
{
    buf_text(b, plan->commercial_use ? "yes" : "no");
}

static const struct plan_term terms[] = {
    {STR_INIT("API requests per minute"), put_per_minute},
    {STR_INIT("API requests per month"), put_per_month},
    {STR_INIT("Active API keys"), put_keys},
    {STR_INIT("Webhook endpoints"), put_endpoints},
    {STR_INIT("Alert subscriptions"), put_alerts},
    {STR_INIT("CSV export"), put_csv},
    {STR_INIT("Delay of pages"), put_delay},
    {STR_INIT("Commercial-use license"), put_license},
};

const struct plan_term *plan_term_at(size_t i)
{
    return i < sizeof terms / sizeof *terms ? &terms[i] : NULL;
}

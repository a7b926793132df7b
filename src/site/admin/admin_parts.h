/* Shared by the pages of admins. Private to src/site/admin. */
#pragma once

#include "html/form.h"
#include "html/table.h"
#include "rule/plan.h"
#include "rule/role.h"
#include "site/frame/page_call.h"

enum { ADMIN_ROWS = 50 }; /* of a list on one page */

/* The query's number at which the previous page ended. 0: absent, or not a number. */
int64_t admin_before(const struct page_call *call);

/* Links to the newest page, unless this is it, and to the page of older rows. `last` is the number
 * of the last row here; 0: there are no older rows. */
void admin_pages(
    const struct page_call *call, struct view *table, const char *path,
    const struct link_param *filters, size_t filter_count, int64_t last);

/* An object for the partial `badge`. `kind` is "good", "wait", "bad" or "off". */
void admin_badge(struct view *v, const char *name, const char *kind, struct str label);

/* A filter: the value of the query, or null if it is absent or empty. */
struct str admin_filter(const struct page_call *call, const char *name);

extern const struct form_option admin_roles[ROLE_COUNT];
void admin_plans(struct form_option ret[static PLAN_COUNT]);

/* badge: whether the account is enabled, disabled or deleted. */
void admin_account_state(struct view *v, int64_t disabled_at, int64_t deleted_at);

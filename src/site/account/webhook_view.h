/*
 * How the pages of webhooks show endpoints and deliveries: the same members and the same words on
 * all of them. Private to src/site/account.
 */
#pragma once

#include "site/frame/page_call.h"
#include "store/account/delivery.h"
#include "store/account/endpoint.h"
#include "store/account/endpoint_health.h"

/* The endpoint that the first segment names, if it is the visitor's. ERR_NOT_FOUND: else. */
enum err webhook_find(struct page_call *call, struct endpoint *ret, struct fail *fail);

/* "/account/webhooks/ID", followed by `rest`. The id is one that exists. */
struct str webhook_path(const struct page_call *call, struct str id, const char *rest);

/* id, url, description, events, state, badge, failures, createdAt, and its health: chart,
 * delivered, failed, waiting, nextAt, lastAt, lastResult. `small`: the chart is for a list. */
enum err webhook_put(
    struct page_call *call, struct view *view, const struct endpoint *endpoint, bool small,
    struct fail *fail);

/* id, event, filing, state, badge, cause, attempts, createdAt, endedAt, nextAt, result, href. */
void webhook_put_delivery(
    const struct page_call *call, struct view *view, const struct endpoint *endpoint,
    const struct delivery_row *row);

/* "status 500", "no connection"; null without an attempt (status 0 and a null error). */
struct str webhook_result(struct arena *arena, int status, struct str error);

/* badge: kind, label. */
void webhook_put_badge(struct view *view, const char *kind, const char *label);

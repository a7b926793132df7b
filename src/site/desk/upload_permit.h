/*
 * Permits for large bodies. The upload page prints a permit into the URL of its form, valid for one
 * to two hours. It is an HMAC of the session's cookie and the hour, so it is checked on the loop,
 * before the first byte of the body and without the database. The gate checks session, role and
 * token afterwards, as of every form. Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"
#include "site/frame/site_state.h"

/* Sets `action` of the view: the address of the form, with a permit for this session. */
void upload_permit_put(struct page_call *call);

/* Without a permit, an upload may be as large as other forms. */
struct http_body_rule upload_body_rule(const struct site *site, const struct http_request *request);

/* Makes a refusal by that rule, or by the HTTP rules, the reply. */
void upload_refused(struct page_call *call, int status);

/*
 * The one gate in front of all pages. A request passes these steps, in this order, and each can end
 * it with a page of an error:
 *
 *     on the loop     route, method; fixed texts are answered here, those of the documentation once
 *                     a worker has made them for the first request
 *     on a worker     session, role, origin of a form, its fields, its token, the password again,
 *                     then the handler
 *
 * Everything that it enforces is in the table of pages. Private to src/site.
 */
#pragma once

#include "http/http.h"

/* Members of struct http_app; ctx is a struct site. */
void page_gate_handle(void *ctx, struct http_exchange *x);
void page_gate_refuse(void *ctx, struct http_exchange *x, int status, const char *why);
struct http_body_rule page_gate_body_rule(void *ctx, const struct http_request *request);
bool page_gate_unbounded_peer(void *ctx, const struct http_peer *peer);

/*
 * The visitor of a page: the session of the cookie, and the pages that its role may open. Steps of
 * the gate, on a worker.
 */
#pragma once

#include "db/db_reader.h"
#include "site/frame/page_call.h"

/* Begins call->db, unless the page is from memory and there is no session: the store is needed for
 * the session only. If it does not answer, the reader of such a page, and of one that does without
 * parts, is a visitor, and call->lost is set. */
enum err page_visitor_begin(struct page_call *call, struct db_reader *reader, struct fail *fail);

/* Reads the session into call->visitor and call->actor. Without one that is open, OK: a visitor. */
enum err page_visitor_find(struct page_call *call, struct fail *fail);

/* Before http_defer: the pages of one client, a /64 with IPv6, share a lane with those of others.
 * This machine's own addresses do not count: they may be those of a proxy. */
void page_visitor_share_lane(const struct page_call *call);

/* The session of the cookie has ended: makes the browser remove the cookie, and treats the rest of
 * the request as a visitor's. */
void page_visitor_forget(struct page_call *call);

/* True if the visitor may open the page. Else the reply is decided: the way to the sign-in, 403, or
 * the setup of a second factor that the role needs. */
bool page_visitor_may(struct page_call *call, struct fail *fail);

/* The way to the sign-in, which carries a form that this site sent. */
void page_visitor_ask(struct page_call *call, struct fail *fail);

/*
 * One request for a page, as its handlers see it. Everything lives in the arena of the exchange.
 */
#pragma once

#include "db/writer.h"
#include "edge/errors.h"
#include "html/form.h"
#include "html/view.h"
#include "http/route.h"
#include "http/stream.h"
#include "rule/query.h"
#include "site/frame/flash.h"
#include "site/frame/page.h"
#include "site/frame/site_config.h"
#include "store/account/session.h"

/* Who asks. */
struct visitor {
    bool signed_in;
    enum plan plan;         /* of the owner of the private link; else Scout */
    struct account account; /* if signed_in */
    struct session session; /* if signed_in */
    bool proved;            /* the session's person gave the password in the last ten minutes */
};

struct page_reply; /* page_call_parts.h */

struct page_call {
    const struct site_config *config; /* the feed, the writer and what else the server has */
    struct http_exchange *x;
    struct arena *arena;
    int64_t now_ms;
    const struct page *page;
    struct str segments[ROUTE_SEGMENTS_MAX]; /* decoded, in the order of the braces */
    struct query_pairs query;                /* decoded; of a GET */
    struct form *form;                       /* of a POST; NULL for a GET */
    struct form *query_form; /* the query as a form, if the handler read it as one: with faults the
                                reply is 400 */
    struct visitor visitor;
    const struct access_key *key; /* of the private link; NULL: it is none */
    struct actor actor;           /* for actions: the visitor's account, or ACTOR_VISITOR */
    struct address client;        /* the caller, behind trusted proxies: for limits of attempts */
    struct session_origin origin; /* the caller's network and browser, for new sessions */
    struct db *db;                /* a read connection, in a snapshot of the store. While it is
                                     lost, each statement is ERR_UNAVAILABLE */
    bool lost;                    /* the store does not answer */
    struct view *view;            /* the data of the page */
    bool json;                    /* the answer is JSON */
    bool delay_put;               /* reader_delay_put was called */
    struct page_reply *reply;
};

/* The first query parameter with this name; null: there is none. */
struct str page_query(const struct page_call *call, struct str name);

/* Runs `write` on the writer thread, in one transaction. First the form's `once` is used up there,
 * and the session is checked again: the account stays locked, so no other request ends the session,
 * disables the account or changes its role until `write` is done. A form that was sent before, and
 * a session or role that is over, is ERR_EXISTS, which a handler returns as it is; the gate then
 * tells the visitor. If `write` fails, the form can be sent again. An action in several
 * transactions calls it for each: the first one that is committed uses up `once`. */
enum err page_write(struct page_call *call, act_run *write, void *work, struct fail *fail);

/* page_write of the page's row, and where it leads. `path`: of the thing that it is about. */
enum err page_write_row(struct page_call *call, struct str path, void *work, struct fail *fail);

/* The context of what only reads, in the arena. */
const struct act *page_reads(const struct page_call *call, struct fail *fail);

/* Inside page_write: whether the form whose `once` this is was sent to the address of the call. */
enum err page_was_sent(
    struct page_call *call, struct db *db, struct str once, bool *ret, struct fail *fail);

/* --- how a handler ends; after one of these it returns OK */

/* 303 to a path of this site. The next page shows the sentence of `flash`. A program gets JSON:
 * {"location", "message"}. */
void page_redirect(struct page_call *call, struct str path, enum flash flash);

/* The message of page_redirect links this filing on the desk. */
void page_redirect_about(struct page_call *call, struct str filing_id);

/* 422: the page again, with the reason beside the field, or above the form (field
 * NULL). May be called for several fields. */
void page_fault(struct page_call *call, const char *field, const char *text);

/* The response to a POST is call->view in another template, for what is shown only once: a key, a
 * secret, recovery codes. `status` is 200 or 201. */
void page_show(struct page_call *call, int status, struct str template, struct str title);

/* 429, with Retry-After. */
void page_too_many(struct page_call *call, int64_t retry_after_s);

/* An error of the table, such as ERROR_API_KEY_LIMIT_REACHED, as a page or as JSON. `limit` is a
 * member of the JSON; negative: none. Null hint: the default. */
void page_error(struct page_call *call, enum error_code error, struct str hint, int64_t limit);

/* A text instead of a page: a file to download (`filename`, ASCII without quotes), or null. The
 * body is in http_body(call->x). */
void page_download(struct page_call *call, struct str media_type, struct str filename);

/* The same, written in pieces after the handler, on the loop, so that it may be of any length
 * (http/stream.h). The streamer finds `ctx` with page_stream_ctx. */
void page_stream(
    struct page_call *call, const struct http_streamer *streamer, void *ctx, struct str media_type,
    struct str filename);
void *page_stream_ctx(const struct http_exchange *x);

/* A PNG instead of a page, for the caches that hold such pages, and checked by an entity tag made
 * of `hash`. true: the client has it, and the body stays empty; otherwise write it. */
bool page_picture(struct page_call *call, uint64_t hash);

/* A file for everybody instead of a page, with this hash and size: for caches, like a picture, and
 * for scripts of other sites. true: the client has it. Otherwise a streamer writes it, compressed
 * if *ret_gzip says so. */
bool page_file(
    struct page_call *call, struct str media_type, uint64_t hash, size_t size, bool *ret_gzip);
void page_file_stream(struct page_call *call, const struct http_streamer *streamer, void *ctx);

/* What became of reading a part that only the store has. On a page that does without (page.parts),
 * a lost store is OK: the caller leaves the part out, the page says since when it is missing
 * (`lacking` of the view, with `at`), and no cache keeps it. */
enum err page_part(struct page_call *call, enum err err);

/* --- what the head of a page of data says */

/* The title, instead of the one of the table. */
void page_title(struct page_call *call, struct str title);

/* <link rel="alternate">: the same as JSON, or as a feed. */
void page_alternate(struct page_call *call, const char *type, struct str href, const char *title);

/* What the page shows as schema.org has it, in JSON. No text in it can end the script. */
void page_linked_data(struct page_call *call, struct str json);

/* A name in the header Surrogate-Key, by which a cache in front of the server can drop the page:
 * `kind` is "p" with a slug, "t" with a symbol, "f" with the id of a filing, or "list" with the
 * name of a list. Only replies to visitors without cookies carry the header. */
void page_surrogate(struct page_call *call, const char *kind, struct str name);

/* The page also shows what nothing purges: caches keep it for a minute. */
void page_surrogate_brief(struct page_call *call);

/* --- sign-in and sign-out */

/* Sets the session's cookie; the visitor is signed in from here on. An earlier session is not
 * continued: its cookie is replaced, and the action ends its row. Wipe the token afterwards. */
void page_session_start(struct page_call *call, struct str token, const struct account *account);

/* The mark of a browser that has signed in before (account/sign_in.h): the one that the
 * request has; null without one. */
struct str page_known_mark(const struct page_call *call);
/* Gives the browser one for the visitor's account, whose password_hash is the stored one, unless it
 * has one. page_session_start does; the mark stays after a sign-out. */
void page_known_browser(struct page_call *call);

/* Removes the cookie and what browsers have cached. End the session's row in the store first. */
void page_session_end(struct page_call *call);

/* --- addresses */

/* `path` as an absolute URL, for e-mails: never from the request's Host. */
struct str page_url(const struct page_call *call, struct str path);

/* `path` if it leads to a page of this site (it begins with one "/", and has no character that a
 * browser could read differently); else null. */
struct str page_local(struct str path);

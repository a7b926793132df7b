/*
 * A page: one row of the table of pages (site/pages.c). The gate (site/page_gate.h) enforces
 * everything that a row says before it calls a handler, so a handler checks neither session, role
 * nor token.
 *
 * Both handlers run on a worker thread. `load` fills call->view for a GET, and again when a form
 * comes back with faults. `act` does what a POST asks for: it calls an action through page_write,
 * and then page_redirect. What they return:
 *
 *     OK               the reply is a redirect, or the page with call->view
 *     ERR_NOT_FOUND    404: does not exist, or belongs to another account
 *     from act: ERR_INVALID, ERR_EXISTS, ERR_REFUSED, ERR_LIMIT
 *                      422: the page again, with what was typed and the reason above the form
 *                      (page_fault puts it beside a field)
 *     ERR_UNAVAILABLE, ERR_BUSY, ERR_FULL, ERR_TIMEOUT   503
 *     any other        500, and a line in the log
 */
#pragma once

#include "site/frame/flash.h"
#include "store/row/act.h"

struct page_call;

/* Who may. A visitor who is not signed in is sent to /sign-in; an account without the role gets
 * 403. An admin may do what a reviewer does. PAGE_READER is for published data: anyone may read it,
 * or only accounts, if STOCKACT_PUBLIC_PAGES is off. How fresh it is: site/frame/reader.h. */
enum page_access { PAGE_ANYONE, PAGE_READER, PAGE_OWNER, PAGE_REVIEWER, PAGE_ADMIN };

/* The entry of the navigation that is marked as current. */
enum nav_place {
    NAV_NONE,
    NAV_TRADES,
    NAV_POLITICIANS,
    NAV_TICKERS,
    NAV_CONFLICTS,
    NAV_FILINGS,
    NAV_CORRECTIONS,
    NAV_COVERAGE,
    NAV_DATA,
    NAV_SEARCH, /* the page of the box in the bar */
    NAV_DOCS,
    NAV_DESK,
    NAV_HOME, /* /account */
    NAV_KEYS,
    NAV_WEBHOOKS,
    NAV_ALERTS,
    NAV_SETTINGS,
    NAV_ADMIN, /* /admin */
    NAV_ADMIN_ACCOUNTS,
    NAV_ADMIN_JOBS,
    NAV_ADMIN_SYNC,
    NAV_ADMIN_DELIVERIES,
    NAV_ADMIN_MAIL,
    NAV_ADMIN_NODES,
    NAV_ADMIN_STORAGE,
    NAV_ADMIN_LOG,
    NAV_SIGN_IN,
    NAV_COUNT
};

typedef enum err page_load(struct page_call *call, struct fail *fail);
typedef enum err page_act(struct page_call *call, struct fail *fail);

struct page {
    const char *path; /* "/account/keys/{id}": at most three segments in braces */
    enum page_access access;
    bool memory;         /* GET shows only what memory has, and gets no `db` (page_visitor.h) */
    bool parts;          /* GET does without what only the store has, while it is lost: page_part */
    bool kept;           /* its last whole reply without a query is shown then (page_kept.h) */
    bool one_click;      /* a POST needs no token and no form: its link has a secret (RFC 8058) */
    bool upload;         /* a POST has files (multipart/form-data): done by the lane for uploads */
    bool keeps;          /* a POST with do=keep keeps what is typed (site/desk/desk_typed.h) */
    bool drawn;          /* a picture: loaded by the lane for pictures, one after the other */
    bool linked;         /* a feed, or a list as CSV: private links lead here (page_gate.c) */
    bool patient;        /* what it shows may take minutes to make, and is kept then */
    bool reauth;         /* a POST needs the password again, unless given in the last ten minutes */
    struct str template; /* web/NAME.mustache */
    struct str title;
    const char *const
        *lists; /* fields of the form that may be repeated, NULL at the end; or NULL */
    enum nav_place nav;
    page_load *load;  /* NULL: GET is 405 */
    page_act *act;    /* NULL: POST is 405 */
    act_run *write;   /* what `act` does by page_write; NULL: it says so itself */
    const char *next; /* where it then leads: a path, or what follows that of the thing */
    enum flash flash; /* ... with this message */
};

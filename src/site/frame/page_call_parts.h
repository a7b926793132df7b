/*
 * What a request for a page will get. The gate and the functions of page_call.h decide it on a
 * worker; page_reply.h prints it. Private to src/site.
 */
#pragma once

#include "edge/representation.h"
#include "site/frame/page_call.h"
#include "site/frame/page_problem.h"
#include "site/frame/site_state.h"

enum page_reply_kind {
    PAGE_REPLY_VIEW,     /* call->view in `template`, or as JSON */
    PAGE_REPLY_REDIRECT, /* 303 to `location` */
    PAGE_REPLY_PROBLEM,
    PAGE_REPLY_ERROR, /* `error` of the API's table */
    PAGE_REPLY_BODY,  /* the handler wrote the body and its type */
    PAGE_REPLY_FILE,  /* a PNG in the body, or what a streamer writes */
    PAGE_REPLY_STREAM,
};

enum { SURROGATES_MAX = 100 };

struct page_reply {
    struct site *site;
    enum page_reply_kind kind;
    int status; /* of a view */
    struct str template, title;
    struct str location;
    enum flash flash;
    struct str flash_filing; /* what the message is about; null: it does not say */
    enum page_problem problem;
    enum error_code error;
    struct str hint; /* instead of the sentence of the problem or the error; null: that */
    int64_t limit;   /* of an error: negative, none */
    int64_t retry_after_s;
    unsigned allowed; /* of PROBLEM_METHOD: the methods of the path */
    bool demo;
    bool html;                   /* the client asked for HTML */
    bool anonymous;              /* the request has no session cookie */
    bool number_used;            /* page_write has used up the number of the form */
    enum page_problem no_write;  /* why page_write did nothing; PROBLEM_COUNT: it did not say */
    const char *fixed_path;      /* of a fixed text; NULL: none */
    struct str cookie;           /* the value that the CSRF token is bound to; null: none yet */
    struct str link;             /* of a private link: "/link/TOKEN"; else null */
    struct limits_caller caller; /* ... its windows, and what its draw got */
    struct limits_answer window;
    struct str path;            /* of this page, not decoded; links and forms post there */
    struct representation file; /* of a file, with its media type */
    enum media media;
    const struct http_streamer *streamer; /* of a stream, with its ctx; NULL: there is none */
    void *stream_ctx;
    struct str surrogates[SURROGATES_MAX]; /* page_surrogate */
    size_t surrogate_count;
    enum page_keep keep;  /* which caches may keep the reply: as its head says */
    bool brief;           /* page_surrogate_brief */
    bool lasting;         /* a file that never changes: caches keep it */
    bool personal;        /* a file that not everybody may have: caches do not keep it */
    bool lacking;         /* parts are missing: page_part */
    bool surrogates_full; /* there are more: the page is not for caches */
};

/* page_write that uses up no number and does not look at the session: for what comes before a form,
 * and for links that need no session. */
enum err page_write_bare(struct page_call *call, act_run *write, void *work, struct fail *fail);

/* Makes a problem the reply. Null sentence: the one of the table. */
void page_problem(struct page_call *call, enum page_problem problem, struct str sentence);

/* Shows call->view in another template: a page that the gate puts in between. */
void page_template(struct page_call *call, int status, struct str template, struct str title);

/* The nearest page at or above this address that can be opened: where a link back leads. If the
 * reply is 404, pages about one thing are passed over. */
struct str page_back(struct page_call *call);

/* False if a parameter or a part of the path has bytes that the database would not take: NUL, or
 * not UTF-8. */
bool page_call_has_texts(const struct page_call *call);

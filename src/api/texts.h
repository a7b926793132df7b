/*
 * The texts that are the same for every caller while the process runs: the OpenAPI document and the
 * plain texts, and the documentation as Markdown, which the site shows. Building them takes
 * milliseconds, and most servers are never asked for one: the first request builds them, on a
 * worker.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "api/doc_table.h"
#include "api/reply.h"
#include "edge/doc.h"
#include "edge/fixed_text.h"

struct api_texts {
    struct str base_url; /* borrowed */
    bool demo;
    pthread_mutex_t lock;
    atomic_bool made;                         /* and immutable from then on */
    struct fixed_text texts[OPERATION_COUNT]; /* by operation; the others stay empty */
    struct arena arena;                       /* the documents' texts */
    struct doc docs[DOC_COUNT];
    struct doc_list list; /* complete but for the texts of the documents, which texts_make adds */
};

void texts_init(struct api_texts *texts, struct str base_url, bool demo);
void texts_finish(struct api_texts *texts);

/* Builds them, unless that is done; waits for another thread that does. Any thread but a loop. */
void texts_make(struct api_texts *texts);

/* Whether texts_answer can reply. If not, texts_later makes a worker build the texts; then `done`
 * is called on the loop. texts_later false: the workers' queue is full; the caller keeps the call.
 */
bool texts_ready(struct api_call *call);
bool texts_later(struct api_call *call, void (*done)(struct http_exchange *x)) MUST_CHECK;

/* Replies with the text of the call's operation (spec 4.5). */
void texts_answer(struct api_call *call);

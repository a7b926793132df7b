/*
 * The texts that are the same for every caller while the process runs: the OpenAPI document and the
 * plain texts, built and compressed once, and the documentation as Markdown, which the site shows.
 */
#pragma once

#include "api/doc_table.h"
#include "api/reply.h"
#include "base/mem.h"
#include "edge/doc.h"
#include "edge/fixed_text.h"

struct api_texts {
    struct fixed_text texts[OPERATION_COUNT]; /* by operation; the others stay empty */
    struct arena arena;                       /* the documents' texts */
    struct doc docs[DOC_COUNT];
    struct doc_list list;
};

void texts_init(struct api_texts *texts, struct str base_url, bool demo);
void texts_finish(struct api_texts *texts);

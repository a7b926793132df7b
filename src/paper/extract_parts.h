/* What the client and the helper of extraction share; only extract*.c include it. */
#pragma once

#include <linux/filter.h>

#include "paper/extract.h"
#include "paper/readers.h"

/* What is asked for, and which program does it where the document is a PDF. */
enum extract_job {
    EXTRACT_JOB_READING, /* pdftotext, and the reader of its words */
    EXTRACT_JOB_PICTURE, /* pdftoppm alone */
    EXTRACT_JOB_LINES,   /* tesseract alone; the document is a picture */
    EXTRACT_JOB_COUNT
};

/* One datagram each way on the helper's descriptor 0. With the request come two descriptors: the
 * document, and an empty file for the reading or the picture. */
struct extract_request {
    int job;   /* enum extract_job */
    int paper; /* enum paper; of a reading */
    int page;  /* of a picture, from 1 */
    int time_max_ms;
    int cpu_max_s;
};

struct extract_reply {
    int failed; /* errno of the helper's own failure; 0: none */
    int timed_out;
    int reader; /* as waitpid tells it; 0 where there was none */
    int tool;   /* the same, of the program */
};

enum { EXTRACT_DESCRIPTORS = 2 };

/* The tools that turn a PDF into words, a page into a picture, and that into lines of text. */
#define EXTRACT_PDFTOTEXT "/usr/bin/pdftotext"
#define EXTRACT_PDFTOPPM "/usr/bin/pdftoppm"
#define EXTRACT_TESSERACT "/usr/bin/tesseract"

/* How a child ends that has nothing to give. */
enum {
    EXTRACT_EXIT_NO_PAGE = 99, /* pdftoppm's own: there is no such page */
    EXTRACT_EXIT_NOT_CONFINED = 120,
    EXTRACT_EXIT_NOT_WRITTEN = 121,
};

/* What system calls a child may make: made once in the helper, given to each child. */
struct extract_filters {
    struct sock_fprog reader; /* memory, reading and writing open descriptors */
    struct sock_fprog tool;   /* and what a program needs to start: opening for reading */
};

bool extract_filters_make(struct extract_filters *ret);

/* Children, after fork: they limit themselves, do their work and never return. The document or the
 * words are on descriptor 0, what they give goes to descriptor 1. */
_Noreturn void extract_reader_run(enum paper paper, int cpu_max_s, const struct sock_fprog *filter);
_Noreturn void extract_tool_run(
    const struct extract_request *request, const struct sock_fprog *filter);

/* What extract_tool_run does before the child becomes the tool; ends it where that fails. */
void extract_tool_confine(enum extract_job job, int cpu_max_s, const struct sock_fprog *filter);

/* From now on less time than EXTRACT_TIME_MAX_MS and EXTRACT_CPU_MAX_S, for tests that wait for the
 * end of it. */
void extractor_shorten(struct extractor *x, int time_max_ms, int cpu_max_s);

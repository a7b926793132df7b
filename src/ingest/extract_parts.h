/* What the client and the helper of extraction share; only extract*.c include it. */
#pragma once

#include <linux/filter.h>

#include "ingest/extract.h"
#include "ingest/readers.h"

/* One datagram each way on the helper's descriptor 0. With the request come two descriptors: the
 * document, and an empty file for the reading. */
struct extract_request {
    int paper; /* enum paper */
    int time_max_ms;
    int cpu_max_s;
};

struct extract_reply {
    int failed; /* errno of the helper's own failure; 0: none */
    int timed_out;
    int reader; /* as waitpid tells it */
    int tool;   /* of pdftotext; 0 where there was none */
};

enum { EXTRACT_DESCRIPTORS = 2 };

/* The tool that turns a PDF into words. */
#define EXTRACT_PDFTOTEXT "/usr/bin/pdftotext"

/* What system calls a child may make: made once in the helper, given to each child. */
struct extract_filters {
    struct sock_fprog reader; /* memory, reading and writing open descriptors */
    struct sock_fprog tool;   /* and what a program needs to start: opening for reading */
};

bool extract_filters_make(struct extract_filters *ret);

/* Children, after fork: they limit themselves, do their work and never return. The document or the
 * words are on descriptor 0, what they give goes to descriptor 1. */
_Noreturn void extract_reader_run(enum paper paper, int cpu_max_s, const struct sock_fprog *filter);
_Noreturn void extract_tool_run(int cpu_max_s, const struct sock_fprog *filter);

/* What extract_tool_run does before the child becomes pdftotext; ends it where that fails. */
void extract_tool_confine(int cpu_max_s, const struct sock_fprog *filter);

/* From now on less time than EXTRACT_TIME_MAX_MS and EXTRACT_CPU_MAX_S, for tests that wait for the
 * end of it. */
void extractor_shorten(struct extractor *x, int time_max_ms, int cpu_max_s);

/* Shared by the client and the helper of extraction; only extract*.c include it. */
#pragma once

#include <linux/filter.h>

#include "paper/extract.h"
#include "paper/pdf_examine.h"
#include "paper/readers.h"

/* The jobs, and the program that does each for a PDF. */
enum extract_job {
    EXTRACT_JOB_READING, /* pdftotext, and the reader of its words */
    EXTRACT_JOB_PLAIN,   /* pdftotext, and the reader of its text; PDF only */
    EXTRACT_JOB_PLACES,  /* pdftotext, and the finder of its rows; PDF only */
    EXTRACT_JOB_PICTURE, /* pdftoppm alone */
    EXTRACT_JOB_GRAY,    /* the same, a part of the page */
    EXTRACT_JOB_SCAN,    /* the reader of a scanned page, and tesseract for its text; the document
                            is a gray picture */
    EXTRACT_JOB_COUNT
};

/* One datagram each way on the helper's descriptor 0. Two descriptors come with the request: the
 * document, and an empty file for the result. */
struct extract_request {
    int job;         /* enum extract_job */
    int paper;       /* enum paper; of a reading */
    int page;        /* of a picture or a scan, from 1 */
    int dpi;         /* of a gray one; 0: the longer side decides */
    int side;        /* its longer side, in dots */
    int top, height; /* of its part, in dots */
    int time_max_ms;
    int cpu_max_s;
};

struct extract_reply {
    int failed; /* errno of the helper's own failure; 0: none */
    int timed_out;
    int reader; /* as waitpid reports it; 0: no such child */
    int tool;   /* the same, of the external program; 0 also if it had nothing to do */
};

enum { EXTRACT_DESCRIPTORS = 2 };

/* The tools: PDF to words, page to picture, picture to lines of text. */
#define EXTRACT_PDFTOTEXT "/usr/bin/pdftotext"
#define EXTRACT_PDFTOPPM "/usr/bin/pdftoppm"
#define EXTRACT_TESSERACT "/usr/bin/tesseract"

/* Exit codes of a child without a result. */
enum {
    EXTRACT_EXIT_NO_PAGE = 99, /* of pdftoppm: there is no such page */
    EXTRACT_EXIT_NOT_CONFINED = 120,
    EXTRACT_EXIT_NOT_WRITTEN = 121,
};

/* Sends the request with its descriptors to the helper, which is started if it does not run, and
 * waits for the reply. *ret_ended: the helper died during the request; the next one starts a new
 * helper. */
enum err extract_ask(
    struct extractor *x, struct extract_request *request, int document, int output,
    struct extract_reply *ret, bool *ret_ended, struct fail *fail);

/* Of all pages of a scan together. */
struct extract_scan_limits {
    int whole_max_ms;
    size_t rows_max;
};

struct extract_scan_limits extract_scan_limits_of(const struct extractor *x);

/* System calls that a child may make. Built once in the helper, installed by each child. */
struct extract_filters {
    struct sock_fprog reader; /* memory, and I/O on open descriptors */
    struct sock_fprog tool;   /* the same, and what starting a program needs: opening for reading */
};

bool extract_filters_make(struct extract_filters *ret);

/* Children, after fork: they limit themselves, do their work and never return. They read the
 * document or the words from descriptor 0 and write the result to descriptor 1. */
_Noreturn void extract_reader_run(
    const struct extract_request *request, const struct pdf_facts *facts,
    const struct sock_fprog *filter);
/* Examines the PDF on descriptor 0, writes the repaired copy, if it makes one, to descriptor 1, and
 * the findings to `ret`, which the helper shares. */
_Noreturn void extract_examiner_run(
    struct pdf_facts *ret, int cpu_max_s, const struct sock_fprog *filter);
_Noreturn void extract_tool_run(
    const struct extract_request *request, const struct sock_fprog *filter);

/* Where the reader of a scanned page finds the pipes to and from tesseract. */
enum { EXTRACT_SCAN_SHEET = 3, EXTRACT_SCAN_TEXT = 4 };

/* Reads the gray picture on descriptor 0, writes the sheet of its text to EXTRACT_SCAN_SHEET, reads
 * what tesseract makes of it from EXTRACT_SCAN_TEXT, and writes a reading of one page. */
_Noreturn void extract_scan_run(
    const struct extract_request *request, const struct sock_fprog *filter);

/* Runs tesseract when the sheet on descriptor 0 begins to arrive; exits with 0 if none does. */
_Noreturn void extract_scan_tool_run(
    const struct extract_request *request, const struct sock_fprog *filter);

/* For a child that is no program of its own: exits if it cannot be confined. */
void extract_reader_confine(int cpu_max_s, size_t output_max, const struct sock_fprog *filter);
bool extract_read(int from, struct buf *ret); /* to the end; false: no room, or an error */

/* Confines the child before it executes the tool; exits if that fails. */
void extract_tool_confine(enum extract_job job, int cpu_max_s, const struct sock_fprog *filter);

/* Imports the files of an upload, like `stockact ingest`, and returns the result of each. Private
 * to src/site/desk. */
#pragma once

#include "html/form.h"
#include "ingest/ingest_line.h"
#include "site/frame/page_call.h"

/* The result of one file. */
struct upload_result {
    struct str name; /* upload_name */
    bool imported;   /* the members below are set; otherwise `reason` says why not */
    bool has_draft;  /* of filing_id: /desk/{filing} shows it */
    enum ingest_status status;
    struct str filing_id; /* null: none */
    int64_t rows;         /* of a report its rows, of an index its entries */
    int64_t awaiting;     /* of an index: reports that are not imported yet */
    struct str reason;    /* null: none */
};

/* Imports the files one after the other; each is one transaction. ERR_REFUSED: this database takes
 * no documents. Other errors (of the machine, or of the session in page_write) mean that no file
 * was imported. If one was imported before such an error, the results of the others have the
 * reason. */
enum err upload_import(
    struct page_call *call, const struct form_file *files, size_t count, struct upload_result *ret,
    struct fail *fail) MUST_CHECK;

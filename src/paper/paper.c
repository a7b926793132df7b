/* Detects the type of a file by its first bytes; see readers.h. File names are unreliable: error
 * pages are saved as .pdf. */
#include "base/utf8.h"
#include "paper/readers.h"

/* Finds the text, ignoring case, within the first `within` bytes. */
static bool holds(struct str head, struct str text, size_t within)
{
    for (size_t i = 0; i < within && i + text.n <= head.n; i++)
        if (str_eq_nocase(str_slice(head, i, i + text.n), text))
            return true;
    return false;
}

enum paper paper_sniff(struct str head)
{
    if (holds(head, STR("%PDF-"), 1024))
        return PAPER_PDF;
    if (str_starts(head, STR("PK\x03\x04")))
        return PAPER_ZIP;
    head = utf8_without_mark(head);
    if (str_starts(head, STR("Prefix\tLast\tFirst\t")))
        return PAPER_INDEX_TEXT;
    if (holds(head, STR("<!doctype html"), PAPER_SNIFF_SIZE) ||
        holds(head, STR("<html"), PAPER_SNIFF_SIZE))
        return PAPER_HTML;
    return str_starts(str_trim(head), STR("<?xml")) ? PAPER_XML : PAPER_UNKNOWN;
}

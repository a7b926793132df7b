/* Any bytes as a PDF: findings within their ranges, and a copy exactly when letters were repaired.
 * libqpdf runs within the target, so its own errors show too. */
#include "fuzz.h"

#include <string.h>

#include "paper/pdf_examine.h"

enum { COPY_MAX = 1 << 22 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pdf_facts facts, checked;
    struct buf copy;
    buf_init(&copy, COPY_MAX);
    pdf_examine(fuzz_text(data, size), &copy, &facts);
    checked = facts;
    pdf_facts_check(&checked);
    assert(memcmp(&facts, &checked, sizeof facts) == 0);
    assert((facts.capitals > 0) == (copy.n > 0));
    assert(facts.state == PDF_OPEN || facts.capitals == 0);
    buf_finish(&copy);
    return 0;
}

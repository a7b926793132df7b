/* Any bytes as the content of a page: bounded, and a place within its range. Then as places of
 * pages: a page that does not follow is one of them. */
#include "fuzz.h"

#include "paper/pdf_flow.h"

enum { PAGES = 16, TOP_MAX = 100 * 1000 * 1000 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    struct pdf_flow_page pages[PAGES];
    int top = 0;
    static struct pdf_boxes boxes;
    boxes = (struct pdf_boxes){.page = 1, .height = TOP_MAX};
    bool known = pdf_flow_top(rest, &boxes, &top);
    assert(boxes.count >= 0 && boxes.count <= PDF_BOXES_MAX);
    if (known)
        assert(top >= -TOP_MAX && top <= TOP_MAX);
    for (size_t i = 0; i < PAGES; i++)
        pages[i] = (struct pdf_flow_page){
            .known = fuzz_byte(&rest) % 2,
            .top = (int)(fuzz_number(&rest) % TOP_MAX),
            .height = fuzz_byte(&rest) * 1000,
        };
    const struct pdf_flow flow = pdf_flow_check(pages, PAGES);
    assert(flow.gap >= 0 && flow.gap <= PAGES);
    assert(flow.restart == 0 || (flow.restart >= 2 && flow.restart <= PAGES));
    return 0;
}

/* Rows of scanned pages; see scan_row.h. */
#include "scan/scan_row.h"

static const struct str form_names[SCAN_FORM_COUNT] = {
    [SCAN_FORM_HOUSE_BOXES] = STR_INIT("house-boxes"),
    [SCAN_FORM_HOUSE_NARROW] = STR_INIT("house-narrow"),
    [SCAN_FORM_HOUSE_RULED] = STR_INIT("house-ruled"),
    [SCAN_FORM_HOUSE_LIST] = STR_INIT("house-list"),
    [SCAN_FORM_SENATE] = STR_INIT("senate"),
    [SCAN_FORM_LINES] = STR_INIT("lines"),
};

struct str scan_form_name(enum scan_form form)
{
    return form_names[form];
}

/* Examines a PDF with libqpdf; see pdf_examine.h. libqpdf reports all errors through its handle. A
 * failed call returns a null object, so the walk goes on and ends early. */
#include "paper/pdf_examine.h"

#include <math.h>
#include <stdlib.h>
#include <qpdf/qpdf-c.h>

#include "base/mem.h"
#include "paper/letter_case.h"

enum {
    PAGES_MAX = 9999,
    OBJECTS_MAX = 100000,
    FONTS_MAX = 64,                 /* reports have three */
    WIDTHS_MAX = 4096,              /* elements of a font's list of widths */
    MAP_SIZE_MAX = 64 * 1024,       /* of a font's map, unpacked; reports have 3 KB */
    MAP_STORED_MAX = 32 * 1024,     /* and packed */
    CONTENT_MAX = 16 * 1024 * 1024, /* of a page, unpacked; reports have 80 KB */
    TAIL = 2048,                    /* the end of a whole file is in its last bytes */
    LETTER_HEIGHT = 792,
    INHERITANCE_MAX = 8,
    FORMS_MAX = 16, /* of a page */
    HUNDREDTHS = 100,
    HEIGHT_MAX = 100000,
};

struct pdf_examiner {
    qpdf_data pdf;
    struct buf *copy;
    struct pdf_facts *facts;
    int fonts;
};

void pdf_facts_check(struct pdf_facts *facts)
{
    bool state = facts->state >= 0 && facts->state < PDF_STATE_COUNT;
    bool pages = facts->pages >= 0 && facts->pages <= PAGES_MAX;
    bool places = facts->gap >= 0 && facts->gap <= PAGES_MAX && facts->restart >= 0 &&
                  facts->restart <= PAGES_MAX;
    bool boxes = facts->boxes.count >= 0 && facts->boxes.count <= PDF_BOXES_MAX;
    if (!state || !pages || !places || !boxes || facts->capitals < 0)
        *facts = PDF_FACTS_NONE;
}

static bool is_name(struct pdf_examiner *x, qpdf_oh dictionary, const char *key, const char *name)
{
    return qpdf_oh_is_name_and_equals(x->pdf, qpdf_oh_get_key(x->pdf, dictionary, key), name);
}

/* --- pages */

static double number_at(struct pdf_examiner *x, qpdf_oh array, int at)
{
    qpdf_oh item = qpdf_oh_get_array_item(x->pdf, array, at);
    return qpdf_oh_is_number(x->pdf, item) ? qpdf_oh_get_numeric_value(x->pdf, item) : NAN;
}

/* The height of the page in hundredths of a point; it may inherit its box. */
static int page_height(struct pdf_examiner *x, qpdf_oh page)
{
    qpdf_oh node = page;
    for (int i = 0; i < INHERITANCE_MAX && qpdf_oh_is_dictionary(x->pdf, node); i++) {
        qpdf_oh box = qpdf_oh_get_key(x->pdf, node, "/MediaBox");
        if (qpdf_oh_is_array(x->pdf, box) && qpdf_oh_get_array_n_items(x->pdf, box) == 4) {
            double height = fabs(number_at(x, box, 3) - number_at(x, box, 1));
            if (height > 0 && height < HEIGHT_MAX)
                return (int)(height * HUNDREDTHS);
        }
        node = qpdf_oh_get_key(x->pdf, node, "/Parent");
    }
    return LETTER_HEIGHT * HUNDREDTHS;
}

/* Reads the content, which libqpdf has allocated, and frees it. */
static void read_content(
    struct pdf_examiner *x, QPDF_ERROR_CODE wrong, unsigned char *bytes, size_t size,
    struct pdf_flow_page *page)
{
    int top;
    bool readable = !(wrong & QPDF_ERRORS) && bytes && size <= CONTENT_MAX;
    if (readable && pdf_flow_top(str_of((const char *)bytes, size), &x->facts->boxes, &top)) {
        page->top = page->known && page->top > top ? page->top : top;
        page->known = true;
    }
    free(bytes);
}

/* The first page of newer reports has its content in a form, drawn as it is: the Clerk's system has
 * added the Filing ID. */
static void read_forms(struct pdf_examiner *x, qpdf_oh page, struct pdf_flow_page *ret)
{
    qpdf_oh resources = qpdf_oh_get_key_if_dict(x->pdf, page, "/Resources");
    qpdf_oh forms = qpdf_oh_get_key_if_dict(x->pdf, resources, "/XObject");
    if (!qpdf_oh_is_dictionary(x->pdf, forms))
        return;
    qpdf_oh_begin_dict_key_iter(x->pdf, forms);
    for (int i = 0; i < FORMS_MAX && qpdf_oh_dict_more_keys(x->pdf); i++) {
        unsigned char *bytes = NULL;
        size_t size = 0;
        qpdf_oh form = qpdf_oh_get_key(x->pdf, forms, qpdf_oh_dict_next_key(x->pdf));
        if (!qpdf_oh_is_stream(x->pdf, form) ||
            !is_name(x, qpdf_oh_get_dict(x->pdf, form), "/Subtype", "/Form"))
            continue;
        QPDF_ERROR_CODE wrong =
            qpdf_oh_get_stream_data(x->pdf, form, qpdf_dl_generalized, NULL, &bytes, &size);
        read_content(x, wrong, bytes, size, ret);
    }
}

static struct pdf_flow_page read_page(struct pdf_examiner *x, int number)
{
    struct pdf_flow_page ret = {.known = false};
    unsigned char *bytes = NULL;
    size_t size = 0;
    qpdf_oh page = qpdf_get_page_n(x->pdf, (size_t)number);
    if (!qpdf_oh_is_dictionary(x->pdf, page))
        return ret;
    ret.height = page_height(x, page);
    x->facts->boxes.page = number + 1;
    x->facts->boxes.height = ret.height;
    QPDF_ERROR_CODE wrong = qpdf_oh_get_page_content_data(x->pdf, page, &bytes, &size);
    read_content(x, wrong, bytes, size, &ret);
    if (!ret.known)
        read_forms(x, page, &ret);
    qpdf_oh_release_all(x->pdf);
    return ret;
}

static void examine_pages(struct pdf_examiner *x)
{
    int count = qpdf_get_num_pages(x->pdf);
    if (count <= 0 || count > PAGES_MAX)
        return;
    MEM_FREED struct pdf_flow_page *pages = mem_array((size_t)count, sizeof *pages);
    for (int i = 0; i < count; i++)
        pages[i] = read_page(x, i);
    struct pdf_flow flow = pdf_flow_check(pages, (size_t)count);
    x->facts->pages = count;
    x->facts->gap = flow.gap;
    x->facts->restart = flow.restart;
}

/* --- fonts */

static void set_width(struct letter_case_font *font, long long glyph, double width)
{
    if (glyph >= 0 && glyph < LETTER_CASE_GLYPHS && width > 0 && width < HEIGHT_MAX)
        font->width[glyph] = (int)(width + 0.5);
}

/* "36 [671 654] 38 40 500": the widths from a glyph on, or one width of several glyphs. */
static void read_widths(struct pdf_examiner *x, qpdf_oh list, struct letter_case_font *ret)
{
    int count = qpdf_oh_is_array(x->pdf, list) ? qpdf_oh_get_array_n_items(x->pdf, list) : 0;
    count = count < WIDTHS_MAX ? count : WIDTHS_MAX;
    for (int i = 0; i + 1 < count;) {
        long long first = qpdf_oh_get_int_value(x->pdf, qpdf_oh_get_array_item(x->pdf, list, i));
        qpdf_oh next = qpdf_oh_get_array_item(x->pdf, list, i + 1);
        if (qpdf_oh_is_array(x->pdf, next)) {
            int widths = qpdf_oh_get_array_n_items(x->pdf, next);
            for (int w = 0; w < widths && w < WIDTHS_MAX; w++)
                set_width(ret, first + w, number_at(x, next, w));
            i += 2;
            continue;
        }
        long long last = qpdf_oh_get_int_value(x->pdf, next);
        for (long long g = first; g <= last && g < LETTER_CASE_GLYPHS && i + 2 < count; g++)
            set_width(ret, g, number_at(x, list, i + 2));
        i += 3;
    }
}

/* Whether the codes of its texts are the numbers of its glyphs. */
static bool has_glyph_codes(struct pdf_examiner *x, qpdf_oh font, qpdf_oh *ret_descendant)
{
    qpdf_oh list = qpdf_oh_get_key(x->pdf, font, "/DescendantFonts");
    if (!is_name(x, font, "/Encoding", "/Identity-H") || !qpdf_oh_is_array(x->pdf, list) ||
        qpdf_oh_get_array_n_items(x->pdf, list) != 1)
        return false;
    *ret_descendant = qpdf_oh_get_array_item(x->pdf, list, 0);
    if (!qpdf_oh_is_dictionary(x->pdf, *ret_descendant) ||
        !is_name(x, *ret_descendant, "/Subtype", "/CIDFontType2"))
        return false;
    return !qpdf_oh_has_key(x->pdf, *ret_descendant, "/CIDToGIDMap") ||
           is_name(x, *ret_descendant, "/CIDToGIDMap", "/Identity");
}

/* The font's map, in memory of libqpdf's; NULL: none, or too large. */
static unsigned char *read_map(struct pdf_examiner *x, qpdf_oh stream, size_t *ret_size)
{
    unsigned char *bytes = NULL;
    QPDF_BOOL unpacked = QPDF_FALSE;
    if (!qpdf_oh_is_stream(x->pdf, stream))
        return NULL;
    qpdf_oh stored = qpdf_oh_get_key(x->pdf, qpdf_oh_get_dict(x->pdf, stream), "/Length");
    if (!qpdf_oh_is_integer(x->pdf, stored) ||
        qpdf_oh_get_int_value(x->pdf, stored) > MAP_STORED_MAX)
        return NULL;
    QPDF_ERROR_CODE wrong =
        qpdf_oh_get_stream_data(x->pdf, stream, qpdf_dl_generalized, &unpacked, &bytes, ret_size);
    if (!(wrong & QPDF_ERRORS) && unpacked && bytes && *ret_size <= MAP_SIZE_MAX)
        return bytes;
    free(bytes);
    return NULL;
}

static void repair_font(struct pdf_examiner *x, qpdf_oh font)
{
    struct letter_case_font widths = {{0}};
    BUF_SCOPED(map, MAP_SIZE_MAX);
    size_t size = 0, count = 0;
    qpdf_oh descendant;
    if (!has_glyph_codes(x, font, &descendant))
        return;
    qpdf_oh stream = qpdf_oh_get_key(x->pdf, font, "/ToUnicode");
    unsigned char *bytes = read_map(x, stream, &size);
    if (!bytes)
        return;
    read_widths(x, qpdf_oh_get_key(x->pdf, descendant, "/W"), &widths);
    if (letter_case_repair(str_of((const char *)bytes, size), &widths, &map, &count) &&
        !map.overflow) {
        qpdf_oh none = qpdf_oh_new_null(x->pdf);
        qpdf_oh_replace_stream_data(
            x->pdf, stream, (const unsigned char *)map.p, map.n, none, none);
        x->facts->capitals += (int)count;
    }
    free(bytes);
}

static void examine_fonts(struct pdf_examiner *x)
{
    qpdf_oh size = qpdf_oh_get_key(x->pdf, qpdf_get_trailer(x->pdf), "/Size");
    long long objects = qpdf_oh_is_integer(x->pdf, size) ? qpdf_oh_get_int_value(x->pdf, size) : 0;
    for (int i = 1; i < objects && i < OBJECTS_MAX && x->fonts < FONTS_MAX; i++) {
        qpdf_oh object = qpdf_get_object_by_id(x->pdf, i, 0);
        if (qpdf_oh_is_dictionary(x->pdf, object) && is_name(x, object, "/Subtype", "/Type0")) {
            x->fonts++;
            repair_font(x, object);
        }
        qpdf_oh_release_all(x->pdf);
    }
}

/* Writes the copy: unencrypted, with all other objects as they are. */
static void write_copy(struct pdf_examiner *x)
{
    QPDF_ERROR_CODE wrong = qpdf_init_write_memory(x->pdf);
    if (!(wrong & QPDF_ERRORS)) {
        qpdf_set_preserve_encryption(x->pdf, QPDF_FALSE);
        qpdf_set_static_ID(x->pdf, QPDF_TRUE);
        qpdf_set_stream_data_mode(x->pdf, qpdf_s_preserve);
        wrong = qpdf_write(x->pdf);
    }
    if (!(wrong & QPDF_ERRORS))
        buf_put(x->copy, qpdf_get_buffer(x->pdf), qpdf_get_buffer_length(x->pdf));
    if (wrong & QPDF_ERRORS || x->copy->overflow) {
        buf_reset(x->copy);
        *x->facts = PDF_FACTS_NONE;
    }
}

/* --- the document */

static bool is_cut_off(struct str bytes)
{
    size_t from = bytes.n > TAIL ? bytes.n - TAIL : 0;
    return str_find(str_slice(bytes, from, bytes.n), STR("%%EOF")) < 0;
}

static enum pdf_state open_pdf(struct pdf_examiner *x, struct str bytes)
{
    qpdf_silence_errors(x->pdf);
    qpdf_set_suppress_warnings(x->pdf, QPDF_TRUE);
    QPDF_ERROR_CODE wrong = qpdf_read_memory(x->pdf, "document", bytes.p, bytes.n, NULL);
    qpdf_error error = qpdf_get_error(x->pdf);
    if (error && qpdf_get_error_code(x->pdf, error) == qpdf_e_password)
        return PDF_ENCRYPTED;
    if (is_cut_off(bytes))
        return PDF_CUT_OFF;
    /* A warning says that the table of its objects was wrong and has been rebuilt. */
    return wrong || qpdf_get_num_pages(x->pdf) <= 0 ? PDF_DAMAGED : PDF_OPEN;
}

void pdf_examine(struct str bytes, struct buf *ret_copy, struct pdf_facts *ret)
{
    struct pdf_examiner x = {.pdf = qpdf_init(), .copy = ret_copy, .facts = ret};
    *ret = PDF_FACTS_NONE;
    int state = (int)open_pdf(&x, bytes);
    if (state == PDF_OPEN) {
        examine_pages(&x);
        examine_fonts(&x);
        ret->state = state;
        if (ret->capitals)
            write_copy(&x);
    }
    if (state != PDF_OPEN)
        ret->state = state;
    qpdf_get_error(x.pdf); /* otherwise libqpdf prints an error that was not fetched */
    qpdf_cleanup(&x.pdf);
}

/* Follows the transformations of a page's content; see pdf_flow.h. */
#include "paper/pdf_flow.h"

#include <math.h>

enum {
    DEPTH_MAX = 64, /* of saved states; reports use four */
    OPERANDS = 6,   /* of `cm` */
    DIGITS_MAX = 12,
    HUNDREDTHS = 100,
    TOP_MAX = 100 * 1000 * 1000, /* a report of 1,300 pages */
    ROUNDING = 50,               /* half a point */
    TENTHS = 10,
    BOX_CORNERS = 4,
    TICK_LINES = 2,
};

/* x' = a x + c y + e; y' = b x + d y + f */
struct pdf_flow_matrix {
    double a, b, c, d, e, f;
};

#define BOX_SIDE 9.0  /* points */
#define BOX_OTHER 1.0 /* by which a box may be smaller or larger */
#define TICK_LEAST 2.0

/* The path that is being drawn: its frame on the page, and its parts. */
struct pdf_flow_path {
    double left, right, low, high;
    int starts, lines, curves;
    bool closed;
};

struct pdf_flow_reader {
    struct str rest;
    struct pdf_boxes *boxes; /* NULL: nobody asks */
    struct pdf_flow_path path;
    struct pdf_flow_matrix now, saved[DEPTH_MAX];
    size_t depth;
    double operands[OPERANDS]; /* the last ones, the newest at the end */
    size_t operand_count;
    bool found;  /* a sheet */
    bool placed; /* one that lies on another: the first covers the page in newer reports */
    double top;
};

/* --- words */

static bool is_delimiter(char c)
{
    return ascii_is_space(c) || c == '\0' || str_find_char(STR("()<>[]{}/%"), c) >= 0;
}

static void skip(struct pdf_flow_reader *r, size_t n)
{
    r->rest = str_slice(r->rest, n < r->rest.n ? n : r->rest.n, r->rest.n);
}

/* A text in parentheses, which may hold balanced ones. */
static void skip_text(struct pdf_flow_reader *r)
{
    size_t i = 0, open = 0;
    do {
        if (r->rest.p[i] == '\\')
            i++;
        else if (r->rest.p[i] == '(')
            open++;
        else if (r->rest.p[i] == ')')
            open--;
        i++;
    } while (open && i < r->rest.n);
    skip(r, i);
}

static void skip_line(struct pdf_flow_reader *r)
{
    size_t i = 0;
    while (i < r->rest.n && r->rest.p[i] != '\n' && r->rest.p[i] != '\r')
        i++;
    skip(r, i);
}

/* The next word of letters, digits and the like; false: the content is over. */
static bool next_word(struct pdf_flow_reader *r, struct str *ret)
{
    while (r->rest.n) {
        char c = r->rest.p[0];
        if (c == '(') {
            skip_text(r);
        } else if (c == '%') {
            skip_line(r);
        } else if (is_delimiter(c)) {
            skip(r, 1);
        } else {
            size_t n = 1;
            while (n < r->rest.n && !is_delimiter(r->rest.p[n]))
                n++;
            *ret = str_slice(r->rest, 0, n);
            skip(r, n);
            return true;
        }
    }
    return false;
}

/* The bytes of a picture within the content. */
static void skip_picture(struct pdf_flow_reader *r)
{
    ptrdiff_t end = str_find(r->rest, STR("EI"));
    skip(r, end < 0 ? r->rest.n : (size_t)end + 2);
}

/* PDF's numbers have no exponent. */
static bool read_number(struct str word, double *ret)
{
    bool negative = word.p[0] == '-', point = false;
    double value = 0, unit = 1;
    size_t digits = 0, whole = 0;
    for (size_t i = negative || word.p[0] == '+'; i < word.n; i++) {
        if (word.p[i] == '.' && !point) {
            point = true;
            continue;
        }
        whole += !point;
        digits++;
        if (!ascii_is_digit(word.p[i]) || whole > DIGITS_MAX)
            return false;
        if (point)
            value += (word.p[i] - '0') * (unit /= 10);
        else
            value = value * 10 + (word.p[i] - '0');
    }
    *ret = negative ? -value : value;
    return digits > 0;
}

/* --- operators */

static void push_operand(struct pdf_flow_reader *r, double value)
{
    for (size_t i = 1; i < OPERANDS; i++)
        r->operands[i - 1] = r->operands[i];
    r->operands[OPERANDS - 1] = value;
    r->operand_count++;
}

/* A sheet is drawn downwards, upright and from left to right. */
static bool is_sheet(const struct pdf_flow_matrix *m)
{
    return m->a > 0 && m->d < 0 && m->b == 0 && m->c == 0 && isfinite(m->f);
}

/* Keeps the highest sheet, but any that lies on another before those that do not. */
static void note_sheet(struct pdf_flow_reader *r, bool placed)
{
    double top = r->now.f;
    if (!r->found || placed > r->placed || (placed == r->placed && top > r->top)) {
        r->found = true;
        r->placed = placed;
        r->top = top;
    }
}

static void transform(struct pdf_flow_reader *r)
{
    const double *o = r->operands;
    struct pdf_flow_matrix m = r->now;
    if (r->operand_count < OPERANDS)
        return;
    r->now = (struct pdf_flow_matrix){
        .a = o[0] * m.a + o[1] * m.c,
        .b = o[0] * m.b + o[1] * m.d,
        .c = o[2] * m.a + o[3] * m.c,
        .d = o[2] * m.b + o[3] * m.d,
        .e = o[4] * m.a + o[5] * m.c + m.e,
        .f = o[4] * m.b + o[5] * m.d + m.f,
    };
    if (is_sheet(&r->now))
        note_sheet(r, is_sheet(&m));
}

/* --- check boxes */

void pdf_boxes_add(struct pdf_boxes *boxes, double left, double top, bool checked)
{
    bool fits = left >= 0 && left * TENTHS < UINT16_MAX && top >= 0 && top * TENTHS < UINT16_MAX;
    if (fits && boxes->count < PDF_BOXES_MAX)
        boxes->box[boxes->count++] = (struct pdf_box){
            (uint16_t)boxes->page, (uint16_t)(left * TENTHS), (uint16_t)(top * TENTHS), checked};
}

/* The last point of a line or a curve. */
static void add_point(struct pdf_flow_reader *r)
{
    const double *o = r->operands;
    const struct pdf_flow_matrix *m = &r->now;
    struct pdf_flow_path *path = &r->path;
    bool first = path->starts + path->lines + path->curves == 0;
    double x = o[4] * m->a + o[5] * m->c + m->e, y = o[4] * m->b + o[5] * m->d + m->f;
    path->left = first ? x : fmin(path->left, x);
    path->right = first ? x : fmax(path->right, x);
    path->low = first ? y : fmin(path->low, y);
    path->high = first ? y : fmax(path->high, y);
}

static bool is_near(double side)
{
    return fabs(side - BOX_SIDE) <= BOX_OTHER;
}

/* A stroked path may be the edge of an empty box, or a tick; a checked box has no stroked edge. */
static void note_box(struct pdf_flow_reader *r)
{
    const struct pdf_flow_path *p = &r->path;
    double width = p->right - p->left, height = p->high - p->low;
    bool box = p->closed && p->curves >= BOX_CORNERS && is_near(width) && is_near(height);
    bool tick = !p->closed && p->starts == 1 && p->lines == TICK_LINES && p->curves == 0 &&
                width >= TICK_LEAST && width <= BOX_SIDE && height >= TICK_LEAST &&
                height <= BOX_SIDE;
    if (r->boxes && (box || tick))
        pdf_boxes_add(
            r->boxes, (p->left + p->right) / 2,
            (double)r->boxes->height / HUNDREDTHS - (p->low + p->high) / 2, tick);
}

static void follow_path(struct pdf_flow_reader *r, struct str operator)
{
    char c = operator.n == 1 ? operator.p[0] : '\0';
    if (c == 'm' || c == 'l' || c == 'c') {
        add_point(r);
        r->path.starts += c == 'm';
        r->path.lines += c == 'l';
        r->path.curves += c == 'c';
    } else if (c == 'h') {
        r->path.closed = true;
    } else {
        if (c == 'S')
            note_box(r);
        r->path = (struct pdf_flow_path){.starts = 0};
    }
}

/* false: more saved states than any report has. */
static bool run(struct pdf_flow_reader *r, struct str operator)
{
    if (str_eq(operator, STR("q"))) {
        if (r->depth == DEPTH_MAX)
            return false;
        r->saved[r->depth++] = r->now;
    } else if (str_eq(operator, STR("Q"))) {
        if (r->depth)
            r->now = r->saved[--r->depth];
    } else if (str_eq(operator, STR("cm"))) {
        transform(r);
    } else if (str_eq(operator, STR("ID"))) {
        skip_picture(r);
    }
    follow_path(r, operator);
    r->operand_count = 0;
    return true;
}

bool pdf_flow_top(struct str content, struct pdf_boxes *boxes, int *ret_top)
{
    struct pdf_flow_reader r = {.rest = content, .boxes = boxes, .now = {.a = 1, .d = 1}};
    struct str word;
    double number;
    while (next_word(&r, &word)) {
        if (read_number(word, &number))
            push_operand(&r, number);
        else if (!run(&r, word))
            return false;
    }
    if (!r.found || fabs(r.top) * HUNDREDTHS > TOP_MAX)
        return false;
    *ret_top = (int)(r.top * HUNDREDTHS);
    return true;
}

/* --- the pages together */

struct pdf_flow pdf_flow_check(const struct pdf_flow_page *pages, size_t count)
{
    struct pdf_flow flow = {0};
    for (size_t i = 0; i < count; i++) {
        if (!pages[i].known || (i && !pages[i - 1].known))
            continue;
        int before = i ? pages[i - 1].top : 0;
        if (!flow.gap && pages[i].top - before > pages[i].height + ROUNDING)
            flow.gap = (int)i + 1;
        if (!flow.restart && i && pages[i].top - before <= ROUNDING)
            flow.restart = (int)i + 1;
    }
    return flow;
}

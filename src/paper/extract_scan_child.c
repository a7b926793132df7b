/* The children that read one page of a scan: our reader, and tesseract, which waits for the
 * reader's sheet. See extract_parts.h. */
#include "paper/extract_scan_child.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hidden.h"
#include "base/utf8.h"
#include "paper/extract_parts.h"

/* From a scanned page to a reading. */

/* One line, without white space at its ends or doubled; null stays null. */
static struct str line_of(struct str text, size_t size_max, struct arena *arena)
{
    if (str_is_null(text))
        return STR_NULL;
    text = utf8_cut(text, size_max);
    char *line = arena_alloc(arena, text.n + 1);
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++) {
        char c = ascii_is_space(text.p[i]) ? ' ' : text.p[i];
        if (c != ' ' || (n && line[n - 1] != ' '))
            line[n++] = c;
    }
    return str_trim(str_of(line, n));
}

/* A reason may quote what was read, hidden characters and all; then it is replaced. */
static struct str reason_of(struct str reason, struct arena *arena)
{
    struct str line = line_of(reason, CELL_REASON_MAX, arena);
    return str_is_null(line) || hidden_free_line(line) ? line
                                                       : STR("what was read has hidden characters");
}

static struct cell_source take_cell(
    const struct scan_row *from, enum cell cell, struct arena *arena, struct str *ret)
{
    struct str text = line_of(from->cell[cell], READING_CELL_SIZE_MAX, arena);
    if (!str_is_null(text) && !hidden_free_line(text))
        return (struct cell_source){.reason = STR("its text has a hidden character")};
    if (from->source[cell].how != CELL_NOT_READ)
        *ret = text;
    return (struct cell_source){
        .how = from->source[cell].how,
        .reason = reason_of(from->source[cell].reason, arena),
    };
}

static void take_row(
    const struct scan_row *from, int page, struct arena *arena, struct reading_row *ret)
{
    struct cell_source *source = ARENA_ARRAY(arena, struct cell_source, CELL_COUNT);
    *ret = (struct reading_row){
        .page = page, .status = READING_NEW, .place = from->place, .source = source};
    for (int c = 0; c < CELL_COUNT; c++)
        source[c] = take_cell(from, (enum cell)c, arena, &ret->cell[c]);
}

void scan_reading(
    const struct scan_page *page, int number, struct arena *arena, struct reading *ret)
{
    struct reading_page *only = ARENA_NEW(arena, struct reading_page);
    *only = (struct reading_page){
        .page = number,
        .turn = page->turn,
        .skew = page->skew,
        .form = scan_form_name(page->form),
        .reason = reason_of(page->reason, arena),
    };
    *ret = (struct reading){
        .kind = READING_HOUSE_SCAN,
        .rows = ARENA_ARRAY(arena, struct reading_row, page->row_count + 1),
        .pages = only,
        .page_count = 1,
    };
    for (size_t i = 0; i < page->row_count && ret->row_count < READING_ROWS_MAX; i++)
        if (page_place_is_valid(&page->rows[i].place)) {
            struct reading_row *row = &ret->rows[ret->row_count++];
            take_row(&page->rows[i], number, arena, row);
            row->row = (int)ret->row_count;
        }
}

enum { GRAYMAP_HEAD_MAX = 64 };

/* Returns the text of the sheet; the null string: tesseract gave none. Its end is that of the
 * pipe. */
static struct str read_sheet(const struct gray *sheet, struct buf *space)
{
    char room[GRAYMAP_HEAD_MAX];
    struct buf head = buf_over(room, sizeof room);
    bool sent = false;
    if (sheet->height > 0) {
        size_t dots = (size_t)sheet->width * (size_t)sheet->height;
        buf_fmt(&head, "P5\n%d %d\n255\n", sheet->width, sheet->height);
        sent = extract_write(EXTRACT_SCAN_SHEET, buf_view(&head)) &&
               extract_write(EXTRACT_SCAN_SHEET, str_of((const char *)sheet->dots, dots));
    }
    close(EXTRACT_SCAN_SHEET);
    return sent && extract_read(EXTRACT_SCAN_TEXT, space) && space->n ? buf_view(space) : STR_NULL;
}

_Noreturn void extract_scan_run(
    const struct extract_request *request, const struct sock_fprog *filter)
{
    struct buf input, text, output;
    struct arena arena;
    struct gray gray;
    struct scan_page page;
    struct reading reading;
    signal(SIGPIPE, SIG_IGN); /* tesseract may end before it has the sheet */
    extract_reader_confine(request->cpu_max_s, READING_SIZE_MAX, filter);
    buf_init(&input, EXTRACT_PICTURE_SIZE_MAX);
    buf_init(&text, EXTRACT_LINES_SIZE_MAX);
    buf_init(&output, READING_SIZE_MAX);
    arena_init(&arena);
    if (!extract_read(STDIN_FILENO, &input) || !gray_read(buf_view(&input), &gray))
        _exit(EXTRACT_EXIT_NOT_WRITTEN);
    scan_page_measure(&gray, &arena, &page);
    scan_page_text(&page, read_sheet(&page.sheet, &text), &arena);
    scan_reading(&page, request->page, &arena, &reading);
    reading_put(&output, &reading);
    bool done = !output.overflow && extract_write(STDOUT_FILENO, buf_view(&output));
    _exit(done ? 0 : EXTRACT_EXIT_NOT_WRITTEN);
}

_Noreturn void extract_scan_tool_run(
    const struct extract_request *request, const struct sock_fprog *filter)
{
    struct pollfd sheet = {.fd = STDIN_FILENO, .events = POLLIN};
    while (poll(&sheet, 1, -1) < 0)
        ;
    if (!(sheet.revents & POLLIN))
        _exit(0);
    extract_tool_run(request, filter);
}

/* The children that read one page of a scan: our reader, and tesseract, which waits for the
 * reader's sheet. See extract_parts.h. */
#include "base/disk.h"
#include "paper/extract_parts.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "paper/scan_reading.h"

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
        sent = disk_write(EXTRACT_SCAN_SHEET, buf_view(&head)) &&
               disk_write(EXTRACT_SCAN_SHEET, str_of((const char *)sheet->dots, dots));
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
    bool done = !output.overflow && disk_write(STDOUT_FILENO, buf_view(&output));
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

/* A child that reads one document. It drops its privileges before it looks at the first byte. */
#include <errno.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/confine.h"
#include "base/disk.h"
#include "paper/extract_parts.h"
#include "paper/scan_reading.h"
#include "paper/second_reading.h"
#include "scan/scan_page.h"

enum {
    WORDS_SIZE_MAX = 32 * 1024 * 1024, /* of pdftotext: some 300,000 words */
    HTML_SIZE_MAX = 64 * 1024 * 1024,
    COPY_SIZE_MAX = 64 * 1024 * 1024, /* of a repaired report; they have 100 KB */
    CHUNK = 64 * 1024,
    NUMBER_SIZE = 8, /* digits of a page or of dots, and a NUL */
};

/* Sanitizers map terabytes of shadow memory, so only time limits the readers built with them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { MEMORY_IS_BOUNDED = false };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
enum { MEMORY_IS_BOUNDED = false };
#else
enum { MEMORY_IS_BOUNDED = true };
#endif
#else
enum { MEMORY_IS_BOUNDED = true };
#endif

struct extract_limits {
    rlim_t cpu_s, output, memory;
};

/* Lowers the limit to the value; never raises it. */
static bool limit(int resource, rlim_t value)
{
    struct rlimit bound;
    if (getrlimit((__rlimit_resource_t)resource, &bound) < 0)
        return false;
    if (value < bound.rlim_max)
        bound.rlim_max = value;
    bound.rlim_cur = bound.rlim_max;
    return setrlimit((__rlimit_resource_t)resource, &bound) == 0;
}

/* Refuses to read without seccomp, on which the confinement depends. Landlock, if the kernel has
 * it, denies most of the same once more: files, TCP, devices, and signals and sockets of processes
 * outside, the helper included. */
static void confine_child(
    const struct confine_path *paths, size_t count, const struct extract_limits *limits,
    const struct sock_fprog *filter)
{
    const struct confine_needs needs = {.paths = paths, .path_count = count};
    struct confine_result had = confine(&needs);
    bool limited = limit(RLIMIT_CPU, limits->cpu_s) && limit(RLIMIT_FSIZE, limits->output) &&
                   limit(RLIMIT_AS, limits->memory);
    bool filtered = prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter) == 0;
    if (!had.no_new_privileges || !limited || !filtered)
        _exit(EXTRACT_EXIT_NOT_CONFINED);
}

/* --- the reader */

static size_t input_max(enum paper paper)
{
    return paper == PAPER_PDF    ? WORDS_SIZE_MAX
           : paper == PAPER_HTML ? HTML_SIZE_MAX
                                 : READING_INDEX_SIZE_MAX;
}

void extract_reader_confine(int cpu_max_s, size_t output_max, const struct sock_fprog *filter)
{
    const struct extract_limits limits = {
        .cpu_s = (rlim_t)cpu_max_s,
        .output = output_max,
        .memory = MEMORY_IS_BOUNDED ? EXTRACT_MEMORY_MAX : RLIM_INFINITY,
    };
    confine_child(NULL, 0, &limits, filter);
}

bool extract_read(int from, struct buf *ret)
{
    for (;;) {
        char *room = buf_reserve(ret, CHUNK);
        ssize_t n = room ? read(from, room, CHUNK) : 0;
        if (!room || (n < 0 && errno != EINTR))
            return false;
        if (n == 0)
            return true;
        if (n > 0)
            buf_commit(ret, (size_t)n);
    }
}

/* false: larger than the limit, or unreadable. */
static bool read_input(struct buf *b)
{
    return extract_read(STDIN_FILENO, b);
}

static void read_document(
    enum paper paper, const struct pdf_facts *facts, struct str bytes, struct arena *arena,
    struct reading *r)
{
    switch (paper) {
    case PAPER_PDF:
        house_ptr_read_twice(bytes, facts, arena, r);
        break;
    case PAPER_HTML:
        senate_page_read_twice(bytes, arena, r);
        break;
    case PAPER_ZIP:
    case PAPER_XML:
    case PAPER_INDEX_TEXT:
        house_index_read(bytes, paper, arena, r);
        break;
    case PAPER_UNKNOWN:
    case PAPER_COUNT:
        *r = (struct reading){
            .kind = READING_REFUSED,
            .reason =
                bytes.n
                    ? STR("unknown file type: expected a PDF, an HTML page, XML, a zip or an index")
                    : STR("the file is empty")};
        break;
    }
}

/* The finder of rows instead of the reader: an array of their places. */
_Noreturn static void run_finder(struct buf *input, struct arena *arena)
{
    struct house_place *places = NULL;
    size_t count = read_input(input) ? house_ptr_places(buf_view(input), arena, &places) : 0;
    struct str bytes = str_of((const char *)places, count * sizeof *places);
    _exit(disk_write(STDOUT_FILENO, count ? bytes : STR_NULL) ? 0 : EXTRACT_EXIT_NOT_WRITTEN);
}

_Noreturn void extract_reader_run(
    const struct extract_request *request, const struct pdf_facts *facts,
    const struct sock_fprog *filter)
{
    enum paper paper = (enum paper)request->paper;
    bool index = paper == PAPER_ZIP || paper == PAPER_XML || paper == PAPER_INDEX_TEXT;
    size_t output_max = index ? READING_INDEX_SIZE_MAX : READING_SIZE_MAX;
    struct buf input, output;
    struct arena arena;
    struct reading reading;
    extract_reader_confine(request->cpu_max_s, output_max, filter);
    buf_init(&input, input_max(paper));
    buf_init(&output, output_max);
    arena_init(&arena);
    if (request->job == EXTRACT_JOB_PLACES)
        run_finder(&input, &arena);
    bool whole = read_input(&input);
    if (whole && request->job == EXTRACT_JOB_PLAIN)
        house_plain_read(buf_view(&input), &arena, &reading);
    else if (whole)
        read_document(paper, facts, buf_view(&input), &arena, &reading);
    else
        reading = (struct reading){
            .kind = READING_UNREADABLE, .reason = STR("the file is too large for its type")};
    reading_put(&output, &reading);
    if (output.overflow) {
        reading = (struct reading){
            .kind = READING_UNREADABLE, .reason = STR("the reading of the file is too large")};
        buf_reset(&output);
        reading_put(&output, &reading);
    }
    _exit(disk_write(STDOUT_FILENO, buf_view(&output)) ? 0 : EXTRACT_EXIT_NOT_WRITTEN);
}

/* --- the examiner of a PDF */

/* The document in memory; the null string: it is empty or cannot be mapped. */
static struct str map_document(void)
{
    struct stat st;
    if (fstat(STDIN_FILENO, &st) < 0 || st.st_size <= 0 || st.st_size > EXTRACT_FILE_SIZE_MAX)
        return STR_NULL;
    size_t size = (size_t)st.st_size;
    const char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, STDIN_FILENO, 0);
    return bytes == MAP_FAILED ? STR_NULL : str_of(bytes, size);
}

_Noreturn void extract_examiner_run(
    struct pdf_facts *ret, int cpu_max_s, const struct sock_fprog *filter)
{
    struct pdf_facts facts = PDF_FACTS_NONE;
    struct buf copy;
    extract_reader_confine(cpu_max_s, COPY_SIZE_MAX, filter);
    buf_init(&copy, COPY_SIZE_MAX);
    struct str bytes = map_document();
    if (!str_is_null(bytes))
        pdf_examine(bytes, &copy, &facts);
    if (!disk_write(STDOUT_FILENO, buf_view(&copy)))
        _exit(EXTRACT_EXIT_NOT_WRITTEN);
    *ret = facts;
    _exit(0);
}

/* --- pdftotext, pdftoppm and tesseract */

#define POPPLER_DATA "/usr/share/poppler"
#define TESSERACT_DATA "/usr/share/tesseract-ocr"

static const struct extract_tool {
    const char *path;
    const char *data; /* the folder of its data files */
    rlim_t output;
} tools[EXTRACT_JOB_COUNT] = {
    [EXTRACT_JOB_READING] = {EXTRACT_PDFTOTEXT, POPPLER_DATA, WORDS_SIZE_MAX},
    [EXTRACT_JOB_PLAIN] = {EXTRACT_PDFTOTEXT, POPPLER_DATA, WORDS_SIZE_MAX},
    [EXTRACT_JOB_PLACES] = {EXTRACT_PDFTOTEXT, POPPLER_DATA, WORDS_SIZE_MAX},
    [EXTRACT_JOB_GRAY] = {EXTRACT_PDFTOPPM, POPPLER_DATA, EXTRACT_PICTURE_SIZE_MAX},
    [EXTRACT_JOB_PICTURE] = {EXTRACT_PDFTOPPM, POPPLER_DATA, EXTRACT_PICTURE_SIZE_MAX},
    [EXTRACT_JOB_SCAN] = {EXTRACT_TESSERACT, TESSERACT_DATA, EXTRACT_LINES_SIZE_MAX},
};

void extract_tool_confine(enum extract_job job, int cpu_max_s, const struct sock_fprog *filter)
{
    const struct confine_path paths[] = {
        {tools[job].path, false},
        {tools[job].data, false},
        {"/usr/lib", false},
        {"/lib", false},
        {"/lib64", false},
        {"/usr/lib64", false},
        {"/etc/ld.so.cache", false},
        {"/etc/fonts", false},
        {"/usr/share/fontconfig", false},
        {"/var/cache/fontconfig", false},
        {"/usr/share/fonts", false},
        {"/etc/localtime", false},
        {"/usr/share/zoneinfo", false},
    };
    const struct extract_limits limits = {
        .cpu_s = (rlim_t)cpu_max_s,
        .output = tools[job].output,
        .memory = EXTRACT_MEMORY_MAX, /* of the tool: it replaces this process image */
    };
    confine_child(paths, sizeof paths / sizeof *paths, &limits, filter);
}

_Noreturn void extract_tool_run(
    const struct extract_request *request, const struct sock_fprog *filter)
{
    char page[NUMBER_SIZE], dpi[NUMBER_SIZE], side[NUMBER_SIZE], top[NUMBER_SIZE];
    char height[NUMBER_SIZE];
    snprintf(page, sizeof page, "%d", request->page);
    snprintf(dpi, sizeof dpi, "%d", request->dpi);
    snprintf(side, sizeof side, "%d", request->side);
    snprintf(top, sizeof top, "%d", request->top);
    snprintf(height, sizeof height, "%d", request->height);
    /* The words are those of "-bbox" alone, in the order in which the file draws them. */
    const char *const words[] = {"pdftotext", "-q", "-bbox", "-raw", "-", "-", NULL};
    const char *const plain[] = {"pdftotext", "-q", "-raw", "-", "-", NULL};
    const char *const picture[] = {"pdftoppm", "-q", "-png", "-r", "150", "-f",
                                   page,       "-l", page,   "-",  NULL};
    /* "-scale-to 0" leaves the size to -r. */
    const char *const gray[] = {"pdftoppm", "-q", "-gray", "-r", dpi,    "-scale-to", side,
                                "-f",       page, "-l",    page, "-x",   "0",         "-y",
                                top,        "-W", "0",     "-H", height, "-",         NULL};
    const char *const sheet[] = {
        "tesseract",
        "-",
        "-",
        "--dpi",
        SCAN_SHEET_DPI,
        "--psm",
        SCAN_SHEET_PSM,
        "-c",
        "tessedit_create_tsv=1",
        NULL};
    const char *const *const arguments[EXTRACT_JOB_COUNT] = {
        [EXTRACT_JOB_READING] = words,   [EXTRACT_JOB_PLAIN] = plain, [EXTRACT_JOB_PLACES] = words,
        [EXTRACT_JOB_PICTURE] = picture, [EXTRACT_JOB_GRAY] = gray,   [EXTRACT_JOB_SCAN] = sheet};
    const char *const environment[] = {"LC_ALL=C.UTF-8", "OMP_THREAD_LIMIT=1", NULL};
    enum extract_job job = (enum extract_job)request->job;
    extract_tool_confine(job, request->cpu_max_s, filter);
    execve(
        tools[job].path, (char *const *)(uintptr_t)arguments[job],
        (char *const *)(uintptr_t)environment);
    _exit(EXTRACT_EXIT_NOT_CONFINED);
}

/*
 * The children that read one page of a scan: our reader, and tesseract, which waits for the
 * reader's sheet.
 */

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

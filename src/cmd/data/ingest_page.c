/* The lines and the tally of an import; see ingest_page.h. */
#include "cmd/data/ingest_page.h"

#include "base/hidden.h"
#include "cmd/term/layout.h"
#include "cmd/term/next_steps.h"
#include "status/words.h"

enum { TEXT_MAX = 1 << 20, MARGIN = 2, FIRST_MIN = 14, FIRST_MAX = 43, GAP = 2, COMMAND_MIN = 30 };

/* How a status reads on a terminal. */
static const struct {
    enum glyph glyph;
    enum paint paint;
    const char *line;               /* before the reason; NULL: rows alone */
    const char *tally, *tally_many; /* after the number */
    const char *plain, *plain_many; /* the same in a pipe */
} looks[INGEST_STATUS_COUNT] = {
    [INGEST_DRAFT] =
        {GLYPH_TICK, PAINT_GOOD, NULL, "draft to review", "drafts to review", "draft", "drafts"},
    [INGEST_NEEDS_MANUAL] =
        {GLYPH_DOUBT, PAINT_DOUBT, "a person must complete it", "for a person to complete",
         "for a person to complete", "needs_manual", "needs_manual"},
    [INGEST_REFUSED] =
        {GLYPH_CROSS, PAINT_BAD, "refused", "refused", "refused", "refused", "refused"},
    [INGEST_UNCHANGED] =
        {GLYPH_DOT, PAINT_FAINT, "unchanged", "unchanged", "unchanged", "unchanged", "unchanged"},
    [INGEST_INDEXED] = {GLYPH_TICK, PAINT_GOOD, "index", "index", "indexes", "index", "indexes"},
    [INGEST_AWAITING_DOCUMENT] =
        {GLYPH_DOUBT, PAINT_DOUBT, "not fetched", "report named by an index is not imported yet",
         "reports named by an index are not imported yet", "awaiting_document",
         "awaiting_document"},
    [INGEST_SKIPPED] =
        {GLYPH_DOT, PAINT_DOUBT, "skipped", "skipped: links and special files inside a folder",
         "skipped: links and special files inside a folder", NULL, NULL},
};

void ingest_page_init(struct ingest_page *page, struct out *out, int64_t files, struct str base_url)
{
    *page = (struct ingest_page){
        .out = out,
        .lists_unchanged = files <= INGEST_PAGE_UNCHANGED_MAX,
        .first_columns = FIRST_MIN,
        .base_url = base_url,
    };
}

/* --- one line */

static void print_record(struct out *out, const struct ingest_line *line)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "document", line->document);
    out_str(out, "status", ingest_status_name(line->status));
    out_str(out, "filingId", line->filing_id);
    out_i64(out, "rows", (int64_t)line->rows);
    out_str(out, "reason", line->reason);
    out_end(out);
}

/* The id says the name of the file, without its ending. */
static bool id_has_name(const struct ingest_line *line)
{
    struct str stem = line->document, id = line->filing_id;
    ptrdiff_t dot = str_find_char(stem, '.');
    if (dot > 0)
        stem = str_slice(stem, 0, (size_t)dot);
    return stem.n > 0 && id.n > stem.n && str_eq_nocase(str_slice(id, id.n - stem.n, id.n), stem);
}

static void put_words(
    struct buf *to, const struct ingest_page *page, const struct ingest_line *line)
{
    ARENA_SCOPED(arena);
    const char *words = looks[line->status].line;
    if (line->filing_id.n && !id_has_name(line)) { /* the name that `review show` takes */
        hidden_show(to, line->filing_id);
        buf_text(to, ": ");
    }
    if (!words)
        buf_str(to, words_count(&arena, (int64_t)line->rows, "row", "rows"));
    else
        buf_text(to, words);
    if (line->status == INGEST_INDEXED)
        buf_fmt(
            to, " of %.*s", STR_ARG(words_count(&arena, (int64_t)line->rows, "filing", "filings")));
    if (line->reason.n) {
        buf_text(to, ": ");
        hidden_show(to, line->reason);
    }
    if (line->status == INGEST_INDEXED && page->awaiting_of_index)
        buf_fmt(
            to, "; %.*s not imported yet",
            STR_ARG(words_count(&arena, page->awaiting_of_index, "report is", "reports are")));
}

static void print_line(struct ingest_page *page, const struct ingest_line *line)
{
    const struct terminal *t = &page->out->terminal;
    enum paint paint = looks[line->status].paint;
    struct str mark = str_from(terminal_glyph(t, looks[line->status].glyph));
    BUF_SCOPED(text, TEXT_MAX);
    BUF_SCOPED(words, TEXT_MAX);
    BUF_SCOPED(first, TEXT_MAX);
    hidden_show(&first, id_has_name(line) ? line->filing_id : line->document);
    put_words(&words, page, line);
    size_t columns = layout_columns(buf_view(&first));
    if (columns > page->first_columns)
        page->first_columns = columns < FIRST_MAX ? columns : FIRST_MAX;
    size_t indent = MARGIN + layout_columns(mark) + 1 + page->first_columns + GAP;
    size_t at = indent - page->first_columns - GAP + columns;
    layout_spaces(&text, MARGIN);
    terminal_paint(t, &text, paint, mark);
    buf_char(&text, ' ');
    buf_str(&text, buf_view(&first));
    if (indent + COMMAND_MIN > (size_t)t->columns &&
        at + GAP + layout_columns(buf_view(&words)) > (size_t)t->columns)
        indent = MARGIN + layout_columns(mark) + 1 + GAP; /* below the name */
    layout_wrap(&text, buf_view(&words), at, indent, (size_t)t->columns);
    out_page(page->out, &text);
}

static void note_first(char *to, size_t size, struct str id)
{
    struct buf b = buf_over(to, size - 1);
    if (to[0] || id.n >= size)
        return;
    buf_str(&b, id);
    to[b.n] = 0;
}

void ingest_page_line(void *ctx, const struct ingest_line *line)
{
    struct ingest_page *page = ctx;
    bool only_listed = line->status == INGEST_AWAITING_DOCUMENT && !line->reason.n;
    page->lines++;
    page->of_status[line->status]++;
    page->awaiting_of_index += only_listed;
    if (line->status == INGEST_DRAFT)
        note_first(page->draft, sizeof page->draft, line->filing_id);
    if (line->status == INGEST_NEEDS_MANUAL)
        note_first(page->manual, sizeof page->manual, line->filing_id);
    bool hidden = only_listed || (out_is_page(page->out) && line->status == INGEST_UNCHANGED &&
                                  !page->lists_unchanged);
    if (page->out->json || !hidden) {
        if (out_is_page(page->out))
            print_line(page, line);
        else
            print_record(page->out, line);
    }
    if (line->status == INGEST_INDEXED)
        page->awaiting_of_index = 0;
}

/* --- the tally */

static const enum ingest_status tally_order[] = {
    INGEST_DRAFT,   INGEST_NEEDS_MANUAL, INGEST_REFUSED,           INGEST_UNCHANGED,
    INGEST_SKIPPED, INGEST_INDEXED,      INGEST_AWAITING_DOCUMENT,
};
enum { TALLY_COUNT = sizeof tally_order / sizeof *tally_order };

static int64_t files_of(const struct ingest_page *page)
{
    const int64_t *n = page->of_status;
    return n[INGEST_DRAFT] + n[INGEST_NEEDS_MANUAL] + n[INGEST_REFUSED] + n[INGEST_UNCHANGED] +
           n[INGEST_INDEXED];
}

static void put_tally(struct buf *to, const struct ingest_page *page, struct arena *arena)
{
    const struct terminal *t = &page->out->terminal;
    struct str numbers[TALLY_COUNT];
    size_t widest = 0;
    buf_char(to, '\n');
    terminal_paint(t, to, PAINT_STRONG, words_count(arena, files_of(page), "file", "files"));
    buf_char(to, '\n');
    for (size_t i = 0; i < TALLY_COUNT; i++) {
        numbers[i] = words_number(arena, page->of_status[tally_order[i]]);
        if (numbers[i].n > widest)
            widest = numbers[i].n;
    }
    for (size_t i = 0; i < TALLY_COUNT; i++) {
        enum ingest_status status = tally_order[i];
        int64_t n = page->of_status[status];
        struct str mark = str_from(terminal_glyph(t, looks[status].glyph));
        if (!n)
            continue;
        layout_spaces(to, MARGIN);
        terminal_paint(t, to, looks[status].paint, mark);
        layout_spaces(to, 1 + widest - numbers[i].n);
        buf_str(to, numbers[i]);
        size_t indent = MARGIN + layout_columns(mark) + 1 + widest + 1;
        layout_wrap(
            to, str_from(n == 1 ? looks[status].tally : looks[status].tally_many), indent - 1,
            indent, (size_t)t->columns);
    }
}

/* The same in a pipe, as one sentence. */
static void put_plain_tally(struct buf *to, const struct ingest_page *page, struct arena *arena)
{
    const char *before = ": ";
    buf_str(to, words_count(arena, files_of(page), "file", "files"));
    for (size_t i = 0; i < TALLY_COUNT; i++) {
        enum ingest_status status = tally_order[i];
        int64_t n = page->of_status[status];
        if (!n || !looks[status].plain)
            continue;
        buf_fmt(
            to, "%s%.*s", before,
            STR_ARG(words_count(arena, n, looks[status].plain, looks[status].plain_many)));
        before = ", ";
    }
    buf_text(to, ".\n");
}

/* --- the next commands */

enum { NEXT_MAX = 5 };

static size_t next_commands(
    const struct ingest_page *page, struct arena *arena, struct next_step ret[static NEXT_MAX])
{
    size_t n = 0;
    const int64_t *count = page->of_status;
    if (page->draft[0])
        ret[n++] = (struct next_step){
            arena_fmt(arena, "stockact review show %s", page->draft), "look at the first draft"};
    if (count[INGEST_DRAFT] > 1)
        ret[n++] = (struct next_step){STR("stockact review list --state draft"), "list the drafts"};
    if (count[INGEST_NEEDS_MANUAL])
        ret[n++] = (struct next_step){
            STR("stockact review list --state needs_manual"), "list what a person must complete"};
    if (n && !str_is_null(page->base_url))
        ret[n++] = next_steps_desk(arena, page->base_url);
    if (count[INGEST_AWAITING_DOCUMENT])
        ret[n++] =
            (struct next_step){STR("stockact sync house"), "fetch the reports that indexes name"};
    if (n == 0)
        ret[n++] = (struct next_step){STR("stockact coverage"), "count what is imported"};
    return n;
}

static void put_next(struct buf *to, const struct ingest_page *page, struct arena *arena)
{
    struct next_step next[NEXT_MAX];
    size_t count = next_commands(page, arena, next);
    if (out_is_page(page->out))
        next_steps_put(to, &page->out->terminal, next, count);
    else
        buf_fmt(to, "Next: %.*s\n", STR_ARG(next[0].command));
}

void ingest_page_end(struct ingest_page *page, int64_t awaiting)
{
    struct out *out = page->out;
    ARENA_SCOPED(arena);
    BUF_SCOPED(text, TEXT_MAX);
    if (out->json)
        return;
    if (page->of_status[INGEST_AWAITING_DOCUMENT]) /* less what was imported after its index */
        page->of_status[INGEST_AWAITING_DOCUMENT] = awaiting;
    if (out_is_page(page->out)) {
        put_tally(&text, page, &arena);
    } else {
        if (page->of_status[INGEST_SKIPPED])
            buf_fmt(
                &text, "%lld skipped: links and special files inside a folder are not imported.\n",
                (long long)page->of_status[INGEST_SKIPPED]);
        put_plain_tally(&text, page, &arena);
    }
    put_next(&text, page, &arena);
    out_page(out, &text);
}

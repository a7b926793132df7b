/* Suggestions for reviewers who enter a scan; see suggest.h. */
#include "paper/suggest.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/hidden.h"
#include "core/printed.h"
#include "paper/picture.h"

/* --- one line */

/* The longest run of words from the first dollar sign that is an amount. */
static enum bracket find_bracket(struct str text)
{
    ptrdiff_t dollar = str_find_char(text, '$');
    if (dollar < 0)
        return BRACKET_NONE;
    struct str rest = str_slice(text, (size_t)dollar, text.n);
    for (size_t end = rest.n; end > 0; end--) {
        if (end < rest.n && rest.p[end] != ' ')
            continue;
        enum bracket bracket = printed_amount(str_slice(rest, 0, end), OWNER_NONE);
        if (bracket != BRACKET_NONE)
            return bracket;
    }
    return BRACKET_NONE;
}

/* The first transaction type: a word alone or with the next one ("Sale (Full)"). */
static enum side find_side(struct str text)
{
    struct str word;
    for (struct str rest = text; str_split(&rest, ' ', &word);) {
        struct str behind = rest, next;
        enum side side = SIDE_NONE;
        if (word.n && str_split(&behind, ' ', &next))
            side = printed_side(str_of(word.p, (size_t)(next.p - word.p) + next.n));
        if (word.n && side == SIDE_NONE)
            side = printed_side(word);
        if (side != SIDE_NONE)
            return side;
    }
    return SIDE_NONE;
}

static int32_t find_day(struct str text)
{
    int32_t day;
    for (struct str word; str_split(&text, ' ', &word);)
        if (printed_day(word, &day))
            return day;
    return DAY_NONE;
}

/* A single letter is a type only if the line also has a date or an amount. */
struct suggest_line suggest_line_read(int page, struct str text)
{
    struct suggest_line line = {
        .page = page,
        .text = text,
        .trade_date = find_day(text),
        .bracket = find_bracket(text),
    };
    if (line.trade_date != DAY_NONE || line.bracket != BRACKET_NONE)
        line.side = find_side(text);
    return line;
}

/* --- the pages */

void suggest_lines_read(int page, struct str text, suggest_visit *visit, void *ctx)
{
    for (struct str part; str_split(&text, '\n', &part);) {
        part = str_trim(part);
        if (part.n == 0 || !hidden_free_line(part))
            continue;
        const struct suggest_line line = suggest_line_read(page, part);
        visit(ctx, &line);
    }
}

static enum err read_page(
    struct db *db, struct extractor *x, struct str filing_id, int page, struct buf *lines,
    struct fail *fail)
{
    struct buf picture;
    buf_init(&picture, EXTRACT_PICTURE_SIZE_MAX);
    enum err err = picture_render(db, x, filing_id, page, &picture, fail);
    int fd = err ? -1 : picture_memory_file(buf_view(&picture));
    if (!err && fd < 0)
        err = fail_set(
            fail, ERR_IO, "cannot create a memory file for a picture: %s", strerror(errno));
    if (!err)
        err = extract_lines(x, fd, lines, fail);
    if (fd >= 0)
        close(fd);
    buf_finish(&picture);
    return err;
}

enum err suggest(
    struct db *db, struct extractor *x, struct str filing_id, suggest_visit *visit, void *ctx,
    int *ret_pages, struct fail *fail)
{
    struct buf lines;
    enum err err = extract_lines_ready(fail);
    *ret_pages = 0;
    buf_init(&lines, EXTRACT_LINES_SIZE_MAX);
    while (!err && *ret_pages < SUGGEST_PAGES_MAX) {
        buf_reset(&lines);
        err = read_page(db, x, filing_id, *ret_pages + 1, &lines, fail);
        if (err == ERR_NOT_FOUND && *ret_pages > 0) {
            err = OK; /* after the last page */
            break;
        }
        if (!err)
            suggest_lines_read(++*ret_pages, buf_view(&lines), visit, ctx);
    }
    buf_finish(&lines);
    return err;
}

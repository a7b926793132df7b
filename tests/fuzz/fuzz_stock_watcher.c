/* Any bytes as the Senate dump: either an error with the file's name, or drafts in which every row
 * is a trade or a refusal, numbers strictly decrease, and names contain no markup. */
#include "fuzz.h"

#include "ingest/stock_watcher.h"
#include "paper/cell/cells.h"
#include "paper/cell/html_cell.h"

static struct member_term terms[] = {
    {CHAMBER_SENATE, STR_INIT("OR"), MEMBER_DISTRICT_NONE, STR_INIT("Independent"), 10000, 30000},
};
static struct member senator = {
    .id = STR_INIT("F000999"),
    .first = STR_INIT("Ben"),
    .last = STR_INIT("Ferncastle"),
    .birthday = DAY_NONE,
    .terms = terms,
    .term_count = 1};

struct refusals {
    size_t filings;
    size_t rows;
};

static void note(void *ctx, const struct stock_watcher_refusal *refusal)
{
    struct refusals *r = ctx;
    assert(refusal->record > 0 && refusal->reason.n > 0);
    r->filings += refusal->row == 0;
    r->rows += refusal->row != 0;
}

static void check_name(struct str name)
{
    assert(name.n > 0 && name.p[0] != ' ' && name.p[name.n - 1] != ' ');
    for (size_t i = 1; i < name.n; i++)
        assert(name.p[i] != '\n' && (name.p[i] != ' ' || name.p[i - 1] != ' '));
}

/* `printed` is read back, holds no line break or doubled space, and is shown as it is stored. */
static void check_printed(struct str printed, struct arena *arena)
{
    struct str cells[CELL_COUNT], shown = cells_shown(printed, arena);
    bool sound = cells_read(printed, arena, cells);
    assert(sound && cells[CELL_ASSET].n > 0 && str_eq(shown, printed));
    for (int c = 0; c < CELL_COUNT; c++)
        if (cells[c].n)
            check_name(cells[c]);
}

/* Any bytes as a stored `printed`: cells, or nothing. */
static void check_any_printed(struct str text, struct arena *arena)
{
    struct str cells[CELL_COUNT], again[CELL_COUNT];
    bool sound = cells_read(text, arena, cells);
    struct str shown = cells_shown(text, arena);
    assert(str_eq(shown, text) || (sound && cells_read(shown, arena, again)));
    for (int c = 0; c < CELL_COUNT; c++)
        assert(sound || str_is_null(cells[c]));
}

static void check(const struct stock_watcher *sw, const struct refusals *refused)
{
    size_t trades = 0;
    struct arena arena;
    arena_init(&arena);
    assert(sw->filing_count + sw->paper_count + sw->filings_refused == sw->filings_read);
    for (size_t i = 0; i < sw->paper_count; i++)
        assert(sw->papers[i].filing.row_count == 0 && sw->papers[i].filing.politician_id.n);
    assert(refused->filings == sw->filings_refused && refused->rows <= sw->rows_refused);
    for (size_t i = 0; i < sw->filing_count; i++) {
        const struct draft_filing *f = &sw->filings[i];
        assert(f->id.n == 43 && str_eq(f->politician_id, senator.id));
        trades += f->row_count;
        for (size_t k = 0; k < f->row_count; k++) {
            assert(f->rows[k].row >= 1 && (k == 0 || f->rows[k].row < f->rows[k - 1].row));
            assert(
                f->rows[k].values.bracket != BRACKET_NONE && f->rows[k].values.side != SIDE_NONE);
            check_name(f->rows[k].values.asset_name);
            check_printed(f->rows[k].printed, &arena);
        }
    }
    assert(trades + sw->rows_refused == sw->rows_read);
    arena_finish(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct member_list members = {&senator, 1};
    struct fail fail = {0};
    struct refusals refused = {0};
    struct stock_watcher *sw;
    struct arena arena;
    enum err err = stock_watcher_read(
        STR("file"), str_of((const char *)data, size), &members, note, &refused, &sw, &fail);
    if (err) {
        assert(err == ERR_INVALID && str_starts(str_from(fail.text), STR("file: ")));
    } else {
        check(sw, &refused);
        stock_watcher_destroy(sw);
    }
    arena_init(&arena);
    check_any_printed(str_of((const char *)data, size), &arena);
    for (int part = HTML_CELL_ALL; part < HTML_CELL_PART_COUNT; part++) {
        struct str text =
            html_cell_text(&arena, str_of((const char *)data, size), (enum html_cell_part)part);
        if (text.n)
            check_name(text);
    }
    arena_finish(&arena);
    return 0;
}

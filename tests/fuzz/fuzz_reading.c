/* reading_parse(reading_put(x)) = x for readings x made from the input. The input itself, parsed as
 * such text, gives an error or a reading that round-trips. */
#include "reading_check.h"

enum { ROWS = 20 };

/* A line of the input, reduced to bytes that a reading may contain; null if the line begins with
 * "-". */
static struct str take_text(struct str *rest, struct arena *arena)
{
    struct str line = str_slice(fuzz_line(rest), 0, READING_CELL_SIZE_MAX);
    if (str_starts(line, STR("-")))
        return STR_NULL;
    char *out = arena_alloc(arena, line.n + 1);
    for (size_t i = 0; i < line.n; i++)
        out[i] = (char)(' ' + (unsigned char)line.p[i] % 95);
    return str_of(out, line.n);
}

/* A rectangle on the page, and the sources of two cells. */
static void make_place(struct reading_row *row, struct str *rest, struct arena *arena)
{
    int left = 30 * fuzz_byte(rest), top = 30 * fuzz_byte(rest);
    row->place = (struct page_place){left, top, PAGE_PLACE_WHOLE - left, 1 + fuzz_byte(rest)};
    struct cell_source *source = ARENA_ARRAY(arena, struct cell_source, CELL_COUNT);
    row->source = source;
    source[CELL_TYPE].how = (enum cell_how)(fuzz_byte(rest) % CELL_ENTERED);
    source[CELL_DATE] = (struct cell_source){
        .how = (enum cell_how)(fuzz_byte(rest) % CELL_ENTERED),
        .reason = str_slice(take_text(rest, arena), 0, CELL_REASON_MAX),
    };
}

static void make_rows(struct reading *r, struct str *rest, struct arena *arena)
{
    int number = 0;
    r->rows = ARENA_ARRAY(arena, struct reading_row, ROWS);
    for (r->row_count = fuzz_byte(rest) % ROWS; rest->n && number < (int)r->row_count; number++) {
        struct reading_row *row = &r->rows[number];
        *row = (struct reading_row){
            .row = number * 7 + 1,
            .page = fuzz_byte(rest),
            .status = (enum reading_status)(fuzz_byte(rest) % READING_STATUS_COUNT),
        };
        for (int c = 0; c < CELL_COUNT; c++)
            row->cell[c] = take_text(rest, arena);
        if (r->kind == READING_HOUSE_SCAN)
            make_place(row, rest, arena);
    }
    r->row_count = (size_t)number;
}

static void make_pages(struct reading *r, struct str *rest, struct arena *arena)
{
    r->pages = ARENA_ARRAY(arena, struct reading_page, ROWS);
    for (r->page_count = 0; rest->n && r->page_count < ROWS; r->page_count++)
        r->pages[r->page_count] = (struct reading_page){
            .page = (int)(r->page_count + 1) * (1 + r->amendment % 15),
            .turn = 90 * (fuzz_byte(rest) % 4),
            .skew = 35 * fuzz_byte(rest) - READING_SKEW_MAX,
            .form = str_slice(take_text(rest, arena), 0, READING_FORM_MAX),
            .reason = take_text(rest, arena),
        };
}

static void make_entries(struct reading *r, struct str *rest, struct arena *arena)
{
    r->entries = ARENA_ARRAY(arena, struct reading_entry, ROWS);
    for (r->entry_count = 0; rest->n && r->entry_count < ROWS; r->entry_count++)
        r->entries[r->entry_count] = (struct reading_entry){
            .prefix = take_text(rest, arena),
            .last = take_text(rest, arena),
            .filing_date = take_text(rest, arena),
            .document_id = take_text(rest, arena),
        };
}

/* A trade's `printed` names each existing cell. */
static void check_printed(const struct reading_row *row)
{
    struct buf b;
    buf_init(&b, READING_SIZE_MAX);
    reading_row_put(&b, row);
    for (int c = 0; c < CELL_COUNT; c++) {
        struct str name = cell_name((enum cell)c);
        assert(str_is_null(row->cell[c]) || str_find(buf_view(&b), name) > 0);
    }
    buf_finish(&b);
}

static void check_same_row(const struct reading_row *a, const struct reading_row *b)
{
    assert(a->row == b->row && a->page == b->page && a->status == b->status);
    for (int c = 0; c < CELL_COUNT; c++)
        assert(str_eq(a->cell[c], b->cell[c]));
    assert(memcmp(&a->place, &b->place, sizeof a->place) == 0);
    assert(!a->source == !b->source);
    for (int c = 0; a->source && c < CELL_COUNT; c++) {
        assert(a->source[c].how == b->source[c].how);
        assert(str_eq(a->source[c].reason, b->source[c].reason));
    }
    check_printed(a);
}

static void check_same_pages(const struct reading *a, const struct reading *b)
{
    assert(a->page_count == b->page_count);
    for (size_t i = 0; i < a->page_count; i++) {
        const struct reading_page *x = &a->pages[i], *y = &b->pages[i];
        assert(x->page == y->page && x->turn == y->turn && x->skew == y->skew);
        assert(str_eq(x->form, y->form) && str_eq(x->reason, y->reason));
    }
}

static void check_same(const struct reading *a, const struct reading *b)
{
    assert(a->kind == b->kind && a->amendment == b->amendment && str_eq(a->reason, b->reason));
    assert(str_eq(a->document_id, b->document_id) && str_eq(a->filer, b->filer));
    assert(a->check_count == b->check_count && a->row_count == b->row_count);
    for (size_t i = 0; i < a->check_count; i++) {
        assert(a->checks[i].passed == b->checks[i].passed);
        assert(str_eq(a->checks[i].name, b->checks[i].name));
    }
    for (size_t i = 0; i < a->row_count; i++)
        check_same_row(&a->rows[i], &b->rows[i]);
    check_same_pages(a, b);
    assert(a->entry_count == b->entry_count);
    for (size_t i = 0; i < a->entry_count; i++) {
        assert(str_eq(a->entries[i].last, b->entries[i].last));
        assert(str_eq(a->entries[i].document_id, b->entries[i].document_id));
    }
}

static void check_made(struct str rest, struct arena *arena)
{
    struct reading made = {.kind = READING_REFUSED}, back;
    struct fail fail = {0};
    struct buf b;
    made.kind = (enum reading_kind)(fuzz_byte(&rest) % READING_KIND_COUNT);
    made.amendment = fuzz_byte(&rest);
    made.reason = take_text(&rest, arena);
    made.document_id = take_text(&rest, arena);
    made.filer = take_text(&rest, arena);
    reading_check_add(&made, STR("a_check"), fuzz_byte(&rest) % 2, take_text(&rest, arena));
    make_rows(&made, &rest, arena);
    if (made.kind == READING_HOUSE_SCAN)
        make_pages(&made, &rest, arena);
    make_entries(&made, &rest, arena);
    buf_init(&b, READING_SIZE_MAX);
    reading_put(&b, &made);
    assert(!b.overflow && reading_parse(buf_view(&b), arena, &back, &fail) == OK);
    check_same(&made, &back);
    buf_finish(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct reading reading;
    struct fail fail = {0};
    arena_init(&arena);
    check_made(fuzz_text(data, size), &arena);
    if (reading_parse(fuzz_text(data, size), &arena, &reading, &fail) == OK)
        reading_check_travels(&reading, &arena);
    arena_finish(&arena);
    return 0;
}

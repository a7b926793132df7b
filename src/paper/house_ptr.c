/*
 * Reads a House periodic transaction report from its words (sources.md 1). The table's header row,
 * on each page, gives the positions of the columns. A row begins on a line that has a type in the
 * type column and a date next to it. It continues until the next row begins, also across pages.
 */

#include "paper/house_words.h"
#include "paper/readers.h"

/* Check boxes of rows. */

enum {
    HUNDREDTHS = 100,
    TENTH = 10,
    BELOW_MAX = 1600, /* the middle of a row's box is at most so far below its top */
    EMPTY = 0x3e,     /* "gfedc" */
    CHECKED = 0x3f,   /* with a "b" */
};

/* Adds the box that the words of the line print from this one on, if they do. */
static void house_box_take(struct pdf_boxes *boxes, const struct house_line *line, size_t from)
{
    unsigned letters = 0;
    const struct house_word *first = &line->words[from];
    for (size_t w = from; w < line->count; w++)
        for (size_t i = 0; i < line->words[w].text.n; i++) {
            char c = line->words[w].text.p[i];
            if (c < 'b' || c > 'g')
                return;
            letters |= 1U << (c - 'b');
        }
    boxes->page = line->page;
    if (letters == EMPTY || letters == CHECKED)
        pdf_boxes_add(
            boxes, (double)first->left / HUNDREDTHS,
            (double)(first->top + first->bottom) / 2 / HUNDREDTHS, letters == CHECKED);
}

/* "checked" or "not checked": the box right of `left`, beside the first line of the row. Null:
 * there is none, or more than one. */
static struct str house_box_text(
    const struct pdf_boxes *boxes, const struct house_place *row, int left)
{
    const struct pdf_box *found = NULL;
    int count = 0;
    for (int i = 0; i < boxes->count; i++) {
        const struct pdf_box *box = &boxes->box[i];
        int top = box->top * TENTH;
        if (box->page != row->page || box->left * TENTH < left || top < row->top ||
            top > row->top + BELOW_MAX)
            continue;
        found = box;
        count++;
    }
    return count != 1 ? STR_NULL : found->checked ? STR("checked") : STR("not checked");
}

enum house_ptr_column {
    COLUMN_ID,
    COLUMN_OWNER,
    COLUMN_ASSET,
    COLUMN_TYPE,
    COLUMN_DATE,
    COLUMN_NOTIFIED,
    COLUMN_AMOUNT,
    COLUMN_GAINS, /* check boxes */
    COLUMN_COUNT
};

enum {
    SLACK = 250,            /* cells begin at most 2.5 points left of their header */
    LEFT_MARGIN_MAX = 2600, /* section headings begin at the left margin */
    HEADING_HEIGHT = 1250,  /* and are taller than the text of tables */
    LABEL_WORDS_MAX = 5,
};

struct house_ptr_table {
    int left[COLUMN_COUNT];
    bool found;
};

struct house_ptr_reader {
    struct arena *arena;
    const struct pdf_facts *facts;
    struct reading *out;
    struct house_text text;
    struct house_ptr_table table;
    struct reading_row *rows;
    struct house_place *places; /* of the rows */
    struct pdf_boxes *boxes;
    size_t room;
    bool repaired; /* the file stores another letter case than its pages show */
    int status_lines;
    int titles, signatures;
    struct str mixed;     /* a label in capitals and small letters at once; null: none */
    struct str second_id; /* another Filing ID than the first; null: none */
    enum cell detail;     /* the continued detail line; CELL_COUNT: the row's cells continue */
    bool ended;           /* the table is over */
    bool titled;          /* the title of this form was found */
    bool of_clerk;        /* a form of the Clerk */
};

static struct str line_text(struct house_ptr_reader *r, const struct house_line *line)
{
    return house_line_text(line, 0, line->count, r->arena);
}

/* --- the table's header */

static bool read_header(struct house_ptr_reader *r, const struct house_line *line)
{
    static const struct str titles[COLUMN_COUNT] = {
        [COLUMN_ID] = STR_INIT("ID"),         [COLUMN_OWNER] = STR_INIT("Owner"),
        [COLUMN_ASSET] = STR_INIT("Asset"),   [COLUMN_TYPE] = STR_INIT("Transaction"),
        [COLUMN_DATE] = STR_INIT("Date"),     [COLUMN_NOTIFIED] = STR_INIT("Notification"),
        [COLUMN_AMOUNT] = STR_INIT("Amount"), [COLUMN_GAINS] = STR_INIT("Cap."),
    };
    struct house_ptr_table table = {.found = true};
    size_t w = 0;
    for (int c = 0; c < COLUMN_COUNT; c++) {
        while (w < line->count && !str_eq_nocase(line->words[w].text, titles[c]))
            w++;
        /* Reports of 2014 to 2017 omit the last column if all gains are under $200. */
        if (w == line->count && c < COLUMN_GAINS)
            return false;
        table.left[c] = w < line->count ? line->words[w].left : INT32_MAX;
    }
    r->table = table;
    return true;
}

/* The header continues for two more lines, made of these words. */
static bool is_header_rest(const struct house_line *line)
{
    static const char *const words[] = {"Type", "Date", "Gains", ">", "$200?"};
    for (size_t w = 0; w < line->count; w++) {
        bool known = false;
        for (size_t i = 0; i < sizeof words / sizeof *words && !known; i++)
            known = str_eq_nocase(line->words[w].text, str_from(words[i]));
        if (!known)
            return false;
    }
    return true;
}

static enum house_ptr_column column_of(
    const struct house_ptr_table *table, const struct house_word *word)
{
    int c = COLUMN_COUNT - 1;
    while (c > 0 && word->left < table->left[c] - SLACK)
        c--;
    return (enum house_ptr_column)c;
}

/* --- rows */

static const enum cell cell_of_column[COLUMN_GAINS] = {
    [COLUMN_ID] = CELL_ID,         [COLUMN_OWNER] = CELL_OWNER, [COLUMN_ASSET] = CELL_ASSET,
    [COLUMN_TYPE] = CELL_TYPE,     [COLUMN_DATE] = CELL_DATE,   [COLUMN_NOTIFIED] = CELL_NOTIFIED,
    [COLUMN_AMOUNT] = CELL_AMOUNT,
};

static void append(struct house_ptr_reader *r, struct str *cell, struct str text)
{
    if (text.n == 0)
        return;
    *cell =
        str_is_null(*cell) ? text : arena_fmt(r->arena, "%.*s %.*s", STR_ARG(*cell), STR_ARG(text));
}

static struct reading_row *current(struct house_ptr_reader *r)
{
    return r->out->row_count ? &r->rows[r->out->row_count - 1] : NULL;
}

static bool is_type(struct str text)
{
    return str_eq_nocase(text, STR("P")) || str_eq_nocase(text, STR("S")) ||
           str_eq_nocase(text, STR("E"));
}

/* A row begins with a type, and a column right of it holds the start of a date or amount. */
static bool begins_row(const struct house_ptr_reader *r, const struct house_line *line)
{
    bool type = false, more = false;
    for (size_t w = 0; w < line->count; w++) {
        const struct house_word *word = &line->words[w];
        switch (column_of(&r->table, word)) {
        case COLUMN_TYPE:
            type = type || is_type(word->text);
            break;
        case COLUMN_DATE:
        case COLUMN_NOTIFIED:
            more = more || ascii_is_digit(word->text.p[0]);
            break;
        case COLUMN_AMOUNT:
            more = more || word->text.p[0] == '$';
            break;
        default:
            break;
        }
    }
    return type && more;
}

static void make_room(struct house_ptr_reader *r)
{
    size_t room = r->room;
    r->rows = arena_grow(r->arena, r->rows, r->room, &room, sizeof *r->rows);
    r->places = arena_grow(r->arena, r->places, r->room, &r->room, sizeof *r->places);
}

static void begin_row(struct house_ptr_reader *r, const struct house_line *line)
{
    if (r->out->row_count == READING_ROWS_MAX)
        return;
    if (r->out->row_count == r->room)
        make_room(r);
    int number = (int)++r->out->row_count;
    r->rows[number - 1] = (struct reading_row){.row = number, .page = line->page};
    r->places[number - 1] = (struct house_place){
        .row = number, .page = line->page, .top = line->top, .bottom = line->bottom};
    r->detail = CELL_COUNT;
}

/* The row's place goes down to this line, if that is on the same page. */
static void extend_place(struct house_ptr_reader *r, const struct house_line *line)
{
    struct house_place *place = &r->places[r->out->row_count - 1];
    if (line->page == place->page && line->bottom > place->bottom)
        place->bottom = line->bottom;
}

/* Adds the words of a line to the cells of their columns. */
static void add_cells(struct house_ptr_reader *r, const struct house_line *line)
{
    struct reading_row *row = current(r);
    for (size_t from = 0, to; from < line->count; from = to) {
        enum house_ptr_column c = column_of(&r->table, &line->words[from]);
        for (to = from + 1; to < line->count && column_of(&r->table, &line->words[to]) == c;)
            to++;
        if (c == COLUMN_GAINS)
            house_box_take(r->boxes, line, from);
        else
            append(r, &row->cell[cell_of_column[c]], house_line_text(line, from, to, r->arena));
        if (c == COLUMN_ASSET && r->repaired)
            append(r, &row->cell[CELL_ASSET_STORED], house_line_stored(line, from, to, r->arena));
    }
}

/* --- detail lines */

/* Returns the label that the line begins with, and where its text starts; CELL_COUNT: none. */
static enum cell find_label(
    struct house_ptr_reader *r, const struct house_line *line, size_t *ret_words)
{
    if (line->words[0].left < r->table.left[COLUMN_ASSET] - SLACK ||
        line->words[0].left > r->table.left[COLUMN_ASSET] + SLACK)
        return CELL_COUNT;
    size_t n = 0;
    while (n < line->count && n < LABEL_WORDS_MAX && !str_ends(line->words[n].text, STR(":")))
        n++;
    if (n == line->count || n == LABEL_WORDS_MAX)
        return CELL_COUNT;
    struct str text = house_line_text(line, 0, n + 1, r->arena);
    enum cell found = house_label_cell(house_label_letters(r->arena, text));
    *ret_words = n + 1;
    if (found != CELL_COUNT && str_is_null(r->mixed) && house_label_mixes_case(text))
        r->mixed = text;
    return found;
}

static enum reading_status status_of(struct str text)
{
    if (str_eq_nocase(text, STR("Amended")))
        return READING_AMENDED;
    return str_eq_nocase(text, STR("Deleted")) ? READING_DELETED : READING_NEW;
}

static void add_detail(
    struct house_ptr_reader *r, const struct house_line *line, enum cell label, size_t from)
{
    struct reading_row *row = current(r);
    struct str text = house_line_text(line, from, line->count, r->arena);
    if (label == CELL_STATUS) {
        r->status_lines++;
        row->status = status_of(text);
    }
    r->detail = label;
    append(r, &row->cell[label], text);
}

/* --- lines of the document */

static bool ends_table(struct house_ptr_reader *r, const struct house_line *line)
{
    const struct house_word *first = &line->words[0];
    bool heading = first->bottom - first->top >= HEADING_HEIGHT && first->left < LEFT_MARGIN_MAX;
    return heading || house_label_begins(line_text(r, line), STR("* For the complete list"));
}

/* Check boxes of older forms are letters of a symbol font, taller than the line. They form separate
 * lines, right of the last column's edge. */
static bool is_boxes(const struct house_ptr_reader *r, const struct house_line *line)
{
    return column_of(&r->table, &line->words[0]) == COLUMN_GAINS;
}

static void read_table_line(struct house_ptr_reader *r, const struct house_line *line)
{
    size_t label_words = 0;
    if (is_boxes(r, line)) {
        house_box_take(r->boxes, line, 0);
        return;
    }
    if (begins_row(r, line)) {
        begin_row(r, line);
        add_cells(r, line);
        return;
    }
    if (!current(r))
        return;
    extend_place(r, line);
    enum cell label = find_label(r, line, &label_words);
    if (label != CELL_COUNT)
        add_detail(r, line, label, label_words);
    else if (r->detail != CELL_COUNT)
        append(r, &current(r)->cell[r->detail], line_text(r, line));
    else
        add_cells(r, line);
}

/* "Name: ...", "Status: ...": the text after the label. */
static void take_field(
    struct house_ptr_reader *r, struct str text, struct str label, struct str *field)
{
    if (str_is_null(*field) && text.n > label.n && house_label_begins(text, label))
        *field = str_trim(str_slice(text, label.n, text.n));
}

/* "Digitally Signed: Hon. Robin Vale , 03/08/2017" */
static void take_signature(struct house_ptr_reader *r, struct str text)
{
    static const struct str label = STR_INIT("Digitally Signed:");
    if (!house_label_begins(text, label))
        return;
    r->signatures++;
    for (size_t i = text.n; i > label.n; i--)
        if (text.p[i - 1] == ',') {
            r->out->filed = str_trim(str_slice(text, i, text.n));
            return;
        }
}

static const struct str filing_id_label = STR_INIT("Filing ID #");

static void take_filing_id(struct house_ptr_reader *r, struct str text)
{
    ptrdiff_t at = house_label_find(text, filing_id_label);
    if (at < 0)
        return;
    struct str id = str_trim(str_slice(text, (size_t)at + filing_id_label.n, text.n));
    if (str_is_null(r->out->document_id))
        r->out->document_id = id;
    else if (!str_eq(r->out->document_id, id) && str_is_null(r->second_id))
        r->second_id = id;
}

static void read_other_line(struct house_ptr_reader *r, const struct house_line *line)
{
    struct str text = line_text(r, line);
    bool title = house_label_is_title(house_label_letters(r->arena, text));
    r->titles += title;
    if (line->page == 1 && !r->titled && str_is_null(r->out->filer))
        r->titled = title;
    r->of_clerk |= house_label_find(text, STR("Clerk of the House")) >= 0;
    take_filing_id(r, text);
    take_field(r, text, STR("Name:"), &r->out->filer);
    take_field(r, text, STR("Status:"), &r->out->filer_status);
    struct str before = r->out->state_district;
    take_field(r, text, STR("State/District:"), &r->out->state_district);
    if (str_is_null(before) && !str_is_null(r->out->state_district))
        r->out->state_district = house_label_upper(r->arena, r->out->state_district);
    take_signature(r, text);
}

static void read_lines(struct house_ptr_reader *r)
{
    bool in_header = false, in_table = false;
    for (size_t i = 0; i < r->text.line_count; i++) {
        const struct house_line *line = &r->text.lines[i];
        if (i && line->page != line[-1].page && !r->ended)
            in_table = r->table.found && in_table;
        if (!r->ended && read_header(r, line)) {
            in_header = in_table = true;
            continue;
        }
        in_header = in_header && is_header_rest(line);
        if (in_header)
            continue;
        if (in_table && ends_table(r, line)) {
            in_table = false;
            r->ended = true;
        }
        if (in_table && house_label_find(line_text(r, line), filing_id_label) < 0)
            read_table_line(r, line);
        else
            read_other_line(r, line);
    }
}

/* --- the result */

static void refuse(struct reading *r, const char *reason)
{
    r->kind = READING_REFUSED;
    r->reason = str_from(reason);
    r->row_count = 0;
}

static const struct str file_states[PDF_STATE_COUNT] = {
    [PDF_UNEXAMINED] = STR_INIT("the structure of the PDF could not be examined"),
    [PDF_CUT_OFF] = STR_INIT("the end of the PDF is missing"),
    [PDF_ENCRYPTED] = STR_INIT("the PDF is encrypted with a password"),
    [PDF_DAMAGED] = STR_INIT("the PDF is damaged"),
};

static struct str second_report(const struct house_ptr_reader *r)
{
    struct arena *a = r->arena;
    if (!str_is_null(r->second_id))
        return arena_fmt(a, "another Filing ID is printed: %.*s", STR_ARG(r->second_id));
    if (r->titles > 1)
        return arena_fmt(a, "the title is printed %d times", r->titles);
    if (r->signatures > 1)
        return arena_fmt(a, "%d signatures", r->signatures);
    return r->facts->restart
               ? arena_fmt(a, "page %d does not continue the page before", r->facts->restart)
               : STR_NULL;
}

/* The checks for a file that is not one whole report. */
static void check_file(struct house_ptr_reader *r)
{
    const struct pdf_facts *facts = r->facts;
    struct str second = second_report(r);
    reading_check_add(
        r->out, STR("file_whole"), facts->state == PDF_OPEN, file_states[facts->state]);
    reading_check_add(
        r->out, STR("pages_whole"), facts->gap == 0,
        facts->gap
            ? arena_fmt(
                  r->arena, "a page is missing before page %d of %d", facts->gap, facts->pages)
            : STR_NULL);
    reading_check_add(r->out, STR("one_report"), str_is_null(second), second);
}

static void check(struct house_ptr_reader *r)
{
    struct reading *out = r->out;
    struct arena *a = r->arena;
    check_file(r);
    reading_check_add(
        out, STR("rows_found"), out->row_count > 0 && out->row_count < READING_ROWS_MAX,
        arena_fmt(a, out->row_count == 1 ? "%zu row" : "%zu rows", out->row_count));
    reading_check_add(
        out, STR("status_lines_equal_rows"), (size_t)r->status_lines == out->row_count,
        arena_fmt(a, "rows: %zu, status lines: %d", out->row_count, r->status_lines));
    reading_check_add(
        out, STR("filing_id_printed"), !str_is_null(out->document_id), out->document_id);
    reading_check_add(out, STR("signed"), !str_is_null(out->filed), out->filed);
    reading_check_add(out, STR("name_printed"), !str_is_null(out->filer), out->filer);
    reading_check_add(out, STR("letter_case"), str_is_null(r->mixed), r->mixed);
    reading_check_add(
        out, STR("table_ended"), r->ended,
        r->ended ? STR_NULL : STR("the end of the table was not found"));
}

/* The stored asset is kept where its letter case is not the page's. */
static void drop_equal_assets(struct house_ptr_reader *r)
{
    for (size_t i = 0; i < r->out->row_count; i++)
        if (str_eq(r->rows[i].cell[CELL_ASSET], r->rows[i].cell[CELL_ASSET_STORED]))
            r->rows[i].cell[CELL_ASSET_STORED] = STR_NULL;
}

size_t house_ptr_places(struct str bbox, struct arena *arena, struct house_place **ret)
{
    struct reading reading = {.kind = READING_HOUSE_PTR};
    struct house_ptr_reader r = {
        .arena = arena,
        .out = &reading,
        .boxes = ARENA_NEW(arena, struct pdf_boxes),
        .detail = CELL_COUNT};
    if (!house_words(bbox, false, arena, &r.text))
        return 0;
    read_lines(&r);
    *ret = r.places;
    return reading.row_count;
}

void house_ptr_read(
    struct str bbox, const struct pdf_facts *facts, struct arena *arena, struct reading *ret)
{
    struct house_ptr_reader r = {
        .arena = arena,
        .facts = facts,
        .out = ret,
        .repaired = facts->capitals > 0,
        .boxes = ARENA_NEW(arena, struct pdf_boxes),
        .detail = CELL_COUNT,
    };
    *ret = (struct reading){.kind = READING_HOUSE_PTR};
    *r.boxes = facts->boxes;
    bool readable = house_words(bbox, r.repaired, arena, &r.text);
    bool whole = facts->state == PDF_OPEN || facts->state == PDF_UNEXAMINED;
    if (!readable || (r.text.line_count == 0 && !whole)) {
        ret->kind = READING_REFUSED;
        ret->reason = whole ? STR("the PDF cannot be read") : file_states[facts->state];
        return;
    }
    if (r.text.line_count == 0) {
        ret->kind = READING_HOUSE_SCAN;
        ret->reason = STR("the pages are pictures without text");
        return;
    }
    read_lines(&r);
    ret->rows = r.rows;
    for (size_t i = 0; i < ret->row_count; i++)
        r.rows[i].cell[CELL_CAP_GAINS] =
            house_box_text(r.boxes, &r.places[i], r.table.left[COLUMN_GAINS] - SLACK);
    drop_equal_assets(&r);
    if (!r.titled && !r.of_clerk)
        refuse(ret, "this PDF is not a form of the Clerk of the House");
    else if (!r.titled)
        refuse(ret, "this is another form, not a periodic transaction report");
    else
        check(&r);
}

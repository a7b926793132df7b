/* Readings as JSON, both ways; see reading.h. The parent does not trust the child: it checks the
 * size of every text, rejects line ends and tabs, and checks the bounds of every number. Hidden
 * characters stay, other control bytes included: reading_hidden.h finds them, and every output
 * escapes them. */
#include "paper/reading.h"

#include <assert.h>

#include "base/hidden.h"
#include "paper/cell/cells.h"

static const struct str kind_names[READING_KIND_COUNT] = {
    [READING_REFUSED] = STR_INIT("refused"),
    [READING_UNREADABLE] = STR_INIT("unreadable"),
    [READING_HOUSE_PTR] = STR_INIT("house-ptr"),
    [READING_HOUSE_SCAN] = STR_INIT("house-scan"),
    [READING_SENATE_SCAN] = STR_INIT("senate-scan"),
    [READING_SENATE_PTR] = STR_INIT("senate-ptr"),
    [READING_SENATE_PAPER] = STR_INIT("senate-paper"),
    [READING_HOUSE_INDEX] = STR_INIT("house-index"),
};

static const struct str status_names[READING_STATUS_COUNT] = {
    [READING_NEW] = STR_INIT("new"),
    [READING_AMENDED] = STR_INIT("amended"),
    [READING_DELETED] = STR_INIT("deleted"),
};

/* The text fields of a reading and of an index entry: name and offset. */
struct text_member {
    const char *name;
    size_t offset;
};

#define READING_TEXT(member)                                                                       \
    {                                                                                              \
#member, offsetof(struct reading, member)                                                  \
    }
#define ENTRY_TEXT(member)                                                                         \
    {                                                                                              \
#member, offsetof(struct reading_entry, member)                                            \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct text_member reading_texts[] = {
    READING_TEXT(reason),     READING_TEXT(document_id),  READING_TEXT(filer),
    READING_TEXT(filer_name), READING_TEXT(filer_status), READING_TEXT(state_district),
    READING_TEXT(filed),      READING_TEXT(report_date),
};

static const struct text_member entry_texts[] = {
    ENTRY_TEXT(prefix), ENTRY_TEXT(last),        ENTRY_TEXT(first),
    ENTRY_TEXT(suffix), ENTRY_TEXT(filing_type), ENTRY_TEXT(state_district),
    ENTRY_TEXT(year),   ENTRY_TEXT(filing_date), ENTRY_TEXT(document_id),
};

static struct str *text_of(void *object, const struct text_member *member)
{
    return (struct str *)((char *)object + member->offset);
}

static bool text_at(
    const void *object, const struct text_member *members, size_t count, size_t number,
    struct str *ret_name, struct str *ret_text)
{
    if (number >= count)
        return false;
    *ret_name = str_from(members[number].name);
    *ret_text = *text_of((void *)(uintptr_t)object, &members[number]);
    return true;
}

/* The text with this number of the reading's head, or of an entry, with its name in the JSON; the
 * rows have their own. false: there are no more. */
static bool reading_text_at(
    const struct reading *reading, size_t number, struct str *ret_name, struct str *ret_text)
{
    return text_at(reading, reading_texts, COUNT(reading_texts), number, ret_name, ret_text);
}

static bool reading_entry_text_at(
    const struct reading_entry *entry, size_t number, struct str *ret_name, struct str *ret_text)
{
    return text_at(entry, entry_texts, COUNT(entry_texts), number, ret_name, ret_text);
}

void reading_check_add(struct reading *r, struct str name, bool passed, struct str detail)
{
    assert(r->check_count < SELF_CHECKS_MAX);
    r->checks[r->check_count++] =
        (struct self_check){.name = name, .passed = passed, .detail = detail};
}

bool reading_is_scan(const struct reading *reading)
{
    return reading->kind == READING_HOUSE_SCAN || reading->kind == READING_SENATE_SCAN;
}

/* Writing */

static void put_text(struct json_out *j, const char *name, struct str text)
{
    if (str_is_null(text))
        return;
    json_key(j, str_from(name));
    json_str(j, text);
}

void reading_row_put(struct buf *b, const struct reading_row *row)
{
    cells_put(b, row->cell);
}

/* Only on scanned pages: the JSON of other documents is as it always was. */
static void put_place(struct json_out *j, const struct reading_row *row)
{
    if (!row->source)
        return;
    JSON_KEY_OBJECT(j, "place");
    JSON_KEY_I64(j, "left", row->place.left);
    JSON_KEY_I64(j, "top", row->place.top);
    JSON_KEY_I64(j, "width", row->place.width);
    JSON_KEY_I64(j, "height", row->place.height);
    json_object_end(j);
    json_key(j, STR("sources"));
    cell_sources_put(j, row->source);
}

static void put_second(struct json_out *j, const struct reading_row *row)
{
    if (!row->second)
        return;
    json_key(j, STR("second"));
    cells_put_value(j, row->second);
}

static void put_rows(struct json_out *j, const struct reading *r)
{
    JSON_KEY_ARRAY(j, "rows");
    for (size_t i = 0; i < r->row_count; i++) {
        json_object_begin(j);
        JSON_KEY_I64(j, "row", r->rows[i].row);
        JSON_KEY_I64(j, "page", r->rows[i].page);
        JSON_KEY_STR(j, "status", status_names[r->rows[i].status]);
        json_key(j, STR("cells"));
        cells_put_value(j, r->rows[i].cell);
        put_second(j, &r->rows[i]);
        put_place(j, &r->rows[i]);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_pages(struct json_out *j, const struct reading *r)
{
    if (!r->page_count)
        return;
    JSON_KEY_ARRAY(j, "pages");
    for (size_t i = 0; i < r->page_count; i++) {
        const struct reading_page *page = &r->pages[i];
        json_object_begin(j);
        JSON_KEY_I64(j, "page", page->page);
        JSON_KEY_I64(j, "turn", page->turn);
        JSON_KEY_I64(j, "skew", page->skew);
        put_text(j, "form", page->form);
        put_text(j, "reason", page->reason);
        json_object_end(j);
    }
    json_array_end(j);
}

static void put_entries(struct json_out *j, const struct reading *r)
{
    JSON_KEY_ARRAY(j, "entries");
    for (size_t i = 0; i < r->entry_count; i++) {
        json_object_begin(j);
        for (size_t t = 0; t < COUNT(entry_texts); t++)
            put_text(j, entry_texts[t].name, *text_of(&r->entries[i], &entry_texts[t]));
        json_object_end(j);
    }
    json_array_end(j);
}

void reading_put(struct buf *b, const struct reading *r)
{
    struct reading copy = *r;
    struct json_out j;
    json_init(&j, b);
    json_array_begin(&j);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "kind", kind_names[r->kind]);
    for (size_t t = 0; t < COUNT(reading_texts); t++)
        put_text(&j, reading_texts[t].name, *text_of(&copy, &reading_texts[t]));
    JSON_KEY_I64(&j, "amendment", r->amendment);
    json_key(&j, STR("checks"));
    self_check_put(&j, r->checks, r->check_count);
    put_rows(&j, r);
    put_pages(&j, r);
    put_entries(&j, r);
    json_object_end(&j);
    json_array_end(&j);
}

/* Reading back */

static struct str get_text(
    struct json_in *j, const json_t *object, const char *name, struct arena *arena)
{
    struct str text = json_in_opt_str(j, object, name);
    if (text.n > READING_CELL_SIZE_MAX) {
        json_in_complain(j, "\"%s\" is too long", name);
        return STR_NULL;
    }
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\n' || text.p[i] == '\r' || text.p[i] == '\t') {
            json_in_complain(j, "\"%s\" holds a line end or a tab", name);
            return STR_NULL;
        }
    return arena_str(arena, text);
}

static int get_int(struct json_in *j, const json_t *object, const char *name, int min, int max)
{
    int64_t value = json_in_opt_i64(j, object, name, (int64_t)min - 1);
    if (value < min || value > max) {
        json_in_complain(j, "\"%s\" is not between %d and %d", name, min, max);
        return min;
    }
    return (int)value;
}

/* Returns the index of the word; 0 after a complaint. */
static int get_word(
    struct json_in *j, const json_t *object, const char *name, const struct str *words, int count)
{
    struct str text = json_in_str(j, object, name);
    for (int i = 0; i < count; i++)
        if (str_eq(words[i], text))
            return i;
    json_in_complain(j, "\"%s\" has an unknown value", name);
    return 0;
}

static size_t get_count(struct json_in *j, const json_t *array, const char *name, size_t max)
{
    size_t count = json_array_size(array);
    if (count > max) {
        json_in_complain(j, "more than %zu %s", max, name);
        return 0;
    }
    return count;
}

static void get_checks(
    struct json_in *j, const json_t *object, struct arena *arena, struct reading *ret)
{
    const json_t *array = json_in_array(j, object, "checks");
    size_t count = get_count(j, array, "checks", SELF_CHECKS_READ_MAX);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *check = json_in_element(j, array, i, "a check");
        struct str name = get_text(j, check, "name", arena);
        bool passed = json_in_bool(j, check, "passed");
        reading_check_add(ret, name, passed, get_text(j, check, "detail", arena));
    }
}

static void get_place(
    struct json_in *j, const json_t *element, struct arena *arena, struct reading_row *ret)
{
    if (!json_object_get(element, "place"))
        return;
    const json_t *place = json_in_object(j, element, "place");
    ret->place = (struct page_place){
        .left = get_int(j, place, "left", 0, PAGE_PLACE_WHOLE),
        .top = get_int(j, place, "top", 0, PAGE_PLACE_WHOLE),
        .width = get_int(j, place, "width", 0, PAGE_PLACE_WHOLE),
        .height = get_int(j, place, "height", 0, PAGE_PLACE_WHOLE),
    };
    if (!page_place_is_valid(&ret->place))
        json_in_complain(j, "\"place\" is not on the page");
    struct cell_source *source = ARENA_ARRAY(arena, struct cell_source, CELL_COUNT);
    cell_sources_get(j, json_in_object(j, element, "sources"), arena, source);
    ret->source = source;
    for (int c = 0; c < CELL_COUNT; c++)
        if (source[c].how == CELL_ENTERED)
            json_in_complain(j, "no person has entered a cell yet");
}

static void get_second(
    struct json_in *j, const json_t *element, struct arena *arena, struct reading_row *ret)
{
    if (!json_object_get(element, "second"))
        return;
    const json_t *cells = json_in_object(j, element, "second");
    struct str *second = ARENA_ARRAY(arena, struct str, CELL_COUNT);
    for (int c = 0; c < CELL_COUNT; c++)
        second[c] = get_text(j, cells, cell_name((enum cell)c).p, arena);
    ret->second = second;
}

static void get_rows(
    struct json_in *j, const json_t *object, struct arena *arena, struct reading *ret)
{
    const json_t *array = json_in_array(j, object, "rows");
    size_t count = get_count(j, array, "rows", READING_ROWS_MAX);
    ret->rows = ARENA_ARRAY(arena, struct reading_row, count + 1);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *element = json_in_element(j, array, i, "a row");
        struct reading_row *row = &ret->rows[ret->row_count++];
        row->row = get_int(j, element, "row", 1, READING_ROWS_MAX);
        row->page = get_int(j, element, "page", 0, READING_ROWS_MAX);
        row->status =
            (enum reading_status)get_word(j, element, "status", status_names, COUNT(status_names));
        const json_t *cells = json_in_object(j, element, "cells");
        for (int c = 0; c < CELL_COUNT; c++)
            row->cell[c] = get_text(j, cells, cell_name((enum cell)c).p, arena);
        get_second(j, element, arena, row);
        get_place(j, element, arena, row);
        if (i && row->row <= row[-1].row)
            json_in_complain(j, "rows are not in order");
    }
}

static int get_turn(struct json_in *j, const json_t *element)
{
    enum { QUARTER = 90 };
    int turn = get_int(j, element, "turn", 0, 3 * QUARTER);
    if (turn % QUARTER)
        json_in_complain(j, "\"turn\" is not a quarter of a circle");
    return turn;
}

static void get_pages(
    struct json_in *j, const json_t *object, struct arena *arena, struct reading *ret)
{
    const json_t *array = json_in_opt_array(j, object, "pages");
    size_t count = get_count(j, array, "pages", READING_PAGES_MAX);
    ret->pages = ARENA_ARRAY(arena, struct reading_page, count + 1);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *element = json_in_element(j, array, i, "a page");
        struct reading_page *page = &ret->pages[ret->page_count++];
        page->page = get_int(j, element, "page", 1, READING_PAGES_MAX);
        page->turn = get_turn(j, element);
        page->skew = get_int(j, element, "skew", -READING_SKEW_MAX, READING_SKEW_MAX);
        page->form = get_text(j, element, "form", arena);
        page->reason = get_text(j, element, "reason", arena);
        if (page->form.n > READING_FORM_MAX)
            json_in_complain(j, "\"form\" is too long");
        if (i && page->page <= page[-1].page)
            json_in_complain(j, "pages are not in order");
    }
}

static void get_entries(
    struct json_in *j, const json_t *object, struct arena *arena, struct reading *ret)
{
    const json_t *array = json_in_array(j, object, "entries");
    size_t count = get_count(j, array, "entries", READING_ENTRIES_MAX);
    ret->entries = ARENA_ARRAY(arena, struct reading_entry, count + 1);
    for (size_t i = 0; i < count && !j->err; i++) {
        const json_t *element = json_in_element(j, array, i, "an entry");
        struct reading_entry *entry = &ret->entries[ret->entry_count++];
        for (size_t t = 0; t < COUNT(entry_texts); t++)
            *text_of(entry, &entry_texts[t]) = get_text(j, element, entry_texts[t].name, arena);
    }
}

enum err reading_parse(struct str json, struct arena *arena, struct reading *ret, struct fail *fail)
{
    SCOPED(json_in_close) struct json_in j = {.root = NULL};
    if (json.n > READING_INDEX_SIZE_MAX)
        return fail_set(fail, ERR_INVALID, "the reading is too large");
    enum err err = json_in_open(&j, STR("reading"), json, fail);
    if (err)
        return err == ERR_LIMIT ? ERR_INVALID : err;
    *ret = (struct reading){.kind = READING_REFUSED};
    j.record = 1;
    if (json_array_size(j.root) != 1)
        json_in_complain(&j, "expected exactly one reading");
    const json_t *object = json_in_element(&j, j.root, 0, "the reading");
    ret->kind = (enum reading_kind)get_word(&j, object, "kind", kind_names, READING_KIND_COUNT);
    for (size_t t = 0; t < COUNT(reading_texts); t++)
        *text_of(ret, &reading_texts[t]) = get_text(&j, object, reading_texts[t].name, arena);
    ret->amendment = get_int(&j, object, "amendment", 0, READING_ROWS_MAX);
    get_checks(&j, object, arena, ret);
    get_rows(&j, object, arena, ret);
    get_pages(&j, object, arena, ret);
    get_entries(&j, object, arena, ret);
    return j.err;
}

/* The search for hidden characters in readings. */

enum { PLACES_SHOWN_MAX = 4, DETAIL_SIZE_MAX = 1000 };

static const struct str check_name = STR_INIT("no_hidden_characters");

struct hidden_places {
    struct buf text;
    size_t count;
};

/* `row`: 0 for the head of the document. */
static void look(struct hidden_places *p, int row, struct str name, struct str text)
{
    char space[HIDDEN_NAME_SIZE];
    int32_t hidden = hidden_in(text);
    if (hidden == HIDDEN_NONE || ++p->count > PLACES_SHOWN_MAX)
        return;
    if (p->count > 1)
        buf_text(&p->text, ", ");
    if (row)
        buf_fmt(&p->text, "row %d ", row);
    buf_fmt(&p->text, "%.*s: %.*s", STR_ARG(name), STR_ARG(hidden_name(hidden, space)));
}

static struct str places_text(struct hidden_places *p, struct arena *arena)
{
    if (p->count > PLACES_SHOWN_MAX)
        buf_fmt(&p->text, " and %zu more", p->count - PLACES_SHOWN_MAX);
    struct str text = p->count ? arena_str(arena, buf_view(&p->text)) : STR_NULL;
    buf_finish(&p->text);
    return text;
}

/* The reader has found some that no text shows. */
static bool is_checked(const struct reading *reading)
{
    for (size_t i = 0; i < reading->check_count; i++)
        if (str_eq(reading->checks[i].name, check_name))
            return true;
    return false;
}

void reading_hidden_check(struct reading *reading, struct str filer, struct arena *arena)
{
    struct hidden_places p = {.count = 0};
    struct str name, text;
    buf_init(&p.text, DETAIL_SIZE_MAX);
    for (size_t i = 0; reading_text_at(reading, i, &name, &text); i++)
        look(&p, 0, name, text);
    look(&p, 0, STR("filer of the index"), filer);
    for (size_t i = 0; i < reading->row_count; i++)
        for (int c = 0; c < CELL_COUNT; c++)
            look(&p, reading->rows[i].row, cell_name((enum cell)c), reading->rows[i].cell[c]);
    struct str found = places_text(&p, arena);
    if (!str_is_null(found) || (reading->check_count && !is_checked(reading)))
        reading_check_add(reading, check_name, str_is_null(found), found);
}

struct str reading_hidden_entry(const struct reading *reading, struct arena *arena)
{
    struct str name, text;
    for (size_t i = 0; i < reading->entry_count; i++)
        for (size_t t = 0; reading_entry_text_at(&reading->entries[i], t, &name, &text); t++) {
            struct hidden_places p = {.count = 0};
            buf_init(&p.text, DETAIL_SIZE_MAX);
            look(&p, 0, name, text);
            struct str found = places_text(&p, arena);
            if (!str_is_null(found))
                return arena_fmt(
                    arena, "%.*s %.*s", STR_ARG(reading->entries[i].document_id), STR_ARG(found));
        }
    return STR_NULL;
}

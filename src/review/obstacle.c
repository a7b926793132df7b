/* Finds what keeps a draft from being accepted; see obstacle.h. */
#include "review/obstacle.h"

#include "address/official_url.h"
#include "base/hidden.h"
#include "review/review_words.h"
#include "review/unread.h"
#include "store/desk/draft_history.h"
#include "store/public/filing.h"

/* Rows of drafts on paper. */

static bool row_is_of_paper(const struct draft_row_stored *row)
{
    return !str_is_null(row->sources) || str_is_null(row->printed);
}

bool row_date_is_entered(const struct draft_row_stored *row, struct arena *arena)
{
    struct cell_source sources[CELL_COUNT];
    return cell_sources_read(row->sources, arena, sources) &&
           sources[CELL_DATE].how == CELL_ENTERED;
}

static void add(struct obstacle_list *list, struct obstacle obstacle)
{
    list->items[list->count++] = obstacle;
}

struct str obstacle_proposed_url(const struct draft *draft, struct arena *arena)
{
    if (!str_is_null(draft->is.url) || str_is_null(draft->is.source_doc_id))
        return STR_NULL;
    if (draft->is.chamber == CHAMBER_SENATE)
        return official_url_senate(arena, draft->is.manual, draft->is.source_doc_id);
    if (draft->is.filed_at == INSTANT_NONE)
        return STR_NULL;
    return official_url_house(
        arena, day_year(instant_day_new_york(draft->is.filed_at)), draft->is.source_doc_id);
}

static void find_missing(const struct draft *d, struct arena *arena, struct obstacle_list *list)
{
    struct str url = obstacle_proposed_url(d, arena);
    if (str_is_null(d->is.politician_id))
        add(list, (struct obstacle){
                      .kind = OBSTACLE_FILER,
                      .what = STR("the filer is not known"),
                      .remedy = STR("name the member who filed it")});
    if (d->is.filed_at == INSTANT_NONE)
        add(list, (struct obstacle){
                      .kind = OBSTACLE_FILED_AT,
                      .what = STR("the filing date is not known"),
                      .remedy = STR("enter it")});
    if (str_is_null(d->is.url))
        add(list, (struct obstacle){
                      .kind = OBSTACLE_URL,
                      .name = str_is_null(url) ? STR("URL") : url,
                      .what = STR("the address of the official document is not known"),
                      .remedy = str_is_null(url) ? STR("enter it")
                                                 : STR("open the proposed one, and confirm it")});
}

static void find_rows(const struct difference *d, struct arena *arena, struct obstacle_list *list)
{
    for (size_t i = 0; i < d->count; i++)
        if (d->items[i].kind == DIFFERENCE_OPEN)
            add(list, (struct obstacle){
                          .kind = OBSTACLE_OPEN_ROW,
                          .row = d->items[i].row->row,
                          .what = arena_fmt(arena, "row %d is open", d->items[i].row->row),
                          .remedy = STR("choose the trade that it refers to")});
    if (d->count == d->of_kind[DIFFERENCE_HELD] + d->of_kind[DIFFERENCE_NOTHING])
        add(list, (struct obstacle){
                      .kind = OBSTACLE_NO_ROW,
                      .what = STR("no row can be published"),
                      .remedy = STR("complete a row, or add one")});
}

static bool is_shown(const struct difference_item *item)
{
    return item->kind == DIFFERENCE_ADDED || item->kind == DIFFERENCE_CHANGED;
}

/* A trade without a date says that its filing states none. A reader of scans cannot know that, and
 * a person may have forgotten to type it: a person must have set the date of the row to none. The
 * source of a row of a scan shows that, and the history that of any other row. Two people who left
 * it out when they typed the paper have both said so. */
static bool lacks_date(const struct difference_item *item, struct arena *arena)
{
    return is_shown(item) && item->row->values.trade_date == DAY_NONE &&
           row_is_of_paper(item->row) && !row_date_is_entered(item->row, arena);
}

static void add_date(
    const struct draft_row_stored *row, struct arena *arena, struct obstacle_list *list)
{
    const char *what = str_is_null(row->sources) ? "row %d has no trade date"
                                                 : "the trade date of row %d was not read";
    add(list, (struct obstacle){
                  .kind = OBSTACLE_NO_DATE,
                  .row = row->row,
                  .name = row_field_name(ROW_TRADE_DATE),
                  .what = arena_fmt(arena, what, row->row),
                  .remedy = STR("type it, or say that the page states none")});
}

static enum err find_dates(
    struct db *db, const struct draft *draft, const struct difference *d, struct arena *arena,
    struct obstacle_list *list, struct fail *fail)
{
    bool *set = NULL; /* by row; read once a row needs it */
    if (!draft->is.manual || draft->entry == DRAFT_ENTRY_TWICE)
        return OK;
    for (size_t i = 0; i < d->count; i++) {
        const struct draft_row_stored *row = d->items[i].row;
        if (!lacks_date(&d->items[i], arena))
            continue;
        if (str_is_null(row->sources) && !set) {
            set = ARENA_ARRAY(arena, bool, DRAFT_ROW_MAX + 1);
            enum err err =
                draft_history_rows_set(db, draft->no, row_field_name(ROW_TRADE_DATE), set, fail);
            if (err)
                return err;
        }
        if (!str_is_null(row->sources) || !set[row->row])
            add_date(row, arena, list);
    }
    return OK;
}

static void find_hidden(const struct difference *d, struct arena *arena, struct obstacle_list *list)
{
    char space[HIDDEN_NAME_SIZE];
    enum row_field field;
    for (size_t i = 0; i < d->count; i++) {
        const struct difference_item *item = &d->items[i];
        int32_t hidden =
            is_shown(item) ? row_values_hidden(&item->row->values, &field) : HIDDEN_NONE;
        if (hidden == HIDDEN_NONE)
            continue;
        struct str name = row_field_name(field);
        add(list, (struct obstacle){
                      .kind = OBSTACLE_HIDDEN,
                      .row = item->row->row,
                      .name = name,
                      .what = arena_fmt(
                          arena, "%.*s of row %d has %.*s", STR_ARG(name), item->row->row,
                          STR_ARG(hidden_name(hidden, space))),
                      .remedy = STR("type what the document shows")});
    }
}

/* Publishing a draft neither changes the filer of a public filing nor brings back a withdrawn one.
 */
static enum err find_public(
    struct db *db, const struct draft *d, struct arena *arena, struct obstacle_list *list,
    struct fail *fail)
{
    struct filing_row filing;
    bool unread = false;
    enum err err = filing_find(db, d->is.filing_id, arena, &filing, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    if (filing.state == FILING_WITHDRAWN)
        err = unread_is(db, &filing, &unread, fail);
    if (err)
        return err;
    if (filing.state == FILING_WITHDRAWN && !unread)
        add(list, (struct obstacle){
                      .kind = OBSTACLE_WITHDRAWN,
                      .what = STR("it was published and withdrawn"),
                      .remedy = STR("reinstate it first")});
    struct str was = filing.filing.politician_id, is = d->is.politician_id;
    if (!str_is_null(is) && !str_eq(was, is))
        add(list, (struct obstacle){
                      .kind = OBSTACLE_OTHER_FILER,
                      .what = arena_fmt(
                          arena, "it is public as a filing of %.*s, but the draft names %.*s",
                          STR_ARG(was), STR_ARG(is)),
                      .remedy = STR("name the right member")});
    return OK;
}

static void find_entry(const struct draft *d, struct obstacle_list *list)
{
    if (d->entry == DRAFT_ENTRY_SECOND)
        add(list, (struct obstacle){
                      .kind = OBSTACLE_ENTRY,
                      .name = STR("second"),
                      .what = STR("the second entry is missing"),
                      .remedy = STR("another person types the filing without seeing the first")});
    if (d->entry == DRAFT_ENTRY_THIRD)
        add(list, (struct obstacle){
                      .kind = OBSTACLE_ENTRY,
                      .name = STR("third"),
                      .what = STR("the two entries differ"),
                      .remedy = STR("a person who typed neither decides")});
}

static void find_failed(
    const struct obstacle_query *query, struct arena *arena, struct obstacle_list *list)
{
    for (size_t i = 0; i < query->check_count; i++) {
        const struct self_check *check = &query->checks[i];
        if (!check->passed)
            add(list,
                (struct obstacle){
                    .kind = OBSTACLE_CHECK,
                    .name = check->name,
                    .what = arena_fmt(
                        arena, "the check \"%.*s\" failed",
                        STR_ARG(review_check_words(check->name))),
                    .remedy = STR("verify the document, then waive the check with a reason")});
    }
}

static struct obstacle_list make_list(size_t rows, size_t checks, struct arena *arena)
{
    return (struct obstacle_list){
        .items = ARENA_ARRAY(arena, struct obstacle, OBSTACLE_KIND_COUNT + 3 * rows + checks)};
}

enum err obstacles_find(
    struct db *db, const struct obstacle_query *query, struct arena *arena,
    struct obstacle_list *ret, struct fail *fail)
{
    *ret = make_list(query->difference->count, query->check_count, arena);
    find_missing(query->draft, arena, ret);
    find_rows(query->difference, arena, ret);
    TRY(find_dates(db, query->draft, query->difference, arena, ret, fail));
    find_hidden(query->difference, arena, ret);
    TRY(find_public(db, query->draft, arena, ret, fail));
    find_entry(query->draft, ret);
    find_failed(query, arena, ret);
    return OK;
}

enum err obstacle_refuse(const struct obstacle *obstacle, struct fail *fail)
{
    return fail_set(
        fail, ERR_REFUSED, "%.*s: %.*s", STR_ARG(obstacle->what), STR_ARG(obstacle->remedy));
}

enum err obstacle_check_values(
    struct db *db, const struct draft *draft, const struct difference *difference,
    struct arena *arena, struct fail *fail)
{
    struct obstacle_list list = make_list(difference->count, 0, arena);
    enum err err = find_dates(db, draft, difference, arena, &list, fail);
    find_hidden(difference, arena, &list);
    return !err && list.count ? obstacle_refuse(&list.items[0], fail) : err;
}

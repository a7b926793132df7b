/* /filings: the published filings, newest publication first. */
#include "site/handlers.h"

#include "html/table.h"
#include "site/filing_view.h"
#include "site/page_query.h"
#include "site/reader.h"

enum { ROWS = 25 };

static bool read_chamber(struct page_call *call, struct form *form, enum chamber *ret)
{
    struct str text = form_value(form, "chamber");
    *ret = str_is_null(text) ? CHAMBER_NONE : chamber_from_name(text);
    if (!str_is_null(text) && !*ret)
        form_fault_text(form, "chamber", "This must be house or senate.");
    return !form_is_faulty(form);
}

static void show_form(struct page_call *call)
{
    struct form_option options[] = {
        {STR(""), STR("Both")}, {STR("house"), STR("House")}, {STR("senate"), STR("Senate")}};
    form_show_choice(
        call->view, call->query_form, "chamber", STR(""), options,
        sizeof options / sizeof *options);
}

static void put_rows(struct page_call *call, enum chamber chamber, const struct cursor *after)
{
    static const struct table_column columns[] = {
        {"Filing", false},  {"Member", false}, {"Trades", true},    {"Of these", false},
        {"Symbols", false}, {"Filed", false},  {"Published", false}};
    MEM_UNFILLED struct feed_page page;
    const struct link_param filters[] = {{STR("chamber"), chamber_name(chamber)}};
    struct view *table = table_begin(
        call->view, "filings", columns, sizeof columns / sizeof *columns,
        "No filing is published yet.");
    rcu_read_begin();
    feed_filings(call->config->feed, chamber, reader_until(call), after, ROWS, &page);
    for (size_t i = 0; i < page.count; i++)
        filing_view_put(call, table_row(table), &page.rows[i]);
    rcu_read_end();
    page_cursor_links(call, table, STR("/filings"), filters, 1, page.more ? &page.next : NULL);
}

enum err filings_page_load(struct page_call *call, struct fail *fail)
{
    static const struct page_query_name names[] = {{"chamber", NULL}, {"cursor", NULL}};
    enum chamber chamber;
    struct cursor cursor;
    struct form *form = page_query_form(call, STR("/filings"), names, 2);
    if (!form)
        return OK;
    bool good = read_chamber(call, form, &chamber);
    struct str text = form_value(form, "cursor");
    if (!str_is_null(text) && !cursor_decode(text, CURSOR_FILINGS, &cursor)) {
        form_fault_text(
            form, NULL, "The address of this page is damaged. Begin again at the newest filings.");
        good = false;
    }
    show_form(call);
    if (good && !form_is_faulty(form))
        put_rows(call, chamber, str_is_null(text) ? NULL : &cursor);
    page_surrogate(call, "list", STR("filings"));
    page_alternate(call, "application/json", STR("/api/v1/filings"), "The same list as JSON");
    return OK;
}

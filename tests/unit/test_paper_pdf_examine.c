/*
 * The examination of the real House reports, where the machine has them: whole ones give no alarm,
 * and every page that is taken out of the middle is noticed. Then files that are not whole.
 */
#include "unit.h"

#include <dirent.h>
#include <stdlib.h>
#include <qpdf/qpdf-c.h>

#include "paper/pdf_examine.h"
#include "shared_data.h"

enum { COPY_MAX = 4 * 1024 * 1024, REPORTS_MAX = 1000 };

struct run {
    struct arena arena;
    struct str reports[REPORTS_MAX];
    size_t count;
};

static int setup(void **state)
{
    struct run *r = MEM_NEW(struct run);
    const char *shared = getenv("STOCKACT_SHARED"), *source = getenv("STOCKACT_SOURCE_ROOT");
    arena_init(&r->arena);
    *state = r;
    struct str folder =
        shared ? arena_fmt(&r->arena, "%s/data/house/ptr-pdf", shared)
               : arena_fmt(&r->arena, "%s/../shared/data/house/ptr-pdf", source ? source : ".");
    DIR *dir = opendir(folder.p);
    if (!dir) {
        fprintf(stderr, "skipped: no %s\n", folder.p);
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(dir)) && r->count < REPORTS_MAX;) {
        struct str name = str_from(entry->d_name);
        if (str_ends(name, STR(".pdf")))
            r->reports[r->count++] = shared_data_read(
                &r->arena, arena_fmt(&r->arena, "house/ptr-pdf/%.*s", STR_ARG(name)).p);
    }
    closedir(dir);
    assert_true(r->count > 0);
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;
    arena_finish(&r->arena);
    mem_free(r);
    return 0;
}

static struct pdf_facts examine(struct str bytes)
{
    struct pdf_facts facts;
    struct buf copy;
    buf_init(&copy, COPY_MAX);
    pdf_examine(bytes, &copy, &facts);
    assert_true((copy.n > 0) == (facts.capitals > 0));
    if (copy.n) {
        struct pdf_facts again;
        struct buf none;
        buf_init(&none, COPY_MAX);
        pdf_examine(buf_view(&copy), &none, &again);
        assert_int_equal(again.capitals, 0); /* nothing is left to repair */
        assert_int_equal(again.pages, facts.pages);
        buf_finish(&none);
    }
    buf_finish(&copy);
    return facts;
}

static void whole_reports_give_no_alarm(void **state)
{
    const struct run *r = *state;
    size_t repaired = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct pdf_facts facts = examine(r->reports[i]);
        assert_int_equal(facts.state, PDF_OPEN);
        assert_true(facts.pages > 0);
        assert_int_equal(facts.gap, 0);
        assert_int_equal(facts.restart, 0);
        repaired += facts.capitals > 0;
    }
    assert_true(r->count == 0 || (repaired > 0 && repaired < r->count));
}

/* The PDF without the page, numbered from 0; the null string: it has no such page. */
static struct str without_page(struct run *r, struct str bytes, int number)
{
    struct str ret = STR_NULL;
    qpdf_data pdf = qpdf_init();
    assert_false(qpdf_read_memory(pdf, "report", bytes.p, bytes.n, NULL) & QPDF_ERRORS);
    if (number < qpdf_get_num_pages(pdf)) {
        qpdf_remove_page(pdf, qpdf_get_page_n(pdf, (size_t)number));
        assert_false(qpdf_init_write_memory(pdf) & QPDF_ERRORS);
        assert_false(qpdf_write(pdf) & QPDF_ERRORS);
        ret = arena_str(
            &r->arena, str_of((const char *)qpdf_get_buffer(pdf), qpdf_get_buffer_length(pdf)));
    }
    qpdf_cleanup(&pdf);
    return ret;
}

static void every_page_missing_in_the_middle_is_noticed(void **state)
{
    struct run *r = *state;
    size_t removed = 0;
    for (size_t i = 0; i < r->count; i++) {
        int pages = examine(r->reports[i]).pages;
        for (int page = 0; page + 1 < pages; page++) {
            const struct pdf_facts facts = examine(without_page(r, r->reports[i], page));
            assert_int_equal(facts.pages, pages - 1);
            assert_int_equal(facts.gap, page + 1);
            removed++;
        }
    }
    assert_true(r->count == 0 || removed > 0);
}

/* The pages of both in one file. */
static struct str joined(struct run *r, struct str first, struct str second)
{
    qpdf_data one = qpdf_init(), two = qpdf_init();
    assert_false(qpdf_read_memory(one, "first", first.p, first.n, NULL) & QPDF_ERRORS);
    assert_false(qpdf_read_memory(two, "second", second.p, second.n, NULL) & QPDF_ERRORS);
    for (int i = 0; i < qpdf_get_num_pages(two); i++)
        assert_false(
            qpdf_add_page(one, two, qpdf_get_page_n(two, (size_t)i), QPDF_FALSE) & QPDF_ERRORS);
    assert_false(qpdf_init_write_memory(one) & QPDF_ERRORS);
    assert_false(qpdf_write(one) & QPDF_ERRORS);
    struct str ret = arena_str(
        &r->arena, str_of((const char *)qpdf_get_buffer(one), qpdf_get_buffer_length(one)));
    qpdf_cleanup(&one);
    qpdf_cleanup(&two);
    return ret;
}

static void second_report_behind_the_first_is_noticed(void **state)
{
    struct run *r = *state;
    for (size_t i = 0; i + 1 < r->count && i < 10; i++) {
        int pages = examine(r->reports[i]).pages;
        const struct pdf_facts facts = examine(joined(r, r->reports[i], r->reports[i + 1]));
        assert_int_equal(facts.state, PDF_OPEN);
        assert_int_equal(facts.restart, pages + 1);
    }
}

static void files_that_are_not_whole_are_told_apart(void **state)
{
    const struct run *r = *state;
    for (size_t i = 0; i < r->count && i < 10; i++) {
        struct str bytes = r->reports[i];
        assert_int_equal(examine(str_slice(bytes, 0, bytes.n / 2)).state, PDF_CUT_OFF);
        assert_int_equal(examine(str_slice(bytes, 0, 20)).state, PDF_CUT_OFF);
        assert_int_equal(examine(str_slice(bytes, bytes.n / 2, bytes.n)).state, PDF_DAMAGED);
    }
    assert_int_equal(examine(STR("")).state, PDF_CUT_OFF);
    assert_int_equal(examine(STR("%PDF-1.4\n%%EOF\n")).state, PDF_DAMAGED);
}

static void locked_file_is_encrypted(void **state)
{
    struct run *r = *state;
    if (r->count == 0)
        return;
    qpdf_data pdf = qpdf_init();
    assert_false(
        qpdf_read_memory(pdf, "report", r->reports[0].p, r->reports[0].n, NULL) & QPDF_ERRORS);
    assert_false(qpdf_init_write_memory(pdf) & QPDF_ERRORS);
    qpdf_set_r6_encryption_parameters2(
        pdf, "secret", "owner", QPDF_TRUE, QPDF_TRUE, QPDF_TRUE, QPDF_TRUE, QPDF_TRUE, QPDF_TRUE,
        qpdf_r3p_full, QPDF_TRUE);
    assert_false(qpdf_write(pdf) & QPDF_ERRORS);
    struct str bytes = str_of((const char *)qpdf_get_buffer(pdf), qpdf_get_buffer_length(pdf));
    assert_int_equal(examine(bytes).state, PDF_ENCRYPTED);
    qpdf_cleanup(&pdf);
}

static void impossible_findings_are_dropped(void **state)
{
    struct pdf_facts facts[] = {
        {.state = PDF_STATE_COUNT},
        {.state = -1},
        {.pages = -1},
        {.pages = 100000},
        {.gap = 10000},
        {.restart = -2},
        {.capitals = -1, .state = PDF_OPEN},
    };
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) {
        pdf_facts_check(&facts[i]);
        assert_memory_equal(&facts[i], &PDF_FACTS_NONE, sizeof facts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_reports_give_no_alarm),
        cmocka_unit_test(every_page_missing_in_the_middle_is_noticed),
        cmocka_unit_test(second_report_behind_the_first_is_noticed),
        cmocka_unit_test(files_that_are_not_whole_are_told_apart),
        cmocka_unit_test(locked_file_is_encrypted),
        cmocka_unit_test(impossible_findings_are_dropped),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

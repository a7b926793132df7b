/* Two captures of one paper have the same digest; different content has another. */
#include "unit.h"

#include <string.h>

#include "paper/content.h"

struct sample {
    struct reading reading;
    struct reading_row rows[2];
};

static struct sample sample(void)
{
    struct sample s = {
        .reading =
            {
                .kind = READING_SENATE_PTR,
                .filer = STR("The Honorable Dana Hollis"),
                .filed = STR("01/29/2024 @ 6:23 PM"),
                .report_date = STR("01/29/2024"),
                .row_count = 2,
            },
        .rows = {
            {.row = 1,
             .cell =
                 {
                     [CELL_ASSET] = STR("Harbor Tools"),
                     [CELL_ASSET_TYPE] = STR("Other Securities"),
                     [CELL_COMMENT] = STR("--"),
                 }},
            {.row = 2, .cell = {[CELL_ASSET] = STR("Another")}},
        }};
    return s;
}

static bool same(struct sample *a, struct sample *b)
{
    uint8_t one[SHA256_SIZE], two[SHA256_SIZE];
    a->reading.rows = a->rows;
    b->reading.rows = b->rows;
    content_digest(&a->reading, one);
    content_digest(&b->reading, two);
    return memcmp(one, two, sizeof one) == 0;
}

static void changed_wording_keeps_the_digest(void **state)
{
    struct sample a = sample(), b = sample();
    assert_true(same(&a, &b));
    b.reading.filer = STR("Dana Hollis");
    b.reading.filer_name = STR("Hollis, Dana");
    b.reading.filer_status = STR("Former Senator");
    b.rows[0].cell[CELL_ASSET_TYPE] = STR("Other");
    b.rows[0].cell[CELL_COMMENT] = STR_NULL;
    reading_check_add(&b.reading, STR("rows_total"), false, STR_NULL);
    assert_true(same(&a, &b));
}

static void changed_content_changes_the_digest(void **state)
{
    struct sample a = sample();
    for (int change = 0; change < 9; change++) {
        struct sample b = sample();
        switch (change) {
        case 0:
            b.reading.kind = READING_HOUSE_PTR;
            break;
        case 1:
            b.reading.filed = STR("01/30/2024 @ 6:23 PM");
            break;
        case 2:
            b.reading.amendment = 1;
            break;
        case 3:
            b.reading.row_count = 1;
            break;
        case 4:
            b.rows[0].cell[CELL_ASSET] = STR("Harbor Tool");
            break;
        case 5:
            b.rows[0].cell[CELL_ASSET_TYPE] = STR("Stock");
            break;
        case 6:
            b.rows[1].row = 3;
            break;
        case 7:
            b.rows[1].status = READING_DELETED;
            break;
        default: /* the same text in the next cell */
            b.rows[1].cell[CELL_ASSET_DETAIL] = b.rows[1].cell[CELL_ASSET];
            b.rows[1].cell[CELL_ASSET] = STR_NULL;
            break;
        }
        if (same(&a, &b))
            fail_msg("change %d is not seen", change);
    }
}

/* An unknown asset type is compared as printed. */
static void unknown_asset_types_differ_as_printed(void **state)
{
    struct sample a = sample(), b = sample();
    a.rows[0].cell[CELL_ASSET_TYPE] = STR("Tulips");
    b.rows[0].cell[CELL_ASSET_TYPE] = STR("Tulip Bulbs");
    assert_false(same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_wording_keeps_the_digest),
        cmocka_unit_test(changed_content_changes_the_digest),
        cmocka_unit_test(unknown_asset_types_differ_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

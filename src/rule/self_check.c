/* Self-checks: the table of all, and as JSON; see self_check.h. */
#include "rule/self_check.h"

#include <assert.h>

#include "base/json_in.h"

#define HOUSE (1U << SELF_CHECK_HOUSE)
#define SENATE (1U << SELF_CHECK_SENATE)
#define INDEX (1U << SELF_CHECK_INDEX)
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Every check, and the documents that must have it. */
static const struct {
    struct str name;
    unsigned needed_by;
} known[] = {
    {STR_INIT("file_whole"), HOUSE},
    {STR_INIT("pages_whole"), HOUSE},
    {STR_INIT("status_lines_equal_rows"), HOUSE},
    {STR_INIT("filing_id_printed"), HOUSE},
    {STR_INIT("signed"), HOUSE},
    {STR_INIT("table_ended"), HOUSE},
    {STR_INIT("letter_case"), HOUSE},
    {STR_INIT("one_report"), HOUSE | SENATE},
    {STR_INIT("rows_found"), HOUSE | SENATE},
    {STR_INIT("name_printed"), HOUSE | SENATE},
    {STR_INIT("second_reading"), HOUSE | SENATE},
    {STR_INIT("page_whole"), SENATE},
    {STR_INIT("one_table"), SENATE},
    {STR_INIT("rows_total"), SENATE},
    {STR_INIT("in_utf8"), SENATE},
    {STR_INIT("filed_printed"), SENATE},
    {STR_INIT("report_date_printed"), SENATE},
    {STR_INIT("rows_whole"), SENATE | INDEX},
    {STR_INIT("no_hidden_characters"), 0}, /* the ledger's own, as the four below */
    {STR_INIT("filing_id_of_file"), 0},    /* only if there is a name or an index */
    {STR_INIT("signed_on_filing_date"), 0},
    {STR_INIT("state_district_of_index"), 0},
    {STR_INIT("name_of_index"), 0},
};

static bool is_known(struct str name)
{
    for (size_t i = 0; i < COUNT(known); i++)
        if (str_eq(known[i].name, name))
            return true;
    return false;
}

static bool is_among(const struct self_check *checks, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq(checks[i].name, name))
            return true;
    return false;
}

void self_checks_complete(
    struct self_check checks[static SELF_CHECKS_MAX], size_t *count,
    enum self_check_document document)
{
    size_t recorded = *count;
    assert(recorded <= SELF_CHECKS_STORED_MAX);
    for (size_t i = 0; i < recorded; i++)
        if (checks[i].passed && !is_known(checks[i].name)) {
            checks[i].passed = false;
            checks[i].detail = STR("this version does not know the check");
        }
    for (size_t i = 0; i < COUNT(known); i++)
        if (known[i].needed_by & 1U << document && !is_among(checks, recorded, known[i].name)) {
            assert(*count < SELF_CHECKS_MAX);
            checks[(*count)++] = (struct self_check){
                .name = known[i].name, .detail = STR("its result is not recorded")};
        }
}

void self_check_put(struct json_out *j, const struct self_check *checks, size_t count)
{
    json_array_begin(j);
    for (size_t i = 0; i < count; i++) {
        json_object_begin(j);
        JSON_KEY_STR(j, "name", checks[i].name);
        JSON_KEY_BOOL(j, "passed", checks[i].passed);
        JSON_KEY_STR(j, "detail", checks[i].detail);
        json_object_end(j);
    }
    json_array_end(j);
}

static void read_one(
    struct json_in *j, const json_t *check, struct arena *arena, struct self_check *ret)
{
    ret->name = arena_str(arena, json_in_str(j, check, "name"));
    ret->passed = json_in_bool(j, check, "passed");
    ret->detail = arena_str(arena, json_in_opt_str(j, check, "detail"));
}

enum err self_check_parse(
    struct str json, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail)
{
    SCOPED(json_in_close) struct json_in j;
    struct fail why;
    if (json_in_open(&j, STR("self-checks"), json, &why))
        return fail_set(fail, ERR_CORRUPT, "%s", why.text);
    size_t count = json_array_size(j.root);
    if (count > SELF_CHECKS_STORED_MAX)
        json_in_complain(&j, "more than %d of them", SELF_CHECKS_STORED_MAX);
    for (size_t i = 0; i < count && !j.err; i++)
        read_one(&j, json_in_element(&j, j.root, i, "a self-check"), arena, &ret[i]);
    if (j.err)
        return fail_set(fail, ERR_CORRUPT, "%s", why.text);
    *ret_count = count;
    return OK;
}

/* A draft with what stands against its acceptance; see desk.h. */
#include "review/desk/desk.h"

#include "review/desk/desk_parts.h"
#include "review/reason.h"
#include "review/standing.h"

static bool is_waived(struct str despite, struct str name)
{
    struct str part;
    while (!str_is_null(despite) && str_split(&despite, ',', &part))
        if (str_eq(str_trim(part), name))
            return true;
    return false;
}

/* The self-checks of a draft as they are judged: of a draft that was read from a document, no check
 * is missing. A draft entered by hand needs none. */
static enum err read_checks(
    const struct draft *d, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail)
{
    struct fail why = {0};
    if (self_check_parse(d->is.checks, arena, ret, ret_count, &why))
        return fail_set(
            fail, ERR_CORRUPT,
            "the results of the checks of %.*s cannot be read: %s: restore the database from a "
            "backup",
            STR_ARG(d->is.filing_id), why.text);
    if (d->is.document_version && !d->is.manual)
        self_checks_complete(
            ret, ret_count, d->is.chamber == CHAMBER_HOUSE ? SELF_CHECK_HOUSE : SELF_CHECK_SENATE);
    return OK;
}

enum err desk_check_obstacles(
    struct desk_act *a, const struct difference *difference, struct str despite, struct str reason,
    struct fail *fail)
{
    struct self_check checks[SELF_CHECKS_MAX];
    struct obstacle_query query = {.draft = &a->draft, .difference = difference, .checks = checks};
    struct obstacle_list found = {.count = 0};
    TRY(read_checks(&a->draft, &a->arena, checks, &query.check_count, fail));
    TRY(obstacles_find(a->desk->db, &query, &a->arena, &found, fail));
    for (size_t i = 0; i < found.count; i++) {
        struct str name = found.items[i].name;
        if (found.items[i].kind == OBSTACLE_CHECK && str_eq(despite, DESK_CHECKS_WAIVED))
            continue;
        if (found.items[i].kind != OBSTACLE_CHECK || !is_waived(despite, name))
            return obstacle_refuse(&found.items[i], fail);
        TRY(reason_check(reason, fail));
        const struct draft_event event = {.action = STR("waive"), .field = name, .reason = reason};
        TRY(desk_note(a, event, fail));
    }
    return OK;
}

enum err desk_show(
    struct db *db, struct str filing_id, struct arena *arena, struct desk_view *ret,
    struct fail *fail)
{
    struct filing_row filing;
    TRY(draft_find(db, filing_id, arena, &ret->draft, fail));
    enum err err = filing_find(db, filing_id, arena, &filing, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    struct fail why = {0};
    if (read_checks(&ret->draft, arena, ret->checks, &ret->check_count, &why)) {
        ret->checks[0] = (struct self_check){
            .name = STR("readable"), .detail = arena_str(arena, str_from(why.text))};
        ret->check_count = 1;
    }
    ret->public_filed_at = err ? INSTANT_NONE : filing.filing.filed_at;
    err = standing_compare(db, &ret->draft, arena, &ret->rows, &ret->difference, fail);
    const struct obstacle_query query = {
        .draft = &ret->draft,
        .difference = &ret->difference,
        .checks = ret->checks,
        .check_count = ret->check_count,
    };
    return err ? err : obstacles_find(db, &query, arena, &ret->obstacles, fail);
}

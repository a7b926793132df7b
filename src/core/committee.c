/* Roles and titles; see committee.h. */
#include "core/committee.h"

static const struct str roles[SEAT_ROLE_COUNT] = {
    [SEAT_CHAIR] = STR_INIT("chair"),
    [SEAT_RANKING_MEMBER] = STR_INIT("ranking_member"),
    [SEAT_VICE_CHAIR] = STR_INIT("vice_chair"),
    [SEAT_MEMBER] = STR_INIT("member"),
};

struct str seat_role_name(enum seat_role role)
{
    return role > SEAT_NONE && role < SEAT_ROLE_COUNT ? roles[role] : STR_NULL;
}

enum seat_role seat_role_from_name(struct str name)
{
    for (int i = 1; i < SEAT_ROLE_COUNT; i++)
        if (str_eq(roles[i], name))
            return (enum seat_role)i;
    return SEAT_NONE;
}

/* Bodies whose own name says what they are. */
static bool names_itself(struct str name)
{
    static const struct str kinds[] = {
        STR_INIT("Subcommittee"), STR_INIT("Task Force"), STR_INIT("Panel"), STR_INIT("Select ")};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_starts(name, kinds[i]))
            return true;
    return false;
}

void subcommittee_title(struct buf *b, struct str name)
{
    if (!names_itself(name))
        buf_text(b, "Subcommittee on ");
    buf_str(b, name);
}

void committee_title(struct buf *b, struct str name, struct str parent)
{
    if (str_is_null(parent)) {
        buf_str(b, name);
        return;
    }
    subcommittee_title(b, name);
    buf_text(b, " of the ");
    buf_str(b, parent);
}

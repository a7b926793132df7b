/* Roles and titles; see committee.h. */
#include "market/committee.h"

#include "base/closed_list.h"

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

ENUM_FROM(seat_role_from_name, seat_role, roles[value], 1, SEAT_ROLE_COUNT, SEAT_NONE)

/* All other titles count as member. Ex officio: the leaders of a full committee on each of its
 * subcommittees. */
static const struct {
    struct str title;
    enum seat_role role;
} titles[] = {
    {STR_INIT("Chair"), SEAT_CHAIR},
    {STR_INIT("Chairman"), SEAT_CHAIR},
    {STR_INIT("Chairwoman"), SEAT_CHAIR},
    {STR_INIT("Chairperson"), SEAT_CHAIR},
    {STR_INIT("Cochair"), SEAT_CHAIR},
    {STR_INIT("Cochairman"), SEAT_CHAIR},
    {STR_INIT("Cochairwoman"), SEAT_CHAIR},
    {STR_INIT("Ranking Member"), SEAT_RANKING_MEMBER},
    {STR_INIT("Vice Chair"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Chairman"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Chairwoman"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Chairperson"), SEAT_VICE_CHAIR},
    {STR_INIT("Vice Ranking Member"), SEAT_MEMBER},
    {STR_INIT("Ex Officio"), SEAT_MEMBER},
    {STR_INIT("Member"), SEAT_MEMBER},
};

/* True if the texts are equal except for case, and for hyphens: "Vice-Chair" and "Co-Chairman" were
 * printed too. A hyphen stands for a space or for nothing. */
static bool is_title(struct str printed, struct str title)
{
    size_t k = 0;
    for (size_t i = 0; i < printed.n; i++) {
        bool hyphen = printed.p[i] == '-';
        bool fits = k < title.n && (ascii_lower(printed.p[i]) == ascii_lower(title.p[k]) ||
                                    (hyphen && title.p[k] == ' '));
        if (!fits && !hyphen)
            return false;
        k += fits;
    }
    return k == title.n;
}

bool seat_role_from_title(struct str title, enum seat_role *ret)
{
    *ret = SEAT_MEMBER;
    if (title.n == 0)
        return true;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (is_title(title, titles[i].title)) {
            *ret = titles[i].role;
            return true;
        }
    return false;
}

enum { PANEL_ID_SIZE = 6 };

enum chamber committee_id_chamber(struct str id)
{
    return !id.n            ? CHAMBER_NONE
           : id.p[0] == 'H' ? CHAMBER_HOUSE
           : id.p[0] == 'S' ? CHAMBER_SENATE
                            : CHAMBER_NONE;
}

bool committee_id_is_panel(struct str id)
{
    return id.n > COMMITTEE_ID_SIZE;
}

bool committee_id_is_appropriations(struct str id)
{
    return str_starts(id, STR("HSAP")) || str_starts(id, STR("SSAP"));
}

bool committee_id_valid(struct str id)
{
    if (id.n != COMMITTEE_ID_SIZE && id.n != PANEL_ID_SIZE)
        return false;
    for (size_t i = 0; i < id.n; i++)
        if (i < COMMITTEE_ID_SIZE ? id.p[i] < 'A' || id.p[i] > 'Z' : !ascii_is_digit(id.p[i]))
            return false;
    return true;
}

/* Bodies whose own name says what they are: "Ad Hoc Subcommittee on Contracting Oversight". */
static bool names_itself(struct str name)
{
    static const struct str kinds[] = {
        STR_INIT("Subcommittee"), STR_INIT("Task Force"), STR_INIT("Panel"),
        STR_INIT("Policy Study")};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (str_find(name, kinds[i]) >= 0)
            return true;
    return false;
}

/* Takes one of `words` off the beginning of the name, in any letter case: lists have "The Interior"
 * and "For Indigenous Peoples". Null: it begins with none. */
static struct str take_word(struct str *name, const struct str *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t n = words[i].n;
        if (name->n <= n + 1 || name->p[n] != ' ' ||
            !str_eq_nocase(str_slice(*name, 0, n), words[i]))
            continue;
        *name = str_slice(*name, n + 1, name->n);
        return words[i];
    }
    return STR_NULL;
}

void subcommittee_title(struct buf *b, struct str name)
{
    static const struct str prepositions[] = {STR_INIT("on"), STR_INIT("for"), STR_INIT("to")};
    static const struct str articles[] = {STR_INIT("the"), STR_INIT("a"), STR_INIT("an")};
    if (names_itself(name)) {
        buf_str(b, name);
        return;
    }
    struct str preposition =
        take_word(&name, prepositions, sizeof prepositions / sizeof *prepositions);
    struct str article = take_word(&name, articles, sizeof articles / sizeof *articles);
    buf_text(b, "Subcommittee ");
    buf_str(b, preposition.n ? preposition : prepositions[0]);
    buf_char(b, ' ');
    buf_str(b, article);
    buf_text(b, article.n ? " " : "");
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

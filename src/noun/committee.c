/* The tables of committees and industries; see committee.h. */
#include "noun/committee.h"

#include "noun/lists.h"
#include "noun/rows.h"
#include "noun/trade.h"

static struct str role_of(int value)
{
    return seat_role_name((enum seat_role)value);
}

static const struct shape_list roles = {SEAT_ROLE_COUNT, role_of};

static const struct shape_field committee_summary_rows[] = {
    {TEXT("id", committee_summary, id),
     SAYS("Id of the congressional data set: four letters, and two digits of a subcommittee.")},
    {TEXT("name", committee_summary, name), SAYS("Its name on that day.")},
    {LISTED("chamber", committee_summary, chamber, &shape_chambers), OR_NULL,
     SAYS("Null: a joint committee.")},
    {TEXT("parent", committee_summary, parent), OR_NULL,
     SAYS("Id of the committee; null: it is not a subcommittee.")},
    {COUNT("members", committee_summary, members),
     SAYS("Members of the list of that day, also those whom no list of members has.")},
    {COUNT("conflicts", committee_summary, conflicts),
     SAYS("Trades of any day with a [conflict signal](/docs/conflict) because of a seat on it or "
          "on a subcommittee.")},
};

enum { REF_MEMBERS = 4 };

SHAPE(
    committee_summary, "CommitteeSummary", "A committee on a day: a row of the list.",
    committee_summary);
SHAPE_PART(
    committee_ref, "CommitteeRef", "A committee or subcommittee.", committee_summary,
    committee_summary_rows, 0, REF_MEMBERS);

static const struct shape_field committee_member_rows[] = {
    {OBJECT("politician", committee_member, politician, &shape_politician_ref),
     SAYS("The member, with party and state of that day.")},
    {LISTED("role", committee_member, role, &roles), SAYS("On that day.")},
    {DAY("from", committee_member, from),
     SAYS("Day of the first list of the Congress that has the seat in this role.")},
    {DAY("to", committee_member, to), OR_NULL,
     SAYS("The first day without it; null: the newest list has it.")},
};

SHAPE(committee_member, "CommitteeMember", "A member of a committee.", committee_member);

static struct str industry_code(const void *value)
{
    return industry_get(*(const int *)value)->code;
}

static struct str industry_name(const void *value)
{
    return industry_get(*(const int *)value)->name;
}

static struct str industry_definition(const void *value)
{
    return industry_get(*(const int *)value)->definition;
}

static struct str overseen_code(const void *value)
{
    return industry_code(&((const struct committee_oversight *)value)->industry);
}

static struct str ground_text(const void *value)
{
    return committee_ground_name(((const struct committee_oversight *)value)->ground);
}

static const struct shape_field committee_oversight_rows[] = {
    {OBJECT("committee", committee_oversight, committee, &shape_committee_ref),
     SAYS("Who oversees it.")},
    {TEXT_OF("industry", overseen_code), SAYS("Code of the [industry](/docs/industries).")},
    {TEXT_OF("ground", ground_text),
     SAYS("What the line rests on: rule, panel, part or appropriations "
          "([grounds](/docs/conflict#from-a-committee-to-its-industries)).")},
    {TEXT("jurisdiction", committee_oversight, jurisdiction), SAYS("What it oversees there.")},
    {TEXT("source", committee_oversight, source), SAYS("The rule, statute or statement.")},
    {DAY("from", committee_oversight, from), OR_NULL,
     SAYS("First day of the line; null: since the records begin.")},
    {DAY("to", committee_oversight, to), OR_NULL, SAYS("Its last day; null: none.")},
};

SHAPE(
    committee_oversight, "Oversight", "A line of the map from committees to industries.",
    committee_oversight);

static const struct shape_field committee_congress_rows[] = {
    {INTEGER("congress", committee_congress, congress), SAYS("Its number.")},
    {DAY("from", committee_congress, from), SAYS("Day of its first list with the committee.")},
    {DAY("to", committee_congress, to), OR_NULL,
     SAYS("The first day without it; null: the newest list has it.")},
    {COUNT("members", committee_congress, members), SAYS("All who had a seat.")},
};

SHAPE(committee_congress, "CommitteeCongress", "A committee in one Congress.", committee_congress);

static const struct shape_field committee_detail_rows[] = {
    {SELF("committee", &shape_committee_summary), SAYS("The committee on that day.")},
    {DAY("on", committee_detail, on), SAYS("The day that was asked for.")},
    {INTEGER("congress", committee_detail, congress), SAYS("The Congress of that day.")},
    {LISTED("basis", committee_detail, basis, &shape_bases),
     SAYS("in_force: the newest list up to that day. later_list: no list of that Congress has the "
          "committee by then, and these are the members of the first later one.")},
    {DAY("seatsAsOf", committee_detail, as_of), SAYS("Day of the list.")},
    {LIST("members", committee_detail, members, member_count, &shape_committee_member),
     SAYS("Chairs first, then ranking members, vice chairs and members, by slug.")},
    {LIST("subcommittees", committee_detail, panels, panel_count, &shape_committee_summary),
     SAYS("Those with members on that day.")},
    {LIST("oversees", committee_detail, oversees, oversees_count, &shape_committee_oversight),
     SAYS("What it oversees on that day, by which rule. Empty: nothing that the map has.")},
    {LIST("congresses", committee_detail, congresses, congress_count, &shape_committee_congress),
     SAYS("Those in which it has members, the newest first.")},
};

SHAPE(committee_detail, "CommitteeDetail", "A committee on a day.", committee_detail);

static const struct shape_field industry_summary_rows[] = {
    {TEXT_OF("code", industry_code), SAYS("As filters take it.")},
    {TEXT_OF("name", industry_name), SAYS("Its name.")},
    {TEXT_OF("definition", industry_definition), SAYS("Which companies belong to it.")},
    {COUNT("committees", industry_summary, committees),
     SAYS("Committees and subcommittees that oversee it today.")},
    {COUNT("conflicts", industry_summary, conflicts),
     SAYS("Trades of any day with a [conflict signal](/docs/conflict) about it.")},
};

SHAPE(industry_summary, "IndustrySummary", "An industry: a row of the list.", industry_summary);

static const struct shape_field industry_detail_rows[] = {
    {SELF("industry", &shape_industry_summary), SAYS("The industry.")},
    {LIST("overseenBy", industry_detail, overseen, overseen_count, &shape_committee_oversight),
     SAYS("All lines of the map that name it, also of earlier Congresses.")},
};

SHAPE(industry_detail, "IndustryDetail", "An industry and who oversees it.", industry_detail);

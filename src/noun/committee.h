/*
 * What the API says about committees and industries (decision 40): who sits on a committee on a
 * day, and which committees oversee which industries, by the map of market/industry.h. The read
 * model fills it in (feed/feed.h).
 */
#pragma once

#include "market/conflict.h"
#include "noun/feed_rows.h"

struct committee_summary {
    struct str id, name;
    enum chamber chamber; /* CHAMBER_NONE: a joint committee */
    struct str parent;    /* id; null: not a subcommittee */
    int64_t members;
    int64_t conflicts; /* trades flagged because of a seat on it or on a subcommittee */
};

struct committee_member {
    struct politician_ref politician; /* on the day */
    enum seat_role role;
    int32_t from, to; /* to: DAY_NONE: still */
};

/* A line of the map. */
struct committee_oversight {
    struct committee_summary committee; /* id, name, chamber and parent alone */
    int industry;
    enum committee_ground ground;
    struct str jurisdiction, source;
    int32_t from, to;
};

struct committee_congress {
    int congress;
    int32_t from, to; /* to: DAY_NONE: still */
    int64_t members;  /* persons */
};

struct committee_detail {
    struct committee_summary is;
    int congress;
    int32_t on, as_of;
    enum conflict_basis basis;
    const struct committee_member *members; /* chairs first, then by slug */
    size_t member_count;
    const struct committee_summary *panels;
    size_t panel_count;
    const struct committee_oversight *oversees;
    size_t oversees_count;
    const struct committee_congress *congresses; /* the newest first */
    size_t congress_count;
};

struct industry_summary {
    int industry;
    int64_t committees; /* full committees that oversee it on the day */
    int64_t conflicts;
};

struct industry_detail {
    struct industry_summary is;
    const struct committee_oversight *overseen;
    size_t overseen_count;
};

extern const struct shape_object shape_committee_summary, shape_committee_ref,
    shape_committee_member, shape_committee_oversight, shape_committee_congress,
    shape_committee_detail, shape_industry_summary, shape_industry_detail;

/* Addresses of reports; see official_url.h. */
#include "address/official_url.h"

struct str official_url_house(struct arena *arena, int year, struct str document)
{
    return arena_fmt(
        arena, "https://disclosures-clerk.house.gov/public_disc/ptr-pdfs/%d/%.*s.pdf", year,
        STR_ARG(document));
}

struct str official_url_senate(struct arena *arena, bool paper, struct str uuid)
{
    return arena_fmt(
        arena, "https://efdsearch.senate.gov/search/view/%s/%.*s/", paper ? "paper" : "ptr",
        STR_ARG(uuid));
}

/* The table of details; see details.h. */
#include "noun/details.h"

#include "noun/lists.h"
#include "noun/rows.h"

static const struct shape_field details_rows[] = {
    {LISTED("optionType", details, option_type, &shape_option_types), OR_NULL, CSV("option_type"),
     SAYS("Type of the option. A bought put gains when the asset falls. short_sale and neither are "
          "choices of the Senate's form; neither is, for example, an option granted by an "
          "employer.")},
    {TEXT("strike", details, strike), OR_NULL, CSV("strike"),
     SAYS("Strike price in dollars, as decimal text.")},
    {DAY("expiry", details, expiry), OR_NULL, CSV("expiry"),
     SAYS("Day on which the option expires.")},
    {TEXT("coupon", details, coupon), OR_NULL, CSV("coupon"),
     SAYS("Interest of a bond, in percent a year, as decimal text.")},
    {LISTED("couponType", details, coupon_type, &shape_coupon_types), OR_NULL, CSV("coupon_type"),
     SAYS("Whether the coupon changes, where the filing states it.")},
    {DAY("maturity", details, maturity), OR_NULL, CSV("maturity"),
     SAYS("Day on which the bond matures.")},
    {TEXT("given", details, given), OR_NULL, CSV("given"),
     SAYS("Of an exchange: the asset given up.")},
    {TEXT("received", details, received), OR_NULL, CSV("received"),
     SAYS("Of an exchange: the asset received.")},
    {TEXT("receivedTicker", details, received_ticker), OR_NULL, CSV("received_ticker"),
     SAYS("Of an exchange: symbol of the asset received.")},
    {TEXT("company", details, company), OR_NULL, CSV("company"),
     SAYS("Company of an asset that is not traded publicly, with its place if stated.")},
    {TEXT("platform", details, platform), OR_NULL, CSV("platform"),
     SAYS("Exchange or platform of cryptocurrency.")},
    {TEXT("description", details, description), OR_NULL, CSV("description"),
     SAYS("What the filing says about the asset or the trade in words.")},
    {MAYBE("capGainsOver200", details, cap_gains), OR_NULL, CSV("cap_gains_over_200"),
     SAYS(SHAPE_CAP_GAINS)},
};

SHAPE(
    details, "AssetDetails",
    "What was traded beyond the asset's name, as the filing states it. A member that the filing "
    "does not state is null.",
    details);

void shape_details_json(struct buf *b, struct str line, enum cap_gains gains)
{
    struct details details;
    ARENA_SCOPED(arena);
    bool parsed = !str_is_null(line) && details_parse(line, &arena, &details);
    if (!parsed)
        details = DETAILS_NONE;
    details.cap_gains = gains;
    if (parsed || gains != CAP_GAINS_NONE)
        shape_object_json(b, &shape_details, &details);
    else
        buf_str(b, STR("null"));
}

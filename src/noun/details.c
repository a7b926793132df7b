/* The table of details; see details.h. */
#include "noun/details.h"

#include "noun/lists.h"

#define NAMED(text) .name = STR_INIT(text), .key = STR_INIT("\"" text "\":")
#define TEXT(text, column, member_)                                                                \
    NAMED(text), .kind = SHAPE_STRING, .nullable = true,                                           \
                 .offset = offsetof(struct details, member_), .csv = STR_INIT(column)
#define DAY(text, column, member_)                                                                 \
    NAMED(text), .kind = SHAPE_DAY, .nullable = true, .format = STR_INIT("date"),                  \
                 .offset = offsetof(struct details, member_), .csv = STR_INIT(column)

static const struct shape_field fields[] = {
    {NAMED("optionType"), .kind = SHAPE_LISTED, .nullable = true,
     .offset = offsetof(struct details, option_type), .list = &shape_option_types,
     .csv = STR_INIT("option_type"),
     .description = STR_INIT(
         "Type of the option. A bought put gains when the asset falls. short_sale and neither are "
         "choices of the Senate's form; neither is, for example, an option granted by an "
         "employer.")},
    {TEXT("strike", "strike", strike),
     .description = STR_INIT("Strike price in dollars, as decimal text.")},
    {DAY("expiry", "expiry", expiry), .description = STR_INIT("Day on which the option expires.")},
    {TEXT("coupon", "coupon", coupon),
     .description = STR_INIT("Interest of a bond, in percent a year, as decimal text.")},
    {NAMED("couponType"), .kind = SHAPE_LISTED, .nullable = true,
     .offset = offsetof(struct details, coupon_type), .list = &shape_coupon_types,
     .csv = STR_INIT("coupon_type"),
     .description = STR_INIT("Whether the coupon changes, where the filing states it.")},
    {DAY("maturity", "maturity", maturity),
     .description = STR_INIT("Day on which the bond matures.")},
    {TEXT("given", "given", given), .description = STR_INIT("Of an exchange: the asset given up.")},
    {TEXT("received", "received", received),
     .description = STR_INIT("Of an exchange: the asset received.")},
    {TEXT("receivedTicker", "received_ticker", received_ticker),
     .description = STR_INIT("Of an exchange: symbol of the asset received.")},
    {TEXT("company", "company", company),
     .description =
         STR_INIT("Company of an asset that is not traded publicly, with its place if stated.")},
    {TEXT("platform", "platform", platform),
     .description = STR_INIT("Exchange or platform of cryptocurrency.")},
    {TEXT("description", "description", description),
     .description = STR_INIT("What the filing says about the asset or the trade in words.")},
    {NAMED("capGainsOver200"), .kind = SHAPE_MAYBE, .nullable = true,
     .offset = offsetof(struct details, cap_gains), .csv = STR_INIT("cap_gains_over_200"),
     .description = STR_INIT(SHAPE_CAP_GAINS)},
};

const struct shape_object shape_details = {
    STR_INIT("AssetDetails"),
    STR_INIT("What was traded beyond the asset's name, as the filing states it. A member that the "
             "filing does not state is null."),
    sizeof fields / sizeof *fields,
    fields,
};

void shape_details_json(struct buf *b, struct str line, enum cap_gains gains)
{
    struct details details;
    struct arena arena;
    arena_init(&arena);
    bool parsed = !str_is_null(line) && details_parse(line, &arena, &details);
    if (!parsed)
        details = DETAILS_NONE;
    details.cap_gains = gains;
    if (parsed || gains != CAP_GAINS_NONE)
        shape_object_json(b, &shape_details, &details);
    else
        buf_str(b, STR("null"));
    arena_finish(&arena);
}

/* Descriptions of changes and events (decisions 44, 47); see schema.h. */
#include "noun/schema_parts.h"

#include "noun/lists.h"

/* Those that events have, too. */
#define CHANGE_MEMBERS                                                                             \
    COUNT("seq", "Position in the sequence: 1, 2, 3, without gaps."),                              \
        {MEMBER("at"), .format = STR_INIT("date-time"),                                            \
         .description = STR_INIT("When it was made. It never steps back along the sequence.")},    \
        {MEMBER("kind"), .list = &shape_change_kinds,                                              \
         .description = STR_INIT(                                                                  \
             "published, corrected (a published field changed), withdrawn (the trade left "        \
             "lists and counts), reinstated (a withdrawal was taken back) or signal (the "         \
             "[conflict signal](/docs/conflict) or its reason changed).")},                        \
        {MEMBER("tradeId"), .nullable = true,                                                      \
         .description = STR_INIT("The trade; null for an entry about the filing alone.")},         \
        {MEMBER("filingId"), .description = STR_INIT("The filing.")},                              \
        {MEMBER("field"), .nullable = true,                                                        \
         .description = STR_INIT("Name of the member that changed, such as ticker, or "            \
                                 "[conflictReason](/docs/conflict); null for other kinds.")},      \
        {MEMBER("old"), .nullable = true, .description = STR_INIT("Its value before, as text.")},  \
        {MEMBER("new"), .nullable = true, .description = STR_INIT("Its value since, as text.")},   \
    {                                                                                              \
        MEMBER("reason"), .nullable = true, .description = STR_INIT("Why; null when not stated.")  \
    }

const struct schema_member schema_change[] = {
    CHANGE_MEMBERS,
    {MEMBER("trade"), .type = SCHEMA_REF, .ref = STR_INIT("Trade"), .nullable = true,
     .description = STR_INIT("The trade as it is now, with all later changes; null if it is "
                             "withdrawn now, or if tradeId is null.")},
    {MEMBER("filing"), .type = SCHEMA_REF, .ref = STR_INIT("Filing"), .nullable = true,
     .description = STR_INIT("The filing as it is now; null if it is withdrawn now.")},
    END,
};

const struct schema_member schema_event[] = {
    {MEMBER("id"), .description = STR_INIT("Stable identifier of the event. The ids of its "
                                           "deliveries have the same digits.")},
    {MEMBER("event"), .list = &shape_event_types,
     .description = STR_INIT("The type, as in X-SVC-Event.")},
    {MEMBER("at"), .format = STR_INIT("date-time"), .description = STR_INIT("When it happened.")},
    {MEMBER("body"), .type = SCHEMA_OPEN, .nullable = true,
     .description = STR_INIT("[The body of the webhook](/docs/webhooks#what-is-sent), byte for "
                             "byte. Null for a body of more than 15 MiB, which a webhook alone "
                             "delivers.")},
    END,
};

/* review/event_body.c writes these two. */
const struct schema_member schema_event_filing[] = {
    {MEMBER("id"), .description = STR_INIT("Filing identifier.")},
    {MEMBER("chamber"), .list = &shape_chambers,
     .description = STR_INIT("Chamber that received the filing.")},
    {MEMBER("url"), .format = STR_INIT("uri"), .description = STR_INIT("Official document.")},
    {MEMBER("filedAt"), .format = STR_INIT("date-time"),
     .description = STR_INIT("When it was filed.")},
    END,
};

const struct schema_member schema_event_change[] = {CHANGE_MEMBERS, END};

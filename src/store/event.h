/*
 * Events and their deliveries: the outbox. Both are written in the publishing transaction. The body
 * is stored once and never changes (decision 37).
 */
#pragma once

#include "store/db/db.h"

enum { EVENT_ID_SIZE = 20 };

/* Adds the event and one waiting delivery for each endpoint that receives events of this type, is
 * not deleted, and whose owner is not disabled. Disabled and paused endpoints hold their deliveries
 * (decision 33). */
enum err event_add(
    struct db *db, struct str type, int64_t filing_no, int64_t publication_no, struct str body,
    int64_t now_ms, int64_t *ret_deliveries, struct fail *fail) MUST_CHECK;

/* True if an endpoint receives events of this type. Events of changes without one are not kept. */
enum err event_is_wanted(struct db *db, struct str type, bool *ret, struct fail *fail) MUST_CHECK;

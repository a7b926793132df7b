/* Invented accounts, endpoints and events for tests of deliveries. Each function writes in its own
 * transaction. */
#pragma once

#include "store_fixture.h"

#include "store/account/account.h"
#include "store/account/delivery.h"
#include "store/account/endpoint.h"
#include "store/public/event.h"

static inline void delivery_sample_account(struct store_fixture *f, const char *email)
{
    struct account account;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, account_create(ACT(f, .now_ms = 1), str_from(email), PLAN_DEN, ROLE_MEMBER, &account));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* The id is in the fixture's arena. */
static inline struct str delivery_sample_endpoint(
    struct store_fixture *f, const char *email, const char *url)
{
    char id[ENDPOINT_ID_SIZE];
    endpoint_id_make(id);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, endpoint_add(
               ACT(f, .now_ms = 1), str_from(email), str_of(id, sizeof id), str_from(url),
               STR("sealed")));
    assert_ok(f, db_commit(f->db, &f->fail));
    return arena_str(&f->arena, str_of(id, sizeof id));
}

static inline void delivery_sample_event(struct store_fixture *f, const char *body, int64_t at)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(
        f, event_add(ACT(f, .now_ms = at), STR("trade.published"), 0, 0, str_from(body), NULL));
    assert_ok(f, db_commit(f->db, &f->fail));
}

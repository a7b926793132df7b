/*
 * Publishes more invented filings live; see demo.h. Their numbers are random, so that several
 * publishers can use one database without coordination.
 */
#include "demo/demo.h"

#include "base/codec.h"
#include "base/crypto.h"
#include "demo/maker.h"
#include "review/publish.h"
#include "store/row/meta.h"

enum { NUMBER_BYTES = 8 };

#define BY STR("demo@example.org")

struct demo_publisher {
    struct db *db;
    int rows;
    struct arena arena;
    struct member_list people;
    struct demo_companies companies;
    struct demo_maker maker;
};

enum err demo_publisher_open(
    struct db *db, int rows, struct demo_publisher **ret, struct fail *fail)
{
    enum meta_data data;
    uint64_t seed;
    if (rows < 1 || rows > DEMO_ROWS_MAX)
        return fail_set(fail, ERR_INVALID, "the number of rows must be 1 to %d", DEMO_ROWS_MAX);
    TRY(meta_data_get(db, &data, fail));
    if (data != META_DATA_DEMO)
        return fail_set(fail, ERR_REFUSED, "the database does not hold demonstration data");
    struct demo_publisher *p = MEM_NEW(struct demo_publisher);
    *p = (struct demo_publisher){.db = db, .rows = rows};
    arena_init(&p->arena);
    random_bytes(&seed, sizeof seed);
    demo_companies_read(&p->arena, &p->companies);
    enum err err = member_load(db, &p->arena, &p->people, fail);
    demo_maker_init(&p->maker, seed, p->people.items, p->people.count, &p->companies);
    if (err) {
        demo_publisher_close(p);
        return err;
    }
    *ret = p;
    return OK;
}

enum err demo_publisher_next(
    struct demo_publisher *p, int64_t now_ms, struct publish_result *ret, struct fail *fail)
{
    uint8_t bytes[NUMBER_BYTES];
    char number[2 * NUMBER_BYTES];
    struct draft_filing filing;
    random_bytes(bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, number);
    /* Filed the day before, because review takes time. */
    demo_maker_make(&p->maker, str_of(number, sizeof number), now_ms - DAY_MS, p->rows, &filing);
    struct draft_document document = p->maker.document;
    document.name = filing.source_doc_id;
    sha256(filing.url, document.sha256);
    filing.document = &document;
    return publish_live(p->db, &filing, BY, now_ms, ret, fail);
}

void demo_publisher_close(struct demo_publisher *p)
{
    if (!p)
        return;
    demo_maker_finish(&p->maker);
    arena_finish(&p->arena);
    mem_free(p);
}

/*
 * Demonstration data for a new installation and for load tests: invented members, companies and
 * filings, identical bytes for the same day. The database is marked as holding invented data.
 * Imports of real data refuse such a database, and `demo` refuses any other (docs/architecture.md,
 * "Invariants").
 */
#pragma once

#include "base/err.h"
#include "base/instant.h"

struct db;
struct progress_hook;

enum {
    DEMO_TRADES_DEFAULT = 5000,
    DEMO_TRADES_MAX = 5000000,
    DEMO_ROWS_MAX = 5000, /* trades in one filing of `demo --publish` */
};

struct demo_report {
    int64_t members, filings, trades;
};

/* Fills an empty database in one transaction. Every filing is made before the day `as_of` begins.
 * Tells `progress` (NULL: none) the trades. ERR_REFUSED: the database is not empty. */
enum err demo_fill(
    struct db *db, int64_t trades, int32_t as_of, int64_t now_ms,
    const struct progress_hook *progress, struct demo_report *ret, struct fail *fail);

/* Publishes more invented filings live, one by one, into a database that demo_fill made. */
struct demo_publisher;
struct publish_result;

/* ERR_REFUSED: the database does not hold invented data. `db` must outlive it. */
enum err demo_publisher_open(
    struct db *db, int rows, struct demo_publisher **ret, struct fail *fail);
/* Publishes one filing with `rows` trades in one transaction. */
enum err demo_publisher_next(
    struct demo_publisher *p, int64_t now_ms, struct publish_result *ret, struct fail *fail);
void demo_publisher_close(struct demo_publisher *p);

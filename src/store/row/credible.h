/*
 * Whether now is credible (decision A): an instant that becomes public stays, and no later one may
 * be before it, so that one publication by a clock that is ahead would move all later ones into the
 * future. Now is compared with a live witness: the clock of PostgreSQL, or, for an SQLite file,
 * what a server of this boot of the machine knows from the boot clock. Where there is none, with
 * the newest that is known. base/clock.h says whether this process checks at all.
 */
#pragma once

#include "db/db.h"

enum { CREDIBLE_AHEAD_MS = 60 * 1000 }; /* of a live witness */

/* Before an instant becomes public, in its transaction. ERR_REFUSED: the clock is ahead, or
 * something that is public already has an instant of the future. */
enum err credible_check(struct db *db, int64_t now_ms, struct fail *fail);

/* Makes *now_ms the witness's now if that is earlier: an instant after it is of the future. */
enum err credible_now(struct db *db, int64_t *now_ms, struct fail *fail);

/* The newest publication or correction, if it is more than CREDIBLE_AHEAD_MS after the witness's
 * now (or `now_ms`); INSTANT_NONE: it is not. */
enum err credible_future(struct db *db, int64_t now_ms, int64_t *ret, struct fail *fail);

/* What a running server on an SQLite file knows of the time. */
struct credible_witness {
    int64_t wall_less_boot_ms; /* INSTANT_NONE: its clock was not credible yet */
};

/* With each heartbeat, inside its transaction. The clock of a server vouches for later ones only as
 * it was when it became credible: what it shows after a jump ahead vouches for nothing. *ret: the
 * time by the boot clock; INSTANT_NONE: not credible. Does nothing on PostgreSQL, or with a clock
 * for tests. */
enum err credible_beat(
    struct db *db, struct credible_witness *witness, int64_t now_ms, int64_t *ret,
    struct fail *fail);

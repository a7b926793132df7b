/* What a figure that a check of `stockact doctor` found is worth, in words. Private to
 * src/cmd/operate. */
#pragma once

#include "cmd/operate/doctor.h"

struct confine_result;

enum { DOCTOR_SLOW_NS = 20 * 1000000 }; /* an answer that takes longer is worth a word */

/* The difference between a peer's clock and this machine's, both in milliseconds. */
void doctor_say_clock(struct doctor *d, const char *check, int64_t theirs_ms, int64_t ours_ms);

/* What adjtimex returned, and the figures that it gave; -errno: it failed. */
void doctor_say_kernel_clock(struct doctor *d, int result, int status, long error_max_us);

/* When a certificate ends; INSTANT_NONE: it has no certificate, and nothing is said. */
void doctor_say_certificate(struct doctor *d, const char *check, int64_t ends_ms);

/* The certificates of a file that `setting` names. Expired ones beside others are no matter: a new
 * authority is put beside the old one. */
void doctor_say_certificates(
    struct doctor *d, const char *check, struct str path, const char *setting);

/* Room in the folder of the database; `error`: the errno of the trial file, or 0. */
void doctor_say_room(struct doctor *d, struct str folder, int64_t left, int error);

void doctor_say_confinement(struct doctor *d, const struct confine_result *result);

/* "0.4 ms": the median of these nanoseconds, which it sorts. */
struct str doctor_latency(struct doctor *d, int64_t *ns, size_t count, int64_t *ret_median_ns);

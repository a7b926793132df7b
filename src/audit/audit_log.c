/* The corrections log and the ledger, as far as `check` does not look at them. */
#include "audit/audit_parts.h"

struct audit_log_run {
    struct audit *audit;
    enum audit_what what;
    struct str published, other; /* for statements that select none */
};

static void tell(void *ctx, const struct audit_line *line)
{
    const struct audit_log_run *run = ctx;
    audit_tell(
        run->audit, run->what, line->subject,
        str_is_null(run->published) ? line->is : run->published,
        str_is_null(run->other) ? line->other : run->other, line->since);
}

enum err audit_log(struct audit *audit, struct fail *fail)
{
    static const struct {
        enum audit_what what;
        enum audit_lines lines;
        struct str published, other;
    } steps[] = {
        {AUDIT_CORRECTION, AUDIT_LINES_CORRECTIONS, {NULL, 0}, {NULL, 0}},
        {AUDIT_NEWER_DOCUMENT, AUDIT_LINES_NEWER_DOCUMENTS,
         STR_INIT("an older version of the document"),
         STR_INIT("a newer version with another content")},
        {AUDIT_GONE, AUDIT_LINES_GONE, STR_INIT("public"),
         STR_INIT("no longer in the official index")},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct audit_log_run run = {audit, steps[i].what, steps[i].published, steps[i].other};
        TRY(audit_each_line(audit->config->db, steps[i].lines, tell, &run, fail));
        audit->counts->compared[AUDIT_LOG]++;
    }
    return OK;
}

/* Imports committees in one transaction; see committees.h. */
#include "conflict/committees.h"

#include "base/progress_hook.h"
#include <assert.h>

#include "conflict/committees_read.h"
#include "store/public/member.h"
#include "store/public/publication.h"
#include "store/row/change.h"
#include "store/row/meta.h"

/* Marks the members that the store knows. */
static enum err find_members(struct db *db, struct committees_read *read, struct fail *fail)
{
    bool any = false;
    for (struct committees_member *m = read->members; m; m = m->next) {
        struct member stored;
        enum err err = member_find(db, m->id, read->arena, &stored, fail);
        if (err && err != ERR_NOT_FOUND)
            return err;
        m->known = !err;
        any = any || m->known;
    }
    if (!any)
        return fail_set(
            fail, ERR_REFUSED,
            "none of the %zu members with seats is known: run `stockact members import` first",
            read->member_count);
    return OK;
}

/* The digest of the version: both files in order, then the ids of unknown members whose seats are
 * left out. The same files count as new content once one of those members is imported. */
static void identify(
    const struct committees_import *in, const struct committees_read *read,
    uint8_t ret[static SHA256_SIZE])
{
    BUF_SCOPED(all, SIZE_MAX);
    buf_str(&all, in->index.text);
    buf_str(&all, in->membership.text);
    for (const struct committees_member *m = read->members; m; m = m->next)
        if (!m->known)
            buf_str(&all, m->id);
    assert(!all.overflow);
    sha256(buf_view(&all), ret);
}

static struct committees_report count(const struct committees_read *read)
{
    struct committees_report report = {
        .committees = read->committee_count - read->subcommittee_count,
        .subcommittees = read->subcommittee_count,
        .entries_left_out = read->odd_count,
    };
    for (const struct committees_member *m = read->members; m; m = m->next) {
        *(m->known ? &report.members : &report.members_unknown) += 1;
        *(m->known ? &report.seats : &report.seats_left_out) += m->seats;
    }
    for (size_t i = 0; i < read->seat_count; i++)
        report.titles_unknown += !str_is_null(read->seats[i].title_unknown);
    return report;
}

static enum err put_seat(
    struct db *db, int64_t version_no, const struct committees_seat *seat, struct fail *fail)
{
    const struct committee_seat_new new = {
        .committee = seat->committee->id,
        .member = seat->member->id,
        .chamber = seat->chamber,
        .role = seat->role,
        .side = seat->side,
        .rank = seat->rank,
    };
    return committee_seat_add(db, version_no, &new, fail);
}

/* Runs inside the transaction. A judge reads the days of the lists, and then their seats: the
 * publication lock keeps the two consistent, and excludes a concurrent import. */
static enum err put_all(
    struct db *db, const struct committees_import *in, struct committees_read *read,
    struct committees_report *ret, struct fail *fail)
{
    uint8_t sha256[SHA256_SIZE];
    int64_t version_no = 0;
    enum err err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = publication_lock(db, fail);
    if (!err)
        err = find_members(db, read, fail);
    if (err)
        return err;
    *ret = count(read);
    identify(in, read, sha256);
    err = committee_version_begin(db, in->as_of, sha256, in->now_ms, &version_no, fail);
    ret->unchanged = !err && version_no == 0;
    if (err || ret->unchanged)
        return err;
    for (size_t i = 0; i < read->committee_count && !err; i++)
        err = committee_list(db, version_no, &read->committees[i], fail);
    for (size_t i = 0; i < read->seat_count && !err; i++) {
        progress_tell(in->progress, (int64_t)i, (int64_t)read->seat_count);
        if (read->seats[i].member->known)
            err = put_seat(db, version_no, &read->seats[i], fail);
    }
    progress_tell(in->progress, (int64_t)read->seat_count, (int64_t)read->seat_count);
    if (!err)
        err = change_add(db, STR("member"), STR(""), &ret->change_seq, fail);
    return err;
}

static void make_remarks(
    const struct committees_read *read, committees_remark_fn *remark, void *ctx)
{
    for (const struct committees_member *m = read->members; m; m = m->next)
        if (!m->known) {
            const struct committees_remark unknown = {
                STR_NULL, m->id, m->name, m->seats,
                STR("left out: not among the imported members")};
            remark(ctx, &unknown);
        }
    for (const struct committees_odd *odd = read->odd; odd; odd = odd->next) {
        const struct committees_remark invalid = {
            odd->committee, STR_NULL, STR_NULL, odd->seats,
            arena_fmt(read->arena, "left out: %.*s", STR_ARG(odd->what))};
        remark(ctx, &invalid);
    }
    for (size_t i = 0; i < read->seat_count; i++) {
        const struct committees_seat *seat = &read->seats[i];
        if (str_is_null(seat->title_unknown))
            continue;
        const struct committees_remark unknown = {
            seat->committee->id, seat->member->id, seat->member->name, 1,
            arena_fmt(
                read->arena, "unknown title \"%.*s\" counts as member",
                STR_ARG(seat->title_unknown))};
        remark(ctx, &unknown);
    }
}

enum err committees_import(
    struct db *db, const struct committees_import *in, committees_remark_fn *remark, void *ctx,
    struct committees_report *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct committees_read read;
    struct committees_report report = {0};
    committees_read_init(&read, &arena);
    enum err err = committees_read(&read, &in->index, &in->membership, fail);
    if (!err)
        err = db_begin(db, fail);
    if (!err) {
        err = put_all(db, in, &read, &report, fail);
        err = db_end(db, err, fail);
    }
    if (!err) {
        make_remarks(&read, remark, ctx);
        *ret = report;
    }
    committees_read_finish(&read);
    return err;
}

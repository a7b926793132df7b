/* Draws; see sample_plan.h. */
#include "review/desk/sample_plan.h"

#include <assert.h>

#include "rule/sample_dice.h"
#include "store/desk/sample_document.h"
#include "store/public/trade.h"

enum { TRIES_MAX = 100 }; /* for one row: trades that wait already are drawn again */

struct frame {
    struct sample_group *groups;
    size_t count, capacity;
};

struct sample_framing {
    struct frame frames[SAMPLE_STRATA];
    struct sample_stratum_count *counts; /* of the strata */
};

static void add_filing(void *ctx, const struct sample_filing *filing)
{
    struct sample_framing *f = ctx;
    struct frame *frame = &f->frames[filing->stratum];
    struct sample_stratum_count *count = &f->counts[filing->stratum];
    if (!filing->stored) {
        count->unstored += filing->trades;
        return;
    }
    frame->groups = mem_grow(frame->groups, frame->count, &frame->capacity, sizeof *frame->groups);
    frame->groups[frame->count++] =
        (struct sample_group){.key = filing->filing_no, .before = count->trades};
    count->trades += filing->trades;
    count->documents++;
}

static bool is_picked(const struct sample_plan *plan, struct str trade_id)
{
    for (size_t i = 0; i < plan->count; i++)
        if (str_eq(plan->picks[i].trade_id, trade_id))
            return true;
    return false;
}

/* *ret: null if the drawn trade cannot be used. */
static enum err draw_trade(
    struct db *db, const struct frame *frame, int64_t trades, struct sample_dice *dice,
    const struct sample_plan *plan, struct arena *arena, struct str *ret, struct fail *fail)
{
    int64_t at = (int64_t)sample_dice_below(dice, (uint64_t)trades);
    const struct sample_group *group = sample_group_of(frame->groups, frame->count, at);
    struct str id = STR_NULL;
    bool waits = false;
    *ret = STR_NULL;
    TRY(sample_trade_at(db, group->key, at - group->before, arena, &id, fail));
    TRY(sample_waits(db, id, &waits, fail));
    if (!waits && !is_picked(plan, id))
        *ret = id;
    return OK;
}

static enum err draw_stratum(
    struct db *db, const struct frame *frame, int stratum, int64_t rows, struct sample_dice *dice,
    struct arena *arena, struct sample_plan *plan, struct fail *fail)
{
    struct sample_stratum_count *count = &plan->draw.strata[stratum];
    enum err err = OK;
    for (int64_t tries = 0; !err && count->drawn < rows && tries < rows * TRIES_MAX; tries++) {
        struct str id;
        err = draw_trade(db, frame, count->trades, dice, plan, arena, &id, fail);
        if (err || str_is_null(id))
            continue;
        plan->picks[plan->count++] = (struct sample_pick){id, stratum};
        count->drawn++;
    }
    return err;
}

static void draw_documents(
    const struct sample_framing *f, int64_t rows, struct sample_dice *dice,
    struct sample_plan *plan)
{
    int64_t documents[SAMPLE_STRATA], parts[SAMPLE_STRATA];
    for (int i = 0; i < SAMPLE_STRATA; i++)
        documents[i] = f->counts[i].documents;
    sample_divide((rows + DOCUMENT_ROWS - 1) / DOCUMENT_ROWS, plan->draw.day, documents, parts);
    for (int i = 0; i < SAMPLE_STRATA; i++)
        for (int64_t n = 0; n < parts[i]; n++)
            plan->documents[plan->document_count++] = (struct sample_plan_document){
                f->frames[i].groups[sample_dice_below(dice, (uint64_t)documents[i])].key, i};
}

static enum err make(
    struct db *db, int64_t rows, struct arena *arena, struct sample_framing *f,
    struct sample_plan *plan, struct fail *fail)
{
    struct sample_dice dice = {.drawn = 0};
    int64_t trades[SAMPLE_STRATA], parts[SAMPLE_STRATA];
    memcpy(dice.seed, plan->draw.seed, sizeof dice.seed);
    TRY(sample_each_filing(db, add_filing, f, fail));
    for (int i = 0; i < SAMPLE_STRATA; i++)
        trades[i] = plan->draw.strata[i].trades;
    sample_divide(rows, plan->draw.day, trades, parts);
    for (int i = 0; i < SAMPLE_STRATA; i++)
        TRY(draw_stratum(db, &f->frames[i], i, parts[i], &dice, arena, plan, fail));
    draw_documents(f, rows, &dice, plan);
    return OK;
}

enum err sample_plan_make(
    struct db *db, int64_t rows, const uint8_t seed[static SHA256_SIZE], int64_t now_ms,
    struct arena *arena, struct sample_plan *ret, struct fail *fail)
{
    struct sample_framing f = {.counts = NULL};
    assert(rows >= 0 && rows <= SAMPLE_ROWS_MAX);
    *ret = (struct sample_plan){
        .draw = {.day = instant_day_utc(now_ms), .drawn_at = now_ms},
        .picks = ARENA_ARRAY(arena, struct sample_pick, SAMPLE_ROWS_MAX),
        .documents = ARENA_ARRAY(arena, struct sample_plan_document, SAMPLE_ROWS_MAX),
    };
    memcpy(ret->draw.seed, seed, SHA256_SIZE);
    f.counts = ret->draw.strata;
    enum err err = db_begin_read(db, fail);
    if (!err) {
        err = make(db, rows, arena, &f, ret, fail);
        db_rollback(db); /* nothing was written */
    }
    for (int i = 0; i < SAMPLE_STRATA; i++)
        mem_free(f.frames[i].groups);
    return err;
}

/* A trade that was withdrawn since, or whose row is damaged, is left out. */
static enum err store_pick(
    struct db *db, int64_t draw_no, const struct sample_pick *pick, int64_t now_ms,
    int64_t *ret_drawn, struct fail *fail)
{
    struct trade_row trade;
    ARENA_SCOPED(arena);
    enum err err = trade_find(db, pick->trade_id, &arena, &trade, NULL, fail);
    if (!err && !trade.damaged && trade.withdrawn_at == INSTANT_NONE) {
        const struct sample_content content = {trade.trade.values, trade.notified_date};
        err = sample_add(db, draw_no, pick->trade_id, pick->stratum, now_ms, &content, fail);
        *ret_drawn += !err;
        if (err == ERR_EXISTS) /* another draw has it since: the day goes on without it */
            err = OK;
    }
    return err;
}

enum err sample_plan_store(
    struct db *db, const struct sample_plan *plan, int64_t now_ms, struct sample_plan_result *ret,
    struct fail *fail)
{
    int64_t draw_no = 0;
    *ret = (struct sample_plan_result){0};
    TRY(sample_draw_add(db, &plan->draw, &draw_no, fail));
    TRY(sample_expire(
        db, now_ms - (int64_t)SAMPLE_OPEN_DAYS * DAY_MS, now_ms, &ret->expired, fail));
    for (size_t i = 0; i < plan->count; i++)
        TRY(store_pick(db, draw_no, &plan->picks[i], now_ms, &ret->drawn, fail));
    for (size_t i = 0; i < plan->document_count; i++) {
        bool added = false;
        TRY(sample_document_add(
            db, draw_no, plan->documents[i].filing_no, plan->documents[i].stratum, now_ms, &added,
            fail));
        ret->documents += added;
    }
    return OK;
}

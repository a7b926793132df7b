/* Stores findings; see signal.h. */
#include "conflict/signal.h"

enum err signal_store(struct db *db, struct finding *finding, int64_t now_ms, struct fail *fail)
{
    if (!finding || finding->no)
        return OK;
    return finding_put(db, finding, industry_rule_version(), now_ms, &finding->no, fail);
}

enum err signal_put_new(
    struct db *db, const int64_t *trades, struct finding *const *findings, size_t n, int64_t now_ms,
    struct fail *fail)
{
    struct finding_pair pairs[FINDING_PAIRS_MAX];
    size_t count = 0;
    enum err err = OK;
    for (size_t i = 0; i < n && !err; i++) {
        err = signal_store(db, findings[i], now_ms, fail);
        pairs[count++] = (struct finding_pair){trades[i], findings[i]->no};
        if (!err && count == FINDING_PAIRS_MAX) {
            err = finding_set_new(db, pairs, count, now_ms, fail);
            count = 0;
        }
    }
    return err ? err : finding_set_new(db, pairs, count, now_ms, fail);
}

static enum err refresh(
    struct judge *judge, struct db *db, struct str trade_id, struct arena *arena, int64_t now_ms,
    struct fail *fail)
{
    struct finding_case item;
    struct finding *finding = NULL;
    struct finding_lines lines;
    TRY(finding_case_of(db, trade_id, arena, &item, fail));
    TRY(judge_case(judge, db, &item, &finding, fail));
    TRY(signal_store(db, finding, now_ms, fail));
    const struct finding_pair pair = {item.trade_no, finding ? finding->no : 0};
    return finding_set(db, &pair, 1, now_ms, &lines, fail);
}

enum err signal_refresh_all(
    struct db *db, const struct str *trade_ids, size_t n, int64_t now_ms, struct fail *fail)
{
    struct judge *judge = judge_create();
    ARENA_SCOPED(arena);
    enum err err = OK;
    for (size_t i = 0; i < n && !err; i++)
        err = refresh(judge, db, trade_ids[i], &arena, now_ms, fail);
    judge_destroy(judge);
    return err;
}

enum err signal_refresh(struct db *db, struct str trade_id, int64_t now_ms, struct fail *fail)
{
    return signal_refresh_all(db, &trade_id, 1, now_ms, fail);
}

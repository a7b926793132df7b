/* Verifies the chain over publications; see chain_check.h. */
#include "store/check/chain_check.h"

#include "base/codec.h"
#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "store/check/check_lines.h"
#include "store/row/meta.h"

enum { BATCH_MAX = 500 };

#define CHECKPOINT STR("chain")

struct chain_run {
    struct db *db;
    struct check_lines lines;
    struct chain_entry entries[BATCH_MAX];
    bool damaged[BATCH_MAX]; /* a column of the entry has not its form */
    size_t n;
};

/* --- reading */

static bool get_digest(const struct query *q, int column, uint8_t ret[static SHA256_SIZE])
{
    struct str digest = query_get_blob(q, column);
    if (digest.n == SHA256_SIZE)
        memcpy(ret, digest.p, SHA256_SIZE);
    return digest.n == SHA256_SIZE;
}

static bool get_noun(const struct query *q, int column, enum chain_noun *ret)
{
    struct str name = query_get_str(q, column);
    for (int i = 0; i < CHAIN_NOUN_COUNT; i++)
        if (str_eq(chain_noun_name((enum chain_noun)i), name)) {
            *ret = (enum chain_noun)i;
            return true;
        }
    return false;
}

static enum err read_batch(struct chain_run *run, int64_t after, struct fail *fail)
{
    QUERY(
        q, run->db,
        "SELECT no, noun, row_no, before, digest, hash FROM chain WHERE no > $1"
        " ORDER BY no LIMIT $2",
        V(after), V(BATCH_MAX));
    run->n = 0;
    while (query_row(&q) && run->n < BATCH_MAX) {
        struct chain_entry e = {
            .no = query_get_i64(&q, 0),
            .row_no = query_get_i64(&q, 2),
            .has_before = !query_is_null(&q, 3),
        };
        bool whole = get_noun(&q, 1, &e.noun);
        whole &= !e.has_before || get_digest(&q, 3, e.before);
        whole &= get_digest(&q, 4, e.digest);
        whole &= get_digest(&q, 5, e.hash);
        run->damaged[run->n] = !whole;
        run->entries[run->n++] = e;
    }
    return query_end(&q, fail);
}

/* --- what an entry vouches for */

/* The digest of a publication or correction as the entry after this one about it calls it, if its
 * instants were moved since. */
static enum err read_moved(
    struct chain_run *run, const struct chain_entry *e, uint8_t ret[static SHA256_SIZE],
    bool *ret_found, struct fail *fail)
{
    QUERY(
        q, run->db,
        "SELECT before FROM chain WHERE row_no = $1 AND noun = $2 AND no > $3 ORDER BY no LIMIT 1",
        V(e->row_no), V(chain_noun_name(e->noun)), V(e->no));
    *ret_found = query_row(&q);
    if (*ret_found && !get_digest(&q, 0, ret))
        memset(ret, 0, SHA256_SIZE);
    return query_end(&q, fail);
}

static enum err check_content(struct chain_run *run, const struct chain_entry *e, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE];
    struct fail missing = {0};
    bool moved = false;
    enum err err = read_moved(run, e, digest, &moved, &missing);
    if (!err && !moved)
        err = chain_content(run->db, e->row_no, e->no, digest, &missing);
    if (err && err != ERR_NOT_FOUND) {
        *fail = missing;
        return err;
    }
    if (err)
        check_lines_add(&run->lines, "publication %lld is missing", (long long)e->row_no);
    else if (memcmp(digest, e->digest, SHA256_SIZE) != 0)
        check_lines_add(
            &run->lines,
            "publication %lld has changed since it was published: its row, or the digests of its "
            "rows",
            (long long)e->row_no);
    return OK;
}

/* The digest that the row had after the entry: the first later entry about it has it as `before`,
 * or the row has it still. */
#define ROW_AFTER(TABLE, NOUNS)                                                                    \
    "SELECT r.id, coalesce((SELECT l.before FROM chain l WHERE l.row_no = r.no AND l.noun IN"      \
    " " NOUNS " AND l.no > $2 ORDER BY l.no LIMIT 1), r.digest) FROM " TABLE " r WHERE r.no = $1"

static enum err check_row(
    struct chain_run *run, const struct chain_entry *e, const char *table, const char *sql,
    struct fail *fail)
{
    QUERY(q, run->db, sql, V(e->row_no), V(e->no));
    if (!query_row(&q))
        check_lines_add(
            &run->lines, "%s with number %lld, which entry %lld of the chain names, is missing",
            table, (long long)e->row_no, (long long)e->no);
    else if (!row_digest_equals(&q, 1, e->digest))
        check_lines_add(
            &run->lines, "%s \"%.*s\" does not have the digest of entry %lld of the chain", table,
            STR_ARG(query_get_str(&q, 0)), (long long)e->no);
    return query_end(&q, fail);
}

static enum err check_correction(
    struct chain_run *run, const struct chain_entry *e, struct fail *fail)
{
    uint8_t digest[SHA256_SIZE] = {0};
    bool moved = false;
    enum err err = read_moved(run, e, digest, &moved, fail);
    if (err || (moved && memcmp(digest, e->digest, SHA256_SIZE) == 0))
        return err;
    QUERY(
        q, run->db, "SELECT " ROW_DIGEST_CORRECTION_COLUMNS " FROM correction c WHERE c.no = $1",
        V(e->row_no));
    bool found = query_row(&q);
    if (found)
        row_digest(&q, 0, ROW_DIGEST_CORRECTION, digest);
    if (!found || moved || memcmp(digest, e->digest, SHA256_SIZE) != 0)
        check_lines_add(
            &run->lines, "correction %lld %s", (long long)e->row_no,
            found ? "does not match its digest in the chain" : "is missing");
    return query_end(&q, fail);
}

static enum err check_what(struct chain_run *run, const struct chain_entry *e, struct fail *fail)
{
    switch (e->noun) {
    case CHAIN_PUBLICATION:
        return check_content(run, e, fail);
    case CHAIN_TRADE:
    case CHAIN_DAMAGE:
        return check_row(run, e, "trade", ROW_AFTER("trade", "('trade', 'damage')"), fail);
    case CHAIN_FILING:
    case CHAIN_FILING_DAMAGE:
        return check_row(
            run, e, "filing", ROW_AFTER("filing", "('filing', 'filing_damage')"), fail);
    case CHAIN_CORRECTION:
        return check_correction(run, e, fail);
    case CHAIN_NOUN_COUNT:
        break;
    }
    return OK;
}

/* --- the chain */

static enum err check_entry(
    struct chain_run *run, size_t i, struct chain_head *last, struct fail *fail)
{
    const struct chain_entry *e = &run->entries[i];
    uint8_t hash[SHA256_SIZE];
    enum err err = OK;
    if (e->no != last->no + 1)
        check_lines_add(
            &run->lines, "entries %lld to %lld of the chain over publications are missing",
            (long long)last->no + 1, (long long)e->no - 1);
    if (run->damaged[i]) {
        check_lines_add(
            &run->lines, "entry %lld of the chain over publications is damaged", (long long)e->no);
    } else {
        chain_hash(e, last->hash, hash);
        if (memcmp(hash, e->hash, sizeof hash) != 0)
            check_lines_add(
                &run->lines,
                "entry %lld of the chain over publications (%.*s %lld) does not continue entry "
                "%lld: one of the two was changed",
                (long long)e->no, STR_ARG(chain_noun_name(e->noun)), (long long)e->row_no,
                (long long)last->no);
        err = check_what(run, e, fail);
    }
    last->no = e->no;
    memcpy(last->hash, e->hash, sizeof last->hash);
    return err;
}

/* The number of the last entry is also a counter, so that a cut end is seen. */
static enum err read_counter(struct chain_run *run, int64_t *ret, struct fail *fail)
{
    *ret = -1;
    return query_number(run->db, ret, fail, "SELECT value FROM counter WHERE name = 'chain'");
}

static void check_end(struct chain_run *run, const struct chain_head *last, int64_t counted)
{
    if (counted != last->no)
        check_lines_add(
            &run->lines,
            "the chain over publications ends with entry %lld, but its counter says %lld",
            (long long)last->no, (long long)counted);
}

enum err chain_check(
    struct db *db, const struct chain_head *after, check_found *found, void *ctx,
    const struct progress_hook *progress, int64_t *findings, struct chain_head *ret_head,
    struct fail *fail)
{
    struct chain_run *run = MEM_NEW(struct chain_run);
    struct chain_head last = *after;
    int64_t counted;
    run->db = db;
    run->lines = (struct check_lines){found, ctx, 0};
    enum err err = read_counter(run, &counted, fail);
    int64_t total = counted > after->no ? counted - after->no : 0;
    progress_tell(progress, 0, total);
    do {
        if (!err)
            err = read_batch(run, last.no, fail);
        for (size_t i = 0; i < run->n && !err; i++) {
            err = check_entry(run, i, &last, fail);
            progress_tell(progress, last.no - after->no, total);
        }
    } while (!err && run->n == BATCH_MAX);
    if (!err)
        check_end(run, &last, counted);
    check_lines_end(&run->lines, findings);
    mem_free(run);
    if (!err)
        *ret_head = last;
    return err;
}

enum err chain_check_head(
    struct db *db, const struct chain_head *noted, check_found *found, void *ctx, int64_t *findings,
    struct fail *fail)
{
    struct check_lines lines = {found, ctx, 0};
    QUERY(q, db, "SELECT hash FROM chain WHERE no = $1", V(noted->no));
    if (!query_row(&q))
        check_lines_add(
            &lines, "the chain over publications has no entry %lld: it ends before the noted head",
            (long long)noted->no);
    else if (!row_digest_equals(&q, 0, noted->hash))
        check_lines_add(
            &lines, "entry %lld of the chain over publications does not have the noted hash",
            (long long)noted->no);
    check_lines_end(&lines, findings);
    return query_end(&q, fail);
}

struct str chain_head_print(const struct chain_head *head, char ret[static CHAIN_HEAD_TEXT_SIZE])
{
    char hash[2 * SHA256_SIZE];
    struct buf b = buf_over(ret, CHAIN_HEAD_TEXT_SIZE);
    hex_encode(head->hash, SHA256_SIZE, hash);
    buf_fmt(&b, "%lld:", (long long)head->no);
    buf_str(&b, str_of(hash, sizeof hash));
    return buf_view(&b);
}

bool chain_head_parse(struct str text, struct chain_head *ret)
{
    struct str no;
    *ret = (struct chain_head){.no = 0};
    return str_split(&text, ':', &no) && str_to_i64(no, &ret->no) && ret->no > 0 &&
           text.n == 2 * (size_t)SHA256_SIZE && hex_decode(text, ret->hash, SHA256_SIZE);
}

/* --- since the checkpoint */

static enum err read_checkpoint(struct db *db, struct chain_head *ret, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str text = STR_NULL;
    *ret = (struct chain_head){.no = 0};
    enum err err = meta_get(db, CHECKPOINT, &arena, &text, fail);
    if (!err && !chain_head_parse(text, ret))
        *ret = (struct chain_head){.no = 0}; /* damaged: verify all */
    return err == ERR_NOT_FOUND ? OK : err;
}

enum err chain_check_checkpoint(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct fail *fail)
{
    struct chain_head checkpoint;
    enum err err = read_checkpoint(db, &checkpoint, fail);
    return err || !checkpoint.no ? err
                                 : chain_check_head(db, &checkpoint, found, ctx, findings, fail);
}

static enum err check_since(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct chain_head *ret_from,
    struct chain_head *ret_to, struct fail *fail)
{
    enum err err = read_checkpoint(db, ret_from, fail);
    if (!err && ret_from->no)
        err = chain_check_head(db, ret_from, found, ctx, findings, fail);
    struct chain_head from = *ret_from;
    if (*findings) /* the checkpoint is not in the chain: verify all of it */
        memset(&from, 0, sizeof from);
    return err ? err : chain_check(db, &from, found, ctx, NULL, findings, ret_to, fail);
}

static enum err write_checkpoint(struct db *db, const struct chain_head *head, struct fail *fail)
{
    char text[CHAIN_HEAD_TEXT_SIZE];
    TRY(db_begin(db, fail));
    return db_end(db, meta_set(db, CHECKPOINT, chain_head_print(head, text), fail), fail);
}

enum err chain_check_new(
    struct db *db, check_found *found, void *ctx, int64_t *findings, struct fail *fail)
{
    struct chain_head from, to;
    TRY(db_begin_read(db, fail));
    *findings = 0;
    enum err err = check_since(db, found, ctx, findings, &from, &to, fail);
    db_rollback(db);
    if (err || *findings || to.no == from.no)
        return err;
    return write_checkpoint(db, &to, fail);
}

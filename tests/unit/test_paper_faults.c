/* Faults put into real rows at random: how many of them the checks find, and how many a batch of
 * clean drafts would let through. docs/review.md has the sums of the first table that this prints.
 *
 * Each round draws filings until it has 400 rows, and puts 100 faults into them, ten of each kind,
 * at most one in a row. A fault of *one reader* changes what the first reading says: a mistake of
 * the program. A fault of *both* changes what both readings say, as a mistake of pdftotext or of
 * the filer would: only the checks of dates, symbols and counts can find it. Rounds with 5 and with
 * 1 fault of any kind follow, for what a batch lets through when faults are rare. */
#include "unit.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include "paper/cell/printed.h"
#include "paper/house_words.h"
#include "paper/read_row.h"
#include "paper/second_reading.h"
#include "shared_data.h"

enum {
    ROUNDS = 20,
    RARE_ROUNDS = 200, /* with few faults, which vary more */
    ROWS_MIN = 400,
    OF_KIND = 10,
    DOCUMENTS_MAX = 800,
    BBOX_MAX = 32 << 20,
    TRIES = 400,
};

struct fault_document {
    struct reading first;
    struct second_reading second;
};

struct fault_corpus {
    struct arena arena;
    struct fault_document *documents;
    size_t count;
    uint64_t random;
};

/* --- the documents */

static void add_house(struct fault_corpus *c, struct str bbox)
{
    const struct pdf_facts facts = {.state = PDF_OPEN};
    struct fault_document *d = &c->documents[c->count];
    struct str text;
    house_ptr_read(bbox, &facts, &c->arena, &d->first);
    if (d->first.kind != READING_HOUSE_PTR || !house_words_in_order(bbox, false, &c->arena, &text))
        return;
    house_second_read(text, &c->arena, &d->second);
    c->count++;
}

static void add_senate(struct fault_corpus *c, struct str html)
{
    struct fault_document *d = &c->documents[c->count];
    senate_page_read(html, &c->arena, &d->first);
    if (d->first.kind != READING_SENATE_PTR)
        return;
    senate_second_read(html, &c->arena, &d->second);
    c->count++;
}

/* The words of a PDF, in the order in which it draws them. */
static struct str words_of(struct fault_corpus *c, struct str path)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp("pdftotext", "pdftotext", "-q", "-bbox", "-raw", path.p, "-", (char *)NULL);
        _exit(1);
    }
    close(ends[1]);
    char *space = mem_alloc(BBOX_MAX);
    size_t size = 0;
    for (ssize_t n; (n = read(ends[0], space + size, BBOX_MAX - size)) > 0;)
        size += (size_t)n;
    close(ends[0]);
    waitpid(child, NULL, 0);
    struct str text = arena_str(&c->arena, str_of(space, size));
    mem_free(space);
    return text;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Reads every file of the folder, by name. */
static void add_folder(struct fault_corpus *c, const char *path, bool house)
{
    struct str folder = shared_data_path(&c->arena, path);
    char *names[DOCUMENTS_MAX];
    size_t count = 0;
    DIR *dir = opendir(folder.p);
    for (struct dirent *e; dir && (e = readdir(dir)) && count < DOCUMENTS_MAX;)
        if (e->d_name[0] != '.')
            names[count++] = (char *)(uintptr_t)arena_fmt(&c->arena, "%s/%s", path, e->d_name).p;
    if (dir)
        closedir(dir);
    qsort(names, count, sizeof *names, by_name);
    for (size_t i = 0; i < count; i++) {
        if (house)
            add_house(c, words_of(c, shared_data_path(&c->arena, names[i])));
        else
            add_senate(c, shared_data_read(&c->arena, names[i]));
    }
}

static size_t draw(struct fault_corpus *c, size_t below)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (size_t)(c->random % below);
}

/* --- one row and what is found in it */

static bool company(void *ctx, struct str symbol, int32_t day, struct company *ret)
{
    return company_on(symbol, day, NULL, ret);
}

static int32_t filed_day(const struct reading *r)
{
    int64_t at;
    return printed_filed(r->filed, &at) ? instant_day_new_york(at) : DAY_NONE;
}

static size_t doubts_of(
    struct fault_corpus *c, const struct reading *r, const struct reading_row *row)
{
    const struct read_row_symbols symbols = {.company = company};
    struct read_row *read = ARENA_NEW(&c->arena, struct read_row);
    read_row(r->kind, row, filed_day(r), &symbols, &c->arena, read);
    return read->doubt_count + !str_is_null(read->held);
}

/* Whether the row, as one reader gives it, differs from the second reading. */
static bool second_differs(
    struct fault_corpus *c, const struct fault_document *d, size_t i, const struct reading_row *row)
{
    struct reading_row copy = *row;
    struct second_row other = d->second.rows[i];
    struct reading one = {.rows = &copy, .row_count = 1};
    const struct second_reading second = {.rows = &other, .row_count = 1};
    second_reading_check(&one, &second, &c->arena);
    return copy.second != NULL;
}

/* --- faults */

enum fault_kind {
    FAULT_DATE_DIGIT,
    FAULT_MONTH_AND_DAY,
    FAULT_YEAR,
    FAULT_SIDE,
    FAULT_BRACKET,
    FAULT_OWNER,
    FAULT_SYMBOL,
    FAULT_SHIFTED,
    FAULT_MISSING,
    FAULT_DOUBLED,
    FAULT_KIND_COUNT
};

static const char *const kind_words[FAULT_KIND_COUNT] = {
    [FAULT_DATE_DIGIT] = "wrong digit in the date",
    [FAULT_MONTH_AND_DAY] = "month and day swapped",
    [FAULT_YEAR] = "year before or after",
    [FAULT_SIDE] = "wrong side",
    [FAULT_BRACKET] = "wrong amount",
    [FAULT_OWNER] = "wrong owner",
    [FAULT_SYMBOL] = "wrong symbol",
    [FAULT_SHIFTED] = "asset of another row",
    [FAULT_MISSING] = "row missing",
    [FAULT_DOUBLED] = "row twice",
};

static struct str change(struct fault_corpus *c, struct str text, size_t at, char to)
{
    struct str copy = arena_str(&c->arena, text);
    ((char *)(uintptr_t)copy.p)[at] = to;
    return copy;
}

/* "01/02/2025" with another digit, which is still a date. */
static bool change_date(struct fault_corpus *c, struct str *date, size_t from, size_t to)
{
    for (int i = 0; i < TRIES; i++) {
        size_t at = from + draw(c, to - from);
        int32_t day;
        char digit = (char)('0' + draw(c, 10));
        if (at >= date->n || !ascii_is_digit(date->p[at]) || date->p[at] == digit)
            continue;
        struct str changed = change(c, *date, at, digit);
        if (!printed_day(changed, &day))
            continue;
        *date = changed;
        return true;
    }
    return false;
}

static bool swap_month(struct fault_corpus *c, struct str *date)
{
    struct str year = *date, month, day;
    int32_t unused;
    if (!str_split(&year, '/', &month) || !str_split(&year, '/', &day) || str_eq(month, day))
        return false;
    struct str swapped =
        arena_fmt(&c->arena, "%.*s/%.*s/%.*s", STR_ARG(day), STR_ARG(month), STR_ARG(year));
    if (!printed_day(swapped, &unused))
        return false;
    *date = swapped;
    return true;
}

static bool change_year(struct fault_corpus *c, struct str *date)
{
    struct str year = *date, month, day;
    int64_t number;
    if (!str_split(&year, '/', &month) || !str_split(&year, '/', &day) ||
        !str_to_i64(year, &number))
        return false;
    *date = arena_fmt(
        &c->arena, "%.*s/%.*s/%lld", STR_ARG(month), STR_ARG(day),
        (long long)number + (draw(c, 2) ? 1 : -1));
    return true;
}

/* Another text of this cell, from a random row of the same chamber. */
static bool take_other(
    struct fault_corpus *c, enum reading_kind kind, enum cell cell, struct str *text)
{
    for (int i = 0; i < TRIES; i++) {
        const struct reading *r = &c->documents[draw(c, c->count)].first;
        if (r->kind != kind || r->row_count == 0)
            continue;
        struct str other = r->rows[draw(c, r->row_count)].cell[cell];
        if (str_eq(other, *text) || (cell != CELL_OWNER && !other.n))
            continue;
        *text = other;
        return true;
    }
    return false;
}

/* The last bracket of a House asset: from "(" to ")". */
static bool find_symbol(struct str asset, size_t *ret_from, size_t *ret_to)
{
    ptrdiff_t open = -1, close = -1;
    for (size_t i = 0; i < asset.n; i++) {
        open = asset.p[i] == '(' ? (ptrdiff_t)i : open;
        close = asset.p[i] == ')' ? (ptrdiff_t)i : close;
    }
    *ret_from = (size_t)open + 1;
    *ret_to = (size_t)close;
    return open >= 0 && close > open + 1 && close - open < 7;
}

static bool change_symbol(struct fault_corpus *c, enum reading_kind kind, struct reading_row *row)
{
    static const char *const others[] = {"F", "KO", "GE", "XOM", "CVX", "IBM", "T", "PFE"};
    struct str symbol = str_from(others[draw(c, sizeof others / sizeof *others)]),
               *asset = &row->cell[CELL_ASSET];
    size_t from, to;
    if (kind == READING_SENATE_PTR) {
        struct str *ticker = &row->cell[CELL_TICKER];
        bool has = !printed_is_empty(*ticker) && !str_eq(*ticker, symbol);
        *ticker = has ? symbol : *ticker;
        return has;
    }
    if (!find_symbol(*asset, &from, &to) || str_eq(str_slice(*asset, from, to), symbol))
        return false;
    *asset = arena_fmt(
        &c->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(*asset, 0, from)), STR_ARG(symbol),
        STR_ARG(str_slice(*asset, to, asset->n)));
    return true;
}

/* Changes one cell. false: the row cannot have such a fault. */
static bool put_fault(
    struct fault_corpus *c, enum fault_kind kind, enum reading_kind chamber,
    struct reading_row *row)
{
    struct str *cell = row->cell;
    switch (kind) {
    case FAULT_DATE_DIGIT:
        return change_date(c, &cell[CELL_DATE], 0, cell[CELL_DATE].n);
    case FAULT_MONTH_AND_DAY:
        return swap_month(c, &cell[CELL_DATE]);
    case FAULT_YEAR:
        return change_year(c, &cell[CELL_DATE]);
    case FAULT_SIDE:
        return take_other(c, chamber, CELL_TYPE, &cell[CELL_TYPE]);
    case FAULT_BRACKET:
        return take_other(c, chamber, CELL_AMOUNT, &cell[CELL_AMOUNT]);
    case FAULT_OWNER:
        return take_other(c, chamber, CELL_OWNER, &cell[CELL_OWNER]);
    case FAULT_SYMBOL:
        return change_symbol(c, chamber, row);
    case FAULT_SHIFTED:
        return take_other(c, chamber, CELL_ASSET, &cell[CELL_ASSET]);
    case FAULT_MISSING:
    case FAULT_DOUBLED:
    case FAULT_KIND_COUNT:
        break;
    }
    return true;
}

struct fault_count {
    size_t put, one, both; /* found, where one reader or both have it */
};

/* Puts the fault into the row, and counts whether it is found. */
static bool try_fault(
    struct fault_corpus *c, enum fault_kind kind, const struct fault_document *d, size_t i,
    struct fault_count *count, bool *ret_both)
{
    struct reading_row row = d->first.rows[i];
    if (!put_fault(c, kind, d->first.kind, &row))
        return false;
    bool rows = kind == FAULT_MISSING || kind == FAULT_DOUBLED;
    /* A Senate page prints its number of rows; a House report has a status line in each. */
    bool counted = rows && d->first.kind == READING_SENATE_PTR;
    bool doubted =
        !rows && doubts_of(c, &d->first, &row) > doubts_of(c, &d->first, &d->first.rows[i]);
    *ret_both = counted || doubted;
    count->put++;
    count->one += rows || doubted || second_differs(c, d, i, &row);
    count->both += *ret_both;
    return true;
}

/* --- rounds */

struct fault_round {
    size_t filings, rows;
    size_t clean;  /* filings in which no fault was found, of those that both readings have */
    size_t faulty; /* of them: with a fault */
    size_t missed; /* faults in them */
};

static const int samples[] = {5, 10, 20, 40};
enum { SAMPLES = sizeof samples / sizeof *samples };

/* `rare`: so many faults of any kind; 0: OF_KIND of each. */
static void run_round(
    struct fault_corpus *c, size_t rare, struct fault_count counts[static FAULT_KIND_COUNT],
    struct fault_round *round)
{
    struct fault_document *drawn[ROWS_MIN];
    static bool taken[ROWS_MIN][READING_ROWS_MAX];
    size_t missed[ROWS_MIN] = {0}, found[ROWS_MIN] = {0};
    size_t groups = rare ? rare : FAULT_KIND_COUNT, of_group = rare ? 1 : OF_KIND;
    while (round->rows < ROWS_MIN) {
        struct fault_document *d = &c->documents[draw(c, c->count)];
        if (d->first.row_count == 0 || d->first.row_count > ROWS_MIN / 4)
            continue;
        memset(taken[round->filings], 0, sizeof taken[0]);
        drawn[round->filings++] = d;
        round->rows += d->first.row_count;
    }
    for (size_t group = 0; group < groups; group++) {
        size_t kind = rare ? draw(c, FAULT_KIND_COUNT) : group;
        for (size_t n = 0, tries = 0; n < of_group && tries < TRIES * of_group; tries++) {
            size_t at = draw(c, round->filings), i = draw(c, drawn[at]->first.row_count);
            bool both;
            if (taken[at][i] ||
                !try_fault(c, (enum fault_kind)kind, drawn[at], i, &counts[kind], &both))
                continue;
            taken[at][i] = true;
            ++*(both ? &found[at] : &missed[at]);
            n++;
        }
    }
    for (size_t i = 0; i < round->filings; i++) {
        round->clean += !found[i];
        round->faulty += missed[i] && !found[i];
        round->missed += found[i] ? 0 : missed[i];
    }
}

static double percent(size_t part, size_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The chance that none of `bad` among `size` filings is among `sample` drawn ones. */
static double chance_of_none(int size, int bad, int sample)
{
    double chance = 1;
    for (int i = 0; i < sample && i < size; i++)
        chance *= (double)(size - bad - i) / (size - i);
    return chance > 0 ? chance : 0;
}

static void print_batches(void)
{
    static const int bads[] = {1, 2, 5, 10, 20};
    enum { SIZE = 200 };
    for (size_t b = 0; b < sizeof bads / sizeof *bads; b++) {
        print_message("# | %d of %d |", bads[b], SIZE);
        for (size_t s = 0; s < SAMPLES; s++)
            print_message(" %.0f %% |", 100 * chance_of_none(SIZE, bads[b], samples[s]));
        print_message("\n");
    }
}

/* Runs rounds, and prints how many faults a batch of the clean filings of each lets through. */
static void run_rounds(
    struct fault_corpus *c, size_t rare, int rounds, struct fault_count *counts,
    struct fault_round *sum, double through[static SAMPLES])
{
    for (int i = 0; i < rounds; i++) {
        struct fault_round round = {0};
        run_round(c, rare, counts, &round);
        sum->filings += round.filings;
        sum->rows += round.rows;
        sum->faulty += round.faulty;
        sum->clean += round.clean;
        sum->missed += round.missed;
        for (int s = 0; s < SAMPLES; s++)
            through[s] += (double)round.missed / rounds *
                          chance_of_none((int)round.clean, (int)round.faulty, samples[s]);
    }
    print_message(
        "# | %zu | %.1f | %.1f |", rare ? rare : (size_t)OF_KIND * FAULT_KIND_COUNT,
        (double)sum->clean / rounds, (double)sum->missed / rounds);
    for (int s = 0; s < SAMPLES; s++)
        print_message(" %.3f |", through[s]);
    print_message("\n");
}

/* A larger sample lets through less, and nothing lets through more than there is. */
static void assert_falls(const double through[static SAMPLES], double missed)
{
    double before = missed;
    for (int s = 0; s < SAMPLES; s++) {
        assert_true(through[s] <= before);
        before = through[s];
    }
}

/* Rare faults are what a sample does not find: of one fault that the checks missed, a sample of 5
 * lets through most, and one of 40 little. */
static void judge_samples(struct fault_corpus *c, const double many[static SAMPLES])
{
    struct fault_count unused[FAULT_KIND_COUNT] = {{0}};
    struct fault_round five = {0}, one = {0};
    double of_five[SAMPLES] = {0}, of_one[SAMPLES] = {0};
    run_rounds(c, 5, RARE_ROUNDS, unused, &five, of_five);
    run_rounds(c, 1, RARE_ROUNDS, unused, &one, of_one);
    double missed = (double)one.missed / RARE_ROUNDS;
    assert_falls(of_five, (double)five.missed / RARE_ROUNDS);
    assert_falls(of_one, missed);
    assert_true(many[0] < 0.1 && many[1] < 0.01);
    assert_true(of_one[0] > 0.8 * missed && of_one[SAMPLES - 1] < 0.3 * missed);
    assert_true(of_five[0] > of_one[0] && of_five[SAMPLES - 1] < 0.2);
}

/* Cells that the second reading does not compare, because it is not clear where they end. */
static void count_unread(const struct fault_corpus *c)
{
    size_t rows = 0, cells = 0, of_cell[CELL_COUNT] = {0};
    for (size_t d = 0; d < c->count; d++) {
        const struct second_reading *second = &c->documents[d].second;
        rows += second->row_count;
        for (size_t i = 0; i < second->row_count; i++)
            for (int cell = 0; cell < CELL_COUNT; cell++)
                of_cell[cell] += second->rows[i].unread[cell];
    }
    for (int cell = 0; cell < CELL_COUNT; cell++)
        cells += of_cell[cell];
    print_message(
        "# not compared: %zu cells of %zu rows; %zu assets, %zu owners, %zu numbers\n", cells, rows,
        of_cell[CELL_ASSET], of_cell[CELL_OWNER], of_cell[CELL_ID]);
    assert_true(cells * 100 <= rows);
}

static void checks_find_faults_in_real_rows(void **state)
{
    struct fault_count counts[FAULT_KIND_COUNT] = {{0}}, all = {0};
    struct fault_round sum = {0};
    double through[SAMPLES] = {0};
    struct fault_corpus c = {.random = 20261123};
    arena_init(&c.arena);
    c.documents = ARENA_ARRAY(&c.arena, struct fault_document, DOCUMENTS_MAX);
    add_folder(&c, "house/ptr-pdf", true);
    add_folder(&c, "senate/ptr-html", false);
    if (c.count == 0) {
        arena_finish(&c.arena);
        skip();
    }
    count_unread(&c);
    run_rounds(&c, 0, ROUNDS, counts, &sum, through);
    print_message(
        "# %zu documents; a round has %.0f rows of %.0f filings\n", c.count,
        (double)sum.rows / ROUNDS, (double)sum.filings / ROUNDS);
    for (int k = 0; k < FAULT_KIND_COUNT; k++) {
        assert_int_equal(counts[k].put, ROUNDS * OF_KIND);
        print_message(
            "# | %s | %.1f | %.1f |\n", kind_words[k], percent(counts[k].one, counts[k].put) / 10,
            percent(counts[k].both, counts[k].put) / 10);
        all.put += counts[k].put;
        all.one += counts[k].one;
        all.both += counts[k].both;
    }
    print_message(
        "# | all of 100 | %.1f | %.1f |\n", percent(all.one, all.put), percent(all.both, all.put));
    judge_samples(&c, through);
    print_batches();
    assert_true(percent(all.one, all.put) >= 99.5);
    assert_true(percent(all.both, all.put) >= 50);
    assert_true(counts[FAULT_YEAR].both * 100 >= counts[FAULT_YEAR].put * 55);
    assert_true(counts[FAULT_SYMBOL].both * 100 >= counts[FAULT_SYMBOL].put * 90);
    arena_finish(&c.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_find_faults_in_real_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

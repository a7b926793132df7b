/* Types and amounts by their marks; see row_marks.h. */
#include "scan/row_marks.h"

enum {
    WORD_SIZE_MAX = 20,
    WRONG_PART = 3, /* one of so many letters may be misread */
};

static const struct str house_amounts[] = {
    STR_INIT("$1,001 - $15,000"),          STR_INIT("$15,001 - $50,000"),
    STR_INIT("$50,001 - $100,000"),        STR_INIT("$100,001 - $250,000"),
    STR_INIT("$250,001 - $500,000"),       STR_INIT("$500,001 - $1,000,000"),
    STR_INIT("$1,000,001 - $5,000,000"),   STR_INIT("$5,000,001 - $25,000,000"),
    STR_INIT("$25,000,001 - $50,000,000"), STR_INIT("Over $50,000,000"),
    STR_INIT("Spouse/DC Over $1,000,000"),
};

static const struct str senate_amounts[] = {
    STR_INIT("$1,001 - $15,000"),         STR_INIT("$15,001 - $50,000"),
    STR_INIT("$50,001 - $100,000"),       STR_INIT("$100,001 - $250,000"),
    STR_INIT("$250,001 - $500,000"),      STR_INIT("$500,001 - $1,000,000"),
    STR_INIT("Over $1,000,000"),          STR_INIT("$1,000,001 - $5,000,000"),
    STR_INIT("$5,000,001 - $25,000,000"), STR_INIT("$25,000,001 - $50,000,000"),
    STR_INIT("Over $50,000,000"),
};

static const struct str house_types[TYPE_NAME_COUNT] = {
    [TYPE_PURCHASE] = STR_INIT("P"),
    [TYPE_SALE] = STR_INIT("S"),
    [TYPE_PARTIAL_SALE] = STR_INIT("S (partial)"),
    [TYPE_EXCHANGE] = STR_INIT("E"),
};

/* The Senate's paper form does not say whether a sale was in full. */
static const struct str senate_types[TYPE_NAME_COUNT] = {
    [TYPE_PURCHASE] = STR_INIT("Purchase"),
    [TYPE_SALE] = STR_INIT("Sale"),
    [TYPE_EXCHANGE] = STR_INIT("Exchange"),
};

/* Words of a head; the first that the text has counts. */
static const struct {
    struct str word;
    enum type_name name;
} name_words[] = {
    {STR_INIT("capital"), TYPE_GAIN},         {STR_INIT("gain"), TYPE_GAIN},
    {STR_INIT("partial"), TYPE_PARTIAL_SALE}, {STR_INIT("purchase"), TYPE_PURCHASE},
    {STR_INIT("exchange"), TYPE_EXCHANGE},    {STR_INIT("sale"), TYPE_SALE},
};

bool row_marks_names(int types, enum type_name ret[static COLUMNS_MAX])
{
    static const enum type_name three[] = {TYPE_PURCHASE, TYPE_SALE, TYPE_EXCHANGE};
    static const enum type_name four[] = {
        TYPE_PURCHASE, TYPE_SALE, TYPE_PARTIAL_SALE, TYPE_EXCHANGE};
    if (types != 3 && types != 4)
        return false;
    for (int i = 0; i < types; i++)
        ret[i] = types == 3 ? three[i] : four[i];
    return true;
}

/* Letters to change, add or drop to make one word of the other; both are short. */
static int distance(struct str a, struct str b)
{
    int line[WORD_SIZE_MAX + 1];
    for (size_t k = 0; k <= b.n; k++)
        line[k] = (int)k;
    for (size_t i = 0; i < a.n; i++) {
        int diagonal = line[0];
        line[0] = (int)i + 1;
        for (size_t k = 0; k < b.n; k++) {
            int same = diagonal + (ascii_lower(a.p[i]) == b.p[k] ? 0 : 1);
            int step = (line[k] < line[k + 1] ? line[k] : line[k + 1]) + 1;
            diagonal = line[k + 1];
            line[k + 1] = same < step ? same : step;
        }
    }
    return line[b.n];
}

enum type_name row_marks_name(struct str text)
{
    for (size_t i = 0; i < sizeof name_words / sizeof *name_words; i++) {
        struct str rest = text, word, name = name_words[i].word;
        while (str_next_word(&rest, &word))
            if (word.n <= WORD_SIZE_MAX && WRONG_PART * distance(word, name) <= (int)name.n)
                return name_words[i].name;
    }
    return TYPE_UNKNOWN;
}

/* The marks in the columns of this role and the verdicts on them; returns their number. */
static int judge(
    const struct columns *columns, const struct scan_mark *marks, enum column_role role,
    struct scan_mark group[static COLUMNS_MAX], enum mark_verdict ret[static COLUMNS_MAX])
{
    int count = 0;
    for (int c = 0; c < columns->count; c++)
        if (columns->role[c] == role)
            group[count++] = marks[c];
    marks_judge(group, count, ret);
    return count;
}

static void not_read(struct scan_row *row, enum cell cell, struct str reason)
{
    row->cell[cell] = STR_NULL;
    row->source[cell] = (struct cell_source){CELL_NOT_READ, reason};
}

static void read_as(struct scan_row *row, enum cell cell, struct str text)
{
    row->cell[cell] = text;
    row->source[cell] = (struct cell_source){CELL_FROM_BOX, STR_NULL};
}

/* Ink that is neither clearly a mark nor none is not read. */
static void read_gain(struct scan_row *row, const struct scan_mark *mark, enum mark_verdict verdict)
{
    if (verdict == MARK_CLEAR)
        read_as(row, CELL_CAP_GAINS, STR("checked"));
    else if (!mark->clear && !mark->faint)
        read_as(row, CELL_CAP_GAINS, STR("not checked"));
    else
        not_read(row, CELL_CAP_GAINS, STR("the mark of the capital gain is not clear"));
}

void row_marks_type(
    const struct columns *columns, const struct scan_mark *marks, const enum type_name *names,
    enum scan_form form, struct scan_row *row)
{
    struct scan_mark group[COLUMNS_MAX] = {{0}};
    enum mark_verdict verdict[COLUMNS_MAX];
    int faint = 0, marked = 0;
    bool named[TYPE_NAME_COUNT] = {false};
    int count = judge(columns, marks, COLUMN_TYPE, group, verdict);
    for (int i = 0; i < count; i++) {
        enum type_name name = names ? names[i] : TYPE_UNKNOWN;
        if (name == TYPE_GAIN)
            read_gain(row, &group[i], verdict[i]);
        if (verdict[i] == MARK_NONE || name == TYPE_GAIN)
            continue;
        faint += verdict[i] == MARK_FAINT ? 1 : 0;
        marked += verdict[i] == MARK_CLEAR && !named[name] ? 1 : 0;
        named[name] = named[name] || verdict[i] == MARK_CLEAR;
    }
    /* lists mark a partial sale in two columns */
    bool partial = named[TYPE_PARTIAL_SALE] && named[TYPE_SALE] && marked == 2;
    if (faint)
        not_read(row, CELL_TYPE, STR("a mark of the type is too faint"));
    else if (marked == 0)
        not_read(row, CELL_TYPE, STR("no type is marked"));
    else if (named[TYPE_UNKNOWN])
        not_read(row, CELL_TYPE, STR("the name of the marked type could not be read"));
    else if (marked > 1 && !partial)
        not_read(row, CELL_TYPE, STR("more than one type is marked"));
    else
        for (int name = 0; name < TYPE_NAME_COUNT; name++)
            if (named[name] && (!partial || name == TYPE_PARTIAL_SALE))
                read_as(
                    row, CELL_TYPE, (form == SCAN_FORM_SENATE ? senate_types : house_types)[name]);
}

void row_marks_amount(
    const struct columns *columns, const struct scan_mark *marks, enum scan_form form,
    struct scan_row *row)
{
    struct scan_mark group[COLUMNS_MAX] = {{0}};
    enum mark_verdict verdict[COLUMNS_MAX];
    int clear = 0, faint = 0, last = 0;
    int count = judge(columns, marks, COLUMN_AMOUNT, group, verdict);
    for (int i = 0; i < count; i++) {
        clear += verdict[i] == MARK_CLEAR ? 1 : 0;
        faint += verdict[i] == MARK_FAINT ? 1 : 0;
        last = verdict[i] == MARK_CLEAR ? i : last;
    }
    if (faint)
        not_read(row, CELL_AMOUNT, STR("a mark of the amount is too faint"));
    else if (clear == 0)
        not_read(row, CELL_AMOUNT, STR("no amount is marked"));
    else if (clear > 1)
        not_read(row, CELL_AMOUNT, STR("more than one amount is marked"));
    else
        read_as(
            row, CELL_AMOUNT, (form == SCAN_FORM_SENATE ? senate_amounts : house_amounts)[last]);
}

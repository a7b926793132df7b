/* Names of companies; see company_name.h. */
#include "market/company_name.h"

#include "base/fold.h"

enum {
    WORDS_MAX = 24,
    PREFIX_MIN = 4,  /* letters of a shortened word: "Intern" for "International" */
    TELLING_MIN = 3, /* letters of a word that tells companies apart */
    JOINED_MIN = 5,  /* letters of a beginning in common without spaces */
    INITIALS_MIN = 2,
};

/* Legal forms, kinds of share and small words. */
static const struct str noise = STR_INIT(
    "the inc incorporated corp corporation co company companies ltd limited plc llc lp llp sa nv "
    "ag se ab asa spa as oyj kgaa sab cv bv group grp holding holdings hldg hldgs and of de du la "
    "for com common stock stocks share shares shs ord ordinary class cl series ser capital units "
    "unit adr ads adrs sponsored unsponsored new del nyse nasdaq exchanged received registered reg "
    "beneficial interest etf etn fund funds trust a b c d");

/* Of these, what no name differs in. A class goes with the word after it. */
static const struct str forms =
    STR_INIT("the inc incorporated corp corporation co company companies ltd limited plc llc lp sa "
             "nv ag se and of common com cmn stock stocks share shares shs ord ordinary capital "
             "new adr ads spon sponsored reit nyse nasdaq del de");
/* A broker's words about the order, from which on nothing is of the name. */
static const struct str orders[] = {STR_INIT("unsolic"), STR_INIT("execut")};
static const struct str classes = STR_INIT("cl class ser series");

/* Words that many names share. One alone does not tell a company. */
static const struct str common_words =
    STR_INIT("american america united general national international global first bank bancorp "
             "banc energy financial health healthcare technologies technology systems services "
             "partners resources index income growth value usa air tax one high low long short "
             "term capital industries pharmaceuticals pharmaceutical therapeutics insurance "
             "communications realty properties solutions acquisition states market markets world "
             "power electric water digital data media brands foods oil gas petroleum motors "
             "airlines stores products materials chemical steel gold mining real estate investment "
             "investments management equity bond treasury vanguard ishares spdr invesco");

/* From here on a text describes a receipt or a preference share, not a company. */
static const struct str tails[] = {
    STR_INIT(" american depositary"),
    STR_INIT(" american depository"),
    STR_INIT(" depositary shares"),
    STR_INIT(" each representing"),
};

/* Shortened words whose letters do not begin the whole word. */
static const struct {
    struct str brief, whole;
} abbreviations[] = {
    {STR_INIT("intl"), STR_INIT("international")},
    {STR_INIT("natl"), STR_INIT("national")},
    {STR_INIT("svcs"), STR_INIT("services")},
    {STR_INIT("svc"), STR_INIT("service")},
    {STR_INIT("mgmt"), STR_INIT("management")},
    {STR_INIT("mfg"), STR_INIT("manufacturing")},
    {STR_INIT("finl"), STR_INIT("financial")},
    {STR_INIT("ptnrs"), STR_INIT("partners")},
    {STR_INIT("bancorporation"), STR_INIT("bancorp")},
    {STR_INIT("labs"), STR_INIT("laboratories")},
    {STR_INIT("amer"), STR_INIT("american")},
    {STR_INIT("bros"), STR_INIT("brothers")},
    {STR_INIT("mtrs"), STR_INIT("motors")},
};

struct company_words {
    char space[2 * FOLD_TEXT_MAX];
    char joined_space[2 * FOLD_TEXT_MAX];
    struct str joined; /* the words without spaces */
    char all_space[2 * FOLD_TEXT_MAX];
    struct str all; /* the same with the words that do not count */
    size_t all_count;
    struct str words[WORDS_MAX];
    size_t count;
};

static void add_words(struct company_words *n, struct str text, bool keep_noise)
{
    struct buf joined = buf_over(n->joined_space, sizeof n->joined_space);
    struct buf all = buf_over(n->all_space, sizeof n->all_space);
    struct str word;
    n->count = n->all_count = 0;
    while (n->count < WORDS_MAX && str_split(&text, ' ', &word)) {
        buf_str(&all, word);
        n->all_count++;
        if (word.n == 0 || (!keep_noise && str_lists(noise, word)))
            continue;
        n->words[n->count++] = word;
        buf_str(&joined, word);
    }
    n->joined = buf_view(&joined);
    n->all = buf_view(&all);
}

static bool read_name(struct company_words *n, struct str text)
{
    struct buf folded = buf_over(n->space, sizeof n->space);
    if (!fold_words(&folded, text, FOLD_ASCII))
        return false;
    struct str words = buf_view(&folded);
    for (size_t i = 0; i < sizeof tails / sizeof *tails; i++) {
        ptrdiff_t at = str_find(words, tails[i]);
        if (at > 0)
            words = str_slice(words, 0, (size_t)at);
    }
    add_words(n, words, false);
    if (n->count == 0) /* "The Class A Group": keep what there is */
        add_words(n, words, true);
    return n->count > 0;
}

static struct str unabbreviated(struct str word)
{
    for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; i++)
        if (str_eq(word, abbreviations[i].brief))
            return abbreviations[i].whole;
    return word;
}

struct str company_name_key(struct str name, char ret[static COMPANY_NAME_KEY_MAX])
{
    char space[2 * FOLD_TEXT_MAX];
    struct buf folded = buf_over(space, sizeof space);
    struct buf key = buf_over(ret, COMPANY_NAME_KEY_MAX);
    ptrdiff_t bracket = str_find(name, STR(" ("));
    bool read =
        fold_words(&folded, bracket > 0 ? str_slice(name, 0, (size_t)bracket) : name, FOLD_ASCII);
    struct str words = read ? buf_view(&folded) : STR(""), word;
    while (str_split(&words, ' ', &word)) {
        word = unabbreviated(word);
        if (str_starts(word, orders[0]) || str_starts(word, orders[1]))
            break;
        if (str_lists(classes, word))
            (void)str_split(&words, ' ', &word);
        else if (word.n && !str_lists(forms, word))
            buf_fmt(&key, "%s%.*s", key.n ? " " : "", STR_ARG(word));
    }
    return buf_view(&key);
}

/* Equal words, a shortened one, or singular and plural. */
static bool is_word(struct str a, struct str b)
{
    a = unabbreviated(a);
    b = unabbreviated(b);
    struct str brief = a.n < b.n ? a : b, whole = a.n < b.n ? b : a;
    return brief.n >= PREFIX_MIN ? str_starts(whole, brief) : str_eq(a, b);
}

static bool has_word(const struct company_words *n, struct str word)
{
    for (size_t i = 0; i < n->count; i++)
        if (is_word(n->words[i], word))
            return true;
    return false;
}

static bool tells(struct str word)
{
    return word.n >= TELLING_MIN && !str_lists(common_words, unabbreviated(word));
}

/* All words of the shorter name are in the longer, and they tell the company: two words, or one
 * that begins the longer name or tells companies apart by itself. */
static bool is_part(const struct company_words *brief, const struct company_words *whole)
{
    bool telling = brief->count > 1;
    for (size_t i = 0; i < brief->count; i++) {
        if (!has_word(whole, brief->words[i]))
            return false;
        telling |= tells(brief->words[i]);
    }
    return telling || (whole->count == 1 && str_eq(brief->joined, whole->joined)) ||
           (is_word(brief->words[0], whole->words[0]) &&
            !str_lists(common_words, unabbreviated(brief->words[0])));
}

/* "ibm" for "international business machines" */
static bool is_initials(const struct company_words *brief, const struct company_words *whole)
{
    if (brief->joined.n < INITIALS_MIN || brief->joined.n != whole->count)
        return false;
    for (size_t i = 0; i < whole->count; i++)
        if (brief->joined.p[i] != whole->words[i].p[0])
            return false;
    return true;
}

static bool begins_alike(struct str a, struct str b)
{
    return a.n >= JOINED_MIN && b.n >= JOINED_MIN && memcmp(a.p, b.p, JOINED_MIN) == 0;
}

/* "New Gold Inc." and "New Gold Inc. /Fi" */
static bool continues(const struct company_words *a, const struct company_words *b)
{
    return a->all_count > 1 && b->all_count > 1 &&
           (str_starts(a->all, b->all) || str_starts(b->all, a->all));
}

static bool shares_telling_word(const struct company_words *a, const struct company_words *b)
{
    for (size_t i = 0; i < a->count; i++)
        if (tells(a->words[i]) && has_word(b, a->words[i]))
            return true;
    return false;
}

enum company_name company_name_compare(struct str a, struct str b)
{
    struct company_words x, y;
    if (!read_name(&x, a) || !read_name(&y, b))
        return COMPANY_NAME_OTHER;
    const struct company_words *brief = x.count <= y.count ? &x : &y,
                               *whole = x.count <= y.count ? &y : &x;
    if (str_eq(x.joined, y.joined) || str_eq(x.all, y.all) || continues(&x, &y) ||
        is_part(brief, whole) || is_initials(&x, &y) || is_initials(&y, &x))
        return COMPANY_NAME_SAME;
    bool near = shares_telling_word(&x, &y) ||
                (begins_alike(x.joined, y.joined) && !str_lists(common_words, x.words[0]));
    return near ? COMPANY_NAME_NEAR : COMPANY_NAME_OTHER;
}

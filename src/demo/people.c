/* Invents members; see people.h. */
#include "demo/people.h"

#include "demo/dice.h"
#include "market/slug.h"

static const char *const given_names[] = {
    "Ada",      "Albin",        "Beatrix",    "Bertram",   "Bj\xc3\xb6rn", "Carys",   "Casimir",
    "Cordelia", "Crispin",      "Dagny",      "Desmond",   "Eleanora",     "Emeka",   "Esm\xc3\xa9",
    "Fabian",   "Freya",        "Gideon",     "Greta",     "Hamish",       "Henrike", "Ignatius",
    "Imogen",   "Jos\xc3\xa9",  "Jovana",     "Kasper",    "Keiko",        "Leopold", "Linnea",
    "Magnus",   "Marisol",      "Nadia",      "Nathaniel", "Octavia",      "Oswin",   "Petra",
    "Quentin",  "Ren\303\251e", "Rufus",      "Saoirse",   "Silas",        "Tamsin",  "Thaddeus",
    "Ulla",     "Viggo",        "Wilhelmina", "Xavier",    "Yolanda",      "Zebedee",
};

/* Last names have two halves; none of the 836 is a real member's. */
static const char *const first_halves[] = {
    "Amber",   "Birch",  "Bram",   "Briar",  "Cinder",  "Copper",  "Dapple", "Elder",
    "Ember",   "Fern",   "Flint",  "Glim",   "Hazel",   "Heather", "Ivory",  "Juniper",
    "Lark",    "Linden", "Maple",  "Marrow", "Moss",    "Nettle",  "Oaken",  "Otter",
    "Pebble",  "Quill",  "Raven",  "Rowan",  "Saffron", "Sedge",   "Sorrel", "Tansy",
    "Thistle", "Umber",  "Velvet", "Willow", "Winter",  "Yarrow",
};

static const char *const second_halves[] = {
    "acre",  "barrow", "bough",  "castle",  "combe", "crest", "dell", "fold",
    "garth", "glen",   "hollow", "holt",    "lock",  "mere",  "moor", "ridge",
    "row",   "shaw",   "stead",  "thwaite", "vale",  "wick",
};

static const char states[50][3] = {
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL",
    "IN", "IA", "KS", "KY", "LA", "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT",
    "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK", "OR", "PA", "RI",
    "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY",
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { DAYS_OF_YEAR = 365, HOUSE_TERM_DAYS = 730, SENATE_TERM_DAYS = 2191 };

static struct str party(struct dice *d)
{
    static const uint16_t weights[] = {49, 49, 2};
    static const struct str names[] = {
        STR_INIT("Democrat"), STR_INIT("Republican"), STR_INIT("Independent")};
    return names[dice_pick(d, weights, COUNT(weights))];
}

static void invent_term(
    struct arena *arena, struct dice *d, int number, int32_t as_of, struct member *m)
{
    bool senator = number < DEMO_SENATORS;
    int length = senator ? SENATE_TERM_DAYS : HOUSE_TERM_DAYS;
    /* One member in twenty has left office; the others are within their term. */
    int32_t end = as_of + 1 + (int32_t)dice_below(d, (uint32_t)length - 30);
    if (number % 20 == 19)
        end = as_of - 30 - (int32_t)dice_below(d, 2 * DAYS_OF_YEAR);
    m->listed_on = end > as_of ? as_of : DAY_NONE;
    m->terms = ARENA_NEW(arena, struct member_term);
    m->term_count = 1;
    m->terms[0] = (struct member_term){
        .chamber = senator ? CHAMBER_SENATE : CHAMBER_HOUSE,
        .state = str_of(states[number % 50], 2),
        .district = senator ? MEMBER_DISTRICT_NONE : 1 + (number - DEMO_SENATORS) / 50,
        .senate_class = senator ? 1 + number / 50 : 0,
        .party = party(d),
        /* Long enough to cover every invented filing. */
        .start = end - length - 4 * DAYS_OF_YEAR,
        .end = end,
    };
}

static void invent(struct arena *arena, struct dice *d, int number, int32_t as_of, struct member *m)
{
    enum { LAST_NAMES = COUNT(first_halves) * COUNT(second_halves) };
    /* A step that is coprime to the number of names visits each one before any repeats. */
    size_t last = (size_t)number * 255 % LAST_NAMES;
    size_t first = (size_t)number * 17 % COUNT(given_names);
    m->id = arena_fmt(arena, "demo-%04d", number + 1);
    m->first = str_from(given_names[first]);
    m->last = arena_fmt(
        arena, "%s%s", first_halves[last % COUNT(first_halves)],
        second_halves[last / COUNT(first_halves)]);
    m->slug = slug_make(arena, m->first, m->last, m->id);
    m->name = arena_fmt(
        arena, "%.*s %.*s%s", STR_ARG(m->first), STR_ARG(m->last),
        number % 37 == 36   ? ", Jr."
        : number % 53 == 52 ? " III"
                            : "");
    m->birthday = as_of - (int32_t)(35 * DAYS_OF_YEAR + dice_below(d, 45 * DAYS_OF_YEAR));
    invent_term(arena, d, number, as_of, m);
}

struct member *demo_people(struct arena *arena, int32_t as_of)
{
    struct member *people = ARENA_ARRAY(arena, struct member, DEMO_MEMBERS);
    struct dice d;
    dice_init(&d, (uint64_t)as_of, 1);
    for (int i = 0; i < DEMO_MEMBERS; i++)
        invent(arena, &d, i, as_of, &people[i]);
    return people;
}

/* Short forms of given names; see short_name.h. */
#include "people/short_name.h"

/* The whole name, then its short forms, by whole name. */
static const char *const forms[] = {
    "abraham abe",
    "albert al bert",
    "alexander alex",
    "alfred al fred",
    "andrew andy drew",
    "angela angie",
    "anthony tony",
    "barbara barb",
    "benjamin ben",
    "bernard bernie",
    "bradley brad",
    "catherine cathy kate katie",
    "charles charlie chuck",
    "christine chris",
    "christopher chris",
    "cynthia cindy",
    "daniel dan danny",
    "david dave",
    "deborah deb debbie",
    "donald don",
    "douglas doug",
    "edward ed eddie ned ted",
    "elizabeth beth betsy betty liz lizzie",
    "eugene gene",
    "frederick fred",
    "gerald gerry jerry",
    "gregory greg",
    "henry hank",
    "jacklyn jacky",
    "jacob jake",
    "james jamie jim jimmy",
    "jeffrey jeff",
    "jennifer jen jenny",
    "jerome jerry",
    "john jack johnny",
    "jonathan jon",
    "joseph joe joey",
    "joshua josh",
    "judith judy",
    "katherine kate kathy katie",
    "kathleen kathy",
    "kenneth ken",
    "lawrence larry",
    "leonard len",
    "louis lou",
    "margaret maggie meg peggy",
    "matthew matt",
    "melvin mel",
    "michael mick mike",
    "mitchell mitch",
    "nathaniel nate",
    "nicholas nick",
    "pamela pam",
    "patricia pat patti patty",
    "patrick pat",
    "peter pete",
    "philip phil",
    "phillip phil",
    "randall randy",
    "raymond ray",
    "rebecca becky",
    "richard dick rich rick",
    "robert bob bobby rob",
    "rodney rod",
    "ronald ron",
    "russell russ",
    "samuel sam",
    "stephen steve",
    "steven steve",
    "stuart stu",
    "susan sue susie",
    "suzanne sue suzan",
    "sylvester sly",
    "terrance terry",
    "terrence terry",
    "theodore ted",
    "thomas thom tom tommy",
    "timothy tim",
    "valerie val",
    "victoria vicky",
    "vincent vince",
    "walter walt",
    "william bill billy will",
    "zachary zach",
};

static bool has_short_form(struct str line, struct str whole, struct str shorter)
{
    struct str word;
    if (!str_split(&line, ' ', &word) || !str_eq(word, whole))
        return false;
    while (str_split(&line, ' ', &word))
        if (str_eq(word, shorter))
            return true;
    return false;
}

bool short_name_same(struct str a, struct str b)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct str line = str_from(forms[i]);
        if (has_short_form(line, a, b) || has_short_form(line, b, a))
            return true;
    }
    return false;
}

/* The tables of names; see html_entity.h. */
#include "paper/cell/html_entity.h"

/* By code, from U+00A0 to U+00FF. */
static const struct str latin[] = {
    STR_INIT("nbsp"),   STR_INIT("iexcl"),  STR_INIT("cent"),   STR_INIT("pound"),
    STR_INIT("curren"), STR_INIT("yen"),    STR_INIT("brvbar"), STR_INIT("sect"),
    STR_INIT("uml"),    STR_INIT("copy"),   STR_INIT("ordf"),   STR_INIT("laquo"),
    STR_INIT("not"),    STR_INIT("shy"),    STR_INIT("reg"),    STR_INIT("macr"),
    STR_INIT("deg"),    STR_INIT("plusmn"), STR_INIT("sup2"),   STR_INIT("sup3"),
    STR_INIT("acute"),  STR_INIT("micro"),  STR_INIT("para"),   STR_INIT("middot"),
    STR_INIT("cedil"),  STR_INIT("sup1"),   STR_INIT("ordm"),   STR_INIT("raquo"),
    STR_INIT("frac14"), STR_INIT("frac12"), STR_INIT("frac34"), STR_INIT("iquest"),
    STR_INIT("Agrave"), STR_INIT("Aacute"), STR_INIT("Acirc"),  STR_INIT("Atilde"),
    STR_INIT("Auml"),   STR_INIT("Aring"),  STR_INIT("AElig"),  STR_INIT("Ccedil"),
    STR_INIT("Egrave"), STR_INIT("Eacute"), STR_INIT("Ecirc"),  STR_INIT("Euml"),
    STR_INIT("Igrave"), STR_INIT("Iacute"), STR_INIT("Icirc"),  STR_INIT("Iuml"),
    STR_INIT("ETH"),    STR_INIT("Ntilde"), STR_INIT("Ograve"), STR_INIT("Oacute"),
    STR_INIT("Ocirc"),  STR_INIT("Otilde"), STR_INIT("Ouml"),   STR_INIT("times"),
    STR_INIT("Oslash"), STR_INIT("Ugrave"), STR_INIT("Uacute"), STR_INIT("Ucirc"),
    STR_INIT("Uuml"),   STR_INIT("Yacute"), STR_INIT("THORN"),  STR_INIT("szlig"),
    STR_INIT("agrave"), STR_INIT("aacute"), STR_INIT("acirc"),  STR_INIT("atilde"),
    STR_INIT("auml"),   STR_INIT("aring"),  STR_INIT("aelig"),  STR_INIT("ccedil"),
    STR_INIT("egrave"), STR_INIT("eacute"), STR_INIT("ecirc"),  STR_INIT("euml"),
    STR_INIT("igrave"), STR_INIT("iacute"), STR_INIT("icirc"),  STR_INIT("iuml"),
    STR_INIT("eth"),    STR_INIT("ntilde"), STR_INIT("ograve"), STR_INIT("oacute"),
    STR_INIT("ocirc"),  STR_INIT("otilde"), STR_INIT("ouml"),   STR_INIT("divide"),
    STR_INIT("oslash"), STR_INIT("ugrave"), STR_INIT("uacute"), STR_INIT("ucirc"),
    STR_INIT("uuml"),   STR_INIT("yacute"), STR_INIT("thorn"),  STR_INIT("yuml"),
};

static const struct {
    struct str name, text;
} others[] = {
    {STR_INIT("Dagger"), STR_INIT("\xe2\x80\xa1")},
    {STR_INIT("OElig"), STR_INIT("\xc5\x92")},
    {STR_INIT("Prime"), STR_INIT("\xe2\x80\xb3")},
    {STR_INIT("Scaron"), STR_INIT("\xc5\xa0")},
    {STR_INIT("Yuml"), STR_INIT("\xc5\xb8")},
    {STR_INIT("amp"), STR_INIT("&")},
    {STR_INIT("apos"), STR_INIT("'")},
    {STR_INIT("bdquo"), STR_INIT("\xe2\x80\x9e")},
    {STR_INIT("bull"), STR_INIT("\xe2\x80\xa2")},
    {STR_INIT("dagger"), STR_INIT("\xe2\x80\xa0")},
    {STR_INIT("emsp"), STR_INIT("\xe2\x80\x83")},
    {STR_INIT("ensp"), STR_INIT("\xe2\x80\x82")},
    {STR_INIT("euro"), STR_INIT("\xe2\x82\xac")},
    {STR_INIT("fnof"), STR_INIT("\xc6\x92")},
    {STR_INIT("frasl"), STR_INIT("\xe2\x81\x84")},
    {STR_INIT("gt"), STR_INIT(">")},
    {STR_INIT("hellip"), STR_INIT("\xe2\x80\xa6")},
    {STR_INIT("ldquo"), STR_INIT("\xe2\x80\x9c")},
    {STR_INIT("lsaquo"), STR_INIT("\xe2\x80\xb9")},
    {STR_INIT("lsquo"), STR_INIT("\xe2\x80\x98")},
    {STR_INIT("lt"), STR_INIT("<")},
    {STR_INIT("mdash"), STR_INIT("\xe2\x80\x94")},
    {STR_INIT("minus"), STR_INIT("\xe2\x88\x92")},
    {STR_INIT("ndash"), STR_INIT("\xe2\x80\x93")},
    {STR_INIT("oelig"), STR_INIT("\xc5\x93")},
    {STR_INIT("permil"), STR_INIT("\xe2\x80\xb0")},
    {STR_INIT("prime"), STR_INIT("\xe2\x80\xb2")},
    {STR_INIT("quot"), STR_INIT("\"")},
    {STR_INIT("rdquo"), STR_INIT("\xe2\x80\x9d")},
    {STR_INIT("rsaquo"), STR_INIT("\xe2\x80\xba")},
    {STR_INIT("rsquo"), STR_INIT("\xe2\x80\x99")},
    {STR_INIT("sbquo"), STR_INIT("\xe2\x80\x9a")},
    {STR_INIT("scaron"), STR_INIT("\xc5\xa1")},
    {STR_INIT("thinsp"), STR_INIT("\xe2\x80\x89")},
    {STR_INIT("trade"), STR_INIT("\xe2\x84\xa2")},
};

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* U+00A0 to U+00FF in UTF-8, two bytes each. */
static const char latin_text[] = "\xc2\xa0\xc2\xa1\xc2\xa2\xc2\xa3\xc2\xa4\xc2\xa5\xc2\xa6\xc2\xa7"
                                 "\xc2\xa8\xc2\xa9\xc2\xaa\xc2\xab\xc2\xac\xc2\xad\xc2\xae\xc2\xaf"
                                 "\xc2\xb0\xc2\xb1\xc2\xb2\xc2\xb3\xc2\xb4\xc2\xb5\xc2\xb6\xc2\xb7"
                                 "\xc2\xb8\xc2\xb9\xc2\xba\xc2\xbb\xc2\xbc\xc2\xbd\xc2\xbe\xc2\xbf"
                                 "\xc3\x80\xc3\x81\xc3\x82\xc3\x83\xc3\x84\xc3\x85\xc3\x86\xc3\x87"
                                 "\xc3\x88\xc3\x89\xc3\x8a\xc3\x8b\xc3\x8c\xc3\x8d\xc3\x8e\xc3\x8f"
                                 "\xc3\x90\xc3\x91\xc3\x92\xc3\x93\xc3\x94\xc3\x95\xc3\x96\xc3\x97"
                                 "\xc3\x98\xc3\x99\xc3\x9a\xc3\x9b\xc3\x9c\xc3\x9d\xc3\x9e\xc3\x9f"
                                 "\xc3\xa0\xc3\xa1\xc3\xa2\xc3\xa3\xc3\xa4\xc3\xa5\xc3\xa6\xc3\xa7"
                                 "\xc3\xa8\xc3\xa9\xc3\xaa\xc3\xab\xc3\xac\xc3\xad\xc3\xae\xc3\xaf"
                                 "\xc3\xb0\xc3\xb1\xc3\xb2\xc3\xb3\xc3\xb4\xc3\xb5\xc3\xb6\xc3\xb7"
                                 "\xc3\xb8\xc3\xb9\xc3\xba\xc3\xbb\xc3\xbc\xc3\xbd\xc3\xbe\xc3\xbf";

_Static_assert(sizeof latin_text == 2 * COUNT(latin) + 1, "two bytes for each name");

struct str html_entity_text(struct str name)
{
    for (size_t i = 0; i < COUNT(others); i++)
        if (str_eq(name, others[i].name))
            return others[i].text;
    for (size_t i = 0; i < COUNT(latin); i++)
        if (str_eq(name, latin[i]))
            return str_of(latin_text + 2 * i, 2);
    return STR_NULL;
}

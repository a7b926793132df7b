/* Names as symbol lists print them: "Alcoa Corporation Common Stock", "Aehr Test Systems - Common
 * Stock". */
#pragma once

#include "base/str.h"

/* The company's name where the tail certainly describes its shares and no more, otherwise the whole
 * name. Letter case stays. A part of `printed`, never empty unless that is. */
struct str tickers_name_clean(struct str printed);

/* Whether it is certainly a fund's own share: its name says so, and it is no warrant, unit or
 * right. */
bool tickers_name_is_fund(struct str printed);

/* Names as symbol lists print them: "Alcoa Corporation Common Stock", "Aehr Test Systems - Common
 * Stock". */
#pragma once

#include "base/str.h"

/* The company's name if the tail certainly describes only its shares, otherwise the full name.
 * Letter case is kept. Part of `printed`; never empty unless that is. */
struct str tickers_name_clean(struct str printed);

/* Reports whether the name is certainly a fund's own share: it says so, and is not a warrant, unit
 * or right. */
bool tickers_name_is_fund(struct str printed);

/* Congresses as periods of days: the 112th began on 2011-01-03, each later one two years after the
 * one before (20th Amendment). */
#pragma once

#include "base/instant.h"

int congress_of(int32_t day);           /* number of the Congress of that day */
int32_t congress_first_day(int number); /* January 3 of an odd year */

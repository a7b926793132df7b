/* How many entries a page of a list has, for whoever serves pages or asks for them (spec 8). */
#pragma once

enum { PAGE_LIMIT_DEFAULT = 25, PAGE_LIMIT_MAX = 100 };

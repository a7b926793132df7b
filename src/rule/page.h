/* The number of entries on a page of a list, for servers and clients of pages (spec 8). */
#pragma once

enum { PAGE_LIMIT_DEFAULT = 25, PAGE_LIMIT_MAX = 100 };

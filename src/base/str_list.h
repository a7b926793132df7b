/* A growing list of texts. It owns copies of them. */
#pragma once

#include "base/mem.h"

struct str_list {
    struct arena arena;
    struct str *items;
    size_t count, room;
};

void str_list_init(struct str_list *list);
void str_list_finish(struct str_list *list);
/* Declares an empty list that is freed where its block ends. */
#define STR_LIST_SCOPED(name)                                                                      \
    struct str_list name __attribute__((cleanup(str_list_finish))) = {.count = 0}
void str_list_add(struct str_list *list, struct str s);

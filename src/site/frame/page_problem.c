/* The table of errors of pages; see page_problem.h. */
#include "site/frame/page_problem.h"

#include <assert.h>

#define ROW(problem, status, code, title, text)                                                    \
    [problem] = {(status), STR_INIT(code), STR_INIT(title), STR_INIT(text)},

static const struct page_problem_info problems[PROBLEM_COUNT] = {PAGE_PROBLEMS(ROW)};

const struct page_problem_info *page_problem_info(enum page_problem problem)
{
    assert(problem < PROBLEM_COUNT);
    return &problems[problem];
}

enum page_problem page_problem_from_status(int status)
{
    if (status == 403)
        return PROBLEM_FORBIDDEN;
    for (int i = 0; i < PROBLEM_COUNT; i++)
        if (problems[i].status == status)
            return (enum page_problem)i;
    return PROBLEM_INTERNAL;
}

/* The form of an alert; see alert_form.h. */
#include "site/account/alert_form.h"

#include <stdlib.h>
#include <string.h>

#include "account/alert_input.h"
#include "market/alert_words.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "store/public/member.h"
#include "store/public/roster.h"

enum {
    MEMBERS_MAX = 20, /* to choose from, when a name means several */
    COMMITTEES_MAX = 200,
};

/* --- choices */

static const struct form_option chambers[] = {
    {STR_INIT(""), STR_INIT("Both chambers")},
    {STR_INIT("house"), STR_INIT("House")},
    {STR_INIT("senate"), STR_INIT("Senate")},
};

static const struct form_option grades[] = {
    {STR_INIT(""), STR_INIT("Any")},
    {STR_INIT("A"), STR_INIT("A only")},
    {STR_INIT("B"), STR_INIT("A and B")},
    {STR_INIT("C"), STR_INIT("A, B and C")},
};

static const struct form_option paces[] = {
    {STR_INIT("now"), STR_INIT("At once, for each publication")},
    {STR_INIT("daily"), STR_INIT("Every morning, if there is something new")},
    {STR_INIT("weekly"), STR_INIT("Every Monday morning, if there is something new")},
};

static void show_brackets(struct page_call *call, const struct form *form, struct str initial)
{
    struct form_option options[BRACKET_COUNT] = {{STR(""), STR("Any amount")}};
    size_t count = 1;
    for (int i = BRACKET_NONE + 1; i < BRACKET_COUNT; i++)
        if (i != BRACKET_OVER_1M_SPOUSE && i != BRACKET_1K_15K)
            options[count++] = (struct form_option){
                bracket_key((enum bracket)i),
                arena_fmt(
                    call->arena, "%.*s and more", STR_ARG(bracket_info((enum bracket)i)->label))};
    form_show_choice(call->view, form, "minimum", initial, options, count);
}

static void show_industries(struct page_call *call, const struct form *form, struct str initial)
{
    size_t count = INDUSTRY_COUNT + 1;
    struct form_option *options = ARENA_ARRAY(call->arena, struct form_option, count);
    options[0] = (struct form_option){STR(""), STR("Any industry")};
    for (int i = 1; i <= INDUSTRY_COUNT; i++)
        options[i] = (struct form_option){industry_get(i)->code, industry_get(i)->name};
    form_show_choice(call->view, form, "sector", initial, options, count);
}

struct committees {
    struct arena *arena;
    struct form_option options[COMMITTEES_MAX];
    size_t count;
};

static void add_committee(void *ctx, struct str member_id, const struct seat *seat)
{
    struct committees *c = ctx;
    (void)member_id;
    if (seat->subcommittee || c->count == COMMITTEES_MAX)
        return;
    for (size_t i = 1; i < c->count; i++)
        if (str_eq(c->options[i].value, seat->id))
            return;
    c->options[c->count++] =
        (struct form_option){arena_str(c->arena, seat->id), arena_str(c->arena, seat->title)};
}

static int by_label(const void *a, const void *b)
{
    const struct form_option *x = a, *y = b;
    return str_cmp(x->label, y->label);
}

/* The full committees of the newest list, and the one that is chosen if it is none of them. */
static enum err show_committees(
    struct page_call *call, const struct form *form, struct str initial, struct fail *fail)
{
    struct committees *c = ARENA_NEW(call->arena, struct committees);
    c->arena = call->arena;
    c->options[c->count++] = (struct form_option){STR(""), STR("Any committee")};
    TRY(roster_each_current(call->db, add_committee, c, fail));
    qsort(c->options + 1, c->count - 1, sizeof *c->options, by_label);
    bool known = !initial.n;
    for (size_t i = 1; i < c->count; i++)
        known = known || str_eq(c->options[i].value, initial);
    if (!known && c->count < COMMITTEES_MAX)
        c->options[c->count++] = (struct form_option){initial, alert_committee_name(initial)};
    form_show_choice(call->view, form, "seat", initial, c->options, c->count);
    return OK;
}

/* --- showing */

static struct str or_empty(struct str text)
{
    return str_is_null(text) ? STR("") : text;
}

enum err alert_form_show(
    struct page_call *call, const struct form *form, const struct alert *alert, struct fail *fail)
{
    static const struct alert none = {.pace = ALERT_DAILY};
    const struct alert *a = alert ? alert : &none;
    const struct alert_rule *rule = &a->rule;
    if (!view_member(call->view, "severalMembers"))
        form_show(call->view, form, "politician", or_empty(a->member_slug));
    form_show(call->view, form, "ticker", or_empty(rule->ticker));
    form_show_choice(
        call->view, form, "chamber", or_empty(chamber_name(rule->chamber)), chambers,
        sizeof chambers / sizeof *chambers);
    show_industries(call, form, rule->industry ? industry_get(rule->industry)->code : STR(""));
    show_brackets(call, form, or_empty(bracket_key(rule->minimum)));
    form_show_check(call->view, form, "flagged", rule->flagged);
    form_show_choice(
        call->view, form, "grade", or_empty(conflict_grade_name((enum conflict_grade)rule->grade)),
        grades, sizeof grades / sizeof *grades);
    form_show_choice(
        call->view, form, "pace", alert_pace_name(a->pace), paces, sizeof paces / sizeof *paces);
    return show_committees(call, form, or_empty(rule->committee), fail);
}

/* --- reading */

/* Several members match the name: the field becomes a list to choose from. */
static void offer(struct page_call *call, const struct member_list *found)
{
    struct form_option options[MEMBERS_MAX + 1] = {{STR(""), STR("Choose a member")}};
    for (size_t i = 0; i < found->count; i++)
        options[i + 1] = (struct form_option){found->items[i].slug, found->items[i].name};
    page_fault(call, "politician", "several members match this name: choose one");
    view_bool(call->view, "severalMembers", true);
    form_show_choice(call->view, call->form, "politician", STR(""), options, found->count + 1);
}

/* A slug, an id, a name or a part of one, as a slug. *ret null: a fault is beside the field. */
static enum err find_politician(
    struct page_call *call, struct str text, struct str *ret, struct fail *fail)
{
    struct member member;
    struct member_list found;
    *ret = text;
    if (!text.n)
        return OK;
    enum err err = member_find(call->db, text, call->arena, &member, fail);
    if (err != ERR_NOT_FOUND)
        return err;
    err = member_search(call->db, text, MEMBERS_MAX, call->arena, &found, fail);
    if (err)
        return err;
    *ret = found.count == 1 ? found.items[0].slug : STR_NULL;
    if (found.count == 0)
        page_fault(call, "politician", "no member matches this name");
    else if (found.count > 1)
        offer(call, &found);
    return OK;
}

struct form_texts {
    const struct form *form;
    struct str politician; /* null: a fault is beside the field */
};

static struct str form_text(const void *ctx, const char *field)
{
    const struct form_texts *texts = ctx;
    return strcmp(field, "politician") == 0 ? texts->politician : form_value(texts->form, field);
}

enum err alert_form_read(
    struct page_call *call, struct alert_rule *ret, enum alert_pace *ret_pace, bool *ret_good,
    struct fail *fail)
{
    const struct form *form = call->form;
    struct form_texts texts = {.form = form};
    const char *field;
    struct str politician = str_trim(or_empty(form_value(form, "politician")));
    *ret = (struct alert_rule){.flagged = form_checked(form, "flagged")};
    *ret_pace = ALERT_PACE_NONE;
    *ret_good = false;
    TRY(find_politician(call, politician, &texts.politician, fail));
    enum err err =
        alert_input_read(page_reads(call, fail), form_text, &texts, ret, ret_pace, &field);
    if (err == ERR_INVALID)
        form_fault(call->form, field, fail);
    else if (err)
        return err;
    else if (*ret_pace == ALERT_PACE_NONE)
        page_fault(call, "pace", "choose how often");
    if (!form_is_faulty(call->form) && !alert_rule_has_criterion(ret))
        page_fault(call, NULL, "Choose at least one criterion.");
    *ret_good = !form_is_faulty(call->form);
    return OK;
}

/* --- an alert as a view */

static void put_badge(struct view *v, enum alert_state state, bool confirmed)
{
    static const struct {
        const char *kind, *label;
    } badges[ALERT_STATE_COUNT] = {
        [ALERT_NONE] = {"off", "Unknown"},
        [ALERT_ENABLED] = {"good", "Active"},
        [ALERT_PAUSED] = {"off", "Paused by you"},
        [ALERT_CAPPED] = {"wait", "Paused by your plan"},
        [ALERT_REFUSED] = {"bad", "Ended: mail refused"},
        [ALERT_ENDED] = {"off", "Ended"},
    };
    struct view *badge = view_object(v, "badge");
    bool waits = state == ALERT_ENABLED && !confirmed;
    view_text(badge, "kind", waits ? "wait" : badges[state].kind);
    view_text(badge, "label", waits ? "Address not confirmed" : badges[state].label);
}

void alert_view_put(struct page_call *call, struct view *v, const struct alert *alert)
{
    const struct alert_rule *rule = &alert->rule;
    BUF_SCOPED(words, ALERT_WORDS_MAX);
    alert_put_rule(&words, rule, alert->member_name);
    view_str(v, "id", alert->id);
    view_str(v, "href", arena_fmt(call->arena, "/account/alerts/%.*s", STR_ARG(alert->id)));
    view_str(v, "about", buf_view(&words));
    view_str(v, "pace", alert_pace_name(alert->pace));
    view_str(v, "paceText", alert_pace_words(alert->pace));
    view_str(v, "state", alert_state_name(alert->state));
    put_badge(v, alert->state, call->visitor.account.confirmed_at != INSTANT_NONE);
    view_bool(v, "isEnabled", alert->state == ALERT_ENABLED);
    view_bool(v, "isRefused", alert->state == ALERT_REFUSED);
    view_bool(v, "isCapped", alert->state == ALERT_CAPPED);
    view_bool(v, "mayResume", alert->state == ALERT_PAUSED || alert->state == ALERT_REFUSED);
    view_str(v, "politician", alert->member_slug);
    view_str(v, "ticker", rule->ticker);
    view_str(v, "chamber", chamber_name(rule->chamber));
    view_str(v, "seat", rule->committee);
    view_str(v, "sector", rule->industry ? industry_get(rule->industry)->code : STR_NULL);
    view_bool(v, "flagged", rule->flagged);
    view_str(v, "grade", conflict_grade_name((enum conflict_grade)rule->grade));
    view_str(v, "minimum", bracket_key(rule->minimum));
    view_instant(v, "createdAt", alert->created_at);
    view_instant(v, "lastEmailAt", alert->sent_at);
    view_count(v, "emails", alert->emails);
}

enum err alert_view_person(struct page_call *call, struct fail *fail)
{
    const struct account *account = &call->visitor.account;
    struct alert_person person = {.refused = 0};
    bool found = false;
    TRY(alert_person_find(page_reads(call, fail), account->no, &found, &person));
    view_str(call->view, "email", account->email);
    view_bool(call->view, "confirmed", account->confirmed_at != INSTANT_NONE);
    view_bool(call->view, "mail", call->config->account->mail);
    view_bool(call->view, "refused", person.refused >= ALERT_REFUSALS_MAX);
    view_instant(call->view, "refusedAt", found ? person.refused_at : INSTANT_NONE);
    view_str(call->view, "refusedReason", found ? person.refused_reason : STR_NULL);
    return OK;
}

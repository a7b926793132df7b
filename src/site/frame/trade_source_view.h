/*
 * The source of a trade, as members of a view: the same facts as GET /api/v1/trades/{id} (decision
 * 40), in words. Private to src/site.
 */
#pragma once

#include "html/view.h"
#include "store/public/finding.h"
#include "store/public/provenance.h"
#include "store/public/trade_report.h"

/* A list `details` of label and value: what was traded beyond the asset's name, and the box for
 * capital gains. */
void trade_details_put(struct view *view, struct str line, enum cap_gains gains);

/* A list `printed` of label and value: the cells of the row as the document prints them (JSON). */
void trade_printed_put(struct view *view, struct str printed);

/* "a person compared each row with the document" */
struct str trade_review_words(enum filing_review review);

/* An object `source`:
 *
 *     printed         a list of label and value: the cells of the row as the document prints them
 *     sha256, page    of the document; null: none, or not known
 *     filedOn, firstReportedOn (null: as filedOn, or not known), notifiedDate, dueDate     days
 *     late, onTime and the others of trade_late_put
 *     review          how it was reviewed, in words
 *     reviewSeconds   how long; null: not known
 *     reviewers       name, at
 *     amends, amendedBy                     id and href of a filing; null: none
 *     doubts          sentences about dates that cannot be right */
void trade_source_put(
    struct view *view, const struct trade *trade, const struct trade_source *source,
    const struct provenance *provenance, const struct trade_report *report);

/* The same of a trade in memory: filedOn and what follows, up to trade_late_put. */
void trade_source_put_dates(
    struct view *view, const struct trade *trade, const struct trade_report *report);

/* An object `signal`: industry, company, symbol, mapSource, seatsAsOf, laterList (the seats are of
 * a later list), ruleVersion, since, and committees: id, name, role, part (of a subcommittee),
 * from, to, and grounds: text, source (an address, if it is of an `act` of oversight), more (not
 * the first). ERR_CORRUPT: the evidence is not what the rule writes. */
enum err trade_signal_put(
    struct view *view, const struct finding_shown *finding, struct fail *fail);

/* Commands on drafts and on what is published; see commands.h. */
#include "cmd/commands_parts.h"

static const struct command commands[] = {
    {"review list", "list the drafts", .read = cmd_review_list,
     OPTIONS(
         {"state", "list only drafts in this state", "STATE"},
         {"clean", "list only clean drafts: every check passed, no doubt, no amendment"})},
    {"review show", "compare a draft with what is already public", "ID", .read = cmd_review_show,
     .notes = "A terminal gets a page. To read a long one: `stockact review show ID --pretty "
              "--color always | less -R`."},
    {"review picture", "write a page of a draft's document as a PNG picture, a scan upright",
     "ID [PAGE]", .review = cmd_review_picture,
     OPTIONS(
         {"output", "PNG file to write; an existing file is replaced", "FILE", NULL, REQUIRED},
         {"row", "draw only this row of a scan: the strip of its page", "NUMBER", value_is_count})},
    {"review scan", "read the rows of scans into drafts that no person has worked on", "[ID...]",
     .review = cmd_review_scan,
     .notes = "`ingest` and `sync` read new scans. This reads those that an earlier version "
              "imported, or again after an upgrade. It publishes nothing.",
     OPTIONS(
         {"all-waiting", "read all scans that wait for review and were not read yet"},
         {"again", "with --all-waiting: also those that were read"})},
    {"review claim", "lock a draft for 30 minutes", "ID", .scope = SETTINGS_REVIEW,
     .review = cmd_review_claim, OPTIONS(BY_OPTION)},
    {"review accept", "accept a draft in its current state, or a batch of clean drafts", "[ID]",
     .scope = SETTINGS_REVIEW, .review = cmd_review_accept,
     .notes = "Batches need STOCKACT_BATCH_REVIEW=on. `review accept --clean --sample N` starts "
              "one, `review look` records what was found in the drawn drafts, and `review accept "
              "--batch NUMBER` accepts the whole batch.",
     OPTIONS(
         BY_OPTION, {"despite", "accept despite these failed checks", "CHECK,..."},
         REASON_OPTION("why the failed checks do not matter", 0),
         {"clean", "start a batch of clean drafts instead; needs --sample"},
         {"sample", "number of drafts to draw at random for a person to look at, up to 200",
          "NUMBER", value_is_count},
         {"size", "drafts in the batch, up to 2000 (default 200)", "NUMBER", value_is_count},
         {"batch", "accept this batch, after all drawn drafts were found right", "NUMBER",
          value_is_count})},
    {"review batch", "list the batches, or show one with its drawn drafts", "[NUMBER]",
     .read = cmd_review_batch},
    {"review look", "record that drawn drafts of a batch are right, or that one has a fault",
     "NUMBER ID...", .scope = SETTINGS_REVIEW, .review = cmd_review_look,
     OPTIONS(
         BY_OPTION, {"right", "the drafts agree with their documents"},
         {"fault", "the draft has a fault: the batch is returned"},
         REASON_OPTION("what is wrong", 0))},
    {"review return", "return a batch: its drafts go back to the queue", "NUMBER",
     .scope = SETTINGS_REVIEW, .review = cmd_review_return,
     OPTIONS(BY_OPTION, REASON_OPTION("why the batch is returned", REQUIRED))},
    {"review reject", "reject a draft; claim it to reopen it", "ID", .scope = SETTINGS_REVIEW,
     .review = cmd_review_reject,
     OPTIONS(BY_OPTION, REASON_OPTION("why it is rejected; recorded in the history", REQUIRED))},
    {"review nothing-reported", "close a draft whose document says that there is nothing to report",
     "ID", .scope = SETTINGS_REVIEW, .review = cmd_review_nothing_reported, OPTIONS(BY_OPTION)},
    {"review take-symbols", "take the symbols and companies that the names of assets suggest", "ID",
     .scope = SETTINGS_REVIEW, .review = cmd_review_take_symbols,
     .notes = "`taken` counts printed symbols whose company has a like name, and `confirmed` the "
              "companies of rows without a printed symbol: exactly one has that name, by the lists "
              "of the day or the member's public trades. `left` counts the suggestions that stay. "
              "Look at each, and set it with `review set`.",
     OPTIONS(BY_OPTION)},
    {"review set", "change a field of a row; row 0 is the filing (fields: filed, url)",
     "ID ROW FIELD VALUE", .scope = SETTINGS_REVIEW, .review = cmd_review_set,
     OPTIONS(BY_OPTION, REASON_OPTION("why; recorded in the history", 0))},
    {"review add-row", "add a row by hand", "ID [FIELD=VALUE...]", .scope = SETTINGS_REVIEW,
     .review = cmd_review_add_row,
     OPTIONS(
         BY_OPTION, {"page", "page of the document that the row is on", "NUMBER", value_is_count},
         REASON_OPTION("why; recorded in the history", 0))},
    {"review delete-row", "delete a row from the draft; the history keeps it", "ID ROW",
     .scope = SETTINGS_REVIEW, .review = cmd_review_delete_row,
     OPTIONS(BY_OPTION, REASON_OPTION("why; recorded in the history", 0))},
    {"review set-filer",
     "set the member who filed it, also for later documents with the same printed name",
     "ID SLUG|ID", .scope = SETTINGS_REVIEW, .review = cmd_review_set_filer,
     .notes =
         "If the filing is public, it moves to that member with its trades; this needs --reason.",
     OPTIONS(BY_OPTION, REASON_OPTION("why; recorded in the history", 0))},
    {"review new", "create a draft for a paper filing without a file", "house|senate DOCUMENT",
     .scope = SETTINGS_REVIEW, .review = cmd_review_new,
     OPTIONS(
         BY_OPTION, {"filer", "member who filed it", "SLUG"},
         {"filed", "filing date", "YYYY-MM-DD", value_is_day},
         {"url", "official URL of the document", "URL"})},
    {"review enter", "type a row of a paper filing as its second person, without seeing the draft",
     "ID [ROW] [FIELD=VALUE...]", .scope = SETTINGS_REVIEW, .review = cmd_review_enter,
     .notes = "With STOCKACT_DOUBLE_ENTRY=paper. Count the rows of the pages (see `review "
              "picture`) with --rows, type every row, then compare with --rows again. Equal "
              "entries accept the draft.",
     OPTIONS(
         BY_OPTION, {"absent", "the page has no such row"},
         {"rows", "number of rows on the pages; ends the entry", "NUMBER", value_is_text})},
    {"review differences", "list what two people typed differently, without names", "ID",
     .read = cmd_review_differences},
    {"review decide", "decide as a third person what the page shows", "ID ROW FIELD VALUE",
     .scope = SETTINGS_REVIEW, .review = cmd_review_decide,
     .notes = "The field `row` takes yes or no: is the row on the page. The field `rows` of row 0 "
              "takes the number of rows.",
     OPTIONS(BY_OPTION)},
    {"review agreement", "count how often two people typed the same, field by field",
     .read = cmd_review_agreement},
    {"review sample", "list published rows that were drawn to be checked again, or show one",
     "[ROW]", .read = cmd_review_sample,
     .notes = "What is published is shown only after the row was typed: `review sample-type`.",
     OPTIONS({"ended", "list the last finished rows instead of the waiting ones"})},
    {"review sample-type", "type a drawn row from its document, without seeing what is published",
     "ROW FIELD=VALUE...", .review = cmd_review_sample_type,
     .notes = "A person who worked on the filing cannot do it. A field without a value is one that "
              "the document does not state.",
     OPTIONS(BY_OPTION)},
    {"review sample-decide",
     "say what is wrong in each field that differs: published, entry or unreadable",
     "ROW FIELD=VERDICT...", .review = cmd_review_sample_decide,
     .notes = "`published` counts in the public error rate. Then `correct` the trade.",
     OPTIONS(BY_OPTION)},
    {"review sample-skip", "skip a drawn row that cannot be typed", "ROW",
     .review = cmd_review_sample_skip,
     OPTIONS(BY_OPTION, REASON_OPTION("why the row cannot be typed", REQUIRED))},
    {"review sample-documents",
     "list the newest published documents that were drawn to have their rows counted",
     .read = cmd_review_sample_documents,
     .notes = "How many rows are known is shown only after a count: `review sample-count`."},
    {"review sample-count",
     "say how many rows a drawn document has, without seeing how many are known", "DOCUMENT [ROWS]",
     .review = cmd_review_sample_count,
     .notes = "A person who worked on the filing cannot do it. If the number differs, count again: "
              "the second count ends the document.",
     OPTIONS(
         BY_OPTION,
         {"skip", "why the rows cannot be counted, instead of ROWS", "TEXT", value_is_text})},
    {"review sample-draw", "draw today's sample now, if the server has not drawn it yet",
     .review = cmd_review_sample_draw},
    {"publish", "publish accepted drafts", "[ID...]", .review = cmd_publish,
     OPTIONS(
         BY_OPTION, AT_OPTION, REASON_OPTION("why --at; recorded in the log of actions", 0),
         {"all-accepted", "publish all accepted drafts, oldest filing first"},
         {"backfill",
          "publish as bulk history: send no event, set disclosedAt to the time of the filing"})},
    {"correct", "change a field of a published trade; the corrections log keeps the old value",
     "TRADE FIELD VALUE", .review = cmd_correct,
     OPTIONS(
         BY_OPTION, AT_OPTION, REASON_OPTION("why; recorded in the corrections log", REQUIRED))},
    {"withdraw", "withdraw a published trade or filing", "TRADE|FILING", .review = cmd_withdraw,
     OPTIONS(
         BY_OPTION, AT_OPTION, REASON_OPTION("why; recorded in the corrections log", REQUIRED))},
    {"reinstate", "undo a withdrawal", "TRADE|FILING", .review = cmd_reinstate,
     .notes = "The trade is public again under its old id and disclosedAt. A filing comes back "
              "with the trades that were withdrawn together with it.",
     OPTIONS(
         BY_OPTION, AT_OPTION, REASON_OPTION("why; recorded in the corrections log", REQUIRED))},
};

const struct command_group commands_review = COMMAND_GROUP("review and corrections", commands);

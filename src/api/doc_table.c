/* The table of documents; see doc_table.h. */
#include "api/doc_table.h"

#include "api/web.h"

#define START STR_INIT("Start")
#define ENDPOINTS STR_INIT("Endpoints")
#define ANSWERS STR_INIT("Answers")
#define GUIDES STR_INIT("Guides")
#define OPERATORS STR_INIT(DOC_OPERATORS)

/* A page of the reference, from one section to the one that begins the next page. */
#define REFERENCE(name, title, group, from, until)                                                 \
    {                                                                                              \
        STR_INIT(name), STR_INIT(title), STR_INIT(title), group, web_reference,                    \
        {                                                                                          \
            STR_INIT(from), STR_INIT(until)                                                        \
        }                                                                                          \
    }

const struct guide guides[DOC_COUNT] = {
    {STR_INIT(""), STR_INIT("API reference"), STR_INIT("Overview"), START, web_reference},
    REFERENCE("quick-start", "Quick start", START, "first-requests", "authentication"),
    REFERENCE("access", "Keys, plans and limits", START, "authentication", "trades"),
    REFERENCE("trades", "Trades", ENDPOINTS, "trades", "stream"),
    REFERENCE("stream", "Stream of trades", ENDPOINTS, "stream", "trade"),
    REFERENCE("trade", "One trade", ENDPOINTS, "trade", "politicians"),
    REFERENCE("politicians", "Politicians", ENDPOINTS, "politicians", "tickers"),
    REFERENCE("tickers", "Tickers", ENDPOINTS, "tickers", "filings"),
    REFERENCE("filings", "Filings", ENDPOINTS, "filings", "corrections"),
    REFERENCE("corrections", "Corrections", ENDPOINTS, "corrections", "changes"),
    REFERENCE("changes", "Changes", ENDPOINTS, "changes", "events"),
    REFERENCE("events", "Events", ENDPOINTS, "events", "coverage"),
    REFERENCE("coverage", "Coverage", ENDPOINTS, "coverage", "usage"),
    REFERENCE("usage", "Usage", ENDPOINTS, "usage", "objects"),
    REFERENCE("objects", "Objects", ANSWERS, "objects", "log-objects"),
    {STR_INIT("log-objects"),
     STR_INIT("Objects of logs, coverage and usage"),
     STR_INIT("Objects of logs"),
     ANSWERS,
     web_reference,
     {STR_INIT("log-objects"), STR_INIT("conflict-signal")}},
    REFERENCE("cursors", "Pages and cursors", ANSWERS, "cursors", "sync"),
    REFERENCE("copy", "Keeping a copy", ANSWERS, "sync", "webhooks"),
    REFERENCE("csv", "CSV", ANSWERS, "csv", "errors"),
    REFERENCE("errors", "Errors", ANSWERS, "errors", "caching"),
    {STR_INIT("webhooks"), STR_INIT("Webhooks"), STR_INIT("Webhooks"), GUIDES, web_webhooks},
    {STR_INIT("verifiers"),
     STR_INIT("Verifiers of webhooks"),
     STR_INIT("Verifiers"),
     GUIDES,
     web_webhooks,
     {STR_INIT("verifiers"), STR_INIT("retries")}},
    {STR_INIT("webhook-endpoints"),
     STR_INIT("Managing endpoints"),
     STR_INIT("Managing endpoints"),
     GUIDES,
     web_webhooks,
     {STR_INIT("on-the-pages"), STR_INIT("develop-on-your-machine")}},
    {STR_INIT("webhook-addresses"),
     STR_INIT("Addresses that webhooks refuse"),
     STR_INIT("Refused addresses"),
     GUIDES,
     web_webhooks,
     {STR_INIT("blocked-addresses"), {NULL, 0}}},
    {STR_INIT("develop"),
     STR_INIT("Develop on your machine"),
     STR_INIT("Develop locally"),
     GUIDES,
     web_webhooks,
     {STR_INIT("develop-on-your-machine"), STR_INIT("rotating-the-secret")}},
    {STR_INIT("alerts"), STR_INIT("Alerts"), STR_INIT("Alerts"), GUIDES, web_alerts},
    {STR_INIT("mcp"), STR_INIT("Tools for language models"), STR_INIT("Language models"), GUIDES,
     web_mcp},
    {STR_INIT("mcp-tools"),
     STR_INIT("The tools of the MCP server"),
     STR_INIT("Their tools"),
     GUIDES,
     web_mcp,
     {STR_INIT("the-tools"), STR_INIT("instructions-to-the-model")}},
    {STR_INIT("conflict"), STR_INIT("Conflict signal"), STR_INIT("Conflict signal"), GUIDES,
     web_conflict},
    {STR_INIT("industries"),
     STR_INIT("Industries"),
     STR_INIT("Industries"),
     GUIDES,
     web_conflict,
     {STR_INIT("the-industries"), STR_INIT("from-a-committee-to-its-industries")}},
    {STR_INIT("conflict-limits"),
     STR_INIT("Limits of the conflict signal"),
     STR_INIT("Its limits"),
     GUIDES,
     web_conflict,
     {STR_INIT("what-it-cannot-see"), STR_INIT("when-signals-change")}},
    {STR_INIT("audit"), STR_INIT("Audit"), STR_INIT("Audit"), GUIDES, web_audit},
    {STR_INIT("operate"), STR_INIT("Operating stockact"), STR_INIT("Operating"), OPERATORS,
     web_operate},
    {STR_INIT("each-morning"),
     STR_INIT("Each morning"),
     STR_INIT("Each morning"),
     OPERATORS,
     web_operate,
     {STR_INIT("each-morning"), {NULL, 0}}},
    {STR_INIT("review"), STR_INIT("Reviewing filings"), STR_INIT("Reviewing filings"), OPERATORS,
     web_review},
    {STR_INIT("after-publication"),
     STR_INIT("After publication"),
     STR_INIT("After publication"),
     OPERATORS,
     web_review,
     {STR_INIT("after-publication"), {NULL, 0}}},
    {STR_INIT("sync"), STR_INIT("Fetching from the official sites"), STR_INIT("Fetching"),
     OPERATORS, web_sync},
};

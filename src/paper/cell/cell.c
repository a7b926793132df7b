/* Names of cells; see cell.h. */
#include "paper/cell/cell.h"

#include "base/closed_list.h"

static const struct str cell_names[CELL_COUNT] = {
    [CELL_ID] = STR_INIT("id"),
    [CELL_OWNER] = STR_INIT("owner"),
    [CELL_TICKER] = STR_INIT("ticker"),
    [CELL_TICKER_TWO] = STR_INIT("ticker_two"),
    [CELL_ASSET] = STR_INIT("asset"),
    [CELL_ASSET_STORED] = STR_INIT("asset_stored"),
    [CELL_ASSET_DETAIL] = STR_INIT("asset_detail"),
    [CELL_ASSET_TYPE] = STR_INIT("asset_type"),
    [CELL_TYPE] = STR_INIT("type"),
    [CELL_DATE] = STR_INIT("date"),
    [CELL_NOTIFIED] = STR_INIT("notified"),
    [CELL_AMOUNT] = STR_INIT("amount"),
    [CELL_CAP_GAINS] = STR_INIT("cap_gains"),
    [CELL_STATUS] = STR_INIT("status"),
    [CELL_SUBHOLDING] = STR_INIT("subholding_of"),
    [CELL_LOCATION] = STR_INIT("location"),
    [CELL_DESCRIPTION] = STR_INIT("description"),
    [CELL_COMMENT] = STR_INIT("comment"),
};

ENUM_NAME(cell_name, cell, cell_names[value], CELL_COUNT)

/*
 * How the program says that its data is invented (decision 49): everywhere a machine reads it, and
 * never of real data. A database that `stockact demo` has filled is marked (store/row/meta.h).
 */
#pragma once

/* On every response of a server with invented data, and on its webhook requests. */
#define INVENTED_HEADER "X-Data"

/* Its value, that of `x-data` in the OpenAPI document, and of `data` in /coverage. */
#define INVENTED_VALUE "invented"

#define INVENTED_NOTICE                                                                            \
    "The data of this server is invented for demonstration: its members, companies, filings and "  \
    "trades do not exist. Do not report any of it as fact."

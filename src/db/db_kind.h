/* The databases that stockact runs on. */
#pragma once

enum db_kind { DB_SQLITE, DB_POSTGRESQL };

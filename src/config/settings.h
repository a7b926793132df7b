/*
 * The settings (docs/architecture.md, "Commands and settings"), from one table: what a setting is
 * called as flag, environment variable and key of the configuration file, its default, its form and
 * its help. A flag wins over the environment, the environment over the file, the file over the
 * default.
 *
 * The file has `key = value` lines; `#` begins a comment line. A key is the variable's name, with
 * or without STOCKACT_, in any letter case (`trusted_proxies`, STOCKACT_TRUSTED_PROXIES).
 */
#pragma once

#include "base/log.h"
#include "base/mem.h"
#include "config/options.h"
#include "core/client_address.h"

/* Who takes the setting as a flag: every command, `sync`, `webhooks`, or `serve` alone, which takes
 * all of them. The environment and the file may always hold all of them. */
enum settings_scope { SETTINGS_ALL, SETTINGS_SYNC, SETTINGS_WEBHOOKS, SETTINGS_SERVE };

enum { CLOCK_TIME_NONE = -1, SYNC_PACE_NONE = -1, THREADS_MAX = 256 };

struct settings {
    struct str database;        /* "sqlite:PATH" or "postgresql://..." */
    struct str listen;          /* "ADDR:PORT", "[ADDR]:PORT" or "unix:PATH" */
    struct str base_url;        /* without a slash at the end; null: made from the listen address */
    struct str redis;           /* null: counters in this process's memory */
    struct str secret_key_file; /* null: beside the embedded database */
    struct cidr_list trusted_proxies;
    struct cidr_list metrics_allow;
    struct cidr_list webhook_allow;
    struct str webhook_ca_file;      /* certificates instead of the system's; null: the system's */
    struct str webhook_name_servers; /* "ADDR:PORT,..."; null: the system's */
    struct str smtp_url;
    struct str mail_from;
    int sweep_at; /* minute of the day, UTC; CLOCK_TIME_NONE: not by the clock */
    int sync_at;
    struct str sync_contact; /* whom an official site may write to; null: nobody is named */
    struct str sync_proxy;
    struct str sync_base_url; /* what `serve` asks instead of the official sites */
    int64_t sync_pace_ms;     /* SYNC_PACE_NONE: as is polite */
    bool second_reviewer;
    bool signup;
    enum log_format log;
    bool access_log;     /* one line per request */
    bool access_log_set; /* somebody said so; otherwise it is off in benchmarks only */
    int threads;         /* HTTP loops; 0: one per core */
    bool bench_unlimited;
    struct str test_clock; /* path; null: the machine's clock */
    bool allow_test_clock;
    struct arena arena; /* what came from the file; texts but URLs have a NUL behind them */
};

/* The flags of a scope, and --config FILE, for options_know. */
void settings_know_flags(struct options *o, enum settings_scope scope);

/* ERR_INVALID: a value of the wrong form, or an unknown key in the file; the text names the setting
 * and where the value stands. ERR_IO: the file cannot be read. */
enum err settings_load(struct settings *ret, const struct options *o, struct fail *fail) MUST_CHECK;
void settings_finish(struct settings *s);

/* Moves the wall clock to the test clock's file when one is set. ERR_REFUSED without
 * STOCKACT_ALLOW_TEST_CLOCK=1. Before any thread starts. */
enum err settings_use_clock(struct settings *s, struct fail *fail) MUST_CHECK;

bool settings_embedded(const struct settings *s);            /* the database is a SQLite file */
struct str settings_database_path(const struct settings *s); /* of an embedded one */

/* Where the master key is: as set, or beside an embedded database; null: it must be set. */
struct str settings_secret_key_file(const struct settings *s, struct arena *arena);

/* The address that people use when no base URL is set: of "0.0.0.0:80" it is "http://127.0.0.1:80".
 * `bound` is the address really listened on (a port of 0 is a number by then). */
struct str settings_base_url_of(struct arena *arena, struct str bound);

/* A setting as the help, the manual and the sample file show it. */
struct settings_text {
    struct option flag;
    const char *environment; /* NULL: --config, which is a flag only */
    const char *fallback;    /* NULL: not set */
    const char *notes;       /* further sentences for the manual and the sample; NULL: none */
    bool for_tests;          /* not for a server that people use */
};

/* Calls fn for --config and every setting of the scope. */
typedef void settings_each_fn(void *ctx, const struct settings_text *setting);
void settings_each(enum settings_scope scope, settings_each_fn *fn, void *ctx);

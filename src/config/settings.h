/*
 * The settings (docs/architecture.md, "Commands and settings"). One table has the flag, environment
 * variable, default, format and help of each. A flag wins over the environment, the environment
 * over the settings file, the file over the default.
 *
 * The file has `key = value` lines; `#` begins a comment line. A key is the variable's name, with
 * or without STOCKACT_, in any letter case (`trusted_proxies`, STOCKACT_TRUSTED_PROXIES).
 */
#pragma once

#include "address/client_address.h"
#include "address/port_set.h"
#include "base/log.h"
#include "base/mem.h"
#include "config/options.h"
#include "rule/account_settings.h"

/* The commands that take a setting as a flag: all commands, `sync`, those with secrets, of which
 * `webhooks` takes more, `review`, or only `serve`, which takes every setting. The environment and
 * the file may have all settings for any command. */
enum settings_scope {
    SETTINGS_ALL,
    SETTINGS_SYNC,
    SETTINGS_SECRET,
    SETTINGS_SNAPSHOT,
    SETTINGS_WEBHOOKS,
    SETTINGS_REVIEW,
    SETTINGS_SERVE,
};

enum {
    CLOCK_TIME_NONE = -1,
    SYNC_PACE_NONE = -1,
};

enum settings_source {
    SETTINGS_FROM_NOWHERE,
    SETTINGS_FROM_DEFAULT,
    SETTINGS_FROM_FILE,
    SETTINGS_FROM_ENVIRONMENT,
    SETTINGS_FROM_FLAG,
};

/* A setting as it was given. */
struct settings_value {
    const char *environment; /* the name of the variable */
    const char *flag;
    struct str text; /* null: it has no value */
    enum settings_source source;
    bool secret; /* not to be shown */
    bool for_tests;
};

struct settings {
    struct settings_value *values; /* of all settings, in the order of the table */
    size_t value_count;
    struct str file;            /* the settings file; null: none was read */
    struct str database;        /* "sqlite:PATH" or "postgresql://..." */
    struct str listen;          /* "ADDR:PORT", "[ADDR]:PORT" or "unix:PATH" */
    struct str base_url;        /* without a final slash; null: derived from the listen address */
    struct str redis;           /* null: limits are counted in this process */
    struct str redis_ca_file;   /* CA certificates; null: the system's */
    bool redis_alone;           /* while Redis is lost, each server counts alone */
    int64_t test_redis_ms;      /* how long Redis may take; 0: as it is for users */
    int64_t test_stop_ms;       /* how long a shutdown may take: the promise is 12 s */
    struct str secret_key_file; /* null: PATH.secret of the SQLite database */
    struct cidr_list trusted_proxies;
    struct cidr_list metrics_allow;
    struct cidr_list webhook_allow;
    struct port_set webhook_refused_ports;
    struct str webhook_ca_file;      /* CA certificates; null: the system's */
    struct str webhook_name_servers; /* "ADDR:PORT,..."; null: the system's */
    struct str smtp_url;
    struct str mail_from;
    int sweep_at; /* minute of the day, UTC; CLOCK_TIME_NONE: off */
    int sync_at;
    int snapshot_at;
    struct str snapshots;    /* the folder of snapshots; null: none are served */
    int64_t sample_rows;     /* of a day; 0: off */
    struct str sync_contact; /* sent to the official sites; null: none is sent */
    struct str sync_proxy;
    struct str sync_base_url; /* replaces the official sites for `serve`; null: not replaced */
    int64_t sync_pace_ms;     /* SYNC_PACE_NONE: use SYNC_PACE_MS */
    bool second_reviewer;
    bool double_entry; /* two people type a paper filing */
    bool batch_review;
    enum account_signup signup;
    enum account_demand second_factor;
    bool public_pages;
    bool open_data;          /* visitors may have files of data */
    int64_t visitor_delay;   /* hours after which visitors and Scout see a publication */
    struct str purge_url;    /* of a cache in front of the server; null: none */
    struct str purge_header; /* "Name: value"; null: none */
    struct str contact;      /* shown on pages; null: none */
    enum log_format log;
    bool access_log;     /* one line per request */
    bool access_log_set; /* given explicitly; if not, it is on unless bench_unlimited */
    int threads;         /* HTTP loops; 0: one per core */
    int64_t connections_max;
    int64_t streams;            /* open at the same time */
    int64_t streams_per_caller; /* of one key or address */
    int64_t reply_memory_mib;   /* of all responses that wait for slow clients */
    bool bench_unlimited;
    struct str test_clock;          /* path; null: the machine's clock */
    struct str test_database_clock; /* path; null: the test clock, or the database's own */
    bool allow_test_clock;
    struct arena arena; /* values from the file; all but URLs end with a NUL byte */
};

/* The flags of a scope, and --config FILE, for options_know. */
void settings_know_flags(struct options *o, enum settings_scope scope);

/* Loads all settings. *ret points into argv and the environment. ERR_INVALID: an invalid value, or
 * an unknown or repeated key in the file. ERR_IO: the file cannot be read. */
enum err settings_load(struct settings *ret, const struct options *o, struct fail *fail);
void settings_finish(struct settings *s);

/* Calls fn with each reason for which settings_load returns ERR_INVALID, in the order of the file's
 * lines and then of the table; settings_load returns the first. */
typedef void settings_refused_fn(void *ctx, const char *reason);
void settings_each_refused(const struct options *o, settings_refused_fn *fn, void *ctx);

/* Calls fn for each STOCKACT_ variable of the environment that is not a setting, but like one.
 * Others may belong to other programs. */
void settings_each_misspelt(settings_refused_fn *fn, void *ctx);

/* If a test clock is set, reads the wall clock from its file from now on. Call it before any thread
 * starts. ERR_REFUSED: STOCKACT_ALLOW_TEST_CLOCK=1 is missing. */
enum err settings_use_clock(struct settings *s, struct fail *fail);

bool settings_embedded(const struct settings *s);            /* the database is an SQLite file */
struct str settings_database_path(const struct settings *s); /* only if settings_embedded */

/* The path of the master key: as set, or derived from the SQLite path. Null: it must be set. */
struct str settings_secret_key_file(const struct settings *s, struct arena *arena);

/* The default base URL: for "0.0.0.0:80" it is "http://127.0.0.1:80". `bound` is the address of the
 * open listener, whose port is not 0. */
struct str settings_base_url_of(struct arena *arena, struct str bound);

/* The texts of a setting in the help, the manual and the sample file. */
struct settings_text {
    struct option flag;
    const char *environment; /* NULL: --config, which is a flag only */
    const char *fallback;    /* the default; NULL: none */
    const char *more;        /* what a value must be besides; NULL: nothing */
    const char *notes;       /* more sentences for the manual and the sample; NULL: none */
    bool secret;             /* its values are not shown */
    bool for_tests;          /* tests and benchmarks only */
};

/* Calls fn for --config and every setting of the scope. */
typedef void settings_each_fn(void *ctx, const struct settings_text *setting);
void settings_each(enum settings_scope scope, settings_each_fn *fn, void *ctx);

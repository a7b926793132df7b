/* What GET /coverage returns (decision 40), with the sample of docs/adr/0036-sample.md. */
#pragma once

#include "base/crypto.h"
#include "noun/field.h"
#include "rule/model.h"
#include "rule/report_state.h"

struct shape_coverage_count {
    enum chamber chamber;
    int year; /* 0: not known */
    enum report_state state;
    int64_t count;
};

struct shape_coverage_index {
    enum chamber chamber;
    int year;
    int64_t as_of;
};

struct shape_coverage_document {
    enum chamber chamber;
    struct str source_id, url;
    uint8_t sha256[SHA256_SIZE];
    int64_t seen_at;
};

struct shape_coverage_review {
    int64_t of[FILING_REVIEW_COUNT];
    int64_t unrecorded;
    int64_t row_ms[FILING_REVIEW_COUNT]; /* -1: no time is known */
};

/* Shares are NAN where nothing was checked. */
struct shape_sample_share {
    int64_t checked, wrong;
    double rate, low, high;
};

struct shape_sample_missing {
    int64_t documents, rows, missing;
    double rate, low, high; /* in a thousand */
};

struct shape_sample_group {
    enum chamber chamber;
    int kind; /* of shape_sample_kinds */
    int64_t trades, unstored;
    struct shape_sample_share share;
    int64_t documents;
    struct shape_sample_missing missing;
};

struct shape_sample_month {
    int32_t month;
    enum chamber chamber;
    int kind;
    struct shape_sample_share share;
};

struct shape_sample_field {
    struct str name;
    int64_t differences, wrong;
};

struct shape_sample {
    int32_t from, to;
    struct shape_sample_share share;
    int64_t waiting, undecided, unreadable, skipped, expired;
    struct shape_sample_missing missing;
    int64_t documents_waiting, documents_undecided, documents_skipped, documents_expired;
    int64_t drawn_at;
    const struct shape_sample_group *groups;
    size_t group_count;
    const struct shape_sample_month *months;
    size_t month_count;
    const struct shape_sample_field *fields;
    size_t field_count;
};

struct shape_coverage {
    int data;          /* of shape_data_kinds; 0: none */
    struct str counts; /* rows of objects, like the indexes and backfills */
    int64_t total;
    struct str indexes;
    const struct shape_coverage_document *newest;
    struct shape_coverage_review review;
    struct str backfills;
    struct shape_sample sample;
};

extern const struct shape_object shape_coverage, shape_coverage_count, shape_coverage_index,
    shape_coverage_review, shape_coverage_document;
extern const struct shape_object shape_coverage_sample, shape_coverage_sample_group,
    shape_coverage_sample_month, shape_coverage_sample_field;

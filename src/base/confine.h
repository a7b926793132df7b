/*
 * Privileges that a process drops before its first thread (docs/reliability.md, "Confinement"):
 * core dumps, new privileges, and with Landlock everything outside that it does not need: files,
 * TCP ports, commands to devices, signals, and sockets of other processes. A kernel without
 * Landlock, or with an older version of it, does not prevent the start; the result reports the
 * protection in force.
 */
#pragma once

#include "base/buf.h"

struct confine_path {
    const char *path; /* a folder or a file; a missing path is skipped */
    bool write;
    bool links; /* make symbolic links in the folder too */
};

/* What the process still needs. All zero: nothing that is not open already. */
struct confine_needs {
    const struct confine_path *paths;
    size_t path_count;
    const uint16_t *bind_ports; /* TCP ports that it may bind to; 0 is a port that is free */
    size_t bind_port_count;
    bool connects;         /* to other programs: TCP of any port, sockets in the file system */
    bool abstract_sockets; /* connects to abstract unix sockets too */
};

/* Kinds of access that Landlock controls, each with the first version of the kernel's interface
 * that does. In the order of versions. */
enum confine_right {
    CONFINE_FILES,            /* 1, Linux 5.13 */
    CONFINE_TRUNCATE,         /* 3, Linux 6.2 */
    CONFINE_TCP_BIND,         /* 4, Linux 6.7 */
    CONFINE_TCP_CONNECT,      /* 4 */
    CONFINE_DEVICES,          /* 5, Linux 6.10: ioctl on devices */
    CONFINE_ABSTRACT_SOCKETS, /* 6, Linux 6.12: of processes outside */
    CONFINE_SIGNALS,          /* 6: to processes outside */
    CONFINE_FILE_SOCKETS,     /* 9, Linux 7.1: unix sockets in the file system */
    CONFINE_RIGHT_COUNT
};

struct confine_result {
    bool no_core_dumps;
    bool no_new_privileges;
    int landlock;    /* version of the kernel's interface in force; 0: none */
    unsigned rights; /* a bit for each enum confine_right that is controlled */
};

/* Confines the calling thread and all threads that it starts afterwards. */
struct confine_result confine(const struct confine_needs *needs);

bool confine_has(const struct confine_result *result, enum confine_right right);
/* The rights that are controlled, by name, between spaces. */
void confine_rights_put(struct buf *b, const struct confine_result *result);

/*
 * A VFS for SQLite that injects a fault at the nth operation. It forwards to the default VFS,
 * counts writes, flushes, truncations and removals, or reads, and fails or kills the process at the
 * chosen one. For tests only.
 */
#pragma once

enum fault_vfs_action {
    FAULT_VFS_NONE,
    FAULT_VFS_IO_ERROR,   /* this operation and all later ones */
    FAULT_VFS_DISK_FULL,  /* this write and all later ones */
    FAULT_VFS_READ_ERROR, /* this read and all later ones; only reads count */
    FAULT_VFS_KILL,       /* SIGKILL instead of the operation */
};

void fault_vfs_install(void); /* once, before the first connection */

/* Starts counting now; n counts from 1. */
void fault_vfs_arm(enum fault_vfs_action action, int n);
void fault_vfs_disarm(void);
int fault_vfs_count(void); /* operations since fault_vfs_arm */

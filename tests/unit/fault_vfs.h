/*
 * SQLite's view of the disk, with a fault at the nth operation: a VFS that passes everything on to
 * the ordinary one, counts writes, flushes, truncations and removals, and at the chosen one fails
 * or kills the process. For tests only.
 */
#pragma once

enum fault_vfs_action {
    FAULT_VFS_NONE,
    FAULT_VFS_IO_ERROR,  /* this operation, and every one after it */
    FAULT_VFS_DISK_FULL, /* writes from this one on */
    FAULT_VFS_KILL,      /* SIGKILL instead of the operation */
};

void fault_vfs_install(void); /* once, before the first connection */

/* From now on; n counts from 1. */
void fault_vfs_arm(enum fault_vfs_action action, int n);
void fault_vfs_disarm(void);
int fault_vfs_count(void); /* operations since fault_vfs_arm */
